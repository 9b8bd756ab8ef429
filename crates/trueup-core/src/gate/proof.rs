//! Whether a verifier was itself seen to fail.

use crate::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, Role},
    evidence::Evidence,
    kind::Kind,
    plan::is_test,
};
use alloc::{
    format,
    string::{String, ToString},
};
use serde::{Deserialize, Serialize};

/// What is known of a check's power to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// No program judges: the engine reads the tree itself, or a person does.
    Read,
    /// It turned red whenever it had to.
    SeenToFail,
    /// It turned red whenever it had to, and its tests are the run's own.
    SelfTested,
    /// It turned red by a canary; its test came from the run, and nothing that
    /// the run changed could be taken away from under it.
    CanaryOnly,
    /// Nobody knows a way to make it fail; it counts, and is shown as this.
    NeverSeenToFail,
    /// It did not turn red when it had to, so it proves nothing.
    Unproven(String),
}

/// Who wrote the test of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It was there before the run.
    Person,
    /// The run wrote it.
    Run,
}

/// Who wrote the test that a goal asks for, by what the base showed.
pub fn origin(check: &Check, base: &Evidence) -> Option<Origin> {
    let there = base.tally.as_ref().is_some_and(|tally| !tally.named.is_none());
    match (check.is_of_run(), check.asked_test()) {
        (true, _) => Some(Origin::Run),
        (false, Some(_)) if there => Some(Origin::Person),
        (false, Some(_)) => Some(Origin::Run),
        (false, None) => None,
    }
}

/// What the controls of a check say of it.
pub fn proof(check: &Check, base: Option<&Evidence>, controls: &[Control]) -> Proof {
    let turned = |sabotage: Sabotage| {
        let mut of_check = controls.iter().filter(|control| control.check == check.id);
        of_check.find(|control| control.sabotage == sabotage)
    };
    if !check.is_of_run() {
        return of_kind(check, base, turned);
    }
    if let Some(why) = blind_to_work(turned) {
        return Proof::Unproven(why);
    }
    match of_kind(check, base, turned) {
        unproven @ Proof::Unproven(_) => unproven,
        Proof::Read | Proof::SeenToFail | Proof::SelfTested | Proof::CanaryOnly | Proof::NeverSeenToFail => {
            Proof::SelfTested
        }
    }
}

/// What is known of a check by the controls of its kind.
fn of_kind<'a>(check: &Check, base: Option<&Evidence>, turned: impl Fn(Sabotage) -> Option<&'a Control>) -> Proof {
    if check.execution().is_none() {
        return Proof::Read;
    }
    if !check.can_be_challenged() {
        return Proof::NeverSeenToFail;
    }
    match check.kind() {
        Kind::Plain => Proof::NeverSeenToFail,
        Kind::Lint | Kind::Types | Kind::Build => match turned(Sabotage::Violation).map(|control| &control.turned) {
            Some(Reaction::Red { .. }) => Proof::SeenToFail,
            Some(Reaction::NotLaid { .. } | Reaction::Nothing { .. }) => Proof::NeverSeenToFail,
            Some(Reaction::Otherwise { why }) => Proof::Unproven(why.clone()),
            Some(Reaction::Green) => Proof::Unproven("it stayed green where a fault of its kind was laid".to_string()),
            None => Proof::Unproven("it was not tried with a fault of its kind".to_string()),
        },
        Kind::Tests(_) | Kind::Coverage(_) => tests(check, base, turned),
    }
}

