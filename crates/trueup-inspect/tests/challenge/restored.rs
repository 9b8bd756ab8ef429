//! Tests, rules, pages and builds as they were, or as users get them.

use crate::played::{
    Case, Failed, PYTEST, Passed, Played, Skipped, Tests, changed, check, ended, execution, goal, run_tests,
};
use trueup_core::{
    criterion::{CheckMethod, Role},
    judge::Trial,
    kind::{Kind, Runner},
    task::Allow,
};
use trueup_inspect::{
    challenge::{Layout, On, Probe},
    changes::ChangedFile,
};

const OLD: &str = "def test_a():\n    assert f() == 1\n";
const WEAK: &str = "def test_a():\n    assert f() > 0\n";
const ID: &str = "tests.test_a::test_a";

fn weakened() -> Case {
    let files = [changed("tests/test_a.py", Some(OLD), Some(WEAK))];
    Case::of(goal(PYTEST), &files).reports(&[(ID, Passed)], &[(ID, Passed)])
}

fn allowing(case: Case, change: &[&str], remove_tests: &[&str]) -> Case {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let allow = Allow {
        change: words(change),
        remove_tests: words(remove_tests),
        ..Allow::default()
    };
    Case { allow, ..case }
}

fn former(case: &Case, exit: i32, tests: Tests<'_>) -> Played {
    let played = case.play(Probe::Former, |_| ended(exit, tests));
    assert!(played.shown.controls.is_empty());
    assert!(played.layouts.iter().all(|layout| layout.on == On::Tree));
    played
}

#[test]
fn a_weakened_test_is_laid_as_it_stood_and_told() {
    let played = former(&weakened(), 1, &[(ID, Failed)]);
    assert_eq!(played.laid("former tests", "tests/test_a.py").as_deref(), Some(OLD));
    assert_eq!(played.told(), [format!("TestChanged {ID}: this test was changed,")]);
    assert!(former(&weakened(), 0, &[(ID, Passed)]).told().is_empty());
    let allowed = former(&allowing(weakened(), &[], &["test_a"]), 1, &[(ID, Failed)]);
    assert_eq!(
        allowed.told(),
        [format!("TestChanged {ID}: this test was changed, [test_a]")]
    );
    let by_file = former(&allowing(weakened(), &["tests/**"], &[]), 1, &[(ID, Failed)]);
    assert_eq!(
        by_file.told(),
        [format!("TestChanged {ID}: this test was changed, [tests/**]")]
    );
}

#[test]
fn a_test_that_a_goal_asks_the_run_to_change_may_change() {
    let mut case = weakened();
    case.checks = vec![run_tests(Some("test_a"))];
    let word = "[test test_a of this run]";
    let told = format!("TestChanged {ID}: this test was changed, {word}");
    assert_eq!(former(&case, 1, &[(ID, Failed)]).told(), [told]);
    for other in [None, Some("test_b")] {
        case.checks = vec![run_tests(other)];
        let told = former(&case, 1, &[(ID, Failed)]);
        assert_eq!(told.told(), [format!("TestChanged {ID}: this test was changed,")]);
        let what = &told.shown.objections[0].what;
        assert!(what.contains("`assert f() == 1` → `assert f() > 0`"), "{what}");
    }
    // A guard that reports nothing tells of files.
    let guard = CheckMethod::Command(execution(&["run-all"], PYTEST));
    case.checks = vec![check("B.1", Role::Guard, guard), run_tests(Some("test_a"))];
    (case.before, case.now) = (None, None);
    let told = |case: &Case| former(case, 1, &[]).told();
    assert_eq!(
        told(&case),
        [format!("TestChanged tests/test_a.py: the tests in this {word}")]
    );
    let kept = "def test_k():\n    assert g() == 3\n";
    let with_kept = |text: &str| format!("{text}\n\n{kept}");
    case.files = vec![changed(
        "tests/test_x.py",
        Some(&with_kept(OLD)),
        Some(&with_kept(WEAK)),
    )];
    assert_eq!(
        told(&case),
        [format!("TestChanged tests/test_x.py: the tests in this {word}")],
        "the other one stays as it was"
    );
    case.files = vec![changed("tests/test_x.py", Some(OLD), Some(&with_kept(WEAK)))];
    assert_eq!(
        told(&case),
        ["TestChanged tests/test_x.py: the tests in this"],
        "no goal names the other one, which is new"
    );
    case.files = vec![changed("tests/test_a.py", Some(OLD), Some(""))];
    assert_eq!(
        told(&case),
        ["TestChanged tests/test_a.py: the tests in this"],
        "it is gone"
    );
    let helper = format!("def check(x):\n    pass\n\n\n{WEAK}");
    case.files = vec![changed("tests/test_a.py", Some(OLD), Some(&helper))];
    assert_eq!(
        told(&case),
        ["TestChanged tests/test_a.py: the tests in this"],
        "more than tests differs"
    );
}

