//! What holds for every sequence of facts, legal or not, honest or forged.
//!
//! Each property is a plain function that says what it found. It is run over
//! random walks of the real core, and over a deliberately wrong twin of the
//! core, which it must catch: a property that cannot fail proves nothing.

#[path = "../facts/changed.rs"]
mod changed;
#[path = "../facts/mod.rs"]
mod facts;
mod walk;

use facts::{RED, all, due, task, troubled};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    budget::{Budget, Spend},
    criterion::{Check, Role},
    effect::{Effect, Wish},
    event::{Checked, Event, Signal},
    evidence::{Binding, CheckOutcome, Evidence},
    gate,
    ground::Warmth,
    id::{EffectId, TreeId},
    run::{Outcome, Run, Step},
    task::Task,
};
/// How long a turn may take at most unless a person says otherwise.
const TURN_LIMIT_MS: u64 = 10 * 60 * 1000;

use walk::{Apply, Passage, Walk, honest, moves, openings};

/// Whether a delivered tree was proved by the events that were kept, judged
/// without any code of the gate.
fn proved<'a>(task: &Task, events: impl Iterator<Item = &'a Event>, tree: &TreeId) -> Result<(), String> {
    let base = TreeId::new("base");
    let seen: Vec<_> = events
        .filter_map(|event| {
            if let Event::Checked(checked) = event {
                Some(checked)
            } else {
                None
            }
        })
        .collect();
    if *tree == base {
        return Err("the delivered tree is the base".into());
    }
    let on_base = seen.first().ok_or("nothing was ever checked")?;
    let on_tree = seen.last().ok_or("nothing was ever checked")?;
    if on_base.tree != base || on_tree.tree != *tree {
        return Err("the base or the delivered tree was never checked".into());
    }
    for criterion in &task.criteria {
        if criterion.checks.is_empty() {
            return Err(format!("{} has no check", criterion.id));
        }
        for check in &criterion.checks {
            let saw = |tree: &TreeId, evidence: &[Evidence]| {
                let binding = Binding::of(tree, criterion, check, &task.digest);
                let own = evidence
                    .iter()
                    .find(|piece| piece.check == check.id && piece.binding == binding && piece.key == binding.key());
                own.map(|piece| piece.saw.clone())
            };
            if saw(tree, &on_tree.evidence) != Some(CheckOutcome::Passed) {
                return Err(format!("{} has no passing evidence on {tree}", check.id));
            }
            let right = match (check.role, saw(&base, &on_base.evidence)) {
                (Role::Goal, Some(CheckOutcome::Failed { .. } | CheckOutcome::TimedOut))
                | (Role::Guard, Some(CheckOutcome::Passed)) => true,
                (Role::Goal | Role::Guard, _) => false,
            };
            if !right {
                return Err(format!("{} showed the wrong colour on the base", check.id));
            }
        }
    }
    Ok(())
}

/// Every end in `verified` is proved.
fn only_the_proved_is_verified(walk: &Walk) -> Result<(), String> {
    let Some(Passage { after, .. }) = walk.passages.last() else {
        return Ok(());
    };
    match after.next() {
        Step::Done(Outcome::Verified { tree, .. }) => {
            let mut last = after.checked().into_iter().flat_map(|(_, evidence)| evidence);
            if last.any(|evidence| evidence.conditions.warmth == Warmth::Warm) {
                return Err("the last verdict rests on a cache".into());
            }
            proved(&after.opening().task, walk.accepted(), &tree)
        }
        Step::Done(_) | Step::Do(_) | Step::Await(_) => Ok(()),
    }
}

type Judge = fn(&Run, &Checked) -> bool;

/// The same question to a judge of its own: whatever it would pass must be proved.
fn only_the_proved_passes(walk: &Walk, judge: Judge) -> Result<(), String> {
    let mut kept = Vec::new();
    for passage in walk.passages.iter().filter(|passage| passage.accepted) {
        kept.push(&passage.event);
        if let Event::Checked(event) = &passage.event
            && event.tree.as_str() != "base"
            && judge(&passage.after, event)
        {
            proved(&passage.after.opening().task, kept.iter().copied(), &event.tree)?;
        }
    }
    Ok(())
}

