//! Failing tests with a random name, laid where a check looks for tests.

mod fault;
mod script;

pub use self::fault::Fault;

use trueup_core::kind::Runner;

use super::Language;
use super::edit::{Edit, apply, ended, quoted};
use super::syntax::{Parsed, named};

/// A file with failing tests more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// The file; a new one in Go, the given one elsewhere.
    pub path: String,
    /// All that stands in the file then.
    pub source: String,
    /// What appears in the tests' ids or in what the runner prints.
    pub name: String,
    /// The tests, by what appears in their ids, in the order of their faults.
    pub tests: Vec<String>,
}

/// New failing tests called after a random word, one for each fault, in the
/// given file of tests or beside it; nothing if the runner does not run tests
/// of that language, if the file does not parse, or if the word is more than
/// letters and digits.
pub fn canary(runner: Runner, path: &str, source: &str, word: &str, faults: &[Fault]) -> Option<Canary> {
    let (name, tests) = names(word, faults)?;
    let parsed = Parsed::read(path, source)?;
    let source = match (runner, parsed.language) {
        (Runner::Pytest, Language::Python) => python(&parsed, &functions(&tests))?,
        (Runner::Unittest, Language::Python) => python(&parsed, &class(&tests, word))?,
        (
            Runner::Vitest | Runner::Jest | Runner::Mocha | Runner::NodeTest,
            Language::JavaScript | Language::TypeScript | Language::Tsx,
        ) => script::with_tests(&parsed, runner, &tests),
        (Runner::CargoTest | Runner::Nextest, Language::Rust) => rust(path, source, &name, &tests),
        (Runner::GoTest, Language::Go) => return go(path, &parsed, word, faults),
        _ => return None,
    };
    Some(Canary {
        path: path.to_owned(),
        source,
        name,
        tests: tests.into_iter().map(|(_, name)| name).collect(),
    })
}

/// What appears in the ids of all tests that are called after a word, and what
/// each is called; nothing if the word is more than letters and digits.
fn names(word: &str, faults: &[Fault]) -> Option<(String, Vec<(Fault, String)>)> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let name = format!("trueup_canary_{word}");
    let named = |fault: &Fault| (*fault, format!("{name}_{}", fault.word().to_ascii_lowercase()));
    let tests = faults.iter().map(named).collect();
    Some((name, tests))
}

fn functions(tests: &[(Fault, String)]) -> String {
    let tests = tests.iter().map(|(fault, name)| {
        let said = quoted(name);
        let body = match fault {
            Fault::Unequal => format!("assert 1 == 2, {said}"),
            Fault::Unlike => format!("assert [1] == [2], {said}"),
            Fault::Thrown => format!("raise AssertionError({said})"),
        };
        format!("def test_{name}():\n    {body}\n")
    });
    tests.collect::<Vec<_>>().join("\n\n")
}

fn class(tests: &[(Fault, String)], word: &str) -> String {
    let tests = tests.iter().map(|(fault, name)| {
        let said = quoted(name);
        let body = match fault {
            Fault::Unequal => format!("self.assertEqual(1, 2, {said})"),
            Fault::Unlike => format!("self.assertEqual([1], [2], {said})"),
            Fault::Thrown => format!("raise AssertionError({said})"),
        };
        format!("    def test_{name}(self):\n        {body}\n")
    });
    let tests = tests.collect::<Vec<_>>().join("\n");
    format!("class TrueupCanary{word}(__import__(\"unittest\").TestCase):\n{tests}")
}

/// Put last, but before what runs the tests when the file is run itself.
fn python(parsed: &Parsed<'_>, test: &str) -> Option<String> {
    let main = named(parsed.root()).into_iter().find(|statement| {
        statement.kind() == "if_statement" && parsed.field(*statement, "condition").contains("__name__")
    });
    match main {
        Some(main) => {
            let edit = Edit::at(main.start_byte(), format!("{test}\n\n"));
            apply(parsed.source, vec![edit])
        }
        None => Some(format!("{}\n\n{test}", ended(parsed.source))),
    }
}

