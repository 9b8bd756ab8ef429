//! A household in a temporary folder: a person's home, a repository with
//! tasks, an agent that is a shell script, and the binary run among them.
//!
//! Everything that could differ between two machines or two days is fixed:
//! author, dates, clock, environment. What goes wrong here is the test's own
//! misfortune, so it ends the test.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "only tests live here, and a test without its household is over"
)]

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
};
use tempfile::TempDir;
use trueup_core::digest::Digest;

/// When everything in a household happens.
pub const NOW: &str = "2026-01-01T00:00:00Z";

/// The branch a household's repository starts on.
pub const MAIN: &str = "main";

/// A home, a repository, a state root and an agent, all thrown away with it.
#[derive(Debug)]
pub struct Household {
    folder: TempDir,
    binary: PathBuf,
    environment: BTreeMap<String, String>,
    time: Time,
}

/// What a household's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    Frozen,
    Real,
}

/// How a program ended, and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its exit code; 128 and the signal's number where a signal ended it.
    pub code: i32,
    /// What it printed as its result.
    pub stdout: String,
    /// What it printed beside it.
    pub stderr: String,
}

impl Household {
    /// A repository without commits whose agent is the shell script `agent`.
    /// `binary` is the trueup to run, in most tests `env!("CARGO_BIN_EXE_trueup")`.
    pub fn new(binary: impl Into<PathBuf>, agent: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("household-")
            .tempdir()
            .expect("a folder");
        let household = Self {
            folder,
            binary: binary.into(),
            environment: BTreeMap::new(),
            time: Time::Frozen,
        };
        for place in [household.home(), household.checkout()] {
            fs::create_dir_all(place).expect("a folder");
        }
        household.git(&["init", "--quiet", "--initial-branch", MAIN]);
        household.git(&["config", "user.name", "Ada"]);
        household.git(&["config", "user.email", "ada@example.invalid"]);
        // The configuration names this very folder; outside git, equal
        // households have equal commits.
        household.file(".git/info/exclude", "trueup.toml\n");
        household.set_agent(agent);
        let agent = household.agent();
        household.file(
            "trueup.toml",
            &format!(
                "version = 1\n\n[agent]\ndefault = \"script\"\n\n[agent.script]\nkind = \"command\"\ncommand = [\"{}\"]\nnetwork = false\n",
                agent.display()
            ),
        );
        household
    }

    /// The household everybody knows: `greet.sh` shall greet by name (a goal),
    /// still greet the world (a guard), and say so in its README (a goal), as
    /// task `T-001`. The agent needs two turns and boasts after the first.
    pub fn greeting(binary: impl Into<PathBuf>) -> Self {
        let household = Self::new(binary, GREETING_AGENT);
        household.file("greet.sh", "echo \"Hello, world\"\n");
        household.file("README.md", "# greet\n\nRun `sh greet.sh`.\n");
        household.file("tests/by_name.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n");
        household.file("tests/world.sh", "test \"$(sh greet.sh)\" = \"Hello, world\"\n");
        household.task("T-001", GREETING_TASK);
        household.commit("A greeting");
        household
    }

    /// The folder everything lies in; `home`, `checkout`, `state` are below.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The person's home.
    pub fn home(&self) -> PathBuf {
        self.folder().join("home")
    }

    /// The repository's checkout.
    pub fn checkout(&self) -> PathBuf {
        self.folder().join("checkout")
    }

    /// The state root.
    pub fn state(&self) -> PathBuf {
        self.folder().join("state")
    }

    /// The agent's script.
    pub fn agent(&self) -> PathBuf {
        self.folder().join("agent.sh")
    }

    /// Sets a variable for every trueup run from here on.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Lets the clock go, for tests of waiting.
    #[must_use]
    pub const fn in_real_time(mut self) -> Self {
        self.time = Time::Real;
        self
    }