type TimeFor = fn(&Budget, &Spend) -> u64;

/// No turn is wanted beyond a limit, and none may take more time than is left.
fn limits_are_kept(walk: &Walk, time_for: TimeFor) -> Result<(), String> {
    for run in walk.states() {
        let Step::Do(Effect {
            wish: Wish::Turn(turn), ..
        }) = run.next()
        else {
            continue;
        };
        let most = run.turn_limit();
        if turn.number > most || turn.number != run.spend().turns + 1 {
            return Err(format!("turn {} of {most} is wanted", turn.number));
        }
        let left = run.budget().time_ms.map(|limit| limit.checked_sub(run.spend().time_ms));
        let left = left.map_or(Ok(u64::MAX), |left| {
            left.ok_or("a turn is wanted after the time was spent")
        })?;
        let given = time_for(run.budget(), run.spend());
        if left == 0 || given > left || given > TURN_LIMIT_MS {
            return Err(format!("{given} ms are given, {left} ms are left"));
        }
        if given != turn.policy.time_limit_ms {
            return Err("the policy says something else".into());
        }
    }
    Ok(())
}

/// A run rebuilt from any prefix of what was kept is the run it was.
fn replay_wants_the_same(walk: &Walk, forgets: fn(&Event) -> bool) -> Result<(), String> {
    let mut kept = vec![walk.opened.clone()];
    for passage in &walk.passages {
        if passage.accepted && !forgets(&passage.event) {
            kept.push(passage.event.clone());
        }
        let rebuilt = Run::replay(&kept).map_err(|error| error.to_string())?;
        if rebuilt != passage.after || rebuilt.next() != passage.after.next() {
            return Err(format!(
                "after {} the rebuilt run wants {:?}",
                passage.event.kind(),
                rebuilt.next()
            ));
        }
    }
    Ok(())
}

/// An event that is refused changes nothing, and one that is accepted something.
fn the_refused_changes_nothing(walk: &Walk) -> Result<(), String> {
    for Passage {
        before,
        event,
        accepted,
        after,
    } in &walk.passages
    {
        if *accepted == (before == after) {
            return Err(format!("{} was accepted: {accepted}", event.kind()));
        }
    }
    Ok(())
}

/// An id is wanted until it is answered, and never again.
fn an_effect_id_names_one_wish(walk: &Walk, id: fn(&Effect) -> EffectId) -> Result<(), String> {
    let mut seen: BTreeSet<EffectId> = BTreeSet::new();
    let mut now: Option<EffectId> = walk.passages.first().and_then(|first| wanted(&first.before, id));
    seen.extend(now.clone());
    for passage in walk.passages.iter().filter(|passage| passage.accepted) {
        let next = wanted(&passage.after, id);
        // What is under way is still under way after a fact that does not answer it.
        let is_no_answer = matches!(
            passage.event,
            Event::OpeningCompleted(_) | Event::TaskChanged(_) | Event::AgentChanged(_)
        );
        if let Some(id) = &next
            && !(is_no_answer && now == next)
            && !seen.insert(id.clone())
        {
            return Err(format!("{id} is wanted twice"));
        }
        now = next;
    }
    Ok(())
}

fn wanted(run: &Run, id: fn(&Effect) -> EffectId) -> Option<EffectId> {
    match run.next() {
        Step::Do(effect) => Some(id(&effect)),
        Step::Await(_) | Step::Done(_) => None,
    }
}

/// Runs a property over random walks, the same ones on every machine.
/// `PROPTEST_CASES` sets how many.
fn walks(apply: Apply, property: impl Fn(&Walk) -> Result<(), String>) -> Result<(), String> {
    run_walks(Config::default(), apply, property)
}

/// Whether a property finds something wrong in some random walk.
fn is_caught(apply: Apply, property: impl Fn(&Walk) -> Result<(), String>) -> bool {
    let config = Config {
        // Enough to find even the rarest; the first that is found ends it.
        cases: 50_000,
        max_shrink_iters: 0,
        ..Config::default()
    };
    run_walks(config, apply, property).is_err()
}

