//! Snapshots of an overlay from outside its veil.
//!
//! What an agent wrote behind a veil lies in one folder, its upper layer, and
//! everything else is as the base has it. So only that folder is looked
//! through, and no process is started for which the veil would be laid. What
//! is not as plain as that is left to such a process.

use super::{
    changes::{Changes, findings},
    error::Error,
    index::{Compared, Index, folders_above},
    snapshot::Snapshot,
    walk::{Conversion, Untracked, WalkReport, is_attributes_file, is_dot_git},
    workspaces::Workspaces,
};
use crate::sandbox::Veil;
use rustix::{fs::lgetxattr, io::Errno};
use std::{
    cmp::Ordering,
    collections::HashSet,
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{FileTypeExt as _, MetadataExt as _},
    },
    path::{Path, PathBuf},
};
use trueup_core::id::RunId;

/// How an overlay marks a folder that hides what lies under it.
const OPAQUE: &str = "user.overlay.opaque";

/// What the upper layer of a veil holds.
#[derive(Debug, Default)]
struct Layer {
    files: Vec<File>,
    /// Paths below which, and at which, nothing of the base is seen.
    hidden: Vec<Vec<u8>>,
}

/// A file or link of the layer.
#[derive(Debug)]
struct File {
    path: Vec<u8>,
    about: fs::Metadata,
    untracked_folder: Option<usize>,
}

/// A folder of the layer.
struct Folder {
    path: Vec<u8>,
    /// How much of it is the outermost folder in which nothing is staged.
    untracked_folder: Option<usize>,
}

impl Workspaces {
    /// Snapshots an overlay by its upper layer; `None` if that takes
    /// somebody who sees through the veil, and then nothing has happened.
    pub(super) fn snapshot_overlay(&self, veil: &Veil, run: &RunId, name: &str) -> Result<Option<Snapshot>, Error> {
        let [under] = veil.under.as_slice() else {
            return Ok(None);
        };
        let kept = self.index_of(run)?;
        let hash = self.person.hash()?;
        let index = Index::read(&kept, hash)?;
        let base = Index::read(&under.with_file_name("index"), hash)?;
        let upper = veil.upper();
        let found = Layer::read(&upper, &index).and_then(|layer| layer.against(&index, &base));
        let Some(found) = found.filter(|found| found.conversion == Conversion::Never) else {
            return Ok(None);
        };
        let present: Vec<bool> = (0..index.len()).map(|number| found.has(number)).collect();
        let ignore_file = |folder: &[u8]| place_of(&upper, under, (&index, &present), &within(folder, b".gitignore"));
        let (changes, unsupported) = Changes::of(&index, found, &ignore_file);
        let staged = self.stage_without_git(&upper, &kept, (&index, &changes), name)?;
        Ok(staged.map(|(tree, skipped)| Snapshot {
            tree,
            findings: findings(unsupported, skipped),
        }))
    }
}

