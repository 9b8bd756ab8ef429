//! Examples in documentation that are run as tests.
//!
//! An example of the base says what was promised, as a test does, and stands in
//! a file of code, where no control lays it over the work again. So what is
//! changed in one is asked about; new ones are not. One that goes with what it
//! documents was moved or is missed by its name, as every test is. Python's are
//! run only where somebody calls a program for them; Rust's always are.

use super::suspicion::{Breach, Suspicion, shown};
use crate::rules::{
    catalogue::{Detector, catalogue},
    paths::fits,
    pattern::Pattern,
    readers::EXAMPLES,
    source::{Family, lines},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

/// A part of an example that has to stay as a whole.
#[derive(Debug)]
struct Part {
    /// Where it begins, from 1.
    line: u32,
    /// What it says, without what may differ.
    says: String,
    /// What it documents; empty for a whole file.
    of: String,
}

/// How an example is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// `>>>`, and below what it prints.
    Prompts,
    /// Blocks of code in comments that document.
    Blocks,
}

/// What Python's examples and its pages document.
static DEFINED: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)"));

/// What Rust's examples document.
static ITEM: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"\b(?:fn|struct|enum|union|trait|mod|const|static|type|macro_rules!)\s+(\w+)|^\s*impl\b(.*)\{")
});

/// What is new in an example and can change what the rest of it does.
static TURNS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^(?:if|else|while|loop|match|return|fn|mod|macro_rules!|impl|struct|enum|trait|const|static|unsafe|/\*|#!?\[|\}|std::process|panic!|unimplemented!|todo!)|\buse\b.*\bas\b|^\w*::?exit\(",
    )
});

/// What an example gives a meaning.
static BINDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"^>>> (?:async )?(?:def|class) (\w+)|^>>> (\w+)\s*=[^=]|^>>> .*\bimport\b.*\b(\w+)\s*$")
});

/// Examples of the base that are no longer what they were, and what was put
/// before them so that they mean something else.
pub(super) fn changed(path: &str, before: &str, after: &str) -> Vec<Suspicion> {
    let pages = ["*.md", "*.rst", "*.txt"];
    let spelling = match Family::of(path) {
        Some(Family::Python) => Spelling::Prompts,
        Some(Family::Rust) => Spelling::Blocks,
        None if pages.iter().any(|page| fits(path, page)) => Spelling::Prompts,
        Some(_) | None => return Vec::new(),
    };
    let has = match spelling {
        Spelling::Prompts => ">>>",
        Spelling::Blocks => "```",
    };
    if !before.contains(has) {
        return Vec::new();
    }
    let read = |text: &str| match spelling {
        Spelling::Prompts => prompts(text),
        Spelling::Blocks => blocks(text),
    };
    let (old, new) = (read(before), read(after));
    let documented = documented(spelling, after);
    let mut found = gone(&old, &new, &documented);
    found.extend(turned(spelling, &old, &new));
    let readers = match spelling {
        Spelling::Prompts => Some(EXAMPLES),
        Spelling::Blocks => None,
    };
    found.iter_mut().for_each(|one| one.readers = readers);
    found
}

/// Parts of the base that are nowhere in the file.
fn gone(old: &[Part], new: &[Part], documented: &BTreeMap<String, u32>) -> Vec<Suspicion> {
    let mut left = counted(new);
    let mut found = Vec::new();
    for part in old {
        let stands = left.get_mut(part.says.as_str()).filter(|left| **left > 0);
        let line = documented.get(&part.of);
        match (stands, line) {
            (Some(left), _) => *left -= 1,
            (None, Some(_)) if is_frame(part) => {}
            (None, Some(line)) => found.push(told(*line, part, "was changed or taken out")),
            (None, None) => {}
        }
    }
    found
}

/// Whether a part is only the frame of an example, which stands for itself
/// where it is not written. Without one of its two ends nothing compiles.
fn is_frame(part: &Part) -> bool {
    matches!(code_of(&part.says), "fn main() {" | "}")
}

fn counted(parts: &[Part]) -> BTreeMap<&str, usize> {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for part in parts {
        *all.entry(part.says.as_str()).or_default() += 1;
    }
    all
}