fn run_walks(config: Config, apply: Apply, property: impl Fn(&Walk) -> Result<(), String>) -> Result<(), String> {
    let config = Config {
        failure_persistence: None,
        ..config
    };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let result = TestRunner::new_with_rng(config, rng).run(&(openings(), moves()), |(opening, moves)| {
        property(&Walk::of(&opening, &moves, apply)).map_err(TestCaseError::fail)
    });
    result.map_err(|error| match error {
        TestError::Fail(reason, (_, moves)) => format!("{reason}: {moves:#?}"),
        TestError::Abort(reason) => reason.to_string(),
    })
}

fn real_time(budget: &Budget, spend: &Spend) -> u64 {
    budget.turn_limit_ms(spend, TURN_LIMIT_MS)
}

#[test]
fn verified_means_proved_on_the_one_delivered_tree() {
    assert_eq!(walks(honest, only_the_proved_is_verified), Ok(()));
}

#[test]
fn walks_reach_every_end() {
    let ends = std::cell::RefCell::new(BTreeMap::<&str, u32>::new());
    let count = |walk: &Walk| {
        let end = walk.passages.last().map(|passage| passage.after.next());
        let name = match end {
            Some(Step::Done(Outcome::Verified { .. })) => "verified",
            Some(Step::Done(Outcome::Waived { .. })) => "waived",
            Some(Step::Done(Outcome::Refused(_))) => "refused",
            Some(Step::Done(Outcome::NothingToDo)) => "nothing to do",
            Some(Step::Do(_)) => "working",
            Some(Step::Await(Signal::Budget)) => "spent",
            Some(Step::Await(_)) => "paused",
            None => "unmoved",
        };
        *ends.borrow_mut().entry(name).or_default() += 1;
        Ok(())
    };
    assert_eq!(walks(honest, count), Ok(()));
    let ends = ends.into_inner();
    println!("{ends:?}");
    for (end, least) in [
        ("verified", 15),
        ("refused", 15),
        ("spent", 15),
        ("paused", 3),
        ("working", 3),
    ] {
        assert!(ends.get(end).copied().unwrap_or(0) >= least, "{end}: {ends:?}");
    }
}

#[test]
fn the_gate_passes_only_what_is_proved() {
    let gate: Judge = |run, event| {
        let base = (&run.opening().base.tree, run.base_evidence());
        gate::judge(
            &run.opening().task,
            base,
            (&event.tree, &event.evidence),
            run.approved(),
        )
        .holds()
    };
    assert_eq!(walks(honest, |walk| only_the_proved_passes(walk, gate)), Ok(()));
}

#[test]
fn the_gate_itself_asks_for_the_due_colour_on_the_base() {
    let task = task();
    let (base, tree) = (TreeId::new("base"), TreeId::new("t1"));
    let green = all(&task, "t1", |_| CheckOutcome::Passed);
    let holds = |on_base: &[Evidence]| gate::judge(&task, (&base, on_base), (&tree, &green), &BTreeSet::new()).holds();
    assert!(holds(&all(&task, "base", due)));
    for check in task.criteria.iter().flat_map(|criterion| &criterion.checks) {
        let other_colour = |other: &Check| match (other.id == check.id, due(other)) {
            (true, CheckOutcome::Passed) => RED,
            (true, _) => CheckOutcome::Passed,
            (false, due) => due,
        };
        assert!(!holds(&all(&task, "base", other_colour)), "{}", check.id);
        let mut without = all(&task, "base", due);
        without.retain(|piece| piece.check != check.id);
        assert!(!holds(&without), "{}", check.id);
    }
}

