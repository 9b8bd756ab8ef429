//! Functions and tests are found, with the names people give them.

use trueup_inspect::code::{Calls, ItemKind, body_key, items};

fn of_sort(path: &str, source: &str, sort: ItemKind) -> Vec<String> {
    items(path, source)
        .expect("parses")
        .into_iter()
        .filter(|item| item.sort == sort)
        .map(|item| item.name)
        .collect()
}

#[test]
fn python_functions_methods_and_named_lambdas_are_found() {
    let names = of_sort("shop.py", include_str!("samples/shop.py.txt"), ItemKind::Function);
    for name in [
        "deco.inner",
        "one",
        "Cart.__init__",
        "Cart.total",
        "Cart.make.nested",
        "Cart.Inner.go",
        "agen",
        "double",
    ] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
}

#[test]
fn python_tests_are_tests_only_where_tests_are_looked_for() {
    let source = "class TestA:\n    def test_b(self): pass\n\ndef test_c(): pass\n\ndef aid(): pass\n";
    assert_eq!(
        of_sort("tests/test_a.py", source, ItemKind::Test),
        ["TestA.test_b", "test_c"]
    );
    assert_eq!(of_sort("tests/test_a.py", source, ItemKind::Function), ["aid"]);
    assert!(of_sort("src/a.py", source, ItemKind::Test).is_empty());
}

#[test]
fn script_functions_are_found_however_they_are_named() {
    let names = of_sort("shop.tsx", include_str!("samples/shop.tsx.txt"), ItemKind::Function);
    for name in [
        "add",
        "inc",
        "wrapped",
        "Cart.constructor",
        "Cart.handle",
        "Cart.#priv",
        "api.get",
        "api.post",
        "api.quoted-name",
        "api.nested.deep",
        "outer.inner",
        "default",
        "N.k",
    ] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
    let names = of_sort("shop.js", include_str!("samples/shop.js.txt"), ItemKind::Function);
    for name in ["add", "sub", "mul", "A.m", "A.prototype.z", "old", "iife", "obj.ag"] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
}

#[test]
fn script_tests_carry_the_titles_around_them_under_any_imported_name() {
    let source = r#"
        import { it as check, describe as group } from "vitest";
        group("cart", () => {
          check.each([1])("adds %i", (n) => {});
          group("empty", () => { check.skip(`is free`, async function () {}); });
        });
        it("stands alone", () => {});
        /x/.test("no test");
    "#;
    assert_eq!(
        of_sort("a.test.ts", source, ItemKind::Test),
        ["cart > adds %i", "cart > empty > is free", "stands alone"]
    );
    let source = "import nt, * as all from 'node:test'; nt('a', () => {}); all.it('b', () => {});";
    assert_eq!(of_sort("a.test.js", source, ItemKind::Test), ["a", "b"]);
}

#[test]
fn rust_tests_are_those_with_the_attribute_and_all_that_only_tests_compile() {
    let source = include_str!("samples/shop.rs.txt");
    assert_eq!(
        of_sort("src/lib.rs", source, ItemKind::Test),
        ["tests::helper", "tests::adds", "tests::panics", "tests::results"]
    );
    let names = of_sort("src/lib.rs", source, ItemKind::Function);
    for name in [
        "add",
        "Oops::fmt",
        "Money::new",
        "Greets::greet",
        "outer::inner",
        "deep::er::x",
    ] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
    let source = "#[tokio::test]\nasync fn a() {}\n#[cfg(not(test))]\nfn b() {}\n#[cfg(any(test, unix))]\nfn c() {}\n#[cfg(all(unix, test))]\nfn d() {}";
    assert_eq!(of_sort("src/lib.rs", source, ItemKind::Test), ["a", "d"]);
}

