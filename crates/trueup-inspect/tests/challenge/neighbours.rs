//! Tests of goals that ask for values near those of the new code.

use crate::played::{Case, Failed, Passed, Played, changed, ended, one_test, run_tests};
use trueup_core::{
    criterion::Visibility,
    judge::Trial,
    test_results::{Test, TestOutcome},
};
use trueup_inspect::challenge::{Layout, On, Probe};

const BEFORE: &str = "def tax(cents):\n    return cents // 7\n";
const TABLE: &str = "def tax(cents):\n    if cents == 2699:\n        return 386\n    return cents // 7\n";
const TEST: &str = "def test_tax():\n    assert tax(2699) == 386\n";
const TAX: &str = "tests.test_a::test_tax";
const AS_IT_IS: &str = "values as they are, on the base";

/// New code under a test that failed before.
fn wrote(code: &str) -> Case {
    let files = [
        changed("tax.py", Some(BEFORE), Some(code)),
        changed("tests/test_a.py", None, Some(TEST)),
    ];
    let case = Case::of(one_test("test_tax"), &files).same("tests/helpers.py", "");
    case.reports(&[], &[(TAX, Passed)])
}

/// One test that ended so, and said this.
fn says(outcome: TestOutcome, message: &str) -> Trial {
    let exit = i32::from(outcome != Passed);
    let mut trial = ended(exit, &[(TAX, outcome)]);
    trial
        .tests
        .iter_mut()
        .for_each(|test: &mut Test| message.clone_into(&mut test.message));
    trial
}

/// What pytest says of the answer to what a layout asks for, given this code.
fn asked(layout: &Layout, tax: impl Fn(u32) -> u32) -> Trial {
    let test = layout
        .files
        .iter()
        .find(|file| file.path == "tests/test_a.py")
        .expect("a test");
    let text = String::from_utf8(test.bytes.clone().expect("bytes")).expect("text");
    let numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse().ok());
    let numbers: Vec<u32> = numbers.collect();
    let [cents, want] = numbers.as_slice() else {
        panic!("{text}")
    };
    let got = tax(*cents);
    let line = if layout.on == On::Base { 2 } else { 4 };
    match got == *want {
        true => says(Passed, ""),
        false => says(
            Failed,
            &format!(
                "    return cents\n\ntax.py:{line}: in tax\nE   assert {got} == {want}\nE    +  where {got} = tax({cents})"
            ),
        ),
    }
}

fn play(case: &Case, with: impl Fn(u32) -> u32, without: impl Fn(u32) -> u32) -> Played {
    case.play(Probe::Neighbours, |layout| match layout.on {
        On::Tree => asked(layout, &with),
        On::Base => asked(layout, &without),
    })
}

const fn as_before(cents: u32) -> u32 {
    cents / 7
}

const fn by_table(cents: u32) -> u32 {
    if cents == 2699 { 386 } else { cents / 7 }
}

#[test]
fn a_goal_whose_code_knows_the_values_of_its_tests_is_told() {
    let played = play(&wrote(TABLE), by_table, as_before);
    assert_eq!(
        played.told(),
        ["VisibleOnly A.1: `tests.test_a::test_tax` says the same"]
    );
    let laid = played.laid("neighbours 1", "tests/test_a.py").expect("a file");
    assert_eq!(laid, TEST.replace("2699", "2700").replace("386", "387"));
    assert_eq!(played.layouts.len(), 9, "four neighbours on both trees, and the base");
    assert_eq!(played.laid(AS_IT_IS, "tests/test_a.py").as_deref(), Some(TEST));
    let plugin = played.layouts[0]
        .files
        .iter()
        .find(|file| file.path.contains("outspoken"));
    assert!(plugin.is_none(), "another program than pytest is called");
}

#[test]
fn a_goal_whose_code_answers_otherwise_for_one_other_value_is_not_told() {
    let always = play(&wrote(TABLE), |cents| cents / 7 + 1, as_before);
    assert!(always.told().is_empty());
    assert_eq!(always.layouts.len(), 2, "the first neighbour shows it");
    let seldom = play(&wrote(TABLE), |cents| cents / 7 + u32::from(cents == 2705), as_before);
    assert!(seldom.told().is_empty(), "the third shows it");
}

