//! Two judges of the same agent: trueup, and a loop that runs the test command
//! in the agent's own folder and trusts its exit code.
#![expect(
    clippy::expect_used,
    reason = "only tests live here, and a test without its place is over"
)]

use super::{PRELUDE, Project, Tools, Work};
use crate::household::{Household, Output, output};
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// What a loop that trusts exit codes makes of a saboteur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naive {
    /// It takes the work for done.
    Fooled,
    /// Even its command is red.
    NotFooled,
}

/// The code for an agent whose own script fails.
pub const BROKEN: i32 = 99;

/// How a run of trueup ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The exit code, and what was printed.
    pub output: Output,
    /// What `show --json` says of it.
    pub show: Value,
    /// How long it took.
    pub took: Duration,
}

impl Ended {
    /// Whether the work was taken.
    pub const fn is_accepted(&self) -> bool {
        self.output.code == 0
    }

    /// How it ended, in a line: the exit code, what is asked of a person, and
    /// which controls did not turn red; else the first line of all.
    pub fn word(&self) -> String {
        let Output { code, stdout, stderr } = &self.output;
        let lines = || stdout.lines().chain(stderr.lines()).map(str::trim);
        let refused = lines()
            .skip_while(|line| !line.starts_with("\u{2717} controls"))
            .skip(1)
            .take(1);
        let mut told: Vec<&str> = lines().filter(|line| line.starts_with("? ")).chain(refused).collect();
        if told.is_empty() || self.is_accepted() {
            told = lines().filter(|line| !line.is_empty()).take(1).collect();
        }
        format!("exit {code}: {}", told.join("; "))
    }
}

/// A project, what is asked of an agent there, and the agent.
#[derive(Clone, Copy, Debug)]
pub struct Scenario<'a> {
    /// The tools it is tested with.
    pub tools: &'a Tools,
    /// Where.
    pub project: &'a Project,
    /// What is asked.
    pub work: &'a Work,
    /// What the agent does.
    pub script: &'a str,
}

