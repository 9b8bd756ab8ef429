//! What the `.gitignore` files of a work tree ignore.
//!
//! Their lines are read and matched by `gix-ignore`. Which files count, and in
//! which order, is said here, because a work tree may be seen through layers.

use gix_ignore::{
    glob::{pattern::Case, search::pattern::List},
    search::{Ignore, pattern_matching_relative_path},
};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// What Python writes beside every file that it reads. It is of no use to anybody
/// else, and a project without a `.gitignore` does not want it either.
const BYTECODE: &[u8] = b"__pycache__";

/// Git reads no larger file of patterns.
const SIZE_LIMIT: u64 = 100 * 1024 * 1024;

/// Says where the `.gitignore` of a folder lies, if there can be one.
pub(super) type IgnoreFile<'a> = &'a dyn Fn(&[u8]) -> Option<PathBuf>;

/// The patterns of the folders of a work tree, read when they are asked for.
pub(super) struct Ignores<'a> {
    file_of: IgnoreFile<'a>,
    folders: HashMap<Vec<u8>, Option<List<Ignore>>>,
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathKind {
    /// A folder.
    Folder,
    /// Anything else.
    File,
}

impl<'a> Ignores<'a> {
    /// Those of this work tree.
    pub(super) fn of(file_of: IgnoreFile<'a>) -> Self {
        Self {
            file_of,
            folders: HashMap::new(),
        }
    }

    /// Whether a path, or a folder it lies in, is ignored.
    pub(super) fn ignores(&mut self, path: &[u8], kind: PathKind) -> bool {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let ends: Vec<usize> = slashes.map(|(at, _)| at).collect();
        // Outermost first, as git does: what lies in an ignored folder is not looked at.
        let is_ignored = |(number, end): (usize, &usize)| {
            let above = ends.get(..number).unwrap_or_default();
            self.matches(path.get(..*end).unwrap_or(path), above, PathKind::Folder)
        };
        ends.iter().enumerate().any(is_ignored) || self.matches(path, &ends, kind)
    }

    /// Whether the last pattern that matches a path ignores it; `slashes` are
    /// where the folders above it end. Patterns of inner folders come later.
    fn matches(&mut self, path: &[u8], slashes: &[usize], kind: PathKind) -> bool {
        let inner_first = slashes.iter().rev().map(|end| (*end, *end + 1)).chain([(0, 0)]);
        for (end, start) in inner_first {
            let (Some(folder), Some(below)) = (path.get(..end), path.get(start..)) else {
                continue;
            };
            let Some(list) = self.list(folder) else { continue };
            let name = below.iter().rposition(|byte| *byte == b'/').map(|slash| slash + 1);
            let is_folder = Some(kind == PathKind::Folder);
            let found = pattern_matching_relative_path(list, below.into(), name, is_folder, Case::Sensitive);
            if let Some(found) = found {
                return !found.pattern.is_negative();
            }
        }
        kind == PathKind::Folder && path.rsplit(|byte| *byte == b'/').next() == Some(BYTECODE)
    }

    fn list(&mut self, folder: &[u8]) -> Option<&List<Ignore>> {
        if !self.folders.contains_key(folder) {
            let list = (self.file_of)(folder).and_then(|file| read(&file));
            self.folders.insert(folder.to_vec(), list);
        }
        self.folders.get(folder)?.as_ref()
    }
}

