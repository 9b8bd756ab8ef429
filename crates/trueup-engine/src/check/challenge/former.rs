//! The base's tests, over the code as it is now.

use super::{
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Allowed, Ran, Ways, Written, digest, found_in, written},
    room::Lay,
};
use trueup_core::{
    criterion::Role,
    objection::{About, Objection},
};
use trueup_inspect::{
    code::{self, Touched, is_test_path, with_tests_of},
    report::Test,
};

impl Checks {
    /// Tests that were changed and, as they stood before, fail on the new code;
    /// and tests that pass only by what was put beside them.
    pub(super) async fn former(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Objection>, Halt> {
        let mut touched: Vec<&File> = scene.files.iter().filter(|file| former_of(file).is_some()).collect();
        if subject.now.is_none() && subject.first.role == Role::Goal {
            // Without a report, a check that selects a new test is red for its absence.
            return Ok(Vec::new());
        }
        let mut lays: Vec<Lay> = touched.iter().filter_map(|file| former_of(file)).collect();
        lays.extend(moved(&scene.files));
        // Without a report nobody sees which tests are left out by what was put beside them.
        if subject.now.is_none() || !subject.mended().is_empty() {
            let added = scene.files.iter().filter(|file| is_added_test(file));
            touched.extend(added.clone());
            lays.extend(added.map(|file| Lay::of(file, Side::Before)));
        }
        if lays.is_empty() {
            return Ok(Vec::new());
        }
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        let told = by_report(scene, subject, &seen);
        Ok(match (told.is_empty(), is_whole(scene, subject, &seen)) {
            (false, _) | (true, true) => told,
            (true, false) => by_exit(scene, &blamed(touched), &seen),
        })
    }
}

fn is_added_test(file: &File) -> bool {
    is_test_path(&file.path) && file.before.is_none() && file.after.is_some()
}

/// New files of tests that have the name of one that is laid back, or hold
/// nothing but its tests: some runners refuse two of a name.
fn moved(files: &[File]) -> Vec<Lay> {
    let name = |file: &File| file.path.rsplit('/').next().unwrap_or_default().to_owned();
    let is_gone = |file: &&File| is_test_path(&file.path) && file.before.is_some() && file.after.is_none();
    let gone: Vec<File> = files.iter().filter(is_gone).cloned().collect();
    let names: Vec<String> = gone.iter().map(name).collect();
    let old = written(&gone, Side::Before);
    let is_moved = |file: &&File| {
        let tests = written(std::slice::from_ref(*file), Side::After);
        let stood = |test: &Written| old.iter().any(|old| old.key == test.key);
        names.contains(&name(file)) || !tests.is_empty() && tests.iter().all(stood)
    };
    let moved = files.iter().filter(|file| is_added_test(file)).filter(is_moved);
    moved.map(|file| Lay::of(file, Side::Before)).collect()
}

/// Whether it told of every test that was there before, and passes now or is
/// gone unallowed.
fn is_whole(scene: &Scene, subject: &Subject<'_>, seen: &Seen) -> bool {
    let allowed = Allowed(&scene.wish.allow);
    let (before, now, former) = (
        Ran::of(subject.before.as_ref()),
        Ran::of(subject.now.as_ref()),
        Ran::of(seen.tests()),
    );
    let is_due = |test: &&Test| {
        let is_gone = now.lacks(&test.id) && allowed.test(About::TestGone, &test.id, test.file.as_deref()).is_none();
        is_gone || now.way(&test.id) == Some(Ways::Passed)
    };
    subject.now.is_some() && before.that_ran().filter(is_due).all(|test| !former.lacks(&test.id))
}

/// The tests that fail as they stood, and pass as they stand or do not stand
/// there any more: one that was moved may speak of something else now.
fn by_report(scene: &Scene, subject: &Subject<'_>, seen: &Seen) -> Vec<Objection> {
    let allowed = Allowed(&scene.wish.allow);
    let (before, now) = (Ran::of(subject.before.as_ref()), Ran::of(subject.now.as_ref()));
    let former = Ran::of(seen.tests());
    let (old, new) = (written(&scene.files, Side::Before), written(&scene.files, Side::After));
    let fails = |test: &&Test| {
        let hides = now.way(&test.id) == Some(Ways::Passed) || now.lacks(&test.id);
        former.way(&test.id) == Some(Ways::Failed) && hides
    };
    let objection = |test: &Test| {
        let about = About::TestChanged;
        let (was, is) = (found_in(test, &old), found_in(test, &new));
        let file = test.file.clone().or_else(|| Some(was.first()?.path.clone()));
        let bytes = file.as_ref().and_then(|path| after(scene, path)).unwrap_or_default();
        let is_same = was.iter().all(|was| is.iter().any(|is| is.key == was.key));
        let what = if now.lacks(&test.id) {
            "this test stands elsewhere now or is gone; as it stood before, it fails on the new code: mend the code"
        } else if is_same {
            "this test passes only by what was changed or put among the tests: do the work in the code"
        } else {
            "this test was changed; as it stood before, it fails on the new code: put it back as it was"
        };
        Objection {
            about,
            path: test.id.clone(),
            what: what.to_owned(),
            digest: digest(about, &[test.id.as_bytes(), bytes]),
            allowed: allowed.test(about, &test.id, file.as_deref()),
        }
    };
    before.that_ran().filter(fails).map(objection).collect()
}

/// Those of these files that most likely decide whether others are run: a new
/// file of nothing but tests is blamed only where there is no other.
fn blamed(touched: Vec<&File>) -> Vec<&File> {
    let holds_tests = |file: &File| !written(std::slice::from_ref(file), Side::After).is_empty();
    let is_support = |file: &&&File| !(is_added_test(file) && holds_tests(file));
    let support: Vec<&File> = touched.iter().filter(is_support).copied().collect();
    if support.is_empty() { touched } else { support }
}

/// Nothing tells which test failed, so it is said of the files.
fn by_exit(scene: &Scene, touched: &[&File], seen: &Seen) -> Vec<Objection> {
    if matches!(seen.ran.ended, Ok(0)) {
        return Vec::new();
    }
    let allowed = Allowed(&scene.wish.allow);
    let about = About::TestChanged;
    let objection = |file: &&File| Objection {
        about,
        path: file.path.clone(),
        what: match file.before {
            Some(_) => {
                "the tests in this file were changed; as they stood before, the check fails on the new code: \
                 put them back as they were"
            }
            None => {
                "without this file, which was put among the tests, those that were there fail: do the work in the code"
            }
        }
        .to_owned(),
        digest: digest(about, &[file.path.as_bytes(), file.after.as_deref().unwrap_or(b"\0")]),
        allowed: allowed
            .test(about, &file.path, Some(&file.path))
            .or_else(|| all_lost_are_allowed(file, &allowed)),
    };
    touched.iter().map(objection).collect()
}

/// The word that allows the loss of the last test that a file lost, if every
/// such loss is allowed: then the file as it stood speaks of what may be gone.
fn all_lost_are_allowed(file: &File, allowed: &Allowed<'_>) -> Option<String> {
    let one = std::slice::from_ref(file);
    let (old, new) = (written(one, Side::Before), written(one, Side::After));
    let lost = old.iter().filter(|old| !new.iter().any(|new| new.key == old.key));
    let words = lost.map(|lost| {
        let id = format!("{}::{}", file.path, lost.item.name);
        allowed.test(About::TestGone, &id, None)
    });
    words.collect::<Option<Vec<String>>>()?.pop()
}

fn after<'a>(scene: &'a Scene, path: &str) -> Option<&'a [u8]> {
    let file = scene.files.iter().find(|file| file.path == path)?;
    file.after.as_deref()
}

/// A file's tests as they stood, if they were changed or are gone.
fn former_of(file: &File) -> Option<Lay> {
    file.bytes(Side::Before)?;
    if is_test_path(&file.path) {
        return Some(Lay::of(file, Side::Before));
    }
    let (before, after) = (file.text(Side::Before), file.text(Side::After)?);
    match code::touched(&file.path, before, Some(after)) {
        Touched::Tests | Touched::Both => {
            let made = with_tests_of(&file.path, Some(after), before)?;
            Some(Lay::whole(file.path.clone(), made))
        }
        Touched::Code | Touched::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_of_tests_is_blamed_only_where_there_is_no_other() {
        let file = |path: &str, before: Option<&str>, after: &str| File {
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
