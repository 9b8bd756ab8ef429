//! Which runs go on now where nobody is there to say: of those that are ready,
//! at most so many at once, and each repository in turn.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

/// Why a run could be driven on; what hurts most if it waits comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readiness {
    /// The signal it waits for is in its mailbox.
    Answered,
    /// The moment it waits for has come.
    Due,
    /// Whoever drove it is gone, and it wants something done.
    Abandoned,
    /// Nobody ever drove it.
    Queued,
}

/// Whoever opens a run to drive it has it within this time; until then it is theirs.
const QUEUED_FOR_MS: u64 = 1_000;

/// How long a run that did not go on is left alone; each further time doubles it.
const FIRST_PAUSE_MS: u64 = 2_000;

/// How long it is left alone at most.
const LAST_PAUSE_MS: u64 = 10 * 60 * 1_000;

/// After so many times that it did not go on, nobody expects it to.
const HOPELESS: u32 = 5;

/// How a run was carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// Something of it was kept.
    Further,
    /// Nothing was.
    Nowhere,
}

/// Runs that are carried on, by names of the caller's. Moments are milliseconds
/// of a clock that only goes forward.
#[derive(Clone, Debug)]
pub struct Schedule<R> {
    at_most: usize,
    active: BTreeSet<R>,
    /// Since when a run is known to be queued.
    queued: BTreeMap<R, u64>,
    failed: BTreeMap<R, Failed>,
}

/// A run that did not go on.
#[derive(Clone, Copy, Debug)]
struct Failed {
    /// How often in a row.
    times: u32,
    /// From when on it is tried again.
    again_ms: u64,
}

impl<R: Ord + Clone> Schedule<R> {
    /// Nothing is carried on yet, and never more than so many at once.
    pub const fn new(at_most: usize) -> Self {
        Self {
            at_most,
            active: BTreeSet::new(),
            queued: BTreeMap::new(),
            failed: BTreeMap::new(),
        }
    }

    /// Which of the ready runs are to be begun now, of each repository the ready
    /// ones in its own order. They count as active from here on.
    pub fn next(&mut self, ready: &[Vec<(R, Readiness)>], now_ms: u64) -> Vec<R> {
        self.look_at_queued(ready, now_ms);
        let mut candidates = Vec::new();
        for runs in ready {
            let mut mine: Vec<&(R, Readiness)> = runs.iter().filter(|run| self.may_begin(run, now_ms)).collect();
            mine.sort_by_key(|(_, readiness)| *readiness);
            candidates.extend(mine.into_iter().enumerate());
        }
        // The most urgent first; among equals the first of each repository, then the second of each.
        candidates.sort_by_key(|(turn, (_, readiness))| (*readiness, *turn));
        let free = self.at_most.saturating_sub(self.active.len());
        let begun: Vec<R> = candidates
            .into_iter()
            .take(free)
            .map(|(_, (run, _))| run.clone())
            .collect();
        self.active.extend(begun.iter().cloned());
        begun
    }

    /// Somebody else carries this one on, and it counts.
    pub fn is_carried_by_others(&mut self, run: R) {
        self.active.insert(run);
    }

    /// A run that was active rests, or whoever carried it on is gone. Answers how
    /// long it is left alone where it did not go on.
    pub fn ended(&mut self, run: &R, carried: Carried, now_ms: u64) -> Option<u64> {
        self.active.remove(run);
        if carried == Carried::Further {
            self.failed.remove(run);
            return None;
        }
        let times = self.failed.get(run).map_or(0, |failed| failed.times) + 1;
        let pause = FIRST_PAUSE_MS
            .saturating_mul(1 << (times - 1).min(20))
            .min(LAST_PAUSE_MS);
        let again_ms = now_ms + pause;
        self.failed.insert(run.clone(), Failed { times, again_ms });
        Some(pause)
    }

    /// Whether nothing is active, and nothing of what is ready is expected to go on.
    pub fn is_idle(&self, ready: &[Vec<(R, Readiness)>]) -> bool {
        let is_hopeless = |run: &R| self.failed.get(run).is_some_and(|failed| failed.times >= HOPELESS);
        self.active.is_empty() && ready.iter().flatten().all(|(run, _)| is_hopeless(run))
    }

    /// The runs that are active.
    pub fn active(&self) -> impl Iterator<Item = &R> {
        self.active.iter()
    }

    fn look_at_queued(&mut self, ready: &[Vec<(R, Readiness)>], now_ms: u64) {
        let queued = ready
            .iter()
            .flatten()
            .filter(|(_, readiness)| *readiness == Readiness::Queued);
        let since = queued.map(|(run, _)| (run.clone(), self.queued.get(run).copied().unwrap_or(now_ms)));
        self.queued = since.collect();
    }

    fn may_begin(&self, (run, readiness): &(R, Readiness), now_ms: u64) -> bool {
        let is_theirs =
            *readiness == Readiness::Queued && self.queued.get(run).is_none_or(|since| now_ms < since + QUEUED_FOR_MS);
        let is_left_alone = self.failed.get(run).is_some_and(|failed| now_ms < failed.again_ms);
        !is_theirs && !is_left_alone && !self.active.contains(run)
    }
}
