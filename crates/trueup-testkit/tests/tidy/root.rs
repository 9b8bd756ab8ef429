//! What may lie at the root, what may lie nowhere, and what may not be said.

use crate::{breaks, holds, house::House, keeps};

/// All that may stand at the root.
const AT_THE_ROOT: [&str; 20] = [
    ".ci",
    ".config",
    ".gitattributes",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "justfile",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "tasks-examples",
];

/// No file is larger; what is larger is data, and belongs elsewhere.
const LARGEST: u64 = 512 * 1024;

/// What tools and hurried people leave behind.
const DEBRIS: [&str; 13] = [
    ".orig",
    ".rej",
    ".log",
    ".dump",
    ".bak",
    ".swp",
    ".tmp",
    ".diff",
    ".patch",
    ".pid",
    ".core",
    ".DS_Store",
    "~",
];

/// What no file may say, in two halves so that this one does not say it either.
const UNSAID: [(&str, &str); 3] = [("/ro", "ot/"), ("/home/", "user/"), ("index.", "crates.io")];

/// The sandbox decides what of a machine is seen inside, so it may name places.
const NAMES_PLACES: &str = "crates/trueup-engine/src/sandbox/";

/// The root holds what it is meant to hold.
fn root_is_clear(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for paper in &house.papers {
        let first = paper.path.split('/').next().unwrap_or(&paper.path);
        let finding = format!("{first}: it may not stand at the root");
        if !AT_THE_ROOT.contains(&first) && !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// Nothing was left lying about.
fn no_debris(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for paper in &house.papers {
        if paper.bytes > LARGEST {
            findings.push(format!("{}: {} bytes, at most {LARGEST}", paper.path, paper.bytes));
        }
        if DEBRIS.iter().any(|end| paper.path.ends_with(end)) || paper.name().starts_with("core.") {
            findings.push(format!("{}: it was left behind", paper.path));
        }
    }
    findings
}

/// No file knows the machine it was written on.
fn nothing_names_a_machine(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for paper in house
        .papers
        .iter()
        .filter(|paper| !paper.path.starts_with(NAMES_PLACES))
    {
        for (one, two) in UNSAID {
            let phrase = format!("{one}{two}");
            if let Some(line) = paper.text.lines().position(|line| line.contains(&phrase)) {
                findings.push(format!("{}:{}: it says `{phrase}`", paper.path, line + 1));
            }
        }
    }
    findings
}

#[test]
fn the_root_holds_nothing_unexpected() {
    holds(root_is_clear);
    breaks(root_is_clear, &[("FINAL-REPORT.md", "")], "FINAL-REPORT.md");
    breaks(root_is_clear, &[("scratch/a", ""), ("scratch/b", "")], "scratch");
    keeps(root_is_clear, &[("docs/a.md", ""), ("Cargo.toml", "")]);
}

#[test]
fn nothing_is_left_behind() {
    holds(no_debris);
    for bad in ["docs/a.md.orig", "crates/run.log", "last.dump", "a.rs~", "core.4711"] {
        breaks(no_debris, &[(bad, "")], "left behind");
    }
    let large = "x".repeat(512 * 1024 + 1);
    breaks(no_debris, &[("docs/film.bin", &large)], "524289 bytes");
}

#[test]
fn no_file_names_the_machine_it_was_written_on() {
    holds(nothing_names_a_machine);
    for (one, two) in UNSAID {
        let text = format!("fine\nsee {one}{two}/x\n");
        breaks(nothing_names_a_machine, &[("docs/a.md", &text)], "docs/a.md:2");
        keeps(
            nothing_names_a_machine,
            &[("crates/trueup-engine/src/sandbox/view.rs", &text)],
        );
    }
    keeps(
        nothing_names_a_machine,
        &[("docs/a.md", "the tree is shown at /trueup inside")],
    );
}
