//! How long what was seen on a base stands for another look at it.

use crate::{
    criterion::Network,
    evidence::{CheckOutcome, Evidence},
};

/// Whoever checks a task and then runs it does so within this time.
pub const HOLDS_FOR_MS: u64 = 30 * 60 * 1000;

/// Whether nobody needs to look again at a base that was looked at so long ago.
/// What hangs on more than the tree is looked at anew: the network, sockets, and
/// a red check without a report, which may be red for the machine.
pub fn still_holds(seen: &Evidence, age_ms: u64) -> bool {
    let tells = match &seen.saw {
        CheckOutcome::Passed => true,
        CheckOutcome::Failed { .. } => seen.tally.is_some(),
        CheckOutcome::TimedOut | CheckOutcome::CannotRun { .. } => false,
    };
    let conditions = &seen.conditions;
    let is_alone = conditions.network == Network::Off && conditions.sockets.is_empty();
    tells && is_alone && !seen.runs.is_flaky() && age_ms <= HOLDS_FOR_MS
}
