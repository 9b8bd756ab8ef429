//! Tests that expect something else, and what of them is left alone.

use std::collections::BTreeSet;
use trueup_inspect::code::{Comparing, OtherExpectations, other_expectations};

/// The lines that differ once all tests of a file expect something else.
fn changed(path: &str, source: &str) -> Vec<String> {
    changed_beside(path, source, &[])
}

/// The same, where there are other files.
fn changed_beside(path: &str, source: &str, others: &[(&str, &str)]) -> Vec<String> {
    let comparing = Comparing::of(path, source, others);
    let Some(other) = other_expectations(path, source, &comparing, |_| true) else {
        return Vec::new();
    };
    assert_eq!(other.source.lines().count(), source.lines().count(), "{}", other.source);
    let lines = other.source.lines().zip(source.lines());
    let differ = lines.filter(|(new, old)| new != old);
    differ.map(|(new, _)| new.trim().to_owned()).collect()
}

fn expecting(path: &str, source: &str, is_meant: impl Fn(&str) -> bool) -> Option<OtherExpectations> {
    other_expectations(path, source, &Comparing::of(path, source, &[]), is_meant)
}

#[test]
fn literals_that_python_compares_with_are_changed() {
    let source = r#"
import pytest


@pytest.mark.parametrize("given, want", [(1, "a"), pytest.param(2, None, id="b")])
def test_table(given, want):
    assert f(given) == want


def test_values():
    want = {"a": 1, "b": [-2.5, True]}
    assert f("question")["key"] == want
    assert g() is None and g() == ()
    assert h(1) == pytest.approx(0.5)


class Equal(unittest.TestCase):
    def test_methods(self):
        self.assertEqual(f(1), b"x", "as the message says")
        self.assertCountEqual([], f(2))
"#;
    assert_eq!(
        changed("tests/test_a.py", source),
        [
            r#"@pytest.mark.parametrize("given, want", [(1, "atrueup"), pytest.param(2, ..., id="b")])"#,
            r#"want = {"a": (1 + 1 + 1), "b": [-(2.5 + 2.5 + 1.0), False]}"#,
            r#"assert g() is ... and g() == ("trueup",)"#,
            "assert h(1) == pytest.approx((0.5 + 0.5 + 1.0))",
            r#"self.assertEqual(f(1), b"xtrueup", "as the message says")"#,
            r#"self.assertCountEqual(["trueup"], f(2))"#,
        ]
    );
}

#[test]
fn what_is_asked_or_turned_round_is_left_alone() {
    let source = r#"
def test_question():
    given = [1, 2]
    assert copy(given) == given
    assert not f() == 3
    assert f() != 4
    assert f(5)
    assert f(6) in (7, 8)
    assert f(9) == g(10)
    assert [13] == [13]
    assert found[11] == found["a"]
    self.assertNotEqual(f(), 12)
    self.assertAlmostEqual(f(), 14, delta=5)
    assert f() == pytest.approx(15, rel=2)
    assert f() == {True, False}
    result = None
    result = f()
    assert result == LIMIT
    with pytest.raises(ValueError):
        assert f() == 16
"#;
    assert!(changed("tests/test_a.py", source).is_empty());
    let code = "def f():\n    assert g() == 1\n";
    assert!(changed("src/a.py", code).is_empty(), "it is no test");
}

#[test]
fn literals_that_scripts_compare_with_are_changed() {
    let source = r#"
describe("prices", () => {
  it("adds", () => {
    const want = { sum: 3, of: ["a", `b`] };
    expect(total([1, 2])).toEqual(want);
    expect(total([])).toBe(0);
    expect(name("a")).not.toBe("b");
    expect(() => total(null)).toThrow("no prices");
    assert.strictEqual(total([5]), 5n);
    expect(open()).to.equal(true);
    expect(nothing()).toBe(void 0);
    assert.equal(`${a}:1`, `${b}:1`);
    expect(name("c")).not
      .toBe("d");
    expect(price()).toBeCloseTo(500, -1);
    table("t").select().eq("id", 1);
  });
});
"#;
    assert_eq!(
        changed("src/a.test.ts", source),
        [
            r#"const want = { sum: (3 + 3 + 1), of: ["atrueup", `btrueup`] };"#,
            "expect(total([])).toBe((0 + 0 + 1));",
            "assert.strictEqual(total([5]), (5n + 5n + 1n));",
            "expect(open()).to.equal(false);",
        ]
    );
}

