//! The base's tests, over the code as it is now.

use super::{
    replay::Replay,
    step::{Ask, On, Overlay},
};
use crate::{
    changes::{Allowed, ChangedFile, Side, TestItem, expectation, file_of, found_in, gone_tests, is_meant, test_items},
    code::{self, Touched, is_test_path, with_tests_of},
    report::Test,
};
use std::slice;
use trueup_core::{
    criterion::Role,
    judge::{FormerFile, FormerTest, Trial, former_tests_by_exit, former_tests_by_report, gone_unseen, tells_of_all},
    objection::{Objection, ObjectionKind},
};

/// Tests that were changed and, as they stood before, fail on the new code; and
/// tests that pass only by what was put beside them.
pub(super) fn former(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let subject = replay.subject;
    if subject.now.is_none() && subject.first.role == Role::Goal {
        // Without a report, a check that selects a new test is red for its absence.
        return Ok(Vec::new());
    }
    let files = &replay.trees.files;
    let mut touched: Vec<&ChangedFile> = files.iter().filter(|file| former_of(file).is_some()).collect();
    let mut overlay: Vec<Overlay> = touched.iter().filter_map(|file| former_of(file)).collect();
    overlay.extend(moved(files));
    // Without a report nobody sees which tests are left out by what was put beside them.
    if subject.now.is_none() || !subject.mended().is_empty() {
        let added = files.iter().filter(|file| is_added_test(file));
        touched.extend(added.clone());
        overlay.extend(added.map(|file| Overlay::of(file, Side::Before)));
    }
    if overlay.is_empty() {
        return Ok(gone(replay, None));
    }
    let trial = replay.trial("former tests", On::Tree, overlay)?;
    let mut told = by_report(replay, trial);
    told.extend(gone(replay, Some(trial)));
    let is_asked = told.iter().any(|objection| objection.allowed.is_none());
    if is_asked || is_whole(replay, trial) {
        return Ok(told);
    }
    let allowed = Allowed(&replay.trees.allow);
    let blamed: Vec<FormerFile<'_>> = blamed(touched)
        .into_iter()
        .map(|file| FormerFile {
            path: &file.path,
            was_there: file.before.is_some(),
            bytes: file.after.as_deref(),
            allowed: allowed
                .test(ObjectionKind::TestChanged, &file.path, Some(&file.path))
                .or_else(|| all_lost_are_allowed(replay, file)),
        })
        .collect();
    told.extend(former_tests_by_exit(trial, &blamed));
    Ok(told)
}

fn is_added_test(file: &ChangedFile) -> bool {
    is_test_path(&file.path) && file.is_added()
}

/// New files of tests that have the name of one that is laid back, or hold
/// nothing but its tests: some runners refuse two of a name.
fn moved(files: &[ChangedFile]) -> Vec<Overlay> {
    let is_gone = |file: &&ChangedFile| is_test_path(&file.path) && file.before.is_some() && file.after.is_none();
    let gone: Vec<ChangedFile> = files.iter().filter(is_gone).cloned().collect();
    let old = test_items(&gone, Side::Before);
    let is_moved = |file: &&ChangedFile| {
        let tests = test_items(slice::from_ref(*file), Side::After);
        let stood = |test: &TestItem| old.iter().any(|old| old.key == test.key);
        gone.iter().any(|gone| gone.name() == file.name()) || !tests.is_empty() && tests.iter().all(stood)
    };
    let moved = files.iter().filter(|file| is_added_test(file)).filter(is_moved);
    moved.map(|file| Overlay::of(file, Side::Before)).collect()
}

/// Whether it told of every test that was there before, and passes now or is
/// gone without leave.
fn is_whole(replay: &Replay<'_>, trial: &Trial) -> bool {
    let allowed = Allowed(&replay.trees.allow);
    let may_be_gone = |test: &Test| {
        allowed
            .test(ObjectionKind::TestGone, &test.id, test.file.as_deref())
            .is_some()
    };
    let (before, now) = replay.reported();
    replay.subject.now.is_some() && tells_of_all(&before, &now, trial, may_be_gone)
}

fn by_report(replay: &Replay<'_>, trial: &Trial) -> Vec<Objection> {
    let allowed = Allowed(&replay.trees.allow);
    let (old, new) = replay.test_items();
    let (before, now) = replay.reported();
    former_tests_by_report(&before, &now, trial, |test| {
        let (was, is) = (found_in(test, old), found_in(test, new));
        let file = file_of(test, &was);
        let bytes = file.and_then(|path| replay.changed(path)?.after.as_deref());
        let is_gone = now.lacks(&test.id);
        let is_same = was.iter().all(|was| is.iter().any(|is| is.key == was.key));
        FormerTest {
            bytes: bytes.unwrap_or_default(),
            is_same,
            expectation: match (is_same, was.first(), is.first()) {
                (false, Some(was), Some(is)) => of_test(replay, was, is),
                (true, ..) | (_, None, _) | (_, _, None) => file.and_then(|path| of_file(replay, path)),
            },
            allowed: allowed
                .test(ObjectionKind::TestChanged, &test.id, file)
                // Whoever asks that a test changes does not ask that it goes.
                .or_else(|| asked_to_change(replay, |name| is_named(replay, name, &test.id)).filter(|_| !is_gone)),
        }
    })
}