impl Layer {
    /// Looks through an upper layer; `None` if something in it is not plain.
    fn read(upper: &Path, index: &Index) -> Option<Self> {
        let mut layer = Self::default();
        let mut folders = vec![Folder {
            path: Vec::new(),
            untracked_folder: None,
        }];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(upper.join(OsStr::from_bytes(&folder.path))).ok()? {
                let entry = entry.ok()?;
                let (name, path) = (entry.file_name(), within(&folder.path, entry.file_name().as_bytes()));
                if is_dot_git(name.as_bytes()) {
                    // The clone's own is the agent's business; others are looked at with care.
                    if folder.path.is_empty() && name == ".git" {
                        continue;
                    }
                    return None;
                }
                folders.extend(layer.add(&entry, path, folder.untracked_folder, index)?);
            }
        }
        Some(layer)
    }

    /// Adds one thing; answers it if it is to be looked into.
    fn add(
        &mut self,
        entry: &fs::DirEntry,
        path: Vec<u8>,
        untracked_folder: Option<usize>,
        index: &Index,
    ) -> Option<Option<Folder>> {
        let about = entry.metadata().ok()?;
        if about.is_dir() {
            if is_opaque(&entry.path())? {
                self.hidden.push(path.clone());
            }
            let untracked_folder = untracked_folder.or_else(|| index.below(&path).is_empty().then_some(path.len()));
            return Some(Some(Folder { path, untracked_folder }));
        }
        if about.is_file() || about.is_symlink() {
            self.files.push(File {
                path,
                about,
                untracked_folder,
            });
        } else if about.file_type().is_char_device() && about.rdev() == 0 {
            self.hidden.push(path);
        } else {
            return None;
        }
        Some(None)
    }

    /// What is seen through the veil, against what is staged. `None` if what
    /// is staged does not come from the layer and the base alone.
    fn against(self, index: &Index, base: &Index) -> Option<WalkReport> {
        let mut seen = vec![true; index.len()];
        let mut own = vec![false; index.len()];
        let hiding = self.files.iter().map(|file| &file.path).chain(&self.hidden);
        for path in hiding.clone() {
            seen.get_mut(index.below(path))?.fill(false);
            if let Ok(number) = index.position(path) {
                *seen.get_mut(number)? = false;
            }
        }
        for file in &self.files {
            if let Ok(number) = index.position(&file.path) {
                *own.get_mut(number)? = true;
            }
        }
        let hiding: HashSet<&[u8]> = hiding.map(Vec::as_slice).collect();
        agree(index, base, &mut seen, &own, &hiding)?;
        seen.iter_mut().zip(&own).for_each(|(seen, own)| *seen |= own);
        let mut found = WalkReport::among(seen);
        let mut paths = index.staged().map(|staged| staged.path);
        let mut mine = self.files.iter().map(|file| file.path.as_slice());
        if paths.any(is_attributes_file) || mine.any(is_attributes_file) {
            found.conversion = Conversion::Possible;
        }
        for File {
            path,
            about,
            untracked_folder,
        } in self.files
        {
            let Ok(number) = index.position(&path) else {
                found.untracked.push(Untracked::new(path, untracked_folder));
                continue;
            };
            let number = u32::try_from(number).ok()?;
            match index.compare(&index.nth(number)?, &about) {
                Compared::Same => {}
                Compared::Differs | Compared::RacyClean => found.differing.push(number),
            }
        }
        Some(found)
    }
}

/// Whether all that is staged and lies not in the layer is the base's. What
/// an earlier turn added and this one took away is seen no more.
fn agree(index: &Index, base: &Index, seen: &mut [bool], own: &[bool], hiding: &HashSet<&[u8]>) -> Option<()> {
    let (mut staged, mut under) = (index.staged().zip(0_usize..).peekable(), base.staged().peekable());
    loop {
        let order = match (staged.peek(), under.peek()) {
            (None, None) => return Some(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((one, _)), Some(other)) => one.path.cmp(other.path),
        };
        match order {
            Ordering::Less => {
                let (_, number) = staged.next()?;
                *seen.get_mut(number)? = false;
            }
            Ordering::Equal => {
                let ((one, number), other) = (staged.next()?, under.next()?);
                if !one.is_same(&other) && *seen.get(number)? && !*own.get(number)? {
                    return None;
                }
            }
            Ordering::Greater => {
                let path = under.next()?.path;
                if !hiding.contains(path) && !folders_above(path).any(|folder| hiding.contains(folder)) {
                    return None;
                }
            }
        }
    }
}

/// Where a file lies that is seen through the veil under this path.
fn place_of(upper: &Path, under: &Path, (index, present): (&Index, &[bool]), path: &[u8]) -> Option<PathBuf> {
    let own = upper.join(OsStr::from_bytes(path));
    match fs::symlink_metadata(&own) {
        Ok(about) => (!about.file_type().is_char_device()).then_some(own),
        Err(_) => {
            let number = index.position(path).ok()?;
            present.get(number)?.then(|| under.join(OsStr::from_bytes(path)))
        }
    }
}

/// Whether a folder hides what lies under it; `None` if it is marked in a way
/// that is not known here.
fn is_opaque(folder: &Path) -> Option<bool> {
    let mut value = [0_u8; 8];
    match lgetxattr(folder, OPAQUE, &mut value) {
        Ok(1) if value.first() == Some(&b'y') => Some(true),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Some(false),
        Ok(_) | Err(_) => None,
    }
}

fn within(folder: &[u8], name: &[u8]) -> Vec<u8> {
    match folder {
        b"" => name.to_vec(),
        _ => [folder, b"/", name].concat(),
    }
}
