//! What a change installs: which edits ask for something else, and how the
//! difference reads.

use crate::words;
use std::collections::BTreeMap;
use trueup_core::{
    ground::Preparation,
    objection::{Objection, ObjectionKind},
    task::Allow,
};
use trueup_inspect::{
    changes::{Allowed, installs},
    rules::packages::Fetcher,
};

fn told(path: &str, before: &str, after: &str) -> Option<Objection> {
    let allow = Allow::default();
    installs(path, Some(before.as_bytes()), Some(after.as_bytes()), &Allowed(&allow))
}

#[test]
fn an_edit_that_installs_the_same_is_no_question() {
    let rows = [
        (
            "pyproject.toml",
            "[project]\nname = 'a'\nversion = '1'\n",
            "[project]\nname = 'a'\nversion = '2'\ndescription = 'x'\n[tool.ruff]\nline-length = 100\n",
        ),
        (
            "pyproject.toml",
            "[project]\nname = 'a'\n",
            "# said\n[project]\nname = \"a\"\n",
        ),
        (
            "web/package.json",
            r#"{"name": "a", "version": "1", "scripts": {"test": "vitest"}}"#,
            r#"{"name": "a", "version": "2", "scripts": {"test": "vitest run"}, "exports": "./x.js"}"#,
        ),
        (
            "Cargo.toml",
            "[package]\nname = 'a'\nversion = '1.0.0'\n[dependencies]\nserde = '1'\n",
            "[package]\nname = 'a'\nversion = '1.1.0'\n[dependencies]\nserde = \"1\"\n[lints.rust]\nunused = 'deny'\n",
        ),
        (
            "go.mod",
            "module m\ngo 1.20\nrequire a.org/x v1.0.0\n",
            "// said\nmodule n\ngo 1.22\nrequire a.org/x v1.0.0\n",
        ),
        (
            "Cargo.lock",
            "[[package]]\nname = 'a'\nversion = '1.0.0'\n",
            "[[package]]\nname = 'a'\nversion = '1.1.0'\ndependencies = ['b']\n",
        ),
        (
            "uv.lock",
            "[[package]]\nname = 'a'\nversion = '1'\nsource = { editable = '.' }\n",
            "[[package]]\nname = 'a'\nversion = '2'\nsource = { editable = '.' }\n",
        ),
        (
            "package-lock.json",
            r#"{"name": "a", "version": "1", "packages": {"": {"name": "a", "version": "1"}}}"#,
            r#"{"name": "a", "version": "2", "packages": {"": {"name": "a", "version": "2"}}}"#,
        ),
    ];
    for (path, before, after) in rows {
        assert_eq!(told(path, before, after), None, "{path}: {after}");
    }
}

#[test]
fn packages_that_come_go_or_change_are_named() {
    let rows = [
        (
            "Cargo.lock",
            "[[package]]\nname = 'b'\nversion = '1.0.0'\nsource = 'r'\n",
            "[[package]]\nname = 'b'\nversion = '1.0.1'\nsource = 'r'\n[[package]]\nname = 'c'\nversion = '2.0.0'\nsource = 'r'\n",
            "b 1.0.0 → 1.0.1, + c 2.0.0",
        ),
        (
            "uv.lock",
            "[[package]]\nname = 'six'\nversion = '1.16'\n[[package]]\nname = 'idna'\nversion = '3'\n",
            "[[package]]\nname = 'idna'\nversion = '3'\n",
            "- six 1.16",
        ),
        (
            "package-lock.json",
            r#"{"packages": {"": {}, "node_modules/a": {"version": "1"}, "node_modules/a/node_modules/@s/b": {"version": "2"}}}"#,
            r#"{"packages": {"": {}, "node_modules/a": {"version": "1"}, "node_modules/@s/b": {"version": "3"}}}"#,
            "@s/b 2 → 3",
        ),
        (
            "pnpm-lock.yaml",
            "packages:\n  a@1.0.0:\n    x: 1\n",
            "packages:\n  a@1.0.0:\n    x: 1\n  '@s/b@2.0.0(a@1.0.0)':\n    x: 1\n",
            "+ @s/b 2.0.0",
        ),
        (
            "package.json",
            r#"{"dependencies": {"a": "^1"}}"#,
            r#"{"dependencies": {"a": "^2"}, "devDependencies": {"b": "~3"}}"#,
            "a ^1 → ^2, + b ~3",
        ),
        (
            "Cargo.toml",
            "[dependencies]\na = '1'\n",
            "[dependencies]\na = '1'\nb = { version = '2', features = ['x'] }\n[workspace.dependencies]\nc = '3'\n",
            "+ b 2, + c 3",
        ),
        (
            "pyproject.toml",
            "[project]\ndependencies = ['a>=1']\n",
            "[project]\ndependencies = ['a[x]>=2; python_version < \"3.9\"']\n[dependency-groups]\ntest = ['pytest', {include-group = 'x'}]\n[tool.poetry.group.dev.dependencies]\nb = '^1'\n",
            "a >=1 → [x]>=2; python_version < \"3.9\", + b ^1, + pytest",
        ),
        (
            "requirements-dev.txt",
            "# pinned\na==1\n-r other.txt\n",
            "a==2  # why\n",
            "a ==1 → ==2",
        ),
        (
            "go.mod",
            "module m\nrequire a.org/x v1.0.0\n",
            "module m\nrequire (\n\ta.org/x v1.0.0\n\tb.org/y v0.1.0 // indirect\n)\n",
            "+ b.org/y v0.1.0",
        ),
        (
            "go.sum",
            "a.org/x v1.0.0 h1:1\n",
            "a.org/x v1.0.0 h1:1\nb.org/y v0.1.0 h1:2\nb.org/y v0.1.0/go.mod h1:3\n",
            "+ b.org/y v0.1.0",
        ),
    ];
    for (path, before, after, wanted) in rows {
        let what = told(path, before, after).map(|objection| objection.what);
        let wanted = format!("it changes what is installed: {wanted}");
        assert_eq!(what.as_deref(), Some(wanted.as_str()), "{path}");
    }
}

