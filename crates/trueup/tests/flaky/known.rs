//! How often a flaky check passes for proof, before and after it is known.

use crate::scene::{Ran, Rolls, learn, run, runs};
use trueup_testkit::household::scale;

/// How many runs there are: 20 in CI, 200 in full.
fn often() -> usize {
    if scale() >= 10 { 200 } else { 20 }
}

fn count(ran: &[Ran], of: impl Fn(&Ran) -> bool) -> usize {
    ran.iter().filter(|ran| of(ran)).count()
}

fn burnt(ran: &[Ran]) -> u64 {
    ran.iter().map(|ran| ran.burnt).sum()
}

#[test]
fn a_guard_that_is_first_seen_to_fail_one_time_in_three_costs_no_turn() {
    assert_first_seen("guard", &runs(often(), Rolls::Guard, None));
}

#[test]
fn a_goal_that_is_first_seen_to_fail_one_time_in_three_costs_no_turn() {
    assert_first_seen("goal", &runs(often() / 2, Rolls::Goal, None));
}

/// What is red eight times in a row by luck is believed, in one of 6,561
/// verifications: it is borne once in 200 runs.
fn assert_first_seen(what: &str, first: &[Ran]) {
    println!(
        "flaky: {what}, first seen: runs={} detected={}% verified={} took_for_red={} attempts_burnt={}",
        first.len(),
        count(first, |ran| ran.detected) * 100 / first.len().max(1),
        count(first, |ran| ran.verified),
        count(first, |ran| !ran.verified && !ran.detected),
        burnt(first),
    );
    assert!(!first.is_empty());
    assert!(count(first, |ran| ran.burnt > 0) <= first.len() / 200, "{first:#?}");
}

#[test]
fn a_guard_that_fails_one_time_in_three_is_hardly_ever_verified_once_it_is_known() {
    let teacher = learn(Rolls::Guard);
    let known = runs(often(), Rolls::Guard, Some(&teacher.state().join("answers")));
    let verified = assert_known("guard", &known);
    assert!(verified * 100 <= known.len() * 2 || verified <= 1, "{known:#?}");
    let told = count(&known, |ran| ran.detected || ran.verified);
    assert_eq!(told, known.len(), "a run that is not verified says why: {known:#?}");
}

#[test]
fn a_goal_that_fails_one_time_in_three_costs_no_turn_and_asks() {
    let teacher = learn(Rolls::Goal);
    let known = runs(often() / 2, Rolls::Goal, Some(&teacher.state().join("answers")));
    let verified = assert_known("goal", &known);
    // By luck, a goal passes twelve times in a row in eight of a thousand runs.
    assert!(verified * 100 <= known.len() * 2 || verified <= 2, "{known:#?}");
}

/// No turn is spent on what is known to be a coin; how many runs were verified.
fn assert_known(what: &str, known: &[Ran]) -> usize {
    let verified = count(known, |ran| ran.verified);
    println!(
        "flaky: {what}, known: runs={} verified={verified} attempts_burnt={}",
        known.len(),
        burnt(known),
    );
    assert_eq!(burnt(known), 0, "{known:#?}");
    verified
}

#[test]
fn the_harness_sees_what_is_verified_and_what_costs_turns() {
    for _ in 0..3 {
        let (ran, _) = run(Rolls::Nothing, None);
        assert!(ran.verified && !ran.detected && ran.burnt == 0, "{ran:#?}");
    }
    let (ran, _) = run(Rolls::Broken, None);
    assert!(!ran.verified && !ran.detected && ran.burnt > 0, "{ran:#?}");
}
