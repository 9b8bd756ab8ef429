//! Commits of real projects, from clones that nobody but the machine keeps:
//! `TRUEUP_CORPUS` holds them as `OWNER/NAME`, and what was seen is written there.

use crate::{
    change::Change,
    criteria::Goal,
    projects::{CLONES, Project, called, rows},
    suite::shell,
    verdict::{Judged, hold, judged_both},
};
use std::{
    collections::BTreeSet,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
};
use trueup_testkit::saboteurs::two_at_a_time;

/// The commits, and how trueup takes them, with named tests and with tests of
/// the run; `?` where nobody looked yet.
const COMMITS: &str = include_str!("commits.tsv");

/// A commit, and what is known of it.
pub(crate) struct Commit {
    pub(crate) project: &'static Project,
    pub(crate) id: &'static str,
    pub(crate) named: &'static str,
    own: &'static str,
}

pub(crate) fn commits() -> Vec<Commit> {
    let commit = |[name, id, named, own]: [&'static str; 4]| Commit {
        project: called(CLONES, name),
        id,
        named,
        own,
    };
    rows(COMMITS).map(commit).collect()
}

impl Commit {
    fn change(&self, clones: &Path) -> Change<'static> {
        let clone = clones.join(self.project.name);
        Change::laid(self.project, self.id, |before, after| {
            export(&clone, &format!("{}^", self.id), before);
            export(&clone, self.id, after);
        })
    }
}

/// Lays the tree of a commit into a folder.
pub(crate) fn export(clone: &Path, commit: &str, to: &Path) {
    let (clone, to) = (clone.display(), to.display());
    shell(
        Path::new("/"),
        &format!("git -C {clone} archive {commit} | tar -x -C {to}"),
    );
}

pub(crate) fn clones() -> PathBuf {
    let folder = env::var_os("TRUEUP_CORPUS").map(PathBuf::from);
    folder.expect("TRUEUP_CORPUS names a folder of clones, OWNER/NAME each; see CONTRIBUTING.md")
}

#[test]
fn every_commit_is_named_once_and_of_a_known_project() {
    let commits = commits();
    let ids: BTreeSet<(&str, &str)> = commits.iter().map(|one| (one.project.name, one.id)).collect();
    assert_eq!(ids.len(), commits.len());
}

#[test]
#[ignore = "needs clones, and hours: just corpus"]
fn honest_commits_are_taken_as_recorded() {
    let clones = clones();
    let begin = env::var("TRUEUP_TEST_CASE").unwrap_or_default();
    let all = commits();
    let is_meant = |one: &&Commit| format!("{} {}", one.project.name, one.id).starts_with(&begin);
    let taken: Vec<&Commit> = all.iter().filter(is_meant).collect();
    let tried = two_at_a_time(&taken, |commit| {
        let change = commit.change(&clones);
        judged_both(&change, [commit.named, commit.own], |judged, goal| {
            keep(&clones, judged, goal)
        })
    });
    hold(tried);
}

/// Writes down what was seen, for whoever judges the questions.
fn keep(clones: &Path, judged: &Judged, goal: Goal) {
    let Judged {
        name,
        verdict,
        took,
        guard,
        told,
        ..
    } = judged;
    let folder = clones.join("told");
    fs::create_dir_all(&folder).expect("a folder");
    let file = format!("{}-{goal:?}.txt", name.replace(['/', ' '], "-"));
    fs::write(folder.join(file), format!("{verdict}\n{told}")).expect("a file");
    let mut table = fs::File::options()
        .create(true)
        .append(true)
        .open(clones.join("verdicts.tsv"))
        .expect("a file");
    writeln!(
        table,
        "{name}\t{goal:?}\t{verdict}\t{:.1}\t{:.1}",
        took.as_secs_f64(),
        guard.as_secs_f64()
    )
    .expect("a line");
}
