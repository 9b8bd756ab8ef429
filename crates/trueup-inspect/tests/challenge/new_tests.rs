//! Tests of the run, over the code that was there before.

use crate::played::{Case, Failed, PYTEST, Passed, Played, Skipped, changed, check, ended, execution};
use trueup_core::{
    control::Sabotage,
    criterion::{CheckMethod, Role},
    evidence::CheckOutcome,
    judge::Trial,
    kind::{Kind, Runner},
};
use trueup_inspect::challenge::{Layout, On, Probe};

const CODE: &str = "def double(x):\n    return 2 * x\n\n\nclass Cart:\n    def total(self):\n        return 3\n";
const OLD: &str = "def test_old():\n    assert double(1) == 2\n";
const NEW: &str = "def test_new():\n    assert double(2) == 4\n";
const NEW_ID: &str = "tests.test_new::test_new";

/// A guard, so that nothing but its new tests is looked at.
fn guard() -> Case {
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    );
    let case = Case::of(guard, &[changed("tests/test_new.py", None, Some(NEW))]);
    case.same("price.py", CODE).same("tests/test_old.py", OLD)
}

fn reported() -> Case {
    let old = ("tests.test_old::test_old", Passed);
    guard().reports(&[old], &[old, (NEW_ID, Passed)])
}

fn played(case: &Case, show: impl FnMut(&Layout) -> Trial) -> Played {
    case.play(Probe::Without, show)
}

fn turned(played: &Played) -> String {
    played.turned(Sabotage::OverBase)
}

const NOTHING: &str = "nothing: no test of this check is new";

#[test]
fn a_new_test_that_fails_over_the_base_is_red() {
    let played = played(&reported(), |_| ended(1, &[(NEW_ID, Failed)]));
    assert_eq!(played.names(), ["over base"]);
    assert_eq!(played.layouts[0].on, On::Base);
    assert_eq!(played.laid("over base", "tests/test_new.py").as_deref(), Some(NEW));
    assert_eq!(turned(&played), format!("red by {NEW_ID}"));
    let control = played.control(Sabotage::OverBase);
    assert_eq!((control.about.as_str(), control.took_ms), (NEW_ID, 10));
    assert_eq!(played.shown.controls.len(), 1, "a guard misses no function");
}

#[test]
fn what_could_not_be_run_over_the_base_shows_nothing() {
    for saw in [CheckOutcome::TimedOut, CheckOutcome::CannotRun { why: "no".into() }] {
        let played = played(&reported(), |_| Trial {
            ended: Err(saw.clone()),
            ..ended(0, &[])
        });
        let why = "otherwise: the new tests could not be run over the code that was there before";
        assert_eq!((turned(&played).as_str(), played.layouts.len()), (why, 1));
        assert_eq!(played.control(Sabotage::OverBase).about, NEW_ID);
    }
}

#[test]
fn what_passes_over_the_base_is_tried_without_what_it_calls() {
    let names = [
        "over base",
        "calls fail",
        "calls give defaults",
        "all fails",
        "all give defaults",
    ];
    for (at, name) in names.iter().enumerate() {
        let played = played(&reported(), |layout| match layout.name == *name {
            true => ended(1, &[(NEW_ID, Failed)]),
            false => ended(0, &[(NEW_ID, Passed)]),
        });
        assert_eq!(played.names(), names[..=at]);
        assert_eq!(turned(&played), format!("red by {NEW_ID}"));
        let took = played.control(Sabotage::OverBase).took_ms;
        assert_eq!(took, 10 * (at as u64 + 1));
    }
    let never = played(&reported(), |_| ended(0, &[(NEW_ID, Passed)]));
    assert_eq!((never.names(), turned(&never).as_str()), (names.to_vec(), "green"));
    assert_eq!(never.control(Sabotage::OverBase).about, NEW_ID);
    assert_eq!(never.control(Sabotage::OverBase).took_ms, 50);
    let fails = never.laid("calls fail", "price.py").expect("a file");
    assert!(
        fails.contains("trueup_stub_w") && !fails.contains("self):\n        raise"),
        "{fails}"
    );
    let defaults = never.laid("calls give defaults", "price.py").expect("a file");
    assert!(
        defaults.contains("return\n") && !defaults.contains("raise"),
        "{defaults}"
    );
    let all = never.laid("all fails", "price.py").expect("a file");
    assert_eq!(all.matches("raise").count(), 2, "{all}");
    assert_eq!(never.paths("all fails"), ["price.py"], "no test is stubbed");
    assert_eq!(never.read, ["price.py"], "nor what tests share");
}

