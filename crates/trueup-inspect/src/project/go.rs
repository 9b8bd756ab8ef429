//! Go, by `go.mod`.

use super::{
    place::Place,
    survey::{Found, Preparation, Purpose, Survey},
};

/// Looks for a module.
pub(super) fn look(place: &Place<'_>, survey: &mut Survey) {
    if !place.has("go.mod") {
        return;
    }
    let origin = place.path("go.mod");
    survey.tool("Go", origin.clone());
    let found = |purpose, words: &[&str], origin: String| Found {
        tool: "go",
        purpose,
        words: place.inside(words),
        cache: Vec::new(),
        origin,
    };
    let has_tests = place.below().any(|path| path.ends_with("_test.go"));
    let test = found(Purpose::Test, &["go", "test", "./..."], origin.clone());
    if has_tests {
        survey.add(place, test);
    } else {
        survey.maybe(place, test, "no file is named `*_test.go`, so it would test nothing");
    }
    let settings = [".golangci.yml", ".golangci.yaml", ".golangci.toml"];
    match place.first(&settings) {
        Some(name) => survey.add(place, found(Purpose::Lint, &["golangci-lint", "run"], place.path(name))),
        None => survey.add(place, found(Purpose::Lint, &["go", "vet", "./..."], origin.clone())),
    }
    survey.add(place, found(Purpose::Build, &["go", "build", "./..."], origin.clone()));
    let coverage = found(Purpose::Coverage, &["go", "test", "-cover", "./..."], origin);
    if has_tests {
        survey.maybe(place, coverage, "it prints figures and passes whatever they are");
    }
    // A vendored module brings everything with it.
    if place.has("go.sum") && !place.has("vendor/modules.txt") {
        survey.prepare(
            place,
            Preparation {
                name: "go".into(),
                words: place.inside(&["go", "mod", "download"]),
                key: vec![place.path("go.sum")],
                keep: vec!["~/go/pkg/mod".into()],
                origin: place.path("go.sum"),
                ..Preparation::default()
            },
        );
    }
}
