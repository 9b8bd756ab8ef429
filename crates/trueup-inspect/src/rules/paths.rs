//! Paths of a tree, and patterns of them.

use crate::code::is_test_path;

/// Whether a path fits a pattern, wherever in the tree it lies. `name/` is
/// everything below a folder of that name, `a/b` a path's end; `*` stands for
/// any part of one name. Letter case does not matter, because on many
/// machines it would not matter to the tool either.
///
/// It is asked hundreds of times about each path of a change, which may have a
/// million of them: it makes nothing new.
pub(super) fn fits(path: &str, pattern: &str) -> bool {
    let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    let wanted = || pattern.split('/').filter(|name| !name.is_empty());
    if !pattern.ends_with('/') {
        return wanted()
            .rev()
            .all(|wanted| names.next_back().is_some_and(|name| is_like(name, wanted)));
    }
    // The folder itself can be a file too: a link to somewhere else.
    loop {
        let mut here = names.clone();
        if wanted().all(|wanted| here.next().is_some_and(|name| is_like(name, wanted))) {
            return true;
        }
        if names.next().is_none() {
            return false;
        }
    }
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn is_like(name: &str, pattern: &str) -> bool {
    glob(name.as_bytes(), pattern.as_bytes())
}

fn glob(name: &[u8], pattern: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', tail)) => (0..=name.len()).any(|at| name.get(at..).is_some_and(|rest| glob(rest, tail))),
        Some((wanted, tail)) => name
            .split_first()
            .is_some_and(|(first, rest)| first.eq_ignore_ascii_case(wanted) && glob(rest, tail)),
    }
}

/// The name of a path without its folders.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path as seen from the tree's root, where it is named from a folder.
pub(super) fn join(folder: &str, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in folder.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            _ => names.push(name),
        }
    }
    names.join("/")
}

/// Files of languages that only these rules know, which hold tests.
const TEST_FILES: [&str; 12] = [
    "*Test.java",
    "*Tests.java",
    "*Test.kt",
    "test_*.c",
    "*_test.c",
    "test_*.cpp",
    "*_test.cpp",
    "*_test.cc",
    "*_unittest.cc",
    "*_test.h",
    "*Test.cs",
    "*Tests.cs",
];

/// Whether a path holds tests rather than what they test.
pub(super) fn holds_tests(path: &str) -> bool {
    is_test_path(path) || TEST_FILES.iter().any(|pattern| fits(path, pattern))
}

#[cfg(test)]
mod tests {
    use super::{fits, join};

    #[test]
    fn a_pattern_fits_names_folders_and_ends_of_paths() {
        let rows = [
            ("conftest.py", "a/b/conftest.py", true),
            ("conftest.py", "a/my_conftest.py", false),
            ("vitest.config.*", "web/vitest.config.mts", true),
            ("*.pth", "x.pth", true),
            ("node_modules/", "web/node_modules/.bin/vitest", true),
            ("node_modules/", "node_modules", true),
            ("node_modules/", "my_node_modules/a", false),
            (".github/workflows/", ".github/workflows/a/b.yml", true),
            (".github/workflows/", ".github/dependabot.yml", false),
            ("tests/setup.*", "web/tests/setup.ts", true),
            ("tests/setup.*", "web/src/setup.ts", false),
            ("Makefile", "makefile", true),
            ("Makefile", "Makefile.am", false),
            ("*.sh", "a/é.SH", true),
            ("*.sh", ".sh/a", false),
            ("a/b/", "x/a/b/c", true),
            ("a/b/", "x/a/c/b", false),
            ("a/b", "b", false),
            ("./a/b", "x//a/./b", false),
            ("a/b", "x//a/./b", true),
        ];
        for (pattern, path, wanted) in rows {
            assert_eq!(fits(path, pattern), wanted, "{pattern} and {path}");
        }
    }

    #[test]
    fn a_joined_path_stays_inside_the_tree() {
        assert_eq!(join("a/b", "../c"), "a/c");
        assert_eq!(join("", "./x"), "x");
        assert_eq!(join("a", "../../../x"), "x");
    }
}
