//! What follows from two trees and from what was reported of them.
//!
//! Plans are made again and again, and reading thousands of tests takes longer
//! than running a few. So each of these is worked out once, by whichever probe
//! of a subject needs it first.

use super::{step::Layout, stubs::Functions};
use crate::{changes::TestItem, code::TopLevelChange};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};
use trueup_core::{id::CheckId, judge::RunTests};

/// What follows from two trees and from what was reported of them.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// Where failing tests can be laid.
    pub(super) places: OnceLock<Vec<TestFile>>,
    /// The tests of files that differ: as they were, and as they are.
    pub(super) test_items: OnceLock<(Vec<TestItem>, Vec<TestItem>)>,
    /// The tests that the base does not have.
    pub(super) fresh: OnceLock<Vec<Fresh>>,
    /// The run's own tests, by the checks that ask for them.
    pub(super) run_tests: OnceLock<BTreeMap<CheckId, RunTests>>,
    /// The tests that are run alone, if any are.
    pub(super) selection: OnceLock<Option<Selection>>,
    /// What the run did to code that is no test.
    pub(super) work: OnceLock<Work>,
    /// The tree with its functions as before, if some were there.
    pub(super) as_before: OnceLock<Option<Layout>>,
}

/// Tests that are run alone.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    /// The command that does so.
    pub(super) argv: Vec<String>,
    /// Their ids.
    pub(super) ids: Vec<String>,
}

/// A file of tests.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// Where it lies.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// Its tests, by the names it gives them.
    pub tests: Vec<String>,
    /// Those of them that the check reported to have passed, by their ids.
    pub passed: Vec<String>,
}

/// A test that the base does not have.
#[derive(Clone, Debug)]
pub(super) struct Fresh {
    /// Its id, or its name where nothing was reported.
    pub(super) id: String,
    /// The file it was found in, where nothing was reported.
    pub(super) path: Option<String>,
    /// The names it calls.
    pub(super) calls: BTreeSet<String>,
}

/// What a run did to code that is no test.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Functions that it changed.
    pub(super) functions: Vec<Functions>,
    /// Whether something differs that no stub can take away.
    pub(super) elsewhere: TopLevelChange,
}
