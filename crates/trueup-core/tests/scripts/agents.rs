//! What the many ways in which an agent ends mean to a run, and what it is
//! told and allowed the next time.
#![expect(clippy::expect_used, clippy::panic, reason = "a script that does not fit is over")]

use crate::facts::{all, checked, due, ended, moment, more_budget, opening, resumed, task};
use trueup_core::{
    budget::{Budget, Limit},
    effect::{Effect, Turn, Wish},
    ending::{Ending, SignIn},
    event::{BudgetSet, Due, Event, Signal},
    evidence::CheckOutcome,
    id::{SessionId, Timestamp},
    memory::{Claim, ClaimStatus, Decision, Memory, RecapReason},
    patience::ask_again,
    run::{Position, Reason, Run, Step},
    task::Task,
    usage::Meter,
    usage::{Occupancy, Usage},
};

/// A run that wants its first turn.
fn begun(task: Task) -> Run {
    let mut run = Run::open(opening(task.clone()));
    run.apply(&checked("base", all(&task, "base", due))).expect("the base");
    run
}

/// The next turn ends like this.
fn end(run: &mut Run, tree: &str, ending: Ending) {
    let event = ended(run.spend().turns + 1, tree, 1000, ending);
    run.apply(&event).expect("a turn was wanted");
}

/// The next turn ends in good order, with these further facts.
fn finish(run: &mut Run, tree: &str, with: impl Fn(&mut trueup_core::turn::TurnOutcome)) {
    let mut event = ended(run.spend().turns + 1, tree, 1000, Ending::Finished);
    if let Event::TurnEnded(event) = &mut event {
        with(&mut event.outcome);
    }
    run.apply(&event).expect("a turn was wanted");
    if run.position() == &Position::Working(trueup_core::run::Work::Verify) {
        let task = run.opening().task.clone();
        run.apply(&checked(tree, all(&task, tree, due))).expect("checks");
    }
}

fn wanted(run: &Run) -> (String, Turn) {
    match run.next() {
        Step::Do(Effect {
            id,
            wish: Wish::Turn(turn),
        }) => (id.to_string(), *turn),
        other @ (Step::Do(_) | Step::Await(_) | Step::Done(_)) => panic!("a turn was expected, not {other:?}"),
    }
}

fn waits_until(run: &Run) -> i64 {
    match run.next() {
        Step::Await(Signal::Time(until)) => until.0,
        other @ (Step::Do(_) | Step::Await(_) | Step::Done(_)) => panic!("it should wait, not {other:?}"),
    }
}

fn why() -> String {
    "as the provider said".into()
}

fn occupied(used: u64) -> Usage {
    Usage {
        tokens: Some(used),
        millicents: Some(10),
        occupancy: Some(Occupancy { used, window: 100 }),
        ..Usage::default()
    }
}

#[test]
fn a_failure_of_the_world_is_waited_for_and_burns_no_turn() {
    for ending in [
        Ending::Limited {
            until: None,
            why: why(),
        },
        Ending::Unreachable { why: why() },
        Ending::Hung { silent_ms: 9 },
        Ending::NotSignedIn {
            why: why(),
            sign_in: SignIn::Renewed,
        },
    ] {
        let mut run = begun(task());
        end(&mut run, "base", ending.clone());
        assert!(waits_until(&run) > 5, "{ending:?}");
        assert_eq!(run.spend().turns, 0, "{ending:?}");
        run.apply(&moment()).expect("the moment came");
        let (id, turn) = wanted(&run);
        assert_eq!((id.as_str(), turn.number), ("turn-001-again-1", 1));
    }
}

#[test]
fn a_usage_limit_waits_until_its_reset_and_not_a_moment_less() {
    let mut run = begun(task());
    let until = Some(Timestamp(90_000));
    end(&mut run, "base", Ending::Limited { until, why: why() });
    let due = waits_until(&run);
    assert!((90_000..92_000).contains(&due), "{due}");
    let early = Event::Due(Due { at: Timestamp(due - 1) });
    assert!(run.apply(&early).is_err());
    run.apply(&Event::Due(Due { at: Timestamp(due) })).expect("now");
    assert_eq!(wanted(&run).1.number, 1);
}

