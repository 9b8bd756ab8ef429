//! Tests of goals with values near those that they share with the new code.
//!
//! Code that does the work for the values of its tests alone has to name them.
//! What is right for other values nobody knows; but there such code does what
//! the base's does, and the tests say the same of both. Code that does the
//! work has another answer than before for one of them at least.

mod round;
mod shared;

use self::round::{Round, Tried, before, without_case};
use self::shared::{Shared, data_files};
use super::{
    homes::{Home, homes},
    places,
    replay::Replay,
    selection::{openly, tests_of},
    step::{Ask, Asked},
};
use crate::{
    changes::{ChangedFile, Side},
    code::{self, SharedValue},
    report::Test,
};
use std::collections::BTreeSet;
use trueup_core::{
    criterion::Check,
    judge::{Trial, visible_only},
    objection::Objection,
};

/// How many neighbours of each value are tried.
const NEIGHBOURS: u32 = 4;

/// A goal, and what may be said of it.
struct Goal<'a> {
    check: &'a Check,
    tests: Vec<&'a Test>,
    /// Its tests that have other values, as long as all of them say the same.
    changed: BTreeSet<&'a str>,
}

/// Goals whose tests say the same of the base's code as soon as they ask for
/// values that the new code does not name.
pub(super) fn neighbours(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals().into_iter();
    let mut goals: Vec<Goal<'_>> = goals.map(|check| Goal::of(replay, check)).collect();
    let tests: Vec<&Test> = goals.iter().flat_map(|goal| &goal.tests).copied().collect();
    let Some(runner) = replay.subject.execution.kind.runner().filter(|_| !tests.is_empty()) else {
        return Ok(Vec::new());
    };
    let values: BTreeSet<SharedValue> = replay.trees.files.iter().flat_map(new_values).collect();
    let data = replay.texts(data_files(replay, &values))?;
    if values.is_empty() && data.is_empty() {
        return Ok(Vec::new());
    }
    let texts = replay.texts(places::wanted(replay.trees, runner))?;
    let homes = homes(&texts, &tests);
    let shared = Shared::of(replay, &homes, values, data);
    let rounds = (0..NEIGHBOURS).filter_map(|nth| Round::of(&homes, &shared, nth));
    let rounds: Vec<Round<'_>> = rounds.collect();
    let Some((first, further)) = rounds.split_first() else {
        return Ok(Vec::new());
    };
    goals
        .iter_mut()
        .for_each(|goal| goal.changed = first.changed(&goal.tests));
    let mut tried: Vec<Tried<'_, '_>> = first.tried(replay)?.into_iter().collect();
    goals.retain_mut(|goal| goal.may_be_asked_about(&tried));
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let mut asked = Asked::default();
    tried.extend(
        further
            .iter()
            .filter_map(|round| asked.note(round.tried(replay)))
            .flatten(),
    );
    let before = asked.note(before(replay));
    asked.all_known()?;
    let told = goals.into_iter().filter_map(|mut goal| {
        let may_be = goal.may_be_asked_about(&tried);
        let tests: Vec<&str> = goal.asked_about(&tried, before.filter(|_| may_be)?);
        (!tests.is_empty()).then(|| visible_only(&goal.check.id, &replay.trees.tree, openly(goal.check, &tests)))
    });
    Ok(told.collect())
}

/// The values that stand in lines of a file that are new, tests apart.
fn new_values(file: &ChangedFile) -> BTreeSet<SharedValue> {
    let after = file.text(Side::After);
    after.map_or_else(BTreeSet::new, |after| {
        code::new_values(&file.path, file.text(Side::Before), after)
    })
}

impl<'a> Goal<'a> {
    fn of(replay: &Replay<'a>, check: &'a Check) -> Self {
        Self {
            check,
            tests: tests_of(replay, check),
            changed: BTreeSet::new(),
        }
    }

    /// Whether what was tried so far leaves a question.
    fn may_be_asked_about(&mut self, tried: &[Tried<'_, '_>]) -> bool {
        if !tried.iter().all(|tried| tried.says_the_same(&self.changed)) {
            self.changed.clear();
        }
        !self.changed.is_empty() || !self.known_by_heart(tried).is_empty()
    }

    /// Its tests that show that the work is there for their values alone.
    fn asked_about(&self, tried: &[Tried<'_, '_>], before: &Trial) -> Vec<&'a str> {
        let failed: BTreeSet<&str> = before.failed().map(|failed| without_case(&failed.id)).collect();
        // A name that nobody knows is refused like any other.
        let is_looked_at = |test: &&&str| failed.contains(**test) && has_several_answers(tried, test);
        match self.changed.iter().any(|test| is_looked_at(&test)) {
            true => self.changed.iter().copied().collect(),
            false => {
                let known = self.known_by_heart(tried);
                let failed: Vec<&str> = known.into_iter().filter(|test| failed.contains(test)).collect();
                match tells_enough(tried, &failed) {
                    true => failed,
                    false => Vec::new(),
                }
            }
        }
    }

    /// Those of its tests that say the same of both trees whenever they ask for
    /// something else, if together they name enough that has no other name.
    fn known_by_heart(&self, tried: &[Tried<'_, '_>]) -> Vec<&'a str> {
        let names: BTreeSet<&str> = self.tests.iter().map(|test| without_case(&test.id)).collect();
        let is_same = |name: &&str| tried.iter().all(|tried| tried.says_the_same_of_others(name));
        let same: Vec<&str> = names.into_iter().filter(is_same).collect();
        match tells_enough(tried, &same) {
            true => same,
            false => Vec::new(),
        }
    }
}

/// Whether these tests together name enough that has no other name.
fn tells_enough(tried: &[Tried<'_, '_>], tests: &[&str]) -> bool {
    tried.first().is_some_and(|tried| tried.round.tells_enough(tests))
}

/// Whether a test looks at what is answered: it says something else of another
/// question.
fn has_several_answers(tried: &[Tried<'_, '_>], test: &str) -> bool {
    let answers: BTreeSet<Vec<String>> = tried.iter().map(|tried| tried.answers(test)).collect();
    answers.len() > 1
}
