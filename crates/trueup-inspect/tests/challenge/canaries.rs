//! Failing tests, and faults that a tool must find.

use crate::played::{Case, Failed, PYTEST, Passed, Played, Tests, changed, check, ended, execution, goal, one_test};
use trueup_core::{
    control::Sabotage,
    criterion::{CheckMethod, Role},
    judge::Trial,
    kind::{Kind, Runner},
};
use trueup_inspect::challenge::{Layout, On, Probe};

const TEST: &str = "def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 2\n";
const NOW: Tests<'_> = &[("tests.test_a::test_a", Passed), ("tests.test_a::test_b", Passed)];

fn python() -> Case {
    Case::of(goal(PYTEST), &[changed("tests/test_a.py", None, Some(TEST))])
}

fn played(case: &Case, show: impl FnMut(&Layout) -> Trial) -> Played {
    let played = case.play(Probe::Canary, show);
    assert!(played.shown.objections.is_empty());
    assert!(played.layouts.iter().all(|layout| layout.on == On::Tree));
    played
}

fn turned(played: &Played) -> String {
    played.turned(Sabotage::Canary)
}

/// It fails by these of the tests that were laid.
fn fails(layout: &Layout, which: &[usize]) -> Trial {
    let failed: Vec<(&str, _)> = which.iter().map(|at| (layout.about[*at].as_str(), Failed)).collect();
    ended(1, &failed)
}

#[test]
fn what_takes_no_canary_is_not_tried() {
    for runner in [Runner::Maven, Runner::Gradle, Runner::Other] {
        let case = Case::of(
            goal(Kind::Tests(runner)),
            &[changed("tests/test_a.py", None, Some(TEST))],
        );
        let played = played(&case, |_| ended(0, &[]));
        assert_eq!(
            turned(&played),
            "nothing: nobody knows how to lay a failing test for this runner"
        );
        assert!(played.layouts.is_empty());
    }
    let case = Case::of(goal(PYTEST), &[changed("price.py", None, Some("def f():\n    pass\n"))]);
    let played = played(&case, |_| ended(0, &[]));
    assert_eq!(
        turned(&played),
        "not laid: there is no file of tests in which a failing one could be laid"
    );
}

#[test]
fn a_canary_that_fails_in_every_way_turns_the_check_red_at_once() {
    let case = python().reports(&[], NOW);
    let played = played(&case, |layout| fails(layout, &[0, 1]));
    assert_eq!(played.names(), ["canary 0 in tests/test_a.py"]);
    let word = &played.layouts[0].token;
    assert_eq!(turned(&played), format!("red by {word}_unequal"));
    let control = played.control(Sabotage::Canary);
    assert_eq!(
        (control.about.clone(), control.took_ms),
        (format!("{word} in tests/test_a.py"), 10)
    );
    let text = played
        .laid("canary 0 in tests/test_a.py", "tests/test_a.py")
        .expect("a file");
    assert!(text.starts_with(TEST) && text.contains(word), "{text}");
    assert!(word.starts_with("trueup_canary_w"), "{word}");
}

#[test]
fn a_canary_that_is_said_to_have_passed_proves_the_opposite() {
    let case = python().reports(&[], NOW);
    let played = played(&case, |layout| {
        ended(1, &[(&layout.about[0], Failed), (&layout.about[1], Passed)])
    });
    assert_eq!((turned(&played).as_str(), played.layouts.len()), ("green", 1));
    let about = &played.control(Sabotage::Canary).about;
    assert_eq!(*about, format!("{} in tests/test_a.py", played.layouts[0].about[1]));
}

