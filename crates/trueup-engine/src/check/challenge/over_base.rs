//! Tests that are new, over the code that was there before.
//!
//! A test that never failed proves nothing. One that passes there is tried
//! once more without the functions it names: it may speak of what was there.

use super::{
    Tried,
    canary::{listed, tried},
    stub::lay,
    subject::Subject,
    trial::{On, Scene, Seen},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Ran, Ways, Written, found_in, written},
    room::Lay,
    word::unguessable,
};
use std::collections::BTreeSet;
use trueup_core::{control::Turned, evidence::Saw};
use trueup_inspect::{
    code::{self, Language, Stub, Touched, is_test_path, with_tests_of},
    report::{Report, Test},
};

/// How many files are looked through for functions.
const MOST_FILES: usize = 3000;

/// What tests did over the code that was there before.
pub(super) struct OverBase {
    /// As a control.
    pub(super) tried: Tried,
    /// What was seen, if anything was executed.
    pub(super) seen: Option<Seen>,
}

/// A test that the base does not have.
struct Fresh {
    /// Its id, or its name where nothing was reported.
    id: String,
    /// The names it calls.
    calls: BTreeSet<String>,
}

/// Which functions are taken away.
enum Reach<'a> {
    /// Those of these names.
    Named(&'a BTreeSet<String>),
    /// All.
    All,
}

impl Checks {
    pub(super) async fn over_base(&self, scene: &Scene, subject: &Subject<'_>) -> Result<OverBase, Halt> {
        let mut fresh = fresh(scene, subject);
        let ids = fresh.iter().map(|test| test.id.clone()).collect();
        let cases = self.cases_of_old(scene, subject, ids).await?;
        fresh.retain(|test| !cases.contains(&test.id));
        if fresh.is_empty() {
            let why = "no test of this check is new".to_owned();
            let tried = self.untried(Turned::Nothing { why })?;
            return Ok(OverBase { tried, seen: None });
        }
        let seen = self.seen_over_base(scene, subject).await?;
        let names: Vec<String> = fresh.iter().map(|test| test.id.clone()).collect();
        let mut tried = tried(listed(&names), Turned::Green, &seen);
        tried.turned = match &seen.ran.ended {
            Err(Saw::TimedOut | Saw::CannotRun { .. }) => Turned::Otherwise {
                why: "the new tests could not be run over the code that was there before".to_owned(),
            },
            Ok(_) | Err(_) => {
                let by = tried.about.clone();
                let left: Vec<&Fresh> = fresh.iter().filter(|test| !fails(&seen, &test.id)).collect();
                match self.never_failed(scene, subject, left, &mut tried).await? {
                    left if left.is_empty() => Turned::Red { by },
                    left => {
                        tried.about = listed(&left);
                        Turned::Green
                    }
                }
            }
        };
        Ok(OverBase {
            tried,
            seen: Some(seen),
        })
    }

