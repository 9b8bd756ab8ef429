//! What is found in a repository: only what its files say, and each command as
//! words that mean the same at the tree's root.

mod node;
mod python;

use proptest::prelude::*;
use std::collections::BTreeMap;
use trueup_inspect::{
    argv,
    project::{Listing, Survey, survey},
};

fn found(files: &[(&str, &str)]) -> Survey {
    released(None, files)
}

/// The same, of a repository whose last release has this tag.
fn released(tag: Option<&str>, files: &[(&str, &str)]) -> Survey {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let read = |path: &str| files.get(path).map(|text| (*text).to_owned());
    survey(&Listing::new(files.keys().copied(), &read).released(tag.map(str::to_owned)))
}

/// `name: command`, in order.
fn checks(survey: &Survey) -> Vec<String> {
    let line = |command: &trueup_inspect::project::Command| format!("{}: {}", command.name, argv::line(&command.words));
    survey.commands.iter().map(line).collect()
}

/// `name: command | key | keep`, in order.
fn prepared(survey: &Survey) -> Vec<String> {
    let preparations = survey.preparations.iter().map(|preparation| {
        format!(
            "{}: {} | {} | {}",
            preparation.name,
            argv::line(&preparation.words),
            preparation.key.join(" "),
            preparation.keep.join(" ")
        )
    });
    preparations.collect()
}

fn doubts(survey: &Survey) -> Vec<String> {
    let line = |doubt: &trueup_inspect::project::Doubt| format!("{} {}", doubt.origin, doubt.what);
    survey.doubts.iter().map(line).collect()
}

#[test]
fn nothing_is_found_where_nothing_is_said() {
    assert_eq!(
        found(&[("greet.sh", "echo"), ("README.md", "cargo test")]),
        Survey::default()
    );
    assert_eq!(
        found(&[("words/package.json", "{\"name\": \"words\"}")]),
        Survey::default()
    );
    assert_eq!(found(&[]), Survey::default());
}

#[test]
fn a_crate_without_dependencies_needs_no_preparation() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("Cargo.lock", "[[package]]\nname = 'a'"),
        ("src/lib.rs", ""),
    ]);
    assert_eq!(
        checks(&survey),
        ["test: cargo test --locked", "types: cargo check --locked --all-targets"]
    );
    assert_eq!(prepared(&survey), [""; 0]);
    assert_eq!(survey.commands[0].cache, ["target"]);
    let told: Vec<&str> = survey
        .doubts
        .iter()
        .filter_map(|doubt| Some(doubt.command.as_ref()?.name.as_str()))
        .collect();
    assert_eq!(told, ["lint", "build"]);
}

#[test]
fn a_workspace_is_one_project_and_its_members_are_none() {
    let survey = found(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = ['crates/*']\nexclude = ['tools']\n[workspace.lints.clippy]\nall = 'deny'",
        ),
        (
            "Cargo.lock",
            "[[package]]\nsource = \"registry+x\"\n[[package]]\nsource = \"git+y\"",
        ),
        ("crates/a/Cargo.toml", "[package]\nname = 'a'"),
        ("tools/Cargo.toml", "[package]\nname = 'tools'"),
    ]);
    assert_eq!(
        checks(&survey),
        [
            "test: cargo test --workspace --locked",
            "lint: cargo clippy --workspace --locked --all-targets -- -D warnings",
            "types: cargo check --workspace --locked --all-targets",
            "tools-test: cargo test --manifest-path tools/Cargo.toml --offline",
            "tools-types: cargo check --manifest-path tools/Cargo.toml --offline --all-targets",
        ]
    );
    assert_eq!(
        prepared(&survey),
        ["rust: cargo fetch --locked | Cargo.lock | ~/.cargo/registry ~/.cargo/git"]
    );
}

#[test]
fn go_compiles_its_library_once_and_downloads_only_what_it_locked() {
    let survey = found(&[("go.mod", "module a"), ("a_test.go", "")]);
    assert_eq!(
        checks(&survey),
        ["test: go test ./...", "lint: go vet ./...", "build: go build ./..."]
    );
    assert_eq!(prepared(&survey), ["go-std: go build std | go.mod | ~/.cache/go-build"]);
    let survey = found(&[("api/go.mod", "module a"), ("api/go.sum", ""), ("api/x/a_test.go", "")]);
    assert_eq!(survey.commands[0].words, ["sh", "-c", "cd api && go test ./..."]);
    assert_eq!(
        survey.commands[0].reported(),
        (
            ["sh", "-c", "cd api && go test -json ./..."]
                .map(str::to_owned)
                .to_vec(),
            Some("go")
        )
    );
    assert_eq!(
        prepared(&survey),
        [
            "api-go-std: sh -c 'cd api && go build std' | api/go.sum | ~/.cache/go-build",
            "api-go: sh -c 'cd api && go mod download' | api/go.sum | ~/go/pkg/mod"
        ]
    );
    let vendored = found(&[("go.mod", "module a"), ("go.sum", ""), ("vendor/modules.txt", "")]);
    assert_eq!(
        prepared(&vendored),
        ["go-std: go build std | go.sum | ~/.cache/go-build"]
    );
}