#[test]
fn an_end_that_no_limit_has_is_not_waited_for() {
    let mut run = begun(task());
    let until = Some(Timestamp(i64::MAX));
    end(&mut run, "base", Ending::Limited { until, why: why() });
    assert!(waits_until(&run) < 10_000);
}

#[test]
fn each_failure_in_a_row_is_waited_for_longer_and_a_turn_ends_the_row() {
    let mut run = begun(task());
    let mut waits = Vec::new();
    for _ in 0..12 {
        end(&mut run, "base", Ending::Unreachable { why: why() });
        // Turns of these facts all end at the moment 5.
        waits.push(waits_until(&run) - 5);
        run.apply(&moment()).expect("the moment came");
    }
    assert!((5_000..6_250).contains(&waits[0]), "{waits:?}");
    assert!((10_000..12_500).contains(&waits[1]), "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= 15 * 60 * 1000 * 5 / 4), "{waits:?}");
    assert!(waits[11] >= 15 * 60 * 1000, "{waits:?}");
    finish(&mut run, "t1", |_| {});
    end(&mut run, "t1", Ending::Unreachable { why: why() });
    assert!(waits_until(&run) < 6_255);
}

#[test]
fn many_runs_do_not_ask_again_in_the_same_moment() {
    let at = |run: u32| ask_again(&format!("T-{run}.1"), 0, Timestamp(0), Some(Timestamp(60_000)));
    let mut moments: Vec<_> = (0..50).map(at).collect();
    moments.sort();
    moments.dedup();
    assert!(moments.len() > 40, "{}", moments.len());
    assert_eq!(at(7), at(7));
}

#[test]
fn what_an_agent_did_before_the_world_failed_is_gone_on_from() {
    let mut run = begun(task());
    finish(&mut run, "t1", |outcome| {
        outcome.session = Some(SessionId::new("first"))
    });
    let mut event = ended(
        2,
        "t2",
        1000,
        Ending::Limited {
            until: None,
            why: why(),
        },
    );
    if let Event::TurnEnded(event) = &mut event {
        event.outcome.session = Some(SessionId::new("second"));
    }
    run.apply(&event).expect("a turn was wanted");
    run.apply(&moment()).expect("the moment came");
    let (_, turn) = wanted(&run);
    assert_eq!(turn.from.as_str(), "t2");
    assert_eq!(
        turn.memory,
        Memory::Continue {
            session: SessionId::new("second")
        }
    );
    // Where nothing was done, the conversation before it is the one to go on with.
    event = ended(2, "t2", 1000, Ending::Unreachable { why: why() });
    if let Event::TurnEnded(event) = &mut event {
        event.outcome.session = Some(SessionId::new("third"));
    }
    run.apply(&event).expect("a turn was wanted");
    run.apply(&moment()).expect("the moment came");
    assert_eq!(
        wanted(&run).1.memory,
        Memory::Continue {
            session: SessionId::new("second")
        }
    );
}

#[test]
fn an_agent_that_the_world_fails_at_its_work_again_and_again_spends_turns_in_the_end() {
    let mut run = begun(task());
    for number in 1..10 {
        end(&mut run, &format!("t{number}"), Ending::Unreachable { why: why() });
        assert_eq!(run.spend().turns, 0, "{number}");
        run.apply(&moment()).expect("the moment came");
    }
    end(&mut run, "t10", Ending::Unreachable { why: why() });
    assert_eq!(run.spend().turns, 1);
}

#[test]
fn what_was_done_before_only_a_person_could_help_is_kept_and_counted() {
    let mut run = metered(Budget {
        tokens: Some(1_000),
        ..Budget::default()
    });
    let refused = |tree: &str, tokens| {
        let sign_in = SignIn::Same;
        let mut event = ended(1, tree, 700, Ending::NotSignedIn { why: why(), sign_in });
        if let Event::TurnEnded(event) = &mut event {
            event.outcome.usage.tokens = tokens;
        }
        event
    };
    run.apply(&refused("t1", Some(150))).expect("a turn was wanted");
    assert_eq!((run.spend().tokens, run.spend().time_ms), (150, 700));
    run.apply(&resumed()).expect("a person says so");
    assert_eq!(wanted(&run).1.from.as_str(), "t1");
    // Who was refused at once says no figure, because there is none.
    run.apply(&refused("t1", None)).expect("a turn was wanted");
    run.apply(&resumed()).expect("a person says so");
    assert_eq!(wanted(&run).1.policy.tokens_left, Some(850));
}

#[test]
fn a_full_memory_is_not_emptied_on_credit() {
    let mut run = metered(Budget {
        tokens: Some(1_000),
        ..Budget::default()
    });
    let with = |tokens| {
        move |outcome: &mut trueup_core::turn::TurnOutcome| {
            outcome.session = Some(SessionId::new("s1"));
            outcome.usage.tokens = Some(tokens);
        }
    };
    finish(&mut run, "t1", with(400));
    let mut event = ended(2, "t1", 1000, Ending::ContextFull { why: why() });
    if let Event::TurnEnded(event) = &mut event {
        with(700)(&mut event.outcome);
    }
    run.apply(&event).expect("a turn was wanted");
    assert!(matches!(
        run.position(),
        Position::Paused(_, Reason::BudgetSpent(Limit::Tokens))
    ));
}

#[test]
fn who_is_not_signed_in_asks_a_person_and_loses_no_turn() {
    let mut run = begun(task());
    let sign_in = SignIn::Same;
    end(&mut run, "base", Ending::NotSignedIn { why: why(), sign_in });
    assert!(matches!(run.position(), Position::Paused(_, Reason::NotSignedIn(_))));
    assert!(run.apply(&moment()).is_err());
    run.apply(&resumed()).expect("a person says so");
    assert_eq!(wanted(&run).1.number, 1);
}

#[test]
fn a_blocked_agent_is_believed_only_where_the_checks_agree() {
    let says = |outcome: &mut trueup_core::turn::TurnOutcome| outcome.claim.says = ClaimStatus::Blocked(why());
    let mut run = begun(task());
    finish(&mut run, "t1", says);
    assert_eq!(
        run.position(),
        &Position::Paused(trueup_core::run::Work::Turn, Reason::Blocked(why()))
    );
    let mut run = begun(task());
    let mut event = ended(1, "t1", 1000, Ending::Blocked { why: why() });
    if let Event::TurnEnded(event) = &mut event {
        says(&mut event.outcome);
    }
    run.apply(&event).expect("a turn was wanted");
    let task = run.opening().task.clone();
    run.apply(&checked("t1", all(&task, "t1", |_| CheckOutcome::Passed)))
        .expect("checks");
    assert!(matches!(
        run.next(),
        Step::Do(Effect {
            wish: Wish::Commit(_),
            ..
        })
    ));
}

#[test]
fn a_session_is_continued_while_there_is_room_and_handed_over_at_80_percent() {
    let decision = Decision {
        question: "which list".into(),
        answer: "a sorted one".into(),
        reason: "it is searched often".into(),
    };
    for (used, session, retold) in [
        (69, Some("s1"), None),
        (70, Some("s1"), Some(RecapReason::Compressed)),
        (79, Some("s1"), Some(RecapReason::Compressed)),
        (80, None, Some(RecapReason::HandedOver)),
    ] {
        let mut run = begun(task());
        finish(&mut run, "t1", |outcome| {
            outcome.session = Some(SessionId::new("s1"));
            outcome.usage = occupied(used);
            outcome.claim = Claim {
                decisions: vec![decision.clone()],
                ..Claim::default()
            };
        });
        let (_, turn) = wanted(&run);
        let memory = session.map_or(Memory::Fresh, |session| Memory::Continue {
            session: SessionId::new(session),
        });
        assert_eq!(turn.memory, memory, "{used}");
        let so_far = turn.brief.so_far;
        assert_eq!(so_far.as_ref().map(|so_far| so_far.why), retold, "{used}");
        for past in so_far.iter().flat_map(|so_far| &so_far.turns) {
            assert_eq!(past.claim.decisions, std::slice::from_ref(&decision));
            assert!(!past.unmet.is_empty());
        }
    }
}

#[test]
fn after_a_hand_over_the_fresh_session_is_continued() {
    let mut run = begun(task());
    let with = |session: &'static str, usage: Usage| {
        move |outcome: &mut trueup_core::turn::TurnOutcome| {
            outcome.session = Some(SessionId::new(session));
            outcome.usage = usage;
        }
    };
    finish(&mut run, "t1", with("full", occupied(85)));
    assert_eq!(wanted(&run).1.memory, Memory::Fresh);
    finish(&mut run, "t2", with("fresh", Usage::default()));
    let (_, turn) = wanted(&run);
    assert_eq!(
        turn.memory,
        Memory::Continue {
            session: SessionId::new("fresh")
        }
    );
    assert_eq!(turn.brief.so_far, None);
}