/// The patterns of a file. Git takes none from what is no plain file, cannot
/// be read, or is too large, and neither do we.
fn read(file: &Path) -> Option<List<Ignore>> {
    let about = fs::symlink_metadata(file).ok()?;
    if !about.is_file() || about.len() > SIZE_LIMIT {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    List::from_bytes(&bytes, file.to_owned(), None, Ignore::default()).ok()
}

#[cfg(test)]
mod tests {
    use super::{Ignores, PathKind};
    use std::{fs, io::Write as _, path::Path, process::Command, process::Stdio};

    /// Names, one after the other.
    const NAMES: &str = "target|x.pyc|.pyc|keep.pyc|dist|build/out|out|log.txt|log1.tt|logs|b~|abc|aXbYc|acb|ab|.cache|\
        docs/a.tmp|docs/deep/a.tmp|own|local.rs|local|plain|build|target/kept|any|from/x|from|a/b/z|a/z|1x|\
        xx|1y|yy|eq|q|!bang|#hash|space|space |spaces |spaces|return|return\r|$dollar|dollar|x.cpp|x.ipp|\
        double|dot|\u{fc}n\u{ef}";

    /// Which of these paths git ignores.
    fn asked(root: &Path, paths: &[String]) -> Vec<String> {
        let mut git = Command::new("git");
        git.args(["-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index"]);
        git.args(["-z", "--stdin"]).current_dir(root);
        let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("git");
        let asked = paths.join("\0");
        git.stdin
            .take()
            .expect("a pipe")
            .write_all(asked.as_bytes())
            .expect("names");
        let told = git.wait_with_output().expect("git").stdout;
        let told = String::from_utf8(told).expect("text");
        told.split_terminator('\0').map(str::to_owned).collect()
    }

    #[test]
    fn patterns_are_read_as_git_reads_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let init = Command::new("git").args(["init", "--quiet"]).current_dir(root).status();
        assert!(init.expect("git").success());
        let outer = "\u{feff}# words\n\ntarget/\n*.pyc\n/dist\nbuild/out\nlog*.t*t\n*~\na*b*c\n.cache\ndocs/*.tmp\n\
            !keep.pyc\n!target/kept\n**/any\nfrom/**\na/**/z\n[0-9]x\n[!0-9]y\n?q\n\\!bang\n\\#hash\nspace \nspaces\\ \n\
            return\r\n$dollar\n*.[ch]pp\n/\n//double\n./dot\n\u{fc}n\u{ef}\n";
        for below in ["src/deep", "from", "a/b"] {
            fs::create_dir_all(root.join(below)).expect("folders");
        }
        fs::write(root.join(".gitignore"), outer).expect("patterns");
        fs::write(root.join("src/.gitignore"), "/own\nlocal.*\n!x.pyc\n!/deep/dist\n").expect("patterns");
        fs::write(root.join("src/deep/.gitignore"), "*\n!plain\n").expect("patterns");
        // Git follows no link here.
        std::os::unix::fs::symlink("../.gitignore", root.join("a/.gitignore")).expect("a link");
        let file_of = |folder: &[u8]| {
            let folder = str::from_utf8(folder).expect("text");
            Some(root.join(folder).join(".gitignore"))
        };
        let mut paths = Vec::new();
        for above in ["", "src/", "src/deep/", "a/", "a/b/", "from/"] {
            for name in NAMES.split('|') {
                for below in ["", "/file", "/deep/file"] {
                    paths.push(format!("{above}{name}{below}"));
                }
            }
        }
        let git = asked(root, &paths);
        let mut ignores = Ignores::of(&file_of);
        // Nothing lies there, and then git takes the path for a file.
        let is_folder = |path: &str| root.join(path).is_dir();
        let ours = |path: &&String| {
            let kind = if is_folder(path) {
                PathKind::Folder
            } else {
                PathKind::File
            };
            ignores.ignores(path.as_bytes(), kind)
        };
        let ours: Vec<String> = paths.iter().filter(ours).cloned().collect();
        assert!(ours.len() > 200 && ours.len() < paths.len() - 200, "{}", ours.len());
        assert_eq!(ours, git);
    }

    #[test]
    fn bytecode_of_python_is_ignored_unless_a_pattern_takes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::create_dir(root.join("kept")).expect("a folder");
        fs::write(root.join("kept/.gitignore"), "!__pycache__/\n").expect("patterns");
        let file_of = |folder: &[u8]| Some(root.join(str::from_utf8(folder).expect("text")).join(".gitignore"));
        let mut ignores = Ignores::of(&file_of);
        let mut is_ignored = |path: &str| ignores.ignores(path.as_bytes(), PathKind::File);
        assert!(is_ignored("__pycache__/a.cpython-311.pyc"));
        assert!(is_ignored("src/shop/__pycache__/a.pyc"));
        assert!(!is_ignored("kept/__pycache__/a.pyc"));
        assert!(!is_ignored("src/__pycache__"), "a file is none of Python's");
        assert!(!is_ignored("src/a__pycache__/a.pyc"));
    }
}
