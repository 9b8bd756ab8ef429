//! How long a run waits for a world that failed, and how long a turn waits for
//! a model or an agent that is silent.

use crate::{digest::Digest, id::Timestamp};
use serde::{Deserialize, Serialize};

/// How long the first failure of the world is waited for; each further one in
/// a row doubles it.
const FIRST_WAIT_MS: u64 = 5_000;

/// How long is waited at most where nobody says when it is over.
const LONGEST_WAIT_MS: u64 = 15 * 60 * 1000;

/// The farthest end that is believed: limits by the week exist, and what an
/// agent prints may be forged.
const FARTHEST_MS: i64 = 8 * 24 * 60 * 60 * 1000;

/// How much later than a known end a run goes on at most, so that many runs
/// do not ask in the same moment.
const SPREAD_MS: u64 = 2_000;

/// When a run asks again after the world failed it.
///
/// The jitter comes from the run's name and the number of the try, so that a
/// run rebuilt after a crash waits for the same moment.
pub fn ask_again(run: &str, tries: u32, at: Timestamp, until: Option<Timestamp>) -> Timestamp {
    let known = until.filter(|until| *until > at && until.0.saturating_sub(at.0) <= FARTHEST_MS);
    let after = |from: Timestamp, ms: u64| Timestamp(from.0.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)));
    match known {
        // A provider that names an end again and again is asked more seldom.
        Some(until) => {
            let least = tries.checked_sub(1).map_or(0, backoff);
            after(until.max(after(at, least)), jitter(run, tries, SPREAD_MS))
        }
        None => {
            let wait = backoff(tries);
            after(at, wait.saturating_add(jitter(run, tries, wait / 4)))
        }
    }
}

fn backoff(tries: u32) -> u64 {
    let doubled = FIRST_WAIT_MS.saturating_mul(1 << tries.min(20));
    doubled.min(LONGEST_WAIT_MS)
}

/// A number below `spread` that looks like chance and is none.
fn jitter(run: &str, tries: u32, spread: u64) -> u64 {
    let digest = Digest::of_fields([run.as_bytes(), &tries.to_le_bytes()]);
    let number = digest
        .as_str()
        .bytes()
        .fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    number.checked_rem(spread).unwrap_or(0)
}

/// How long a turn waits, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    /// How long one turn may take.
    pub turn_ms: u64,
    /// How often a turn under way says that it is.
    pub heartbeat_ms: u64,
    /// After how much silence a person is told.
    pub warn_ms: u64,
    /// How long the model may say nothing once it was asked.
    pub model_ms: u64,
    /// How long the agent may say nothing while it awaits nothing.
    pub silence_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            turn_ms: 10 * 60 * 1000,
            heartbeat_ms: 30_000,
            warn_ms: 2 * 60 * 1000,
            model_ms: 3 * 60 * 1000,
            silence_ms: 5 * 60 * 1000,
        }
    }
}

impl Patience {
    /// Whether it is what every run has unless its person said otherwise.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
