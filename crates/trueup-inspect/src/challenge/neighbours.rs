//! Tests of goals with values near those that they share with the new code.
//!
//! Code that does the work for the values of its tests alone has to name them.
//! What is right for other values nobody knows; but there such code does what
//! the base's does, and the tests say the same of both. Code that does the
//! work has another answer than before for one of them at least.

use super::{
    homes::{Home, homes},
    over_base::laid_tests,
    places,
    replay::Replay,
    said::{gist, masked},
    selection::{openly, tests_of},
    step::{Ask, Asked, Layout, On, Overlay},
};
use crate::{
    changes::{ChangedFile, Side, is_called},
    code::{self, Neighbour, SharedValue, is_test_path, with_tests_of},
    report::Test,
    rules,
    test_id::without_parameters,
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    criterion::Check,
    judge::{Trial, visible_only},
    objection::Objection,
    test_results::TestOutcome,
};

/// How many neighbours of each value are tried.
const NEIGHBOURS: u32 = 4;

/// How long it may take, a build included.
const PATIENCE_MS: u64 = 60_000;

/// Files whose tests have other values.
struct Round<'a> {
    nth: u32,
    files: Vec<(&'a Home<'a>, Neighbour)>,
}

/// What became of them on both trees.
struct Tried<'r, 'a> {
    round: &'r Round<'r>,
    tree: &'a Trial,
    base: &'a Trial,
}

/// Goals whose tests say the same of the base's code as soon as they ask for
/// values that the new code does not name.
pub(super) fn neighbours(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals().into_iter();
    let goals: Vec<(&Check, Vec<&Test>)> = goals.map(|check| (check, tests_of(replay, check))).collect();
    let tests: Vec<&Test> = goals.iter().flat_map(|(_, tests)| tests).copied().collect();
    let Some(runner) = replay.subject.execution.kind.runner().filter(|_| !tests.is_empty()) else {
        return Ok(Vec::new());
    };
    let values: BTreeSet<SharedValue> = replay.trees.files.iter().flat_map(new_values).collect();
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let texts = replay.texts(places::wanted(replay.trees, runner))?;
    let homes = homes(&texts, &tests);
    let rounds = (0..NEIGHBOURS).filter_map(|nth| Round::of(&homes, &values, nth));
    let rounds: Vec<Round<'_>> = rounds.collect();
    let Some((first, further)) = rounds.split_first() else {
        return Ok(Vec::new());
    };
    let changed = goals.into_iter().map(|(check, tests)| (check, first.changed(&tests)));
    let mut changed: Vec<(&Check, BTreeSet<&str>)> = changed.filter(|(_, tests)| !tests.is_empty()).collect();
    let mut tried: Vec<Tried<'_, '_>> = first.tried(replay)?.into_iter().collect();
    changed.retain(|(_, tests)| tried.iter().all(|first| first.says_the_same(tests)));
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let mut asked = Asked::default();
    tried.extend(
        further
            .iter()
            .filter_map(|round| asked.note(round.tried(replay)))
            .flatten(),
    );
    let before = asked.note(trial(replay, "values as they are, on the base", on_base(replay, &[])));
    asked.all_known()?;
    let told = changed.into_iter().filter_map(|(check, tests)| {
        let is_same = tried.iter().all(|tried| tried.says_the_same(&tests));
        let is_asked = is_same && before.is_some_and(|before| is_looked_at(&tried, before, &tests));
        let tests: Vec<&str> = tests.into_iter().collect();
        is_asked.then(|| visible_only(&check.id, &replay.trees.tree, openly(check, &tests)))
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

impl<'a> Round<'a> {
    /// The files with the nth neighbours; nothing where no test has one.
    fn of(homes: &'a [Home<'a>], values: &BTreeSet<SharedValue>, nth: u32) -> Option<Self> {
        let changed = homes.iter().filter_map(|home| {
            let is_meant = |name: &str| home.tests.iter().any(|test| is_called(&test.id, name));
            Some((home, code::neighbour(home.path, home.text, values, nth, is_meant)?))
        });
        let files: Vec<(&Home<'_>, Neighbour)> = changed.collect();
        (!files.is_empty()).then_some(Self { nth, files })
    }

    /// Those of these tests that have other values, without their cases.
    fn changed<'t>(&self, tests: &[&'t Test]) -> BTreeSet<&'t str> {
        let is_changed = |test: &&&Test| {
            let mut files = self.files.iter();
            files.any(|(home, other)| {
                let is_here = home.tests.iter().any(|here| here.id == test.id);
                is_here && other.tests.iter().any(|name| is_called(&test.id, name))
            })
        };
        tests
            .iter()
            .filter(is_changed)
            .map(|test| without_case(&test.id))
            .collect()
    }

    /// What becomes of them, with the work and without it.
    fn tried<'t>(&self, replay: &Replay<'t>) -> Result<Option<Tried<'_, 't>>, Ask> {
        let files = self.files.iter();
        let on_tree = files.map(|(home, other)| Overlay::text(home.path, other.source.clone()));
        let on_tree = Layout::of(On::Tree, on_tree.collect());
        let mut asked = Asked::default();
        let name = format!("neighbours {}", self.nth + 1);
        let tree = asked.note(trial(replay, &name, on_tree));
        let name = format!("{name}, on the base");
        let base = asked.note(trial(replay, &name, on_base(replay, &self.files)));
        asked.all_known()?;
        Ok(tree.zip(base).map(|(tree, base)| Tried {
            round: self,
            tree,
            base,
        }))
    }

    fn values(&self) -> impl Iterator<Item = &String> {
        self.files.iter().flat_map(|(_, other)| &other.values)
    }
}