#[test]
fn of_a_package_that_is_there_several_times_only_what_differs_is_named() {
    let lock = |versions: &[&str]| -> String {
        let one = |version: &&str| format!("[[package]]\nname = 'a'\nversion = '{version}'\n");
        versions.iter().map(one).collect()
    };
    let what =
        |before: &[&str], after: &[&str]| told("pdm.lock", &lock(before), &lock(after)).expect("a question").what;
    assert!(what(&["1", "2"], &["2", "3"]).ends_with(": a 1 → 3"));
    assert!(what(&["1", "2"], &["2"]).ends_with(": - a 1"));
}

#[test]
fn many_packages_are_counted() {
    let lock = |from: u32| -> String {
        let one = |at: u32| format!("[[package]]\nname = 'p{at}'\nversion = '1'\n");
        (from..20).map(one).collect()
    };
    let what = told("poetry.lock", &lock(10), &lock(0)).expect("a question").what;
    assert!(what.ends_with("+ p7 1, and 2 more"), "{what}");
}

#[test]
fn what_is_not_known_or_cannot_be_read_counts_as_a_whole() {
    for path in ["yarn.lock", "tools.lock", "setup.py", "vendor/modules.txt"] {
        let what = told(path, "a", "b").expect("a question").what;
        assert_eq!(
            what, "it changes what is installed, and not by a package's name or version; look at the difference",
            "{path}"
        );
    }
    for path in ["pyproject.toml", "package.json", "Cargo.lock", "uv.lock"] {
        assert!(told(path, "][", "[[").is_some(), "{path}");
    }
}

#[test]
fn what_an_installation_runs_is_part_of_it() {
    let hook = r#"{"scripts": {"postinstall": "node x.js"}}"#;
    assert!(told("package.json", "{}", hook).is_some());
    let backend = "[build-system]\nbackend-path = ['.']\n";
    assert!(told("pyproject.toml", "", backend).is_some());
    let script = "[project.scripts]\npytest = 'a:main'\n";
    assert!(told("pyproject.toml", "", script).is_some());
}

