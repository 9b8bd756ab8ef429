//! The page of commands is true: every command on it is typed in order, and
//! everything it prints must be what the page says.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};
use trueup_testkit::household::{Household, output};
use trueup_testkit::transcript::{blocks, normalised, typed};

/// The commands that must stand on the page, each with its own section.
const COMMANDS: [&str; 21] = [
    "demo",
    "init",
    "trust",
    "new",
    "check",
    "run",
    "verify",
    "status",
    "show",
    "log",
    "diff",
    "resume",
    "stop",
    "gc",
    "stats",
    "doctor",
    "agent",
    "config",
    "schema",
    "completions",
    "man",
];

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    fs::read_to_string(page).expect("the page of commands")
}

/// What a shell prints for this, both streams in the order they came; and a
/// last line with the exit code where it is not 0.
fn says(household: &Household, command: &str) -> String {
    let bin = household.folder().join("bin");
    if fs::create_dir(&bin).is_ok() {
        symlink(env!("CARGO_BIN_EXE_trueup"), bin.join("trueup")).expect("a link");
    }
    let path = std::env::var("PATH").expect("a PATH");
    let mut shell = Command::new("sh");
    household.furnish(&mut shell);
    shell.env("PATH", format!("{}:{path}", bin.display()));
    shell.args(["-c", &format!("exec 2>&1\n{command}")]);
    let ended = output(&mut shell);
    match ended.code {
        0 => ended.stdout,
        code => format!("{}[exit {code}]\n", ended.stdout),
    }
}

#[test]
fn every_command_prints_what_the_page_of_commands_says() {
    let greeting = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let bare = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    fs::remove_file(bare.checkout().join("trueup.toml")).expect("the configuration");
    bare.file("greet.sh", "echo \"Hello, world\"\n");
    bare.file(
        "Makefile",
        "test:\n\tsh greet.sh | grep 'Hello, world'\nlint:\n\tgrep --quiet usage greet.sh\n",
    );
    bare.commit("A greeting");
    for block in blocks(&page()) {
        let household = match block.kind.as_str() {
            "console" => &greeting,
            "console bare" => &bare,
            _ => continue,
        };
        for typed in typed(&block.text) {
            let said = says(household, &typed.command);
            assert_eq!(
                normalised(&said, household.folder()),
                normalised(&typed.output, household.folder()),
                "$ {}\n{said}",
                typed.command
            );
        }
    }
}

#[test]
fn the_page_of_runs_overnight_says_what_is_printed() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/overnight.md");
    let page = fs::read_to_string(page).expect("the page");
    let typed: Vec<_> = blocks(&page).iter().flat_map(|block| typed(&block.text)).collect();
    assert_eq!(typed.len(), 4, "{typed:#?}");
    for typed in typed {
        assert_eq!(says(&household, &typed.command), typed.output, "$ {}", typed.command);
    }
}

#[test]
fn every_command_has_its_section_and_is_typed_in_it() {
    let page = page();
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    for command in COMMANDS {
        let section = sections
            .iter()
            .find(|section| section.starts_with(&format!("{command}\n")));
        let section = section.unwrap_or_else(|| panic!("`{command}` has no section"));
        assert!(
            section.contains(&format!("$ trueup {command}")),
            "`{command}` is never typed"
        );
    }
}
