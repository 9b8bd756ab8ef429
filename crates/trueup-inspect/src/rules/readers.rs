//! Whether anything that checks call reads what differs.

use super::{Difference, calls::calls, paths::fits};

/// Programs that read a `tox.ini` for their own sections, or not at all.
const NOT_TOX: [&str; 14] = [
    "pytest",
    "py.test",
    "unittest",
    "coverage",
    "mypy",
    "pyright",
    "basedpyright",
    "ty",
    "ruff",
    "black",
    "isort",
    "flake8",
    "pylint",
    "pycodestyle",
];

/// Names of sections of a `tox.ini` that other programs read as well.
const SHARED: [&str; 9] = [
    "pytest",
    "tool",
    "coverage",
    "flake8",
    "mypy",
    "pylint",
    "isort",
    "pycodestyle",
    "pep8",
];

/// Whether one of these commands can read what differs. What tox alone reads
/// means nothing to commands that are known to call other programs; a command
/// that is not known may read everything.
pub fn is_read(
    difference: &Difference,
    (before, after): (Option<&[u8]>, Option<&[u8]>),
    commands: &[Vec<String>],
) -> bool {
    let key = difference.key.as_deref().unwrap_or_default();
    let is_in_table = fits(&difference.path, "pyproject.toml") && key.starts_with("tool.tox.");
    let is_of_tox = is_in_table || fits(&difference.path, "tox.ini") && is_for_tox(before) && is_for_tox(after);
    !is_of_tox || commands.iter().any(|argv| may_call_tox(argv))
}

/// Whether a `tox.ini` is there and holds nothing that another program could
/// take for its own. Others read headers less strictly than we do, so any line
/// with a bracket and such a name counts.
fn is_for_tox(bytes: Option<&[u8]>) -> bool {
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.is_some_and(|text| {
        let lines = text.split(['\n', '\r']).map(str::to_ascii_lowercase);
        let mut headers = lines.filter(|line| line.contains('['));
        !headers.any(|line| SHARED.iter().any(|name| line.contains(name)))
    })
}

fn may_call_tox(argv: &[String]) -> bool {
    let called = calls(argv, &|_| None);
    let is_other = |program: &str| NOT_TOX.contains(&program);
    called.is_empty()
        || argv.iter().any(|word| word.contains("tox"))
        || !called.iter().all(|call| is_other(call.program()))
}
