//! Why a verdict is what it is, in one sentence each.

use super::words;
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Role},
    gate::{Origin, Proof, SinceBase},
    kind::Kind,
    report::{JudgedCheck, SettledObjection, Settlement},
    task::Task,
};

/// What will count as proof of a check, said before a run, and what was seen of
/// that on the base.
pub(super) fn promise(check: &Check, controls: &[Control]) -> String {
    let of_check = |control: &&Control| control.check == check.id;
    let seen = controls
        .iter()
        .filter(of_check)
        .find_map(|control| match &control.turned {
            Reaction::Red { .. } => Some(" (seen on the base)".to_owned()),
            Reaction::Otherwise { why } | Reaction::NotLaid { why } => {
                Some(format!(" (not seen on the base: {})", words::harmless(why)))
            }
            Reaction::Green | Reaction::Nothing { .. } => None,
        });
    words_before(check) + &seen.unwrap_or_default()
}

/// What is said of a check that nobody knows how to make fail.
const BELIEVED: &str = "judged by its exit code only";

fn words_before(check: &Check) -> String {
    let first = match (&check.how, check.role) {
        (CheckMethod::Manual { who, .. }, _) => return format!("{who} is asked; it never passes by itself"),
        (_, Role::Goal) => "must turn green",
        (_, Role::Guard) => "must stay green",
    };
    let then = match (check.execution().is_some(), check.kind(), check.role) {
        (false, _, _) => "trueup reads the tree itself",
        (true, _, _) if !check.can_be_challenged() => BELIEVED,
        (true, Kind::Tests(_), Role::Goal) if check.is_of_run() => {
            "red by a canary, and one of the tests red on the base's code; self-tested"
        }
        (true, Kind::Tests(runner), Role::Goal) if !runner.takes_canaries() => "red without what the run changes",
        (true, Kind::Tests(_), Role::Goal) => "red by a canary, and red without what the run changes",
        (true, Kind::Tests(_) | Kind::Coverage(_), _) => "red by a canary",
        (true, Kind::Lint | Kind::Types | Kind::Build, _) => "red by a fault of its kind",
        (true, Kind::Plain, _) => BELIEVED,
    };
    format!("{first}; {then}")
}

/// Why a check stands as it does, after a run.
pub(super) fn sentence(judged: &JudgedCheck) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    // What its colours say already, before and after, is not said again.
    if judged.since == Some(SinceBase::Flaky) {
        parts.push("flaky".to_owned());
    }
    parts.extend(judged.origin.map(|origin| wrote(origin).to_owned()));
    match &judged.proof {
        None | Some(Proof::Read) => {}
        Some(Proof::SeenToFail) => parts.push(seen_to_fail(&judged.controls)),
        Some(Proof::SelfTested) => parts.push(format!("self-tested: {}", seen_to_fail(&judged.controls))),
        Some(Proof::CanaryOnly) => parts.push(format!(
            "{}, and trueup could not take the run's changes away to see it fail",
            seen_to_fail(&judged.controls)
        )),
        Some(Proof::NeverSeenToFail) => parts.push("not tested by sabotage".to_owned()),
        Some(Proof::Unproven(why)) => parts.push(format!("proves nothing: {}", words::harmless(why))),
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

const fn wrote(origin: Origin) -> &'static str {
    match origin {
        Origin::Person => "its test was there before",
        Origin::Run => "its test came from the run",
    }
}

fn seen_to_fail(controls: &[Control]) -> String {
    let red = controls
        .iter()
        .filter(|control| matches!(control.turned, Reaction::Red { .. }));
    let mut ways: Vec<String> = red.map(way).collect();
    // Two controls may be one execution.
    ways.dedup();
    match ways.as_slice() {
        [] => "seen to fail on the base".to_owned(),
        ways => format!("seen to fail {}", ways.join(", ")),
    }
}

fn way(control: &Control) -> String {
    let about = words::harmless(&control.about);
    match control.sabotage {
        Sabotage::Canary => "by a canary".to_owned(),
        Sabotage::Failing => format!("without {about}"),
        Sabotage::Defaulting => "with default values".to_owned(),
        Sabotage::AsBefore => "with what its functions did before".to_owned(),
        Sabotage::OverBase | Sabotage::RunTestsOverBase => "over the base's code".to_owned(),
        Sabotage::FormerTests => "with the former tests".to_owned(),
        Sabotage::Violation => "by a fault of its kind".to_owned(),
    }
}

/// What a person must know, and who said that it may stay.
pub(super) fn objection(settled: &SettledObjection) -> String {
    let objection = &settled.objection;
    let who = match (settled.settled, &objection.allowed) {
        (Settlement::Allowed, Some(by)) => format!("allowed by `{}`", words::harmless(by)),
        (Settlement::Allowed, None) => "allowed".to_owned(),
        (Settlement::Approved, _) => "approved by a person".to_owned(),
        (Settlement::Open, _) => "not approved yet".to_owned(),
        (Settlement::Noted, _) => "a note; nobody is asked".to_owned(),
    };
    format!("{} ({who})", words::objection(objection))
}

/// Which criteria only the run's own tests prove, as the end of a line.
pub(super) fn self_tested(own: &[String]) -> String {
    let ids: Vec<String> = own.iter().map(|id| words::harmless(id)).collect();
    match ids.is_empty() {
        true => String::new(),
        false => format!("; self-tested: {}", ids.join(", ")),
    }
}

/// How a goal is written that asks for a test as the run leaves it, where a
/// task names one that is green already.
pub(super) fn to_change(task: &Task) -> String {
    let named = task.checks().find_map(|check| match (&check.how, check.role) {
        (CheckMethod::Test { name, .. }, Role::Goal) => Some(words::harmless(name)),
        _ => None,
    });
    let hint =
        |name: String| format!(".\n  If the run shall change this test, write `verify: test {name} of this run`");
    named.map(hint).unwrap_or_default()
}
