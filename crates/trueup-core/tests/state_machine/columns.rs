//! Every fact that can reach a run.

use crate::{
    asked::{answered, challenged, flaky, objected},
    changed::{agent_changed, opening_completed, task_changed},
    facts::{
        RED, all, checked, committed, due, interrupted, moment, more_budget, no_space, publish_refused, published,
        resumed, space_freed, troubled, turn_ended, unusable,
    },
    situations::{blocked, known, limited, signed_out, warm},
};
use trueup_core::{
    control::Reaction,
    criterion::Check,
    digest::Digest,
    event::{Event, PersonAnswer, Stop},
    evidence::CheckOutcome,
    run::Run,
};

/// A fact by its name, and how it is made for a run.
pub(crate) type Column = (&'static str, Box<dyn Fn(&Run) -> Event>);

pub(crate) fn seen(tree: fn(&Run) -> &'static str, saw: fn(&Check) -> CheckOutcome) -> Box<dyn Fn(&Run) -> Event> {
    Box::new(move |run| checked(tree(run), all(&run.opening().task, tree(run), saw)))
}

pub(crate) fn checks() -> Vec<Column> {
    let but_last = |run: &Run| {
        let mut evidence = all(&run.opening().task, known(run), |_| CheckOutcome::Passed);
        evidence.pop();
        checked(known(run), evidence)
    };
    let forged = |run: &Run| {
        let mut evidence = all(&run.opening().task, known(run), |_| CheckOutcome::Passed);
        evidence[0].key = Digest::of(b"forged");
        checked(known(run), evidence)
    };
    let elsewhere = |run: &Run| checked(known(run), all(&run.opening().task, "other", |_| CheckOutcome::Passed));
    let cannot: fn(&Check) -> CheckOutcome = |_| CheckOutcome::CannotRun { why: "gone".into() };
    vec![
        ("checked(base: goals red, guard green)", seen(|_| "base", due)),
        ("checked(base: all green)", seen(|_| "base", |_| CheckOutcome::Passed)),
        ("checked(base: all red)", seen(|_| "base", |_| RED)),
        ("checked(base: cannot run)", seen(|_| "base", cannot)),
        ("checked(known: all green)", seen(known, |_| CheckOutcome::Passed)),
        (
            "checked(known: all green, warm)",
            Box::new(|run| warm(&run.opening().task, known(run))),
        ),
        ("checked(known: goals red)", seen(known, due)),
        ("checked(known: one missing)", Box::new(but_last)),
        ("checked(known: one key forged)", Box::new(forged)),
        ("checked(known: evidence of another tree)", Box::new(elsewhere)),
        (
            "checked(known: all green, an objection)",
            Box::new(|run| objected(&run.opening().task, known(run))),
        ),
        (
            "checked(known: one flaky)",
            Box::new(|run| flaky(&run.opening().task, known(run))),
        ),
        (
            "checked(another tree: all green)",
            seen(|_| "other", |_| CheckOutcome::Passed),
        ),
    ]
}

pub(crate) fn turns() -> Vec<Column> {
    let next = |run: &Run| run.spend().turns + 1;
    vec![
        (
            "turn_ended(changed)",
            Box::new(move |run| turn_ended(next(run), "new", 1)),
        ),
        (
            "turn_ended(unchanged)",
            Box::new(move |run| turn_ended(next(run), known(run), 1)),
        ),
        (
            "turn_ended(back to base)",
            Box::new(move |run| turn_ended(next(run), "base", 1)),
        ),
        (
            "turn_ended(unchanged, all time used)",
            Box::new(move |run| turn_ended(next(run), known(run), 600_000)),
        ),
        ("turn_ended(unusable)", Box::new(move |run| unusable(next(run)))),
        ("turn_ended(limited)", Box::new(move |run| limited(next(run)))),
        ("turn_ended(not signed in)", Box::new(move |run| signed_out(next(run)))),
        (
            "turn_ended(blocked, unchanged)",
            Box::new(move |run| blocked(next(run), known(run))),
        ),
        (
            "turn_ended(the turn before)",
            Box::new(|run| turn_ended(run.spend().turns, "new", 1)),
        ),
        (
            "turn_ended(a later turn)",
            Box::new(|run| turn_ended(run.spend().turns + 2, "new", 1)),
        ),
    ]
}

pub(crate) fn others() -> Vec<Column> {
    vec![
        ("opened", Box::new(|run| Event::Opened(Box::new(run.opening().clone())))),
        (
            "challenged(all turned red)",
            Box::new(|run| challenged(&run.opening().task, known(run), &Reaction::Red { by: "it".into() })),
        ),
        (
            "challenged(all stayed green)",
            Box::new(|run| challenged(&run.opening().task, known(run), &Reaction::Green)),
        ),
        (
            "answered(yes)",
            Box::new(|_| answered(PersonAnswer::Approved(vec![Digest::of(b"conftest.py")]))),
        ),
        (
            "answered(yes, to something else)",
            Box::new(|_| answered(PersonAnswer::Approved(vec![Digest::of(b"else")]))),
        ),
        (
            "answered(no)",
            Box::new(|_| answered(PersonAnswer::Rejected("no".into()))),
        ),
        (
            "answered(words)",
            Box::new(|_| answered(PersonAnswer::Told("so".into()))),
        ),
        (
            "answered(waived)",
            Box::new(|_| answered(PersonAnswer::Waived("it will do".into()))),
        ),
        ("committed", Box::new(|_| committed("c1"))),
        ("published", Box::new(|_| published("c1"))),
        ("published(another commit)", Box::new(|_| published("c9"))),
        ("publish_refused", Box::new(|_| publish_refused())),
        (
            "interrupted(keyboard)",
            Box::new(|_| interrupted(Stop::Keyboard, Some("left"))),
        ),
        ("interrupted(request)", Box::new(|_| interrupted(Stop::Request, None))),
        ("troubled", Box::new(|_| troubled())),
        ("troubled(no space)", Box::new(|_| no_space())),
        ("resumed", Box::new(|_| resumed())),
        ("space_freed", Box::new(|_| space_freed())),
        ("due", Box::new(|_| moment())),
        ("budget_set(9 turns)", Box::new(|_| more_budget())),
        ("opening_completed", Box::new(|_| opening_completed())),
        (
            "task_changed(text)",
            Box::new(|run| {
                let mut event = task_changed("Do it well.", 3);
                if let Event::TaskChanged(event) = &mut event {
                    event.budget = *run.budget();
                }
                event
            }),
        ),
        ("task_changed(9 turns)", Box::new(|_| task_changed("Do it.", 9))),
        ("agent_changed", Box::new(|_| agent_changed("scripted", "mended"))),
    ]
}

/// All of them.
pub(crate) fn columns() -> Vec<Column> {
    checks().into_iter().chain(turns()).chain(others()).collect()
}
