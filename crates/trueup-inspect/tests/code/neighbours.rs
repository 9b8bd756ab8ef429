//! Values that new code and tests have in common, and others near them.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};
use trueup_inspect::code::{
    Neighbour, SharedValue, letters_of_tests, neighbour, neighbour_of_data, new_values, other_lines, written_answers,
};

/// The tests of a file with the first neighbours of what they share with code.
fn near((path, tests): (&str, &str), (code_path, code): (&str, &str)) -> Option<Neighbour> {
    neighbour(path, tests, &new_values(code_path, None, code), 0, |_| true)
}

/// The lines that differ then.
fn changed(tests: (&str, &str), code: (&str, &str)) -> Vec<String> {
    let source = near(tests, code).map(|near| near.source).unwrap_or_default();
    let lines = source.lines().zip(tests.1.lines());
    let differ = lines.filter(|(new, old)| new != old);
    differ.map(|(new, _)| new.trim().to_owned()).collect()
}

fn texts(words: &[&str]) -> BTreeSet<SharedValue> {
    words.iter().map(|word| SharedValue::Text((*word).to_owned())).collect()
}

#[test]
fn values_of_new_lines_are_known_and_those_of_old_ones_are_not() {
    let before = "A = 'old text'\nB = 70\n";
    let after = "A = 'old text'\nB = 71\nC = {'2d4h': 187_200}\n";
    let mut known = texts(&["2d4h"]);
    known.extend(["71", "187200"].map(|digits| SharedValue::Number(digits.to_owned())));
    assert_eq!(new_values("a.py", Some(before), after), known);
    let small = "A = [0, 1, 2, 1.0, 2.0, 0x10, 'a', '', '--', f'{b} text', 'a\\nb']\n";
    assert!(new_values("a.py", None, small).is_empty(), "they say too little");
    assert!(
        new_values("tests/test_a.py", None, after).is_empty(),
        "a test is no code"
    );
    assert!(new_values("a.py", None, "A = (\n").is_empty());
}

#[test]
fn tests_of_rust_beside_code_are_no_code_and_have_their_values_changed() {
    let source = "fn f(n: u32) -> u32 {\n    if n == 50 { 9 } else { n }\n}\n\n\
                  #[cfg(test)]\nmod tests {\n    #[test]\n    fn nine() {\n        assert_eq!(f(50), 77u32);\n    }\n}\n";
    let values = new_values("src/lib.rs", None, source);
    assert!(!values.contains(&SharedValue::Number("77".to_owned())));
    let near = neighbour("src/lib.rs", source, &values, 0, |_| true).expect("a neighbour");
    assert_eq!(near.source, source.replace("f(50)", "f(51)"), "code stays as it is");
    let whole = "#[test]\nfn nine() {\n    assert_eq!(f(50, \"a-1\"), 9);\n}\n";
    let code = ("src/lib.rs", "const A: (&str, u32) = (\"a-1\", 50);\n");
    assert_eq!(changed(("tests/a.rs", whole), code), ["assert_eq!(f(51, \"a-2\"), 9);"]);
}

#[test]
fn tests_of_python_ask_for_values_near_those_that_the_code_names() {
    let tests = r#"
import pytest

LINES = [("Lamp", 2699)]


@pytest.mark.parametrize("text, want", [("1h30m", 5400), ("2m", 120)])
def test_table(text, want):
    assert f(text) == want


def test_lines():
    assert g(LINES)["Lamp"] == 7


def test_other():
    assert f("2m") == 120
"#;
    let code = (
        "a.py",
        "T = {'1h30m': 5400, 'text, want': 3, 2699: 'Lamp', 'Some': 5.5}\n",
    );
    let near = near(("tests/test_a.py", tests), code).expect("a neighbour");
    let source = tests
        .replace("\"Lamp\", 2699)", "\"Lamq\", 2700)")
        .replace("\"1h30m\", 5400", "\"2h30m\", 5401");
    assert_eq!(near.source, source, "names of parameters and of parts stay");
    let names: Vec<&str> = near.tests.keys().map(String::as_str).collect();
    assert_eq!(names, ["test_lines", "test_table"]);
    let number = |digits: &str| SharedValue::Number(digits.to_owned());
    let mut named = texts(&["1h30m"]);
    named.insert(number("5400"));
    assert_eq!(near.tests["test_table"], named);
    let values: Vec<&str> = near.values.iter().map(String::as_str).collect();
    assert_eq!(values, ["2700", "2h30m", "5401", "Lamq"]);
}

#[test]
fn keys_of_objects_that_the_code_names_are_called_otherwise_everywhere() {
    let tests = "import { f } from '../src/points'\n\
                 const rows = [{ team: 'red', points: 9 }]\n\
                 test('points', () => {\n  expect(f(rows)).toBe('points')\n  expect(rows[0].points).toBe(9)\n\
                   expect(f.points()).toBe(2)\n})\n";
    let code = ("src/points.ts", "const right = ['points', '../src/points']\n");
    assert_eq!(
        changed(("test/a.test.ts", tests), code),
        [
            "const rows = [{ team: 'red', pointt: 9 }]",
            "expect(f(rows)).toBe('pointt')",
            "expect(rows[0].pointt).toBe(9)",
        ],
    );
}