#[test]
fn a_test_that_a_loop_makes_is_seen_to_fail_where_the_work_does() {
    let mut case = reported();
    case.files
        .push(changed("price.py", Some(CODE), Some(&CODE.replace("2 * x", "x + x"))));
    case.same.retain(|(path, _)| path != "price.py");
    let fails_on = |name: &'static str| {
        played(&case, move |layout| match layout.name == name {
            true => ended(1, &[(NEW_ID, Failed)]),
            // Where more is taken away, nothing loads.
            false if layout.name != "over base" => ended(1, &[]),
            false => ended(0, &[(NEW_ID, Passed)]),
        })
    };
    let seen = fails_on("functions fail");
    assert_eq!(seen.names(), ["over base", "functions fail"]);
    assert_eq!(turned(&seen), format!("red by {NEW_ID}"));
    assert_eq!(seen.control(Sabotage::OverBase).took_ms, 20, "no time goes untold");
    let loads_nowhere = fails_on("nowhere");
    assert_eq!(loads_nowhere.names()[1..3], ["functions fail", "calls fail"]);
}

#[test]
fn a_test_of_go_that_a_panic_before_it_hides_is_run_alone() {
    let (old, new) = ("example.org/shop::TestOld", "example.org/shop::TestNew");
    let code = "package shop\n\nfunc Double(x int) int {\n\treturn 2 * x\n}\n";
    let test = "package shop\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) {\n\tcheck(t, 2)\n}\n";
    let kind = Kind::Tests(Runner::GoTest);
    let how = CheckMethod::Command(execution(&["go", "test", "-json", "./..."], kind));
    let case = Case::of(
        check("A.1", Role::Guard, how),
        &[changed("new_test.go", None, Some(test))],
    );
    let case = case.same("shop.go", code);
    let case = case.reports(&[(old, Passed)], &[(old, Passed), (new, Passed)]);
    let tried = |outcome| {
        played(&case, move |layout| match layout.name.as_str() {
            "all fails" => ended(1, &[(old, Failed)]),
            "all fails, example.org/shop::TestNew alone" => ended(1, &[(new, outcome)]),
            _ => ended(0, &[(old, Passed), (new, Passed)]),
        })
    };
    let seen = tried(Failed);
    let alone = seen.layouts.last().expect("a layout");
    assert_eq!(
        alone.argv.as_deref().and_then(<[String]>::last).map(String::as_str),
        Some("^(TestNew)$")
    );
    assert_eq!(turned(&seen), format!("red by {new}"));
    assert_eq!(turned(&tried(Passed)), "green", "it does not look at the code");
}

#[test]
fn an_example_is_tried_without_what_it_documents() {
    let (old, id) = (("tests.test_old::test_old", Passed), "src/lib.rs - Cart::total (2)");
    let case = guard().reports(&[old], &[old, (id, Passed)]);
    let played = played(&case, |layout| match layout.name.as_str() {
        "calls fail" => ended(1, &[(id, Failed)]),
        _ => ended(0, &[(id, Passed)]),
    });
    let stubbed = played.laid("calls fail", "price.py").expect("a file");
    assert_eq!(stubbed.matches("trueup_stub_w").count(), 1, "{stubbed}");
    assert_eq!(turned(&played), format!("red by {id}"));
}

#[test]
fn where_all_is_taken_away_the_test_itself_must_be_told_to_fail() {
    let played = played(&reported(), |layout| match layout.name.as_str() {
        "all fails" => ended(1, &[]),
        _ => ended(0, &[(NEW_ID, Passed)]),
    });
    assert_eq!(turned(&played), "green", "something fails, but not the test");
    let missing = reported().play(Probe::Without, |layout| match layout.name.as_str() {
        "calls fail" => ended(1, &[]),
        _ => ended(0, &[(NEW_ID, Passed)]),
    });
    assert_eq!(
        turned(&missing),
        format!("red by {NEW_ID}"),
        "its file did not load without what it calls"
    );
}

