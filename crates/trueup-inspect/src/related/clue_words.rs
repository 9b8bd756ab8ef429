//! The words of a failure: files that are named, identifiers, what is defined.

use regex::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]{2,60}").ok());
static FILE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"([\w.@+-]*(?:[/\\][\w.@+-]+)*\.[A-Za-z]\w{0,5})\b").ok());
static DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = "def|class|func|fn|function|const|let|var|struct|enum|trait|type|interface|mod|static|macro_rules!";
    Regex::new(&format!(r"(?m)\b(?:{words})\s*\*?\s+(?:\([^)\n]*\)\s*)?([A-Za-z_$][\w$]*)|^\s+(?:async |static |get |set )*([A-Za-z_$][\w$]*)\([^)\n]*\)[^;\n]*\{{$|^([A-Z_a-z]\w*)(?:: [^=\n]+)? = ")).ok()
});

/// ClueWords that stand in every test and every file of code.
const COMMON: &[&str] = &[
    "and",
    "any",
    "are",
    "args",
    "array",
    "assert",
    "assert_eq",
    "async",
    "await",
    "bool",
    "break",
    "case",
    "class",
    "const",
    "def",
    "default",
    "describe",
    "else",
    "enum",
    "equal",
    "err",
    "error",
    "errorf",
    "except",
    "expect",
    "expected",
    "export",
    "failed",
    "false",
    "fatalf",
    "float",
    "fmt",
    "for",
    "from",
    "func",
    "function",
    "got",
    "has",
    "if",
    "impl",
    "import",
    "int",
    "into",
    "is",
    "it",
    "len",
    "let",
    "list",
    "mod",
    "name",
    "new",
    "nil",
    "none",
    "not",
    "null",
    "object",
    "package",
    "pass",
    "print",
    "pub",
    "pytest",
    "raise",
    "raises",
    "range",
    "require",
    "result",
    "return",
    "run",
    "self",
    "should",
    "some",
    "str",
    "string",
    "struct",
    "super",
    "test",
    "testing",
    "tests",
    "the",
    "then",
    "this",
    "throw",
    "tobe",
    "toequal",
    "true",
    "try",
    "type",
    "undefined",
    "unwrap",
    "use",
    "value",
    "var",
    "vec",
    "vitest",
    "want",
    "was",
    "when",
    "where",
    "while",
    "with",
    "yield",
];

/// The most words that are kept.
const MOST: usize = 4_000;

/// The words of a failure, each with how often it stands there.
pub(super) struct ClueWords(BTreeMap<String, u32>);

impl ClueWords {
    pub(super) fn holds(&self, word: &str) -> bool {
        self.0.contains_key(word)
    }

    /// How much a word says: one that is made of several says more.
    pub(super) fn weight(&self, word: &str) -> f64 {
        let times = f64::from(self.0.get(word).copied().unwrap_or_default().min(5));
        let humps = word
            .chars()
            .skip(1)
            .filter(|letter| letter.is_uppercase() || *letter == '_')
            .count();
        times.sqrt() * if humps > 0 { 2.0 } else { 1.0 }
    }

    /// Those that stand in a text.
    pub(super) fn within<'t>(&self, text: &'t str) -> BTreeSet<&'t str> {
        let found = WORD.iter().flat_map(|word| word.find_iter(text));
        found
            .map(|word| word.as_str())
            .filter(|word| self.holds(word))
            .collect()
    }
}

/// The words of a text. A name of a test also tells the words it consists of.
pub(super) fn words(text: &str) -> ClueWords {
    let mut all: BTreeMap<String, u32> = BTreeMap::new();
    for found in WORD.iter().flat_map(|word| word.find_iter(text)) {
        let word = found.as_str();
        let of_test = word
            .strip_prefix("test_")
            .or_else(|| word.strip_prefix("Test"))
            .filter(|rest| rest.len() > 2);
        for word in [Some(word), of_test].into_iter().flatten() {
            let is_common = COMMON.binary_search(&word.to_lowercase().as_str()).is_ok();
            if !is_common && (all.len() < MOST || all.contains_key(word)) {
                *all.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    ClueWords(all)
}

/// What a text defines, as far as its lines tell.
pub(super) fn defined(text: &str) -> BTreeSet<&str> {
    let found = DEFINED.iter().flat_map(|form| form.captures_iter(text));
    found
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|name| name.as_str()))
        .collect()
}

/// The files of a tree that a text names, by their whole path or their name,
/// in the order of the text.
pub(super) fn named_files<'a>(text: &str, paths: &'a [String]) -> Vec<&'a str> {
    let mut by_name: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for path in paths {
        by_name
            .entry(path.rsplit('/').next().unwrap_or(path))
            .or_default()
            .push(path);
    }
    let mut found = Vec::new();
    for spelled in captured(FILE.as_ref(), text) {
        let spelled = spelled.replace('\\', "/");
        let name = spelled.rsplit('/').next().unwrap_or(&spelled);
        let same = by_name.get(name).map(Vec::as_slice).unwrap_or_default();
        // The one whose folders are spelled as well is meant, or all of that name.
        let is_spelled = |path: &&&str| {
            spelled.ends_with(**path) || path.ends_with(&format!("/{}", spelled.trim_start_matches("./")))
        };
        let meant: Vec<&&str> = same.iter().filter(is_spelled).collect();
        let meant: Vec<&str> = if meant.is_empty() {
            same.to_vec()
        } else {
            meant.into_iter().copied().collect()
        };
        for path in meant {
            if !found.contains(&path) && found.len() < 100 {
                found.push(path);
            }
        }
    }
    found
}

/// What the first group that fits holds, wherever an expression fits.
pub(super) fn captured(form: Option<&Regex>, text: &str) -> Vec<String> {
    let found = form.into_iter().flat_map(|form| form.captures_iter(text));
    let first = found.filter_map(|found| {
        found
            .iter()
            .skip(1)
            .flatten()
            .next()
            .map(|name| name.as_str().to_owned())
    });
    first.take(10_000).collect()
}

#[cfg(test)]
mod tests {
    use super::{COMMON, DEFINED, FILE, WORD, defined};

    #[test]
    fn every_expression_is_one_and_the_words_are_in_order() {
        assert!(WORD.is_some() && FILE.is_some() && DEFINED.is_some());
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn what_is_defined_is_found_in_every_language() {
        let text = "class Cart:\n    def total(self):\nfunc (c *Cart) Sum() int {\npub fn add() {}\nexport const sub = 1\n  method(a) {\nLIMIT = 3\n";
        let found = defined(text);
        for name in ["Cart", "total", "Sum", "add", "sub", "method", "LIMIT"] {
            assert!(found.contains(name), "{name}");
        }
    }
}
