//! Looks through a work tree once: what differs from what is staged, what is
//! not staged yet, and what git would misread or hang on.

use super::{
    index::{Compared, Index, LINK, Staged},
    take::Untaken,
};
use std::{
    collections::{HashMap, HashSet},
    fs::{self, DirEntry, FileType},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// What a work tree holds that cannot become part of a tree.
#[derive(Debug, Default)]
pub(super) struct Unfit {
    /// Folders that are repositories of their own.
    pub(super) nested: Vec<Vec<u8>>,
    /// Pipes, sockets and devices.
    pub(super) special: Vec<Vec<u8>>,
    /// Folders that could not be looked into, and names git keeps for itself.
    pub(super) untaken: Vec<Untaken>,
}

/// What a work tree holds, against what is staged.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What cannot become part of a tree.
    pub(super) unfit: Unfit,
    /// Numbers of staged files that may differ.
    pub(super) differing: Vec<u32>,
    /// Those of them that git would take for the same.
    pub(super) lulled: Vec<u32>,
    /// Files that are not staged.
    pub(super) unknown: Vec<Unknown>,
    /// For each number whether that staged file lies where it should.
    seen: Vec<bool>,
    /// Whether anything here says how git shall convert files.
    pub(super) conversion: Conversion,
}

/// A file that is not staged.
#[derive(Debug)]
pub(super) struct Unknown {
    pub(super) path: Vec<u8>,
    /// How much of the path is the outermost folder in which nothing is staged.
    fresh: Option<usize>,
}

/// Whether git converts files on their way into a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Conversion {
    /// Nothing asks for it.
    #[default]
    Never,
    /// There are attributes, which may.
    Possible,
}

impl Unknown {
    /// A file at this path; `fresh` is how much of it is the outermost folder
    /// in which nothing is staged.
    pub(super) const fn new(path: Vec<u8>, fresh: Option<usize>) -> Self {
        Self { path, fresh }
    }

    /// The outermost folder above it in which nothing is staged.
    pub(super) fn fresh(&self) -> Option<&[u8]> {
        self.path.get(..self.fresh?)
    }
}

impl Found {
    /// Nothing yet, but which of the staged files lie where they should.
    pub(super) fn among(seen: Vec<bool>) -> Self {
        Self {
            seen,
            ..Self::default()
        }
    }

    /// Whether a staged file lies where it should.
    pub(super) fn sees(&self, number: usize) -> bool {
        self.seen.get(number).is_some_and(|seen| *seen)
    }

    /// Whether there is nothing but what is staged.
    pub(super) fn is_nothing(&self, index: &Index) -> bool {
        let unfit = &self.unfit;
        let fit = unfit.nested.is_empty() && unfit.special.is_empty() && unfit.untaken.is_empty();
        fit && self.differing.is_empty() && self.unknown.is_empty() && self.missing(index).is_empty()
    }

    /// Numbers of staged files that do not lie where they should.
    pub(super) fn missing(&self, index: &Index) -> Vec<u32> {
        let numbers = (0..).zip(index.staged()).zip(&self.seen);
        numbers
            .filter(|((_, staged), seen)| staged.mode != LINK && !**seen)
            .map(|((number, _), _)| number)
            .collect()
    }
}

/// Whether a file system somewhere would take this name for `.git`.
pub(super) fn is_dot_git(name: &[u8]) -> bool {
    let end = name.iter().rposition(|byte| !matches!(byte, b'.' | b' '));
    let bare = end.and_then(|end| name.get(..=end)).unwrap_or(name);
    bare.eq_ignore_ascii_case(b".git")
}

/// How closely a folder is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// What is in it may be taken.
    Closely,
    /// Nothing in it is taken, but git may still walk through it.
    ForTraps,
}

/// A folder to be looked into.
struct Folder {
    path: PathBuf,
    look: Look,
    fresh: Option<usize>,
}

/// What is staged, as a walk asks for it.
struct Known<'a> {
    index: &'a Index,
    files: HashMap<&'a [u8], u32>,
    folders: HashSet<&'a [u8]>,
}

/// Looks through everything below `root`. Folders that stand for other
/// repositories stay as they are, so nothing is told of them.
pub(super) fn look(root: &Path, index: &Index) -> Found {
    let known = Known {
        index,
        files: index.by_path(),
        folders: index.folders(),
    };
    let mut found = Found::among(vec![false; known.files.len()]);
    if known.files.keys().any(|path| says_how_to_convert(path)) {
        found.conversion = Conversion::Possible;
    }
    let mut folders = vec![Folder {
        path: PathBuf::new(),
        look: Look::Closely,
        fresh: None,
    }];
    while let Some(folder) = folders.pop() {
        folders.extend(found.look_into(root, folder, &known));
    }
    found.unfit.nested.sort();
    found.unfit.special.sort();
    found
}