/// New parts above old ones of the same example, after which these can mean
/// something else.
fn turned(spelling: Spelling, old: &[Part], new: &[Part]) -> Vec<Suspicion> {
    let known: BTreeSet<(&str, &str)> = old.iter().map(|part| (part.of.as_str(), part.says.as_str())).collect();
    let is_old = |part: &Part| known.contains(&(part.of.as_str(), part.says.as_str()));
    let turns = |at: usize, part: &Part| {
        let mut below = new
            .iter()
            .skip(at + 1)
            .filter(|below| below.of == part.of && is_old(below));
        match spelling {
            Spelling::Blocks => {
                let around = new.iter().any(|other| other.of == part.of && is_old(other));
                around && TURNS.fits(code_of(&part.says))
            }
            Spelling::Prompts => {
                let bound = BINDS.names(&part.says);
                below.any(|below| bound.iter().any(|name| has_word(&below.says, name)))
            }
        }
    };
    let added = new.iter().enumerate().filter(|(_, part)| !is_old(part));
    let found = added.filter(|(at, part)| turns(*at, part));
    found
        .map(|(_, part)| told(part.line, part, "stands above others, and can change what they mean"))
        .collect()
}

/// A line of a block without what says how the block is run.
fn code_of(says: &str) -> &str {
    says.split_once(": ").map_or(says, |(_, code)| code)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .any(|other| other == word)
}

fn told(line: u32, part: &Part, done: &str) -> Suspicion {
    let shown = shown(code_of(part.says.lines().next().unwrap_or_default()));
    let rule = catalogue().detector(Detector::ChangedExample);
    let what = format!("`{shown}` {}, and {done}", rule.message);
    let rule = rule.broken();
    Suspicion {
        line,
        breaks: vec![Breach { rule, what }],
        readers: None,
    }
}

/// Where the things of a file stand that examples can document.
fn documented(spelling: Spelling, text: &str) -> BTreeMap<String, u32> {
    let pattern = match spelling {
        Spelling::Prompts => &*DEFINED,
        Spelling::Blocks => &*ITEM,
    };
    let mut found = BTreeMap::from([(String::new(), 1)]);
    for (line, number) in text.lines().zip(1..) {
        for name in pattern.names(line) {
            found.entry(name.trim().to_owned()).or_insert(number);
        }
    }
    found
}

/// Examples with prompts: each with the lines that go on with it and those that
/// it prints.
fn prompts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut of, mut open) = (String::new(), false);
    for (line, number) in text.lines().zip(1..) {
        let trimmed = line.trim();
        let ends =
            trimmed.is_empty() || trimmed.starts_with("\"\"\"") || trimmed.starts_with("'''") || trimmed == "```";
        if let Some(name) = DEFINED.names(line).pop() {
            of = name;
            open = false;
        } else if trimmed.starts_with(">>>") {
            open = true;
            parts.push(Part {
                line: number,
                says: trimmed.to_owned(),
                of: of.clone(),
            });
        } else if ends {
            open = false;
        } else if let Some(part) = parts.last_mut().filter(|_| open) {
            part.says.push('\n');
            part.says.push_str(trimmed.trim_end_matches("\"\"\""));
        }
    }
    parts
}

/// The lines of the blocks that are run, each with how its block is.
fn blocks(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut open: Option<Option<String>> = None;
    // Parts of which it is not yet known what they document.
    let mut from = 0;
    for line in lines(Family::Rust, text) {
        let comment = line.comment.trim();
        let inner = comment.strip_prefix("//!");
        let Some(words) = inner.or_else(|| comment.strip_prefix("///")).map(str::trim) else {
            open = None;
            if let Some(name) = ITEM.names(&line.code).into_iter().next() {
                parts
                    .iter_mut()
                    .skip(from)
                    .for_each(|part| name.trim().clone_into(&mut part.of));
                from = parts.len();
            }
            continue;
        };
        if let Some(rest) = words.strip_prefix("```") {
            open = match open {
                Some(_) => None,
                None => Some(way(rest)),
            };
        } else if let Some(Some(way)) = &open {
            let code = words.strip_prefix("# ").unwrap_or(words).trim();
            if !code.is_empty() && !code.starts_with("//") {
                parts.push(Part {
                    line: line.number,
                    says: format!("{way}: {code}"),
                    of: String::new(),
                });
            }
        }
        if inner.is_some() {
            from = parts.len();
        }
    }
    parts
}

/// How a block is run, by what stands behind its opening; nothing for one that
/// is not.
fn way(rest: &str) -> Option<String> {
    let words = rest.split([',', ' ']).map(|word| word.trim_matches(['{', '}', '.']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_run = |word: &&str| *word == "rust" || *word == "should_panic" || word.starts_with("edition");
    let is_all = words.iter().all(is_run);
    let is_panicking = words.contains(&"should_panic");
    is_all.then(|| if is_panicking { "panics" } else { "runs" }.to_owned())
}