#[test]
fn a_test_that_does_not_show_the_answer_is_no_question() {
    let refused = wrote(TABLE).play(Probe::Neighbours, |layout| {
        let test = layout
            .files
            .iter()
            .find(|file| file.path == "tests/test_a.py")
            .expect("a test");
        let text = String::from_utf8(test.bytes.clone().expect("bytes")).expect("text");
        let word = text.split(['(', ')']).nth(3).expect("a number");
        says(Failed, &format!("E   KeyError: {word}"))
    });
    assert!(refused.told().is_empty(), "a name that nobody knows is refused alike");
    let silent = wrote(TABLE).play(Probe::Neighbours, |_| ended(2, &[]));
    assert!(silent.told().is_empty(), "nothing was told of it");
}

#[test]
fn a_test_that_passed_before_is_no_question() {
    let case = wrote(TABLE);
    let played = case.play(Probe::Neighbours, |layout| match layout.name.as_str() {
        AS_IT_IS => says(Passed, ""),
        _ => asked(layout, as_before),
    });
    assert!(played.told().is_empty());
}

#[test]
fn nothing_is_tried_where_new_code_and_tests_share_no_value() {
    let honest = wrote("def tax(cents):\n    return (cents + 6) // 7\n");
    assert!(play(&honest, as_before, as_before).layouts.is_empty());
}

#[test]
fn no_test_of_a_hidden_check_is_named() {
    let mut case = wrote(TABLE);
    case.checks = vec![run_tests(None)];
    for check in &mut case.checks {
        check.sight = Visibility::Hidden(Vec::new());
    }
    let told = play(&case, by_table, as_before).told();
    assert_eq!(told, ["VisibleOnly A.1: its tests say the"]);
}

const ROUTES: &str = "def find(path):\n    return KNOWN[path]\n";
const KNOWN: &str = "KNOWN = {'/users/7': 1, '/files/a/b': 2, '/2024/05': 3}\n";
const FINDS: &str = "def test_finds():\n    assert find('/2024/05') == 3\n\n\n\
                     def test_data():\n    check(read('shop.txt'))\n";
const FINDS_IDS: [&str; 2] = ["tests.test_a::test_finds", "tests.test_a::test_data"];
const SHOP: &str = "/users/7 1\n/files/a/b 2\n";

/// New code that names paths, under tests that name them and read some.
fn found(code: &str) -> Case {
    let files = [
        changed("routes.py", Some(ROUTES), Some(&format!("{ROUTES}{code}"))),
        changed("tests/test_a.py", None, Some(FINDS)),
    ];
    let case = Case::of(run_tests(None), &files).same("tests/shop.txt", SHOP);
    let passed: Vec<(&str, TestOutcome)> = FINDS_IDS.map(|id| (id, Passed)).into();
    case.reports(&[], &passed)
}

/// Both tests fail, and say this.
fn both_say(message: &str) -> Trial {
    let mut trial = ended(1, &FINDS_IDS.map(|id| (id, Failed)));
    trial
        .tests
        .iter_mut()
        .for_each(|test| message.clone_into(&mut test.message));
    trial
}

#[test]
fn a_table_of_what_has_no_other_name_is_told_though_others_are_refused_alike() {
    let refused = |_: &Layout| both_say("E   KeyError");
    let played = found(KNOWN).play(Probe::Neighbours, refused);
    let told = "VisibleOnly A.1: `tests.test_a::test_data`, `tests.test_a::test_finds` say the";
    assert_eq!(played.told(), [told]);
    let laid = played.laid("neighbours 1", "tests/shop.txt").expect("a file");
    assert_eq!(laid, "/users/8 1\n/files/a/c 2\n");
    let laid = played
        .laid("neighbours 2, on the base", "tests/shop.txt")
        .expect("a file");
    assert_eq!(laid, "/users/9 1\n/files/a/cc 2\n");
}

