//! How much of a wall a proof rests on.

use crate::facts::{all, checked, due, opening, task, turn_ended};
use trueup_core::{
    criterion::Check,
    effect::{Effect, Wish},
    event::Event,
    evidence::{CheckOutcome, Isolation},
    report::Report,
    run::{Run, Step},
};

#[test]
fn a_proof_is_as_isolated_as_the_weakest_thing_it_rests_on() {
    let task = task();
    let turn = |isolation| {
        let mut turn = turn_ended(1, "tree-1", 10);
        if let Event::TurnEnded(ended) = &mut turn {
            ended.outcome.isolation = isolation;
        }
        turn
    };
    let seen = |tree, saw: fn(&Check) -> CheckOutcome, isolation| {
        let mut evidence = all(&task, tree, saw);
        evidence[0].conditions.isolation = isolation;
        checked(tree, evidence)
    };
    let (whole, outer, none) = (Isolation::Bubblewrap, Isolation::Outer, Isolation::None);
    for (base, agent, end, weakest, trailer) in [
        (whole, whole, whole, whole, ""),
        (Isolation::Engine, whole, Isolation::Engine, whole, ""),
        (none, whole, whole, none, "Isolation: none\n"),
        (whole, none, whole, none, "Isolation: none\n"),
        (whole, whole, none, none, "Isolation: none\n"),
        (whole, outer, whole, outer, "Isolation: outer\n"),
        (outer, whole, none, none, "Isolation: none\n"),
    ] {
        let mut run = Run::open(opening(task.clone()));
        let facts = [
            seen("base", due, base),
            turn(agent),
            seen("tree-1", |_| CheckOutcome::Passed, end),
        ];
        facts.iter().for_each(|fact| run.apply(fact).expect("it fits"));
        assert_eq!(Report::of_run(&run).isolation, weakest, "{base:?} {agent:?} {end:?}");
        let Step::Do(Effect {
            wish: Wish::Commit(commit),
            ..
        }) = run.next()
        else {
            panic!("it wants {:?}", run.next());
        };
        assert!(
            commit
                .message
                .ends_with(&format!("Run: {}\n{trailer}", run.opening().run))
        );
    }
}