#[test]
fn what_a_runner_left_at_its_first_failure_is_laid_again() {
    let case = python().reports(&[], NOW);
    let both = played(&case, |layout| fails(layout, &[0]));
    assert_eq!(
        both.names(),
        ["canary 0 in tests/test_a.py", "canary 1 in tests/test_a.py"]
    );
    assert_eq!((both.layouts[0].about.len(), both.layouts[1].about.len()), (2, 1));
    assert!(
        both.layouts[1].about[0].ends_with("_thrown"),
        "{:?}",
        both.layouts[1].about
    );
    assert_eq!(turned(&both), format!("red by {}", both.layouts[1].about[0]));
    assert_eq!(both.control(Sabotage::Canary).took_ms, 20);
    // What is left stays left: it is not laid for ever.
    let case = python().reports(&[], NOW);
    let never = played(&case, |layout| match layout.about.len() {
        2 => fails(layout, &[0]),
        _ => ended(1, &[("tests.test_a::test_a", Failed)]),
    });
    assert_eq!(
        never.names()[..2],
        ["canary 0 in tests/test_a.py", "canary 1 in tests/test_a.py"]
    );
    assert!(turned(&never).starts_with("otherwise"), "{}", turned(&never));
}

#[test]
fn three_faults_are_laid_for_runners_that_compare_in_two_ways() {
    let text = "import { test, expect } from 'vitest';\n\ntest('adds', () => {\n  expect(1).toBe(1);\n});\n";
    let case = Case::of(
        goal(Kind::Tests(Runner::Vitest)),
        &[changed("a.test.ts", None, Some(text))],
    );
    let case = case.reports(&[], &[("a.test.ts::adds", Passed)]);
    let one_by_one = played(&case, |layout| fails(layout, &[0]));
    let left: Vec<usize> = one_by_one.layouts.iter().map(|layout| layout.about.len()).collect();
    assert_eq!(left, [3, 2, 1]);
    assert_eq!(one_by_one.control(Sabotage::Canary).took_ms, 30);
}

#[test]
fn where_no_canary_is_selected_tests_that_passed_are_broken() {
    let case = python().reports(&[], &[("tests.test_a::test_b", Passed)]);
    let played = played(&case, |layout| match layout.name.as_str() {
        "broken tests" => Trial {
            printed: true,
            ..ended(1, &[("tests.test_a::test_b", Failed)])
        },
        _ => ended(0, &[("tests.test_a::test_b", Passed)]),
    });
    assert_eq!(played.names(), ["canary 0 in tests/test_a.py", "broken tests"]);
    assert_eq!(turned(&played), "red by tests.test_a::test_b");
    let control = played.control(Sabotage::Canary);
    let token = &played.layouts[1].token;
    assert_eq!(control.about, format!("{token} in tests.test_a::test_b"));
    assert_eq!(control.took_ms, 20);
    let text = played.laid("broken tests", "tests/test_a.py").expect("a file");
    assert_eq!(text.matches(token.as_str()).count(), 1, "{text}");
}

#[test]
fn where_none_is_known_to_have_passed_every_test_of_every_place_is_broken() {
    let case = python().same("tests/test_more.py", "def test_c():\n    assert 3\n");
    let played = played(&case, |layout| match layout.name.as_str() {
        "broken tests" => Trial {
            printed: true,
            ..ended(1, &[])
        },
        _ => ended(0, &[]),
    });
    let names = played.names();
    assert_eq!(
        names,
        [
            "canary 0 in tests/test_a.py",
            "canary 1 in tests/test_a.py",
            "broken tests"
        ]
    );
    assert_eq!(played.paths("broken tests"), ["tests/test_a.py", "tests/test_more.py"]);
    let token = &played.layouts[2].token;
    assert_eq!(turned(&played), format!("red by {token}"));
    assert_eq!(
        played.control(Sabotage::Canary).about,
        format!("{token} in test_a, test_b, test_c")
    );
}

