//! Households with a real project in them, and what its preparation left in an
//! earlier one: installing hundreds of packages once is enough.

use serde_json::Value;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::household::{Household, Output};

/// A real project.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A vitest project with some four hundred packages, and a bug.
    Node,
    /// A workspace with some seventy packages, and a bug.
    Rust,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Node => "web",
            Self::Rust => "rust",
        }
    }

    /// What `trueup.toml` says about it.
    fn configuration(self) -> String {
        match self {
            Self::Node => "\n[prepare.node]\nrun = \"npm ci --no-audit --no-fund\"\nkey = [\"package-lock.json\"]\n\
                keep = [\"node_modules\"]\n\n[checks.unit]\nrun = \"npm test\"\n"
                .to_owned(),
            Self::Rust => format!(
                "\n[prepare.crates]\nrun = \"cargo fetch --locked\"\nkey = [\"Cargo.lock\"]\n\
                 keep = [\"~/.cargo/registry\"]\n\n[checks.unit]\nrun = \"cargo test --offline --workspace\"\n\
                 cache = [\"target\"]\n\n[sandbox]\nread = [\"{}\"]\n",
                toolchain().display()
            ),
        }
    }

    /// The task every test of it is about.
    pub(crate) fn task(self, more: &str) -> String {
        format!(
            "---\nv: 1\nid: T-001\ntitle: Mend it\nsize: small\nbudget: {{ turns: 2 }}\n{more}---\n\n\
             ## Acceptance criteria\n\n- [ ] **AC-1** The tests pass.\n  - verify: unit\n\
             - [ ] **AC-2** It is noted.\n  - verify: file NOTES exists\n"
        )
    }
}

/// The folder of the Rust toolchain itself, without what stands before it.
pub(crate) fn toolchain() -> PathBuf {
    let asked = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .expect("rustc");
    PathBuf::from(String::from_utf8(asked.stdout).expect("text").trim())
}

/// A household with the project, what it needs already prepared.
pub(crate) fn furnished(kind: Kind, more: &str, agent: &str) -> Household {
    let household = bare(kind, agent);
    household.task("T-001", &kind.task(more));
    let seed = seed(kind);
    for folder in ["layers", "caches"] {
        let to = household.state().join(folder);
        fs::create_dir_all(&to).expect("a folder");
        // Hard links: whoever wrote into a layer would spoil it for every test.
        let copied = Command::new("cp")
            .arg("-al")
            .arg(seed.join(folder).join("."))
            .arg(&to)
            .status();
        assert!(copied.expect("cp").success());
    }
    household
}

/// A household with the project, and nothing prepared.
pub(crate) fn bare(kind: Kind, agent: &str) -> Household {
    let mut household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
    if matches!(kind, Kind::Rust) {
        let path = format!("{}/bin:/usr/local/bin:/usr/bin:/bin", toolchain().display());
        // What is built names the home it was built from, so all of them share one.
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ground-home");
        fs::create_dir_all(&home).expect("a home");
        let home = home.display().to_string();
        household = household.with_variable("PATH", &path).with_variable("HOME", &home);
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ground/fixtures");
    let copied = Command::new("cp")
        .arg("-a")
        .arg(fixtures.join(kind.name()).join("."))
        .arg(household.checkout())
        .status();
    assert!(copied.expect("cp").success());
    // Task files stay outside, so that every household has the same base.
    household.file(".git/info/exclude", "trueup.toml\ntasks/\n");
    let written = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    // Their checks are slow and none is flaky: what is red is asked once more, not seven times.
    let verify = "\n[verify]\ndoubt = 1\n";
    household.file("trueup.toml", &format!("{written}{}{verify}", kind.configuration()));
    household.commit("A project");
    household
}

/// What the preparation of a project left, made by whichever test is first.
fn seed(kind: Kind) -> PathBuf {
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ground-{}-{}", kind.name(), run_id()));
    let lock = File::create(shared.with_extension("lock")).expect("a lock");
    lock.lock().expect("the lock");
    if !shared.is_dir() {
        let household = bare(kind, "true");
        household.task("T-001", &kind.task(""));
        let checked = household.trueup(&["check", "T-001"]);
        assert_eq!(checked.code, 0, "{checked:#?}");
        let aside = shared.with_extension("new");
        drop(fs::remove_dir_all(&aside));
        fs::create_dir_all(&aside).expect("a folder");
        for name in ["layers", "caches"] {
            let copied = Command::new("cp")
                .arg("-a")
                .arg(household.state().join(name))
                .arg(&aside)
                .status();
            assert!(copied.expect("cp").success());
        }
        fs::rename(aside, &shared).expect("its place");
    }
    shared
}

/// One name for all tests of one run of the runner.
fn run_id() -> String {
    std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| std::process::id().to_string())
}

/// Runs the task to its end.
pub(crate) fn run(household: &Household) -> Output {
    household.trueup(&["run", "T-001", "--progress", "lines"])
}

/// What a check saw on the last tree.
pub(crate) fn saw(household: &Household, check: &str) -> Value {
    let shown = household.show("T-001");
    let criteria = shown["criteria"].as_array().expect("criteria").clone();
    let evidence = criteria
        .iter()
        .flat_map(|one| one["evidence"].as_array().cloned().unwrap_or_default());
    evidence
        .into_iter()
        .find(|one| one["check"] == check)
        .unwrap_or_else(|| panic!("{check}: {shown:#}"))
}

/// Every byte below the engine's own folders.
pub(crate) fn engine_owned(household: &Household) -> String {
    let script = "cd \"$1\" && find layers caches -type f -exec sha256sum {} + | sort | sha256sum";
    let state = household.state();
    let digest = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(state)
        .output()
        .expect("sh");
    String::from_utf8(digest.stdout).expect("text")
}

/// What the agent printed in its first turn.
pub(crate) fn transcript(household: &Household) -> String {
    household.trueup(&["log", "T-001", "--turn", "1"]).stdout
}
