//! Tests with one neighbour of each value, and what becomes of them.

use super::{
    Home,
    shared::{FEWEST, Shared, Telling},
};
use crate::{
    challenge::{
        over_base::laid_tests,
        replay::Replay,
        said::{gist, masked},
        step::{Ask, Asked, Layout, On, Overlay},
    },
    changes::{Side, is_called},
    code::{self, ItemKind, Neighbour, is_test_path, with_tests_of},
    report::Test,
    rules,
    test_id::without_parameters,
};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{judge::Trial, test_results::TestOutcome};

/// How long it may take, a build included.
const PATIENCE_MS: u64 = 60_000;

/// Files whose tests have other values.
pub(super) struct Round<'a> {
    nth: u32,
    files: Vec<(&'a Home<'a>, Neighbour)>,
    data: Vec<OtherData<'a>>,
    /// What of each test has no other name.
    telling: BTreeMap<&'a str, BTreeSet<Telling<'a>>>,
    /// The tests as they are.
    known: BTreeSet<&'a str>,
}

/// A file that tests read, with other values.
struct OtherData<'a> {
    path: &'a str,
    text: String,
    named: BTreeSet<Telling<'a>>,
}

/// What became of a round on both trees.
pub(super) struct Tried<'r, 'a> {
    pub(super) round: &'r Round<'r>,
    tree: &'a Trial,
    base: &'a Trial,
}

impl<'a> Round<'a> {
    /// The files with the nth neighbours; nothing where no test has one.
    pub(super) fn of(homes: &'a [Home<'a>], shared: &Shared<'a>, nth: u32) -> Option<Self> {
        let changed = homes.iter().filter_map(|home| {
            let is_meant = |name: &str| home.tests.iter().any(|test| is_called(&test.id, name));
            Some((
                home,
                code::neighbour(home.path, home.text, &shared.values, nth, is_meant)?,
            ))
        });
        let tests = homes.iter().flat_map(|home| &home.tests);
        let mut round = Self {
            nth,
            files: changed.collect(),
            data: shared
                .data
                .iter()
                .filter_map(|data| OtherData::of(data, shared, nth))
                .collect(),
            telling: BTreeMap::new(),
            known: tests.map(|test| test.id.as_str()).collect(),
        };
        homes.iter().for_each(|home| round.tell(home, shared));
        (!round.files.is_empty() || !round.telling.is_empty()).then_some(round)
    }

    /// Notes what of the tests of a file has no other name.
    fn tell(&mut self, home: &'a Home<'a>, shared: &Shared<'a>) {
        let other = self.files.iter().find(|(one, _)| one.path == home.path);
        let items = match self.data.is_empty() {
            true => Vec::new(),
            false => code::items(home.path, home.text).unwrap_or_default(),
        };
        for test in &home.tests {
            let values = other.iter().flat_map(|(_, other)| &other.tests);
            let values = values
                .filter(|(name, _)| is_called(&test.id, name))
                .flat_map(|(_, values)| values);
            let mut told: BTreeSet<Telling<'_>> = values.filter_map(|value| shared.telling(value)).collect();
            let items = items
                .iter()
                .filter(|item| item.sort == ItemKind::Test && is_called(&test.id, &item.name));
            for source in items.filter_map(|item| home.text.get(item.span.clone())) {
                let read = self.data.iter().filter(|data| source.contains(data.name()));
                told.extend(read.flat_map(|data| data.named.iter().cloned()));
            }
            if !told.is_empty() {
                self.telling.entry(without_case(&test.id)).or_default().extend(told);
            }
        }
    }

    /// Whether these tests together name enough that has no other name.
    pub(super) fn tells_enough(&self, tests: &[&str]) -> bool {
        let told = tests.iter().filter_map(|test| self.telling.get(test)).flatten();
        told.collect::<BTreeSet<&Telling<'_>>>().len() >= FEWEST
    }

    /// Those of these tests that have other values, without their cases.
    pub(super) fn changed<'t>(&self, tests: &[&'t Test]) -> BTreeSet<&'t str> {
        let is_changed = |test: &&&Test| {
            let mut files = self.files.iter();
            files.any(|(home, other)| {
                let is_here = home.tests.iter().any(|here| here.id == test.id);
                is_here && other.tests.keys().any(|name| is_called(&test.id, name))
            })
        };
        tests
            .iter()
            .filter(is_changed)
            .map(|test| without_case(&test.id))
            .collect()
    }

    /// What becomes of them, with the work and without it.
    pub(super) fn tried<'t>(&self, replay: &Replay<'t>) -> Result<Option<Tried<'_, 't>>, Ask> {
        let files = self.files.iter();
        let on_tree = files.map(|(home, other)| Overlay::text(home.path, other.source.clone()));
        let on_tree = Layout::of(On::Tree, on_tree.chain(self.other_data()).collect());
        let mut asked = Asked::default();
        let name = format!("neighbours {}", self.nth + 1);
        let tree = asked.note(trial(replay, &name, on_tree));
        let name = format!("{name}, on the base");
        let base = asked.note(trial(replay, &name, self.on_base(replay)));
        asked.all_known()?;
        Ok(tree.zip(base).map(|(tree, base)| Tried {
            round: self,
            tree,
            base,
        }))
    }

    /// The tests with other values over the base's code.
    fn on_base(&self, replay: &Replay<'_>) -> Layout {
        let is_other = |path: &str| {
            self.files.iter().any(|(home, _)| home.path == path) || self.data.iter().any(|data| data.path == path)
        };
        let mut files = tests_as_they_are(replay, is_other);
        files.extend(self.files.iter().filter_map(|(home, other)| {
            let source = match replay.changed(home.path) {
                Some(file) if !is_test_path(home.path) => {
                    with_tests_of(home.path, file.text(Side::Before), Some(&other.source))?
                }
                Some(_) | None => other.source.clone(),
            };
            Some(Overlay::text(home.path, source))
        }));
        files.extend(self.other_data());
        Layout::of(On::Base, files)
    }

    fn other_data(&self) -> impl Iterator<Item = Overlay> {
        self.data.iter().map(|data| Overlay::text(data.path, data.text.clone()))
    }

    fn values(&self) -> impl Iterator<Item = &String> {
        self.files.iter().flat_map(|(_, other)| &other.values)
    }
}