#[test]
fn without_a_report_a_canary_that_throws_shows_whether_the_other_was_run() {
    let red = |layout: &Layout| Trial {
        printed: true,
        ..ended(i32::from(layout.about[0].ends_with("thrown")), &[])
    };
    let deaf = played(&python(), red);
    assert_eq!(
        deaf.names(),
        ["canary 0 in tests/test_a.py", "canary 1 in tests/test_a.py"]
    );
    assert_eq!(turned(&deaf), "green", "an assertion that fails is not heard");
    assert_eq!(deaf.control(Sabotage::Canary).took_ms, 10);
    let word = &deaf.layouts[0].token;
    assert_eq!(
        deaf.control(Sabotage::Canary).about,
        format!("{word} in tests/test_a.py")
    );
    let honest = played(&python(), |_| Trial {
        printed: true,
        ..ended(1, &[])
    });
    assert_eq!((honest.layouts.len(), honest.layouts[0].about.len()), (1, 1));
    assert!(turned(&honest).starts_with("red by trueup_canary_"));
    let nowhere = played(&python(), |_| ended(0, &[]));
    assert_eq!(turned(&nowhere), "green");
    assert_eq!(
        nowhere.control(Sabotage::Canary).took_ms,
        30,
        "twice, and with broken tests"
    );
}

#[test]
fn a_canary_that_leaves_no_report_is_not_laid_again() {
    let case = python().reports(&[], NOW);
    let played = played(&case, |_| Trial {
        printed: true,
        ..ended(1, &[])
    });
    assert_eq!(played.names(), ["canary 0 in tests/test_a.py"]);
    assert!(turned(&played).starts_with("red by trueup_canary_"));
}

#[test]
fn places_are_tried_one_after_the_other_and_three_at_most() {
    let empty = "def test_x():\n    assert 1\n";
    let case = python()
        .same("tests/deep/test_d.py", empty)
        .same("tests/test_e.py", empty)
        .same("tests/test_f.py", empty);
    let case = case.reports(&[], NOW);
    let green = |_: &Layout| ended(0, NOW);
    let played = played(&case, green);
    let names = [
        "canary 0 in tests/test_a.py",
        "broken tests",
        "canary 0 in tests/test_e.py",
        "canary 0 in tests/test_f.py",
    ];
    assert_eq!(played.names(), names);
    assert_eq!(turned(&played), "green");
    let third = case.play(Probe::Canary, |layout| match layout.name.as_str() {
        "canary 0 in tests/test_e.py" => fails(layout, &[0, 1]),
        _ => ended(1, &[("other", Failed)]),
    });
    assert_eq!(third.names(), names[..3]);
    assert!(third.turned(Sabotage::Canary).starts_with("red by trueup_canary"));
    assert_eq!(third.control(Sabotage::Canary).took_ms, 30);
}

/// In which order places are tried.
fn order(case: &Case) -> Vec<String> {
    let played = case.play(Probe::Canary, |_| ended(0, &[]));
    let names = played
        .layouts
        .iter()
        .filter_map(|layout| layout.name.strip_prefix("canary 0 in "));
    names.map(str::to_owned).collect()
}

