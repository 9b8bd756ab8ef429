//! What an execution means, what controls say of a check, and how a check
//! stands beside the base: each rule as a row of a table.

use trueup_core::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Criterion, Execution, Measured, Network, Role, Visibility},
    digest::Digest,
    evidence::{Binding, Body, CheckOutcome, Conditions, Evidence, Isolation, Named, Runs, Tally},
    gate::{self, Origin, Proof, Reading, SinceBase},
    id::{CheckId, CriterionId, TreeId},
    kind::{Format, Kind, Ratchet, Runner},
};

fn body() -> Body {
    Body {
        digest: Digest::of(b"body"),
        bytes: 4,
    }
}

fn tally() -> Tally {
    Tally {
        passed: 0,
        failed: 0,
        skipped: 0,
        named: Named::default(),
        near: Vec::new(),
        findings: 0,
        new_findings: 0,
        lines: 0,
        reached: 0,
        list: body(),
    }
}

fn execution(kind: Kind, parse: Option<Format>) -> Execution {
    Execution {
        kind,
        parse,
        ..Execution::new(vec!["tool".into()], 1000, Network::Off)
    }
}

fn check(role: Role, how: CheckMethod) -> Check {
    Check {
        id: CheckId::new("A.1"),
        role,
        sight: Visibility::Open,
        line: 1,
        source: "it".into(),
        how,
    }
}

fn plain(kind: Kind, parse: Option<Format>) -> CheckMethod {
    CheckMethod::Command(execution(kind, parse))
}

const TESTS: Kind = Kind::Tests(Runner::Pytest);

fn one_test() -> CheckMethod {
    CheckMethod::Test {
        name: "test_it".into(),
        of: "tests".into(),
        execution: execution(TESTS, Some(Format::Junit)),
    }
}

fn run_tests(name: Option<&str>) -> CheckMethod {
    CheckMethod::RunTests {
        name: name.map(Into::into),
        of: "tests".into(),
        since: Some(TreeId::new("base")),
        execution: execution(TESTS, Some(Format::Junit)),
    }
}

/// `passed`, `exit N: why` or `cannot: why`.
fn word(saw: &CheckOutcome) -> String {
    match saw {
        CheckOutcome::Passed => "passed".into(),
        CheckOutcome::Failed { exit: Some(exit), why } => {
            let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("exit {exit}{why}")
        }
        CheckOutcome::Failed { exit: None, .. } => "does not hold".into(),
        CheckOutcome::TimedOut => "timed out".into(),
        CheckOutcome::CannotRun { why } => format!("cannot: {why}"),
    }
}

fn saw(how: CheckMethod, exit: i32, reading: Reading) -> String {
    word(&gate::saw(&check(Role::Goal, how), exit, &reading))
}

fn read(change: impl FnOnce(&mut Tally)) -> Reading {
    let mut tally = tally();
    change(&mut tally);
    Reading::Read(tally)
}

fn unreadable() -> Reading {
    Reading::Unreadable("it wrote no report".into())
}

#[test]
fn a_check_without_a_report_is_judged_by_its_exit_code() {
    assert_eq!(saw(plain(Kind::Plain, None), 0, Reading::None), "passed");
    assert_eq!(saw(plain(Kind::Plain, None), 3, Reading::None), "exit 3");
    assert_eq!(saw(plain(TESTS, None), 0, Reading::None), "passed");
    assert_eq!(saw(plain(TESTS, None), 0, Reading::NoTest), "exit 0: no test ran");
    assert_eq!(
        saw(plain(Kind::Plain, None), 0, read(|_| {})),
        "cannot: its report was not looked for"
    );
    assert_eq!(
        saw(plain(TESTS, Some(Format::Junit)), 0, Reading::None),
        "cannot: its report was not looked for"
    );
}

#[test]
fn a_name_that_no_test_has_is_red_and_near_ones_are_offered() {
    let none = |near: &[&str]| {
        let near = near.iter().map(ToString::to_string).collect();
        saw(one_test(), 0, read(|tally| tally.near = near))
    };
    assert_eq!(none(&[]), "exit 0: no test called `test_it` ran");
    let offered = none(&["a::test_its", "a::test_bit"]);
    assert_eq!(
        offered,
        "exit 0: no test called `test_it` ran; near are a::test_its, a::test_bit"
    );
}

