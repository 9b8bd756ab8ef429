//! What must be true of every run, judged by the truth of the world and never
//! by the core's own gate.

use super::{disk::Disk, script::WorldScript};
use std::fmt;
use trueup_core::{
    criterion::Role,
    ending::Cause,
    event::Event,
    evidence::CheckOutcome,
    id::{CheckId, TreeId},
    run::{Outcome, Position, Reason, Run},
};

/// Something that must never happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(String);

impl Fault {
    pub(super) fn new(what: impl fmt::Display) -> Self {
        Self(what.to_string())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What must hold, or the fault that it does not.
macro_rules! must {
    ($holds:expr, $($what:tt)+) => {
        if $holds { Ok(()) } else { Err(Fault(format!($($what)+))) }
    };
}

/// Audits a run that ended.
pub(super) fn audit(script: &WorldScript, disk: &Disk, events: &[Event], run: &Run) -> Result<(), Fault> {
    delivered_once(disk, run)?;
    turns_were_done_once(disk)?;
    limits_were_kept(script, disk, events)?;
    match run.position() {
        Position::Done(Outcome::Verified { tree, .. }) => proved(script, tree),
        Position::Done(Outcome::Waived { .. }) => Err(Fault::new("nobody waived anything")),
        Position::Paused(_, Reason::BudgetSpent(_)) => not_proved(script, run),
        Position::Done(Outcome::Refused(_) | Outcome::NothingToDo) => {
            must!(disk.started.is_empty(), "an agent was started for a refused task")
        }
        Position::Working(_) | Position::Paused(..) => Err(Fault::new("the run never ended")),
    }
}

/// Every check truly passes on the delivered tree and had its due colour on
/// the base.
fn proved(script: &WorldScript, tree: &TreeId) -> Result<(), Fault> {
    let base = &script.opening.base.tree;
    must!(tree != base, "the base itself was delivered")?;
    for (check, role) in script.checks() {
        must!(
            passes(script, tree, &check),
            "false done: {check} does not pass on {tree}"
        )?;
        must!(
            script.can_fail(tree, &check),
            "false done: {check} could not have failed on {tree}"
        )?;
        let green = passes(script, base, &check);
        let due = match role {
            Role::Goal => !green,
            Role::Guard => green,
        };
        must!(due, "{check} did not have its due colour on the base")?;
    }
    Ok(())
}

/// A run that ran out of turns never stood on a tree that was done.
fn not_proved(script: &WorldScript, run: &Run) -> Result<(), Fault> {
    let turns = run.spend().turns as usize;
    for tree in script.trees.iter().take(turns) {
        let good = |check: &CheckId| passes(script, tree, check) && script.can_fail(tree, check);
        // Of an odd one the agent is told first, and may make something else of it.
        let plain = *tree != script.opening.base.tree && !script.is_odd(tree);
        let done = plain && script.checks().iter().all(|(check, _)| good(check));
        must!(!done, "{tree} was done, but the run went on until its limit")?;
    }
    Ok(())
}

fn passes(script: &WorldScript, tree: &TreeId, check: &CheckId) -> bool {
    script.truth(tree, check) == CheckOutcome::Passed
}

fn delivered_once(disk: &Disk, run: &Run) -> Result<(), Fault> {
    match run.position() {
        Position::Done(Outcome::Verified { commit, .. }) => {
            must!(disk.commits.len() == 1, "{} commits were made", disk.commits.len())?;
            must!(
                disk.moves.as_slice() == [commit.clone()],
                "the branch moved {} times",
                disk.moves.len()
            )
        }
        Position::Done(_) | Position::Working(_) | Position::Paused(..) => {
            must!(
                disk.commits.is_empty() && disk.moves.is_empty(),
                "something unproved was delivered"
            )
        }
    }
}

/// No finished turn is done again; each death or pause repeats at most one.
fn turns_were_done_once(disk: &Disk) -> Result<(), Fault> {
    for (turn, finished) in &disk.finished {
        must!(*finished <= 1, "{turn} was finished {finished} times")?;
    }
    let started: u32 = disk.started.values().sum();
    let finished: u32 = disk.finished.values().sum();
    let excuses = disk.deaths + disk.pauses;
    must!(
        started <= finished + excuses,
        "{started} turns were started for {finished} finished ones"
    )
}

fn limits_were_kept(script: &WorldScript, disk: &Disk, events: &[Event]) -> Result<(), Fault> {
    let task = &script.opening.task;
    let phase = task.size.turns_per_phase();
    let limit = task.budget.turns.map_or(phase, |turns| turns.min(phase));
    let ended = events
        .iter()
        .filter_map(Event::as_turn_ended)
        .filter(|ended| ended.outcome.ending.cause() == Cause::Agent)
        .count();
    must!(
        ended <= limit as usize,
        "{ended} turns were taken, {limit} were allowed"
    )?;
    let finished: u32 = disk.finished.values().sum();
    must!(finished as usize >= ended, "a turn was kept that never finished")
}

/// What was shown is what is kept: nothing shown was lost by a death.
pub(super) fn nothing_shown_was_lost(shown: &[Event], kept: &[Event]) -> Result<(), Fault> {
    must!(
        kept.len() >= shown.len() && kept.get(..shown.len()) == Some(shown),
        "{} events were shown, {} are kept",
        shown.len(),
        kept.len()
    )
}

/// Foul weather changes nothing about the end.
pub(super) fn same_end(fair: &Run, foul: &Run) -> Result<(), Fault> {
    let end = |run: &Run| {
        let keys: Option<Vec<_>> = run
            .checked()
            .map(|(_, evidence)| evidence.iter().map(|evidence| evidence.key.clone()).collect());
        let outcome = match run.position() {
            Position::Done(Outcome::Verified { tree, .. }) => format!("verified {tree}"),
            other @ (Position::Done(_) | Position::Working(_) | Position::Paused(..)) => format!("{other:?}"),
        };
        (outcome, keys, run.spend().turns)
    };
    must!(
        end(fair) == end(foul),
        "in fair weather {:?}, in foul {:?}",
        end(fair),
        end(foul)
    )
}
