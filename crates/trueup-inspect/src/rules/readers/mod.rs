//! Which programs take part in a run of checks, and whose settings count so.
//!
//! What one program alone reads decides nothing where nobody calls it: the
//! rules of a linter, or the words that silence one, turn no check green that
//! runs tests. A command that is not known may call everything, and so may
//! tests that name a program.

mod called_programs;
mod table;
mod words;

pub(super) use self::table::EXAMPLES;
pub use self::{called_programs::CalledPrograms, table::Readers, words::Words};

use self::table::{MARKERS, OF_LINTERS, OF_RUNNERS, SCRIPTS, SHARED, TABLES, TOX};
use super::{packages::HOOKS, paths::fits};

/// Which programs alone read a file, or a key of it.
pub(super) fn readers(
    path: &str,
    key: Option<&str>,
    (before, after): (Option<&[u8]>, Option<&[u8]>),
) -> Option<Readers> {
    let is = |pattern: &str| fits(path, pattern);
    match key {
        None => {
            let mut rows = OF_LINTERS.iter().chain(OF_RUNNERS);
            let row = rows.find(|(_, files)| files.iter().any(|file| is(file)));
            row.map(|(readers, _)| *readers)
        }
        Some(key) if is("package.json") => script(path, key).map(|_| SCRIPTS),
        Some(key) if is("pyproject.toml") => of_table(key.strip_prefix("tool.")?),
        Some(_) if is("tox.ini") && is_for_tox(before) && is_for_tox(after) => Some(TOX),
        Some(key) if is("setup.cfg") || is("tox.ini") => of_table(key),
        Some(_) => None,
    }
}

/// The script of a package that a key is, unless installations run it, here or of
/// a package that depends on this one.
pub(super) fn script<'k>(path: &str, key: &'k str) -> Option<&'k str> {
    let script = key.strip_prefix("scripts.").filter(|_| fits(path, "package.json"))?;
    let is_hook = HOOKS.contains(&script) || script == "prepack";
    (!is_hook).then_some(script)
}

/// Which programs alone read a table, by the key that it begins. The sections
/// of some are called `mypy-MODULE`.
fn of_table(key: &str) -> Option<Readers> {
    let name = key.split(['.', '-', ':']).next()?;
    let row = TABLES.iter().find(|(table, _)| *table == name);
    row.map(|(_, readers)| *readers)
}

/// Which programs alone a marker silences.
pub fn silenced_by(marker: &str) -> Option<Readers> {
    let row = MARKERS.iter().find(|(silencing, _)| *silencing == marker);
    row.map(|(_, readers)| *readers)
}

/// Whether a `tox.ini` is there and holds nothing that another program could
/// take for its own.
fn is_for_tox(bytes: Option<&[u8]>) -> bool {
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.is_some_and(|text| !text.split(['\n', '\r']).any(may_be_shared))
}

/// Whether a line may open a section that other programs read. They read
/// headers less strictly than we do, so a bracket and such a name are enough
/// wherever a line is not plain.
fn may_be_shared(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let is_plain = line.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    let is_header = !is_plain || line.trim_start().starts_with('[');
    line.contains('[') && is_header && !is_environment(&line) && SHARED.iter().any(|name| line.contains(name))
}

/// Whether a line is the header of an environment, which no program but tox knows.
fn is_environment(line: &str) -> bool {
    let name = line
        .strip_prefix("[testenv:")
        .and_then(|rest| rest.trim_end().strip_suffix(']'));
    name.is_some_and(|name| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.{},".contains(&byte))
    })
}
