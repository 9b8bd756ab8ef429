//! Names that outlive a call.

use crate::rules::{
    pattern::Pattern,
    source::{Family, Line},
};
use std::{collections::BTreeSet, sync::LazyLock};

/// Where a language declares what outlives a call.
static DECLARED: LazyLock<[(Family, Pattern); 6]> = LazyLock::new(|| {
    [
        (
            Family::Python,
            r"^(\w+)\s*(?::[^=]+)?=[^=]|^\s*(?:async\s+)?def\s.*[(,]\s*(\w+)\s*(?::[^=,]+)?=\s*(?:\[|\{|itertools|count\(|iter\()",
        ),
        (
            Family::Script,
            r"^(?:export\s+)?(?:let|var|const)\s+(\w+)|^\s+(?:private\s+|public\s+)?static\s+(#?\w+)",
        ),
        (Family::Rust, r"\bstatic\s+(?:ref\s+|mut\s+)?(\w+)\s*:"),
        (Family::Go, r"^var\s+(\w+)"),
        (
            Family::Java,
            r"\bstatic\b[^(=;]*\b(\w+)\s*[=;]|^(?:(?:private|internal|public)\s+)?va[lr]\s+(\w+)",
        ),
        (
            Family::Native,
            r"\b(?:static|thread_local|_Thread_local)\b[^(=;]*\b(\w+)\s*(?:\[[^\]]*\]\s*)?[=;\{]|^(?:volatile\s+)?(?:(?:unsigned|signed|long|short)\s+)*(?:int|long|size_t|char|u?int\d+_t|unsigned|bool|double|std::\w+(?:<\w+>)?)\s+(\w+)\s*(?:=[^=]|;|\{)",
        ),
    ]
    .map(|(family, expression)| (family, Pattern::new(expression)))
});

/// Where C and C++ declare what keeps its value. What a pointer among these words
/// leads to may be changed.
static CONSTANT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\b(?:static|thread_local)\s[^(=;{},*&]*\bconst(?:expr)?\s[^(=;{},*&]*\b(\w+)\s*(?:\[[^\]]*\]\s*)?[=;{]|\bconst(?:expr)?\s+static\s[^(=;{},*&]*\b(\w+)\s*(?:\[[^\]]*\]\s*)?[=;{]",
    )
});

/// What can have a count of its own, by another name behind a dot.
static OWNERS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function\*?|object)\s+(\w+)|^\s*(?:public\s+|final\s+|abstract\s+|static\s+)*class\s+(\w+)",
    )
});

/// What a function of Python takes from the whole file.
static GLOBAL: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s+global\s+(\w+)|^\s+global\s+\w+\s*,\s*(\w+)"));

/// A line of a block of Go's, in which one name is declared.
static IN_BLOCK: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s(\w+)\b"));

/// A count by its bare name, for which Python must be told whose it is.
static BARE: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s*(\w+)\s*(?:[-+*]|<<|>>|\|)?=[^=]"));

/// A name that is given something.
pub(super) static GIVEN: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"\b(\w+)\s*(?::[^=]+)?:?=[^=]|\|\s*&?(?:mut\s+)?(\w+)\s*\|"));

/// Whether a name stands in a line as a whole word.
pub(super) fn says(code: &str, name: &str) -> bool {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code.get(..at).and_then(|text| text.chars().next_back());
        let after = code.get(at + name.len()..).and_then(|text| text.chars().next());
        let begins = !before.is_some_and(|letter| is_of_word(letter) || letter == '.');
        begins && (name.ends_with('[') || !after.is_some_and(is_of_word))
    })
}

/// The names of a file that outlive a call.
pub(super) struct LastingNames {
    family: Family,
    names: BTreeSet<String>,
    /// Those of C and C++ that no declaration lets change.
    constants: BTreeSet<String>,
    owners: BTreeSet<String>,
    global: BTreeSet<String>,
}