#[test]
fn a_judge_that_believes_words_or_keys_or_other_trees_is_caught() {
    let words: Judge = |_, event| !event.evidence.is_empty() && event.evidence.iter().all(Evidence::passed);
    let names: Judge = |run, event| {
        let mut checks = run
            .opening()
            .task
            .criteria
            .iter()
            .flat_map(|criterion| &criterion.checks);
        checks.all(|check| {
            event
                .evidence
                .iter()
                .any(|piece| piece.check == check.id && piece.passed())
        })
    };
    let keys: Judge = |run, event| {
        let task = &run.opening().task;
        task.criteria.iter().all(|criterion| {
            criterion.checks.iter().all(|check| {
                let key = Binding::of(&event.tree, criterion, check, &task.digest).key();
                event.evidence.iter().any(|piece| piece.key == key && piece.passed())
            })
        })
    };
    for wrong in [words, names, keys] {
        assert!(is_caught(honest, |walk| only_the_proved_passes(walk, wrong)));
    }
}

#[test]
fn limits_are_never_exceeded() {
    assert_eq!(walks(honest, |walk| limits_are_kept(walk, real_time)), Ok(()));
}

#[test]
fn a_policy_that_forgets_the_time_is_caught() {
    assert!(is_caught(honest, |walk| limits_are_kept(walk, |_, _| TURN_LIMIT_MS)));
}

/// Turns that took no longer than they might have spent no more than there was.
fn time_is_kept(walk: &Walk, kept_its_limit: fn(&Passage) -> bool) -> Result<(), String> {
    if !walk.passages.iter().all(kept_its_limit) {
        return Ok(());
    }
    for Passage { before, after, .. } in &walk.passages {
        // A person may allow less than was spent; nothing more is spent then.
        let has_grown = after.spend().time_ms > before.spend().time_ms;
        if has_grown
            && before
                .budget()
                .time_ms
                .is_some_and(|limit| after.spend().time_ms > limit)
        {
            return Err(format!("{} ms were spent", after.spend().time_ms));
        }
    }
    Ok(())
}

#[test]
fn turns_that_keep_their_limit_keep_the_budget() {
    let kept_its_limit: fn(&Passage) -> bool = |passage| match (&passage.event, passage.before.next()) {
        (
            Event::TurnEnded(event),
            Step::Do(Effect {
                wish: Wish::Turn(turn), ..
            }),
        ) => event.outcome.took_ms <= turn.policy.time_limit_ms,
        (_, Step::Do(_) | Step::Await(_) | Step::Done(_)) => true,
    };
    assert_eq!(walks(honest, |walk| time_is_kept(walk, kept_its_limit)), Ok(()));
    // Turns that overstay are what the adapter's kill prevents, and are seen.
    assert!(is_caught(honest, |walk| time_is_kept(walk, |_| true)));
}

#[test]
fn replay_of_any_prefix_wants_the_same_next_step() {
    assert_eq!(walks(honest, |walk| replay_wants_the_same(walk, |_| false)), Ok(()));
}

#[test]
fn a_journal_that_forgets_resumptions_is_caught() {
    let forgetful = |walk: &Walk| replay_wants_the_same(walk, |event| matches!(event, Event::Resumed(_)));
    assert!(is_caught(honest, forgetful));
}

#[test]
fn an_illegal_event_leaves_the_run_as_it_was() {
    assert_eq!(walks(honest, the_refused_changes_nothing), Ok(()));
}

#[test]
fn an_apply_that_half_applies_is_caught() {
    let sloppy: Apply = |run, event| {
        let fits = honest(run, event);
        if !fits {
            honest(run, &troubled());
        }
        fits
    };
    assert!(is_caught(sloppy, the_refused_changes_nothing));
}

#[test]
fn an_effect_id_is_never_used_for_another_wish() {
    assert_eq!(
        walks(honest, |walk| an_effect_id_names_one_wish(walk, |effect| effect
            .id
            .clone())),
        Ok(())
    );
}

#[test]
fn an_id_that_ignores_how_often_it_was_tried_is_caught() {
    let careless = |effect: &Effect| {
        let id = effect.id.as_str();
        EffectId::new(id.split("-again").next().unwrap_or(id))
    };
    assert!(is_caught(honest, |walk| an_effect_id_names_one_wish(walk, careless)));
}