#[test]
fn a_report_that_cannot_be_read_is_never_a_pass() {
    for format in [Format::Junit, Format::Lcov, Format::Sarif] {
        let how = || plain(TESTS, Some(format));
        assert_eq!(saw(how(), 0, unreadable()), "cannot: it wrote no report");
        assert_eq!(saw(how(), 2, unreadable()), "exit 2: it wrote no report");
    }
}

#[test]
fn tests_pass_where_some_ran_and_none_failed_and_the_tool_agrees() {
    let how = || plain(TESTS, Some(Format::Junit));
    assert_eq!(saw(how(), 0, read(|tally| tally.passed = 2)), "passed");
    assert_eq!(saw(how(), 0, read(|_| {})), "exit 0: no test ran");
    assert_eq!(saw(how(), 0, read(|tally| tally.skipped = 4)), "exit 0: no test ran");
    assert_eq!(saw(how(), 1, read(|tally| tally.passed = 2)), "exit 1");
    let failing = read(|tally| (tally.passed, tally.failed) = (2, 1));
    assert_eq!(saw(how(), 0, failing), "exit 0: 1 tests failed");
}

#[test]
fn tests_of_the_run_must_be_there_and_none_of_them_may_fail() {
    let named = |passed, failed, skipped| {
        read(|tally| {
            tally.passed = 9;
            tally.named = Named {
                passed,
                failed,
                skipped,
            };
        })
    };
    for name in [None, Some("test_it")] {
        assert_eq!(saw(run_tests(name), 0, named(1, 0, 0)), "passed");
        assert_eq!(
            saw(run_tests(name), 1, named(1, 0, 0)),
            "passed",
            "of others theirs tell"
        );
        assert_eq!(
            saw(run_tests(name), 1, named(3, 2, 0)),
            "exit 1: 2 tests of this run failed"
        );
    }
    let none = "exit 0: no test was written or changed by this run";
    assert_eq!(saw(run_tests(None), 0, named(0, 0, 0)), none);
    assert_eq!(
        saw(run_tests(None), 0, named(0, 0, 1)),
        none,
        "what is skipped shows nothing"
    );
    assert_eq!(saw(run_tests(None), 0, named(1, 0, 1)), "passed");
    let one = run_tests(Some("test_it"));
    assert_eq!(saw(one.clone(), 0, named(1, 0, 1)), "exit 0: `test_it` was skipped");
    let none = "exit 0: no test called `test_it` was written or changed by this run";
    assert_eq!(saw(one, 0, named(0, 0, 0)), none);
}

#[test]
fn one_test_must_have_run_and_passed_whatever_others_did() {
    let named = |passed, failed, skipped| {
        read(|tally| {
            tally.passed = 9;
            tally.named = Named {
                passed,
                failed,
                skipped,
            };
        })
    };
    assert_eq!(saw(one_test(), 0, named(1, 0, 0)), "passed");
    assert_eq!(saw(one_test(), 1, named(1, 0, 0)), "passed");
    assert_eq!(saw(one_test(), 0, named(1, 1, 0)), "exit 0: `test_it` failed");
    assert_eq!(saw(one_test(), 0, named(1, 0, 1)), "exit 0: `test_it` was skipped");
    assert_eq!(
        saw(one_test(), 0, named(0, 0, 0)),
        "exit 0: no test called `test_it` ran"
    );
    assert_eq!(saw(one_test(), 0, unreadable()), "cannot: it wrote no report");
}

