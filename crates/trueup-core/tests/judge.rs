//! What executions on sabotaged trees mean.

use trueup_core::{
    control::{Reaction, Sabotage},
    criterion::{Check, CheckMethod, Execution, Network, Role, Visibility},
    digest::Digest,
    evidence::{Body, CheckOutcome},
    id::{CheckId, TreeId},
    judge::{
        ControlResult, FormerFile, FormerTest, ProbeResult, RunTests, Trial, better, debug_only, former_tests_by_exit,
        former_tests_by_report, here_only, once_only, only_with, tells_of_all, visible_only,
    },
    objection::{Objection, ObjectionKind},
    test_results::{Test, TestOutcome, TestResults, listed},
};

use TestOutcome::{Failed, Passed, Skipped};

fn test(id: &str, outcome: TestOutcome) -> Test {
    Test {
        id: id.to_owned(),
        outcome,
        file: None,
        line: None,
        message: String::new(),
    }
}

fn tests(all: &[(&str, TestOutcome)]) -> Vec<Test> {
    all.iter().map(|(id, outcome)| test(id, *outcome)).collect()
}

fn results(all: &[(&str, TestOutcome)]) -> TestResults {
    TestResults::of(&tests(all))
}

fn body(text: &str) -> Body {
    Body {
        digest: Digest::of(text.as_bytes()),
        bytes: text.len() as u64,
    }
}

fn trial(ended: Result<i32, CheckOutcome>, all: &[(&str, TestOutcome)]) -> Trial {
    Trial {
        ended,
        tests: tests(all),
        printed: false,
        saw: Vec::new(),
        output: body("out"),
        took_ms: 7,
    }
}

fn cannot() -> CheckOutcome {
    CheckOutcome::CannotRun {
        why: "no program".into(),
    }
}

fn saying(saw: CheckOutcome, all: &[(&str, TestOutcome)]) -> Trial {
    Trial {
        saw: vec![(CheckId::new("A.1"), saw)],
        ..trial(Ok(1), all)
    }
}

fn check(id: &str) -> Check {
    Check {
        id: CheckId::new(id),
        role: Role::Goal,
        sight: Visibility::Open,
        line: 1,
        source: String::new(),
        how: CheckMethod::Command(Execution::new(vec!["pytest".into()], 1000, Network::Off)),
    }
}

fn red(by: &str) -> Reaction {
    Reaction::Red { by: by.into() }
}

fn why(turned: &Reaction) -> &str {
    match turned {
        Reaction::Otherwise { why } | Reaction::NotLaid { why } | Reaction::Nothing { why } => why,
        Reaction::Red { .. } | Reaction::Green => "",
    }
}

#[test]
fn a_test_that_is_told_of_twice_failed_where_it_failed_once_and_ran_where_it_ran_once() {
    for (one, other, counts) in [
        (Passed, Failed, Failed),
        (Failed, Passed, Failed),
        (Skipped, Passed, Passed),
        (Passed, Skipped, Passed),
        (Failed, Skipped, Failed),
        (Skipped, Skipped, Skipped),
    ] {
        assert_eq!(
            results(&[("a", one), ("a", other)]).outcome("a"),
            Some(counts),
            "{one:?} {other:?}"
        );
    }
    let mut first = test("a", Passed);
    first.message = "first".into();
    let both = TestResults::of(&[first, test("a", Passed)]);
    assert_eq!(both.that_ran().next().map(|test| test.message.as_str()), Some("first"));
}

#[test]
fn what_ran_is_what_was_not_skipped() {
    let known = results(&[("a", Passed), ("b", Skipped), ("c", Failed)]);
    let ran: Vec<&str> = known.that_ran().map(|test| test.id.as_str()).collect();
    assert_eq!(ran, ["a", "c"]);
    assert!(!known.is_empty());
    assert!(results(&[]).is_empty());
    assert_eq!(known.outcome("d"), None);
}

