//! Functions that the run changed, taken away from under its goals.

use crate::played::{Case, Failed, PYTEST, Passed, Played, Tests, changed, ended, goal, one_test};
use trueup_core::{
    control::Sabotage::{AsBefore, Defaulting, Failing, OverBase},
    evidence::CheckOutcome,
    id::CheckId,
    judge::Trial,
};
use trueup_inspect::challenge::{Layout, On, Probe};

const OLD: &str = "def double(x):\n    return 2 * x\n";
const WORK: &str =
    "def double(x):\n    return 2 * x\n\n\ndef total(xs):\n    return sum(xs)\n\n\ndef other(x):\n    return x\n";
const TEST: &str = "def test_adds():\n    assert total([1, 2]) == 3\n";
const ID: &str = "tests.test_total::test_adds";
const OLD_TEST: (&str, trueup_core::test_results::TestOutcome) = ("tests.test_old::test_old", Passed);

fn work() -> Case {
    let files = [
        changed("price.py", Some(OLD), Some(WORK)),
        changed("tests/test_total.py", None, Some(TEST)),
    ];
    Case::of(one_test("test_adds"), &files).reports(&[OLD_TEST], &[OLD_TEST, (ID, Passed)])
}

/// Red on the layouts of these names.
fn red_on(case: &Case, names: &[&str]) -> Played {
    case.play(Probe::Without, |layout: &Layout| {
        match names.contains(&layout.name.as_str()) {
            true => ended(1, &[(ID, Failed)]),
            false => ended(0, &[(ID, Passed)]),
        }
    })
}

const DEFAULTS: &str = "defaults of total in price.py";

#[test]
fn honest_work_is_missed_in_every_way() {
    let played = red_on(&work(), &["over base", "functions fail", DEFAULTS]);
    assert_eq!(played.names(), ["over base", "functions fail", DEFAULTS]);
    for sabotage in [OverBase, Failing, Defaulting] {
        assert_eq!(played.turned(sabotage), format!("red by {ID}"));
    }
    assert_eq!(
        played.turned(AsBefore),
        "nothing: the run changed no function that was there before"
    );
    assert_eq!(played.layouts[1].on, On::Tree);
    let failing = played.laid("functions fail", "price.py").expect("a file");
    assert_eq!(
        failing.matches("raise AssertionError(\"trueup_stub_w").count(),
        2,
        "{failing}"
    );
    assert!(failing.starts_with(OLD), "what was not changed stays: {failing}");
    let defaults = played.laid(DEFAULTS, "price.py").expect("a file");
    assert_eq!(
        defaults.matches("    return\n").count(),
        1,
        "only what is called: {defaults}"
    );
    assert_eq!(played.control(Failing).about, "total in price.py, other in price.py");
    assert_eq!(played.control(Defaulting).about, "total in price.py");
}

#[test]
fn a_goal_that_misses_nothing_stays_green() {
    let lax = red_on(&work(), &["over base"]);
    assert_eq!(
        (lax.turned(Failing).as_str(), lax.turned(Defaulting).as_str()),
        ("green", "green")
    );
    let fails_only = red_on(&work(), &["over base", "functions fail"]);
    assert_eq!(fails_only.turned(Defaulting), "green");
    let defaults_only = red_on(&work(), &["over base", DEFAULTS]);
    assert_eq!(defaults_only.turned(Failing), "green", "no word in its text excuses it");
    assert_eq!(defaults_only.turned(Defaulting), format!("red by {ID}"));
}

#[test]
fn no_word_in_a_test_excuses_it() {
    let mut case = work();
    let text = "def test_adds():\n    \"\"\"raises, throws, rejects, should_panic\"\"\"\n    with assertRaises():\n        total([])\n";
    case.files[1] = changed("tests/test_total.py", None, Some(text));
    let played = red_on(&case, &["over base"]);
    assert_eq!(
        (played.turned(Failing).as_str(), played.turned(Defaulting).as_str()),
        ("green", "green")
    );
}

#[test]
fn functions_that_are_called_are_taken_away_one_by_one_until_one_is_missed() {
    let mut case = work();
    case.files[1] = changed(
        "tests/test_total.py",
        None,
        Some("def test_adds():\n    other(total([1]))\n"),
    );
    let (total, other) = ("defaults of total in price.py", "defaults of other in price.py");
    let second = red_on(&case, &["over base", "functions fail", total]);
    assert_eq!(second.names()[2..], [other, total]);
    assert_eq!(second.control(Defaulting).about, "total in price.py");
    assert_eq!(second.control(Defaulting).took_ms, 20);
    let never = red_on(&case, &["over base", "functions fail"]);
    assert_eq!(never.turned(Defaulting), "green");
    assert_eq!(never.control(Defaulting).about, "other in price.py, total in price.py");
    assert_eq!(never.control(Defaulting).took_ms, 20);
}