#[test]
fn what_a_goal_asks_to_change_hides_no_file_that_does_not_load() {
    let other = "tests.test_b::test_b";
    let was = "from a import f\n\n\ndef test_b():\n    assert f() == 1\n";
    let is = "from a import g\n\n\ndef test_b():\n    assert g\n";
    let mut case = weakened().reports(&[(ID, Passed), (other, Passed)], &[(ID, Passed), (other, Passed)]);
    case.checks = vec![run_tests(Some("test_a"))];
    case.files.push(changed("tests/test_b.py", Some(was), Some(is)));
    let told = former(&case, 1, &[(ID, Failed)]).told();
    assert!(
        told.iter()
            .any(|one| one == "TestChanged tests/test_b.py: the tests in this"),
        "{told:?}"
    );
}

#[test]
fn other_bytes_are_another_objection() {
    let digest = |after: &str| {
        let mut case = weakened();
        case.files = vec![changed("tests/test_a.py", Some(OLD), Some(after))];
        former(&case, 1, &[(ID, Failed)]).shown.objections[0].digest.clone()
    };
    assert_ne!(digest(WEAK), digest(&WEAK.replace('0', "-1")));
}

#[test]
fn a_test_whose_body_stands_passes_only_by_what_lies_beside_it() {
    let mut case = weakened();
    case.files = vec![changed(
        "tests/test_a.py",
        Some(OLD),
        Some(&format!("X = 1\n\n\n{OLD}")),
    )];
    let played = former(&case, 1, &[(ID, Failed)]);
    assert_eq!(played.told(), [format!("TestChanged {ID}: this test passes only")]);
    let table = |cases: &str| format!("CASES = {cases}\n\n\n{OLD}");
    case.files = vec![changed("tests/test_a.py", Some(&table("[1]")), Some(&table("[2]")))];
    let what = &former(&case, 1, &[(ID, Failed)]).shown.objections[0].what;
    assert!(what.contains("`CASES = [1]` → `CASES = [2]`"), "{what}");
}

#[test]
fn a_goal_without_a_report_is_not_tried_and_a_guard_is_told_by_its_files() {
    let mut case = weakened();
    (case.before, case.now) = (None, None);
    assert!(former(&case, 1, &[]).layouts.is_empty());
    case.checks = vec![check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    )];
    let red = former(&case, 1, &[]);
    assert_eq!(red.told(), ["TestChanged tests/test_a.py: the tests in this"]);
    assert!(former(&case, 0, &[]).told().is_empty());
    let allowed = former(&allowing(case.clone(), &["tests/**"], &[]), 1, &[]);
    assert_eq!(
        allowed.told(),
        ["TestChanged tests/test_a.py: the tests in this [tests/**]"]
    );
    // What was put beside the tests is taken away.
    case.files.push(changed("tests/__init__.py", None, Some("x = 1\n")));
    case.files.push(changed("price.py", None, Some("x = 1\n")));
    let both = former(&case, 1, &[]);
    assert_eq!(both.paths("former tests"), ["tests/test_a.py", "tests/__init__.py"]);
    assert_eq!(both.laid("former tests", "tests/__init__.py"), None);
    let told = both.told();
    assert_eq!(
        told,
        [
            "TestChanged tests/test_a.py: the tests in this",
            "TestChanged tests/__init__.py: without this file, which"
        ]
    );
}

