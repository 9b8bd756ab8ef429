//! The points a run passes, counted.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use trueup_testkit::{
    household::{Household, output},
    reference::{self, End, TASK},
};

/// The points one command passed, and where its run ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    names: Vec<String>,
    /// Where an undisturbed run ends, with every event it keeps and what it leaves.
    pub(crate) reference: Option<Reference>,
}

/// What an undisturbed run comes to.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) end: End,
    pub(crate) kept: Vec<serde_json::Value>,
    pub(crate) left: BTreeMap<String, &'static str>,
}

impl Points {
    /// The points an undisturbed run of this binary passes.
    pub(crate) fn of(binary: &Path, fault: Option<&str>) -> Self {
        let household = household(binary, fault);
        let log = household.folder().join("points");
        let mut run = household.command(&["run", TASK, "--json"]);
        let ended = output(run.env("TRUEUP_CRASH_LOG", &log));
        assert_eq!(ended.code, 0, "the undisturbed run: {ended:#?}");
        let mut points = Self::read(&log);
        points.reference = Some(Reference {
            end: End::of(&household, ended.code),
            kept: reference::kept(&household),
            left: reference::left(&household),
        });
        points
    }

    /// The points in a log.
    pub(crate) fn read(log: &Path) -> Self {
        let text = fs::read_to_string(log).unwrap_or_default();
        let numbered = text.lines().filter_map(|line| {
            let (number, name) = line.split_once(' ')?;
            Some((number.parse().ok()?, name.to_owned()))
        });
        // Two threads may count in one order and write in the other.
        let numbered: BTreeMap<u64, String> = numbered.collect();
        Self {
            names: numbered.into_values().collect(),
            reference: None,
        }
    }

    /// Every point.
    pub(crate) fn all(&self) -> Vec<u64> {
        self.chosen(|_| true)
    }

    /// Every point but those right after a git started, of which there are many.
    pub(crate) fn boundaries(&self) -> Vec<u64> {
        self.chosen(|name| !is_git(name))
    }

    /// The points right after a git started.
    pub(crate) fn gits(&self) -> Vec<u64> {
        self.chosen(is_git)
    }

    /// The points of this name.
    pub(crate) fn named(&self, wanted: &str) -> Vec<u64> {
        self.chosen(|name| name == wanted)
    }

    /// Every name, once.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names: BTreeSet<&str> = self.names.iter().map(String::as_str).collect();
        names.into_iter()
    }

    /// The name of a point.
    pub(crate) fn name(&self, number: u64) -> Option<&str> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.names.get(index).map(String::as_str)
    }

    /// The last point passed.
    pub(crate) fn last(&self) -> Option<&str> {
        self.names.last().map(String::as_str)
    }

    fn chosen(&self, wanted: impl Fn(&str) -> bool) -> Vec<u64> {
        let numbered = (1..).zip(&self.names);
        numbered
            .filter(|(_, name)| wanted(name))
            .map(|(number, _)| number)
            .collect()
    }
}

/// A household whose trueup has this fault, if it can.
pub(crate) fn household(binary: &Path, fault: Option<&str>) -> Household {
    let household = reference::household(binary, "0");
    match fault {
        Some(fault) => household.with_variable("TRUEUP_FAULT", fault),
        None => household,
    }
}

/// At most `most` of these, evenly. Whoever asks several times is the `turn`-th
/// `of` so many, and gets others each time.
pub(crate) fn spread(all: &[u64], most: usize, (turn, of): (usize, usize)) -> Vec<u64> {
    let most = most.min(all.len());
    let at = |number: usize| (number * of + turn) * all.len() / (most * of).max(1);
    (0..most).filter_map(|number| all.get(at(number)).copied()).collect()
}

fn is_git(name: &str) -> bool {
    name.starts_with("git.spawned")
}
