//! The corners of the verdict: rules that decide only where several facts meet.

use crate::{
    facts::{RED, all, check, due, evidence, task},
    proof::tally,
};
use std::collections::BTreeSet;
use trueup_core::{
    criterion::{Check, CheckMethod, Execution, Network, Role},
    evidence::{CHECK_OUTPUT_LIMIT, CheckOutcome, Evidence, Isolation, Named, Runs, Tally},
    gate::{self, Baseline, Standing, Verdict},
    id::{CheckId, CriterionId, TreeId},
    objection::ObjectionKind,
    task::{Allow, Task},
};

fn standings(task: &Task, base: &[Evidence], tree: &[Evidence]) -> Vec<Standing> {
    let (on_base, on_tree) = (TreeId::new("base"), TreeId::new("t1"));
    let verdict = gate::judge(task, (&on_base, base), (&on_tree, tree), &BTreeSet::new());
    verdict.criteria.into_iter().map(|(_, standing)| standing).collect()
}

#[test]
fn a_verdict_holds_where_something_was_asked_and_all_of_it_is_met() {
    use Standing::{Asked, Met, Unmet, Unproven};
    let holds = |standings: &[Standing]| {
        let criteria = standings.iter().map(|standing| (CriterionId::new("A"), *standing));
        let tree = TreeId::new("t1");
        let verdict = Verdict {
            tree,
            criteria: criteria.collect(),
        };
        (verdict.holds(), verdict.holds_but_for_persons())
    };
    assert_eq!(holds(&[]), (false, false));
    assert_eq!(holds(&[Met, Met]), (true, true));
    assert_eq!(holds(&[Met, Asked]), (false, true));
    for missing in [Unmet, Unproven] {
        assert_eq!(holds(&[missing, missing]), (false, false));
        assert_eq!(holds(&[Met, missing]), (false, false));
        assert_eq!(holds(&[Asked, missing]), (false, false));
    }
}

#[test]
fn the_due_colour_on_the_base_is_asked_of_what_passes_now() {
    let task = task();
    let now = all(&task, "t1", |_| CheckOutcome::Passed);
    let base = |id: &str, saw: &CheckOutcome| {
        all(&task, "base", |check| match check.id.as_str() == id {
            true => saw.clone(),
            false => due(check),
        })
    };
    let (met, unmet, unproven) = (Standing::Met, Standing::Unmet, Standing::Unproven);
    let gone = CheckOutcome::CannotRun { why: "gone".into() };
    for (id, saw, wanted) in [
        ("A.1", RED, [met, met]),
        ("A.1", CheckOutcome::TimedOut, [met, met]),
        ("A.1", CheckOutcome::Passed, [unmet, met]),
        ("A.2", RED, [unmet, met]),
        ("A.2", CheckOutcome::TimedOut, [unmet, met]),
        ("A.2", gone.clone(), [unproven, met]),
        ("B.1", gone, [met, unproven]),
    ] {
        assert_eq!(standings(&task, &base(id, &saw), &now), wanted, "{id} {saw:?}");
    }
}

#[test]
fn a_person_is_not_asked_to_make_up_for_what_is_unproven() {
    let mut task = task();
    task.criteria.truncate(1);
    task.criteria[0].checks[1].how = CheckMethod::Manual {
        who: "@ann".into(),
        steps: "look".into(),
    };
    let base = all(&task, "base", due);
    let seen = all(&task, "t1", |_| CheckOutcome::Passed);
    assert_eq!(standings(&task, &base, &seen), [Standing::Asked]);
    assert_eq!(standings(&task, &base, &[]), [Standing::Unproven]);
    task.criteria[0].checks.reverse();
    assert_eq!(standings(&task, &base, &[]), [Standing::Unproven]);
}

#[test]
fn evidence_is_valid_by_its_binding_and_by_its_key() {
    let task = task();
    let (criterion, rules) = (&task.criteria[0], task.rules());
    let (one, other) = (&criterion.checks[0], &criterion.checks[1]);
    let tree = TreeId::new("t1");
    let seen = |of, tree| evidence(&task, (criterion, of), tree, CheckOutcome::Passed);
    let valid = |seen: &Evidence| gate::valid(&rules, criterion, one, &tree, std::slice::from_ref(seen)).is_some();
    assert!(valid(&seen(one, "t1")));
    assert!(!valid(&seen(one, "t2")), "of another tree");
    assert!(!valid(&seen(other, "t1")), "of another check");
    let (good, bad) = (seen(one, "t1"), seen(one, "t2"));
    let forged = |key: &Evidence, binding: &Evidence| Evidence {
        key: key.key.clone(),
        binding: binding.binding.clone(),
        ..good.clone()
    };
    assert!(!valid(&forged(&good, &bad)), "its key alone");
    assert!(!valid(&forged(&bad, &good)), "its binding alone");
    let renamed = Evidence {
        check: CheckId::new("A.9"),
        ..good.clone()
    };
    assert!(!valid(&renamed), "whose it says it is");
}