impl<'a> OtherData<'a> {
    fn of((path, text): &(&'a str, &'a str), shared: &Shared<'a>, nth: u32) -> Option<Self> {
        if shared.answers.is_empty() {
            if !shared.texts_tell {
                return None;
            }
            let (text, named) = code::neighbour_of_data(text, &shared.values, nth)?;
            let named: BTreeSet<Telling<'_>> = named.iter().filter_map(|value| shared.telling(value)).collect();
            return (!named.is_empty()).then_some(Self { path, text, named });
        }
        // Whatever the answers were written down for is asked in other words.
        let answer = shared.answers.get(path).map(|path| Telling::Answer(path));
        Some(Self {
            path,
            text: code::other_lines(text, nth),
            named: answer.into_iter().collect(),
        })
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

impl Tried<'_, '_> {
    /// Whether each of these tests is told of on both trees, and says the same.
    pub(super) fn says_the_same(&self, tests: &BTreeSet<&str>) -> bool {
        let (tree, base) = (said(self.tree, tests), said(self.base, tests));
        let told: BTreeSet<&str> = tree.keys().map(|id| without_case(id)).collect();
        self.could_run() && told == *tests && tree == base
    }

    /// Whether a test that asks for something else says the same of both trees.
    /// Cases that are called after their values are others only if their names are.
    pub(super) fn says_the_same_of_others(&self, test: &str) -> bool {
        let tests = BTreeSet::from([test]);
        let (mut tree, mut base) = (said(self.tree, &tests), said(self.base, &tests));
        let is_other = |id: &str| !self.round.known.contains(id);
        if tree.keys().any(|id| is_other(id)) {
            tree.retain(|id, _| is_other(id));
            base.retain(|id, _| is_other(id));
        }
        self.could_run() && !tree.is_empty() && tree == base
    }

    const fn could_run(&self) -> bool {
        self.tree.ended.is_ok() && self.base.ended.is_ok()
    }

    /// What a test says of the answers, whatever they are asked for.
    pub(super) fn answers(&self, test: &str) -> Vec<String> {
        let said = said(self.tree, &BTreeSet::from([test]));
        let said = said.into_values().flatten();
        let mut said: Vec<String> = said
            .map(|(outcome, gist)| format!("{outcome:?} {}", masked(&gist, self.round.values())))
            .collect();
        said.sort();
        said
    }
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
pub(super) fn without_case(id: &str) -> &str {
    let id = without_parameters(id);
    let begin = id.find("::Test").map(|at| at + "::".len());
    let case = begin.and_then(|begin| Some(begin + id.get(begin..)?.find('/')?));
    case.and_then(|end| id.get(..end)).unwrap_or(id)
}

/// The tests as they are over the base's code.
pub(super) fn before<'a>(replay: &Replay<'a>) -> Result<&'a Trial, Ask> {
    let layout = Layout::of(On::Base, tests_as_they_are(replay, |_| false));
    trial(replay, "values as they are, on the base", layout)
}

/// The run's own tests, without those that are laid otherwise.
fn tests_as_they_are(replay: &Replay<'_>, is_other: impl Fn(&str) -> bool) -> Vec<Overlay> {
    let files = replay.trees.files.iter();
    files
        .filter(|file| !is_other(&file.path))
        .filter_map(laid_tests)
        .collect()
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