#[test]
fn without_a_report_nobody_could_tell_who_fails_without_everything() {
    let broken = "new tests broken in tests/test_new.py";
    let played = played(&guard(), |layout| ended(i32::from(layout.name == broken), &[]));
    assert_eq!(
        played.names(),
        ["over base", broken, "calls fail", "calls give defaults"]
    );
    assert_eq!(
        (
            turned(&played).as_str(),
            played.control(Sabotage::OverBase).about.as_str()
        ),
        ("green", "test_new")
    );
    let red = guard().play(Probe::Without, |layout| {
        ended(i32::from(layout.name == "over base"), &[])
    });
    assert_eq!(turned(&red), "red by test_new");
}

#[test]
fn those_that_never_failed_are_told_and_no_others() {
    let two = "def test_new():\n    assert double(2) == 4\n\n\ndef test_lax():\n    Cart\n";
    let mut case = reported();
    case.files = vec![changed("tests/test_new.py", None, Some(two))];
    let old = ("tests.test_old::test_old", Passed);
    let lax = "tests.test_new::test_lax";
    let case = case.reports(&[old], &[old, (NEW_ID, Passed), (lax, Passed)]);
    let played = played(&case, |_| ended(1, &[(NEW_ID, Failed), (lax, Passed)]));
    assert_eq!(
        (
            turned(&played).as_str(),
            played.control(Sabotage::OverBase).about.as_str()
        ),
        ("green", lax)
    );
}

#[test]
fn a_class_is_reached_by_its_own_name_and_a_file_that_names_nothing_is_left_alone() {
    let mut case = reported().same("other.py", "def elsewhere():\n    return 1\n");
    case.files = vec![changed(
        "tests/test_new.py",
        None,
        Some("def test_new():\n    Cart()\n"),
    )];
    let played = played(&case, |_| ended(0, &[(NEW_ID, Passed)]));
    assert_eq!(played.paths("calls fail"), ["price.py"]);
    let fails = played.laid("calls fail", "price.py").expect("a file");
    assert!(fails.contains("def total(self):\n        raise"), "{fails}");
    assert_eq!(fails.matches("raise").count(), 1, "{fails}");
    assert_eq!(played.paths("all fails"), ["other.py", "price.py"]);
}

#[test]
fn a_test_is_new_where_the_base_did_not_run_it() {
    let old = ("tests.test_old::test_old", Passed);
    let nothing = |case: &Case| {
        let played = played(case, |_| ended(0, &[]));
        assert_eq!((turned(&played).as_str(), played.layouts.len()), (NOTHING, 0));
    };
    nothing(&guard().reports(&[old, (NEW_ID, Failed)], &[old, (NEW_ID, Passed)]));
    nothing(&guard().reports(&[old], &[old, (NEW_ID, Skipped)]));
    // It has only another name or place.
    let mut moved = reported();
    moved.files = vec![
        changed("tests/test_was.py", Some(&NEW.replace("test_new", "test_was")), None),
        changed("tests/test_new.py", None, Some(NEW)),
    ];
    nothing(&moved);
    let mut changed_too = moved;
    changed_too.files[1] = changed("tests/test_new.py", None, Some(&NEW.replace('4', "5")));
    let played = played(&changed_too, |_| ended(1, &[(NEW_ID, Failed)]));
    assert_eq!(turned(&played), format!("red by {NEW_ID}"));
}

