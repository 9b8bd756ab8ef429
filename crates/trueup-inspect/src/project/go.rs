//! Go, by `go.mod`.

use super::{
    folder::Folder,
    survey::{FoundCommand, Preparation, Purpose, Survey},
};

/// Looks for a module.
pub(super) fn look(here: &Folder<'_>, survey: &mut Survey) {
    if !here.has("go.mod") {
        return;
    }
    let origin = here.path("go.mod");
    survey.tool("Go", origin.clone());
    let found = |purpose, words: &[&str], origin: String| FoundCommand {
        tool: "go",
        purpose,
        words: here.inside(words),
        cache: Vec::new(),
        origin,
    };
    let has_tests = here.below().any(|path| path.ends_with("_test.go"));
    let test = found(Purpose::Test, &["go", "test", "./..."], origin.clone());
    if has_tests {
        survey.add(here, test);
    } else {
        survey.maybe(here, test, "no file is named `*_test.go`, so it would test nothing");
    }
    let settings = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];
    match here.first(&settings) {
        Some(name) => survey.add(here, found(Purpose::Lint, &["golangci-lint", "run"], here.path(name))),
        None => survey.add(here, found(Purpose::Lint, &["go", "vet", "./..."], origin.clone())),
    }
    survey.add(here, found(Purpose::Build, &["go", "build", "./..."], origin.clone()));
    let coverage = found(Purpose::Coverage, &["go", "test", "-cover", "./..."], origin);
    if has_tests {
        survey.maybe(here, coverage, "it prints figures and passes whatever they are");
    }
    // A room has no build cache, and a toolchain of today brings its standard
    // library as source: every execution would compile it.
    let locked = if here.has("go.sum") { "go.sum" } else { "go.mod" };
    survey.prepare(
        here,
        Preparation {
            name: "go-std".into(),
            words: here.inside(&["go", "build", "std"]),
            key: vec![here.path(locked)],
            keep: vec!["~/.cache/go-build".into()],
            origin: here.path("go.mod"),
            ..Preparation::default()
        },
    );
    // A vendored module brings everything with it.
    if here.has("go.sum") && !here.has("vendor/modules.txt") {
        survey.prepare(
            here,
            Preparation {
                name: "go".into(),
                words: here.inside(&["go", "mod", "download"]),
                key: vec![here.path("go.sum")],
                keep: vec!["~/go/pkg/mod".into()],
                origin: here.path("go.sum"),
                ..Preparation::default()
            },
        );
    }
}
