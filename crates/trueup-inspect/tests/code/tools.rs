//! The languages' own tools accept what is made, and see it fail.

use std::path::Path;
use std::process::{Command, Output};

use trueup_inspect::code::{Fault, ItemKind, Stub, canary, items, stub};

const TOKEN: &str = "tok_3f9";

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed by this test: {error}"))
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn both() -> [(&'static str, Stub<'static>); 2] {
    [("failing", Stub::Failing(TOKEN)), ("defaulting", Stub::Defaulting)]
}

/// The source with every function but these replaced.
fn all_but(path: &str, source: &str, kept: &[&str], how: Stub<'_>) -> String {
    let names: Vec<String> = items(path, source)
        .expect("parses")
        .into_iter()
        .filter(|item| item.sort == ItemKind::Function && !kept.contains(&item.name.as_str()))
        .map(|item| item.name)
        .collect();
    stub(path, source, &names, how).expect("parses").source
}

/// Whether each question to the file is answered well as it is, and badly once replaced.
fn turns_red(file: &str, source: &str, made: &str, ask: impl Fn(&Path) -> Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    std::fs::write(&path, source).expect("written");
    let honest = ask(folder.path());
    assert!(honest.status.success(), "{}", text(&honest));
    std::fs::write(&path, made).expect("written");
    let red = ask(folder.path());
    assert!(!red.status.success(), "still green:\n{made}");
    let said = text(&red);
    assert!(!said.contains("SyntaxError"), "{said}");
    assert!(!made.contains(TOKEN) || said.contains(TOKEN), "{said}");
}

fn write(folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).expect("written");
}

/// Asks every file its question, in one process: an answer that is not the
/// expected one, or a failure without its token, ends it.
const QUESTIONS: &str = r#"
def ask(file, question):
    space = {}
    exec(compile(open(file).read(), file, "exec"), space)
    async def first():
        async for x in space["agen"](2):
            return x
    space["first"] = first
    return eval(question, space)

for line in open("questions"):
    file, expected, token, question = line.rstrip("\n").split("\t")
    try:
        answer, said = ask(file, question), ""
    except (AssertionError, AttributeError, TypeError) as error:
        answer, said = False, str(error)
    if str(answer) != expected or token not in said:
        raise SystemExit(f"{line} {answer} {said}")
"#;

#[test]
fn python_turns_red_for_each_replaced_function() {
    let source = include_str!("samples/shop.py.txt");
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = Vec::new();
    for (name, question) in [
        ("add", "add(1, 2) == 3"),
        ("one", "one(1) == 2"),
        ("two", "two(1) == 3"),
        ("semi", "semi(1) == 2"),
        ("decorated", "decorated(1) == 1"),
        ("Cart.__init__", "Cart(2).n == 2"),
        ("Cart.total", "Cart(2).total == 4"),
        ("Cart.s", "Cart.s() == 5"),
        ("Cart.make", "Cart.make().n == 3"),
        ("Cart.Inner.go", "asyncio.run(Cart.Inner().go()) == 1"),
        ("gen", "list(gen(2)) == [0, 1]"),
        ("agen", "asyncio.run(first()) == 0"),
        ("double", "double(2) == 4"),
        ("multi", "multi(2) == 2"),
        ("tabs", "tabs() == 1"),
        ("globs", "globs() == 4"),
    ] {
        write(folder.path(), "honest.py", source);
        lines.push(format!("honest.py\tTrue\t\t{question}"));
        for (kind, how) in both() {
            let made = stub("shop.py", source, &[name.to_owned()], how).expect("parses");
            assert_eq!(made.functions, [name]);
            let token = if kind == "failing" { TOKEN } else { "" };
            let file = format!("{name}_{kind}.py");
            write(folder.path(), &file, &made.source);
            lines.push(format!("{file}\tFalse\t{token}\t{question}"));
        }
    }
    write(folder.path(), "questions", &lines.join("\n"));
    let output = run(folder.path(), "python3", &["-B", "-c", QUESTIONS]);
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn node_turns_red_for_each_replaced_function() {
    let source = include_str!("samples/shop.js.txt");
    for (name, question) in [
        ("add", "m.add(1, 2) === 3"),
        ("sub", "m.sub(2, 1) === 1"),
        ("mul", "m.mul(2, 1) === 2"),
    ] {
        let script = format!("const m = require('./shop.js'); if (!({question})) process.exit(1)");
        for (_, how) in both() {
            let made = stub("shop.js", source, &[name.to_owned()], how).expect("parses").source;
            turns_red("shop.js", source, &made, |folder| run(folder, "node", &["-e", &script]));
        }
    }
    for (_, how) in both() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("shop.js"), all_but("shop.js", source, &[], how)).expect("written");
        let output = run(folder.path(), "node", &["--check", "shop.js"]);
        assert!(output.status.success(), "{}", text(&output));
    }
}

