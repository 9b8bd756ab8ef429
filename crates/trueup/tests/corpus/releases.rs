//! Consecutive releases of packages whose archives hold their tests, from the
//! registries: one version is the base, the next one the work.

use crate::{
    change::Change,
    criteria::Goal,
    projects::{Origin, PACKAGES, Project, called, rows},
    suite::shell,
    verdict::{Verdict, hold, judged, judged_both},
};
use std::path::{Path, PathBuf};
use trueup_testkit::saboteurs::{Tools, two_at_a_time};

/// The pairs, which `.ci/run` installs: package, the two versions, and
/// how trueup takes them, with named tests and with tests of the run.
const RELEASES: &str = include_str!("releases.tsv");

/// Two versions of a package.
pub(crate) struct Pair {
    project: &'static Project,
    from: &'static str,
    to: &'static str,
    named: &'static str,
    own: &'static str,
}

pub(crate) fn pairs() -> Vec<Pair> {
    let pair = |[name, from, to, named, own]: [&'static str; 5]| Pair {
        project: called(PACKAGES, name),
        from,
        to,
        named,
        own,
    };
    rows(RELEASES).map(pair).collect()
}

impl Pair {
    /// The package and its two versions.
    pub(crate) fn name(&self) -> String {
        format!("{} {} to {}", self.project.name, self.from, self.to)
    }

    /// Where the two versions lie.
    pub(crate) fn trees(&self) -> [PathBuf; 2] {
        let release = |version: &str| folder().join(format!("{}-{version}", self.project.name));
        [release(self.from), release(self.to)]
    }

    fn change(&self) -> Change<'static> {
        let [from, to] = self.trees();
        let copy = |from: PathBuf, to: &Path| {
            let (from, to) = (from.display(), to.display());
            // What a build left in an archive is nobody's work.
            let left = "-name __pycache__ -prune";
            let line = format!("cp -a {from}/. {to}/ && find {to} {left} -exec rm -rf {{}} +");
            shell(Path::new("/"), &line);
        };
        Change::laid(
            self.project,
            &format!("{} to {}", self.from, self.to),
            |before, after| {
                copy(from, before);
                copy(to, after);
            },
        )
    }
}

fn folder() -> PathBuf {
    Tools::find().folder().join(Origin::Registry.tools())
}

#[test]
fn consecutive_releases_are_taken_as_recorded() {
    let pairs = pairs();
    let tried = two_at_a_time(&pairs, |pair| {
        let change = pair.change();
        judged_both(&change, [pair.named, pair.own], |_, _| {})
    });
    hold(tried);
}

/// The harness can fail: the same release twice is no work.
#[test]
fn a_release_that_changes_nothing_is_not_verified() {
    let pairs = pairs();
    let pair = pairs.first().expect("a pair");
    let same = Pair {
        to: pair.from,
        project: pair.project,
        ..*pair
    };
    let change = same.change();
    let judged = judged(&change, &change.seen(), Goal::OwnTests, env!("CARGO_BIN_EXE_trueup"));
    assert_ne!(judged.verdict, Verdict::Verified, "{}", judged.told);
}