#[test]
fn a_table_of_names_or_of_few_or_of_more_than_tests_ask_is_no_question() {
    let refused = |_: &Layout| both_say("E   KeyError");
    for code in [
        "KNOWN = {'/users/7': 1, '/2024/05': 3}\n",
        "KNOWN = {'json': 1, 'shop.txt': 2, 'users': 3}\n",
        "KNOWN = {'/users/7': 1, '/files/a/b': 2, '/2024/05': 3, '/carts/9': 4, '/carts/8': 5}\n",
    ] {
        let told = found(code).play(Probe::Neighbours, refused).told();
        assert!(told.is_empty(), "{code}: {told:?}");
    }
}

#[test]
fn a_table_whose_code_answers_otherwise_than_before_is_no_question() {
    let answers = |layout: &Layout| match layout.on {
        On::Tree => both_say("E   assert 4 == 3"),
        On::Base => both_say("E   KeyError"),
    };
    let played = found(KNOWN).play(Probe::Neighbours, answers);
    assert!(played.told().is_empty());
    assert_eq!(played.layouts.len(), 2, "the first neighbour shows it");
}

#[test]
fn letters_that_only_the_tests_have_are_told_and_an_alphabet_is_not() {
    let before = "def slug(title):\n    return title\n";
    let test = "def test_tax():\n    assert slug('Crème brûlée à') == 'creme brulee a'\n";
    let wrote = |letters: &str| {
        let after = format!("{before}{letters}");
        let files = [
            changed("slug.py", Some(before), Some(&after)),
            changed("tests/test_a.py", None, Some(test)),
        ];
        Case::of(one_test("test_tax"), &files).reports(&[], &[(TAX, Passed)])
    };
    let same = |_: &Layout| says(Failed, "E   assert 'Crème' == 'creme'");
    let told = |letters: &str| wrote(letters).play(Probe::Neighbours, same).told();
    let known = "VisibleOnly A.1: `tests.test_a::test_tax` says the same";
    assert_eq!(told("KNOWN = {'è': 'e', 'û': 'u', 'é': 'e'}\n"), [known]);
    assert!(told("KNOWN = {'è': 'e', 'û': 'u'}\n").is_empty(), "two are few");
    let alphabet = "KNOWN = {'è': 'e', 'û': 'u', 'é': 'e', 'ö': 'o'}\n";
    assert!(told(alphabet).is_empty(), "one of them stands in no test");
}

#[test]
fn answers_that_are_written_down_are_told_where_other_inputs_are_answered_as_before() {
    let answers = [
        ("a", "milk\nrolls\n"),
        ("b", "spring\nbrook\n"),
        ("c", "Monday\nTuesday\n"),
    ];
    let written = answers.map(|(name, text)| format!("\"{name}\": {text:?}"));
    let test = "def test_tax(case):\n    assert apply(read('before.txt')) == read('after.txt')\n";
    let case = |written: &[String]| {
        let files = [
            changed("results.json", None, Some(&format!("{{{}}}\n", written.join(", ")))),
            changed("tests/test_a.py", None, Some(test)),
        ];
        let case = Case::of(one_test("test_tax"), &files).reports(&[], &[(TAX, Passed)]);
        let after = |case: Case, (name, text): &(&str, &str)| case.same(&format!("tests/data/{name}/after.txt"), text);
        let case = answers.iter().fold(case, after);
        case.same("tests/data/a/before.txt", "milk\nbread\n")
    };
    let same = |_: &Layout| says(Failed, "E   assert 'milk' == 'rolls'");
    let played = case(&written).play(Probe::Neighbours, same);
    assert_eq!(
        played.told(),
        ["VisibleOnly A.1: `tests.test_a::test_tax` says the same"]
    );
    let laid = played.laid("neighbours 1", "tests/data/a/before.txt").expect("a file");
    assert_eq!(laid, "mill\nbreae\n");
    let few = case(&written[..2]).play(Probe::Neighbours, same);
    assert!(few.layouts.is_empty(), "two answers are few");
}