#[test]
fn rustc_compiles_every_stub_and_its_tests_turn_red() {
    let source = include_str!("samples/shop.rs.txt");
    let folder = tempfile::tempdir().expect("a folder");
    for (kind, how) in both() {
        let beside = "mod own {\n    pub mod core {}\n}\n#[allow(unused_imports)]\nuse own::*;\n";
        let own_core = format!("{source}\nmod core {{}}\n");
        let foreign_core = format!("{source}\n{beside}");
        let not_of_2015 = |line: &&str| !["async", "Future", "Pin"].iter().any(|word| line.contains(word));
        let old: Vec<&str> = source.lines().filter(not_of_2015).collect();
        for (edition, source) in [
            ("2024", source),
            ("2024", &own_core),
            ("2024", &foreign_core),
            ("2015", &old.join("\n")),
        ] {
            let stubbed = all_but("src/lib.rs", source, &["never"], how);
            std::fs::write(folder.path().join("lib.rs"), stubbed).expect("written");
            let output = run(
                folder.path(),
                "rustc",
                &["--test", "--edition", edition, "lib.rs", "-o", kind],
            );
            assert!(output.status.success(), "{kind} of {edition}: {}", text(&output));
            let program = folder.path().join(kind);
            let output = run(folder.path(), program.to_str().expect("a path"), &["tests::adds"]);
            assert!(
                text(&output).contains("test tests::adds ... FAILED"),
                "{}",
                text(&output)
            );
        }
    }
}

#[test]
fn gofmt_reads_every_stub() {
    let source = include_str!("samples/shop.go.txt");
    let folder = tempfile::tempdir().expect("a folder");
    for (kind, how) in both() {
        std::fs::write(folder.path().join("shop.go"), all_but("shop.go", source, &[], how)).expect("written");
        let output = run(folder.path(), "gofmt", &["-e", "-l", "shop.go"]);
        assert!(output.status.success(), "{kind}: {}", text(&output));
    }
}

/// Every kind of result that a function of Go may have, and what is asked of it.
const RESULTS: &[(&str, &str)] = &[
    ("func F() string { return \"\" }", "F() == \"\""),
    ("type M map[string]error\nfunc F() M { return nil }", "len(F()) == 0"),
    ("func F() error { return nil }", "F() == nil"),
    ("func F() interface{} { return nil }", "F() == nil"),
    ("func F() []int { return nil }", "F() == nil"),
    ("func F() [2]byte { return [2]byte{} }", "F() == [2]byte{}"),
    ("func F() (n int) { return }", "F() == 0"),
    ("type T struct{ N *float64 }\nfunc F() *T { return nil }", "F() == nil"),
    ("func F() bool { return false }\nfunc G() bool { return F() }", "!G()"),
    (
        "func F() (int, error) { return 0, nil }",
        "func() bool { n, err := F(); return n == 0 || err != nil }()",
    ),
    (
        "func F() (_ int, ok bool) { return }",
        "func() bool { _, ok := F(); return !ok }()",
    ),
];

