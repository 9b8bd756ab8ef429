//! The tests that controls of goals are about, run without all the others.
//!
//! A whole suite answers what a few tests do. They are run alone where the
//! runner can select them and they were seen to pass so; a trial that does not
//! tell of every one of them is made again with all tests.

use super::{
    derived::Selection,
    replay::Replay,
    step::{Ask, Attempt, Layout, On},
};
use crate::{report::Test, rules};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    criterion::{Check, CheckMethod, Visibility},
    evidence::CheckOutcome,
    judge::Trial,
    kind::Runner,
    test_results::TestOutcome,
};

/// From so many tests on it pays to run some alone. What is compiled first
/// takes most of its time for that, and takes it once more.
const fn pays_from(runner: Runner) -> usize {
    if runner.compiles() { 60 } else { 4 }
}

/// Under which name they were seen to pass alone.
const ALONE: &str = "these tests alone";

/// How many times as long as on the tree they may take on a sabotaged one, and
/// how long at the least: a busy machine is slow at times.
const PATIENCE: u64 = 5;
const LEAST_PATIENCE_MS: u64 = 20_000;

/// How something is tried.
struct Trying {
    name: String,
    argv: Option<Vec<String>>,
    patience_ms: Option<u64>,
}

impl Trying {
    /// This tree, tried so.
    fn layout(self, made: Layout) -> Layout {
        let Self {
            name,
            argv,
            patience_ms,
        } = self;
        Layout {
            name,
            argv,
            patience_ms,
            ..made
        }
    }
}

impl Selection {
    /// Those that the goals of a subject ask for, and those that are new;
    /// nothing where a goal asks for no test by name, or too few others are
    /// left out.
    fn of(replay: &Replay<'_>) -> Option<Self> {
        let subject = replay.subject;
        let now = subject.now.as_ref()?;
        let mut ids: BTreeSet<String> = replay.fresh().iter().map(|test| test.id.clone()).collect();
        for check in subject.goals() {
            ids.extend(asked(replay, check)?);
        }
        let tests = now.tests.iter().filter(|test| ids.contains(&test.id));
        let wanted: BTreeMap<&str, &Test> = tests.map(|test| (test.id.as_str(), test)).collect();
        let runner = subject.execution.kind.runner()?;
        let all = now.tests.len();
        let pays = all >= pays_from(runner) && wanted.len() * 2 <= all;
        if !pays {
            return None;
        }
        let paths: BTreeSet<&str> = replay.trees.paths.iter().map(String::as_str).collect();
        let tests: Vec<Test> = wanted.values().map(|test| located(test, &paths)).collect();
        let tests: Vec<&Test> = tests.iter().collect();
        let argv = rules::selecting(runner, &subject.execution.argv, &tests)?;
        let ids = wanted.into_keys().map(str::to_owned).collect();
        Some(Self { argv, ids })
    }

    /// Whether a trial says what becomes of each of them. One that does not end
    /// would not end with all tests either.
    fn is_told_by(&self, trial: &Trial) -> bool {
        let results = trial.results();
        let is_told = || self.ids.iter().all(|id| results.outcome(id).is_some());
        let never_ended = matches!(trial.ended, Err(CheckOutcome::TimedOut | CheckOutcome::Failed { .. }));
        never_ended || is_told()
    }

    /// Whether all of them passed.
    fn passed(&self, trial: &Trial) -> bool {
        let results = trial.results();
        let passed = |id: &String| results.outcome(id) == Some(TestOutcome::Passed);
        matches!(trial.ended, Ok(0)) && self.ids.iter().all(passed)
    }
}