#[test]
fn java_is_built_by_the_wrapper_it_brings() {
    let survey = found(&[("pom.xml", "<project/>"), ("core/pom.xml", "<project/>")]);
    assert_eq!(
        checks(&survey),
        [
            "test: mvn --batch-mode --offline test",
            "build: mvn --batch-mode --offline -DskipTests package"
        ]
    );
    let survey = found(&[("app/build.gradle", "plugins { id 'checkstyle' }"), ("app/gradlew", "")]);
    assert_eq!(
        checks(&survey),
        [
            "app-test: ./app/gradlew --project-dir app --no-daemon --offline test",
            "app-build: ./app/gradlew --project-dir app --no-daemon --offline assemble",
            "app-lint: ./app/gradlew --project-dir app --no-daemon --offline checkstyleMain",
        ]
    );
    assert_eq!(survey.preparations[0].keep, ["~/.gradle"]);
}

#[test]
fn targets_are_known_by_their_names() {
    let makefile =
        "CC := gcc\n.PHONY: test lint\nall: test\ntest lint: build\n\tcc\nbuild:\n\tcc -o check: x\ncoverage = 1\n";
    let survey = found(&[("Makefile", makefile), ("sub/Makefile", "check:\n\ttrue\n")]);
    assert_eq!(
        checks(&survey),
        [
            "test: make test",
            "lint: make lint",
            "build: make build",
            "sub-test: make -C sub check"
        ]
    );
    let justfile = "x := '1'\n# test\n@test *args:\n  true\nlint target:\n  true\ncoverage min='80':\n  true\n";
    let survey = found(&[("justfile", justfile)]);
    assert_eq!(checks(&survey), ["test: just test", "coverage: just coverage"]);
}

#[test]
fn a_target_that_most_likely_calls_another_tool_is_only_told() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("Makefile", "test:\n\tcargo test\ncoverage:\n\tcargo llvm-cov\n"),
    ]);
    assert_eq!(checks(&survey)[2..], ["coverage: make coverage"]);
    assert!(
        doubts(&survey).iter().any(|doubt| doubt.contains("most likely")),
        "{survey:#?}"
    );
}

#[test]
fn two_tools_of_one_folder_have_names_of_their_own() {
    let survey = found(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("package.json", r#"{"scripts": {"test": "node --test"}}"#),
        ("apps/web/package.json", r#"{"scripts": {"test": "node --test"}}"#),
    ]);
    let names: Vec<&str> = survey.commands.iter().map(|command| command.name.as_str()).collect();
    assert_eq!(names, ["test", "types", "node-test", "apps-web-test"]);
}

#[test]
fn what_belongs_to_somebody_else_is_not_looked_at() {
    for folder in [
        "node_modules/a",
        "vendor/a",
        "tests/fixtures/a",
        "docs",
        "test/node",
        "fuzz",
        "examples",
        ".hidden",
        "a/b/c/d",
    ] {
        let path = format!("{folder}/package.json");
        assert_eq!(
            found(&[(&path, r#"{"scripts": {"test": "x"}}"#)]),
            Survey::default(),
            "{folder}"
        );
    }
}

#[test]
fn what_only_installs_below_the_root_is_not_prepared() {
    let requirements = ("fuzzing-tools/requirements.txt", "atheris");
    assert_eq!(found(&[requirements]), Survey::default());
    assert_eq!(found(&[("requirements.txt", "atheris")]).preparations.len(), 1);
    let tested = found(&[requirements, ("fuzzing-tools/pytest.ini", "")]);
    assert_eq!(checks(&tested).len(), 1);
    assert_eq!(tested.preparations.len(), 1);
}

#[test]
fn a_file_that_cannot_be_read_is_told_not_guessed() {
    let survey = found(&[
        ("Cargo.toml", "[package"),
        ("package.json", "{"),
        ("pyproject.toml", "="),
    ]);
    assert_eq!(survey.commands, []);
    assert_eq!(survey.doubts.len(), 3, "{survey:#?}");
}

#[test]
fn a_repository_of_very_many_projects_is_told_where_the_survey_ended() {
    let paths: Vec<String> = (10..40).map(|number| format!("p{number}/Makefile")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "test:\n")).collect();
    let survey = found(&files);
    assert_eq!(survey.commands.len(), 12);
    assert_eq!(survey.doubts.len(), 18);
}

#[test]
fn a_line_of_words_merely_joined_would_not_read_back() {
    let words = ["sh", "-c", "cd a && b"].map(str::to_owned);
    assert_ne!(argv::words(&words.join(" ")), Ok(words.to_vec()));
    assert_eq!(argv::words(&argv::line(&words)), Ok(words.to_vec()));
}

proptest! {
    /// Whatever a folder is called, each command is a line that reads back as
    /// the same words, and each name is one that a task file may use.
    #[test]
    fn every_command_reads_back_as_the_same_words(folder in "[a-zé '\"$;-]{1,8}") {
        let path = |name: &str| format!("{folder}/{name}");
        let files = [
            (path("Cargo.toml"), "[package]\nname = 'a'"),
            (path("package.json"), r#"{"scripts": {"test": "x"}, "dependencies": {"a": "1"}}"#),
            (path("go.mod"), "module a"),
            (path("go.sum"), ""),
            (path("a_test.go"), ""),
            (path("requirements.txt"), "pytest"),
            (path("build.gradle"), ""),
            (path("Makefile"), "test:\n"),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let survey = found(&files);
        prop_assert!(!survey.commands.is_empty());
        let words = survey.commands.iter().map(|command| &command.words);
        for words in words.chain(survey.preparations.iter().map(|preparation| &preparation.words)) {
            prop_assert_eq!(argv::words(&argv::line(words)), Ok(words.clone()));
        }
        for command in &survey.commands {
            prop_assert!(command.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        }
    }
}
