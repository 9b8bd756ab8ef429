//! Tests of goals that are run otherwise than checks run them.
//!
//! All other sabotage changes files. Here the tree stays as it is. What is
//! around it changes, and tests are run twice in one process. No honest
//! answer hangs on either: code that knows how it is run, or how often, gives
//! itself away. Both are tried at once, and apart only where that is red.

use super::{
    replay::Replay,
    selection::{openly, tests_of},
    step::{Ask, Asked, Layout, On},
};
use crate::{report::Test, rules};
use trueup_core::{
    criterion::Check,
    judge::{RunOtherwise, Trial, here_only, once_only},
    objection::Objection,
};

/// How long it may take, a build included.
const PATIENCE_MS: u64 = 60_000;

/// What says of a place whose it is and what it is for, and what it says
/// elsewhere. Real tests do not hang on any of it.
const ELSEWHERE: [(&str, &str); 6] = [
    ("TZ", "Asia/Kathmandu"),
    ("LANG", "C.UTF-8"),
    ("HOSTNAME", "elsewhere"),
    ("TERM", "xterm-256color"),
    ("SHELL", "/bin/sh"),
    ("CI", "true"),
];

/// A goal, and the tests that make it.
type GoalTests<'a> = (&'a Check, Vec<&'a Test>);

/// A way to run tests otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As if in another place, for somebody else.
    Elsewhere,
    /// Twice in one process.
    Twice,
}

impl Way {
    const ALL: [Self; 2] = [Self::Elsewhere, Self::Twice];

    const fn word(self) -> &'static str {
        match self {
            Self::Elsewhere => "elsewhere",
            Self::Twice => "twice",
        }
    }

    /// A tree that is run so; nothing where its runner cannot be told.
    fn made(self, replay: &Replay<'_>, layout: Layout) -> Option<Layout> {
        match self {
            Self::Elsewhere => Some(away(replay, layout)),
            Self::Twice => twice(replay, layout),
        }
    }

    fn told(self, replay: &Replay<'_>, check: &Check, failing: &[&str]) -> Objection {
        let tree = &replay.trees.tree;
        let named = openly(check, failing);
        match self {
            Self::Elsewhere => here_only(&check.id, tree, named),
            Self::Twice => once_only(&check.id, tree, named),
        }
    }

    /// Goals whose tests fail by this alone, of those that failed by all at once.
    fn missed(self, replay: &Replay<'_>, at_once: &Trial, goals: &[GoalTests<'_>]) -> Result<Vec<Objection>, Ask> {
        let Some(apart) = self.made(replay, usual(replay)) else {
            return Ok(Vec::new());
        };
        let mut asked = Asked::default();
        let apart = asked.note(named(replay, self.word(), apart));
        let as_usual = asked.note(named(replay, "as usual", usual(replay)));
        let before = replay.subject.results_before();
        let on_base = self.made(replay, base(replay)).filter(|_| !before.is_empty());
        let name = format!("{}, on the base", self.word());
        let on_base = on_base.and_then(|layout| asked.note(named(replay, &name, layout)));
        asked.all_known()?;
        let (Some(apart), Some(as_usual)) = (apart, as_usual) else {
            return Ok(Vec::new());
        };
        let ran = RunOtherwise {
            otherwise: [at_once, apart],
            as_usual,
            base: on_base.map(|trial| (&before, trial)),
        };
        let told = goals.iter().filter_map(|(check, tests)| {
            let failing = tests.iter().map(|test| test.id.as_str());
            let failing: Vec<&str> = failing.filter(|id| ran.fails(id)).collect();
            (!failing.is_empty()).then(|| self.told(replay, check, &failing))
        });
        Ok(told.collect())
    }
}

/// Goals whose tests pass only where checks are run, or only once.
pub(super) fn otherwise(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals().into_iter();
    let goals = goals.map(|check| (check, tests_of(replay, check)));
    let goals: Vec<GoalTests<'_>> = goals.filter(|(_, tests)| !tests.is_empty()).collect();
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let all = Way::ALL.iter().fold(usual(replay), |layout, way| {
        way.made(replay, layout.clone()).unwrap_or(layout)
    });
    let at_once = named(replay, "otherwise", all)?;
    let mut tests = goals.iter().flat_map(|(_, tests)| tests);
    if !tests.any(|test| at_once.breaks(&test.id)) {
        return Ok(Vec::new());
    }
    let mut asked = Asked::default();
    let missed = Way::ALL.map(|way| asked.note(way.missed(replay, at_once, &goals)));
    asked.all_known()?;
    Ok(missed.into_iter().flatten().flatten().collect())
}

/// The tests of goals as checks run them: alone where that can be.
fn usual(replay: &Replay<'_>) -> Layout {
    let all = replay.subject.execution.argv.as_slice();
    Layout {
        argv: Some(replay.selected_argv().unwrap_or(all).to_vec()),
        patience_ms: Some(PATIENCE_MS),
        ..Layout::of(On::Tree, Vec::new())
    }
}

/// All tests of the base: those of goals may not be there to be selected.
fn base(replay: &Replay<'_>) -> Layout {
    Layout {
        on: On::Base,
        argv: Some(replay.subject.execution.argv.clone()),
        ..usual(replay)
    }
}

/// What was seen of a tree under this name.
fn named<'a>(replay: &Replay<'a>, name: &str, layout: Layout) -> Result<&'a Trial, Ask> {
    let name = name.to_owned();
    Ok(&replay.tried(Layout { name, ..layout })?.trial)
}

/// The tree, as if it lay elsewhere.
fn away(replay: &Replay<'_>, mut layout: Layout) -> Layout {
    // Who runs it there is nobody that code could know of.
    let user = format!("u{}", replay.learnt.word);
    let fixed = ELSEWHERE.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let named = ["USER", "LOGNAME"].map(|name| (name.to_owned(), user.clone()));
    layout.variables.extend(fixed.into_iter().chain(named));
    layout
}

/// The tree, with its tests run twice.
fn twice(replay: &Replay<'_>, mut layout: Layout) -> Option<Layout> {
    let runner = replay.subject.execution.kind.runner()?;
    let twice = rules::twice(runner, layout.argv.as_deref()?, &replay.learnt.word)?;
    layout.equip(twice);
    Some(layout)
}