#[test]
fn a_new_file_of_nothing_but_tests_is_blamed_only_where_there_is_no_other() {
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    );
    let new = changed("tests/test_new.py", None, Some("def test_n():\n    assert 1\n"));
    let alone = Case::of(guard, &[new]);
    assert_eq!(
        former(&alone, 1, &[]).told(),
        ["TestChanged tests/test_new.py: without this file, which"]
    );
    let mut beside = alone;
    beside.files.push(changed(
        "tests/hook.py",
        None,
        Some("def load_tests(*all):\n    return all\n"),
    ));
    assert_eq!(
        former(&beside, 1, &[]).told(),
        ["TestChanged tests/hook.py: without this file, which"]
    );
    beside.files[1] = changed("tests/test_b.py", Some(OLD), Some(WEAK));
    assert_eq!(
        former(&beside, 1, &[]).told(),
        ["TestChanged tests/test_b.py: the tests in this"]
    );
}

#[test]
fn what_was_put_beside_tests_is_taken_away_where_one_was_mended() {
    let beside = changed("tests/helper.py", None, Some("x = 1\n"));
    let case =
        |before, now| Case::of(goal(PYTEST), std::slice::from_ref(&beside)).reports(&[(ID, before)], &[(ID, now)]);
    let mended = former(&case(Failed, Passed), 1, &[(ID, Failed)]);
    assert_eq!(mended.paths("former tests"), ["tests/helper.py"]);
    assert_eq!(mended.told(), [format!("TestChanged {ID}: this test passes only")]);
    assert!(former(&case(Passed, Passed), 1, &[(ID, Failed)]).layouts.is_empty());
}

#[test]
fn a_report_that_leaves_tests_out_is_told_by_its_files() {
    let partial = former(&weakened(), 1, &[("other", Failed)]);
    assert_eq!(partial.told(), ["TestChanged tests/test_a.py: the tests in this"]);
    assert!(former(&weakened(), 0, &[("other", Passed)]).told().is_empty());
    let gone = "tests.test_a::test_gone";
    let mut case = weakened().reports(&[(ID, Passed), (gone, Passed)], &[(ID, Passed)]);
    assert_eq!(former(&case, 1, &[(ID, Passed)]).told().len(), 1, "gone without leave");
    case = allowing(case, &[], &["test_gone"]);
    let told = former(&case, 1, &[(ID, Passed)]).told();
    assert_eq!(
        told,
        [format!("TestGone {gone}: this test ran on [test_gone]")],
        "it may be gone"
    );
}

#[test]
fn a_file_whose_lost_tests_are_all_allowed_is_allowed() {
    let lost = "def test_b():\n    assert 2\n";
    let both = format!("{OLD}\n\n{lost}");
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    );
    let case = Case::of(guard, &[changed("tests/test_a.py", Some(&both), Some(OLD))]);
    assert_eq!(
        former(&case, 1, &[]).told(),
        ["TestChanged tests/test_a.py: the tests in this"]
    );
    let allowed = allowing(case, &[], &["test_b"]);
    assert_eq!(
        former(&allowed, 1, &[]).told(),
        ["TestChanged tests/test_a.py: the tests in this [test_b]"]
    );
    let mut two = allowed;
    two.files = vec![changed("tests/test_a.py", Some(&both), Some("X = 1\n"))];
    assert_eq!(
        former(&two, 1, &[]).told(),
        ["TestChanged tests/test_a.py: the tests in this"],
        "one of two"
    );
}

