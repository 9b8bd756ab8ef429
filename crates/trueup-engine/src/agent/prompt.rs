//! What an agent is told, in words. What may be told was decided by the core;
//! here it is only spelled out, with the bodies behind the evidence.

use crate::blobs::Blobs;
use std::{fmt::Write, io};
use trueup_core::{
    evidence::{Body, Evidence, Saw},
    gate::Standing,
    ladder::Rung,
    turn::{Brief, Told},
};

/// How many characters of a failing check's output an agent is told.
const TOLD_CHARACTERS: usize = 1500;

/// The prompt of a turn.
pub fn render(brief: &Brief, rescued: Rescued, blobs: &Blobs) -> String {
    let mut text = String::new();
    match write(&mut text, brief, rescued, blobs) {
        // Writing to a String cannot fail; the result is the trait's, not ours.
        Ok(()) | Err(_) => text,
    }
}

/// Whether an earlier try at this turn was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescued {
    /// It was, and what it left can be looked at.
    Yes,
    /// It was not.
    No,
}

fn write(text: &mut String, brief: &Brief, rescued: Rescued, blobs: &Blobs) -> std::fmt::Result {
    writeln!(text, "# {}\n", brief.title)?;
    writeln!(
        text,
        "You are working in a git repository, in the current folder. This is turn {} of at most {}.",
        brief.turn, brief.turn_limit
    )?;
    writeln!(
        text,
        "When you stop, every criterion below is checked by running its checks on a fresh copy of\n\
         your files, elsewhere. Only files that git would add count; saying that you are done changes nothing.\n"
    )?;
    if !brief.text.is_empty() {
        writeln!(text, "## Task\n\n{}\n", brief.text)?;
    }
    writeln!(text, "## Acceptance criteria\n")?;
    for told in &brief.criteria {
        write_criterion(text, told)?;
    }
    write_failures(text, brief, blobs)?;
    if rescued == Rescued::Yes {
        writeln!(
            text,
            "\n## An earlier try\n\nAn earlier try at this turn was broken off and its files were taken away.\n\
             They can be looked at in the git ref `refs/trueup/rescue`."
        )?;
    }
    Ok(())
}

fn write_criterion(text: &mut String, told: &Told) -> std::fmt::Result {
    let standing = match told.standing {
        Standing::Met => "met",
        Standing::Unmet | Standing::Unproven => "not met",
    };
    writeln!(text, "- {} ({standing}): {}", told.id, told.text)?;
    for check in &told.checks {
        writeln!(text, "  - checked by: {check}")?;
    }
    Ok(())
}

fn write_failures(text: &mut String, brief: &Brief, blobs: &Blobs) -> std::fmt::Result {
    let failures: Vec<&Evidence> = brief.criteria.iter().flat_map(|told| &told.failures).collect();
    if !failures.is_empty() {
        let when = match brief.rung {
            Rung::First => "before any work",
            Rung::Retry => "after the last turn",
        };
        writeln!(text, "\n## What the checks saw {when}")?;
    }
    for evidence in failures {
        writeln!(text, "\n### {}: {}\n", evidence.check, saw(&evidence.saw))?;
        for (name, body) in [("stdout", &evidence.stdout), ("stderr", &evidence.stderr)] {
            write_body(text, name, body, blobs)?;
        }
    }
    if !brief.findings.is_empty() {
        writeln!(text, "\n## What was wrong with the files themselves\n")?;
    }
    for finding in &brief.findings {
        writeln!(text, "- {}: {}", finding.path, finding.what)?;
    }
    Ok(())
}

fn saw(saw: &Saw) -> String {
    match saw {
        Saw::Passed => "passed".into(),
        Saw::Failed { exit: Some(code) } => format!("failed with exit code {code}"),
        Saw::Failed { exit: None } => "failed".into(),
        Saw::TimedOut => "reached its time limit".into(),
        Saw::CannotRun { why } => format!("could not be executed: {why}"),
    }
}

fn write_body(text: &mut String, name: &str, body: &Body, blobs: &Blobs) -> std::fmt::Result {
    if body.bytes == 0 {
        return Ok(());
    }
    let bytes = match blobs.get(&body.digest) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return writeln!(text, "({name}: body erased)"),
        Err(error) => return writeln!(text, "({name} cannot be read: {error})"),
    };
    let whole = String::from_utf8_lossy(&bytes);
    let tail = last_characters(&whole, TOLD_CHARACTERS);
    let cut = if tail.len() < whole.len() { ", its end" } else { "" };
    writeln!(text, "{name}{cut}:\n```\n{}\n```", tail.trim_end())
}

/// The end of a text, cut on a character boundary.
fn last_characters(text: &str, most: usize) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take(most)
        .last()
        .map_or(0, |(index, _)| index);
    text.get(start..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{TOLD_CHARACTERS, last_characters};

    #[test]
    fn what_a_check_printed_is_told_to_1500_characters_cut_on_a_boundary() {
        let long = "ä".repeat(TOLD_CHARACTERS) + "end";
        let told = last_characters(&long, TOLD_CHARACTERS);
        assert_eq!(told.chars().count(), 1500);
        assert!(told.ends_with("end"));
        assert_eq!(last_characters("short", TOLD_CHARACTERS), "short");
        assert_eq!(last_characters("", TOLD_CHARACTERS), "");
    }
}
