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
mod suspicion;
mod systems;
mod table;

pub use self::suspicion::Suspicion;

use self::{file_role::FileRole, suspicion::SHOWN};
use super::{
    paths, protected,
    source::{Family, Line, Look, lines},
};
use crate::code::is_support_beside_code;
use std::collections::BTreeMap;

/// Added lines of a file that name the runner, end the process, or write
/// where reports are read; in tests, only those that change the runner itself.
pub fn suspicions(path: &str, before: Option<&str>, after: &str) -> Vec<Suspicion> {
    let examples = examples::changed(path, before.unwrap_or_default(), after);
    let Some(family) = Family::of(path) else {
        return examples;
    };
    let role = role(path);
    let disguised = disguised::disguised(path, family, before.unwrap_or_default(), after);
    let lax = comparing::lax(path, family, before.unwrap_or_default(), after);
    let read = |text: &str| code(family, role, text);
    let (before, after) = (before.map(read).unwrap_or_default(), read(after));
    let added = added(&before, &after);
    // A file that looked at its callers before goes on doing what it is for.
    let about_callers = |line: &Line| found_in(family, role, line, |what| what == table::STACK).is_some();
    let was_about_callers = before.iter().any(about_callers);
    let counts = |what: &str| !was_about_callers || what != table::STACK;
    let judged = |line: &&Line| found_in(family, role, line, counts).map(|what| told(line, what));
    let mut found: Vec<Suspicion> = added.iter().filter_map(judged).collect();
    found.extend(always_equal(family, &added, &after));
    let heads = after.iter().filter(|line| lax.contains(&line.number));
    found.extend(heads.map(|line| told(line, "compares without a look at the other side")));
    found.extend(test_main(family, &before, &after));
    found.extend(disguised);
    if role == FileRole::Production {
        found.extend(systems::built_for_one(path, before.first(), after.first()));
        let counts = counting::deciding(family, &added, &after);
        found.extend(counts.into_iter().map(|line| told(line, table::COUNTS)));
    }
    found.sort_by_key(|suspicion| suspicion.line);
    found.dedup_by_key(|suspicion| suspicion.line);
    found.extend(examples);
    found.sort_by_key(|suspicion| suspicion.line);
    found
}

fn role(path: &str) -> FileRole {
    let name = paths::name(path).to_ascii_lowercase();
    let is_protected = protected::whole(path).is_some();
    // What lies beside code can be called by users, whatever its name says.
    if !is_protected && is_support_beside_code(path) {
        return FileRole::Production;
    }
    if name.contains("setup") && (is_protected || paths::holds_tests(path)) || name == "conftest.py" {
        FileRole::Setup
    } else if !is_protected && paths::holds_tests(path) && !is_test(path) {
        FileRole::Shared
    } else if is_protected || paths::holds_tests(path) {
        // A protected file is told as a whole; it has reason to name the runner.
        FileRole::Tests
    } else {
        FileRole::Production
    }
}

/// Whether a file is a test by its own name, wherever it lies.
fn is_test(path: &str) -> bool {
    let name = paths::name(path);
    paths::holds_tests(name) || name.to_ascii_lowercase().contains("test")
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
        if guarded && !line.is_outermost() && table::ENTRY.fits(line.code.trim()) {
            line.text.clear();
            line.code.clear();
        }
        guarded = line.is_outermost() && table::GUARD.fits(&line.text);
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

/// What a line is suspected of, of all that counts.
fn found_in(family: Family, role: FileRole, line: &Line, counts: impl Fn(&str) -> bool) -> Option<&'static str> {
    let harmless = |text: &str| {
        table::HARMLESS
            .iter()
            .fold(text.to_owned(), |text, pattern| pattern.without(&text))
    };
    let (code, text) = (harmless(&line.code), harmless(&line.text));
    let part = |look: Look| match look {
        Look::Code => code.as_str(),
        Look::Text => text.as_str(),
        Look::Comment => line.comment.as_str(),
    };
    let mut rows = table::rows(family, role).filter(|(_, _, what)| counts(what));
    rows.find(|(look, pattern, _)| pattern.fits(part(*look)))
        .map(|(_, _, what)| what)
}

fn told(line: &Line, what: &str) -> Suspicion {
    let whole = if line.text.trim().is_empty() {
        &line.comment
    } else {
        &line.text
    };
    let shown: String = whole.trim().chars().take(SHOWN).collect();
    Suspicion {
        line: line.number,
        what: format!("`{shown}` {what}: take it out"),
        readers: None,
    }
}

/// A comparison that says yes to everything.
fn always_equal(family: Family, added: &[&Line], after: &[Line]) -> Option<Suspicion> {
    if family != Family::Python {
        return None;
    }
    let is_new = |line: &Line| added.iter().any(|new| new.number == line.number);
    let found = after.iter().enumerate().find(|(at, head)| {
        let body = after.get(at + 1);
        let below = body.map_or("", |body| body.code.trim());
        let both = format!("{} {below}", head.code.trim());
        let alone = table::ALWAYS_EQUAL.fits(head.code.trim()) && is_new(head);
        alone || table::ALWAYS_EQUAL.fits(&both) && (is_new(head) || body.is_some_and(is_new))
    });
    found.map(|(_, head)| {
        told(
            head,
            "compares equal to everything, so that any assertion about it holds",
        )
    })
}

/// A `TestMain` that is new or not what it was: it decides with which code a
/// package's tests end, whatever they saw.
fn test_main(family: Family, before: &[Line], after: &[Line]) -> Option<Suspicion> {
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
    differs.then(|| told(head, "decides how the tests of a package end, whatever they saw"))
}
