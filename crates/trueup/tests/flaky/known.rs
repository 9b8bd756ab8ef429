//! How often a flaky check passes for proof, before and after it is known.

use crate::scene::{Ran, Rolls, learn, run};
use trueup_testkit::household::scale;

/// How many runs there are: 20 in CI, 200 in full.
fn runs() -> usize {
    if scale() >= 10 { 200 } else { 20 }
}

fn count(ran: &[Ran], of: impl Fn(&Ran) -> bool) -> usize {
    ran.iter().filter(|ran| of(ran)).count()
}

#[test]
fn a_guard_that_fails_one_time_in_three_is_hardly_ever_verified_once_it_is_known() {
    let first: Vec<Ran> = (0..runs()).map(|_| run(Rolls::Guard, None).0).collect();
    let teacher = learn(Rolls::Guard);
    let answers = teacher.state().join("answers");
    let known: Vec<Ran> = (0..runs()).map(|_| run(Rolls::Guard, Some(&answers)).0).collect();
    let verified = count(&known, |ran| ran.verified);
    let detected = count(&first, |ran| ran.detected) * 100 / first.len();
    let burnt: u64 = known.iter().map(|ran| ran.burnt).sum();
    println!(
        "flaky: runs={} verified={verified} detected_first={detected}% attempts_burnt={burnt} \
         (first seen: verified={} took_for_red={} attempts_burnt={})",
        known.len(),
        count(&first, |ran| ran.verified),
        count(&first, |ran| !ran.verified && !ran.detected),
        first.iter().map(|ran| ran.burnt).sum::<u64>(),
    );
    assert!(verified * 100 <= known.len() * 2 || verified <= 1, "{known:#?}");
    assert_eq!(burnt, 0, "{known:#?}");
    let told = count(&known, |ran| ran.detected || ran.verified);
    assert_eq!(told, known.len(), "a run that is not verified says why: {known:#?}");
}

#[test]
fn a_goal_that_fails_one_time_in_three_costs_no_turn_and_asks() {
    let teacher = learn(Rolls::Goal);
    let answers = teacher.state().join("answers");
    let known: Vec<Ran> = (0..runs() / 2).map(|_| run(Rolls::Goal, Some(&answers)).0).collect();
    let burnt: u64 = known.iter().map(|ran| ran.burnt).sum();
    let verified = count(&known, |ran| ran.verified);
    println!(
        "flaky goal: runs={} verified={verified} attempts_burnt={burnt}",
        known.len()
    );
    // By luck, a goal passes twelve times in a row in eight of a thousand runs.
    assert!(verified * 100 <= known.len() * 2 || verified <= 2, "{known:#?}");
    assert_eq!(burnt, 0, "{known:#?}");
}

#[test]
fn the_harness_sees_what_is_verified() {
    for _ in 0..3 {
        let (ran, _) = run(Rolls::Nothing, None);
        assert!(ran.verified && !ran.detected, "{ran:#?}");
    }
}
