//! Goals under the rules of the base.
//!
//! A person may allow that a configuration changes. A goal that passes by that
//! change alone shows nothing of the code: what a runner adds, defines or
//! replaces for tests is nowhere else.

use super::{
    replay::Replay,
    step::{Ask, On, Overlay},
};
use crate::{
    changes::{ChangedFile, Side},
    rules::{self, catalogue},
};
use trueup_core::{
    judge::{Trial, only_with},
    objection::{Objection, ObjectionKind},
    test_results::TestOutcome,
};

/// How much of a file sets rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
    /// All of it.
    Whole,
    /// Some of its keys.
    Keys,
}

/// Goals that turn red as soon as the files that set the rules are as they
/// were on the base.
pub(super) fn rules(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let files = &replay.trees.files;
    let (whole, keys) = (of(files, Share::Whole), of(files, Share::Keys));
    let goals = replay.goals();
    if whole.is_empty() || goals.is_empty() {
        return Ok(Vec::new());
    }
    let mut overlay: Vec<Overlay> = whole.iter().map(|file| Overlay::of(file, Side::Before)).collect();
    let trial = replay.trial("rules", On::Tree, overlay.clone())?;
    let mut red = trial.not_passed(goals);
    if fails_nothing_of_the_base(replay, trial) {
        return Ok(Vec::new());
    }
    // Rules may have gone from one file to another.
    if !red.is_empty() && !keys.is_empty() {
        overlay.extend(keys.iter().map(|file| Overlay::of(file, Side::Before)));
        red = replay.trial("rules and keys", On::Tree, overlay)?.not_passed(red);
    }
    let told = red.into_iter();
    Ok(told
        .map(|check| only_with(ObjectionKind::RulesOnly, &check.id, &changed_bytes(&whole)))
        .collect())
}

/// These files, with what they hold now.
pub(super) fn changed_bytes<'a>(files: &[&'a ChangedFile]) -> Vec<(&'a str, Option<&'a [u8]>)> {
    let files = files.iter();
    files.map(|file| (file.path.as_str(), file.after.as_deref())).collect()
}

/// Whether no test of the base that passes now is seen to fail. New tests may
/// need what came with them, a fixture say, and are tried over the base's code;
/// what cannot be loaded, for want of an alias say, shows nothing.
fn fails_nothing_of_the_base(replay: &Replay<'_>, trial: &Trial) -> bool {
    if replay.subject.before.is_none() || replay.subject.now.is_none() {
        return false;
    }
    let (before, now) = replay.reported();
    let passes = |id: &str| now.outcome(id) == Some(TestOutcome::Passed);
    let mut kept = before.that_ran().filter(|test| passes(&test.id));
    !kept.any(|test| trial.reports_failed(&test.id))
}

/// Of the files that differ, those that set rules by this much of them.
fn of(files: &[ChangedFile], share: Share) -> Vec<&ChangedFile> {
    files.iter().filter(|file| share_of(file) == Some(share)).collect()
}

fn share_of(file: &ChangedFile) -> Option<Share> {
    if is_of_checks(&file.path) || is_built_from(&file.path) {
        return None;
    }
    // Without a folder of tasks: what they ask is not asked of the tree. What a repository's own
    // packs ask about need not decide how tests run, and is not laid back.
    let (before, after) = (file.before.as_deref(), file.after.as_deref());
    let differences = rules::differences(catalogue(), &file.path, before, after, "");
    Some(match differences.first()?.key {
        None => Share::Whole,
        Some(_) => Share::Keys,
    })
}

/// Whether a file says which checks there are. They are taken from elsewhere.
fn is_of_checks(path: &str) -> bool {
    let mut parts = path.split('/').peekable();
    parts.any(|part| matches!(part, "trueup.toml" | "trueup.local.toml" | ".trueup"))
}

/// Whether a file belongs to what users get as much as the code does: without
/// a build script that code needs, nothing is built for anybody.
fn is_built_from(path: &str) -> bool {
    path.rsplit('/').next() == Some("build.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, before: Option<&str>, after: Option<&str>) -> ChangedFile {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        ChangedFile {
            path: path.to_owned(),
            before: bytes(before),
            after: bytes(after),
        }
    }

    #[test]
    fn rules_are_files_that_decide_how_tests_run_and_nothing_else() {
        let changed = |path: &str| share_of(&file(path, Some("[a]\nb = 1\n"), Some("[a]\nb = 2\n")));
        for path in ["vitest.config.ts", "tests/conftest.py", "Makefile", "pytest.ini"] {
            assert_eq!(changed(path), Some(Share::Whole), "{path}");
        }
        for path in [
            "src/price.ts",
            "tests/test_a.py",
            "trueup.toml",
            "a/trueup.local.toml",
            ".trueup/tasks/T-001.md",
            "Cargo.lock",
            "build.rs",
        ] {
            assert_eq!(changed(path), None, "{path}");
        }
        let keys = file(
            "pyproject.toml",
            Some(""),
            Some("[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
        );
        assert_eq!(share_of(&keys), Some(Share::Keys));
    }

    #[test]
    fn what_was_added_is_taken_away_and_what_is_gone_comes_back() {
        let added = file("conftest.py", None, Some("a"));
        let gone = file("pytest.ini", Some("b"), None);
        assert_eq!(Overlay::of(&added, Side::Before).bytes, None);
        assert_eq!(Overlay::of(&gone, Side::Before).bytes.as_deref(), Some(&b"b"[..]));
    }
}
