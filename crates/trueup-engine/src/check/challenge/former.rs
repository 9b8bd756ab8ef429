//! The base's tests, over the code as it is now.

use super::{
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Allowed, Ran, Ways, digest, found_in, written},
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
    /// Tests that were changed and, as they stood before, fail on the new code.
    pub(super) async fn former(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Objection>, Halt> {
        let changed: Vec<&File> = scene.files.iter().filter(|file| former_of(file).is_some()).collect();
        let lays: Vec<Lay> = changed.iter().filter_map(|file| former_of(file)).collect();
        if lays.is_empty() {
            return Ok(Vec::new());
        }
        if subject.now.is_none() && (subject.first.role == Role::Goal || !lost_bodies(&scene.files)) {
            // Without a report, a check that selects a new test is red for its absence.
            return Ok(Vec::new());
        }
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        Ok(match (&subject.now, seen.tests()) {
            (Some(_), Some(_)) => by_report(scene, subject, &seen),
            (Some(_), None) | (None, _) => by_exit(scene, &changed, &seen),
        })
    }
}

/// The tests that fail as they stood, and pass as they stand.
fn by_report(scene: &Scene, subject: &Subject<'_>, seen: &Seen) -> Vec<Objection> {
    let allowed = Allowed(&scene.wish.allow);
    let of = |report: Option<&trueup_inspect::report::Report>| {
        report.map_or_else(Ran::default, |report| Ran::of(std::slice::from_ref(report)))
    };
    let (before, now) = (of(subject.before.as_ref()), of(subject.now.as_ref()));
    let former = of(seen.tests());
    let old = written(&scene.files, Side::Before);
    let fails = |test: &&Test| former.way(&test.id) == Some(Ways::Failed) && now.way(&test.id) == Some(Ways::Passed);
    let objection = |test: &Test| {
        let about = About::TestChanged;
        let file = test
            .file
            .clone()
            .or_else(|| Some(found_in(test, &old).first()?.path.clone()));
        let bytes = file.as_ref().and_then(|path| after(scene, path)).unwrap_or_default();
        Objection {
            about,
            path: test.id.clone(),
            what: "this test was changed; as it stood before, it fails on the new code: put it back as it was"
                .to_owned(),
            digest: digest(about, &[test.id.as_bytes(), bytes]),
            allowed: allowed.test(about, &test.id, file.as_deref()),
        }
    };
    before.that_ran().filter(fails).map(objection).collect()
}

/// Nothing tells which test failed, so it is said of the files.
fn by_exit(scene: &Scene, changed: &[&File], seen: &Seen) -> Vec<Objection> {
    if matches!(seen.ran.ended, Ok(0)) {
        return Vec::new();
    }
    let allowed = Allowed(&scene.wish.allow);
    let about = About::TestChanged;
    let objection = |file: &&File| Objection {
        about,
        path: file.path.clone(),
        what: "the tests in this file were changed; as they stood before, the check fails on the new code: \
               put them back as they were"
            .to_owned(),
        digest: digest(about, &[file.path.as_bytes(), file.after.as_deref().unwrap_or(b"\0")]),
        allowed: allowed.test(about, &file.path, Some(&file.path)),
    };
    changed.iter().map(objection).collect()
}

fn after<'a>(scene: &'a Scene, path: &str) -> Option<&'a [u8]> {
    let file = scene.files.iter().find(|file| file.path == path)?;
    file.after.as_deref()
}

/// A file's tests as they stood, if they were changed or are gone.
fn former_of(file: &File) -> Option<Lay> {
    let before = file.before.as_ref()?;
    if is_test_path(&file.path) {
        return Some(Lay {
            path: file.path.clone(),
            bytes: Some(before.clone()),
        });
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

/// Whether a test of the base has no longer the body it had.
fn lost_bodies(files: &[File]) -> bool {
    let (old, new) = (written(files, Side::Before), written(files, Side::After));
    old.iter().any(|old| !new.iter().any(|new| new.key == old.key))
}
