//! Counts that outlive a call and decide what the next one answers.
//!
//! The first calls of a process are those of tests. Code that keeps count from
//! call to call can answer them otherwise than all that come later. To count is
//! usual, and so are numbers that are given out; a count that stands in a
//! condition is asked about.

mod lasting;

use self::lasting::{GIVEN, LastingNames, says};
use crate::rules::{
    pattern::Pattern,
    source::{Family, Line},
};
use std::{collections::BTreeSet, sync::LazyLock};

/// How many lines below its reading a name stands for a count.
const NEAR: u32 = 12;

/// What goes on counting. The name that counts is in the first group; of a
/// count in brackets the bracket belongs to it.
static COUNTED: LazyLock<Pattern> = LazyLock::new(|| {
    let ways = [
        r"\bnext\(\s*([\w.]+)\s*\)",
        r"([\w.#]+\[)[^\]]*\]\s*(?:\+\+|--|[-+*]=)",
        r"([\w.#]+)(?:\+\+|--)",
        r"([\w.#]+)\s*(?:[-+*]=|<<=|>>=|\|=)",
        r"(?:\+\+|--)\s*\(?\*?([\w.#]+)",
        r"([\w.]+)\.(?:fetch_\w+|(?:increment|getAnd|addAnd|decrement|updateAnd|accumulateAnd)\w+|Add|__next__|next)\(",
        r"([\w.]+)\.(?:set|store|Store|replace|with|with_borrow_mut|update)\(.*\+",
        r"\b(?:atomic\.Add\w+|Interlocked\.\w+|__sync_\w+|__atomic_\w+|atomic_\w+)\(\s*(?:ref\s+|&)?([\w.]+)",
        r"([\w.]+)\.(?:append|appendleft|push|push_back|unshift|add|insert|put)\(",
        r"\b([\w.]+)\s*=\s*append\(",
    ];
    Pattern::new(&ways.join("|"))
});

/// What begins or joins a condition, compares, or chooses.
static ASKS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\b(?:if|elif|while|match|switch|case|when|unless|and|or|not|assert)\b|&&|\|\||[^-=<>][<>]=?[^-<>=]|[=!]=|[^?]\?[^.?:]|\bm(?:in|ax)\(|\.m(?:in|ax)\(|\.(?:saturating_sub|checked_sub|then|then_some|cmp|eq|lt|le|gt|ge)\(|\bbool\(|\s%\s",
    )
});

/// A condition of the preprocessor, which knows no variable.
static BUILT: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b"));

/// What is put into a collection.
static COLLECTED: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"\.(?:append|appendleft|push|push_back|unshift|add|insert|put)\(|=\s*append\("));

/// What takes out of a collection that became too large.
static TAKES_OUT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\.(?:pop\w*|clear|shift|splice|delete|remove\w*|discard|drain|truncate|evict\w*|retain)\b|\bdel\b|\bdelete\(|\bclear\(|\.length\s*=[^=]|=\s*\w+\[|=\s*(?:\[\s*\]|\{\s*\}|new\b)",
    )
});

/// An iterator that gives something else when it has run out.
static RUNS_OUT: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\bnext\(\s*([\w.]+)\s*,"));

/// The lines in which a count that outlives a call decides something, as far as
/// they, or what counts, were added.
pub(super) fn deciding<'l>(family: Family, added: &[&Line], after: &'l [Line]) -> Vec<&'l Line> {
    let lasting = LastingNames::of(family, after);
    if lasting.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let new: BTreeSet<u32> = added.iter().map(|line| line.number).collect();
    let inside: Vec<&Line> = after.iter().filter(|line| is_inside(family, line)).collect();
    let mut found = Vec::new();
    for line in &inside {
        for name in counted(&line.code)
            .into_iter()
            .filter(|name| lasting.counts(name, line))
        {
            let asking = asking(&name, line, &inside).into_iter();
            found.extend(asking.filter(|asking| new.contains(&asking.number) || new.contains(&line.number)));
        }
        let out = RUNS_OUT.names(&line.code);
        let runs_out = out.iter().any(|name| lasting.holds(name)) && new.contains(&line.number);
        found.extend(runs_out.then_some(*line));
    }
    found
}

/// Whether a line runs with a call, and not once when its file is loaded. What
/// counts in the head of a loop counts the loop.
fn is_inside(family: Family, line: &Line) -> bool {
    let is_loop = line.code.trim_start().starts_with("for");
    let in_one_line = family != Family::Python && line.code.contains(['{', '>']);
    !is_loop && (!line.is_outermost() || in_one_line)
}

/// The names that a line counts on.
fn counted(code: &str) -> BTreeSet<String> {
    let value = code.split_once('=').map_or("", |(_, value)| value);
    let goes_on = |name: &String| says(value, name) && value.contains(['+', '-', '*']);
    let again = GIVEN.names(code).into_iter().filter(goes_on);
    COUNTED.names(code).into_iter().chain(again).collect()
}

/// The lines that ask for a count, by its name or by one that a reading of it
/// was given shortly before.
fn asking<'l>(name: &str, counting: &Line, inside: &[&'l Line]) -> Vec<&'l Line> {
    let is_collected = COLLECTED.fits(&counting.code);
    let mut names = vec![(0, u32::MAX, name.to_owned())];
    // A reading may be given a second name before it is asked for.
    for _ in 0..2 {
        let given: Vec<_> = inside.iter().flat_map(|line| given(line, &names)).collect();
        names.extend(given.into_iter().filter(|_| !is_collected));
    }
    let asks = |at: usize, line: &Line| {
        let next = inside.get(at + 1).map_or("", |line| line.code.as_str());
        let takes_out = TAKES_OUT.fits(&line.code) || TAKES_OUT.fits(next);
        match is_collected {
            true => is_measured(&line.code, name) && !takes_out,
            false => reads(line, &names),
        }
    };
    let lines = inside.iter().enumerate();
    let asking = lines.filter(|(at, line)| asks(*at, line) && ASKS.fits(&line.code) && !BUILT.fits(&line.code));
    asking.map(|(_, line)| *line).collect()
}

/// A name, with the lines between which it stands for a count.
type Reading = (u32, u32, String);

fn reads(line: &Line, names: &[Reading]) -> bool {
    let reads = |(from, to, name): &Reading| (*from..=*to).contains(&line.number) && says(&line.code, name);
    names.iter().any(reads)
}

/// The names that a line gives to a count.
fn given(line: &Line, names: &[Reading]) -> Vec<Reading> {
    if !reads(line, names) {
        return Vec::new();
    }
    let is_known = |given: &String| names.iter().any(|(.., name)| name == given);
    let given = GIVEN.names(&line.code).into_iter().filter(|given| !is_known(given));
    let to = line.number.saturating_add(NEAR);
    given.map(|given| (line.number, to, given)).collect()
}

/// Whether a line asks how large a collection is.
fn is_measured(code: &str, name: &str) -> bool {
    let inside = format!("len({name})");
    let behind = [".length", ".size", ".len()", ".Count"].map(|size| format!("{name}{size}"));
    code.contains(&inside) || behind.iter().any(|size| code.contains(size.as_str()))
}
