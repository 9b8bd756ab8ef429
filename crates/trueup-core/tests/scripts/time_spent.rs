//! Where the time of a run went.

use crate::{
    facts::{all, checked, committed, due, opening, published, turn_ended},
    proof::{challenged, green, objection, tests_task},
};
use trueup_core::{
    control::Sabotage,
    event::{Answered, Event, PersonAnswer},
    id::Timestamp,
    time_spent::{Activity, TimeSpent},
};

/// The event, as if it had happened at this moment.
fn at(mut event: Event, moment: i64) -> Event {
    let moment = Timestamp(moment);
    match &mut event {
        Event::Checked(event) => event.at = moment,
        Event::Challenged(event) => event.at = moment,
        Event::TurnEnded(event) => event.at = moment,
        Event::Committed(event) => event.at = moment,
        Event::Published(event) => event.at = moment,
        Event::Answered(event) => event.at = moment,
        Event::Opened(_)
        | Event::PublishRefused(_)
        | Event::Interrupted(_)
        | Event::Troubled(_)
        | Event::Resumed(_)
        | Event::SpaceFreed(_)
        | Event::Due(_)
        | Event::BudgetSet(_)
        | Event::OpeningCompleted(_)
        | Event::TaskChanged(_)
        | Event::AgentChanged(_) => {}
    }
    event
}

/// A run whose events happened at these moments.
fn spent(script: Vec<(Event, i64)>) -> TimeSpent {
    let mut events = vec![Event::Opened(Box::new(opening(tests_task())))];
    events.extend(script.into_iter().map(|(event, moment)| at(event, moment)));
    TimeSpent::of(&events).unwrap_or_default()
}

fn activities(time: &TimeSpent) -> Vec<(Activity, u64, u32)> {
    let all = time.activities.iter();
    all.map(|one| (one.activity, one.took_ms, one.times)).collect()
}

#[test]
fn time_counts_for_what_the_run_wanted_until_the_next_fact() {
    let task = tests_task();
    let time = spent(vec![
        (checked("base", all(&task, "base", due)), 100),
        (turn_ended(1, "t1", 1), 1100),
        (green(&task, "t1", &[]), 1300),
        (challenged(&task, "t1", None), 1900),
        (committed("c1"), 1905),
        (published("c1"), 1910),
    ]);
    assert_eq!(
        activities(&time),
        [
            (Activity::Baseline, 100, 1),
            (Activity::Turns, 1000, 1),
            (Activity::Checks, 200, 1),
            (Activity::Controls, 600, 1),
            (Activity::Delivery, 10, 1),
        ]
    );
    assert_eq!(time.own_ms(), 910);
    let canary = time.controls.iter().find(|one| one.sabotage == Sabotage::Canary);
    assert_eq!(
        canary.map(|one| one.took_ms),
        Some(1),
        "said of three checks, executed once"
    );
    assert!(time.guard_ms.is_some());
}

#[test]
fn waiting_for_a_person_is_no_work_and_a_clock_that_was_set_back_gives_no_time() {
    let task = tests_task();
    let conftest = objection("conftest.py");
    let approved = Event::Answered(Answered {
        answer: PersonAnswer::Approved(vec![conftest.digest.clone()]),
        at: Timestamp(0),
    });
    let objections = [conftest];
    let time = spent(vec![
        (checked("base", all(&task, "base", due)), 100),
        (turn_ended(1, "t1", 1), 1100),
        (green(&task, "t1", &objections), 1300),
        (turn_ended(2, "t2", 1), 1250),
        (green(&task, "t2", &objections), 1500),
        (challenged(&task, "t2", None), 1600),
        (approved, 9600),
    ]);
    assert_eq!(
        activities(&time),
        [
            (Activity::Baseline, 100, 1),
            (Activity::Turns, 1000, 2),
            (Activity::Checks, 450, 2),
            (Activity::Controls, 100, 1),
            (Activity::Waiting, 8000, 1),
        ]
    );
    assert_eq!(time.own_ms(), 650);
}

#[test]
fn without_an_opening_there_is_no_run() {
    assert!(TimeSpent::of(&[]).is_err());
    assert!(TimeSpent::of(&[committed("c1")]).is_err());
}