#[test]
fn a_moved_file_of_tests_does_not_stand_twice() {
    let moved = |path: &str, text: &str| {
        let mut case = weakened();
        case.files = vec![
            changed("tests/test_a.py", Some(OLD), None),
            changed(path, None, Some(text)),
        ];
        let mut paths: Vec<String> = former(&case, 0, &[(ID, Passed)])
            .paths("former tests")
            .into_iter()
            .map(str::to_owned)
            .collect();
        paths.sort();
        paths
    };
    let both = |path: &str| vec![path.to_owned(), "tests/test_a.py".to_owned()];
    assert_eq!(
        moved("tests/deep/test_a.py", "X = 1\n"),
        both("tests/deep/test_a.py"),
        "of its name"
    );
    assert_eq!(
        moved("tests/a_more/test_m.py", OLD),
        both("tests/a_more/test_m.py"),
        "of its tests"
    );
    assert_eq!(
        moved("tests/test_n.py", "def test_n():\n    assert 9\n"),
        ["tests/test_a.py"]
    );
    assert_eq!(
        moved("tests/empty.py", "X = 1\n"),
        ["tests/test_a.py"],
        "it holds no test"
    );
    let more = format!("{OLD}\n\ndef test_n():\n    assert 9\n");
    assert_eq!(moved("tests/test_n.py", &more), ["tests/test_a.py"], "it holds more");
    assert_eq!(moved("code/test_a.txt", "x"), ["tests/test_a.py"], "it is no test");
    let mut stays = weakened();
    stays.files.push(changed("tests/deep/test_a.py", None, Some(OLD)));
    let played = former(&stays, 0, &[(ID, Passed)]);
    assert_eq!(played.paths("former tests"), ["tests/test_a.py"], "nothing is gone");
}

#[test]
fn tests_beside_code_are_put_back_into_the_code_as_it_is() {
    let file = |code: &str, test: &str| {
        format!(
            "pub fn f() -> u32 {{\n    {code}\n}}\n\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n        {test}\n    }}\n}}\n"
        )
    };
    let rust = Kind::Tests(Runner::CargoTest);
    let (old, new) = (
        file("1", "assert_eq!(super::f(), 1);"),
        file("2", "assert!(super::f() > 0);"),
    );
    let case = Case::of(goal(rust), &[changed("src/lib.rs", Some(&old), Some(&new))]);
    let case = case.reports(&[("tests::t", Passed)], &[("tests::t", Passed)]);
    let played = former(&case, 1, &[("tests::t", Failed)]);
    let laid = played.laid("former tests", "src/lib.rs").expect("a file");
    assert!(
        laid.contains("    2\n") && laid.contains("assert_eq!(super::f(), 1)"),
        "{laid}"
    );
    let code = Case::of(
        goal(rust),
        &[changed(
            "src/lib.rs",
            Some(&old),
            Some(&file("2", "assert_eq!(super::f(), 1);")),
        )],
    );
    let code = code.reports(&[("tests::t", Passed)], &[("tests::t", Passed)]);
    assert!(
        former(&code, 1, &[("tests::t", Failed)]).layouts.is_empty(),
        "only code differs"
    );
    let new_file = Case::of(goal(rust), &[changed("src/new.rs", None, Some(&new))]).reports(&[], &[]);
    assert!(former(&new_file, 1, &[]).layouts.is_empty(), "it was not there");
}

fn rules(case: &Case, show: impl FnMut(&Layout) -> Trial) -> Played {
    case.play(Probe::Rules, show)
}

fn with_rules(files: &[ChangedFile]) -> Case {
    Case::of(goal(PYTEST), files).reports(&[(ID, Failed)], &[(ID, Passed)])
}

#[test]
fn a_goal_that_is_red_under_the_rules_of_the_base_is_told() {
    let conftest = changed("conftest.py", None, Some("x = 1\n"));
    let gone = changed("pytest.ini", Some("[pytest]\n"), None);
    let case = with_rules(&[conftest, gone, changed("price.py", None, Some("x = 1\n"))]);
    let red = rules(&case, |_| ended(1, &[(ID, Failed)]));
    assert_eq!(
        (red.names(), red.paths("rules")),
        (vec!["rules"], vec!["conftest.py", "pytest.ini"])
    );
    assert_eq!(red.laid("rules", "conftest.py"), None, "what was added is taken away");
    assert_eq!(
        red.laid("rules", "pytest.ini").as_deref(),
        Some("[pytest]\n"),
        "what is gone comes back"
    );
    assert_eq!(red.told(), ["RulesOnly A.1: fails without the change"]);
    assert!(red.shown.objections[0].what.contains("`conftest.py`, `pytest.ini`"));
    assert!(rules(&case, |_| ended(0, &[(ID, Passed)])).told().is_empty());
    let not_loaded = rules(&case, |_| ended(1, &[]));
    assert!(not_loaded.told().is_empty(), "what cannot be loaded shows nothing");
    let mut silent = case;
    silent.before = None;
    assert_eq!(rules(&silent, |_| ended(1, &[])).told().len(), 1);
    silent = silent.reports(&[], &[]);
    silent.now = None;
    assert_eq!(rules(&silent, |_| ended(1, &[])).told().len(), 1);
}