    /// Gives the agent another script.
    pub fn set_agent(&self, script: &str) {
        let path = self.agent();
        fs::write(&path, format!("#!/bin/sh\n{script}")).expect("the agent's script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    }

    /// Writes a file of the checkout.
    pub fn file(&self, name: &str, text: &str) {
        let path = self.checkout().join(name);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Writes the task file of this id.
    pub fn task(&self, id: &str, text: &str) {
        self.file(&format!("tasks/{id}.md"), text);
    }

    /// Commits everything in the checkout, and answers the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// What git prints in the checkout, without the newline behind it; it must
    /// succeed.
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git(arguments);
        assert!(output.code == 0, "git {arguments:?}: {output:#?}");
        output.stdout.trim_end_matches('\n').to_owned()
    }

    /// How git ends in the checkout.
    pub fn try_git(&self, arguments: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.args(arguments)
            .current_dir(self.checkout())
            .env_clear()
            .env("PATH", path())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", NOW)
            .env("GIT_COMMITTER_DATE", NOW);
        output(&mut git)
    }

    /// A trueup about to be run in the checkout, for whoever wants to watch,
    /// signal or kill it.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments);
        self.furnish(&mut command);
        command
    }

    /// Gives another program the checkout and environment of a trueup.
    pub fn furnish(&self, command: &mut Command) {
        command
            .current_dir(self.checkout())
            .env_clear()
            .env("PATH", path())
            .env("HOME", self.home())
            .env("TRUEUP_STATE", self.state())
            .env("TRUEUP_TRUST", "1")
            .envs(&self.environment);
        if self.time == Time::Frozen {
            command.env("TRUEUP_CLOCK", NOW);
        }
    }

    /// Runs trueup in the checkout to its end.
    pub fn trueup(&self, arguments: &[&str]) -> Output {
        output(&mut self.command(arguments))
    }

    /// The one JSON document trueup prints.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.trueup(arguments);
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:#?}"))
    }

    /// What `trueup show TASK --json` prints.
    pub fn show(&self, task: &str) -> Value {
        self.json(&["show", task, "--json"])
    }

    /// Every event of a task's last run.
    pub fn events(&self, task: &str) -> Vec<Value> {
        let output = self.trueup(&["log", task, "--json"]);
        let events = output.stdout.lines().map(serde_json::from_str);
        events.collect::<Result<_, _>>().expect("events")
    }

    /// Every file, folder and link of the checkout and git's index; see
    /// [`files_digest`].
    pub fn checkout_digest(&self) -> BTreeMap<String, String> {
        files_digest(&self.checkout())
    }
}

/// Every file, folder and link of a checkout and git's index, with mode, time
/// and bytes: equal answers mean that nothing was touched.
pub fn files_digest(checkout: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(checkout).expect("the checkout").flatten() {
        if entry.file_name() != ".git" {
            look(checkout, &entry.path(), &mut found);
        }
    }
    look(checkout, &checkout.join(".git/index"), &mut found);
    found
}

/// Runs a program to its end.
pub fn output(command: &mut Command) -> Output {
    let ended = command.stdin(Stdio::null()).output();
    let process::Output { status, stdout, stderr } = ended.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    Output {
        code: status
            .code()
            .unwrap_or_else(|| 128 + status.signal().unwrap_or_default()),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// How much of what has a full size is tried: 1 in CI, 10 and more in full.
pub fn scale() -> usize {
    let told = std::env::var("TRUEUP_TEST_SCALE").ok();
    told.and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

fn path() -> String {
    std::env::var("PATH").expect("a PATH")
}

fn look(checkout: &Path, path: &Path, found: &mut BTreeMap<String, String>) {
    let about = fs::symlink_metadata(path).expect("something there");
    let body = if about.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            look(checkout, &entry.path(), found);
        }
        "folder".to_owned()
    } else if about.is_symlink() {
        format!("{:?}", fs::read_link(path).expect("a link"))
    } else {
        Digest::of(&fs::read(path).expect("a file")).to_string()
    };
    let name = path.strip_prefix(checkout).unwrap_or(path).display().to_string();
    let seen = format!("{:o} {}.{:09} {body}", about.mode(), about.mtime(), about.mtime_nsec());
    found.insert(name, seen);
}

const GREETING_TASK: &str = "\
---
v: 1
id: T-001
title: Greet by name
size: small
---

`greet.sh` greets the world. It should greet whomever it is given.

## Acceptance criteria

- [ ] **AC-1** `greet.sh Ada` greets Ada.
  - verify: `sh tests/by_name.sh`
- [ ] **AC-2** Without a name it still greets the world.
  - guard: `sh tests/world.sh`
- [ ] **AC-3** The README says how to greet by name.
  - verify: file README.md has /greet.sh NAME/
";

const GREETING_AGENT: &str = r#"
if [ "$TRUEUP_TURN" = 1 ]; then
    echo 'echo "Hello, ${1:-world}"' > greet.sh
    echo "All done, every criterion is met!"
else
    printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
    echo "Now the README says it, too."
fi
"#;
