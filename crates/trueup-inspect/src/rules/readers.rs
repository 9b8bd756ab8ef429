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

/// Sections of a `tox.ini` that other programs read as well.
const SHARED: [&str; 8] = [
    "pytest",
    "tool:",
    "coverage",
    "flake8",
    "mypy",
    "pylint",
    "isort",
    "pycodestyle",
];

/// Whether one of these commands can read what differs. What tox alone reads
/// means nothing to commands that are known to call other programs; a command
/// that is not known may read everything.
pub fn is_read(difference: &Difference, commands: &[Vec<String>]) -> bool {
    let key = difference.key.as_deref().unwrap_or_default();
    let is_of_tox = fits(&difference.path, "tox.ini") && !SHARED.iter().any(|shared| key.starts_with(shared));
    !is_of_tox || commands.iter().any(|argv| may_call_tox(argv))
}

fn may_call_tox(argv: &[String]) -> bool {
    let called = calls(argv, &|_| None);
    let is_other = |program: &str| NOT_TOX.contains(&program);
    called.is_empty()
        || argv.iter().any(|word| word.contains("tox"))
        || !called.iter().all(|call| is_other(call.program()))
}
