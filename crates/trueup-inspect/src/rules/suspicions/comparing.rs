//! Functions that compare, and never look at the other side.
//!
//! What equals everything satisfies every assertion. Such a function is found by
//! what it lacks: the other side has no name in its body, or all that its body
//! says is yes.

use crate::{
    code::{self, Item},
    rules::source::{Family, Look, lines},
};

/// The names under which a language calls a function that compares.
const fn comparing(family: Family) -> &'static [&'static str] {
    match family {
        Family::Python => &[
            "__eq__",
            "__ne__",
            "__lt__",
            "__le__",
            "__gt__",
            "__ge__",
            "__contains__",
        ],
        Family::Script => &["equals", "isEqual", "equal", "eq", "asymmetricMatch", "compareTo"],
        Family::Rust => &["eq", "ne", "cmp", "partial_cmp", "lt", "le", "gt", "ge"],
        Family::Go => &["Equal", "Equals", "Is", "Compare", "Cmp"],
        Family::Java | Family::Native => &[],
    }
}

/// Words that say that comparing is somebody else's work, or fails.
const LEFT_OPEN: [&str; 7] = [
    "NotImplemented",
    "NotImplementedError",
    "raise",
    "throw",
    "unimplemented",
    "todo",
    "panic",
];

/// The lines of functions that compare without a look at the other side, as far
/// as they are not as they were.
pub(super) fn lax(path: &str, family: Family, before: &str, after: &str) -> Vec<u32> {
    if !comparing(family).iter().any(|name| after.contains(name)) {
        return Vec::new();
    }
    let old = code::items(path, before).unwrap_or_default();
    let is_old = |item: &Item| {
        let same = |old: &&Item| old.name == item.name && text_of(before, old) == text_of(after, item);
        old.iter().any(|old| same(&old))
    };
    let items = code::items(path, after).unwrap_or_default();
    let found = items.iter().filter(|item| !is_old(item));
    found.filter_map(|item| looked(family, after, item)).collect()
}

fn text_of<'t>(text: &'t str, item: &Item) -> &'t str {
    text.get(item.span.clone()).unwrap_or_default()
}

/// The line of a function that compares without looking.
fn looked(family: Family, text: &str, item: &Item) -> Option<u32> {
    let name = item.name.rsplit(['.', ':']).next()?;
    if !comparing(family).contains(&name) {
        return None;
    }
    let head = text.get(item.span.start..item.body.start)?;
    let at = head.rfind(&format!("{name}(")).or_else(|| head.rfind(name))?;
    let other = other(family, head.get(at + name.len()..)?)?;
    let body = plain(family, text.get(item.body.clone())?);
    let mut words = body.split(|letter: char| !is_of_word(letter));
    let is_open = words.any(|word| LEFT_OPEN.contains(&word)) || matches!(body.trim(), "" | "..." | "pass");
    if is_open || looks(&body, &other) {
        return None;
    }
    let before = text.get(..item.span.start + at)?;
    u32::try_from(before.matches('\n').count() + 1).ok()
}

const fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// The names of the last parameter, which is the other side; nothing where
/// there is none.
fn other(family: Family, head: &str) -> Option<Vec<String>> {
    let from = head.find('(')?;
    let list = enclosed(head.get(from..)?)?;
    let mut parameters = split(list);
    parameters.retain(|one| !one.trim().is_empty());
    let last = parameters.last()?.trim();
    let is_self = |word: &str| matches!(word, "self" | "this" | "cls");
    let pattern = match family {
        Family::Go => last.split_whitespace().next().unwrap_or_default(),
        Family::Python | Family::Script | Family::Rust | Family::Java | Family::Native => split_at_type(last),
    };
    let words = pattern.split(|letter: char| !is_of_word(letter));
    let names: Vec<String> = words
        .filter(|word| !word.is_empty() && !matches!(*word, "mut" | "ref" | "readonly" | "public"))
        .map(str::to_owned)
        .collect();
    let alone = names.iter().any(|name| is_self(name));
    (!names.is_empty() && !alone).then_some(names)
}

/// A parameter without its type and its default.
fn split_at_type(parameter: &str) -> &str {
    // In braces a colon gives a field another name.
    if parameter.starts_with(['{', '[']) {
        return parameter;
    }
    parameter.split([':', '=', '?']).next().unwrap_or(parameter)
}

/// What stands between the first bracket of a text and the one that closes it.
fn enclosed(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(1..at);
        }
    }
    None
}

/// The parts of a list between its own commas.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(move |letter: char| {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.collect()
}

/// A body without comments and without what strings hold.
fn plain(family: Family, body: &str) -> String {
    let lines = lines(family, body);
    let code: Vec<&str> = lines.iter().map(|line| line.part(Look::Code).trim()).collect();
    code.join("\n")
}

/// Whether a body looks at the other side: one of its names occurs, and not
/// only to be thrown away.
fn looks(body: &str, other: &[String]) -> bool {
    let statements = body.split([';', '{', '}', '\n']);
    let is_thrown = |statement: &str| {
        let statement = statement.trim();
        let rest = ["let _ =", "_ =", "void ", "del "]
            .into_iter()
            .find_map(|head| statement.strip_prefix(head));
        rest.is_some_and(|rest| {
            rest.trim()
                .trim_start_matches(['&', '('])
                .chars()
                .all(|letter| is_of_word(letter) || letter == ')')
        })
    };
    let kept = statements.filter(|statement| !is_thrown(statement));
    let mut words = kept.flat_map(|statement| statement.split(|letter: char| !is_of_word(letter)));
    words.any(|word| other.iter().any(|name| name == word && name != "_"))
}