#[test]
fn literals_that_rust_compares_with_are_changed() {
    let source = r##"
#[test]
fn adds() {
    assert_eq!(total(&[1, 2]), 3, "of {}", 2);
    assert_eq!(Some("a"), name(4));
    assert_eq!(names(), vec!["a".to_string(), String::from(r#"b"#)]);
    assert_eq!(total(&[]), total(&[0]));
    assert_eq!(lines(), [0; 3]);
    assert_eq!(Small::<u32, 2>::from(&[1][..]), [1]);
    assert_eq!(bits(), 1 << 5);
    assert_eq!(3, 3);
}

#[test]
#[should_panic]
fn fails() {
    assert_eq!(total(&[9]), 8);
    assert_ne!(total(&[1]), 2);
}
"##;
    assert_eq!(
        changed("tests/a.rs", source),
        [
            r#"assert_eq!(total(&[1, 2]), (3 ^ 1), "of {}", 2);"#,
            r#"assert_eq!(Some("atrueup"), name(4));"#,
            r##"assert_eq!(names(), vec!["atrueup".to_string(), String::from(r#"btrueup"#)]);"##,
        ]
    );
}

#[test]
fn literals_that_go_compares_with_are_changed() {
    let source = r#"package a

func TestAdds(t *testing.T) {
	tests := []struct {
		in   []int
		want int
	}{
		{in: []int{1, 2}, want: 3},
	}
	for _, test := range tests {
		if got := Total(test.in); got != test.want {
			t.Errorf("got %d", got)
		}
	}
	names := []string{"a"}
	if !reflect.DeepEqual(Names(), names) {
		t.Fatal("other names")
	}
	if err := Check(4); err != nil || Name(5) != "b" {
		t.Fatal(err)
	}
	for i := 0; i != 8; i++ {
		if i%2 != 0 {
			continue
		}
	}
	Write(Options{Output: "out.txt"})
	if diff := cmp.Diff(Names(), wanted()); diff != "" {
		t.Fatal(diff)
	}
	if Name(6) == "c" {
		t.Fatal("taken")
	}
	assert.Equal(t, 7, Total([]int{7}))
}

func ExampleName() {
	if Name(8) != "d" {
		fmt.Println("another")
	}
}
"#;
    assert_eq!(
        changed("a_test.go", source),
        [
            "{in: []int{1, 2}, want: (3 ^ 1)},",
            r#"names := []string{"atrueup"}"#,
            r#"if err := Check(4); err != nil || Name(5) != "btrueup" {"#,
            "assert.Equal(t, (7 ^ 1), Total([]int{7}))",
        ]
    );
}

#[test]
fn what_is_handed_to_functions_that_compare_is_changed() {
    let shared = r#"
def check_all(cases):
    for text, seconds in cases:
        assert parse(text) == seconds, seconds


def check_named(found, name, *, exact=True):
    assert found.name == name, f"another {name}"


def check_echo(value):
    assert echo(value) == value


def check_rejects(texts, kind):
    for text in texts:
        with pytest.raises(kind):
            assert parse(text) == kind
"#;
    let source = r#"
from tests.shared import check_all, check_echo, check_named, check_rejects


class Parse(TestCase):
    def check(self, text, want):
        self.assertEqual(parse(text), want)

    def test_method(self):
        self.check("1m", 60)


def test_shared():
    check_all([("45s", 45), ("2m", 120)])
    check_named(find("a"), "b", exact=False)
    check_named(find("c"), wanted())
    check_echo("d")
    check_rejects(["e"], ValueError)
    other.check_all([("f", 6)])
"#;
    assert_eq!(
        changed_beside("tests/test_a.py", source, &[("tests/shared.py", shared)]),
        [
            r#"self.check("1m", (60 + 60 + 1))"#,
            r#"check_all([("45s", (45 + 45 + 1)), ("2m", (120 + 120 + 1))])"#,
            r#"check_named(find("a"), "btrueup", exact=False)"#,
        ]
    );
    let twice = [("tests/shared.py", shared), ("tests/more.py", shared)];
    assert_eq!(
        changed_beside("tests/test_a.py", source, &twice).len(),
        1,
        "nobody knows which is called"
    );
}

#[test]
fn what_scripts_hand_to_functions_that_compare_is_changed() {
    let source = r#"
const checkSlug = (title, slug) => expect(slugify(title)).toBe(slug);
function checkAll(rows) {
  for (const [title, slug] of rows) {
    expect(slugify(title), title).toBe(slug);
  }
}
function checkSame(one: string, other: string) {
  expect(slugify(one)).toEqual(slugify(other));
}
it("has slugs", () => {
  checkSlug("A b", "a-b");
  checkAll([["C", "c"], ["D", title]]);
  checkSame("E", "e");
});
"#;
    assert_eq!(
        changed("src/a.test.ts", source),
        [
            r#"checkSlug("A b", "a-btrueup");"#,
            r#"checkAll([["C", "ctrueup"], ["D", title]]);"#
        ]
    );
}

#[test]
fn what_rust_hands_to_functions_that_compare_is_changed() {
    let common = r#"
pub fn check(router: &Router, path: &str, name: &str, params: &[(&str, &str)]) {
    let found = router.find(path).unwrap_or_else(|| panic!("no route for {path}"));
    assert_eq!(found.name, name, "{path}");
    assert_eq!(found.params, params, "{path}");
}

pub fn check_all(cases: &[(u8, u8)]) {
    for (given, want) in cases {
        assert_eq!(twice(given), *want);
    }
}

pub fn check_echo(value: u8) {
    assert_eq!(echo(value), value);
}
"#;
    let source = r#"
#[test]
fn finds() {
    check(&shop(), "/users/7", "user", &[("id", "7")]);
    common::check_all(&[(1, 2), (3, 6)]);
    check_echo(9);
}
"#;
    assert_eq!(
        changed_beside("tests/a.rs", source, &[("tests/common/mod.rs", common)]),
        [
            r#"check(&shop(), "/users/7", "usertrueup", &[("idtrueup", "7trueup")]);"#,
            "common::check_all(&[(1, (2 ^ 1)), (3, (6 ^ 1))]);",
        ]
    );
}

#[test]
fn what_go_hands_to_functions_that_compare_is_changed() {
    let other = r#"package a

func same(t *testing.T, got, want interface{}) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func echoes(t *testing.T, value string) {
	if Echo(value) != value {
		t.Fatal(value)
	}
}
"#;
    let source = r#"package a

func TestAdds(t *testing.T) {
	same(t, Total(1, 2), 3)
	same(t, 4, 4)
	echoes(t, "a")
}
"#;
    assert_eq!(
        changed_beside("a_test.go", source, &[("b_test.go", other)]),
        ["same(t, Total(1, 2), (3 ^ 1))"]
    );
}

#[test]
fn only_the_tests_that_are_meant_expect_something_else() {
    let source =
        "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert f() == 2\n\n\ndef test_c():\n    f()\n";
    let of = |names: &'static [&str]| {
        let other = expecting("tests/test_a.py", source, |name| names.contains(&name));
        other.map(|other| (other.source, other.tests))
    };
    let expected = source.replace("== 2", "== (2 + 2 + 1)");
    assert_eq!(
        of(&["test_b", "test_c"]),
        Some((expected, BTreeSet::from(["test_b".to_owned()])))
    );
    assert_eq!(of(&["test_c"]), None, "it says nothing");
    assert_eq!(expecting("tests/test_a.py", "def test_a(:\n", |_| true), None);
}

#[test]
fn a_test_of_many_comparisons_or_of_deep_ones_is_read_in_time() {
    let many: String = (0..5_000).map(|at| format!("    assert f({at}) == want\n")).collect();
    let many = format!("def test_a():\n    want = 1\n{many}");
    assert!(expecting("tests/test_a.py", &many, |_| true).is_some_and(|other| other.source.contains("(1 + 1 + 1)")));
    let deep = format!(
        "#[test]\nfn a() {{\n    assert_eq!(f(), {}1{});\n}}\n",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    drop(expecting("tests/a.rs", &deep, |_| true));
}
