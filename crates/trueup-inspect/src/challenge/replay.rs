//! A plan that is made again and again, until it asks for nothing more.

use super::{
    derived::TestFile,
    places,
    step::{Ask, Attempt, Layout, On, Overlay, ProbeFindings},
    subject::Subject,
    tree_pair::TreePair,
};
use crate::changes::{ChangedFile, Side, TestItem, test_items};
use trueup_core::{criterion::Check, judge::Trial, kind::Runner, test_results::TestResults};

/// Everything that a plan is made from.
#[derive(Clone, Copy)]
pub(super) struct Replay<'a> {
    pub(super) trees: &'a TreePair,
    pub(super) subject: &'a Subject<'a>,
    pub(super) learnt: &'a ProbeFindings,
}

impl<'a> Replay<'a> {
    /// What was seen on a tree like this; it is made where it was not tried yet.
    pub(super) fn attempt(
        &self,
        name: &str,
        make: impl FnOnce(&str) -> Option<Layout>,
    ) -> Result<Option<&'a Attempt>, Ask> {
        if let Some(known) = self.learnt.attempts.get(name) {
            return Ok(Some(known));
        }
        match make(&self.learnt.word) {
            None => Ok(None),
            Some(made) => {
                let name = name.to_owned();
                self.tried(Layout { name, ..made }).map(Some)
            }
        }
    }

    /// What was seen with these files laid over a tree.
    pub(super) fn trial(&self, name: &str, on: On, files: Vec<Overlay>) -> Result<&'a Trial, Ask> {
        let (name, made) = (name.to_owned(), Layout::of(on, files));
        Ok(&self.tried(Layout { name, ..made })?.trial)
    }

    /// What was seen on this very tree.
    pub(super) fn tried(&self, layout: Layout) -> Result<&'a Attempt, Ask> {
        let known = self.learnt.attempts.get(&layout.name);
        known.ok_or_else(|| Ask::Run(vec![layout]))
    }

    /// The texts of those of these files of the tree that are text.
    pub(super) fn texts(&self, paths: Vec<String>) -> Result<Vec<(&'a str, &'a str)>, Ask> {
        let texts = &self.learnt.texts;
        if paths.iter().any(|path| !texts.contains_key(path)) {
            return Err(Ask::Read(paths));
        }
        let found = paths.iter().filter_map(|path| texts.get_key_value(path));
        let found = found.filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)));
        Ok(found.collect())
    }

    /// The files in which the check most likely finds what is laid, best first.
    pub(super) fn places(&self, runner: Runner) -> Result<&'a [TestFile], Ask> {
        let derived = &self.subject.derived;
        if let Some(known) = derived.places.get() {
            return Ok(known);
        }
        let texts = self.texts(places::wanted(self.trees, runner))?;
        let found = || places::places(self.trees, self.subject, runner, texts);
        Ok(derived.places.get_or_init(found))
    }

    /// What the checks reported on the base, and on the tree.
    pub(super) fn reported(&self) -> (TestResults, TestResults) {
        (self.subject.results_before(), self.subject.results_now())
    }

    /// The tests of files that differ: as they were, and as they are.
    pub(super) fn test_items(&self) -> (&'a [TestItem], &'a [TestItem]) {
        let files = &self.trees.files;
        let read = || (test_items(files, Side::Before), test_items(files, Side::After));
        let (old, new) = self.subject.derived.test_items.get_or_init(read);
        (old, new)
    }

    /// The file of this path, if it differs.
    pub(super) fn changed(&self, path: &str) -> Option<&'a ChangedFile> {
        self.trees.files.iter().find(|file| file.path == path)
    }

    /// Those that must miss what the run did as soon as it is taken away.
    pub(super) fn goals(&self) -> Vec<&'a Check> {
        self.subject.goals().collect()
    }
}