#[test]
fn a_full_memory_is_emptied_once_without_spending_a_turn() {
    let mut run = begun(task());
    finish(&mut run, "t1", |outcome| outcome.session = Some(SessionId::new("s1")));
    end(&mut run, "t1", Ending::ContextFull { why: why() });
    let (id, turn) = wanted(&run);
    assert_eq!((id.as_str(), turn.number), ("turn-002-again-1", 2));
    assert_eq!(turn.memory, Memory::Fresh);
    assert_eq!(
        turn.brief.so_far.map(|so_far| so_far.why),
        Some(RecapReason::HandedOver)
    );
    // A memory that is full at once will be so again: that counts.
    end(&mut run, "t1", Ending::ContextFull { why: why() });
    assert_eq!(run.spend().turns, 2);
    assert_eq!(wanted(&run).1.memory, Memory::Fresh);
}

fn metered(budget: Budget) -> Run {
    let mut task = task();
    task.budget = budget;
    let mut opening = opening(task.clone());
    opening.agent.meter = Meter::Reports;
    let mut run = Run::open(opening);
    run.apply(&checked("base", all(&task, "base", due))).expect("the base");
    run
}

#[test]
fn money_is_limited_within_a_turn_and_a_raised_budget_goes_on() {
    let mut run = metered(Budget {
        millicents: Some(5_000),
        ..Budget::default()
    });
    assert_eq!(wanted(&run).1.policy.millicents_left, Some(5_000));
    let costs = |millicents| {
        move |outcome: &mut trueup_core::turn::TurnOutcome| {
            outcome.usage = Usage {
                tokens: Some(1),
                millicents: Some(millicents),
                ..Usage::default()
            };
        }
    };
    finish(&mut run, "t1", costs(3_000));
    assert_eq!(wanted(&run).1.policy.millicents_left, Some(2_000));
    finish(&mut run, "t2", costs(2_500));
    assert!(matches!(
        run.position(),
        Position::Paused(_, Reason::BudgetSpent(Limit::Money))
    ));
    assert!(run.apply(&resumed()).is_err(), "a word makes no money");
    let raise = |millicents| {
        let budget = Budget {
            millicents: Some(millicents),
            ..Budget::default()
        };
        Event::BudgetSet(BudgetSet {
            budget,
            at: Timestamp(9),
        })
    };
    run.apply(&raise(5_400)).expect("it waits for that");
    assert!(matches!(
        run.position(),
        Position::Paused(_, Reason::BudgetSpent(Limit::Money))
    ));
    run.apply(&raise(9_000)).expect("it waits for that");
    let (_, turn) = wanted(&run);
    assert_eq!((turn.number, turn.policy.millicents_left), (3, Some(3_500)));
}

