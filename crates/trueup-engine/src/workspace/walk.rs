//! Looks through a work tree for what git would misread or hang on.

use super::take::Untaken;
use std::{
    collections::HashSet,
    fs,
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

/// Looks through everything below `root`. The folders in `links` stand for
/// other repositories and stay as they are, so nothing is told of them.
pub(super) fn unfit(root: &Path, links: &HashSet<Vec<u8>>) -> Unfit {
    let mut unfit = Unfit::default();
    let mut folders = vec![(PathBuf::new(), Look::Closely)];
    while let Some((folder, look)) = folders.pop() {
        let look = match links.contains(folder.as_os_str().as_bytes()) {
            true => Look::ForTraps,
            false => look,
        };
        folders.extend(look_into(root, &folder, look, &mut unfit));
    }
    unfit.nested.sort();
    unfit.special.sort();
    unfit
}

/// Looks into one folder; answers the folders in it that are to be looked into.
fn look_into(root: &Path, folder: &Path, mut look: Look, unfit: &mut Unfit) -> Vec<(PathBuf, Look)> {
    let is_root = folder.as_os_str().is_empty();
    let entries = match fs::read_dir(root.join(folder)).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => {
            if look == Look::Closely {
                unfit.untaken.push(Untaken {
                    path: bytes(folder),
                    why: error.to_string(),
                });
            }
            return Vec::new();
        }
    };
    let nested = entries.iter().any(|entry| is_dot_git(entry.file_name().as_bytes()));
    if nested && !is_root && look == Look::Closely {
        unfit.nested.push(bytes(folder));
        look = Look::ForTraps;
    }
    let mut below = Vec::new();
    for entry in entries {
        let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
        // The clone's own is the agent's business, and git never walks there.
        let Ok(kind) = entry.file_type() else { continue };
        if is_root && name.as_bytes() == b".git" {
            continue;
        }
        let reserved = is_dot_git(name.as_bytes());
        if reserved && look == Look::Closely {
            unfit.untaken.push(Untaken {
                path: bytes(&path),
                why: "git keeps this name for itself".to_string(),
            });
        }
        if kind.is_dir() {
            below.push((path, if reserved { Look::ForTraps } else { look }));
        } else if !kind.is_file() && !kind.is_symlink() {
            if name.as_bytes().starts_with(b".git") {
                // Git would open it and wait for ever. A pipe holds no work; one
                // that cannot be removed shows as a git that is never done.
                drop(fs::remove_file(entry.path()));
            }
            if look == Look::Closely && !reserved {
                unfit.special.push(bytes(&path));
            }
        }
    }
    below
}

fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}