/// Tests that are gone and were not seen to pass as they stood.
fn gone(replay: &Replay<'_>, trial: Option<&Trial>) -> Vec<Objection> {
    let (before, now) = replay.reported();
    if now.is_empty() {
        return Vec::new();
    }
    let allowed = Allowed(&replay.trees.allow);
    let (old, new) = replay.test_items();
    let gone = gone_tests(&before, &now, old, new).into_iter();
    let gone: Vec<(&Test, Option<String>)> = gone
        .map(|gone| {
            let (id, file) = (&gone.test.id, gone.file.as_deref());
            (gone.test, allowed.test(ObjectionKind::TestGone, id, file))
        })
        .collect();
    gone_unseen(&gone, trial)
}

/// What a test expected, and expects now.
fn of_test(replay: &Replay<'_>, was: &TestItem, is: &TestItem) -> Option<(String, String)> {
    let text = |one: &TestItem, side| replay.changed(&one.path)?.text(side)?.get(one.item.body.clone());
    expectation(text(was, Side::Before)?, text(is, Side::After)?)
}

/// The same of what stands beside tests: a table, a function that they share.
fn of_file(replay: &Replay<'_>, path: &str) -> Option<(String, String)> {
    let file = replay.changed(path)?;
    expectation(file.text(Side::Before)?, file.text(Side::After)?)
}

/// The goal that asks the run to change this test, in its own words.
fn asked_to_change(replay: &Replay<'_>, is_it: impl Fn(&str) -> bool) -> Option<String> {
    let name = replay.trees.to_change.iter().find(|name| is_it(name))?;
    Some(format!("test {name} of this run"))
}

/// Whether a name means a test of the base, or one whose case it is in Go.
fn is_named(replay: &Replay<'_>, name: &str, id: &str) -> bool {
    let before = replay.subject.before.iter();
    let mut named = before.flat_map(|before| before.named(name));
    named.any(|test| {
        id.strip_prefix(test.id.as_str())
            .is_some_and(|case| case.is_empty() || case.starts_with('/'))
    })
}

/// Whether nothing of a file differs but its tests.
fn is_tests_alone(file: &ChangedFile) -> bool {
    let rest = |side| {
        let text = file.text(side).unwrap_or_default();
        let mut rest = text.to_owned();
        let mut items: Vec<TestItem> = test_items(slice::from_ref(file), side);
        items.sort_by_key(|one| std::cmp::Reverse(one.item.span.start));
        for one in items {
            if rest.get(one.item.span.clone()).is_some() {
                rest.replace_range(one.item.span, "");
            }
        }
        rest.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    rest(Side::Before) == rest(Side::After)
}

/// Those of these files that most likely decide whether others are run: a new
/// file of nothing but tests is blamed only where there is no other.
fn blamed(touched: Vec<&ChangedFile>) -> Vec<&ChangedFile> {
    let holds_tests = |file: &ChangedFile| !test_items(slice::from_ref(file), Side::After).is_empty();
    let is_support = |file: &&&ChangedFile| !(is_added_test(file) && holds_tests(file));
    let support: Vec<&ChangedFile> = touched.iter().filter(is_support).copied().collect();
    if support.is_empty() { touched } else { support }
}

/// The word that allows the loss of the last test that a file lost, if every
/// such loss is allowed: then the file as it stood speaks of what may be gone.
fn all_lost_are_allowed(replay: &Replay<'_>, file: &ChangedFile) -> Option<String> {
    let allowed = Allowed(&replay.trees.allow);
    let one = slice::from_ref(file);
    let (old, new) = (test_items(one, Side::Before), test_items(one, Side::After));
    let lost = old.iter().filter(|old| !new.iter().any(|new| new.key == old.key));
    // A function that tests share is none that a goal names.
    let names = &replay.trees.to_change;
    let mut written = new.iter().filter(|new| !old.iter().any(|old| old.key == new.key));
    let all_are_meant = written.all(|new| names.iter().any(|name| is_meant(name, &file.path, &new.item.name)));
    let words = lost.map(|lost| {
        let id = format!("{}::{}", file.path, lost.item.name);
        let stays = new.iter().any(|new| new.item.name == lost.item.name);
        let is_meant = |name: &str| is_meant(name, &file.path, &lost.item.name);
        let asked = || asked_to_change(replay, is_meant).filter(|_| stays && is_tests_alone(file) && all_are_meant);
        allowed.test(ObjectionKind::TestGone, &id, None).or_else(asked)
    });
    words.collect::<Option<Vec<String>>>()?.pop()
}

/// A file's tests as they stood, if they were changed or are gone.
fn former_of(file: &ChangedFile) -> Option<Overlay> {
    file.bytes(Side::Before)?;
    if is_test_path(&file.path) {
        return Some(Overlay::of(file, Side::Before));
    }
    let (before, after) = (file.text(Side::Before), file.text(Side::After)?);
    match code::touched(&file.path, before, Some(after)) {
        Touched::Tests | Touched::Both => {
            let made = with_tests_of(&file.path, Some(after), before)?;
            Some(Overlay::text(&file.path, made))
        }
        Touched::Code | Touched::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_of_tests_is_blamed_only_where_there_is_no_other() {
        let file = |path: &str, before: Option<&str>, after: &str| ChangedFile {
            path: path.to_owned(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        };
        let tests = file("tests/test_a.py", None, "def test_a():\n    assert 1\n");
        let hook = file("tests/__init__.py", None, "def load_tests(*all):\n    return all\n");
        let changed = file("tests/test_b.py", Some(""), "def test_b():\n    assert 1\n");
        assert_eq!(blamed(vec![&tests]), [&tests]);
        assert_eq!(blamed(vec![&tests, &hook, &changed]), [&hook, &changed]);
    }
}