#[test]
fn findings_make_a_check_red_or_only_the_new_ones() {
    let how = |ratchet| {
        CheckMethod::Command(Execution {
            ratchet,
            ..execution(Kind::Lint, Some(Format::Sarif))
        })
    };
    let found = |all, new| read(|tally| (tally.findings, tally.new_findings) = (all, new));
    for (ratchet, exit, all, new, wanted) in [
        (Ratchet::None, 0, 0, 0, "passed"),
        (Ratchet::None, 1, 0, 0, "exit 1"),
        (Ratchet::None, 0, 2, 0, "exit 0: 2 findings"),
        (Ratchet::NoNew, 1, 2, 0, "passed"),
        (Ratchet::NoNew, 1, 2, 1, "exit 1: 1 new findings"),
        (Ratchet::NoNew, 0, 0, 0, "passed"),
        (Ratchet::NoNew, 2, 0, 0, "exit 2"),
    ] {
        assert_eq!(
            saw(how(ratchet), exit, found(all, new)),
            wanted,
            "{ratchet:?} {exit} {all} {new}"
        );
    }
}

#[test]
fn coverage_is_counted_in_lines_and_nothing_is_never_enough() {
    let how = |of, least| CheckMethod::Coverage {
        of,
        least,
        by: "coverage".into(),
        execution: execution(Kind::Coverage(Runner::Pytest), Some(Format::Lcov)),
    };
    let changed = || Measured::Changed { since: None };
    let lines = |reached, lines| read(|tally| (tally.reached, tally.lines) = (reached, lines));
    assert_eq!(saw(how(Measured::All, 8000), 0, lines(80, 100)), "passed");
    assert_eq!(saw(how(Measured::All, 8000), 1, lines(80, 100)), "exit 1");
    assert_eq!(
        saw(how(Measured::All, 8001), 0, lines(80, 100)),
        "exit 0: 80 of 100 lines are reached, 80.00 %; 80.01 % are asked for"
    );
    assert_eq!(
        saw(how(changed(), 9000), 0, lines(2, 3)),
        "exit 0: 2 of 3 lines are reached, 66.66 %; 90.00 % are asked for"
    );
    assert_eq!(
        saw(how(Measured::All, 0), 0, lines(0, 0)),
        "exit 0: the report knows no line"
    );
    assert_eq!(
        saw(how(changed(), 0), 0, lines(0, 0)),
        "exit 0: no line was changed that tests could reach"
    );
    let guard = check(Role::Guard, how(changed(), 9000));
    assert_eq!(word(&gate::saw(&guard, 0, &lines(0, 0))), "passed");
    let named = plain(Kind::Coverage(Runner::Pytest), Some(Format::Lcov));
    assert_eq!(saw(named.clone(), 0, lines(0, 0)), "exit 0: the report knows no line");
    assert_eq!(saw(named, 0, lines(1, 9)), "passed");
}

#[test]
fn what_runs_no_program_is_not_judged_by_one() {
    let how = CheckMethod::FileExists { path: "a".into() };
    assert_eq!(saw(how, 0, Reading::None), "cannot: it runs no program");
}

fn evidence(saw: CheckOutcome, named: Named, runs: Runs) -> Evidence {
    let criterion = Criterion {
        id: CriterionId::new("A"),
        text: "it holds".into(),
        line: 1,
        checks: Vec::new(),
    };
    let check = check(Role::Goal, one_test());
    let binding = Binding::of(&TreeId::new("t"), &criterion, &check, &Digest::of(b"rules"));
    Evidence {
        criterion: criterion.id,
        check: check.id,
        key: binding.key(),
        binding,
        conditions: Conditions {
            program: None,
            variables: Default::default(),
            network: Network::Off,
            isolation: Isolation::Bubblewrap,
            architecture: "x86_64".into(),
            layers: Default::default(),
            warmth: Default::default(),
            sockets: Vec::new(),
        },
        saw,
        stdout: body(),
        stderr: body(),
        took_ms: 1,
        tally: Some(Tally { named, ..tally() }),
        because: None,
        runs,
        error: None,
        altered: Vec::new(),
    }
}