#[test]
fn where_nothing_is_known_of_the_base_but_its_files_they_tell_what_is_new() {
    let mut case = reported();
    case.before = None;
    let red = played(&case, |_| ended(1, &[(NEW_ID, Failed)]));
    assert_eq!(turned(&red), format!("red by {NEW_ID}"));
    case.files = vec![changed("tests/test_new.py", Some(&NEW.replace('4', "5")), Some(NEW))];
    let known = case.play(Probe::Without, |_| ended(1, &[]));
    assert_eq!(turned(&known), NOTHING);
    case.files = Vec::new();
    assert_eq!(turned(&case.play(Probe::Without, |_| ended(1, &[]))), NOTHING);
    // The same without any report: by name, or by body.
    let mut silent = guard();
    silent.files = vec![changed("tests/test_new.py", Some(&NEW.replace('4', "5")), Some(NEW))];
    assert_eq!(turned(&silent.play(Probe::Without, |_| ended(1, &[]))), NOTHING);
    silent.files = vec![changed(
        "tests/test_new.py",
        Some(&NEW.replace("test_new", "test_was")),
        Some(NEW),
    )];
    assert_eq!(turned(&silent.play(Probe::Without, |_| ended(1, &[]))), NOTHING);
}

#[test]
fn tests_beside_code_are_laid_into_the_code_as_it_was() {
    let old = "pub fn double(x: u32) -> u32 {\n    2 * x\n}\n";
    let tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::double(1), 3);\n    }\n}\n";
    let new = format!("{}{tests}", old.replace("2 * x", "3 * x"));
    let rust = Kind::Tests(Runner::CargoTest);
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["cargo", "test"], rust)),
    );
    let code_only = changed("src/other.rs", Some("fn a() {}\n"), Some("fn b() {}\n"));
    let case = Case::of(guard, &[changed("src/lib.rs", Some(old), Some(&new)), code_only]);
    let case = case.reports(&[("other", Passed)], &[("other", Passed), ("tests::doubles", Passed)]);
    let played = played(&case, |_| ended(1, &[("tests::doubles", Failed)]));
    assert_eq!(played.paths("over base"), ["src/lib.rs"]);
    let laid = played.laid("over base", "src/lib.rs").expect("a file");
    assert!(laid.contains("2 * x") && laid.contains("fn doubles"), "{laid}");
}

const FUZZ: &str = "package shop\n\nimport \"testing\"\n\nfunc FuzzRefund(f *testing.F) {\n\tf.Fuzz(one)\n}\n";

/// A guard in Go, with a new case of a fuzz test.
fn case_of_go(role: Role, how: CheckMethod) -> Case {
    let case = Case::of(
        check("A.1", role, how),
        &[changed("testdata/fuzz/FuzzRefund/b8", None, Some("x"))],
    );
    let old = ("shop::FuzzRefund", Passed);
    case.reports(&[old], &[old, ("shop::FuzzRefund/b8", Passed)])
}

#[test]
fn a_new_case_of_an_old_test_is_no_new_test() {
    let all = || CheckMethod::Command(execution(&["go", "test"], Kind::Tests(Runner::GoTest)));
    let same = case_of_go(Role::Guard, all())
        .same("shop_test.go", FUZZ)
        .same("shop.go", "package shop\n");
    let played = played(&same, |_| ended(0, &[]));
    assert_eq!((turned(&played).as_str(), played.layouts.len()), (NOTHING, 0));
    assert_eq!(played.read, ["shop_test.go"], "code is not looked into for tests");
    let is_new = |case: &Case| {
        let played = case.play(Probe::Without, |_| ended(1, &[("shop::FuzzRefund/b8", Failed)]));
        turned(&played) == "red by shop::FuzzRefund/b8"
    };
    assert!(is_new(&case_of_go(Role::Guard, all())), "its test is not found");
    let mut changed_too = case_of_go(Role::Guard, all());
    changed_too
        .files
        .push(changed("shop_test.go", Some(FUZZ), Some(&FUZZ.replace("one", "none"))));
    assert!(is_new(&changed_too), "its test was changed");
    let mut elsewhere = case_of_go(Role::Guard, all());
    elsewhere.files.push(changed(
        "shop_test.go",
        Some(FUZZ),
        Some(&format!("{FUZZ}\nfunc more() {{}}\n")),
    ));
    assert!(!is_new(&elsewhere), "its file differs elsewhere");
    let other_name = case_of_go(Role::Guard, all()).same("shop_test.go", &FUZZ.replace("FuzzRefund", "FuzzOther"));
    assert!(is_new(&other_name), "another test stands there");
}