    /// The tests as they are, over the code as it was.
    pub(super) async fn seen_over_base(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Seen, Halt> {
        let lays: Vec<Lay> = scene.files.iter().filter_map(tests_over_base).collect();
        self.attempt(scene, subject, On::Base, &lays).await
    }

    /// Those that also pass without what they call.
    async fn never_failed(
        &self,
        scene: &Scene,
        subject: &Subject<'_>,
        mut left: Vec<&Fresh>,
        tried: &mut Tried,
    ) -> Result<Vec<String>, Halt> {
        if left.is_empty() {
            return Ok(Vec::new());
        }
        let token = format!("trueup_stub_{}", unguessable()?);
        let calls: BTreeSet<String> = left.iter().flat_map(|test| test.calls.clone()).collect();
        let code = self.code(scene).await?;
        // A test that asks for a failure is told apart by a default value. Where
        // a test goes through other programs, it names nothing that is known:
        // then all is taken away, and it must be the test itself that fails.
        for (reach, stub) in [
            (Reach::Named(&calls), Stub::Failing(&token)),
            (Reach::Named(&calls), Stub::Defaulting),
            (Reach::All, Stub::Failing(&token)),
        ] {
            if matches!(reach, Reach::All) && subject.now.is_none() {
                continue;
            }
            let functions: Vec<_> = code.iter().filter_map(|file| reached(file, &reach)).collect();
            let (lays, _) = lay(&functions, stub);
            if left.is_empty() || lays.is_empty() {
                continue;
            }
            let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
            tried.took_ms += seen.took_ms;
            left.retain(|test| match reach {
                Reach::Named(_) => !fails(&seen, &test.id),
                Reach::All => !fails_itself(&seen, &test.id),
            });
        }
        Ok(left.into_iter().map(|test| test.id.clone()).collect())
    }

    /// The code of the tree that is no test.
    async fn code(&self, scene: &Scene) -> Result<Vec<(String, String)>, Halt> {
        let code = scene
            .paths
            .iter()
            .filter(|path| Language::of(path).is_some() && !is_test_path(path));
        self.texts(scene, code.take(MOST_FILES).cloned().collect()).await
    }
}

/// The functions of a file that are to be taken away.
fn reached((path, text): &(String, String), reach: &Reach<'_>) -> Option<(String, String, Vec<String>)> {
    if let Reach::Named(names) = reach
        && !names.iter().any(|name| text.contains(name.as_str()))
    {
        return None;
    }
    let is_reached = |name: &str| match reach {
        // A class is reached by its own name, through its methods.
        Reach::Named(names) => name.split([':', '.']).any(|part| names.contains(part)),
        Reach::All => true,
    };
    let items = code::items(path, text)?.into_iter();
    let functions: Vec<String> = items
        .filter(|item| item.sort == code::Sort::Function && is_reached(&item.name))
        .map(|item| item.name)
        .collect();
    (!functions.is_empty()).then(|| (path.clone(), text.clone(), functions))
}

/// Whether a test was seen to fail: it is reported so, or it is not there and
/// something went wrong, as where its file does not load.
fn fails(seen: &Seen, id: &str) -> bool {
    let is_red = !matches!(seen.ran.ended, Ok(0));
    let ran = seen.tests().map(|report| Ran::of([report]));
    match ran.and_then(|ran| ran.way(id)) {
        Some(Ways::Failed) => true,
        Some(Ways::Passed | Ways::Skipped) => false,
        None => is_red,
    }
}

fn fails_itself(seen: &Seen, id: &str) -> bool {
    let of = |report: &Report| Ran::of([report]).way(id) == Some(Ways::Failed);
    seen.tests().is_some_and(of)
}

/// What of a file's tests is laid over the base's code.
fn tests_over_base(file: &File) -> Option<Lay> {
    if is_test_path(&file.path) {
        return Some(Lay::of(file, Side::After));
    }
    let (before, after) = (file.text(Side::Before), file.text(Side::After));
    match code::touched(&file.path, before, after) {
        Touched::Tests | Touched::Both => {
            let made = with_tests_of(&file.path, before, after)?;
            Some(Lay::whole(file.path.clone(), made))
        }
        Touched::Code | Touched::Nothing => None,
    }
}

/// The tests that ran now and are not on the base.
fn fresh(scene: &Scene, subject: &Subject<'_>) -> Vec<Fresh> {
    let (old, new) = (written(&scene.files, Side::Before), written(&scene.files, Side::After));
    let calls = |written: &[&Written]| {
        let text = |path: &str| scene.files.iter().find(|file| file.path == path)?.text(Side::After);
        let of = |one: &&Written| Some(code::names_in(&one.path, text(&one.path)?, &one.item));
        written.iter().filter_map(of).flatten().collect()
    };
    let Some(now) = &subject.now else {
        let is_old = |one: &Written| {
            old.iter()
                .any(|old| old.item.name == one.item.name || old.key == one.key)
        };
        let fresh = new.iter().filter(|one| !is_old(one));
        let fresh = fresh.map(|one| Fresh {
            id: one.item.name.clone(),
            calls: calls(&[one]),
        });
        return fresh.collect();
    };
    let before = subject.before.as_ref().map(|report| Ran::of([report]));
    let is_fresh = |test: &&Test| match &before {
        Some(before) => before.way(&test.id).is_none(),
        // Nothing is known of the base but its files.
        None => !found_in(test, &new).is_empty() && found_in(test, &old).is_empty(),
    };
    let now = Ran::of([now]);
    let fresh = now
        .that_ran()
        .filter(is_fresh)
        .filter(|test| !is_moved(test, &old, &new));
    let fresh = fresh.map(|test| Fresh {
        id: test.id.clone(),
        calls: calls(&found_in(test, &new)),
    });
    fresh.collect()
}

/// Whether a test only has another name or place than on the base.
fn is_moved(test: &Test, old: &[Written], new: &[Written]) -> bool {
    let mut written = found_in(test, new).into_iter().peekable();
    written.peek().is_some() && written.all(|one| old.iter().any(|old| old.key == one.key))
}