#[test]
fn a_test_of_the_base_that_passes_now_must_be_seen_to_fail() {
    let conftest = changed("conftest.py", None, Some("x = 1\n"));
    let told = |before: Tests<'_>, now: Tests<'_>| {
        let case = Case::of(goal(PYTEST), std::slice::from_ref(&conftest)).reports(before, now);
        !rules(&case, |_| ended(1, &[(ID, Failed)])).told().is_empty()
    };
    assert!(told(&[(ID, Passed)], &[(ID, Passed)]));
    assert!(!told(&[(ID, Passed)], &[(ID, Failed)]), "it does not pass now");
    assert!(!told(&[(ID, Skipped)], &[(ID, Passed)]), "it did not run");
    assert!(!told(&[("other", Passed)], &[(ID, Passed)]), "it is new");
}

#[test]
fn rules_that_went_from_one_file_to_another_are_taken_back_together() {
    let keys = changed(
        "pyproject.toml",
        Some(""),
        Some("[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
    );
    let whole = changed("pytest.ini", Some("[pytest]\naddopts = -q\n"), None);
    let case = with_rules(&[keys.clone(), whole]);
    let moved = rules(&case, |layout| match layout.files.len() {
        1 => ended(1, &[(ID, Failed)]),
        _ => ended(0, &[(ID, Passed)]),
    });
    assert_eq!(moved.names(), ["rules", "rules and keys"]);
    assert_eq!(moved.paths("rules and keys"), ["pytest.ini", "pyproject.toml"]);
    assert!(moved.told().is_empty());
    assert_eq!(rules(&case, |_| ended(1, &[(ID, Failed)])).told().len(), 1);
    let green = rules(&case, |_| ended(0, &[(ID, Passed)]));
    assert_eq!(green.names(), ["rules"]);
    assert!(
        rules(&with_rules(&[keys]), |_| ended(1, &[])).layouts.is_empty(),
        "keys alone are not laid"
    );
}

#[test]
fn a_guard_may_pass_by_its_rules() {
    let mut case = with_rules(&[changed("conftest.py", None, Some("x = 1\n"))]);
    case.checks = vec![check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    )];
    assert!(rules(&case, |_| ended(1, &[(ID, Failed)])).layouts.is_empty());
}

fn pages(case: &Case, exit: i32, tests: Tests<'_>) -> Played {
    case.play(Probe::Pages, |_| ended(exit, tests))
}

fn with_page(path: &str, before: Option<&str>) -> Case {
    let case = Case::of(goal(PYTEST), &[changed(path, before, Some("new"))]);
    let case = case.same(
        "tests/test_a.py",
        "def test_a():\n    assert read('prices.md', 'p.html', 'table.txt', 'x.csv')\n",
    );
    case.reports(&[(ID, Failed)], &[(ID, Passed)])
}

#[test]
fn a_page_that_a_test_names_is_laid_as_it_was() {
    let case = with_page("docs/prices.md", Some("old"));
    let red = pages(&case, 1, &[(ID, Failed)]);
    assert_eq!(red.laid("pages", "docs/prices.md").as_deref(), Some("old"));
    assert_eq!(red.told(), ["PageOnly A.1: fails without the change"]);
    let allowed = pages(&allowing(case.clone(), &["docs/**"], &[]), 1, &[(ID, Failed)]);
    assert_eq!(allowed.told(), ["PageOnly A.1: fails without the change [docs/**]"]);
    assert!(pages(&case, 0, &[(ID, Passed)]).told().is_empty());
    let other = pages(&case, 1, &[("other", Failed)]);
    assert!(other.told().is_empty(), "what was mended does not miss the page");
    let mut silent = case;
    silent.now = None;
    assert_eq!(pages(&silent, 1, &[]).told().len(), 1);
}

