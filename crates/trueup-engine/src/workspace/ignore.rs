//! What a `.gitignore` ignores, told without git where that is simple.
//!
//! Most of these files hold plain names and stars. Whatever else stands in
//! them is git's to read, and then git is asked.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Says where the file lies that lists what a folder ignores, if there can be one.
pub(super) type Listed<'a> = &'a dyn Fn(&[u8]) -> Option<PathBuf>;

/// The patterns of the folders of a work tree, read when they are asked for.
pub(super) struct Ignores<'a> {
    listed: Listed<'a>,
    folders: HashMap<Vec<u8>, Vec<Pattern>>,
}

/// One line of such a file.
#[derive(Debug)]
struct Pattern {
    /// The names in it; more than one, or one with a slash before it, begins
    /// in the folder of the file.
    names: Vec<Vec<u8>>,
    place: Place,
    what: What,
}

/// Where a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Below the folder of its file, as a path.
    Here,
    /// Anywhere below, as a name.
    Anywhere,
}

/// What a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Folders alone.
    Folders,
    /// Files as well.
    Everything,
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A folder.
    Folder,
    /// Anything else.
    File,
}

impl<'a> Ignores<'a> {
    /// Those of this work tree.
    pub(super) fn of(listed: Listed<'a>) -> Self {
        Self {
            listed,
            folders: HashMap::new(),
        }
    }

    /// Whether a path, or a folder it lies in, is ignored; `None` where git
    /// must be asked.
    pub(super) fn ignores(&mut self, path: &[u8], thing: Thing) -> Option<bool> {
        let names: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        // Outermost first, as git does: what lies in an ignored folder is not looked at.
        for end in 1..=names.len() {
            let found = if end == names.len() { thing } else { Thing::Folder };
            for start in 0..end {
                let (above, below) = (names.get(..start)?.join(&b'/'), names.get(start..end)?);
                if self
                    .patterns(above)?
                    .iter()
                    .any(|pattern| pattern.matches(below, found))
                {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    fn patterns(&mut self, folder: Vec<u8>) -> Option<&[Pattern]> {
        if !self.folders.contains_key(&folder) {
            let patterns = match (self.listed)(&folder) {
                Some(file) => read(&file)?,
                None => Vec::new(),
            };
            self.folders.insert(folder.clone(), patterns);
        }
        self.folders.get(&folder).map(Vec::as_slice)
    }
}

/// The patterns of a file; `None` if it is not simple. None at all where there
/// is no file.
fn read(file: &Path) -> Option<Vec<Pattern>> {
    let about = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Vec::new()),
        about => about.ok()?,
    };
    if !about.is_file() {
        return None;
    }
    patterns(&fs::read(file).ok()?)
}

fn patterns(text: &[u8]) -> Option<Vec<Pattern>> {
    let lines = text.split(|byte| *byte == b'\n');
    let told = lines.filter(|line| !line.is_empty() && line.first() != Some(&b'#'));
    told.map(Pattern::read).collect()
}

impl Pattern {
    /// Reads a line that holds nothing but names, slashes and single stars.
    fn read(line: &[u8]) -> Option<Self> {
        let is_simple = |byte: &u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'!' | b'[' | b'\\' | b'?');
        if !line.iter().all(is_simple) || line.windows(2).any(|two| matches!(two, b"**" | b"//")) {
            return None;
        }
        let (line, what) = match line.strip_suffix(b"/") {
            Some(line) => (line, What::Folders),
            None => (line, What::Everything),
        };
        let (line, place) = match line.strip_prefix(b"/") {
            Some(line) => (line, Place::Here),
            None if line.contains(&b'/') => (line, Place::Here),
            None => (line, Place::Anywhere),
        };
        let names: Vec<Vec<u8>> = line.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect();
        let is_named = !line.is_empty() && names.iter().all(|name| !matches!(name.as_slice(), b"" | b"." | b".."));
        is_named.then_some(Self { names, place, what })
    }

    /// Whether it matches a path, given from the folder of its file.
    fn matches(&self, path: &[&[u8]], found: Thing) -> bool {
        if self.what == What::Folders && found == Thing::File {
            return false;
        }
        let path = match self.place {
            Place::Here => path,
            Place::Anywhere => path.get(path.len().saturating_sub(1)..).unwrap_or_default(),
        };
        let pairs = || self.names.iter().zip(path);
        self.names.len() == path.len() && pairs().all(|(pattern, name)| is_like(pattern, name))
    }
}

/// Whether a name is like a pattern in which a star stands for anything.
fn is_like(pattern: &[u8], name: &[u8]) -> bool {
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(between) = last.replace(part) {
            let Some(at) = find(rest, between) else { return false };
            rest = rest.get(at + between.len()..).unwrap_or_default();
        }
    }
    match last {
        None => rest.is_empty(),
        Some(end) => rest.ends_with(end),
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::{Ignores, Thing};
    use std::{fs, process::Command};

    /// What git says of the same paths.
    fn asked(root: &std::path::Path, path: &str) -> bool {
        let mut git = Command::new("git");
        git.args([
            "-c",
            "core.excludesFile=/dev/null",
            "check-ignore",
            "--no-index",
            "-q",
            path,
        ]);
        git.current_dir(root).status().expect("git").success()
    }

    #[test]
    fn simple_patterns_are_read_as_git_reads_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let init = Command::new("git").args(["init", "--quiet"]).current_dir(root).status();
        assert!(init.expect("git").success());
        let outer = "# words\n\ntarget/\n*.pyc\n/dist\nbuild/out\nlog*.t*t\n*~\na*b*c\n.cache\ndocs/*.tmp\n";
        fs::create_dir_all(root.join("src/deep")).expect("folders");
        fs::write(root.join(".gitignore"), outer).expect("patterns");
        fs::write(root.join("src/.gitignore"), "/own\nlocal.*\n").expect("patterns");
        let names = [
            "target",
            "x.pyc",
            ".pyc",
            "dist",
            "build/out",
            "out",
            "log.txt",
            "log1.tt",
            "logs",
            "b~",
            "abc",
            "aXbYc",
            "acb",
            "ab",
            ".cache",
            "docs/a.tmp",
            "docs/deep/a.tmp",
            "own",
            "local.rs",
            "local",
            "plain",
            "build",
        ];
        let listed = |folder: &[u8]| {
            let folder = str::from_utf8(folder).expect("text");
            Some(root.join(folder).join(".gitignore"))
        };
        let mut ignores = Ignores::of(&listed);
        let mut ignored = 0;
        for above in ["", "src/", "src/deep/"] {
            for name in names {
                for below in ["", "/file", "/deep/file"] {
                    let path = format!("{above}{name}{below}");
                    // Nothing lies there, and then git takes the path for a file.
                    let told = ignores.ignores(path.as_bytes(), Thing::File).expect("simple");
                    assert_eq!(told, asked(root, &path), "{path}");
                    ignored += usize::from(told);
                }
            }
        }
        assert!(ignored > 50, "{ignored}");
    }

    #[test]
    fn what_is_not_simple_is_left_to_git() {
        for line in [
            "!a", "a?", "[ab]", "a\\b", "**/a", "a/**", "a ", "a\r", "\u{e9}", "/", "a//b", "./a",
        ] {
            assert!(super::patterns(line.as_bytes()).is_none(), "{line:?}");
        }
    }
}