#[test]
fn a_check_stands_beside_the_base_in_one_of_six_ways() {
    let (red, green) = (CheckOutcome::red(Some(1)), CheckOutcome::Passed);
    let steady = Runs::default();
    let flaky = Runs { green: 2, red: 1 };
    for (role, base, now, runs, wanted) in [
        (Role::Goal, &red, &green, steady, SinceBase::Fixed),
        (Role::Goal, &red, &red, steady, SinceBase::StillFailing),
        (Role::Guard, &red, &red, steady, SinceBase::AlreadyBroken),
        (Role::Guard, &green, &red, steady, SinceBase::NewlyBroken),
        (Role::Guard, &green, &green, steady, SinceBase::Kept),
        (Role::Goal, &red, &green, flaky, SinceBase::Flaky),
    ] {
        let on = |saw: &CheckOutcome, runs| evidence(saw.clone(), Named::default(), runs);
        assert_eq!(gate::since(role, &on(base, steady), &on(now, runs)), wanted);
        let other_way = gate::since(role, &on(base, runs), &on(now, steady));
        assert_eq!(other_way, wanted, "known since the base");
    }
    assert!(!Runs { green: 12, red: 0 }.is_flaky());
    assert!(!Runs { green: 0, red: 2 }.is_flaky());
}

#[test]
fn a_goals_test_is_the_persons_if_the_base_has_it() {
    let failed = Named {
        failed: 1,
        ..Named::default()
    };
    let on_base = |named| evidence(CheckOutcome::red(Some(1)), named, Runs::default());
    let goal = check(Role::Goal, one_test());
    assert_eq!(gate::origin(&goal, &on_base(failed)), Some(Origin::Person));
    assert_eq!(gate::origin(&goal, &on_base(Named::default())), Some(Origin::Run));
    let other = check(Role::Goal, plain(TESTS, None));
    assert_eq!(gate::origin(&other, &on_base(failed)), None);
}

fn control(sabotage: Sabotage, turned: &Reaction) -> Control {
    Control {
        check: CheckId::new("A.1"),
        sabotage,
        about: "about".into(),
        turned: turned.clone(),
        output: body(),
        took_ms: 1,
    }
}

fn red() -> Reaction {
    Reaction::Red { by: "it".into() }
}

fn nothing() -> Reaction {
    Reaction::Nothing { why: "nothing".into() }
}

fn not_laid() -> Reaction {
    Reaction::NotLaid { why: "not laid".into() }
}

fn otherwise() -> Reaction {
    Reaction::Otherwise {
        why: "otherwise".into(),
    }
}

fn proof(check: &Check, base: Option<&Evidence>, turned: &[(Sabotage, Reaction)]) -> String {
    let controls: Vec<Control> = turned.iter().map(|(what, turned)| control(*what, turned)).collect();
    match gate::proof(check, base, &controls) {
        Proof::Read => "read".into(),
        Proof::SeenToFail => "seen".into(),
        Proof::SelfTested => "self-tested".into(),
        Proof::CanaryOnly => "canary only".into(),
        Proof::NeverSeenToFail => "never seen".into(),
        Proof::Unproven(_) => "unproven".into(),
    }
}

#[test]
fn a_check_of_no_runner_is_proved_by_a_fault_of_its_kind() {
    for kind in [Kind::Lint, Kind::Types, Kind::Build] {
        let check = check(Role::Guard, plain(kind, None));
        let of = |turned: Reaction| proof(&check, None, &[(Sabotage::Violation, turned)]);
        assert_eq!(of(red()), "seen");
        assert_eq!(of(Reaction::Green), "unproven");
        assert_eq!(of(otherwise()), "unproven");
        assert_eq!(of(not_laid()), "never seen");
        assert_eq!(of(nothing()), "never seen");
        assert_eq!(proof(&check, None, &[]), "unproven");
        assert_eq!(proof(&check, None, &[(Sabotage::Canary, red())]), "unproven");
    }
    let plain_command = check(Role::Goal, plain(Kind::Plain, None));
    assert_eq!(proof(&plain_command, None, &[]), "never seen");
    let fact = check(Role::Goal, CheckMethod::FileExists { path: "a".into() });
    assert_eq!(proof(&fact, None, &[]), "read");
}

