//! Lines that reach for the runner instead of doing the work.
//!
//! Production code has no reason to know that it is being tested. A line that
//! names the runner, ends the process with success, or writes where reports
//! are read may still be honest: it is told, and a person decides. Only added
//! lines count, and a failure that is spelled out (`exit(1)`) is no suspicion,
//! because it can turn nothing green.

mod comparing;
mod counting;
mod disguised;
mod examples;
mod file_role;
mod harmless;
mod suspicion;
mod systems;

pub(super) use self::file_role::FileRole;
pub use self::suspicion::{Breach, Suspicion};

use self::suspicion::{Found, by_line};
use super::{
    catalogue::{Catalogue, Detector, Rule, Told, catalogue},
    paths, protected,
    source::{Family, Line, Look, lines},
};
use crate::code::{is_support_beside_code, is_test_path};
use std::collections::BTreeMap;

/// Added lines of a file that name the runner, end the process, or write
/// where reports are read; in tests, only those that change the runner itself.
pub fn suspicions(all: &Catalogue, path: &str, before: Option<&str>, after: &str) -> Vec<Suspicion> {
    let examples = examples::changed(path, before.unwrap_or_default(), after);
    let Some(family) = Family::of(path) else {
        return examples;
    };
    let role = role(path);
    let mut found = disguised::disguised(path, family, before.unwrap_or_default(), after);
    let lax = comparing::lax(path, family, before.unwrap_or_default(), after);
    let read = |text: &str| code(family, role, text);
    let (before, after) = (before.map(read).unwrap_or_default(), read(after));
    let added = added(&before, &after);
    let rules = all.lines(family, role);
    found.extend(broken(&rules, &before, &added));
    found.extend(always_equal(family, &added, &after));
    let heads = after.iter().filter(|line| lax.contains(&line.number));
    found.extend(heads.map(|line| told(line, Detector::BlindComparison)));
    found.extend(test_main(family, &before, &after));
    if role == FileRole::Production {
        found.extend(systems::built_for_one(path, before.first(), after.first()));
        let counts = counting::deciding(family, &added, &after);
        found.extend(counts.into_iter().map(|line| told(line, Detector::DecidesByCount)));
    }
    let mut lines = by_line(found);
    lines.extend(examples);
    lines.sort_by_key(|suspicion| suspicion.line);
    lines
}

fn role(path: &str) -> FileRole {
    let name = paths::name(path).to_ascii_lowercase();
    let is_protected = protected::whole(path).is_some();
    // What lies beside code can be called by users, whatever its name says.
    if !is_protected && is_support_beside_code(path) {
        return FileRole::Production;
    }
    if name.contains("setup") && (is_protected || is_test_path(path)) || name == "conftest.py" {
        FileRole::Setup
    } else if !is_protected && is_test_path(path) && !is_test(path) {
        FileRole::Shared
    } else if is_protected || is_test_path(path) {
        // A protected file is told as a whole; it has reason to name the runner.
        FileRole::Tests
    } else {
        FileRole::Production
    }
}

/// Whether a file is a test by its own name, wherever it lies.
fn is_test(path: &str) -> bool {
    let name = paths::name(path);
    is_test_path(name) || name.to_ascii_lowercase().contains("test")
}

/// The lines with code on them; in production code, without the tests beside it.
fn code(family: Family, role: FileRole, text: &str) -> Vec<Line> {
    let mut lines = lines(family, text);
    if family == Family::Rust && role == FileRole::Production {
        without_tests(&mut lines);
    }
    if family == Family::Python {
        without_entry(&mut lines);
    }
    lines.retain(|line| !line.text.trim().is_empty() || !line.comment.trim().is_empty());
    lines
}

/// Empties the modules of a Rust file that are compiled only for tests.
fn without_tests(lines: &mut [Line]) {
    let (mut marked, mut depth) = (false, 0_usize);
    for line in lines {
        let opened = line.code.matches('{').count();
        let closed = line.code.matches('}').count();
        let is_module = |code: &str| {
            let code = code.rsplit(']').next().unwrap_or_default().trim();
            code.starts_with("mod ") || code.starts_with("pub mod ") || code.starts_with("pub(crate) mod ")
        };
        let begins = marked || line.code.contains("#[cfg(test)]") || line.code.contains("#[cfg(all(test,");
        if depth > 0 || begins && is_module(&line.code) && opened > 0 {
            depth = (depth + opened).saturating_sub(closed);
            marked = false;
            line.code.clear();
            line.text.clear();
        } else {
            let is_attribute = line.code.trim().starts_with("#[") || line.code.trim().is_empty();
            marked = begins && is_attribute;
        }
    }
}

