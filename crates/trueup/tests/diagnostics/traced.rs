//! The page that follows a run is true: its commands print what it says, and
//! the sources, events and files it names are there.

use std::{fs, os::unix::fs::symlink, path::Path, process::Command};
use trueup_testkit::{
    household::{Household, output},
    transcript::{blocks, normalised, typed},
};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/a-run-traced.md")).expect("the page")
}

/// What a shell prints for this, both streams in the order they came.
fn says(household: &Household, command: &str) -> String {
    let bin = household.folder().join("bin");
    if fs::create_dir(&bin).is_ok() {
        symlink(env!("CARGO_BIN_EXE_trueup"), bin.join("trueup")).expect("a link");
    }
    let path = std::env::var("PATH").expect("a PATH");
    let mut shell = Command::new("sh");
    household.furnish(&mut shell);
    shell
        .env("PATH", format!("{}:{path}", bin.display()))
        .env_remove("TRUEUP_TRUST");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]);
    output(&mut shell).stdout
}

/// What stands between backticks in a table's rows, by column.
fn rows(page: &str) -> Vec<Vec<Vec<String>>> {
    let quoted = |cell: &str| {
        let words = cell.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("crates/"));
    rows.map(|row| row.split('|').map(quoted).collect()).collect()
}

#[test]
fn a_run_leaves_what_the_page_that_follows_it_says() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let page = page();
    for block in blocks(&page).iter().filter(|block| block.kind == "console") {
        for typed in typed(&block.text) {
            let said = says(&household, &typed.command);
            assert_eq!(
                normalised(&said, household.folder()),
                normalised(&typed.output, household.folder()),
                "$ {}\n{said}",
                typed.command
            );
        }
    }
    let kept: Vec<String> = household
        .events("T-001")
        .iter()
        .map(|event| event["type"].as_str().unwrap_or_default().to_owned())
        .collect();
    let rows = rows(&page);
    assert_eq!(rows.len(), 7, "{rows:?}");
    for row in &rows {
        let [_, _, events, _, _, files, _] = row.as_slice() else {
            panic!("a row of five columns: {row:?}");
        };
        // No check of this run reports tests, so nothing was challenged.
        let challenged = events[0] == "challenged";
        assert!(challenged || kept.contains(&events[0]), "{events:?} of {kept:?}");
        for file in files.iter().filter(|_| !challenged) {
            assert!(household.state().join(file).exists(), "{file}");
        }
    }
}

#[test]
fn the_sources_and_events_that_the_page_names_exist() {
    let page = page();
    let named = page.split('`').filter(|word| word.starts_with("crates/"));
    let named: Vec<&str> = named.collect();
    assert!(named.len() >= 15, "{named:?}");
    for path in named {
        assert!(root().join(path).exists(), "{path} is not there any more");
    }
    let events = fs::read_to_string(root().join("crates/trueup-core/src/event.rs")).expect("events");
    for row in rows(&page) {
        let kind = format!("=> \"{}\"", row[2][0]);
        assert!(events.contains(&kind), "there is no event {kind}");
    }
}