#[test]
fn a_guard_of_tests_is_proved_by_a_canary_and_by_tests_that_fail_without_the_work() {
    for kind in [TESTS, Kind::Coverage(Runner::Pytest)] {
        let guard = check(Role::Guard, plain(kind, None));
        let with = |canary: Reaction, over: Option<Reaction>| {
            let mut turned = vec![(Sabotage::Canary, canary)];
            turned.extend(over.map(|over| (Sabotage::OverBase, over)));
            proof(&guard, None, &turned)
        };
        assert_eq!(with(red(), None), "seen");
        for (canary, wanted) in [
            (Reaction::Green, "unproven"),
            (otherwise(), "unproven"),
            (not_laid(), "unproven"),
            (nothing(), "never seen"),
        ] {
            assert_eq!(with(canary, None), wanted);
        }
        for (over, wanted) in [
            (red(), "seen"),
            (nothing(), "seen"),
            (not_laid(), "seen"),
            (Reaction::Green, "unproven"),
            (otherwise(), "unproven"),
        ] {
            assert_eq!(with(red(), Some(over)), wanted);
        }
        assert_eq!(proof(&guard, None, &[]), "unproven");
    }
}

#[test]
fn a_goal_of_tests_must_miss_what_the_run_did() {
    let goal = check(Role::Goal, one_test());
    let base = |named| evidence(CheckOutcome::red(Some(1)), named, Runs::default());
    let of_run = base(Named::default());
    let of_person = base(Named {
        failed: 1,
        ..Named::default()
    });
    let with = |base: Option<&Evidence>, failing: Option<Reaction>, defaulting: Option<Reaction>| {
        let mut turned = vec![(Sabotage::Canary, red())];
        turned.extend(failing.map(|turned| (Sabotage::Failing, turned)));
        turned.extend(defaulting.map(|turned| (Sabotage::Defaulting, turned)));
        proof(&goal, base, &turned)
    };
    for base in [&of_run, &of_person] {
        assert_eq!(with(Some(base), Some(red()), Some(red())), "seen");
        assert_eq!(with(Some(base), Some(otherwise()), Some(otherwise())), "seen");
        assert_eq!(with(Some(base), Some(red()), Some(Reaction::Green)), "unproven");
        assert_eq!(with(Some(base), None, Some(red())), "unproven");
    }
    for gone in [nothing(), not_laid()] {
        assert_eq!(with(Some(&of_run), Some(gone.clone()), None), "canary only");
        assert_eq!(with(Some(&of_person), Some(gone.clone()), None), "seen");
        assert_eq!(with(None, Some(gone), None), "seen");
    }
    for (as_before, known) in [(red(), "seen"), (nothing(), "seen"), (Reaction::Green, "unproven")] {
        let turned = [
            (Sabotage::Canary, red()),
            (Sabotage::Failing, red()),
            (Sabotage::AsBefore, as_before),
        ];
        assert_eq!(proof(&goal, Some(&of_run), &turned), known);
    }
    // A goal that only measures coverage has no functions to miss.
    let coverage = check(Role::Goal, plain(Kind::Coverage(Runner::Pytest), None));
    assert_eq!(proof(&coverage, None, &[(Sabotage::Canary, red())]), "seen");
}

#[test]
fn a_goal_that_is_green_where_functions_fail_must_be_red_where_they_give_a_default() {
    let goal = check(Role::Goal, one_test());
    let base = evidence(CheckOutcome::red(Some(1)), Named::default(), Runs::default());
    let with = |defaulting: Option<Reaction>| {
        let mut turned = vec![(Sabotage::Canary, red()), (Sabotage::Failing, Reaction::Green)];
        turned.extend(defaulting.map(|turned| (Sabotage::Defaulting, turned)));
        proof(&goal, Some(&base), &turned)
    };
    assert_eq!(with(Some(red())), "seen");
    for other in [Reaction::Green, otherwise(), nothing(), not_laid()] {
        assert_eq!(with(Some(other.clone())), "unproven", "{other:?}");
    }
    assert_eq!(with(None), "unproven");
}