#[test]
fn where_no_function_is_called_by_name_all_give_defaults_at_once() {
    let mut case = work();
    case.files[1] = changed(
        "tests/test_total.py",
        None,
        Some("def test_adds():\n    run('price')\n"),
    );
    let played = red_on(&case, &["over base", "functions fail"]);
    let all = "defaults of other in price.py, total in price.py";
    assert_eq!(played.names()[2..], [all]);
    assert_eq!(played.control(Defaulting).about, "total in price.py, other in price.py");
}

#[test]
fn eight_functions_are_taken_away_alone_and_no_more() {
    let mut case = work();
    let names: Vec<String> = (0..12).map(|number| format!("f{number}")).collect();
    let code: String = names
        .iter()
        .map(|name| format!("def {name}():\n    return 1\n\n\n"))
        .collect();
    let calls: String = names.iter().map(|name| format!("    {name}()\n")).collect();
    case.files = vec![
        changed("price.py", Some(""), Some(&code)),
        changed("tests/test_total.py", None, Some(&format!("def test_adds():\n{calls}"))),
    ];
    let played = red_on(&case, &["over base", "functions fail"]);
    let alone = played
        .names()
        .iter()
        .filter(|name| name.starts_with("defaults of"))
        .count();
    assert_eq!(alone, 8);
}

#[test]
fn a_class_is_called_by_what_makes_it() {
    let mut case = work();
    let code =
        "class Cart:\n    def __init__(self):\n        self.sum = 0\n\n    def total(self):\n        return self.sum\n";
    case.files[0] = changed("price.py", Some(""), Some(code));
    case.files[1] = changed("tests/test_total.py", None, Some("def test_adds():\n    Cart()\n"));
    let played = red_on(&case, &["over base", "functions fail"]);
    assert_eq!(played.names()[2..], ["defaults of Cart.__init__ in price.py"]);
}

#[test]
fn a_goal_that_needs_more_than_functions_is_excused_where_it_is_red_over_the_base() {
    let mut case = work();
    case.files.push(changed("query.sql", Some("a"), Some("b")));
    let played = red_on(&case, &["over base"]);
    let why = "nothing: it needs what the run changed outside of functions";
    assert_eq!(
        (played.turned(Failing).as_str(), played.turned(Defaulting).as_str()),
        (why, why)
    );
    let green_there = case.play(Probe::Without, |layout| Trial {
        saw: vec![(CheckId::new("A.1"), CheckOutcome::Passed)],
        ..ended(i32::from(layout.name == "over base"), &[(ID, Failed)])
    });
    assert_eq!(
        green_there.turned(Failing),
        "green",
        "the goal itself passes over the base"
    );
    let missed = red_on(&case, &["over base", "functions fail", DEFAULTS]);
    assert_eq!(missed.turned(Failing), format!("red by {ID}"));
}

/// Whether a change like this excuses a goal that misses no function.
fn excuses(path: &str, before: Option<&str>, after: Option<&str>) -> bool {
    let mut case = work();
    case.files.push(changed(path, before, after));
    red_on(&case, &["over base"]).turned(Failing).starts_with("nothing")
}

#[test]
fn prose_and_tests_excuse_nothing_and_lost_functions_do() {
    for (path, before, after) in [
        ("README.md", None, Some("x")),
        ("docs/a.rst", None, Some("x")),
        ("b.adoc", Some("y"), Some("x")),
        ("LICENSE", None, Some("x")),
        (".gitignore", None, Some("x")),
        ("CHANGELOG", None, Some("x")),
        ("tests/data.json", None, Some("x")),
        (
            "more.py",
            Some("def f():\n    return 1\n"),
            Some("def f():\n    return 2\n"),
        ),
    ] {
        assert!(!excuses(path, before, after), "{path}");
    }
    for (path, before, after) in [
        ("page.html", Some("a"), Some("b")),
        ("style.css", None, Some("b")),
        ("broken.py", None, Some("def (:\n")),
        ("gone.py", Some("def f():\n    return 1\n"), None),
        ("run.py", None, Some("main()\n")),
        (
            "lost.py",
            Some("def f():\n    pass\n\n\ndef g():\n    pass\n"),
            Some("def f():\n    pass\n"),
        ),
    ] {
        assert!(excuses(path, before, after), "{path}");
    }
}