#[test]
fn the_place_that_most_likely_is_selected_comes_first() {
    let text = |name: &str| format!("def test_{name}():\n    assert 1\n");
    let files = |case: Case| {
        let mut case = case;
        for name in ["a", "b", "c"] {
            case = case.same(&format!("tests/test_{name}.py"), &text(name));
        }
        case
    };
    let none = files(Case::of(goal(PYTEST), &[]));
    assert_eq!(
        order(&none),
        ["tests/test_a.py", "tests/test_b.py", "tests/test_c.py"],
        "by their names"
    );
    let wrote = files(Case::of(
        goal(PYTEST),
        &[changed("tests/test_wrote.py", None, Some(&text("w")))],
    ));
    assert_eq!(order(&wrote)[0], "tests/test_wrote.py", "what the run wrote");
    let read = wrote.play(Probe::Canary, |_| ended(0, &[])).read;
    assert_eq!(read[0], "tests/test_wrote.py", "and of many files it is surely read");
    let words = CheckMethod::Command(execution(&["pytest", "tests/test_c.py"], PYTEST));
    let mut worded = files(Case::of(
        check("A.1", Role::Goal, words),
        &[changed("tests/test_wrote.py", None, Some(&text("w")))],
    ));
    assert_eq!(
        order(&worded)[..2],
        ["tests/test_c.py", "tests/test_wrote.py"],
        "the check's own words"
    );
    worded = worded.reports(&[], &[("tests.test_b::test_b", Passed)]);
    assert_eq!(
        order(&worded)[..2],
        ["tests/test_b.py", "tests/test_c.py"],
        "what passed"
    );
    worded = worded.reports(&[], &[("tests.test_b::test_b", Failed)]);
    assert_eq!(order(&worded)[0], "tests/test_c.py", "what failed did not pass");
    let mut asked = files(Case::of(one_test("test_c"), &[]));
    asked = asked.reports(&[], &[("tests.test_b::test_b", Passed)]);
    assert_eq!(
        order(&asked)[..2],
        ["tests/test_c.py", "tests/test_b.py"],
        "what is asked for by its name"
    );
    let support = files(Case::of(goal(PYTEST), &[])).same("tests/a.py", "X = 1\n");
    assert_eq!(order(&support)[0], "tests/test_a.py", "what holds tests");
    let short = files(Case::of(goal(PYTEST), &[])).same("test_zzzz.py", &text("z"));
    assert_eq!(order(&short)[0], "test_zzzz.py", "what lies higher");
}

#[test]
fn hidden_tests_are_a_place_too() {
    let mut case = Case::of(goal(PYTEST), &[]);
    case.hidden = vec![
        ("todo/hidden/test_h.py".to_owned(), TEST.to_owned()),
        ("todo/hidden/h.test.ts".to_owned(), "test('a', () => {});\n".to_owned()),
    ];
    assert_eq!(order(&case), ["todo/hidden/test_h.py"]);
    // Hidden files may be called anything; those that hold tests are places.
    let mut case = Case::of(goal(Kind::Tests(Runner::Vitest)), &[]);
    case.hidden = vec![
        ("todo/hidden/prices.ts".to_owned(), "test('a', () => {});\n".to_owned()),
        ("todo/hidden/support.ts".to_owned(), "export const x = 1;\n".to_owned()),
    ];
    assert_eq!(order(&case), ["todo/hidden/prices.ts"]);
}

#[test]
fn a_runner_is_given_tests_of_its_own_language() {
    let files = [
        ("tests/test_p.py", "def test_a():\n    assert 1\n"),
        ("tests/r.rs", "#[test]\nfn a() {}\n"),
        (
            "src/lib.rs",
            "#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n",
        ),
        ("src/none.rs", "pub fn c() {}\n"),
        (
            "g_test.go",
            "package g\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
        ),
        (
            "j.test.js",
            "const test = require('node:test');\ntest('a', () => {});\n",
        ),
        ("x.test.tsx", "import { test } from 'vitest';\ntest('a', () => {});\n"),
    ];
    for (runner, places) in [
        (Runner::Pytest, &["tests/test_p.py"][..]),
        (Runner::Unittest, &["tests/test_p.py"]),
        (Runner::CargoTest, &["tests/r.rs", "src/lib.rs"]),
        (Runner::Nextest, &["tests/r.rs", "src/lib.rs"]),
        (Runner::GoTest, &["g_test.go"]),
        (Runner::Vitest, &["j.test.js", "x.test.tsx"]),
        (Runner::Jest, &["j.test.js", "x.test.tsx"]),
        (Runner::Mocha, &["j.test.js", "x.test.tsx"]),
        (Runner::NodeTest, &["j.test.js", "x.test.tsx"]),
    ] {
        let mut case = Case::of(goal(Kind::Tests(runner)), &[]);
        for (path, text) in files {
            case = case.same(path, text);
        }
        let mut order = order(&case);
        order.sort();
        let mut places = places.to_vec();
        places.sort_unstable();
        assert_eq!(order, places, "{runner:?}");
    }
}