#[test]
fn a_guard_that_is_red_on_the_base_is_refused_and_told_whether_it_is_flaky() {
    let task = task();
    let why = |runs: Runs| {
        let mut base = all(&task, "base", due);
        (base[1].saw, base[1].runs) = (RED, runs);
        match gate::baseline(&task, &TreeId::new("base"), &base) {
            Baseline::Refused(refusals) => refusals.into_iter().map(|refusal| refusal.why).collect(),
            Baseline::Ready | Baseline::NothingToDo => String::new(),
        }
    };
    let steady = why(Runs::default());
    assert!(steady.starts_with("the guard is red on the base"), "{steady}");
    let flaky = why(Runs { green: 1, red: 1 });
    assert!(flaky.starts_with("the guard is flaky on the base"), "{flaky}");
}

#[test]
fn a_task_needs_a_goal_that_can_be_executed_and_says_so_once() {
    let about = |task: &Task| -> Vec<String> {
        let refusals = gate::lint(task).into_iter();
        refusals.map(|refusal| refusal.about).collect()
    };
    assert_eq!(about(&task()), [""; 0]);
    let mut guards = task();
    guards.criteria.truncate(1);
    guards.criteria[0].checks = vec![check("A.1", Role::Guard)];
    assert_eq!(about(&guards), ["T-1"]);
    let mut empty = task();
    empty.criteria[0].checks.clear();
    assert_eq!(about(&empty), ["A"], "the other criterion has a goal");
    empty.criteria[1].checks.clear();
    assert_eq!(about(&empty), ["A", "B"], "a goal is not missed as well");
}

#[test]
fn each_sort_of_objection_is_allowed_by_its_own_words_and_a_persons_part_by_none() {
    let words = |word: &str| vec![word.to_owned()];
    let allow = Allow {
        change: words("change"),
        remove_tests: words("remove_tests"),
        lockfiles: words("lockfiles"),
        ..Allow::default()
    };
    for (about, wanted) in [
        (ObjectionKind::Protected, Some("change")),
        (ObjectionKind::Suppressed, Some("change")),
        (ObjectionKind::Suspicious, Some("change")),
        (ObjectionKind::Lockfile, Some("lockfiles")),
        (ObjectionKind::TestGone, Some("remove_tests")),
        (ObjectionKind::TestSkipped, Some("remove_tests")),
        (ObjectionKind::TestChanged, Some("remove_tests")),
        (ObjectionKind::Manual, None),
        (ObjectionKind::SelfTested, None),
    ] {
        let allowing: Vec<&str> = about.allowing(&allow).iter().map(String::as_str).collect();
        assert_eq!(allowing, Vec::from_iter(wanted), "{about:?}");
    }
}

#[test]
fn what_is_usual_is_not_written_down_and_what_is_not_is() {
    let task = task();
    let written = |runs: Runs| {
        let mut seen = all(&task, "t1", |_| CheckOutcome::Passed).remove(0);
        seen.runs = runs;
        serde_json::to_value(&seen).expect("JSON")["runs"].clone()
    };
    assert!(written(Runs::default()).is_null());
    assert_eq!(written(Runs { green: 1, red: 0 })["green"], 1);
    for isolation in [Isolation::None, Isolation::Outer, Isolation::Engine] {
        assert!(!isolation.is_bubblewrap(), "{isolation:?}");
    }
    assert!(Isolation::Bubblewrap.is_bubblewrap());
    assert_eq!(CHECK_OUTPUT_LIMIT, 4_194_304);
}

#[test]
fn a_test_is_absent_where_all_others_ran_and_passed() {
    let execution = Execution::new(vec!["tool".into()], 1000, Network::Off);
    let mut one = check("A.1", Role::Goal);
    one.how = CheckMethod::Test {
        name: "test_it".into(),
        of: "tests".into(),
        execution: execution.clone(),
    };
    let (none, well) = (Named::default(), CheckOutcome::red(Some(0)));
    let seen = |passed, failed, named| Tally {
        passed,
        failed,
        ..tally(named)
    };
    let is = |check: &Check, saw: &CheckOutcome, tally: Tally| gate::is_absent(check, saw, Some(&tally));
    assert!(is(&one, &well, seen(3, 0, none)));
    assert!(!is(&one, &well, seen(3, 1, none)), "what failed may have hidden it");
    assert!(!is(&one, &well, seen(0, 0, none)), "nothing ran");
    let crashed = CheckOutcome::red(Some(3));
    assert!(!is(&one, &crashed, seen(3, 0, none)), "it may have broken off");
    let ran = Named { passed: 1, ..none };
    assert!(!is(&one, &well, seen(3, 0, ran)));
    assert!(!gate::is_absent(&one, &well, None));
    let mut whole = one;
    whole.how = CheckMethod::Command(execution);
    assert!(!is(&whole, &well, seen(3, 0, none)), "it asks for no test by name");
}