#[test]
fn go_turns_red_for_every_wrong_value() {
    for (functions, question) in RESULTS {
        let source = format!(
            "package main // The one.\nimport \"os\"\n{functions}\nfunc main() {{ if !({question}) {{ os.Exit(1) }} }}\n"
        );
        let made = all_but("shop.go", &source, &["main"], Stub::Mistaken);
        turns_red("shop.go", &source, &made, |folder| {
            run(folder, "go", &["run", "shop.go"])
        });
    }
}

#[test]
fn node_turns_red_for_every_wrong_value() {
    for (source, question) in [
        ("exports.f = () => undefined", "m.f() === undefined"),
        ("exports.f = function () { return null }", "m.f() === null"),
        ("class A { g() {} }\nexports.f = new A()", "m.f.g() === undefined"),
    ] {
        let script = format!("const m = require('./shop.js'); if (!({question})) process.exit(1)");
        let made = all_but("shop.js", source, &[], Stub::Mistaken);
        turns_red("shop.js", source, &made, |folder| run(folder, "node", &["-e", &script]));
    }
}

#[test]
fn python_turns_red_for_every_wrong_value() {
    let agen = "import asyncio\nasync def f():\n    for x in []:\n        yield x\nasync def all():\n    return [x async for x in f()]\n";
    for (source, question) in [
        ("def f():\n    return None\n", "f() is None"),
        ("def f():\n    yield from []\n", "list(f()) == []"),
        (agen, "asyncio.run(all()) == []"),
        ("def f():\n    def g():\n        yield 1\n    return []\n", "f() == []"),
        ("f = lambda: None\n", "f() is None"),
    ] {
        let script = format!("from shop import *\nraise SystemExit(not ({question}))");
        let made = all_but("shop.py", source, &["all"], Stub::Mistaken);
        turns_red("shop.py", source, &made, |folder| {
            run(folder, "python3", &["-B", "-c", &script])
        });
    }
}

#[test]
fn what_no_wrong_value_fits_is_left_alone() {
    for (path, source, name) in [
        (
            "a.py",
            "class A:\n    def __init__(self):\n        pass\n",
            "A.__init__",
        ),
        ("a.go", "package a\nfunc F() {}", "F"),
        ("a.rs", "fn f() -> u8 { 1 }", "f"),
        ("a.ts", "class A { set b(x: number) {} }", "A.b"),
    ] {
        let made = stub(path, source, &[name.to_owned()], Stub::Mistaken).expect("parses");
        assert_eq!((made.source.as_str(), made.functions.len()), (source, 0), "{path}");
    }
}

#[test]
fn the_runners_that_come_with_a_language_see_the_canary() {
    use trueup_core::kind::Runner;
    let python = "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\nif __name__ == '__main__':\n    unittest.main()\n";
    let node = "import { it } from 'node:test';\nit('a', () => {})";
    for (runner, file, source, argv) in [
        (
            Runner::Unittest,
            "test_a.py",
            python,
            &["python3", "-B", "-m", "unittest", "test_a"][..],
        ),
        (
            Runner::Unittest,
            "test_a.py",
            python,
            &["python3", "-B", "test_a.py"][..],
        ),
        (
            Runner::NodeTest,
            "a.test.mjs",
            node,
            &["node", "--test", "a.test.mjs"][..],
        ),
    ] {
        let canary = canary(runner, file, source, "ab12", Fault::of(runner)).expect("laid");
        let folder = tempfile::tempdir().expect("a folder");
        let (program, arguments) = argv.split_first().expect("a program");
        std::fs::write(folder.path().join(file), source).expect("written");
        assert!(run(folder.path(), program, arguments).status.success());
        std::fs::write(folder.path().join(&canary.path), &canary.source).expect("written");
        let output = run(folder.path(), program, arguments);
        assert!(
            !output.status.success() && text(&output).contains(&canary.name),
            "{}",
            text(&output)
        );
    }
}
