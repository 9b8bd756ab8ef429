//! What a walk found, sorted into what is taken, what is ignored, and what an
//! agent is told was left out.

use super::{
    error::Error,
    git::Git,
    ignore::{IgnoreFile, Ignores, PathKind},
    index::{Index, Staged, folders_above},
    lfs::Pointer,
    objects::small_blobs,
    walk::{Conversion, Skipped, Unsupported, WalkReport, is_dot_git},
};
use std::collections::{HashMap, HashSet};
use trueup_core::turn::Finding;

/// How many findings an agent is told one by one.
const FINDING_LIMIT: usize = 50;

/// How many characters of a path are told.
const LONGEST_SHOWN: usize = 200;

/// The files that may differ, as the index had them.
pub(super) type PriorEntries = HashMap<Vec<u8>, PriorEntry>;

/// A file that may differ, as the index had it.
#[derive(Debug)]
pub(super) struct PriorEntry {
    /// Its object.
    pub(super) object: Vec<u8>,
    /// The mode git gives it now, where git was asked.
    pub(super) mode: Option<String>,
}

/// What is to be taken into an index.
pub(super) struct Changes {
    /// Where something may have changed.
    pub(super) paths: Vec<Vec<u8>>,
    /// Entries whose times git must forget, or it would not look.
    pub(super) to_forget: Vec<u8>,
    /// What was staged under paths that may have changed.
    pub(super) prior: PriorEntries,
    /// Whether git may convert files.
    pub(super) conversion: Conversion,
}

impl Changes {
    /// Sorts what was found into what can be taken and what cannot.
    pub(super) fn of(index: &Index, mut found: WalkReport, ignore_file: IgnoreFile<'_>) -> (Self, Unsupported) {
        let links: HashSet<Vec<u8>> = index
            .staged()
            .filter(Staged::is_link)
            .map(|staged| staged.path.to_vec())
            .collect();
        let nested: HashSet<Vec<u8>> = found.unsupported.nested.iter().cloned().collect();
        let skip = |path: &[u8]| is_within(path, &nested) || is_within(path, &links) || is_reserved(path);
        found.untracked.retain(|untracked| !skip(&untracked.path));
        let mut changes = Self {
            paths: Vec::new(),
            to_forget: Vec::new(),
            prior: PriorEntries::new(),
            conversion: found.conversion,
        };
        let missing = found.missing(index);
        let tracked = found.differing.iter().chain(&missing);
        for staged in tracked.filter_map(|number| index.nth(*number)) {
            if !skip(staged.path) {
                changes.add(&staged);
            }
        }
        let racy = found.racy_clean.iter().filter_map(|number| index.nth(*number));
        changes.to_forget.extend(racy.flat_map(|staged| staged.anew()));
        let unsupported = changes.add_untracked(found, Ignores::of(ignore_file));
        changes.paths.sort();
        (changes, unsupported)
    }

    /// Adds what is not staged and not ignored. Where nothing in a folder is
    /// staged the folder is asked for first: what lies in an ignored one need
    /// not be asked for.
    fn add_untracked(&mut self, found: WalkReport, mut ignores: Ignores<'_>) -> Unsupported {
        let WalkReport {
            mut unsupported,
            untracked,
            ..
        } = found;
        unsupported
            .nested
            .retain(|path| !ignores.ignores(path, PathKind::Folder));
        unsupported
            .special
            .retain(|path| !ignores.ignores(path, PathKind::File));
        let mut folders: HashMap<Vec<u8>, bool> = HashMap::new();
        for untracked in untracked {
            if let Some(folder) = untracked.untracked_folder() {
                let is_ignored = match folders.get(folder) {
                    Some(known) => *known,
                    None => {
                        let is_ignored = ignores.ignores(folder, PathKind::Folder);
                        folders.insert(folder.to_vec(), is_ignored);
                        is_ignored
                    }
                };
                if is_ignored {
                    continue;
                }
            }
            if !ignores.ignores(&untracked.path, PathKind::File) {
                self.paths.push(untracked.path);
            }
        }
        unsupported
    }

    /// Where attributes changed, what is a content and what is not may have
    /// changed as well, so every file that is staged as a pointer is taken anew.
    pub(super) fn doubt_contents(&mut self, git: &Git, index: &Index) -> Result<(), Error> {
        let objects: Vec<String> = index.staged().map(|staged| staged.id().to_string()).collect();
        let blobs = small_blobs(git, &objects)?;
        for (staged, object) in index.staged().zip(&objects) {
            let is_pointer = blobs.get(object).is_some_and(|blob| Pointer::read(blob).is_some());
            if is_pointer && !self.prior.contains_key(staged.path) {
                self.add(&staged);
                self.to_forget.extend(staged.anew());
            }
        }
        self.paths.sort();
        Ok(())
    }

    /// Adds a staged file that may have changed.
    fn add(&mut self, staged: &Staged<'_>) {
        self.paths.push(staged.path.to_vec());
        let prior = PriorEntry {
            object: staged.id().to_string().into_bytes(),
            mode: None,
        };
        self.prior.insert(staged.path.to_vec(), prior);
    }
}

/// Whether a path is one of these folders or lies in one.
fn is_within(path: &[u8], folders: &HashSet<Vec<u8>>) -> bool {
    folders.contains(path) || folders_above(path).any(|folder| folders.contains(folder))
}

fn is_reserved(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(is_dot_git)
}

/// What an agent is told of things that were left out. What is ignored would
/// have been left out anyway, and is not told.
pub(super) fn findings(unsupported: Unsupported, skipped: Vec<Skipped>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in &unsupported.nested {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a git repository of its own, so nothing in it was taken. If its files belong to this work, remove `{path}/.git`; if not, remove the folder or add it to .gitignore."
            ),
            path,
        });
    }
    for path in &unsupported.special {
        let path = shown(path);
        findings.push(Finding {
            what: format!(
                "`{path}` is a pipe, socket or device, which git cannot hold, so it was left out. Remove it or add it to .gitignore."
            ),
            path,
        });
    }
    for Skipped { path, reason } in unsupported.skipped.into_iter().chain(skipped) {
        let path = shown(&path);
        findings.push(Finding {
            what: format!("`{path}` was left out: {reason}. Make it readable, rename it or remove it."),
            path,
        });
    }
    let more = findings.len().saturating_sub(FINDING_LIMIT);
    if more > 0 {
        findings.truncate(FINDING_LIMIT);
        findings.push(Finding {
            path: ".".to_string(),
            what: format!("{more} more files and folders were left out for reasons like these."),
        });
    }
    findings
}

/// A path as a person can read it: of one that no screen holds, both ends.
fn shown(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let characters = path.chars().count();
    if characters <= LONGEST_SHOWN {
        return path.into_owned();
    }
    let end = LONGEST_SHOWN / 4;
    let first: String = path.chars().take(LONGEST_SHOWN - end).collect();
    let last: String = path.chars().skip(characters - end).collect();
    format!("{first}…{last}")
}