#[test]
fn equal_requests_have_one_name_and_a_task_allows_a_file_by_its_words() {
    let one = told("package.json", "{}", r#"{"dependencies": {"a": "1"}}"#).expect("a question");
    let same = told("package.json", "{}", r#"{"version": "9", "dependencies": {"a": "1"}}"#).expect("a question");
    let other = told("package.json", "{}", r#"{"dependencies": {"a": "2"}}"#).expect("a question");
    assert_eq!(one.digest, same.digest);
    assert_ne!(one.digest, other.digest);
    assert_eq!((one.kind, one.allowed), (ObjectionKind::Lockfile, None));
    let allow = Allow {
        lockfiles: vec!["package.json".to_owned()],
        ..Allow::default()
    };
    let allowed = installs("package.json", Some(b"{}"), Some(br#"{"name": "x"}"#), &Allowed(&allow));
    assert_eq!(allowed.and_then(|one| one.allowed).as_deref(), Some("package.json"));
    let gone = installs("go.sum", Some(b"a"), None, &Allowed(&allow)).expect("a question");
    assert!(
        gone.what.starts_with("it decided what is installed, and is gone"),
        "{}",
        gone.what
    );
    let new = installs("go.sum", None, Some(b"a v1 h\n"), &Allowed(&allow)).expect("a question");
    assert!(
        new.what.starts_with("it is new and decides what is installed: + a v1"),
        "{}",
        new.what
    );
}

/// A preparation of this command.
fn preparation(line: &str) -> Preparation {
    Preparation {
        name: "it".to_owned(),
        argv: words(line),
        key: Vec::new(),
        keep: Vec::new(),
        timeout_ms: 1000,
        env: BTreeMap::new(),
        pass_env: Vec::new(),
        secret_env: Vec::new(),
    }
}

/// Whether a fetcher is told the same of two trees, which hold these files.
fn is_alike(fetcher: Fetcher, one: &[(&str, &str)], two: &[(&str, &str)]) -> bool {
    let digest = |files: &[(&str, &str)]| {
        let objects = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let read = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.as_bytes().to_vec())
        };
        fetcher.say(&objects.collect::<Vec<_>>(), &read)
    };
    digest(one) == digest(two)
}

#[test]
fn only_commands_that_execute_nothing_of_the_tree_are_fetchers() {
    for line in [
        "cargo fetch --locked",
        "go mod download",
        "go build std",
        "sh -c 'cd api && go build std'",
    ] {
        assert_eq!(Fetcher::of(&preparation(line)), Some(Fetcher::Manifests), "{line}");
    }
    assert_eq!(Fetcher::of(&preparation("npm ci --no-audit")), Some(Fetcher::Npm));
    for line in [
        "sh make-tools.sh",
        "npm install",
        "npm run setup",
        "pnpm install",
        "yarn install",
        "uv sync",
        "pip install -e .",
        "python3 -m venv .venv",
        "cargo vendor",
        "go mod vendor",
        "go build ./...",
        "go build -toolexec=./tool std",
        "sh -c 'npm ci && node a.js'",
    ] {
        assert_eq!(Fetcher::of(&preparation(line)), None, "{line}");
    }
    let with = Preparation {
        env: BTreeMap::from([("NODE_OPTIONS".to_owned(), "--require ./a.js".to_owned())]),
        ..preparation("npm ci")
    };
    assert_eq!(Fetcher::of(&with), None);
    let passed = Preparation {
        pass_env: vec!["NODE_OPTIONS".to_owned()],
        ..preparation("npm ci")
    };
    assert_eq!(Fetcher::of(&passed), None);
    for name in ["GOFLAGS", "CC"] {
        let passed = Preparation {
            pass_env: vec![name.to_owned()],
            ..preparation("go build std")
        };
        assert_eq!(Fetcher::of(&passed), None, "{name}");
    }
}

#[test]
fn a_fetcher_is_told_the_same_of_trees_that_differ_in_code_and_prose() {
    let manifest = ("package.json", "{\"name\": \"a\"}");
    let one = [manifest, ("src/a.ts", "1"), ("README.md", "1")];
    let two = [manifest, ("src/b.ts", "2"), ("README.md", "2")];
    for fetcher in [Fetcher::Manifests, Fetcher::Npm] {
        assert!(is_alike(fetcher, &one, &two), "{fetcher:?}");
        for more in [("Makefile", "x"), ("vitest.config.ts", "x"), ("package.json", "{}")] {
            let other = [more, ("src/a.ts", "1"), ("README.md", "1")];
            assert!(!is_alike(fetcher, &one, &other), "{fetcher:?} {more:?}");
        }
    }
}

#[test]
fn code_has_a_say_where_npm_executes_it() {
    let alike = |path: &str, text: &str| {
        let base = ("package.json", "{}");
        let (one, two) = ([base, (path, text), ("a.js", "1")], [base, (path, text), ("a.js", "2")]);
        is_alike(Fetcher::Npm, &one, &two)
    };
    assert!(alike("web/package.json", "{}"));
    assert!(!alike("web/package.json", r#"{"scripts": {"prepare": "node a.js"}}"#));
    assert!(!alike("web/package.json", r#"{"dependencies": {"b": "file:../b"}}"#));
    assert!(!alike("web/package.json", "]["), "nobody knows what it says");
    assert!(!alike("binding.gyp", "{}"));
    assert!(!alike(".npmrc", "node-options=--require ./a.js\n"));
}

#[test]
fn the_same_version_from_elsewhere_is_told_first() {
    let lock = |resolved: &str, more: &str| {
        format!(
            r#"{{"packages": {{"node_modules/vitest": {{"version": "3", "resolved": "{resolved}", "integrity": "x"}}{more}}}}}"#
        )
    };
    let more = r#", "node_modules/a": {"version": "1"}"#;
    let found = told("package-lock.json", &lock("registry", ""), &lock("evil", more)).expect("a question");
    let wanted = "it changes what is installed: vitest 3 from elsewhere (resolved evil, integrity x), + a 1";
    assert!(found.what.starts_with(wanted), "{}", found.what);
}

#[test]
fn a_second_place_of_the_same_version_hides_nothing() {
    let lock = |resolved: &str, more: &str| {
        format!(r#"{{"packages": {{"node_modules/vitest": {{"version": "3", "resolved": "{resolved}"}}{more}}}}}"#)
    };
    let twin = r#", "node_modules/z/node_modules/vitest": {"version": "3", "resolved": "registry"}"#;
    let found = told("package-lock.json", &lock("registry", ""), &lock("evil", twin)).expect("a question");
    assert!(
        found.what.contains("vitest 3 from elsewhere (resolved evil)"),
        "{}",
        found.what
    );
}
