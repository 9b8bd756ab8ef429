//! Looks through a work tree once: what differs from what is staged, what is
//! not staged yet, and what git would misread or hang on.

use super::index::{Compared, Index, Staged};
use std::{
    collections::{HashMap, HashSet},
    fs::{self, DirEntry, FileType},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// A path that could not be taken. It stays in the index as it was.
#[derive(Debug)]
pub(super) struct Skipped {
    pub(super) path: Vec<u8>,
    pub(super) reason: String,
}

/// What a work tree holds that cannot become part of a tree.
#[derive(Debug, Default)]
pub(super) struct Unsupported {
    /// Folders that are repositories of their own.
    pub(super) nested: Vec<Vec<u8>>,
    /// Pipes, sockets and devices.
    pub(super) special: Vec<Vec<u8>>,
    /// Folders that could not be looked into, and names git keeps for itself.
    pub(super) skipped: Vec<Skipped>,
}

/// What a work tree holds, against what is staged.
#[derive(Debug, Default)]
pub(super) struct WalkReport {
    /// What cannot become part of a tree.
    pub(super) unsupported: Unsupported,
    /// Numbers of staged files that may differ.
    pub(super) differing: Vec<u32>,
    /// Those of them that git would take for the same.
    pub(super) racy_clean: Vec<u32>,
    /// Files that are not staged.
    pub(super) untracked: Vec<Untracked>,
    /// For each number whether that staged file lies where it should.
    present: Vec<bool>,
    /// Whether anything here says how git shall convert files.
    pub(super) conversion: Conversion,
}

/// A file that is not staged.
#[derive(Debug)]
pub(super) struct Untracked {
    pub(super) path: Vec<u8>,
    /// How much of the path is the outermost folder in which nothing is staged.
    untracked_folder: Option<usize>,
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

impl Untracked {
    /// A file at this path; `untracked_folder` is how much of it is the
    /// outermost folder in which nothing is staged.
    pub(super) const fn new(path: Vec<u8>, untracked_folder: Option<usize>) -> Self {
        Self { path, untracked_folder }
    }

    /// The outermost folder above it in which nothing is staged.
    pub(super) fn untracked_folder(&self) -> Option<&[u8]> {
        self.path.get(..self.untracked_folder?)
    }
}

impl WalkReport {
    /// Nothing yet, but which of the staged files lie where they should.
    pub(super) fn among(present: Vec<bool>) -> Self {
        Self {
            present,
            ..Self::default()
        }
    }

    /// Whether a staged file lies where it should.
    pub(super) fn has(&self, number: usize) -> bool {
        self.present.get(number).is_some_and(|present| *present)
    }

    /// Whether there is nothing but what is staged.
    pub(super) fn is_nothing(&self, index: &Index) -> bool {
        let Unsupported {
            nested,
            special,
            skipped,
        } = &self.unsupported;
        let fit = nested.is_empty() && special.is_empty() && skipped.is_empty();
        fit && self.differing.is_empty() && self.untracked.is_empty() && self.missing(index).is_empty()
    }

    /// Numbers of staged files that do not lie where they should.
    pub(super) fn missing(&self, index: &Index) -> Vec<u32> {
        let numbers = (0..).zip(index.staged()).zip(&self.present);
        numbers
            .filter(|((_, staged), present)| !staged.is_link() && !**present)
            .map(|((number, _), _)| number)
            .collect()
    }
}

/// Whether a file system somewhere would take this name for `.git`.
pub(super) fn is_dot_git(name: &[u8]) -> bool {
    let seen = str::from_utf8(name).ok().filter(|name| !name.is_ascii());
    let seen: Option<String> = seen.map(|name| name.chars().filter(|c| !is_unseen(*c)).collect());
    let name = seen.as_ref().map_or(name, String::as_bytes);
    let end = name.iter().rposition(|byte| !matches!(byte, b'.' | b' '));
    let bare = end.and_then(|end| name.get(..=end)).unwrap_or(name);
    bare.eq_ignore_ascii_case(b".git")
}

/// Whether the file system of a Mac takes a name for the same without it.
const fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// What is looked for in a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Files that may be taken.
    Files,
    /// Nothing in it is taken, but git may still walk through it and hang.
    Traps,
}

/// A folder to be looked into.
struct Folder {
    path: PathBuf,
    purpose: Purpose,
    untracked_folder: Option<usize>,
}

/// What is staged, as a walk asks for it.
struct Tracked<'a> {
    index: &'a Index,
    files: HashMap<&'a [u8], u32>,
    folders: HashSet<&'a [u8]>,
}