#[test]
fn a_case_that_a_goal_asks_for_by_its_name_is_held_as_new() {
    let named = |name: &str| CheckMethod::Test {
        name: name.to_owned(),
        of: "unit".to_owned(),
        execution: execution(&["go", "test"], Kind::Tests(Runner::GoTest)),
    };
    let over = |role, name: &str| {
        let case = case_of_go(role, named(name)).same("shop_test.go", FUZZ);
        let played = case.play(Probe::Without, |_| ended(1, &[("shop::FuzzRefund/b8", Failed)]));
        turned(&played)
    };
    assert_eq!(over(Role::Goal, "FuzzRefund/b8"), "red by shop::FuzzRefund/b8");
    assert_eq!(over(Role::Goal, "FuzzRefund"), NOTHING);
    assert_eq!(over(Role::Guard, "FuzzRefund/b8"), NOTHING);
    let silent = Case {
        now: None,
        ..case_of_go(Role::Guard, named("FuzzRefund")).same("shop_test.go", FUZZ)
    };
    assert_eq!(turned(&silent.play(Probe::Without, |_| ended(0, &[]))), NOTHING);
}

#[test]
fn tests_and_checks_of_one_execution_are_told_together() {
    let mut case = reported();
    case.checks.push(check(
        "B.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    ));
    case.checks.push(check(
        "C.1",
        Role::Guard,
        CheckMethod::Command(execution(&["other"], PYTEST)),
    ));
    let played = played(&case, |_| ended(1, &[(NEW_ID, Failed)]));
    let ids: Vec<&str> = played
        .shown
        .controls
        .iter()
        .map(|control| control.check.as_str())
        .collect();
    assert_eq!(ids, ["A.1", "B.1"]);
}

#[test]
fn a_check_without_a_report_answers_for_no_test_that_it_does_not_run() {
    let played = played(&guard(), |_| ended(0, &[]));
    assert_eq!(played.names(), ["over base", "new tests broken in tests/test_new.py"]);
    let name = "new tests broken in tests/test_new.py";
    assert_eq!(played.paths(name), ["tests/test_new.py"]);
    let broken = played.laid(name, "tests/test_new.py");
    let word = &played.layouts[1].token;
    assert!(word.starts_with("trueup_canary_"), "{word}");
    assert!(broken.is_some_and(|text| text.contains(word)));
    assert_eq!(turned(&played), NOTHING);
}

#[test]
fn beside_a_broken_test_lies_one_that_fails_in_a_file_of_its_own_where_the_language_wants_it() {
    let test = "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif total() != 3 {\n\t\tt.Fatal()\n\t}\n}\n";
    let all = CheckMethod::Command(execution(&["go", "test"], Kind::Tests(Runner::GoTest)));
    let case = Case::of(
        check("A.1", Role::Guard, all),
        &[changed("shop_test.go", None, Some(test))],
    );
    let played = played(&case, |_| ended(0, &[]));
    let name = "new tests broken in shop_test.go";
    let paths = played.paths(name);
    assert_eq!((paths.len(), paths[0]), (2, "shop_test.go"), "{paths:?}");
    let broken = played.laid(name, paths[0]).expect("a file");
    assert!(broken.contains("func TestTotal") && broken != test, "{broken}");
    let failing = played.laid(name, paths[1]).expect("a file");
    assert!(
        failing.contains("func Test") && !failing.contains("TestTotal"),
        "{failing}"
    );
}

#[test]
fn a_check_without_a_report_answers_for_what_it_runs() {
    let played = played(&guard(), |layout| match layout.name.starts_with("new tests broken") {
        true => ended(1, &[]),
        false => ended(0, &[]),
    });
    assert_eq!(turned(&played), "green");
}

#[test]
fn of_several_files_those_count_that_the_check_runs() {
    let mut case = guard();
    let other = "def test_other():\n    assert double(3) == 6\n";
    case.files.push(changed("tests/test_other.py", None, Some(other)));
    let run = |layout: &Layout| layout.files.iter().any(|file| file.path == "tests/test_other.py");
    let played = played(&case, |layout| {
        let is_seen = layout.name.starts_with("new tests broken") && run(layout);
        ended(i32::from(is_seen), &[])
    });
    assert_eq!(turned(&played), "green");
    assert_eq!(played.control(Sabotage::OverBase).about, "test_other");
}