impl<'a> Replay<'a> {
    /// As [`Self::attempt`], where nothing counts but what becomes of the tests
    /// that goals ask for, and of new ones.
    pub(super) fn attempt_alone(
        &self,
        name: &str,
        make: impl FnOnce(&str) -> Option<Layout>,
    ) -> Result<Option<&'a Attempt>, Ask> {
        let trying = self.tried_as(name)?;
        let name = trying.name.clone();
        self.attempt(&name, |word| make(word).map(|made| trying.layout(made)))
    }

    /// The same of a tree that can be made in any case.
    pub(super) fn trial_alone(&self, name: &str, made: Layout) -> Result<&'a Trial, Ask> {
        Ok(&self.tried(self.tried_as(name)?.layout(made))?.trial)
    }

    /// What was seen on a tree on which tests may be called something else: of
    /// those that can be run alone, or of all. What is told there must do.
    pub(super) fn trial_selected(&self, name: &str, made: Layout) -> Result<&'a Trial, Ask> {
        let layout = Layout {
            name: name.to_owned(),
            argv: self.selected_argv().map(<[String]>::to_vec),
            ..made
        };
        Ok(&self.tried(layout)?.trial)
    }

    /// The command that runs alone those tests that can be.
    pub(super) fn selected_argv(&self) -> Option<&'a [String]> {
        let selection = self.subject.derived.selection.get_or_init(|| Selection::of(self));
        selection.as_ref().map(|selection| selection.argv.as_slice())
    }

    /// How something is tried: with these tests alone, unless that cannot be or
    /// was seen to tell too little.
    fn tried_as(&self, name: &str) -> Result<Trying, Ask> {
        let whole = Trying {
            name: name.to_owned(),
            argv: None,
            patience_ms: None,
        };
        let Some(selection) = self.selection()? else {
            return Ok(whole);
        };
        let alone = format!("{name}, {ALONE}");
        let known = self.learnt.attempts.get(&alone);
        if known.is_some_and(|known| !selection.is_told_by(&known.trial)) {
            return Ok(whole);
        }
        let usual = self.learnt.attempts.get(ALONE).map(|usual| usual.trial.took_ms);
        Ok(Trying {
            name: alone,
            argv: Some(selection.argv.clone()),
            patience_ms: usual.map(|usual| usual.saturating_mul(PATIENCE).max(LEAST_PATIENCE_MS)),
        })
    }

    /// The tests that can be run alone: they pass so on the tree as it is.
    fn selection(&self) -> Result<Option<&'a Selection>, Ask> {
        let Some(selection) = self.subject.derived.selection.get_or_init(|| Selection::of(self)) else {
            return Ok(None);
        };
        let tried = self.tried(Layout {
            name: ALONE.to_owned(),
            argv: Some(selection.argv.clone()),
            ..Layout::of(On::Tree, Vec::new())
        })?;
        Ok(selection.passed(&tried.trial).then_some(selection))
    }

    /// How long trials took that no control tells of: whether tests pass alone,
    /// and what was tried again with all of them.
    pub(super) fn untold_ms(&self) -> u64 {
        let Some(Some(selection)) = self.subject.derived.selection.get() else {
            return 0;
        };
        let attempts = self.learnt.attempts.values();
        let alone = attempts.filter(|attempt| attempt.layout.argv.is_some());
        let untold = alone.filter(|attempt| attempt.layout.name == ALONE || !selection.is_told_by(&attempt.trial));
        untold.map(|attempt| attempt.trial.took_ms).sum()
    }
}

/// The test with the file that it stands in, as far as that is in the tree.
/// pytest tells the module, and the class behind it.
fn located(test: &Test, paths: &BTreeSet<&str>) -> Test {
    let is_there = |path: &String| paths.contains(path.as_str());
    let module = test.id.split("::").next().unwrap_or_default();
    let parts: Vec<&str> = module.split('.').collect();
    let modules = (1..=parts.len()).rev().filter_map(|end| parts.get(..end));
    let mut files = modules.map(|parts| format!("{}.py", parts.join("/")));
    Test {
        file: test.file.clone().filter(is_there).or_else(|| files.find(is_there)),
        ..test.clone()
    }
}

/// The tests that a goal asks for by name, as they were reported.
fn asked(replay: &Replay<'_>, check: &Check) -> Option<Vec<String>> {
    let subject = replay.subject;
    if let Some(own) = subject.run_tests(check, &replay.trees.files) {
        return Some(own.ids().iter().cloned().collect());
    }
    let CheckMethod::Test { name, .. } = &check.how else {
        return None;
    };
    let named = subject.now.as_ref()?.named(name);
    (!named.is_empty()).then(|| named.into_iter().map(|test| test.id.clone()).collect())
}

/// These tests, as far as the agent may be told of them: it knows no test of a
/// hidden check.
pub(super) const fn openly<'a>(check: &Check, tests: &'a [&'a str]) -> &'a [&'a str] {
    match check.sight {
        Visibility::Open => tests,
        Visibility::Hidden(_) => &[],
    }
}

/// The tests that make a goal, of those that pass: the ones it asks for; where
/// it names none, those that failed before or are new.
pub(super) fn tests_of<'a>(replay: &Replay<'a>, check: &Check) -> Vec<&'a Test> {
    let Some(now) = &replay.subject.now else {
        return Vec::new();
    };
    let ids: BTreeSet<String> = asked(replay, check).map_or_else(
        || {
            let new = replay.fresh().iter().map(|test| test.id.clone());
            replay.subject.mended().into_iter().chain(new).collect()
        },
        |ids| ids.into_iter().collect(),
    );
    let passed = now.tests.iter().filter(|test| test.outcome == TestOutcome::Passed);
    passed.filter(|test| ids.contains(&test.id)).collect()
}
