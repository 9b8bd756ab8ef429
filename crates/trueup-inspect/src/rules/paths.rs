//! Paths of a tree, and patterns of them.

/// Whether a path fits a pattern, wherever in the tree it lies. `name/` is
/// everything below a folder of that name, `a/b` a path's end; `*` stands for
/// any part of one name. Letter case does not matter, because on many
/// machines it would not matter to the tool either.
pub(super) fn fits(path: &str, pattern: &str) -> bool {
    PathPattern::of(pattern).fits(&names(path))
}

/// A pattern, taken apart: a change may have a million paths, and each is
/// compared with hundreds.
#[derive(Debug)]
pub struct PathPattern<Name> {
    names: Vec<Name>,
    is_folder: bool,
}

impl<'a> PathPattern<&'a str> {
    pub(super) fn of(pattern: &'a str) -> Self {
        Self {
            names: parts(pattern).collect(),
            is_folder: pattern.ends_with('/'),
        }
    }
}

impl PathPattern<String> {
    /// A pattern that outlives its text.
    pub(super) fn owned(pattern: &str) -> Self {
        Self {
            names: parts(pattern).map(str::to_owned).collect(),
            is_folder: pattern.ends_with('/'),
        }
    }

    /// A path that fits: whatever may stand for a `*` is left out.
    pub(super) fn named(&self) -> String {
        self.names.join("/").replace('*', "")
    }
}

impl<Name: AsRef<str>> PathPattern<Name> {
    /// Whether a path of these names fits.
    pub(super) fn fits(&self, names: &[&str]) -> bool {
        let same = |window: &[&str]| {
            window
                .iter()
                .zip(&self.names)
                .all(|(name, wanted)| is_like(name, wanted.as_ref()))
        };
        if self.is_folder {
            // The folder itself can be a file too: a link to somewhere else.
            return names.windows(self.names.len().max(1)).any(same);
        }
        let from = names.len().checked_sub(self.names.len());
        from.and_then(|from| names.get(from..)).is_some_and(same)
    }
}

/// The names of a pattern.
fn parts(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.split('/').filter(|name| !name.is_empty())
}

/// The names of a path.
pub(super) fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|name| !matches!(*name, "" | ".")).collect()
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
