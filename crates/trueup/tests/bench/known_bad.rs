//! What this harness would notice, shown on subjects that are known to be slow.

use crate::meter::{Bound, Figure, again, in_turns, timed};
use crate::turns::{BUSY, Loop, TURNS};
use std::{thread, time::Duration};

#[test]
fn a_subject_that_dawdles_is_caught_and_its_twin_is_not() {
    let dawdle = |long: u64| timed(|| thread::sleep(Duration::from_millis(long)));
    let slow = in_turns(5, || dawdle(16), || dawdle(10));
    let even = in_turns(5, || dawdle(10), || dawdle(10));
    let figure = |name: &str, times| Figure::ratio(name, &times, Bound::AtMost(1.2)).with_slack(1.1);
    assert!(!figure("known_bad_dawdles", slow).keeps());
    assert!(figure("known_bad_twin", even).keeps());
    let less = Figure {
        bound: Bound::AtLeast(0.8),
        ..figure("known_bad_half_as_much", in_turns(5, || dawdle(5), || dawdle(10)))
    };
    assert!(!less.keeps());
}

/// The run itself, slowed as little as would break its bound: an agent that
/// takes a tenth of a second longer in the run than in the bare loop.
#[test]
fn a_run_that_is_slowed_breaks_its_bound() {
    let subject = Loop::new(&format!("test -z \"$TRUEUP_TURN\" || sleep 0.1\n{BUSY}"));
    let figure = again(|| subject.added_per_turn("known_bad_slowed_run", 3, 60.0).with_slack(1.5));
    assert!(!figure.keeps(), "{TURNS} slow turns went unnoticed");
}