#[test]
fn what_was_mended_failed_before_and_passes_now() {
    let before = results(&[
        ("a", Failed),
        ("b", Failed),
        ("c", Passed),
        ("d", Failed),
        ("e", Skipped),
    ]);
    let now = results(&[("a", Passed), ("b", Failed), ("c", Passed), ("e", Passed)]);
    assert_eq!(before.mended_in(&now).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn twelve_names_are_shown_and_the_rest_is_counted() {
    let names = |count: usize| (1..=count).map(|number| format!("n{number}")).collect::<Vec<String>>();
    assert_eq!(listed(&names(0)), "");
    assert_eq!(listed(&names(2)), "n1, n2");
    assert!(listed(&names(12)).ends_with("n11, n12"));
    assert!(listed(&names(13)).ends_with("n11, n12 and 1 more"));
    assert!(listed(&names(15)).ends_with("n12 and 3 more"));
}

#[test]
fn a_canary_turns_a_check_red_by_its_own_name() {
    let one = trial(Ok(1), &[("a::other", Failed), ("a::canary_x_unequal", Failed)]);
    assert_eq!(one.reaction_to("canary_x", &[]), red("a::canary_x_unequal"));
    let mut message = trial(Ok(1), &[("a::fuzz", Failed)]);
    message.tests[0].message = "canary_x failed".into();
    assert_eq!(message.reaction_to("canary_x", &[]), red("a::fuzz"));
    assert_eq!(
        trial(Ok(0), &[("canary_x", Passed)]).reaction_to("canary_x", &[]),
        Reaction::Green
    );
    assert_eq!(
        trial(Ok(0), &[("canary_x", Failed)]).reaction_to("canary_x", &[]),
        red("canary_x")
    );
    let other = trial(Ok(3), &[("a::other", Failed)]).reaction_to("canary_x", &[]);
    assert_eq!(
        why(&other),
        "it turned red (exit 3) without naming the failing test that was laid"
    );
}

#[test]
fn a_broken_test_counts_by_its_id_where_the_token_was_printed() {
    let broken = ["a::b".to_owned()];
    let mut one = trial(Ok(1), &[("a::b", Failed)]);
    assert!(matches!(
        one.reaction_to("canary_x", &broken),
        Reaction::Otherwise { .. }
    ));
    one.printed = true;
    assert_eq!(one.reaction_to("canary_x", &broken), red("a::b"));
    assert!(
        matches!(one.reaction_to("canary_x", &[]), Reaction::Otherwise { .. }),
        "another test failed"
    );
}

#[test]
fn without_a_report_a_token_that_was_printed_tells() {
    let mut silent = trial(Ok(1), &[]);
    assert!(matches!(
        silent.reaction_to("canary_x", &[]),
        Reaction::Otherwise { .. }
    ));
    silent.printed = true;
    assert_eq!(silent.reaction_to("canary_x", &[]), red("canary_x"));
    silent.ended = Ok(0);
    assert_eq!(silent.reaction_to("canary_x", &[]), Reaction::Green);
    let mut told = trial(Ok(1), &[("a", Passed)]);
    told.printed = true;
    assert!(
        matches!(told.reaction_to("canary_x", &[]), Reaction::Otherwise { .. }),
        "a report would name it"
    );
    assert!(told.tells());
    assert!(!silent.tells());
}

#[test]
fn what_did_not_run_to_its_end_turned_red_by_something_else() {
    let of = |saw: CheckOutcome| {
        let turned = trial(Err(saw), &[]).reaction_to("x", &[]);
        why(&turned).to_owned()
    };
    assert_eq!(of(cannot()), "it could not run: no program");
    assert_eq!(of(CheckOutcome::TimedOut), "it ran out of time");
    assert_eq!(of(CheckOutcome::red(Some(127))), "its program was not there");
    for (ended, could) in [
        (Ok(1), true),
        (Err(CheckOutcome::red(Some(127))), true),
        (Err(CheckOutcome::TimedOut), false),
        (Err(cannot()), false),
    ] {
        assert_eq!(trial(ended, &[]).could_run(), could);
    }
}

#[test]
fn a_check_is_red_by_its_first_failed_test_or_by_what_it_says() {
    let id = CheckId::new("A.1");
    let of = |saw: CheckOutcome, all: &[(&str, TestOutcome)]| saying(saw, all).reaction_of(&id);
    let failed = |exit, why: Option<&str>| CheckOutcome::Failed {
        exit,
        why: why.map(str::to_owned),
    };
    assert_eq!(of(CheckOutcome::Passed, &[("a", Failed)]), Reaction::Green);
    assert_eq!(
        of(
            failed(Some(1), Some("no")),
            &[("p", Passed), ("a", Failed), ("b", Failed)]
        ),
        red("a")
    );
    assert_eq!(of(failed(Some(1), Some("no test ran")), &[]), red("no test ran"));
    assert_eq!(of(failed(Some(2), None), &[]), red("exit 2"));
    assert_eq!(of(failed(None, None), &[]), red("what was read"));
    assert_eq!(why(&of(CheckOutcome::TimedOut, &[])), "it ran out of time");
    assert_eq!(why(&of(cannot(), &[])), "it could not run: no program");
    let other = saying(CheckOutcome::Passed, &[]).reaction_of(&CheckId::new("B.1"));
    assert_eq!(
        why(&other),
        "it could not run: nothing was said of this check",
        "never a pass"
    );
}

#[test]
fn red_is_failed_or_out_of_time_and_only_a_pass_is_passed() {
    let id = CheckId::new("A.1");
    for (saw, is_red, has_passed) in [
        (CheckOutcome::Passed, false, true),
        (CheckOutcome::red(Some(1)), true, false),
        (CheckOutcome::TimedOut, true, false),
        (cannot(), false, false),
    ] {
        let one = saying(saw.clone(), &[]);
        assert_eq!(one.is_red(&id), is_red, "{saw:?}");
        let check = check("A.1");
        assert_eq!(one.not_passed(vec![&check]).is_empty(), has_passed, "{saw:?}");
    }
}

#[test]
fn a_test_fails_where_it_is_said_or_where_it_is_missing_and_something_went_wrong() {
    for (ended, all, fails, reported) in [
        (Ok(1), &[("a", Failed)][..], true, true),
        (Ok(0), &[("a", Failed)], true, true),
        (Ok(1), &[("a", Passed)], false, false),
        (Ok(1), &[("a", Skipped)], false, false),
        (Ok(1), &[("b", Failed)], true, false),
        (Ok(0), &[("b", Failed)], false, false),
        (Ok(0), &[], false, false),
        (Err(CheckOutcome::TimedOut), &[], true, false),
    ] {
        let one = trial(ended.clone(), all);
        assert_eq!(one.fails("a"), fails, "{ended:?} {all:?}");
        assert_eq!(one.reports_failed("a"), reported, "{ended:?} {all:?}");
    }
    let passed = trial(Ok(0), &[("a::canary_x", Passed), ("b", Failed)]);
    assert!(passed.has_passed("canary_x"));
    assert!(!passed.has_passed("b"));
    assert_eq!(passed.failed().map(|test| test.id.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(passed.results().outcome("b"), Some(Failed));
}

#[test]
fn the_result_that_tells_more_is_kept_with_the_time_of_both() {
    let result = |turned: Reaction, about: &str| ControlResult::of(about.into(), turned, &trial(Ok(1), &[]));
    let otherwise = Reaction::Otherwise { why: String::new() };
    let not_laid = Reaction::NotLaid { why: String::new() };
    let nothing = Reaction::Nothing { why: String::new() };
    let order = [red("x"), Reaction::Green, otherwise, nothing];
    for (at, more) in order.iter().enumerate() {
        for less in &order[at..] {
            for (one, other) in [(more, less), (less, more)] {
                let best = better(Some(result(one.clone(), "one")), Some(result(other.clone(), "other")));
                let best = best.expect("the best of two");
                assert_eq!((&best.turned, best.took_ms), (more, 14));
            }
        }
        let alone = better(None, Some(result(more.clone(), "")));
        assert_eq!(alone.map(|one| (one.turned, one.took_ms)), Some((more.clone(), 7)));
        let alone = better(Some(result(more.clone(), "")), None);
        assert_eq!(alone.map(|one| one.took_ms), Some(7));
    }
    let equal = better(Some(result(not_laid.clone(), "one")), Some(result(not_laid, "other")));
    assert_eq!(
        equal.map(|one| one.about),
        Some("one".to_owned()),
        "the first of two equals"
    );
    assert_eq!(better(None, None), None);
}

#[test]
fn a_result_is_said_of_each_check_as_it_is() {
    let result = ControlResult::of("it".into(), red("x"), &trial(Ok(1), &[]));
    assert!(result.is_red());
    let (one, other) = (check("A.1"), check("B.1"));
    let controls = result.controls(Sabotage::Canary, &[&one, &other]);
    let ids: Vec<&str> = controls.iter().map(|control| control.check.as_str()).collect();
    assert_eq!(ids, ["A.1", "B.1"]);
    for control in &controls {
        assert_eq!(control.sabotage, Sabotage::Canary);
        assert_eq!((control.about.as_str(), &control.turned), ("it", &red("x")));
        assert_eq!((&control.output, control.took_ms), (&body("out"), 7));
    }
    let untried = ControlResult::untried(Reaction::Green);
    assert_eq!(
        (untried.output, untried.took_ms, untried.about.as_str()),
        (body(""), 0, "")
    );
    assert!(!ControlResult::untried(Reaction::Green).is_red());
    let shown = ProbeResult::from(controls.clone());
    assert_eq!((shown.controls, shown.objections), (controls, Vec::new()));
    let asked = vec![debug_only(&CheckId::new("A.1"), &TreeId::new("t"))];
    let shown = ProbeResult::from(asked.clone());
    assert_eq!((shown.controls, shown.objections), (Vec::new(), asked));
}

#[test]
fn a_goal_that_passes_only_with_changed_files_is_told_by_their_bytes() {
    let id = CheckId::new("A.1");
    let of = |files: &[(&str, Option<&[u8]>)]| only_with(ObjectionKind::RulesOnly, &id, files);
    let one = of(&[("a.ini", Some(b"x"))]);
    assert_eq!(one.what, "fails without the change of `a.ini`");
    assert_eq!(
        (one.kind, one.path.as_str(), one.allowed.clone()),
        (ObjectionKind::RulesOnly, "A.1", None)
    );
    let two = of(&[("a.ini", Some(b"x")), ("b.ini", None)]);
    assert_eq!(two.what, "fails without the change of `a.ini`, `b.ini`");
    let others = [
        two,
        of(&[("a.ini", Some(b"y"))]),
        of(&[("b.ini", Some(b"x"))]),
        of(&[("a.ini", None)]),
        only_with(ObjectionKind::PageOnly, &id, &[("a.ini", Some(b"x"))]),
        only_with(ObjectionKind::RulesOnly, &CheckId::new("B.1"), &[("a.ini", Some(b"x"))]),
    ];
    for other in &others {
        assert_ne!(one.digest, other.digest, "{other:?}");
    }
    let gone = of(&[("a.ini", None)]);
    assert_eq!(
        gone.digest,
        of(&[("a.ini", Some(b"\0"))]).digest,
        "as kept journals have it"
    );
}

#[test]
fn a_goal_for_debugging_alone_is_told_for_one_tree() {
    let of = |check: &str, tree: &str| debug_only(&CheckId::new(check), &TreeId::new(tree));
    let one = of("A.1", "t");
    assert!(
        one.what
            .starts_with("does not pass in an optimised build without debug assertions"),
        "{}",
        one.what
    );
    assert_eq!((one.kind, one.path.as_str()), (ObjectionKind::DebugOnly, "A.1"));
    assert_ne!(one.digest, of("A.1", "u").digest);
    assert_ne!(one.digest, of("B.1", "t").digest);
}

#[test]
fn a_goal_that_passes_here_alone_or_once_is_told_for_one_tree() {
    let of = |check: &str, tree: &str, tests: &[&str]| here_only(&CheckId::new(check), &TreeId::new(tree), tests);
    let one = of("A.1", "t", &["x::adds"]);
    assert!(one.what.starts_with("`x::adds` fails where variables"), "{}", one.what);
    assert!(
        of("A.1", "t", &["a", "b"])
            .what
            .starts_with("`a`, `b` fail where variables")
    );
    assert_eq!((one.kind, one.path.as_str()), (ObjectionKind::HereOnly, "A.1"));
    assert_ne!(one.digest, of("A.1", "u", &["x::adds"]).digest);
    assert_ne!(one.digest, of("B.1", "t", &["x::adds"]).digest);
    let once = once_only(&CheckId::new("A.1"), &TreeId::new("t"), &["x::adds"]);
    assert!(
        once.what.starts_with("`x::adds` fails where all tests are run twice"),
        "{}",
        once.what
    );
    assert_eq!((once.kind, once.path.as_str()), (ObjectionKind::OnceOnly, "A.1"));
    assert_ne!(once.digest, one.digest);
}

#[test]
fn a_goal_that_only_knows_the_values_of_its_tests_is_told_for_one_tree() {
    let of = |tree: &str, tests: &[&str]| visible_only(&CheckId::new("A.1"), &TreeId::new(tree), tests);
    let one = of("t", &["x::adds"]);
    assert!(
        one.what
            .starts_with("`x::adds` says the same with the work and without it"),
        "{}",
        one.what
    );
    assert!(of("t", &["a", "b"]).what.starts_with("`a`, `b` say the same"));
    assert_eq!((one.kind, one.path.as_str()), (ObjectionKind::VisibleOnly, "A.1"));
    assert_ne!(one.digest, of("u", &["x::adds"]).digest);
}

/// What is told of former tests, of which the files say this.
fn told(now: &[(&str, TestOutcome)], former: &[(&str, TestOutcome)], known: &FormerTest<'_>) -> Vec<Objection> {
    let before = results(&[("a", Passed), ("b", Skipped)]);
    former_tests_by_report(&before, &results(now), &trial(Ok(1), former), |_| known.clone())
}

#[test]
fn a_test_that_fails_as_it_stood_is_told_in_one_of_three_ways() {
    let known = |is_same| FormerTest {
        bytes: b"now",
        is_same,
        expectation: None,
        allowed: Some("a word".into()),
    };
    let what = |now: &[(&str, TestOutcome)], is_same| {
        let told = told(now, &[("a", Failed), ("b", Failed)], &known(is_same));
        assert_eq!(told.len(), 1, "what was skipped never ran: {told:?}");
        told.into_iter().next().map(|one| one.what).expect("an objection")
    };
    assert!(what(&[("a", Passed)], false).starts_with("this test was changed"));
    assert!(what(&[("a", Passed)], true).starts_with("this test passes only by what was changed"));
    for is_same in [true, false] {
        assert!(what(&[("c", Passed)], is_same).starts_with("this test stands elsewhere now or is gone"));
    }
    for (now, former) in [
        (&[("a", Passed)][..], &[("a", Passed)][..]),
        (&[("a", Passed)], &[]),
        (&[("a", Failed)], &[("a", Failed)]),
        (&[("a", Skipped)], &[("a", Failed)]),
    ] {
        assert!(told(now, former, &known(false)).is_empty(), "{now:?} {former:?}");
    }
    let one = told(&[("a", Passed)], &[("a", Failed)], &known(false))
        .into_iter()
        .next()
        .expect("an objection");
    assert_eq!((one.kind, one.path.as_str()), (ObjectionKind::TestChanged, "a"));
    assert_eq!(one.digest, ObjectionKind::TestChanged.digest(&[b"a", b"now"]));
    assert_eq!(one.allowed.as_deref(), Some("a word"));
}

#[test]
fn a_changed_expectation_is_shown_as_it_was_and_as_it_is() {
    let known = FormerTest {
        bytes: b"now",
        is_same: false,
        expectation: Some(("assert a == 1".into(), "assert a == 2".into())),
        allowed: None,
    };
    let told = told(&[("a", Passed)], &[("a", Failed)], &known);
    assert!(told[0].what.contains("`assert a == 1` → `assert a == 2`"), "{told:?}");
}

#[test]
fn of_tests_of_the_run_one_that_fails_is_enough() {
    let check = CheckId::new("A.1");
    let ids = |own: &[&str]| own.iter().map(|id| (*id).to_owned()).collect();
    let said = |ended: Result<i32, CheckOutcome>, tests: &[(&str, TestOutcome)], own: &[&str]| {
        let mut trial = trial(ended, tests);
        trial.saw = vec![(check.clone(), CheckOutcome::TimedOut)];
        trial.say_of_run_tests(&check, &RunTests::Written(ids(own)));
        assert_eq!(trial.saw.len(), 1);
        trial.saw(&check)
    };
    let both = &[("a", Passed), ("b", Failed)];
    assert_eq!(said(Ok(1), both, &["a"]), CheckOutcome::Passed, "another one failed");
    assert!(matches!(
        said(Ok(1), both, &["a", "b"]),
        CheckOutcome::Failed { exit: Some(1), .. }
    ));
    assert!(
        matches!(said(Ok(2), &[], &["a"]), CheckOutcome::Failed { .. }),
        "its file does not load"
    );
    assert_eq!(said(Ok(0), &[], &["a"]), CheckOutcome::Passed, "nothing went wrong");
    assert_eq!(said(Err(CheckOutcome::TimedOut), both, &["b"]), CheckOutcome::TimedOut);
    let beside = RunTests::Beside(ids(&["a", "b"]));
    assert!(
        trial(Ok(2), &[]).failing_of(&beside).is_empty(),
        "nobody touched what is hidden"
    );
    assert_eq!(trial(Ok(1), both).failing_of(&beside), ["b"]);
}

#[test]
fn a_report_is_whole_where_it_tells_of_every_test_that_is_due() {
    let whole = |before: &[(&str, TestOutcome)], now: &[(&str, TestOutcome)], former: &[(&str, TestOutcome)]| {
        tells_of_all(&results(before), &results(now), &trial(Ok(1), former), |test| {
            test.id == "allowed"
        })
    };
    assert!(whole(&[("a", Passed)], &[("a", Passed)], &[("a", Failed)]));
    assert!(!whole(&[("a", Passed)], &[("a", Passed)], &[("b", Failed)]));
    assert!(!whole(&[("a", Passed)], &[("b", Passed)], &[]), "it is gone");
    assert!(whole(&[("allowed", Passed)], &[("b", Passed)], &[]), "it may be gone");
    assert!(
        !whole(&[("allowed", Passed)], &[("allowed", Passed)], &[]),
        "it is not gone"
    );
    assert!(whole(&[("a", Passed)], &[("a", Failed)], &[]), "it is red by itself");
    assert!(whole(&[("a", Skipped)], &[("a", Passed)], &[]), "it never ran");
}

#[test]
fn without_a_report_the_files_are_told() {
    let file = |path, was_there, bytes| FormerFile {
        path,
        was_there,
        bytes,
        allowed: None,
    };
    let files = [file("t.py", true, Some(&b"x"[..])), file("n.py", false, None)];
    assert!(former_tests_by_exit(&trial(Ok(0), &[]), &files).is_empty());
    for ended in [Ok(1), Err(CheckOutcome::TimedOut)] {
        let told = former_tests_by_exit(&trial(ended, &[]), &files);
        let [changed, added] = told.as_slice() else {
            unreachable!("{told:?}");
        };
        assert!(changed.what.starts_with("the tests in this file were changed"));
        assert!(added.what.starts_with("without this file"));
        assert_eq!(
            (changed.kind, changed.path.as_str()),
            (ObjectionKind::TestChanged, "t.py")
        );
        assert_eq!(changed.digest, ObjectionKind::TestChanged.digest(&[b"t.py", b"x"]));
        assert_eq!(added.digest, ObjectionKind::TestChanged.digest(&[b"n.py", b"\0"]));
    }
}

#[test]
fn the_same_difference_of_two_kinds_has_two_names() {
    let one = ObjectionKind::RulesOnly.digest(&[b"a", b"b"]);
    assert_eq!(
        one,
        Digest::of_fields([&b"RulesOnly"[..], b"a", b"b"]),
        "as kept journals have it"
    );
    assert_ne!(one, ObjectionKind::PageOnly.digest(&[b"a", b"b"]));
    assert_ne!(one, ObjectionKind::RulesOnly.digest(&[b"ab"]));
}

#[test]
fn a_file_that_could_not_be_loaded_is_no_test_that_ran() {
    let told = |id: &str, message: &str| Test {
        message: message.to_owned(),
        ..test(id, Failed)
    };
    let ran = |test: Test| TestResults::of(&[test]).that_ran().count();
    assert_eq!(ran(told("tests.test_half", "collection failure\nImportError")), 0);
    assert_eq!(
        ran(told("test/half.test.ts::test/half.test.ts", "Failed to resolve")),
        0
    );
    assert_eq!(ran(told("tests.test_half::test_half", "assert 1 == 2")), 1);
}
