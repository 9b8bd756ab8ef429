//! Snapshots of a veiled workspace from outside its veil.
//!
//! What an agent wrote behind a veil lies in one folder, its upper layer, and
//! everything else is as the base has it. So only that folder is looked
//! through, and no process is started for which the veil would be laid. What
//! is not as plain as that is left to such a process.

use super::{
    Error, Snapshot, Workspaces,
    index::{Compared, Index},
    snapshot::{changes, findings, simply_ignored},
    walk::{Conversion, Found, Unknown, is_dot_git, says_how_to_convert},
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
    fresh: Option<usize>,
}

/// A folder of the layer.
struct Folder {
    path: Vec<u8>,
    /// How much of it is the outermost folder in which nothing is staged.
    fresh: Option<usize>,
}

impl Workspaces {
    /// Snapshots a veiled workspace by its upper layer; `None` if that takes
    /// somebody who sees through the veil, and then nothing has happened.
    pub(super) fn snapshot_upper(&self, veil: &Veil, run: &RunId, name: &str) -> Result<Option<Snapshot>, Error> {
        let [under] = veil.under.as_slice() else {
            return Ok(None);
        };
        let kept = self.index_of(run)?;
        let format = &self.person.object_format;
        let index = Index::read(&kept, format)?;
        let base = Index::read(&under.with_file_name("index"), format)?;
        let upper = veil.upper();
        let found = Layer::read(&upper, &index).and_then(|layer| layer.against(&index, &base));
        let Some(found) = found.filter(|found| found.conversion == Conversion::Never) else {
            return Ok(None);
        };
        let listed = |folder: &[u8]| place_of(&upper, under, (&index, &found), &within(folder, b".gitignore"));
        let Some(ignored) = simply_ignored(&listed, &found) else {
            return Ok(None);
        };
        let (changes, unfit) = changes(&index, found, |_| Ok(ignored))?;
        let taken = self.take_without_git(&upper, &kept, (&index, &changes), name)?;
        Ok(taken.map(|(tree, untaken)| Snapshot {
            tree,
            findings: findings(unfit, untaken),
        }))
    }
}

impl Layer {
    /// Looks through an upper layer; `None` if something in it is not plain.
    fn read(upper: &Path, index: &Index) -> Option<Self> {
        let mut layer = Self::default();
        let mut folders = vec![Folder {
            path: Vec::new(),
            fresh: None,
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
                folders.extend(layer.add(&entry, path, folder.fresh, index)?);
            }
        }
        Some(layer)
    }

    /// Adds one thing; answers it if it is to be looked into.
    fn add(
        &mut self,
        entry: &fs::DirEntry,
        path: Vec<u8>,
        fresh: Option<usize>,
        index: &Index,
    ) -> Option<Option<Folder>> {
        let about = entry.metadata().ok()?;
        if about.is_dir() {
            if is_opaque(&entry.path())? {
                self.hidden.push(path.clone());
            }
            let fresh = fresh.or_else(|| index.below(&path).is_empty().then_some(path.len()));
            return Some(Some(Folder { path, fresh }));
        }
        if about.is_file() || about.is_symlink() {
            self.files.push(File { path, about, fresh });
        } else if about.file_type().is_char_device() && about.rdev() == 0 {
            self.hidden.push(path);
        } else {
            return None;
        }
        Some(None)
    }

    /// What is seen through the veil, against what is staged. `None` if what
    /// is staged does not come from the layer and the base alone.
    fn against(self, index: &Index, base: &Index) -> Option<Found> {
        let mut seen = vec![true; index.entries.len()];
        let mut own = vec![false; index.entries.len()];
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
        let mut found = Found::among(seen);
        let mut paths = index.staged().map(|staged| staged.path);
        let mut mine = self.files.iter().map(|file| file.path.as_slice());
        if paths.any(says_how_to_convert) || mine.any(says_how_to_convert) {
            found.conversion = Conversion::Possible;
        }
        for File { path, about, fresh } in self.files {
            let Ok(number) = index.position(&path) else {
                found.unknown.push(Unknown::new(path, fresh));
                continue;
            };
            let number = u32::try_from(number).ok()?;
            match index.compare(&index.nth(number)?, &about) {
                Compared::Same => {}
                Compared::Differs | Compared::Lulled => found.differing.push(number),
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
                let same = one.mode == other.mode && one.object_bytes() == other.object_bytes();
                if !same && *seen.get(number)? && !*own.get(number)? {
                    return None;
                }
            }
            Ordering::Greater => {
                let path = under.next()?.path;
                let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
                let mut above = slashes.filter_map(|(end, _)| path.get(..end));
                if !hiding.contains(path) && !above.any(|folder| hiding.contains(folder)) {
                    return None;
                }
            }
        }
    }
}

/// Where a file lies that is seen through the veil under this path.
fn place_of(upper: &Path, under: &Path, (index, found): (&Index, &Found), path: &[u8]) -> Option<PathBuf> {
    let own = upper.join(OsStr::from_bytes(path));
    match fs::symlink_metadata(&own) {
        Ok(about) => (!about.file_type().is_char_device()).then_some(own),
        Err(_) => {
            let number = index.position(path).ok()?;
            found.sees(number).then(|| under.join(OsStr::from_bytes(path)))
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
