//! Which runs go on where nobody is there to say.

use trueup_core::schedule::{
    Carried::{Further, Nowhere},
    Readiness::{self, Abandoned, Answered, Due, Queued},
    Schedule,
};

/// Later than anything queued has to wait.
const LATER: u64 = 10_000;

fn of(runs: &[(&'static str, Readiness)]) -> Vec<(&'static str, Readiness)> {
    runs.to_vec()
}

#[test]
fn never_more_go_on_than_may_at_once() {
    let ready = [of(&[("a", Due), ("b", Due), ("c", Due)])];
    let mut schedule = Schedule::new(2);
    assert_eq!(schedule.next(&ready, 0), ["a", "b"]);
    assert!(
        schedule.next(&ready, LATER).is_empty(),
        "what is active is not begun again"
    );
    assert_eq!(schedule.ended(&"a", Further, LATER), None);
    assert_eq!(
        schedule.next(&ready[..1], LATER),
        ["a"],
        "it is ready again, and first in its row"
    );
    assert_eq!(schedule.active().count(), 2);
}

#[test]
fn what_others_carry_on_counts() {
    let mut schedule = Schedule::new(1);
    schedule.is_carried_by_others("theirs");
    let ready = [of(&[("mine", Due)])];
    assert!(schedule.next(&ready, 0).is_empty());
    schedule.ended(&"theirs", Further, 0);
    assert_eq!(schedule.next(&ready, 0), ["mine"]);
}

#[test]
fn what_hurts_most_comes_first_and_repositories_take_turns() {
    let ready = [
        of(&[
            ("one queued", Queued),
            ("one due", Due),
            ("one answered", Answered),
            ("one due too", Due),
        ]),
        of(&[("two abandoned", Abandoned), ("two due", Due)]),
    ];
    let mut schedule = Schedule::new(9);
    assert!(schedule.next(&[of(&[("one queued", Queued)])], 0).is_empty());
    assert_eq!(
        schedule.next(&ready, LATER),
        [
            "one answered",
            "two due",
            "one due",
            "one due too",
            "two abandoned",
            "one queued"
        ]
    );
}

#[test]
fn a_queued_run_is_left_for_a_second_to_whoever_opened_it() {
    let ready = [of(&[("a", Queued)])];
    let mut schedule = Schedule::new(1);
    assert!(schedule.next(&ready, 5_000).is_empty());
    assert!(schedule.next(&ready, 5_999).is_empty());
    assert!(!schedule.is_idle(&ready));
    assert_eq!(schedule.next(&ready, 6_000), ["a"]);
    // One that was taken meanwhile and is queued again is somebody's again.
    schedule.ended(&"a", Further, 6_000);
    assert!(schedule.next(&[], 6_500).is_empty());
    assert!(schedule.next(&ready, 7_000).is_empty());
}

#[test]
fn what_does_not_go_on_is_tried_later_and_later() {
    let ready = [of(&[("a", Abandoned)])];
    let mut schedule = Schedule::new(1);
    let mut now = 0;
    let mut pauses = Vec::new();
    for _ in 0..12 {
        assert_eq!(schedule.next(&ready, now), ["a"]);
        let pause = schedule.ended(&"a", Nowhere, now).expect("a pause");
        assert!(schedule.next(&ready, now + pause - 1).is_empty());
        pauses.push(pause / 1000);
        now += pause;
    }
    assert_eq!(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
    assert_eq!(schedule.next(&ready, now), ["a"]);
    assert_eq!(schedule.ended(&"a", Further, now), None);
    assert_eq!(schedule.next(&ready, now), ["a"], "what went on is not left alone");
}

#[test]
fn who_waits_for_the_end_waits_for_no_run_that_never_goes_on() {
    let ready = [of(&[("a", Abandoned)])];
    let mut schedule = Schedule::new(1);
    assert!(schedule.is_idle(&[]));
    for time in 1..=5 {
        assert!(!schedule.is_idle(&ready), "{time}");
        assert_eq!(schedule.next(&ready, time * 1_000_000), ["a"]);
        assert!(!schedule.is_idle(&[]), "it is active");
        schedule.ended(&"a", Nowhere, time * 1_000_000);
    }
    assert!(schedule.is_idle(&ready));
    assert!(!schedule.is_idle(&[of(&[("b", Due)])]));
}