#[test]
fn go_methods_and_function_variables_are_found_and_tests_where_go_looks() {
    let names = of_sort("shop.go", include_str!("samples/shop.go.txt"), ItemKind::Function);
    for name in ["Now", "B", "Add", "Cart.Total", "Cart.Unnamed", "List.Push"] {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
    let source = "package a\nfunc TestX(t *testing.T) {}\nfunc Testify(t *testing.T) {}\nfunc FuzzY(f *testing.F) {}\nfunc TestMain(m *testing.M) {}";
    assert_eq!(of_sort("a_test.go", source, ItemKind::Test), ["TestX", "FuzzY"]);
    assert!(of_sort("a.go", source, ItemKind::Test).is_empty());
}

#[test]
fn an_item_knows_its_line_and_its_span() {
    let source = "X = 1\n\n@deco\ndef f(a):\n    return a\n";
    let items = items("a.py", source).expect("parses");
    let item = items.first().expect("one");
    assert_eq!(item.line, 3);
    assert_eq!(source.get(item.span.clone()), Some("@deco\ndef f(a):\n    return a"));
    assert_eq!(source.get(item.body.clone()), Some("return a"));
}

#[test]
fn bodies_are_equal_when_only_comments_and_white_space_differ() {
    let key = |path: &str, source: &str| {
        let items = items(path, source).expect("parses");
        body_key(source, items.first().expect("one"))
    };
    let of = |source: &str| key("a.py", source);
    assert_eq!(
        of("def f(a):\n    return a+1\n"),
        of("def g(a):\n  # why\n  \"\"\"Doc.\"\"\"\n  return a + 1\n")
    );
    assert_ne!(of("def f(a):\n    return 'a b'\n"), of("def f(a):\n    return 'ab'\n"));
    // Indentation and line breaks of Python mean something.
    assert_ne!(
        of("def f(a):\n    if a:\n        b()\n        c()\n"),
        of("def f(a):\n    if a:\n        b()\n    c()\n")
    );
    let of = |source: &str| key("a.js", source);
    assert_eq!(
        of("function f() { return 1 }"),
        of("function f() {\n  return 1; // one\n}")
    );
    assert_ne!(of("function f() { return\n1 }"), of("function f() { return 1 }"));
}

#[test]
fn names_are_those_of_what_is_called_through_calls_members_and_macros() {
    for (path, source, name) in [
        (
            "test_a.py",
            "def test_a():\n    assert Cart(2).total == twice(x)\n",
            "twice",
        ),
        (
            "test_a.py",
            "def test_a():\n    assert Cart(2).total == twice(x)\n",
            "total",
        ),
        ("a.test.tsx", "it('a', () => { render(<Badge n={1} />) })", "Badge"),
        (
            "a.test.ts",
            "it('a', () => { expect(xs.map(double)).toBe(1) })",
            "double",
        ),
        (
            "tests/a.rs",
            "#[test] fn a() { assert_eq!(m::add::<u8>(1, 2), 3); }",
            "add",
        ),
        (
            "a_test.go",
            "package a\nfunc TestA(t *testing.T) { pkg.Sum[int](1) }",
            "Sum",
        ),
    ] {
        let items = items(path, source).expect("parses");
        let calls = Calls::read(path, source).expect("parses");
        let names = calls.of(items.first().expect("one"));
        assert!(names.contains(name), "{name} in {names:?}");
    }
}

#[test]
fn what_tests_share_is_gone_through() {
    let source = "package p\n\nfunc usage(t *testing.T) string { return setUp(t).FlagUsages() }\n\n\
                  func setUp(t *testing.T) *FlagSet { return NewFlagSet(usage) }\n\n\
                  func other() { Unused() }\n\n\
                  func TestUsage(t *testing.T) { if usage(t) != \"a\" { t.Error() } }\n";
    let items = items("a_test.go", source).expect("parses");
    let test = items.iter().find(|item| item.name == "TestUsage").expect("a test");
    let calls = Calls::read("a_test.go", source).expect("parses");
    let names = calls.through(test);
    for name in ["usage", "setUp", "FlagUsages", "NewFlagSet"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    assert!(!names.contains("Unused"), "{names:?}");
    assert!(!calls.of(test).contains("FlagUsages"));
}