fn tests<'a>(check: &Check, base: Option<&Evidence>, turned: impl Fn(Sabotage) -> Option<&'a Control>) -> Proof {
    match turned(Sabotage::Canary).map(|control| (&control.turned, &control.about)) {
        Some((Reaction::Red { .. }, _)) => {}
        // Of a runner that takes no canary the rest must tell.
        Some((Reaction::Nothing { .. }, _)) => {
            let seen = turned(Sabotage::Failing).map(|control| &control.turned);
            if !matches!(seen, Some(Reaction::Red { .. } | Reaction::Green)) {
                return Proof::NeverSeenToFail;
            }
        }
        Some((Reaction::Green, about)) => {
            return Proof::Unproven(format!("it stayed green though a failing test was laid ({about})"));
        }
        Some((Reaction::Otherwise { why } | Reaction::NotLaid { why }, _)) => return Proof::Unproven(why.clone()),
        None => return Proof::Unproven("it was not tried with a failing test".to_string()),
    }
    match turned(Sabotage::OverBase).map(|control| (&control.turned, &control.about)) {
        None | Some((Reaction::Red { .. } | Reaction::Nothing { .. } | Reaction::NotLaid { .. }, _)) => {}
        Some((Reaction::Green, about)) => {
            return Proof::Unproven(format!(
                "these new tests pass without the work and were never seen to fail: {about}"
            ));
        }
        Some((Reaction::Otherwise { why }, _)) => return Proof::Unproven(why.clone()),
    }
    if check.role == Role::Guard || !is_test(check) {
        return Proof::SeenToFail;
    }
    goal(check, base, turned)
}

/// Why tests of the run do not show its work: one of them at least must fail
/// where the work is missing. A test that does not load there may want a name
/// and nothing else, so its work must be missed in another way, too.
fn blind_to_work<'a>(turned: impl Fn(Sabotage) -> Option<&'a Control>) -> Option<String> {
    let is_red = |sabotage| matches!(turned(sabotage).map(|it| &it.turned), Some(Reaction::Red { .. }));
    let mut without = [Sabotage::Failing, Sabotage::Defaulting, Sabotage::AsBefore].into_iter();
    match turned(Sabotage::RunTestsOverBase).map(|control| (&control.turned, &control.about)) {
        Some((Reaction::Red { .. }, _)) => None,
        Some((Reaction::Nothing { .. }, _)) if without.any(is_red) => None,
        Some((Reaction::Green, about)) => Some(format!(
            "none of the run's own tests fails on the base's code, so they do not show the work: {about}"
        )),
        Some((Reaction::Otherwise { why } | Reaction::NotLaid { why } | Reaction::Nothing { why }, _)) => {
            Some(why.clone())
        }
        None => Some("the run's own tests were not tried on the base's code".to_string()),
    }
}

/// A goal of tests must miss what the run did as soon as it is taken away.
fn goal<'a>(check: &Check, base: Option<&Evidence>, turned: impl Fn(Sabotage) -> Option<&'a Control>) -> Proof {
    let defaulting = turned(Sabotage::Defaulting);
    if let Some(control) = defaulting
        && control.turned == Reaction::Green
    {
        return Proof::Unproven(format!(
            "it stays green when these functions only give a default value: {}",
            control.about
        ));
    }
    if let Some(control) = turned(Sabotage::AsBefore)
        && control.turned == Reaction::Green
    {
        return Proof::Unproven(format!(
            "its new test stays green when these functions do what they did before: {}",
            control.about
        ));
    }
    match turned(Sabotage::Failing).map(|control| (&control.turned, &control.about)) {
        Some((Reaction::Red { .. } | Reaction::Otherwise { .. }, _)) => Proof::SeenToFail,
        // A test that asks for a failure is content with any. It must then miss
        // what is given back; one that is content with both looks at nothing.
        Some((Reaction::Green, _)) if matches!(defaulting.map(|it| &it.turned), Some(Reaction::Red { .. })) => {
            Proof::SeenToFail
        }
        Some((Reaction::Green, about)) => {
            Proof::Unproven(format!("it stays green when these functions fail at once: {about}"))
        }
        Some((Reaction::Nothing { .. } | Reaction::NotLaid { .. }, _)) => {
            match base.and_then(|base| origin(check, base)) {
                Some(Origin::Run) => Proof::CanaryOnly,
                Some(Origin::Person) | None => Proof::SeenToFail,
            }
        }
        None => Proof::Unproven("it was not tried without the functions that were changed".to_string()),
    }
}
