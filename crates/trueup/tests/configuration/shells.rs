//! Completions that know this repository, and man pages that agree with the help.

use std::{fs, process::Command};
use trueup_testkit::household::{Household, output};

/// What bash would offer for this line, asked as the printed script asks.
fn offered(household: &Household, words: &[&str]) -> Vec<String> {
    let mut asked = household.command(&["--"]);
    asked
        .args(words)
        .env("TRUEUP_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true")
        .env("_CLAP_IFS", "\n");
    let ended = output(&mut asked);
    assert_eq!(ended.code, 0, "{ended:#?}");
    ended.stdout.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn completions_offer_commands_tasks_runs_and_agents() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.task("T-002", "not yet a task");
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    assert!(offered(&household, &["trueup", "ver"]).contains(&"verify".to_owned()));
    assert_eq!(offered(&household, &["trueup", "run", "T-"]), ["T-001", "T-002"]);
    assert_eq!(offered(&household, &["trueup", "show", "T-001"]), ["T-001", "T-001.1"]);
    assert_eq!(
        offered(&household, &["trueup", "run", "T-001", "--agent", ""]),
        ["script"]
    );
    assert_eq!(offered(&household, &["trueup", "run", "X-"]), [""; 0]);
}

#[test]
fn the_script_for_bash_completes_a_line_in_a_real_bash() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let bin = household.folder().join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_trueup"), bin.join("trueup")).expect("a link");
    let mut bash = Command::new("bash");
    household.furnish(&mut bash);
    let path = std::env::var("PATH").expect("a PATH");
    bash.env("PATH", format!("{}:{path}", bin.display()));
    let script = "source <(trueup completions bash)\n\
        COMP_WORDS=(trueup check T-0) COMP_CWORD=2 COMP_TYPE=9\n\
        _clap_complete_trueup trueup T-0 check\n\
        echo \"${COMPREPLY[@]}\"";
    let ended = output(bash.args(["--norc", "-c", script]));
    assert_eq!(ended.stdout.trim(), "T-001", "{ended:#?}");
}

#[test]
fn every_shell_gets_a_script_and_outside_a_repository_nothing_breaks() {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    for shell in ["bash", "zsh", "fish"] {
        let ended = household.trueup(&["completions", shell]);
        assert_eq!(ended.code, 0);
        assert!(ended.stdout.contains("TRUEUP_COMPLETE"), "{shell}:\n{}", ended.stdout);
    }
    assert_eq!(household.trueup(&["completions", "tcsh"]).code, 2);
    let mut asked = household.command(&["--", "trueup", "run", ""]);
    asked
        .current_dir(household.folder())
        .env("TRUEUP_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", "2");
    assert_eq!(output(&mut asked).code, 0);
}

#[test]
fn there_is_a_man_page_for_every_command_and_printing_one_writes_none() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let before = household.checkout_digest();
    let page = household.trueup(&["man"]);
    assert!(page.stdout.contains(".TH trueup 1"), "{page:#?}");
    assert_eq!(household.checkout_digest(), before);
    let folder = household.folder().join("man1");
    let wrote = household.trueup(&["man", folder.to_str().expect("text")]);
    assert_eq!(wrote.code, 0, "{wrote:#?}");
    for command in ["run", "init", "config-set"] {
        let page = fs::read_to_string(folder.join(format!("trueup-{command}.1"))).expect("a page");
        assert!(page.contains("Example"), "{command}:\n{page}");
    }
    assert!(
        !folder.join("trueup-sandbox-entry.1").exists(),
        "what is hidden stays hidden"
    );
}