#[test]
fn only_pages_that_were_there_and_that_a_test_names_are_taken_back() {
    for (path, before, laid) in [
        ("docs/prices.md", Some("old"), true),
        ("p.html", Some("old"), true),
        ("a/table.txt", Some("old"), true),
        ("docs/prices.md", None, false),
        ("docs/other.md", Some("old"), false),
        ("x.csv", Some("old"), false),
        ("tests/table.txt", Some("old"), false),
    ] {
        let played = pages(&with_page(path, before), 1, &[(ID, Failed)]);
        assert_eq!(!played.layouts.is_empty(), laid, "{path}");
    }
    let mut guard = with_page("docs/prices.md", Some("old"));
    guard.checks = vec![check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["run-tests"], PYTEST)),
    )];
    assert!(pages(&guard, 1, &[(ID, Failed)]).layouts.is_empty());
    let both = with_page("docs/prices.md", Some("old"));
    let mut both = allowing(both, &["docs/**"], &[]);
    both.files.push(changed("p.html", Some("old"), Some("new")));
    assert_eq!(
        pages(&both, 1, &[(ID, Failed)]).told(),
        ["PageOnly A.1: fails without the change"],
        "one of two is allowed"
    );
}

fn shipped(words: &[&str], kind: Kind, files: &[ChangedFile], same: &[(&str, &str)], exit: i32) -> Played {
    let mut case = Case::of(
        check("A.1", Role::Goal, CheckMethod::Command(execution(words, kind))),
        files,
    );
    for (path, text) in same {
        case = case.same(path, text);
    }
    case.play(Probe::Shipped, |_| ended(exit, &[]))
}

const CARGO: Kind = Kind::Tests(Runner::CargoTest);

#[test]
fn a_goal_of_rust_is_built_as_users_get_it() {
    let code = [changed("src/lib.rs", None, Some("pub fn f() {}\n"))];
    let red = shipped(&["cargo", "test"], CARGO, &code, &[], 1);
    assert_eq!(red.paths("shipped"), [".cargo/config.toml"]);
    let config = red.laid("shipped", ".cargo/config.toml").expect("a file");
    assert!(config.contains("debug-assertions = false"), "{config}");
    assert_eq!(red.told(), ["DebugOnly A.1: does not pass in"]);
    assert!(shipped(&["cargo", "test"], CARGO, &code, &[], 0).told().is_empty());
    for (path, other) in [(".cargo/config", "b"), (".cargo/config.toml", "b")] {
        let known = shipped(
            &["cargo", "test"],
            CARGO,
            &code,
            &[(path, "[alias]\nb = \"build\"\n")],
            1,
        );
        assert_eq!(known.paths("shipped"), [path]);
        let config = known.laid("shipped", path).expect("a file");
        assert!(
            config.contains(other) && config.contains("debug-assertions = false"),
            "{config}"
        );
    }
    let unreadable = shipped(&["cargo", "test"], CARGO, &code, &[(".cargo/config.toml", "[[[")], 1);
    assert!(unreadable.layouts.is_empty());
}

#[test]
fn what_is_no_goal_of_changed_rust_or_built_so_already_is_not_built_again() {
    let code = [changed("src/lib.rs", None, Some("pub fn f() {}\n"))];
    for words in [&["cargo", "test", "--release"][..], &["cargo", "test", "-r"]] {
        assert!(shipped(words, CARGO, &code, &[], 1).layouts.is_empty());
    }
    assert!(shipped(&["pytest"], PYTEST, &code, &[], 1).layouts.is_empty());
    let nextest = Kind::Tests(Runner::Nextest);
    assert_eq!(
        shipped(&["cargo", "nextest", "run"], nextest, &code, &[], 1)
            .layouts
            .len(),
        1
    );
    for path in ["tests/a.rs", "README.md"] {
        let other = [changed(path, None, Some("fn f() {}\n"))];
        assert!(
            shipped(&["cargo", "test"], CARGO, &other, &[], 1).layouts.is_empty(),
            "{path}"
        );
    }
    let guard = check(
        "A.1",
        Role::Guard,
        CheckMethod::Command(execution(&["cargo", "test"], CARGO)),
    );
    let guard = Case::of(guard, &code).play(Probe::Shipped, |_| ended(1, &[]));
    assert!(guard.layouts.is_empty());
}
