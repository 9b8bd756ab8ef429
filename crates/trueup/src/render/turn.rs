//! A turn that ended, on one line: how long it took, what it cost, what it
//! changed, and what the agent said of it.

use super::{
    cost,
    fit::{cut, one_line},
    words::{dot, ending, harmless, moment, took},
};
use trueup_core::{
    ending::Ending,
    event::TurnEnded,
    run::{Position, Reason, Run},
    turn::Finding,
};
use trueup_engine::workspace::Change;

/// How many files are named.
const NAMED: usize = 3;

/// How much of the agent's words is shown.
const SAID: usize = 100;

/// What of a turn is seen only while it is watched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// What it changed.
    pub(crate) changed: Vec<Change>,
    /// What the agent said last.
    pub(crate) said: Option<String>,
}

/// The line, and below it what is wrong with the tree that the turn left.
pub(super) fn line(run: &Run, ended: &TurnEnded, watched: &Watched) -> String {
    let outcome = &ended.outcome;
    let lasted = took(outcome.took_ms);
    let is_well = matches!(outcome.ending, Ending::Exited { code: 0 } | Ending::Finished);
    let ended_so = if let Ending::Spent(limit) = &outcome.ending {
        format!("stopped: spent {}", cost::used(run, *limit))
    } else {
        ending(&outcome.ending)
    };
    // What an agent's failure says may have many lines; they stand below.
    let (ended_so, more) = ended_so.split_once('\n').unwrap_or((&ended_so, ""));
    let more = if more.is_empty() {
        String::new()
    } else {
        format!("\n{more}")
    };
    let how = match is_well {
        true => lasted,
        false => format!("{lasted} · {ended_so}"),
    };
    let told = [
        Some(how),
        cost::brief(&outcome.usage),
        files(&watched.changed),
        said(ended, watched)
            .filter(|_| is_well)
            .map(|said| format!("“{}”", cut(&said, SAID))),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    let wait = match run.position() {
        Position::Paused(_, Reason::External { until, .. }) => format!("; goes on by itself at {}", moment(*until)),
        Position::Working(_) | Position::Paused(..) | Position::Done(_) => String::new(),
    };
    // What goes before a failure may tell why, so nothing of it is cut off.
    let said = said(ended, watched).filter(|_| !is_well);
    let more = more + &said.map(|said| format!("\n      “{said}”")).unwrap_or_default();
    let findings: String = outcome.findings.iter().map(below).collect();
    let name = format!("turn {}/{}", ended.turn, run.turn_limit());
    format!("  {} {name:<11} {}{wait}{more}{findings}", dot(), told.join(" · "))
}

/// Something about a file, on a line below another.
fn below(finding: &Finding) -> String {
    format!("\n      {}: {}", harmless(&finding.path), harmless(&finding.what))
}

/// The files that a turn changed, with their lines; of many, the number.
fn files(changed: &[Change]) -> Option<String> {
    let one = |change: &Change| {
        let Change { path, added, removed } = change;
        let name = path.rsplit('/').next().unwrap_or(path);
        format!("{} +{added} −{removed}", harmless(name))
    };
    match changed {
        [] => None,
        few if few.len() <= NAMED => Some(few.iter().map(one).collect::<Vec<_>>().join(", ")),
        many => {
            let sum = |of: fn(&Change) -> u32| many.iter().map(|change| u64::from(of(change))).sum::<u64>();
            let (added, removed) = (sum(|change| change.added), sum(|change| change.removed));
            Some(format!("{} files +{added} −{removed}", many.len()))
        }
    }
}

/// What the agent says of its work; what it said last, where it says nothing of that.
fn said(ended: &TurnEnded, watched: &Watched) -> Option<String> {
    let summary = one_line(&ended.outcome.claim.summary);
    let said = match summary.is_empty() {
        true => watched.said.clone().unwrap_or_default(),
        false => summary,
    };
    (!said.is_empty()).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::files;
    use trueup_engine::workspace::Change;

    fn change(path: &str) -> Change {
        Change {
            path: path.into(),
            added: 3,
            removed: 1,
        }
    }

    #[test]
    fn few_files_are_named_and_many_are_counted() {
        assert_eq!(files(&[]), None);
        assert_eq!(
            files(&[change("src/cart.py"), change("README.md")]).as_deref(),
            Some("cart.py +3 −1, README.md +3 −1")
        );
        let many: Vec<Change> = ["a", "b", "c", "d"].map(change).into();
        assert_eq!(files(&many).as_deref(), Some("4 files +12 −4"));
    }
}
