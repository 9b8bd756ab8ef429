//! A failing test with a random name, laid where a check looks for tests.

mod script;

use trueup_core::kind::Runner;

use super::Language;
use super::edit::{Edit, apply, ended, quoted};
use super::syntax::{Parsed, named};

/// A file with one failing test more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// The file; a new one in Go, the given one elsewhere.
    pub path: String,
    /// All that stands in the file then.
    pub source: String,
    /// What appears in the test's id or in what the runner prints.
    pub name: String,
}

/// A new failing test called after a random word, in the given file of tests
/// or beside it; nothing if the runner does not run tests of that language,
/// if the file does not parse, or if the word is more than letters and digits.
pub fn canary(runner: Runner, path: &str, source: &str, word: &str) -> Option<Canary> {
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let parsed = Parsed::read(path, source)?;
    let name = format!("trueup_canary_{word}");
    let laid = |source: String| Canary {
        path: path.to_owned(),
        source,
        name: name.clone(),
    };
    match (runner, parsed.language) {
        (Runner::Pytest, Language::Python) => python(&parsed, &function(&name)).map(laid),
        (Runner::Unittest, Language::Python) => python(&parsed, &class(&name, word)).map(laid),
        (
            Runner::Vitest | Runner::Jest | Runner::Mocha | Runner::NodeTest,
            Language::JavaScript | Language::TypeScript | Language::Tsx,
        ) => Some(laid(script::with_test(&parsed, runner, &name))),
        (Runner::CargoTest | Runner::Nextest, Language::Rust) => Some(laid(rust(path, source, &name))),
        (Runner::GoTest, Language::Go) => go(path, &parsed, word),
        _ => None,
    }
}

fn function(name: &str) -> String {
    let said = quoted(name);
    format!("def test_{name}():\n    raise AssertionError({said})\n")
}

fn class(name: &str, word: &str) -> String {
    let said = quoted(name);
    format!(
        "class TrueupCanary{word}(__import__(\"unittest\").TestCase):\n    def test_{name}(self):\n        raise AssertionError({said})\n"
    )
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

fn rust(path: &str, source: &str, name: &str) -> String {
    let test = format!("#[test]\nfn {name}() {{\n    panic!({});\n}}\n", quoted(name));
    let test = if is_integration(path) {
        test
    } else {
        let set_in = test.trim_end().replace('\n', "\n    ");
        format!("#[cfg(test)]\nmod {name} {{\n    {set_in}\n}}\n")
    };
    format!("{}\n{test}", ended(source))
}

/// Whether a file lies in a package's folder `tests`, where all is test.
fn is_integration(path: &str) -> bool {
    let folder = path.rsplit('/').skip(1).find(|part| matches!(*part, "tests" | "src"));
    folder == Some("tests")
}

/// A file of its own: a file of Go may end in nothing that disturbs it.
fn go(path: &str, parsed: &Parsed<'_>, word: &str) -> Option<Canary> {
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
    let said = quoted(&name);
    let folder = path
        .rsplit_once('/')
        .map_or(String::new(), |(folder, _)| format!("{folder}/"));
    Some(Canary {
        // Without an underscore before the word, which could be taken for a system's name.
        path: format!("{folder}trueupcanary{}_test.go", word.to_ascii_lowercase()),
        source: format!(
            "{conditions}{package}\n\nimport \"testing\"\n\nfunc {name}(t *testing.T) {{\n\tt.Fatal({said})\n}}\n"
        ),
        name,
    })
}
