//! Files in which what was there before is as it was.

use trueup_inspect::code::as_before;

fn made(path: &str, before: &str, after: &str) -> (String, Vec<String>) {
    let made = as_before(path, before, after).expect("parses");
    (made.source, made.functions)
}

#[test]
fn a_former_body_stands_under_the_new_signature() {
    let before = "def f(a):\n    return a\n\n\ndef same():\n    return 1\n";
    let after = "RATE = 5\n\n\ndef g(a):\n    return a * RATE\n\n\ndef f(a, rate=5):\n    b = g(a)\n    return b\n\n\ndef same():\n    return 1  # one\n";
    let (source, functions) = made("a.py", before, after);
    assert_eq!(functions, ["f"]);
    assert_eq!(source, after.replace("    b = g(a)\n    return b", "    return a"));
}

#[test]
fn what_the_former_body_does_not_know_comes_back_whole() {
    let (source, functions) = made("a.py", "def f(a):\n    return a\n", "def f(b):\n    return b + 1\n");
    assert_eq!((source.as_str(), functions.len()), ("def f(a):\n    return a\n", 1));
    let (source, _) = made("a.py", "def f(a): return a\n", "def f(a):\n    return a + 1\n");
    assert_eq!(source, "def f(a): return a\n");
}

#[test]
fn a_constant_has_the_value_it_had() {
    for (path, before, after) in [
        ("a.py", "A = 1\ndef f(): return A\n", "A = 2\ndef f(): return A + 0\n"),
        (
            "a.ts",
            "export const A = 1;\nexport const f = () => A;\n",
            "export const A = 2;\nexport const f = () => A + 0;\n",
        ),
        (
            "a.rs",
            "const A: u32 = 1;\nfn f() -> u32 { A }\n",
            "const A: u32 = 2;\nfn f() -> u32 { A + 0 }\n",
        ),
        (
            "a.go",
            "package a\n\nconst A = 1\n\nfunc f() int { return A }\n",
            "package a\n\nconst A = 2\n\nfunc f() int { return A + 0 }\n",
        ),
    ] {
        let (source, functions) = made(path, before, after);
        assert_eq!((source.as_str(), functions.as_slice()), (before, &["f".to_owned()][..]));
    }
}

#[test]
fn tests_and_what_is_new_stay() {
    let before = "fn f() -> u32 { 1 }\n";
    let after = "fn f() -> u32 { g() }\nfn g() -> u32 { 2 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() { assert_eq!(super::f(), 2); }\n}\n";
    let (source, functions) = made("a.rs", before, after);
    assert_eq!(functions, ["f"]);
    assert_eq!(source, after.replacen("{ g() }", "{ 1 }", 1));
    let (source, functions) = made("tests/a.rs", before, after);
    assert_eq!((source.as_str(), functions.len()), (after, 0));
}

#[test]
fn a_function_whose_types_alone_changed_does_what_it_did() {
    let functions = |path: &str, before: &str, after: &str| {
        let made = as_before(path, before, after).expect("parses");
        made.functions
    };
    let plain = "def f(a, b=1):\n    c = a\n    return c\n";
    let typed = "def f(a: int, b: str = 1) -> int:\n    c: int = a\n    return c\n";
    assert!(functions("a.py", plain, typed).is_empty());
    assert!(functions("a.py", typed, &typed.replace("int", "Iterable[int | str]")).is_empty());
    assert_eq!(functions("a.py", typed, &typed.replace("= 1", "= 2")), ["f"]);
    assert_eq!(functions("a.py", plain, &typed.replace("= a", "= b")), ["f"]);
    let script = "function f(a: number): number {\n  return a;\n}\n";
    assert!(functions("a.ts", script, &script.replace("number", "string")).is_empty());
    assert_eq!(
        functions("a.ts", script, &script.replace("return a", "return -a")),
        ["f"]
    );
}