#[test]
fn tests_of_go_ask_for_values_near_those_that_the_code_names() {
    let tests = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\
                 \tfor cents, want := range map[int64]string{123450: \"1,234.50\", 7: \"x\"} {\n\
                 \t\tequal(t, Format(cents), want)\n\t}\n\tt.Run(\"1,234.50\", func(t *testing.T) {})\n}\n";
    let code = (
        "a.go",
        "package a\n\nfunc Format(c int64) string {\n\tif c == 123450 {\n\t\treturn \"1,234.50\"\n\t}\n\treturn \"\"\n}\n",
    );
    assert_eq!(
        changed(("a_test.go", tests), code),
        ["for cents, want := range map[int64]string{123451: \"2,234.50\", 7: \"x\"} {"],
    );
}

#[test]
fn each_neighbour_is_another_one() {
    let code = new_values("a.py", None, "A = ['1h30m', 'points', 19, 7.25]\n");
    let tests = "def test_a():\n    f('1h30m', 'points', 19, 7.25)\n";
    let of = |nth| neighbour("tests/test_a.py", tests, &code, nth, |_| true).map(|near| near.source);
    let lines = [
        "f('2h30m', 'pointt', 20, 8.25)",
        "f('1h40m', 'pointtt', 22, 10.25)",
        "f('1h31m', 'pointttt', 25, 13.25)",
        "f('3h30m', 'pointtttt', 30, 18.25)",
    ];
    for (nth, line) in (0..).zip(lines) {
        assert_eq!(of(nth), Some(format!("def test_a():\n    {line}\n")));
    }
}

#[test]
fn values_with_parts_tell_something_and_names_do_not() {
    let telling = |text: &str| SharedValue::Text(text.to_owned()).is_telling();
    for text in [
        "/users/7",
        "Ada@Example.org",
        "2024-05-01",
        "1.2.3",
        "tim@cern@ch",
        "a=b; c",
    ] {
        assert!(telling(text), "{text}");
    }
    for text in [
        "json",
        "utf-8",
        "max_width",
        "not an address",
        "it's",
        "/health",
        "tim@",
        "page 2",
    ] {
        assert!(!telling(text), "{text}");
    }
    assert!(!SharedValue::Number("2699".to_owned()).is_telling());
}

#[test]
fn letters_that_new_code_names_are_others_in_its_tests() {
    let code = "const letters = { è: 'e', û: 'u' } // ß is for later\nconst all = /[èûö]/g\n";
    let values = new_values("src/slug.js", None, code);
    let letters: BTreeSet<SharedValue> = ['è', 'û', 'ö'].map(SharedValue::Letter).into();
    let others = texts(&["e", "u"]);
    assert!(
        values.is_superset(&letters) && values.is_disjoint(&others),
        "{values:?}"
    );
    let tests = "test('drops è', () => {\n  expect(slug('Crème brûlée Ö')).toBe('creme-brulee-o')\n})\n\
                 test('other', () => {\n  expect(slug('a')).toBe('a')\n})\n";
    let path = "test/slug.test.js";
    assert_eq!(letters_of_tests(path, tests), ['è', 'û', 'é', 'ö'].into());
    let near = |nth| neighbour(path, tests, &letters, nth, |_| true).expect("a neighbour");
    assert_eq!(near(0).source, tests.replace("Crème brûlée Ö", "Cràme brâlée Á"));
    assert_eq!(near(1).source, tests.replace("Crème brûlée Ö", "Crãme brålée Ä"));
    let tests: Vec<String> = near(0).tests.into_keys().collect();
    assert_eq!(tests, ["drops è"]);
}

#[test]
fn files_that_tests_read_hold_values_near_those_that_the_code_names() {
    let values = texts(&["/users/7", "/users/7/orders/a1", "user"]);
    let text = "/users/7 user\n/users/7/orders/a1 order\n/users/77 user\nmy/users/7\n";
    let (other, named) = neighbour_of_data(text, &values, 0).expect("a neighbour");
    assert_eq!(
        other,
        "/users/8 user\n/users/8/orders/a1 order\n/users/77 user\nmy/users/8\n"
    );
    assert_eq!(named, texts(&["/users/7", "/users/7/orders/a1"]));
    assert_eq!(neighbour_of_data("user\n", &values, 0), None, "a name tells nothing");
    assert_eq!(other_lines("milk\n\n12\nbread 7\n", 1), "milll\n\n12\nbreaee 7\n");
}

#[test]
fn answers_of_tests_are_known_where_they_are_written_down_whole() {
    let data = [
        ("tests/a.txt", "milk\nrolls \"x\"\n"),
        ("tests/b.txt", "one\ttwo\nthree\n"),
        ("tests/short.txt", "a\nb\n"),
        ("tests/line.txt", "a line that is long enough\n"),
    ];
    let after = "{\"1\": \"milk\\nrolls \\\"x\\\"\\n\", \"2\": \"a\\nb\", \"3\": \"a line that is long enough\"}\n\
                 one\ttwo\nthree\n";
    assert_eq!(
        written_answers(&data, None, after),
        ["tests/a.txt", "tests/b.txt"].into()
    );
    assert_eq!(
        written_answers(&data, Some("one\ttwo\nthree"), after),
        ["tests/a.txt"].into()
    );
}

#[test]
fn nothing_is_changed_where_no_test_that_is_meant_names_a_value() {
    let code = ("a.py", "A = 19\n");
    let tests = "def test_a():\n    f(19)\n\n\ndef test_b():\n    f(20)\n";
    let of = |name: &str| {
        let values = new_values(code.0, None, code.1);
        neighbour("tests/test_a.py", tests, &values, 0, |one| one == name)
    };
    assert!(of("test_a").is_some());
    assert_eq!(of("test_b"), None);
    assert_eq!(near(("tests/test_a.py", "def test_a(:\n    f(19)\n"), code), None);
}

#[test]
fn a_file_with_as_many_values_as_lines_is_read_in_a_moment() {
    let lines = (0..40_000).map(|number| format!("    'name{number}': {number},\n"));
    let source = format!("A = {{\n{}}}\n", lines.collect::<String>());
    let begun = Instant::now();
    assert!(new_values("a.py", None, &source).len() > 40_000);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}