#[test]
fn where_there_is_no_function_an_old_test_must_be_red_without_the_work() {
    let files = [changed("data.json", Some("1"), Some("2"))];
    let old = one_test("test_adds");
    let case = Case::of(old.clone(), &files).reports(&[(ID, Failed)], &[(ID, Passed)]);
    let green = red_on(&case, &[]);
    assert_eq!(green.names(), ["over base"]);
    assert_eq!(green.turned(Failing), "green", "it rests on what is no code");
    assert_eq!(
        green.control(Failing).about,
        "all that the run changed outside of tests"
    );
    assert_eq!(
        green.turned(Defaulting),
        "nothing: the run changed no function that could be taken away"
    );
    assert_eq!(
        green.control(Defaulting).about,
        "all that the run changed outside of tests"
    );
    let red = red_on(&case, &["over base"]);
    for sabotage in [Failing, Defaulting] {
        assert_eq!(
            red.turned(sabotage),
            "nothing: the run changed no function that could be taken away"
        );
        assert_eq!(red.control(sabotage).about, "");
    }
    // A test that the base does not have by this name was written with the work.
    let mut fresh = Case::of(old, &files).reports(&[OLD_TEST], &[OLD_TEST, (ID, Passed)]);
    fresh.files.push(changed("tests/test_total.py", None, Some(TEST)));
    let fresh = red_on(&fresh, &[]);
    assert!(fresh.turned(Failing).starts_with("nothing"));
}

#[test]
fn without_a_name_or_a_report_old_tests_are_known_otherwise() {
    let files = [changed("data.json", Some("1"), Some("2"))];
    let all = goal(PYTEST);
    let mended = Case::of(all.clone(), &files).reports(&[(ID, Failed)], &[(ID, Passed)]);
    assert_eq!(red_on(&mended, &[]).turned(Failing), "green");
    let kept = Case::of(all.clone(), &files).reports(&[(ID, Passed)], &[(ID, Passed)]);
    assert!(
        red_on(&kept, &[]).turned(Failing).starts_with("nothing"),
        "none was mended"
    );
    let silent = Case::of(all.clone(), &files);
    assert_eq!(red_on(&silent, &[]).turned(Failing), "green", "no test is new");
    let written = Case::of(
        all,
        &[files[0].clone(), changed("tests/test_total.py", None, Some(TEST))],
    );
    let broken = "new tests broken in tests/test_total.py";
    assert!(
        red_on(&written, &[broken]).turned(Failing).starts_with("nothing"),
        "a test is new"
    );
    assert_eq!(
        red_on(&written, &[]).turned(Failing),
        "green",
        "the check does not run it"
    );
}

const CAPPED: &str = "def double(x):\n    return min(2 * x, 100)\n";

/// Work on a function that was there, with a test like this.
fn on_old(before: Option<&str>, test: &str) -> Case {
    let files = [
        changed("price.py", Some(OLD), Some(CAPPED)),
        changed("tests/test_total.py", before, Some(test)),
    ];
    Case::of(one_test("test_adds"), &files).reports(&[OLD_TEST], &[OLD_TEST, (ID, Passed)])
}

const OF_DOUBLE: &str = "def test_adds():\n    assert double(100) == 100\n";

#[test]
fn a_new_test_must_miss_what_functions_did_before() {
    let case = on_old(None, OF_DOUBLE);
    let green = red_on(&case, &["over base", "functions fail"]);
    assert_eq!(green.turned(AsBefore), "green");
    assert_eq!(green.control(AsBefore).about, "double in price.py");
    assert_eq!(green.laid("as before", "price.py").as_deref(), Some(OLD));
    let red = red_on(&case, &["over base", "as before"]);
    assert_eq!(red.turned(AsBefore), format!("red by {ID}"));
    let nothing_runs = case.play(Probe::Without, |_| ended(1, &[]));
    assert_eq!(
        nothing_runs.turned(AsBefore),
        "nothing: with what was there before, nothing runs"
    );
    let mut silent = case;
    (silent.before, silent.now) = (None, None);
    let red = silent.play(Probe::Without, |_| ended(1, &[]));
    assert_eq!(red.turned(AsBefore), "red by exit 1", "nobody could tell");
}