/// Looks through everything below `root`. Folders that stand for other
/// repositories stay as they are, so nothing is told of them.
pub(super) fn walk(root: &Path, index: &Index) -> WalkReport {
    let tracked = Tracked {
        index,
        files: index.by_path(),
        folders: index.folders(),
    };
    let mut found = WalkReport::among(vec![false; tracked.files.len()]);
    if tracked.files.keys().any(|path| is_attributes_file(path)) {
        found.conversion = Conversion::Possible;
    }
    let mut folders = vec![Folder {
        path: PathBuf::new(),
        purpose: Purpose::Files,
        untracked_folder: None,
    }];
    while let Some(folder) = folders.pop() {
        folders.extend(found.look_into(root, folder, &tracked));
    }
    found.unsupported.nested.sort();
    found.unsupported.special.sort();
    found
}

impl Tracked<'_> {
    fn file(&self, path: &[u8]) -> Option<(u32, Staged<'_>)> {
        let number = *self.files.get(path)?;
        Some((number, self.index.nth(number)?))
    }

    fn is_link(&self, folder: &Path) -> bool {
        let staged = self.file(folder.as_os_str().as_bytes());
        staged.is_some_and(|(_, staged)| staged.is_link())
    }
}

impl WalkReport {
    /// Looks into one folder; answers the folders in it that are to be looked into.
    fn look_into(&mut self, root: &Path, mut folder: Folder, tracked: &Tracked<'_>) -> Vec<Folder> {
        let is_root = folder.path.as_os_str().is_empty();
        if tracked.is_link(&folder.path) {
            folder.purpose = Purpose::Traps;
        }
        let entries = match fs::read_dir(root.join(&folder.path)).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                if folder.purpose == Purpose::Files {
                    self.unsupported.skipped.push(Skipped {
                        path: bytes(&folder.path),
                        reason: error.to_string(),
                    });
                }
                return Vec::new();
            }
        };
        let nested = entries.iter().any(|entry| is_dot_git(entry.file_name().as_bytes()));
        if nested && !is_root && folder.purpose == Purpose::Files {
            self.unsupported.nested.push(bytes(&folder.path));
            folder.purpose = Purpose::Traps;
        }
        let mut below = Vec::new();
        for entry in entries {
            // The clone's own is the agent's business, and git never walks there.
            let Ok(kind) = entry.file_type() else { continue };
            if is_root && entry.file_name().as_bytes() == b".git" {
                continue;
            }
            below.extend(self.look_at(&folder, &entry, kind, tracked));
        }
        below
    }

    /// Looks at one thing in a folder; answers it if it is to be looked into.
    fn look_at(&mut self, folder: &Folder, entry: &DirEntry, kind: FileType, tracked: &Tracked<'_>) -> Option<Folder> {
        let (name, path) = (entry.file_name(), folder.path.join(entry.file_name()));
        let reserved = is_dot_git(name.as_bytes());
        if reserved && folder.purpose == Purpose::Files {
            self.unsupported.skipped.push(Skipped {
                path: bytes(&path),
                reason: "git keeps this name for itself".to_string(),
            });
        }
        let purpose = if reserved { Purpose::Traps } else { folder.purpose };
        if kind.is_dir() {
            let staged = tracked.folders.contains(path.as_os_str().as_bytes());
            let untracked_folder = match folder.untracked_folder {
                None if !staged => Some(path.as_os_str().len()),
                before => before,
            };
            return Some(Folder {
                path,
                purpose,
                untracked_folder,
            });
        }
        if kind.is_file() || kind.is_symlink() {
            if purpose == Purpose::Files {
                self.compare(folder, entry, bytes(&path), tracked);
            }
            return None;
        }
        if name.as_bytes().starts_with(b".git") {
            // Git would open it and wait for ever. A pipe holds no work; one
            // that cannot be removed shows as a git that is never done.
            drop(fs::remove_file(entry.path()));
        }
        if purpose == Purpose::Files {
            self.unsupported.special.push(bytes(&path));
        }
        None
    }

    /// Compares a file with what is staged under its path.
    fn compare(&mut self, folder: &Folder, entry: &DirEntry, path: Vec<u8>, tracked: &Tracked<'_>) {
        if is_attributes_file(&path) {
            self.conversion = Conversion::Possible;
        }
        let Some((number, staged)) = tracked.file(&path) else {
            self.untracked.push(Untracked::new(path, folder.untracked_folder));
            return;
        };
        // What cannot be looked at is looked at again by whoever takes it.
        let Ok(file) = entry.metadata() else { return };
        if let Some(present) = usize::try_from(number).ok().and_then(|at| self.present.get_mut(at)) {
            *present = true;
        }
        match tracked.index.compare(&staged, &file) {
            Compared::Same => {}
            Compared::Differs => self.differing.push(number),
            Compared::RacyClean => {
                self.differing.push(number);
                self.racy_clean.push(number);
            }
        }
    }
}

/// Whether a file of this name says how git shall convert files.
pub(super) fn is_attributes_file(path: &[u8]) -> bool {
    path.rsplit(|byte| *byte == b'/').next() == Some(b".gitattributes")
}

fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}
