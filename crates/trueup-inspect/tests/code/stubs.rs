//! Functions that fail or give a default value.

use trueup_inspect::code::{Stub, break_test, stub};

fn stubbed(path: &str, source: &str, name: &str, how: Stub<'_>) -> String {
    let stubbed = stub(path, source, &[name.to_owned()], how).expect("parses");
    assert_eq!(stubbed.functions, [name]);
    stubbed.source
}

#[test]
fn a_python_stub_stands_after_the_documentation() {
    let source = "def f():\n    \"\"\"Doc.\"\"\"\n    return 1\n";
    assert_eq!(
        stubbed("a.py", source, "f", Stub::Failing("tok")),
        "def f():\n    \"\"\"Doc.\"\"\"\n    raise AssertionError(\"tok\")\n    return 1\n"
    );
    assert_eq!(
        stubbed("a.py", "def f(): return 1\n", "f", Stub::Defaulting),
        "def f(): return; return 1\n"
    );
    assert_eq!(
        stubbed("a.py", "f = lambda x: x\n", "f", Stub::Defaulting),
        "f = lambda x: None\n"
    );
}

#[test]
fn an_arrow_function_keeps_its_expression() {
    assert_eq!(
        stubbed("a.js", "const f = (a) => ({ a });", "f", Stub::Failing("tok")),
        "const f = (a) => { if (Boolean(1)) throw new Error(\"tok\"); return (({ a })); };"
    );
}

#[test]
fn a_constructor_fails_after_super_and_has_no_default() {
    let source = "class A extends B { constructor() { super() } }";
    assert_eq!(
        stubbed("a.ts", source, "A.constructor", Stub::Failing("tok")),
        "class A extends B { constructor() { super(); if (Boolean(1)) throw new Error(\"tok\"); } }"
    );
    let none = stub("a.ts", source, &["A.constructor".to_owned()], Stub::Defaulting).expect("parses");
    assert_eq!((none.source.as_str(), none.functions.len()), (source, 0));
}

#[test]
fn a_go_stub_gives_the_zero_value_of_every_result() {
    let of = |source: &str| stubbed("a.go", source, "F", Stub::Defaulting);
    assert_eq!(
        of("package a\nfunc F[T any]() (T, error) { return x, nil }"),
        "package a\nfunc F[T any]() (T, error) { var trueupZero0 T; var trueupZero1 error; return trueupZero0, trueupZero1;  return x, nil }"
    );
    assert_eq!(
        of("package a\nfunc F() (n int) { return 1 }"),
        "package a\nfunc F() (n int) { return;  return 1 }"
    );
    assert_eq!(of("package a\nfunc F() {}"), "package a\nfunc F() { return; }");
}

#[test]
fn rust_functions_that_cannot_be_replaced_are_not_claimed() {
    let source = "const fn a() -> u8 { 1 }\nextern \"C\" fn b() {}\nfn c() -> impl Fn() { || () }\nfn d() -> ! { loop {} }\nfn e() -> u8 { 1 }";
    let all: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
    let of = |how| stub("a.rs", source, &all, how).expect("parses").functions;
    assert_eq!(of(Stub::Failing("tok")), ["c", "d", "e"]);
    assert_eq!(of(Stub::Defaulting), ["e"]);
}

#[test]
fn only_the_named_functions_are_touched_and_never_a_test() {
    let source = "def a():\n    return 1\n\ndef b():\n    return 2\n";
    let made = stubbed("a.py", source, "b", Stub::Defaulting);
    assert_eq!(made, "def a():\n    return 1\n\ndef b():\n    return\n    return 2\n");
    let tests = "def test_a():\n    pass\n";
    let made = stub("test_a.py", tests, &["test_a".to_owned()], Stub::Defaulting).expect("parses");
    assert_eq!((made.source.as_str(), made.functions.len()), (tests, 0));
}

#[test]
fn a_token_cannot_break_out_of_its_quotation_marks() {
    let made = stubbed(
        "a.py",
        "def f(): pass\n",
        "f",
        Stub::Failing("a\"); import os; (\"\n\\"),
    );
    assert_eq!(made, "def f(): raise AssertionError(\"a); import os; (\"); pass\n");
}

#[test]
fn a_test_is_broken_by_any_name_a_report_gives_it() {
    let python = "class TestX:\n    def test_b(self): pass\ndef test_b(): pass\n";
    for name in [
        "tests/test_a.py::TestX::test_b[1-2]",
        "tests.test_a.TestX::test_b",
        "TestX.test_b",
    ] {
        let made = break_test("tests/test_a.py", python, name, "tok").expect(name);
        assert!(
            made.contains("def test_b(self): raise AssertionError(\"tok\"); pass"),
            "{name}"
        );
        assert!(made.ends_with("def test_b(): pass\n"), "{name}");
    }
    let script = "describe('cart', () => { it('adds %i to $name', () => {}) })";
    let made = break_test("a.test.ts", script, "a.test.ts::cart > adds 1 to b", "tok").expect("found");
    assert!(made.contains("throw new Error(\"tok\")"), "{made}");
    let go = "package a\nfunc TestA(t *testing.T) { t.Run(\"x\", f) }";
    let made = break_test("a_test.go", go, "mod/a::TestA/x", "tok").expect("found");
    assert!(made.contains("{ t.Fatal(\"tok\");"), "{made}");
    assert_eq!(break_test("a_test.go", go, "TestB", "tok"), None);
    assert_eq!(break_test("a_test.go", go, "", "tok"), None);
}

#[test]
fn a_rust_test_that_must_panic_is_broken_by_not_panicking() {
    let source = "#[test]\n#[should_panic]\nfn a() { panic!() }";
    let made = break_test("tests/a.rs", source, "a", "tok").expect("found");
    assert!(made.contains("eprintln!(\"tok\"); return;"), "{made}");
}
