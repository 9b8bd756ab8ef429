//! Which functions a change wrote.

use trueup_inspect::code::{TopLevelChange, changed};

#[track_caller]
fn is(path: &str, before: &str, after: &str, functions: &[&str], elsewhere: TopLevelChange) {
    let changed = changed(path, Some(before), after).expect("parses");
    assert_eq!(changed.functions, functions);
    assert_eq!(changed.elsewhere, elsewhere);
}

#[test]
fn changed_and_new_functions_are_named() {
    is(
        "a.py",
        "def a():\n    return 1\n\nclass C:\n    def m(self):\n        return 1\n",
        "def a():\n    # one\n    return 1\n\nclass C:\n    \"\"\"Doc.\"\"\"\n    def m(self):\n        return 2\n    def n(self): pass\n",
        &["C.m", "C.n"],
        TopLevelChange::No,
    );
    is(
        "a.py",
        "@a\ndef f(): pass\n",
        "@b\ndef f(): pass\n",
        &["f"],
        TopLevelChange::No,
    );
    is(
        "a.js",
        "const f = () => 1",
        "export const f = () => 2",
        &["f"],
        TopLevelChange::No,
    );
    is(
        "a.rs",
        "impl From<u8> for A { fn from(a: u8) -> A { A } }",
        "impl From<u8> for A { fn from(a: u8) -> A { A } }\nimpl From<u16> for A { fn from(a: u16) -> A { A } }",
        &["A::from"],
        TopLevelChange::No,
    );
    let all = changed("a.go", None, "package a\nfunc F() {}").expect("parses");
    assert_eq!(all.functions, ["F"]);
}

#[test]
fn imports_constants_types_and_tests_do_not_count() {
    is(
        "a.py",
        "import a\nX = 1\n",
        "import b\nX = 2\n\nclass D(Base):\n    n: int = 0\n",
        &[],
        TopLevelChange::No,
    );
    is(
        "a.ts",
        "",
        "import a from 'a';\nexport type T = 1;\nexport const X = [1];\nexport interface I {}\nexport { a };",
        &[],
        TopLevelChange::No,
    );
    is(
        "a.go",
        "package a",
        "package a\nimport \"b\"\nconst C = 1\ntype T struct{}\nvar V = 1",
        &[],
        TopLevelChange::No,
    );
    is(
        "src/a.rs",
        "fn a() {}",
        "use b::c;\nmod d;\n#[derive(Debug)]\nstruct S;\nconst X: u8 = 1;\nfn a() {}\n#[cfg(test)]\nmod tests { use super::*; #[test] fn t() { a() } static S: A = A::new(); }",
        &[],
        TopLevelChange::No,
    );
    is(
        "tests/test_a.py",
        "",
        "def aid(): pass\nrun()\n",
        &[],
        TopLevelChange::No,
    );
}

#[test]
fn code_that_runs_outside_of_functions_counts() {
    is("a.py", "", "register(1)\n", &[], TopLevelChange::Yes);
    is("a.py", "", "X = compute()\n", &[], TopLevelChange::Yes);
    is("a.ts", "", "export const app = build();", &[], TopLevelChange::Yes);
    is("a.ts", "", "process.on('exit', () => {});", &[], TopLevelChange::Yes);
    is(
        "a.rs",
        "",
        "thread_local! { static A: u8 = 1; }",
        &[],
        TopLevelChange::Yes,
    );
    is("a.go", "package a", "package a\nvar V = f()", &[], TopLevelChange::Yes);
}

#[test]
fn what_does_not_parse_has_no_answer() {
    assert_eq!(changed("a.py", Some("def ("), "x = 1"), None);
    assert_eq!(changed("a.py", None, "def ("), None);
    assert_eq!(changed("a.md", None, "text"), None);
}

#[test]
fn a_function_of_which_only_types_changed_is_as_it_was() {
    let before = "def f(a, b=1):\n    return a\n";
    let typed = "def f(a: int, b: int = 1) -> int:\n    return a\n";
    let found = |after: &str| changed("a.py", Some(before), after).expect("parses").functions;
    assert!(found(typed).is_empty());
    assert_eq!(found(&typed.replace("return a", "return b")), ["f"]);
}