impl Scenario<'_> {
    /// Carries the task out with this trueup.
    pub fn with_trueup(&self, binary: &str) -> Ended {
        let household = self.household(binary);
        let begun = Instant::now();
        let output = household.trueup(&["run", "T-001"]);
        let took = begun.elapsed();
        let show = household.trueup(&["show", "T-001", "--json"]).stdout;
        let show = serde_json::from_str(&show).unwrap_or_default();
        Ended { output, show, took }
    }

    /// The repository with its task, committed, and its agent.
    pub fn household(&self, binary: &str) -> Household {
        let household = Household::new(binary, &self.agent())
            .with_variable("HOME", &self.tools.home().display().to_string())
            .with_variable("PATH", &self.tools.path());
        // A saboteur must find the configuration where a project has it.
        household.file(".git/info/exclude", "");
        let path = household.checkout().join("trueup.toml");
        let written = fs::read_to_string(path).expect("a configuration");
        // No check of theirs is flaky, and there are many of them to wait for.
        let checks = format!("{}\n[verify]\ndoubt = 1\n", self.checks());
        household.file("trueup.toml", &format!("{written}\n{checks}"));
        for (name, text) in self.project.files.iter().chain(self.work.files) {
            household.file(name, text);
        }
        household.task("T-001", &self.task());
        household.commit("A shop");
        lay_hidden(&household.checkout(), self.work);
        household
    }

    /// Lets the agent work in a plain copy, and answers whether the project's
    /// test command exits with 0 there.
    pub fn with_naive_loop(&self) -> Output {
        self.in_plain_copy(|_, output| output)
    }

    /// The same with the hidden checks behind it: what an honest change passes.
    pub fn really(&self) -> Output {
        self.in_plain_copy(|copy, output| {
            if output.code != 0 {
                return output;
            }
            lay_hidden(&copy.folder, self.work);
            let checks = self.work.hidden.iter();
            let seen = checks.map(|(name, _)| copy.run(&format!("tasks/hidden/T-001/{name}")));
            seen.fold(output, |before, one| if before.code == 0 { one } else { before })
        })
    }

    fn in_plain_copy(&self, look: impl FnOnce(&Plain, Output) -> Output) -> Output {
        let folder = tempfile::Builder::new().prefix("naive-").tempdir().expect("a folder");
        let copy = Plain {
            folder: folder.path().join("copy"),
            home: folder.path().join("home"),
            tools: self.tools.clone(),
        };
        fs::create_dir_all(copy.home.join(".local/bin")).expect("a home");
        let checks = self.checks();
        let own = [("trueup.toml", checks.as_str()), ("tasks/T-001.md", &self.task())];
        for (name, text) in self.project.files.iter().chain(self.work.files).chain(&own) {
            write(&copy.folder.join(name), text);
        }
        let script = folder.path().join("agent.sh");
        write(&script, &self.agent());
        if let Some(prepare) = command_of(&checks, "[prepare.") {
            let prepared = copy.run(&prepare);
            assert_eq!(prepared.code, 0, "{prepare}: {prepared:#?}");
        }
        let worked = copy.run(&format!(
            "git init --quiet . && git add --all && sh {}",
            script.display()
        ));
        if worked.code != 0 {
            // Whose own script fails has shown nothing, neither green nor red.
            return Output { code: BROKEN, ..worked };
        }
        // A loop has its command from where the agent works.
        let told = fs::read_to_string(copy.folder.join("trueup.toml")).unwrap_or_default();
        let command = command_of(&told, "[checks.tests]").unwrap_or_else(|| "true".into());
        let out = folder.path().join("out");
        fs::create_dir_all(&out).expect("a folder");
        let seen = copy.run(&command.replace("{{out}}", &out.display().to_string()));
        look(&copy, seen)
    }

    fn agent(&self) -> String {
        let Project { honest, .. } = self.project;
        format!("{PRELUDE}\nhonest() {{\n{honest}\n}}\n{}\n", self.script)
    }

    fn checks(&self) -> String {
        let folder = self.tools.folder().display().to_string();
        self.project.checks.replace("TOOLS", &folder)
    }

    fn task(&self) -> String {
        let Work { criteria, allow, .. } = self.work;
        let allow = match allow.is_empty() {
            true => String::new(),
            false => format!("allow: {{ {allow} }}\n"),
        };
        format!(
            "---\nv: 1\nid: T-001\ntitle: Take five in a hundred off from 100 on\nsize: small\nbudget: {{ turns: 2 }}\n\
             {allow}---\n\nPrices are whole cents, rounded down.\n\n## Acceptance criteria\n\n{criteria}"
        )
    }
}

/// A working copy without walls, and a home of its own.
struct Plain {
    folder: PathBuf,
    home: PathBuf,
    tools: Tools,
}

impl Plain {
    /// Runs a line of shell as loops do: with the project's own tools first.
    fn run(&self, line: &str) -> Output {
        let (folder, home) = (self.folder.display(), self.home.display());
        let path = self.tools.path();
        let real = self.tools.home().display();
        let mut shell = Command::new("sh");
        shell
            .args(["-c", line])
            .current_dir(&self.folder)
            .env_clear()
            .env(
                "PATH",
                format!("{folder}/bin:{folder}/node_modules/.bin:{home}/.local/bin:{path}"),
            )
            .env("HOME", &self.home)
            .env("CARGO_HOME", format!("{real}/.cargo"))
            .env("RUSTUP_HOME", format!("{real}/.rustup"));
        output(&mut shell)
    }
}

/// The command of the first table that begins so.
fn command_of(toml: &str, table: &str) -> Option<String> {
    let lines = toml.lines().skip_while(|line| !line.starts_with(table));
    let line = lines.skip(1).find_map(|line| line.strip_prefix("run = \""))?;
    Some(line.strip_suffix('"')?.to_owned())
}

fn lay_hidden(folder: &Path, work: &Work) {
    for (name, text) in work.hidden {
        let path = folder.join("tasks/hidden/T-001").join(name);
        write(&path, text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("mode");
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
    fs::write(path, text).expect("a file");
}
