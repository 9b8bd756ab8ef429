//! Tests first: what must hold of the tree before the work begins.

use crate::{
    criterion::{Check, CheckMethod, Role},
    evidence::{Because, Evidence},
    plan::is_test,
    task::Task,
    turn::Finding,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// What is missing of the tests that shall be written first: every goal of
/// tests must fail on a tree that holds nothing but them, for want of the work.
/// Empty where all is there.
pub fn unwritten(task: &Task, evidence: &[Evidence]) -> Vec<Finding> {
    let told = faults(task, evidence).map(|(check, _, what)| Finding {
        path: check.source.clone(),
        what,
    });
    told.collect()
}

/// Whether every test that shall be written first is there, and what keeps it
/// from counting is only that it passes without the work: it may describe what
/// was there, as tests of a refactoring do. Controls judge that in the end, as
/// they do of smaller tasks.
pub fn describes_what_was_there(task: &Task, evidence: &[Evidence]) -> bool {
    faults(task, evidence).all(|(_, seen, _)| seen.is_some_and(Evidence::passed))
}

/// The goals of tests that do not count yet, with what was seen and why.
fn faults<'a>(
    task: &'a Task,
    evidence: &'a [Evidence],
) -> impl Iterator<Item = (&'a Check, Option<&'a Evidence>, String)> {
    let goals = task.checks().filter(|check| check.role == Role::Goal && is_test(check));
    goals.filter_map(|check| {
        let seen = evidence.iter().find(|evidence| evidence.check == check.id);
        Some((check, seen, fault(&check.how, seen)?))
    })
}

fn fault(how: &CheckMethod, seen: Option<&Evidence>) -> Option<String> {
    let Some(seen) = seen else {
        return Some("it was not executed".to_string());
    };
    if seen.passed() {
        return Some(
            "it passes before the work is done, so it proves nothing; make it fail for want of it".to_string(),
        );
    }
    match (&seen.because, how, &seen.tally) {
        (Some(Because::Broken(why)), _, _) => Some(format!("the test itself is broken: {why}")),
        (Some(Because::Assertion), CheckMethod::Test { name, .. }, Some(tally)) if tally.named.is_none() => {
            Some(format!("no test called `{name}` ran; write it"))
        }
        (Some(Because::Assertion) | None, CheckMethod::RunTests { .. }, Some(tally)) if tally.named.is_none() => {
            Some("no test was written or changed yet; write those that show the work".to_string())
        }
        // What does not load fails as a whole, under the name of its file.
        (Some(Because::Assertion | Because::Missing), _, _) => None,
        (None, CheckMethod::Test { name, .. }, _) => Some(format!("no test called `{name}` ran; write it")),
        (None, _, _) => Some("it is red, but no test failed; write tests that fail for want of the work".to_string()),
    }
}