/// Empties the customary end of a Python program, `sys.exit(main())` right
/// under the guard that no import passes.
fn without_entry(lines: &mut [Line]) {
    let mut guarded = false;
    for line in lines.iter_mut().filter(|line| !line.text.trim().is_empty()) {
        if guarded && !line.is_outermost() && harmless::ENTRY.fits(line.code.trim()) {
            line.text.clear();
            line.code.clear();
        }
        guarded = line.is_outermost() && harmless::GUARD.fits(&line.text);
    }
}

/// Lines that were not there before, wherever they stood. A line that moved
/// out to the margin is new: there it runs when the file is loaded.
fn added<'a>(before: &'a [Line], after: &'a [Line]) -> Vec<&'a Line> {
    fn key(line: &Line) -> (&str, &str, bool) {
        (line.text.trim(), line.comment.trim(), line.is_outermost())
    }
    let mut old: BTreeMap<(&str, &str, bool), usize> = BTreeMap::new();
    for line in before {
        *old.entry(key(line)).or_default() += 1;
    }
    let mut is_new = |line: &'a Line| match old.get_mut(&key(line)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    };
    after.iter().filter(|line| is_new(line)).collect()
}

/// The rules that added lines break. A file that did such a thing before may
/// go on doing what it is for.
fn broken(rules: &[&Rule], before: &[Line], added: &[&Line]) -> Vec<Found> {
    let did = |rule: &&&Rule| before.iter().any(|line| breaks(rule, line));
    let goes_on: Vec<&Rule> = rules
        .iter()
        .filter(|rule| rule.told() == Told::First)
        .filter(did)
        .copied()
        .collect();
    let counts = |rule: &&&Rule| !goes_on.iter().any(|habit| habit.id == rule.id);
    let counting: Vec<&Rule> = rules.iter().filter(counts).copied().collect();
    let of_line = |line: &&Line| {
        let found = counting.iter().filter(|rule| breaks(rule, line));
        found
            .map(|rule| Found::of(line.number, shown(line), rule))
            .collect::<Vec<_>>()
    };
    added.iter().flat_map(of_line).collect()
}

/// Whether a line breaks a rule with what is not harmless in it. What is
/// harmless is known of the rules that come with the program: who wrote one of
/// their own means what it says.
fn breaks(rule: &Rule, line: &Line) -> bool {
    let harmless = |text: &str| {
        let patterns = harmless::HARMLESS.iter();
        patterns.fold(text.to_owned(), |text, pattern| pattern.without(&text))
    };
    let as_written = rule.is_broken_by(|look| line.part(look));
    let is_own = rule.file.is_some();
    as_written
        && (is_own || {
            let (code, text) = (harmless(&line.code), harmless(&line.text));
            rule.is_broken_by(|look| match look {
                Look::Code => code.as_str(),
                Look::Text => text.as_str(),
                Look::Comment => line.comment.as_str(),
            })
        })
}

/// What is shown of a line.
fn shown(line: &Line) -> &str {
    if line.text.trim().is_empty() {
        &line.comment
    } else {
        &line.text
    }
}

fn told(line: &Line, detector: Detector) -> Found {
    Found::of(line.number, shown(line), catalogue().detector(detector))
}

/// A comparison that says yes to everything.
fn always_equal(family: Family, added: &[&Line], after: &[Line]) -> Option<Found> {
    if family != Family::Python {
        return None;
    }
    let is_new = |line: &Line| added.iter().any(|new| new.number == line.number);
    let found = after.iter().enumerate().find(|(at, head)| {
        let body = after.get(at + 1);
        let below = body.map_or("", |body| body.code.trim());
        let both = format!("{} {below}", head.code.trim());
        let alone = harmless::ALWAYS_EQUAL.fits(head.code.trim()) && is_new(head);
        alone || harmless::ALWAYS_EQUAL.fits(&both) && (is_new(head) || body.is_some_and(is_new))
    });
    found.map(|(_, head)| told(head, Detector::AlwaysEqual))
}

/// A `TestMain` that is new or not what it was: it decides with which code a
/// package's tests end, whatever they saw.
fn test_main(family: Family, before: &[Line], after: &[Line]) -> Option<Found> {
    fn body(lines: &[Line]) -> Vec<&str> {
        let from = lines.iter().skip_while(|line| !is_head(line));
        let mut open = true;
        let inside = from.take_while(|line| std::mem::replace(&mut open, line.text.trim_end() != "}"));
        inside.map(|line| line.text.trim()).collect()
    }
    fn is_head(line: &Line) -> bool {
        line.code.trim_start().starts_with("func TestMain(")
    }
    if family != Family::Go {
        return None;
    }
    let head = after.iter().find(|line| is_head(line))?;
    let differs = body(before) != body(after);
    differs.then(|| told(head, Detector::TestMain))
}
