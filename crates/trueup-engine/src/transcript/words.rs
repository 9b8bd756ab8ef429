//! Facts as words, for Markdown that people and agents read.

use crate::fault::{self, Fault};
use trueup_core::{
    budget::Limit,
    ending::Ending,
    evidence::CheckOutcome,
    gate::Standing,
    memory::{Claim, ClaimStatus},
};

/// How an agent ended, as the rest of a sentence about its turn.
pub fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Exited { code: 0 } | Ending::Finished => "ended by itself".into(),
        Ending::Exited { code } => format!("ended with exit code {code}"),
        Ending::Blocked { why } => format!("said that it cannot go on: {why}"),
        Ending::Limited { why, .. } => format!("met a limit of its provider: {why}"),
        Ending::Unreachable { why } => format!("could not reach its model: {why}"),
        Ending::NotSignedIn { why, .. } => format!("was not signed in: {why}"),
        Ending::ContextFull { why } => format!("had a full memory: {why}"),
        Ending::Refused { why } => format!("was refused by its model: {why}"),
        Ending::Hung { silent_ms } => format!("was ended after its model had said nothing for {}", took(*silent_ms)),
        Ending::Silent { silent_ms } => format!("was ended after it had said nothing for {}", took(*silent_ms)),
        Ending::Interrupted => "was told to stop".into(),
        Ending::Killed { signal } => format!("was killed by signal {signal}"),
        Ending::Broken { why } => format!("broke off: {why}"),
        Ending::TimedOut => "reached its time limit and was ended".into(),
        Ending::Overran { why } => format!("was ended because it took {why}"),
        Ending::Spent(reached) => format!("was ended because {} used up", limit(*reached)),
        Ending::Unusable { why } => format!("could not be started: {why}"),
    }
}

const fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Turns => "its turns were",
        Limit::Time => "its time was",
        Limit::Tokens => "its tokens were",
        Limit::Money => "its money was",
    }
}

/// What an agent says of itself; nothing where it says nothing of the kind.
pub fn says(claim: &Claim) -> Option<String> {
    match &claim.says {
        ClaimStatus::Nothing => None,
        ClaimStatus::Complete => Some("all is done".into()),
        ClaimStatus::Blocked(why) => Some(format!("it cannot go on: {why}")),
    }
}

/// What a check saw.
pub fn saw(saw: &CheckOutcome) -> String {
    match saw {
        CheckOutcome::Passed => "passed".into(),
        CheckOutcome::Failed { why: Some(why), .. } => format!("failed: {why}"),
        CheckOutcome::Failed { exit: Some(code), .. } => format!("failed with exit code {code}"),
        CheckOutcome::Failed { exit: None, .. } => "failed".into(),
        CheckOutcome::TimedOut => "reached its time limit".into(),
        CheckOutcome::CannotRun { why } => format!("could not be executed: {why}"),
    }
}

/// Where a criterion stands, as an agent is told.
pub const fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Met | Standing::Asked => "met",
        Standing::Unmet | Standing::Unproven => "not met",
    }
}

/// A duration.
pub fn took(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..60 => format!("{seconds}.{} s", milliseconds % 1000 / 100),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        3600.. => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Backticks that no line of the text can end too early.
pub fn fence(text: &str) -> String {
    if fault::planted(Fault::TellsNames) {
        return "```".to_owned();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// The end of a text, cut on a character boundary.
pub fn last_characters(text: &str, most: usize) -> &str {
    let start = text.char_indices().rev().take(most).last();
    match start {
        Some((start, _)) => text.get(start..).unwrap_or(text),
        None if most == 0 => "",
        None => text,
    }
}

/// The beginning of a text, cut on a character boundary; a cut is marked.
pub fn first_characters(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// A text as one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{fence, first_characters, last_characters};

    #[test]
    fn a_fence_is_longer_than_every_row_of_backticks_inside() {
        assert_eq!(fence("plain"), "```");
        assert_eq!(fence("a ``` b"), "````");
        assert_eq!(fence("`````"), "``````");
    }

    #[test]
    fn a_text_is_cut_on_a_boundary_of_characters() {
        let long = "ä".repeat(1500) + "end";
        let told = last_characters(&long, 1500);
        assert_eq!(told.chars().count(), 1500);
        assert!(told.ends_with("end"));
        assert_eq!(last_characters("short", 1500), "short");
        assert_eq!(last_characters("", 1500), "");
        assert_eq!(first_characters("ääää", 3), "äää…");
        assert_eq!(first_characters("äää", 3), "äää");
    }
}
