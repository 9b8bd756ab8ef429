//! What was seen on a base a short while ago, and what it stands for.

use crate::{
    facts::evidence,
    proof::{tally, tests_task},
};
use trueup_core::{
    criterion::Network,
    evidence::{CheckOutcome, Evidence, Named, Runs},
    gate::{HOLDS_FOR_MS, still_holds},
};

fn seen(saw: CheckOutcome) -> Evidence {
    let task = tests_task();
    let criterion = &task.criteria[0];
    evidence(&task, (criterion, &criterion.checks[0]), "base", saw)
}

#[test]
fn a_look_at_a_base_holds_for_half_an_hour() {
    let green = seen(CheckOutcome::Passed);
    assert!(still_holds(&green, 0) && still_holds(&green, HOLDS_FOR_MS));
    assert!(!still_holds(&green, HOLDS_FOR_MS + 1));
    assert_eq!(HOLDS_FOR_MS, 1_800_000);
}

#[test]
fn what_may_be_red_for_the_machine_is_looked_at_anew() {
    let red = seen(CheckOutcome::red(Some(1)));
    assert!(!still_holds(&red, 0), "no report says which tests failed");
    let told = Evidence {
        tally: Some(tally(Named::default())),
        ..red
    };
    assert!(still_holds(&told, 0));
    for saw in [CheckOutcome::TimedOut, CheckOutcome::CannotRun { why: "absent".into() }] {
        let never = Evidence {
            tally: Some(tally(Named::default())),
            ..seen(saw)
        };
        assert!(!still_holds(&never, 0), "{never:?}");
    }
}

#[test]
fn what_hangs_on_more_than_the_tree_is_looked_at_anew() {
    let mut reaches = seen(CheckOutcome::Passed);
    reaches.conditions.network = Network::On;
    assert!(!still_holds(&reaches, 0));
    let mut asks = seen(CheckOutcome::Passed);
    asks.conditions.sockets.push("/run/docker.sock".into());
    assert!(!still_holds(&asks, 0));
    let flaky = Evidence {
        runs: Runs { green: 1, red: 1 },
        ..seen(CheckOutcome::Passed)
    };
    assert!(!still_holds(&flaky, 0));
}