/// New failing examples in the documentation of Rust code, for checks that run
/// nothing else.
pub fn example_canary(path: &str, source: &str, word: &str, faults: &[Fault]) -> Option<Canary> {
    let (name, tests) = names(word, faults)?;
    if Parsed::read(path, source)?.language != Language::Rust {
        return None;
    }
    let written = tests.iter().map(|(fault, test)| {
        let body = rust_failure(*fault, test);
        format!("\n/// ```\n/// {body}\n/// ```\n#[allow(dead_code)]\nfn {test}() {{}}\n")
    });
    Some(Canary {
        path: path.to_owned(),
        source: ended(source) + &written.collect::<String>(),
        name,
        tests: tests.into_iter().map(|(_, name)| name).collect(),
    })
}

/// A statement that fails.
fn rust_failure(fault: Fault, name: &str) -> String {
    let said = quoted(name);
    match fault {
        Fault::Unequal => format!("assert_eq!(1, 2, {said});"),
        Fault::Unlike => format!("assert_eq!([1], [2], {said});"),
        Fault::Thrown => format!("panic!({said});"),
    }
}

fn rust(path: &str, source: &str, name: &str, tests: &[(Fault, String)]) -> String {
    let tests = tests.iter().map(|(fault, name)| {
        let body = rust_failure(*fault, name);
        format!("#[test]\nfn {name}() {{\n    {body}\n}}\n")
    });
    let tests = tests.collect::<Vec<_>>().join("\n");
    let tests = if is_integration(path) {
        tests
    } else {
        let set_in = tests.trim_end().replace('\n', "\n    ");
        format!("#[cfg(test)]\nmod {name} {{\n    {set_in}\n}}\n")
    };
    format!("{}\n{tests}", ended(source))
}

/// Whether a file lies in a package's folder `tests`, where all is test.
fn is_integration(path: &str) -> bool {
    let folder = path.rsplit('/').skip(1).find(|part| matches!(*part, "tests" | "src"));
    folder == Some("tests")
}

/// A file of its own: a file of Go may end in nothing that disturbs it.
fn go(path: &str, parsed: &Parsed<'_>, word: &str, faults: &[Fault]) -> Option<Canary> {
    let nodes = named(parsed.root());
    let clause = nodes.into_iter().find(|node| node.kind() == "package_clause")?;
    let package = parsed.text(clause);
    let before = parsed.source.get(..clause.start_byte())?;
    // The file is built under the conditions under which its neighbour is.
    let conditions: String = before
        .lines()
        .filter(|line| line.starts_with("//go:build") || line.starts_with("// +build"))
        .map(|line| format!("{line}\n"))
        .collect();
    let conditions = if conditions.is_empty() {
        conditions
    } else {
        conditions + "\n"
    };
    let (first, others) = word.split_at(1);
    let name = format!("TestTrueupCanary{}{others}", first.to_ascii_uppercase());
    let tests: Vec<String> = faults.iter().map(|fault| format!("{name}{}", fault.word())).collect();
    let written = faults.iter().zip(&tests).map(|(fault, test)| {
        let fails = match fault {
            Fault::Unequal | Fault::Unlike => "Error",
            Fault::Thrown => "Fatal",
        };
        let said = quoted(test);
        format!("\nfunc {test}(t *testing.T) {{\n\tt.{fails}({said})\n}}\n")
    });
    let written: String = written.collect();
    let folder = path
        .rsplit_once('/')
        .map_or(String::new(), |(folder, _)| format!("{folder}/"));
    Some(Canary {
        // Without an underscore before the word, which could be taken for a system's name.
        path: format!("{folder}trueupcanary{}_test.go", word.to_ascii_lowercase()),
        source: format!("{conditions}{package}\n\nimport \"testing\"\n{written}"),
        name,
        tests,
    })
}