#[test]
fn a_fault_is_laid_in_one_file_after_the_other_until_it_is_found() {
    let lint = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["lint", "lib"], Kind::Lint)),
    );
    let case = Case::of(
        lint,
        &[
            changed("new.py", None, Some("x = 1\n")),
            changed("README.md", None, Some("x")),
        ],
    );
    let case = case
        .same("a/b/deep.py", "x = 1\n")
        .same("tests/test_t.py", "x = 1\n")
        .same("lib/named.py", "x = 1\n");
    let case = case.same("a/long_name.py", "x = 1\n").same("a/short.py", "x = 1\n");
    let all = case.play(Probe::Violation, |_| ended(0, &[]));
    let names = [
        "violation in lib/named.py",
        "violation in new.py",
        "violation in a/short.py",
    ];
    assert_eq!(all.names(), names);
    assert_eq!(all.turned(Sabotage::Violation), "green");
    let control = all.control(Sabotage::Violation);
    assert_eq!((control.about.as_str(), control.took_ms), ("a/short.py", 30));
    let text = all.laid(names[0], "lib/named.py").expect("a file");
    assert!(text.contains("trueup_violation"), "{text}");
    let second = case.play(Probe::Violation, |layout| {
        ended(i32::from(layout.name.ends_with("new.py")), &[])
    });
    assert_eq!(second.names(), names[..2]);
    assert_eq!(second.turned(Sabotage::Violation), "red by new.py");
    assert_eq!(second.control(Sabotage::Violation).took_ms, 20);
    let none = Case::of(case.checks[0].clone(), &[changed("README.md", None, Some("x"))]);
    let none = none.play(Probe::Violation, |_| ended(0, &[]));
    let why = "not laid: there is no file of a language in which a fault could be laid";
    assert_eq!(none.turned(Sabotage::Violation), why);
}

#[test]
fn files_of_tests_are_shown_a_fault_last() {
    let lint = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["lint"], Kind::Lint)),
    );
    let case = Case::of(lint, &[changed("test_x.py", None, Some("x = 1\n"))]);
    let case = case.same("far/down/code.py", "x = 1\n").same("near.py", "x = 1\n");
    let all = case.play(Probe::Violation, |_| ended(0, &[]));
    assert_eq!(
        all.names(),
        [
            "violation in near.py",
            "violation in far/down/code.py",
            "violation in test_x.py"
        ]
    );
}

#[test]
fn each_kind_of_check_has_its_probes() {
    use Probe::{Canary, Expectations, Former, Neighbours, Otherwise, Pages, Rules, Shipped, Violation, Without};
    assert_eq!(
        Probe::all(PYTEST),
        [
            Canary,
            Without,
            Expectations,
            Neighbours,
            Otherwise,
            Former,
            Rules,
            Pages,
            Shipped
        ]
    );
    assert_eq!(Probe::all(Kind::Coverage(Runner::Pytest)), [Canary]);
    for kind in [Kind::Lint, Kind::Types, Kind::Build] {
        assert_eq!(Probe::all(kind), [Violation]);
    }
    assert!(Probe::all(Kind::Plain).is_empty());
}

#[test]
fn every_package_is_tried_before_a_second_place_of_one() {
    let test = "def test_a():\n    assert 1\n";
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    );
    let mut case = Case::of(guard, &[changed("one/tests/test_a.py", None, Some(test))]);
    for path in [
        "one/tests/test_b.py",
        "one/tests/test_c.py",
        "one/tests/test_d.py",
        "two/tests/test_long_name.py",
    ] {
        case = case.same(path, test);
    }
    for path in ["one/pyproject.toml", "two/pyproject.toml"] {
        case = case.same(path, "");
    }
    let played = played(&case, |layout| {
        let runs = |path: &str| path.starts_with("two/");
        let is_red = layout.files.iter().any(|file| runs(&file.path));
        Trial {
            printed: is_red,
            ..ended(i32::from(is_red), &[])
        }
    });
    assert!(
        turned(&played).starts_with("red by trueup_canary_"),
        "{}",
        turned(&played)
    );
}

