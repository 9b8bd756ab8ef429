//! From a repository to one that is set up: `init`, `trust`, `doctor`, `agent`.

use super::gallery::{ENDED, Gallery, Look};
use std::{fs, os::unix::fs::PermissionsExt};
use trueup_testkit::household::Household;

const MAKEFILE: &str = "\
.PHONY: test lint

test:
\tsh tests/all.sh

lint:
\t@echo 'greet.sh:1: say whom you greet' >&2; false
";

/// A configuration in which everything stands that a person is to look at.
const UNUSUAL: &str = r#"
version = 1

[sandbox]
read = ["/opt/tools"]

[agent]
default = "mine"

[agent.mine]
kind = "command"
command = ["sh", "agent.sh"]
read = ["/home/ada/.ssh"]
write = ["/home/ada/.bashrc"]
pass_env = ["GITHUB_TOKEN"]
env = { ANTHROPIC_BASE_URL = "https://host.example", MODE = "fast" }

[agent.bounded]
kind = "command"
command = ["sh", "agent.sh"]
network = "model"
reach = ["docs.example"]
registries = ["https://packages.example"]

[prepare.packages]
run = "npm ci"
key = ["package.json"]
keep = ["node_modules"]
pass_env = ["NPM_TOKEN", "HTTPS_PROXY"]

[checks.unit]
run = "sh tests/run.sh"
network = true

[checks.docker]
run = "sh tests/docker.sh"
sockets = ["/var/run/docker.sock"]

[rules]
"py/ends-process" = "note"
"#;

/// A repository that was never set up.
fn unset() -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
    household.file("Makefile", MAKEFILE);
    household.file("greet.sh", "echo \"Hello, $1\"\n");
    household.file("tests/all.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n");
    household.commit("A greeting");
    household
}

/// Puts a program on the path of this household, in front of all others.
fn install(household: &Household, name: &str, script: &str) -> String {
    let folder = household.home().join(".local/bin");
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join(name);
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    format!("PATH={}:/usr/local/bin:/usr/bin:/bin", folder.display())
}

/// `init` before its questions, after a no, after a yes, and once more.
pub(super) fn screens(look: &Look) -> Vec<String> {
    let household = unset();
    let path = install(&household, "claude", "echo '2.1.325 (Claude Code)'");
    let mut gallery = Gallery::new(&household, look);
    gallery.variables = vec![path, "TRUEUP_TRUST=0".into()];
    let init = gallery.open("init");
    gallery.frame("init-agent", &init, &["Who works", "[claude]"]);
    init.types(&["nobody", "Enter"]);
    gallery.frame("init-trust", &init, &["[y/N]"]);
    init.types(&["n", "Enter"]);
    gallery.frame("init-no", &init, &[ENDED]);
    drop(init);
    fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
    fs::remove_dir_all(household.checkout().join("tasks")).expect("the tasks");
    let init = gallery.open("init");
    init.shows(&["[claude]"]);
    init.types(&["Enter"]);
    init.shows(&["[y/N]"]);
    init.types(&["y", "Enter"]);
    gallery.frame("init-yes", &init, &[ENDED]);
    drop(init);
    gallery.ends("init-again", "init");
    gallery.ends("init-refresh-nothing", "init --refresh");
    household.file("Makefile", &format!("{MAKEFILE}\nbuild:\n\ttrue\n"));
    household.commit("A build");
    let refresh = gallery.open("init --refresh");
    gallery.frame("init-refresh", &refresh, &["[y/N]"]);
    refresh.types(&["y", "Enter"]);
    gallery.frame("init-refreshed", &refresh, &[ENDED]);
    gallery.wrong
}

/// `trust` of a plain repository, before and after; once more; and of one that
/// wants more than usual.
pub(super) fn trusting(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let mut gallery = Gallery::new(&household, look);
    gallery.variables = vec!["TRUEUP_TRUST=0".into()];
    let trust = gallery.open("trust");
    gallery.frame("trust-question", &trust, &["[y/N]"]);
    trust.types(&["n", "Enter"]);
    gallery.frame("trust-no", &trust, &[ENDED]);
    drop(trust);
    gallery.ends("trust-yes", "trust --yes");
    gallery.ends("trust-again", "trust");
    household.file("trueup.toml", UNUSUAL);
    gallery.hang("trust-unusual", "trust", &["[y/N]"]);
    gallery.wrong
}

/// `doctor` before anybody typed `init`.
pub(super) fn not_set_up(look: &Look) -> Vec<String> {
    let household = unset();
    let claude = install(&household, "claude", "echo '2.1.325 (Claude Code)'");
    let mut gallery = Gallery::new(&household, look);
    gallery.variables = vec![claude, "TRUEUP_TRUST=0".into()];
    gallery.ends("doctor-unset", "doctor");
    gallery.wrong
}

/// `agent` and `doctor`, which look at everything and change nothing.
pub(super) fn looking_round(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent("echo 'All is well here.'");
    fs::create_dir_all(household.folder().join("elsewhere")).expect("a folder");
    let none = "PATH=/usr/local/bin:/usr/bin:/bin".to_owned();
    let claude = install(&household, "claude", "echo '2.1.325 (Claude Code)'");
    let mut gallery = Gallery::new(&household, look);
    gallery.variables = vec![claude];
    gallery.ends("doctor", "doctor");
    gallery.ends("doctor-outside", "doctor -C ../elsewhere");
    gallery.ends("agents", "agent list");
    gallery.variables = vec![none];
    gallery.ends("agents-none", "agent list -C ../elsewhere");
    gallery.ends("agent-answers", "agent test");
    gallery.ends("agent-unknown", "agent test scirpt");
    household.set_agent("echo 'No key.' >&2; exit 3");
    gallery.ends("agent-fails", "agent test script");
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    household.file("trueup.toml", &config.replace("agent.sh", "nowhere.sh"));
    gallery.ends("agent-missing", "agent test script");
    gallery.variables.push("TRUEUP_TRUST=0".into());
    gallery.ends("doctor-wrong", "doctor");
    gallery.wrong
}