#[test]
fn what_nobody_knows_the_cost_of_is_never_free() {
    let money = Budget {
        millicents: Some(5_000),
        ..Budget::default()
    };
    let tokens = Budget {
        tokens: Some(5_000),
        ..Budget::default()
    };
    for (budget, limit) in [(money, Limit::Money), (tokens, Limit::Tokens)] {
        let mut run = metered(budget);
        finish(&mut run, "t1", |outcome| outcome.usage = Usage::default());
        assert!(
            matches!(run.position(), Position::Paused(_, Reason::BudgetSpent(reached)) if *reached == limit),
            "{:?}",
            run.position()
        );
    }
}

#[test]
fn more_turns_than_a_size_allows_are_given_by_a_person_alone() {
    let mut task = task();
    task.size = trueup_core::task::Size::Trivial;
    task.budget = Budget {
        turns: Some(9),
        ..Budget::default()
    };
    let mut run = begun(task);
    for turn in 1..=5 {
        finish(&mut run, &format!("t{turn}"), |_| {});
    }
    assert!(matches!(
        run.position(),
        Position::Paused(_, Reason::BudgetSpent(Limit::Turns))
    ));
    run.apply(&more_budget()).expect("it waits for that");
    assert_eq!((wanted(&run).1.number, run.turn_limit()), (6, 9));
}