/// What the default value of `double` shows in a whole suite, and a wrong one alone.
fn with_wrong_values(as_before: i32, suite: Tests<'_>, wrong: Tests<'_>) -> Played {
    on_old(None, OF_DOUBLE).play(Probe::Without, |layout| match layout.name.as_str() {
        "as before" => ended(as_before, &[(ID, if as_before == 0 { Passed } else { Failed })]),
        "defaults of double in price.py" => Trial {
            saw: vec![(CheckId::new("A.1"), CheckOutcome::Passed)],
            ..ended(1, suite)
        },
        "wrong values of double in price.py" => ended(i32::from(wrong != [(ID, Passed)]), wrong),
        _ => ended(1, &[(ID, Failed)]),
    })
}

#[test]
fn a_goal_that_asks_for_a_default_value_must_fail_at_a_wrong_one() {
    let missed = &[(OLD_TEST.0, Failed), (ID, Passed)];
    let played = with_wrong_values(1, missed, &[(ID, Failed)]);
    assert_eq!(played.turned(Defaulting), format!("red by {ID}"));
    assert_eq!(played.control(Defaulting).about, "double in price.py");
    let wrong = played
        .laid("wrong values of double in price.py", "price.py")
        .expect("a file");
    assert!(wrong.contains("    return \"trueup\"\n"), "{wrong}");
    for (why, played) in [
        ("it looks at no value", with_wrong_values(1, missed, &[(ID, Passed)])),
        ("nothing runs", with_wrong_values(1, missed, &[])),
        (
            "an empty function would do",
            with_wrong_values(1, &[OLD_TEST, (ID, Passed)], &[(ID, Failed)]),
        ),
        (
            "it passes with what was there before",
            with_wrong_values(0, missed, &[(ID, Failed)]),
        ),
    ] {
        assert_eq!(played.turned(Defaulting), "green", "{why}");
    }
}

#[test]
fn a_new_function_that_gives_a_default_value_is_never_excused() {
    let played = work().play(Probe::Without, |layout| match layout.name.as_str() {
        DEFAULTS => Trial {
            saw: vec![(CheckId::new("A.1"), CheckOutcome::Passed)],
            ..ended(1, &[(OLD_TEST.0, Failed)])
        },
        _ => ended(1, &[(ID, Failed)]),
    });
    assert_eq!(played.turned(Defaulting), "green");
    assert!(!played.names().iter().any(|name| name.starts_with("wrong")));
}

#[test]
fn a_test_that_was_there_or_calls_something_new_need_not() {
    let spared = |case: &Case| red_on(case, &["over base"]).turned(AsBefore);
    assert_eq!(
        spared(&on_old(Some(OF_DOUBLE), OF_DOUBLE)),
        "nothing: its test was there before"
    );
    let renamed = OF_DOUBLE.replace("test_adds", "test_was");
    assert_eq!(
        spared(&on_old(Some(&renamed), OF_DOUBLE)),
        "nothing: its test was there before"
    );
    let other = format!("{}\n\ndef test_other():\n    assert double(1)\n", OF_DOUBLE);
    let asked = on_old(Some(OF_DOUBLE), &other);
    assert_eq!(
        spared(&asked),
        "nothing: its test was there before",
        "the new one is not asked for"
    );
    let mut new = on_old(None, "def test_adds():\n    assert cap(double(100)) == 100\n");
    new.files[0] = changed(
        "price.py",
        Some(OLD),
        Some(&format!("{CAPPED}\n\ndef cap(x):\n    return x\n")),
    );
    assert_eq!(spared(&new), "nothing: its test calls `cap`, which is new");
    // What a file of tests calls anywhere counts, and what other files call does not.
    let mut helper = new.clone();
    helper.files[1] = changed(
        "tests/test_total.py",
        None,
        Some("def make():\n    return cap(1)\n\n\ndef test_adds():\n    assert make()\n"),
    );
    assert_eq!(spared(&helper), "nothing: its test calls `cap`, which is new");
    let mut elsewhere = new;
    elsewhere.files[1] = changed("tests/test_total.py", None, Some(OF_DOUBLE));
    elsewhere.files.push(changed(
        "tests/test_more.py",
        None,
        Some("def test_more():\n    assert cap(1)\n"),
    ));
    assert_eq!(spared(&elsewhere), "green");
}

#[test]
fn each_goal_is_told_by_itself_and_shares_what_was_tried() {
    let mut case = work();
    let mut second = one_test("test_adds");
    second.id = CheckId::new("B.1");
    case.checks.push(second);
    let played = red_on(&case, &["over base", "functions fail", DEFAULTS]);
    assert_eq!(played.names(), ["over base", "functions fail", DEFAULTS]);
    assert_eq!(played.shown.controls.len(), 8);
}