#[test]
fn a_package_that_the_command_names_comes_first() {
    let test = "def test_a():\n    assert 1\n";
    let words = ["run-tests", "-p", "two"];
    let guard = check("A.1", Role::Guard, CheckMethod::Command(execution(&words, PYTEST)));
    let case = Case::of(guard, &[changed("one/tests/test_a.py", None, Some(test))]);
    let case = case.same("two/tests/test_b.py", test);
    let played = played(&case, |_| Trial {
        printed: true,
        ..ended(1, &[])
    });
    assert_eq!(played.layouts.len(), 1);
    assert!(played.layouts[0].files[0].path.starts_with("two/tests/"));
}

#[test]
fn where_a_macro_makes_the_tests_a_failing_one_is_laid_beside_them() {
    let made = "pub fn f() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    t!(one, 1);\n}\n";
    let case = Case::of(goal(Kind::Tests(Runner::CargoTest)), &[]);
    let in_module = case.clone().same("src/f.rs", made).same("src/g.rs", "pub fn g() {}\n");
    assert_eq!(order(&in_module), ["src/f.rs"]);
    let in_root = case
        .same("price/src/lib.rs", "pub fn g() {}\n")
        .same("src/g.rs", "pub fn g() {}\n");
    assert_eq!(order(&in_root), ["price/src/lib.rs"], "a package begins there");
    let in_tests = in_root.clone().same("core/tests/made.rs", "t!(one, 1);\n");
    assert_eq!(
        order(&in_tests),
        ["core/tests/made.rs"],
        "a file of tests, by its place"
    );
    let beside = in_root.same("core/tests/a.rs", "#[test]\nfn a() {}\n");
    assert_eq!(
        order(&beside),
        ["core/tests/a.rs"],
        "where tests are seen, no root tells of them"
    );
}

#[test]
fn a_file_of_tests_is_meant_by_the_name_of_its_target() {
    let words = ["cargo", "test", "--test", "prices"];
    let how = CheckMethod::Command(execution(&words, Kind::Tests(Runner::CargoTest)));
    let mut case = Case::of(check("A.1", Role::Guard, how), &[]);
    for name in ["a", "b", "c", "prices"] {
        case = case.same(&format!("tests/{name}.rs"), "#[test]\nfn works() {}\n");
    }
    assert_eq!(order(&case)[0], "tests/prices.rs");
}

#[test]
fn for_a_check_of_examples_a_failing_example_is_laid() {
    let how = CheckMethod::Command(execution(&["cargo", "test", "--doc"], Kind::Tests(Runner::CargoTest)));
    let examples = check("A.1", Role::Goal, how);
    let case = Case::of(examples, &[])
        .same("tests/r.rs", "#[test]\nfn a() {}\n")
        .same("src/lib.rs", "/// ```\n/// assert!(true);\n/// ```\npub fn f() {}\n");
    let played = played(&case, |layout| Trial {
        printed: true,
        ..ended(101, &[(&format!("src/lib.rs - {} (line 8)", layout.about[0]), Failed)])
    });
    assert!(
        turned(&played).starts_with("red by src/lib.rs - trueup_canary_"),
        "{}",
        turned(&played)
    );
    let laid = &played.layouts[0].files[0];
    let text = String::from_utf8(laid.bytes.clone().expect("a file")).expect("text");
    assert_eq!(laid.path, "src/lib.rs");
    assert!(text.contains("/// assert_eq!(1, 2, \"trueup_canary_"), "{text}");
}