#[test]
fn a_runner_that_takes_no_canary_is_believed_as_far_as_it_was_seen_to_fail() {
    let guard = check(Role::Guard, plain(Kind::Tests(Runner::Other), None));
    assert!(!guard.can_be_challenged());
    assert_eq!(proof(&guard, None, &[]), "never seen");
    let goal = check(Role::Goal, plain(Kind::Tests(Runner::Maven), None));
    assert!(goal.can_be_challenged());
    let with = |failing: Reaction| {
        proof(
            &goal,
            None,
            &[(Sabotage::Canary, nothing()), (Sabotage::Failing, failing)],
        )
    };
    assert_eq!(with(red()), "seen");
    assert_eq!(with(Reaction::Green), "unproven");
    assert_eq!(with(nothing()), "never seen");
    assert_eq!(with(otherwise()), "never seen");
    assert_eq!(proof(&goal, None, &[]), "unproven");
    for runner in [Runner::Other, Runner::Maven, Runner::Gradle] {
        assert!(!runner.takes_canaries());
        assert!(!check(Role::Goal, plain(Kind::Coverage(runner), None)).can_be_challenged());
    }
    for runner in [Runner::Pytest, Runner::Vitest, Runner::Nextest, Runner::GoTest] {
        assert!(check(Role::Guard, plain(Kind::Tests(runner), None)).can_be_challenged());
    }
}

#[test]
fn tests_of_the_run_must_fail_on_the_bases_code_and_are_shown_as_the_runs_own() {
    for name in [None, Some("test_it")] {
        let goal = check(Role::Goal, run_tests(name));
        let base = evidence(CheckOutcome::red(Some(1)), Named::default(), Runs::default());
        let with = |over: Option<Reaction>, failing: Reaction| {
            let mut turned = vec![(Sabotage::Canary, red()), (Sabotage::Failing, failing)];
            turned.extend(over.map(|over| (Sabotage::RunTestsOverBase, over)));
            proof(&goal, Some(&base), &turned)
        };
        assert_eq!(with(Some(red()), red()), "self-tested");
        assert_eq!(
            with(Some(red()), nothing()),
            "self-tested",
            "no function could be taken away"
        );
        assert_eq!(with(Some(red()), Reaction::Green), "unproven");
        for other in [Reaction::Green, otherwise(), not_laid()] {
            assert_eq!(with(Some(other.clone()), red()), "unproven", "{other:?}");
        }
        assert_eq!(
            with(Some(nothing()), red()),
            "self-tested",
            "it does not load, and its work is missed"
        );
        assert_eq!(with(Some(nothing()), nothing()), "unproven", "it may want a name alone");
        assert_eq!(with(None, red()), "unproven");
        assert_eq!(
            proof(&goal, Some(&base), &[(Sabotage::RunTestsOverBase, red())]),
            "unproven",
            "no canary"
        );
        assert_eq!(gate::origin(&goal, &base), Some(Origin::Run));
    }
    let mut blind = check(Role::Goal, run_tests(None));
    blind.execution_mut().expect("an execution").kind = Kind::Tests(Runner::Maven);
    let with = |over: Reaction| {
        let turned = [(Sabotage::Canary, nothing()), (Sabotage::RunTestsOverBase, over)];
        proof(&blind, None, &turned)
    };
    assert_eq!(
        with(red()),
        "self-tested",
        "it was seen to fail where the work is missing"
    );
    assert_eq!(with(Reaction::Green), "unproven");
}

#[test]
fn a_check_of_tests_of_the_run_is_another_one_on_another_base() {
    let on = |since: &str| {
        let mut goal = check(Role::Goal, run_tests(None));
        if let CheckMethod::RunTests { since: tree, .. } = &mut goal.how {
            *tree = Some(TreeId::new(since));
        }
        goal.definition()
    };
    assert_ne!(on("base"), on("other"));
    let argv = |name| check(Role::Goal, run_tests(name)).argv();
    assert_ne!(argv(None), argv(Some("test_it")));
    assert_ne!(argv(Some("test_it")), check(Role::Goal, one_test()).argv());
}

#[test]
fn controls_of_another_check_prove_nothing() {
    let goal = check(Role::Guard, plain(TESTS, None));
    let mut other = control(Sabotage::Canary, &red());
    other.check = CheckId::new("B.1");
    assert!(matches!(gate::proof(&goal, None, &[other]), Proof::Unproven(_)));
}