impl Tried<'_, '_> {
    /// Whether each of these tests is told of on both trees, and says the same.
    fn says_the_same(&self, tests: &BTreeSet<&str>) -> bool {
        let (tree, base) = (said(self.tree, tests), said(self.base, tests));
        let told: BTreeSet<&str> = tree.keys().map(|id| without_case(id)).collect();
        let could_run = self.tree.ended.is_ok() && self.base.ended.is_ok();
        could_run && told == *tests && tree == base
    }

    /// What a test says of the answers, whatever they are asked for.
    fn answers(&self, test: &str) -> Vec<String> {
        let said = said(self.tree, &BTreeSet::from([test]));
        let said = said.into_values().flatten();
        let mut said: Vec<String> = said
            .map(|(outcome, gist)| format!("{outcome:?} {}", masked(&gist, self.round.values())))
            .collect();
        said.sort();
        said
    }
}

/// Whether one of these tests failed before the work and looks at what is
/// answered: it says something else of another question. A name that nobody
/// knows is refused like any other.
fn is_looked_at(tried: &[Tried<'_, '_>], before: &Trial, tests: &BTreeSet<&str>) -> bool {
    tests.iter().any(|test| {
        let mut told = before.failed().map(|failed| without_case(&failed.id));
        let answers: BTreeSet<Vec<String>> = tried.iter().map(|tried| tried.answers(test)).collect();
        told.any(|failed| failed == *test) && answers.len() > 1
    })
}

/// How each of these tests ended, and what it said.
fn said<'t>(trial: &'t Trial, tests: &BTreeSet<&str>) -> BTreeMap<&'t str, Vec<(TestOutcome, String)>> {
    let mut said: BTreeMap<&str, Vec<(TestOutcome, String)>> = BTreeMap::new();
    for test in trial.tests.iter().filter(|test| tests.contains(without_case(&test.id))) {
        let told = said.entry(test.id.as_str()).or_default();
        told.push((test.outcome, gist(&test.message)));
    }
    said
}

/// An id without the case of a table that it may be of: cases are called after
/// their values.
fn without_case(id: &str) -> &str {
    let id = without_parameters(id);
    let begin = id.find("::Test").map(|at| at + "::".len());
    let case = begin.and_then(|begin| Some(begin + id.get(begin..)?.find('/')?));
    case.and_then(|end| id.get(..end)).unwrap_or(id)
}

/// The tests as they are, these files among them, over the base's code.
fn on_base(replay: &Replay<'_>, other: &[(&Home<'_>, Neighbour)]) -> Layout {
    let is_other = |path: &str| other.iter().any(|(home, _)| home.path == path);
    let files = replay.trees.files.iter();
    let mut files: Vec<Overlay> = files
        .filter(|file| !is_other(&file.path))
        .filter_map(laid_tests)
        .collect();
    files.extend(other.iter().filter_map(|(home, other)| {
        let source = match replay.changed(home.path) {
            Some(file) if !is_test_path(home.path) => {
                with_tests_of(home.path, file.text(Side::Before), Some(&other.source))?
            }
            Some(_) | None => other.source.clone(),
        };
        Some(Overlay::text(home.path, source))
    }));
    Layout::of(On::Base, files)
}

/// What was seen of a tree whose tests tell what they compare.
fn trial<'a>(replay: &Replay<'a>, name: &str, made: Layout) -> Result<&'a Trial, Ask> {
    let all = replay.subject.execution.argv.as_slice();
    let argv = replay.selected_argv().unwrap_or(all);
    let mut layout = Layout {
        name: name.to_owned(),
        argv: Some(argv.to_vec()),
        patience_ms: Some(PATIENCE_MS),
        ..made
    };
    let runner = replay.subject.execution.kind.runner();
    let outspoken = runner.and_then(|runner| rules::outspoken(runner, argv, &replay.learnt.word, &replay.trees.paths));
    if let Some(outspoken) = outspoken {
        layout.equip(outspoken);
    }
    Ok(&replay.tried(layout)?.trial)
}