impl Known<'_> {
    fn file(&self, path: &[u8]) -> Option<(u32, Staged<'_>)> {
        let number = *self.files.get(path)?;
        Some((number, self.index.nth(number)?))
    }

    fn is_link(&self, folder: &Path) -> bool {
        let staged = self.file(folder.as_os_str().as_bytes());
        staged.is_some_and(|(_, staged)| staged.mode == LINK)
    }
}

impl Found {
    /// Looks into one folder; answers the folders in it that are to be looked into.
    fn look_into(&mut self, root: &Path, mut folder: Folder, known: &Known<'_>) -> Vec<Folder> {
        let is_root = folder.path.as_os_str().is_empty();
        if known.is_link(&folder.path) {
            folder.look = Look::ForTraps;
        }
        let entries = match fs::read_dir(root.join(&folder.path)).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                if folder.look == Look::Closely {
                    self.unfit.untaken.push(Untaken {
                        path: bytes(&folder.path),
                        why: error.to_string(),
                    });
                }
                return Vec::new();
            }
        };
        let nested = entries.iter().any(|entry| is_dot_git(entry.file_name().as_bytes()));
        if nested && !is_root && folder.look == Look::Closely {
            self.unfit.nested.push(bytes(&folder.path));
            folder.look = Look::ForTraps;
        }
        let mut below = Vec::new();
        for entry in entries {
            // The clone's own is the agent's business, and git never walks there.
            let Ok(kind) = entry.file_type() else { continue };
            if is_root && entry.file_name().as_bytes() == b".git" {
                continue;
            }
            below.extend(self.look_at(&folder, &entry, kind, known));
        }
        below
    }

    /// Looks at one thing in a folder; answers it if it is to be looked into.
    fn look_at(&mut self, folder: &Folder, entry: &DirEntry, kind: FileType, known: &Known<'_>) -> Option<Folder> {
        let (name, path) = (entry.file_name(), folder.path.join(entry.file_name()));
        let reserved = is_dot_git(name.as_bytes());
        if reserved && folder.look == Look::Closely {
            self.unfit.untaken.push(Untaken {
                path: bytes(&path),
                why: "git keeps this name for itself".to_string(),
            });
        }
        let look = if reserved { Look::ForTraps } else { folder.look };
        if kind.is_dir() {
            let staged = known.folders.contains(path.as_os_str().as_bytes());
            let fresh = match folder.fresh {
                None if !staged => Some(path.as_os_str().len()),
                before => before,
            };
            return Some(Folder { path, look, fresh });
        }
        if kind.is_file() || kind.is_symlink() {
            if look == Look::Closely {
                self.compare(folder, entry, bytes(&path), known);
            }
            return None;
        }
        if name.as_bytes().starts_with(b".git") {
            // Git would open it and wait for ever. A pipe holds no work; one
            // that cannot be removed shows as a git that is never done.
            drop(fs::remove_file(entry.path()));
        }
        if look == Look::Closely {
            self.unfit.special.push(bytes(&path));
        }
        None
    }

    /// Compares a file with what is staged under its path.
    fn compare(&mut self, folder: &Folder, entry: &DirEntry, path: Vec<u8>, known: &Known<'_>) {
        if says_how_to_convert(&path) {
            self.conversion = Conversion::Possible;
        }
        let Some((number, staged)) = known.file(&path) else {
            let fresh = folder.fresh;
            self.unknown.push(Unknown { path, fresh });
            return;
        };
        // What cannot be looked at is looked at again by whoever takes it.
        let Ok(file) = entry.metadata() else { return };
        if let Some(seen) = usize::try_from(number).ok().and_then(|at| self.seen.get_mut(at)) {
            *seen = true;
        }
        match known.index.compare(&staged, &file) {
            Compared::Same => {}
            Compared::Differs => self.differing.push(number),
            Compared::Lulled => {
                self.differing.push(number);
                self.lulled.push(number);
            }
        }
    }
}

/// Whether a file of this name says how git shall convert files.
pub(super) fn says_how_to_convert(path: &[u8]) -> bool {
    path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes")
}

fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}
