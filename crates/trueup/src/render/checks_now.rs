//! Checks while they run, and checks that are tried on sabotaged trees.

use super::fit::{clock, one_line, whole_seconds};
use std::time::Instant;
use trueup_core::{criterion::Check, evidence::Evidence, ground::Caches, id::CheckId};
use trueup_inspect::challenge::Probe;

/// How many cells a bar has.
const CELLS: usize = 10;

/// What checks on sabotaged trees are called.
const CONTROLS: &str = "controls";

/// Checks while they run.
pub(crate) struct ChecksNow {
    name: &'static str,
    /// What everybody should know of all of them.
    remark: Option<&'static str>,
    begun: Instant,
    count: usize,
    done: usize,
    red: usize,
    preparing: Option<(String, Instant)>,
    running: Vec<Running>,
}

/// A program that runs.
struct Running {
    check: CheckId,
    /// How it is tried, or what it runs.
    what: String,
    since: Instant,
}

impl ChecksNow {
    /// So many checks begin on a tree.
    pub(crate) fn checks(count: usize, caches: Caches) -> Self {
        Self {
            remark: match caches {
                Caches::Leave => Some("without caches"),
                Caches::Fill | Caches::Use => None,
            },
            ..Self::begin("checks", count)
        }
    }

    /// Checks are tried on sabotaged trees; how often is not known yet.
    pub(crate) fn controls() -> Self {
        Self::begin(CONTROLS, 0)
    }

    fn begin(name: &'static str, count: usize) -> Self {
        Self {
            name,
            remark: None,
            begun: Instant::now(),
            count,
            done: 0,
            red: 0,
            preparing: None,
            running: Vec::new(),
        }
    }

    /// Whether these are controls.
    pub(super) fn is_of_controls(&self) -> bool {
        self.name == CONTROLS
    }

    /// What goes on, in one word.
    pub(super) const fn name(&self) -> &'static str {
        match self.preparing {
            Some(_) => "prepare",
            None => self.name,
        }
    }

    /// A preparation runs.
    pub(crate) fn prepare(&mut self, name: &str) {
        self.preparing = Some((one_line(name), Instant::now()));
    }

    /// So many probes are made.
    pub(crate) const fn expect(&mut self, count: usize) {
        self.count = count;
    }

    /// The program of a check begins to run.
    pub(crate) fn run(&mut self, check: &Check) {
        self.begins(check, one_line(&check.source));
    }

    /// A check begins to be executed for a probe.
    pub(crate) fn attempt(&mut self, check: &Check, probe: Probe) {
        self.begins(check, tried(probe).to_owned());
    }

    fn begins(&mut self, check: &Check, what: String) {
        self.preparing = None;
        self.running.push(Running {
            check: check.id.clone(),
            what,
            since: Instant::now(),
        });
    }

    /// That execution ended.
    pub(crate) fn attempted(&mut self, check: &Check, probe: Probe) {
        let what = tried(probe);
        let is_it = |running: &Running| running.check == check.id && running.what == what;
        if let Some(at) = self.running.iter().position(is_it) {
            self.running.remove(at);
        }
    }

    /// A check was seen.
    pub(crate) fn see(&mut self, evidence: &Evidence) {
        self.preparing = None;
        self.running.retain(|running| running.check != evidence.check);
        self.done += 1;
        self.red += usize::from(!evidence.passed());
    }

    /// A probe is done.
    pub(crate) fn done(&mut self) {
        self.preparing = None;
        self.done += 1;
    }

    pub(super) fn words(&self) -> String {
        if let Some((name, since)) = &self.preparing {
            return format!("{name} for {}", whole_seconds(since.elapsed()));
        }
        let done = self.done.min(self.count);
        let bar = (self.count > 1).then(|| {
            let full = done * CELLS / self.count.max(1);
            format!(
                "{}{} {done} of {}",
                "█".repeat(full),
                "░".repeat(CELLS - full),
                self.count
            )
        });
        let red = (self.red > 0).then(|| format!("{} red", self.red));
        let running = self.running.first().map(|running| {
            let Running { check, what, since } = running;
            format!("{check} for {}, {what}", whole_seconds(since.elapsed()))
        });
        // What does not tell how far it is tells at least how long it lasts.
        let lasts = (running.is_none() && done == 0).then(|| clock(self.begun.elapsed()));
        let told = [self.remark.map(str::to_owned), bar, red, running, lasts];
        told.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// How a check is tried, in a few words behind its name.
const fn tried(probe: Probe) -> &'static str {
    match probe {
        Probe::Canary => "with a test that must fail",
        Probe::Without => "without the work",
        Probe::Expectations => "with other expected values",
        Probe::Neighbours => "with other inputs",
        Probe::Otherwise => "in another order, alone, twice",
        Probe::Former => "with the tests of the base",
        Probe::Rules => "with the settings of the base",
        Probe::Pages => "with the pages of the base",
        Probe::Shipped => "built as users get it",
        Probe::Violation => "with a fault it must find",
    }
}

#[cfg(test)]
mod tests {
    use super::ChecksNow;
    use trueup_core::ground::Caches;

    #[test]
    fn checks_tell_how_far_they_are() {
        let mut checks = ChecksNow::checks(4, Caches::Use);
        (checks.done, checks.red) = (2, 1);
        assert_eq!(checks.words(), "█████░░░░░ 2 of 4 · 1 red");
        assert_eq!(checks.name(), "checks");
    }

    #[test]
    fn checks_that_see_no_cache_say_so() {
        let checks = ChecksNow::checks(2, Caches::Leave);
        assert_eq!(checks.words(), "without caches · ░░░░░░░░░░ 0 of 2 · 0:00");
    }

    #[test]
    fn a_preparation_is_named_until_something_else_begins() {
        let mut checks = ChecksNow::checks(4, Caches::Use);
        checks.prepare("node");
        assert_eq!((checks.name(), checks.words().as_str()), ("prepare", "node for 0s"));
        checks.done();
        assert_eq!(checks.name(), "checks");
    }

    #[test]
    fn controls_tell_how_many_probes_there_are_once_that_is_known() {
        let mut controls = ChecksNow::controls();
        assert_eq!((controls.name(), controls.words().as_str()), ("controls", "0:00"));
        controls.expect(9);
        (0..3).for_each(|_| controls.done());
        assert_eq!(controls.words(), "███░░░░░░░ 3 of 9");
    }
}