impl LastingNames {
    /// Those that a file declares.
    pub(super) fn of(family: Family, lines: &[Line]) -> Self {
        let pattern = DECLARED.iter().find(|(of, _)| *of == family);
        let all = |pattern: &Pattern| -> BTreeSet<String> {
            lines.iter().flat_map(|line| pattern.names(&line.code)).collect()
        };
        let mut names = pattern.map(|(_, pattern)| all(pattern)).unwrap_or_default();
        let constants = match (family, pattern) {
            (Family::Native, Some((_, pattern))) => constants(pattern, lines),
            (Family::Python | Family::Script | Family::Rust | Family::Go | Family::Java | Family::Native, _) => {
                BTreeSet::new()
            }
        };
        match family {
            Family::Go => names.extend(in_blocks(lines)),
            Family::Rust => names.extend(borrowed(lines, &names)),
            Family::Python | Family::Script | Family::Java | Family::Native => {}
        }
        let global = match family {
            Family::Python => all(&GLOBAL),
            Family::Script | Family::Rust | Family::Go | Family::Java | Family::Native => BTreeSet::new(),
        };
        Self {
            family,
            names,
            constants,
            owners: all(&OWNERS),
            global,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.owners.is_empty()
    }

    /// Whether a name is one of them, or stands behind a dot of one.
    pub(super) fn holds(&self, name: &str) -> bool {
        let name = name.trim_end_matches('[');
        match name.split_once('.') {
            Some((first, _)) => {
                self.names.contains(first) || self.owners.contains(first) || matches!(first, "cls" | "Self")
            }
            None => self.names.contains(name) || self.global.contains(name),
        }
    }

    /// Whether a line that counts on a name counts on one of them: what a
    /// function of Python gives a value to is its own, unless it says otherwise.
    pub(super) fn counts(&self, name: &str, line: &Line) -> bool {
        let is_own = self.family == Family::Python
            && BARE.names(&line.code).iter().any(|bare| bare == name)
            && !self.global.contains(name);
        let is_constant = self.constants.contains(name) && is_bare(&line.code, name);
        self.holds(name) && !is_own && !is_constant
    }
}

/// The names that are declared as constants, and nowhere otherwise.
fn constants(declared: &Pattern, lines: &[Line]) -> BTreeSet<String> {
    let mut constants = BTreeSet::new();
    let mut others = BTreeSet::new();
    for line in lines {
        let mut kept = CONSTANT.names(&line.code);
        for name in declared.names(&line.code) {
            match kept.iter().position(|one| *one == name) {
                Some(at) => constants.insert(kept.swap_remove(at)),
                None => others.insert(name),
            };
        }
    }
    constants.difference(&others).cloned().collect()
}

/// Whether a line changes a name itself, and nothing that it leads to: a
/// constant may hold the place of a count.
fn is_bare(code: &str, name: &str) -> bool {
    code.match_indices(name).all(|(at, _)| {
        let before = code.get(..at).unwrap_or_default();
        let before = before.trim_end_matches(['(', ' ']);
        let after = code.get(at + name.len()..).unwrap_or_default();
        let after = after.trim_start_matches([')', ' ']);
        !before.ends_with('*') && !after.starts_with(['.', '[']) && !after.starts_with("->")
    })
}

/// The names under which Rust's are borrowed or locked to be counted on.
fn borrowed(lines: &[Line], names: &BTreeSet<String>) -> Vec<String> {
    let borrows = |line: &&Line| names.iter().any(|name| says(&line.code, name));
    let given = lines
        .iter()
        .filter(|line| line.code.contains(['(', '|']))
        .filter(borrows);
    given.flat_map(|line| GIVEN.names(&line.code)).collect()
}

/// The names that Go declares in brackets.
fn in_blocks(lines: &[Line]) -> Vec<String> {
    let mut open = false;
    let mut names = Vec::new();
    for line in lines {
        let code = line.code.trim_end();
        if line.is_outermost() {
            open = code.starts_with("var") && code.ends_with('(');
        } else if open {
            names.extend(IN_BLOCK.names(code));
        }
    }
    names
}
