//! Takes what changed in a workspace without starting git.
//!
//! Most turns edit some plain files, and for those git's work is little: their
//! contents are named, the folders above them are named, and both are packed.
//! Whatever is not as plain as that, such as files that attributes convert or
//! names git might refuse, is left to git as a whole.

use super::{
    Error, Workspaces, folder,
    index::{Index, Known, hex, mode},
    names,
    object::{Format, Kind, Pack, Written},
    packs,
    quarantine::sync_all,
    refs::Pointing,
    restage,
    restage::{Entry, Outcome, Restaged},
    snapshot::Changes,
    take::{Changed, Untaken},
    walk::Conversion,
};
use crate::crash;
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        fs::OpenOptionsExt as _,
    },
    path::Path,
};
use trueup_core::id::TreeId;

/// How many bytes are taken without git. It holds less of a file at a time.
const LIMIT: u64 = 16_000_000;

/// What was taken, and is in nobody's hands yet.
struct Taken {
    outcome: Outcome,
    pack: Pack,
    untaken: Vec<Untaken>,
}

impl Workspaces {
    /// Takes what changed, and keeps the index that knows it; `None` if that
    /// is left to git, and then nothing has happened.
    pub(super) fn take_quickly(
        &self,
        work: &Path,
        kept: &Path,
        (index, changes): (&Index, &Changes),
        name: &str,
    ) -> Result<Option<(TreeId, Vec<Untaken>)>, Error> {
        let format = Format::of(&self.person.object_format);
        let (Some(format), Conversion::Never, false) = (format, changes.conversion, self.lfs().is_used()) else {
            return Ok(None);
        };
        let Some(taken) = take(work, index, changes, format) else {
            return Ok(None);
        };
        let Taken { outcome, pack, untaken } = taken;
        let (results, tree) = (self.state.results(), TreeId::new(hex(&outcome.tree)));
        let working = kept.with_file_name(folder::unique("index.working"));
        write(&working, &outcome.index).map_err(Error::at(&working))?;
        let pointing = Pointing::begin(&results, name, tree.as_str());
        let mut files = vec![working.clone()];
        files.extend(pointing.file().map(Path::to_owned));
        let written = match pack.is_empty() {
            true => None,
            false => Some(pack.write(&results.join("objects"))?),
        };
        files.extend(written.iter().flat_map(Written::files).cloned());
        sync_all(&files)?;
        crash::point("pack.flushed");
        if let Some(written) = written {
            written.release()?;
        }
        pointing.end(&self.results())?;
        // Should this name be lost, the index of an earlier turn is found, which is as good.
        fs::rename(&working, kept).map_err(Error::at(kept))?;
        // The snapshot is on disk already; packs that cannot be joined now are joined later.
        drop(packs::join(&results.join("objects"), format));
        Ok(Some((tree, untaken)))
    }
}

/// Stages what lies there now. `None` for what is left to git; so is whatever
/// cannot be read, because git says why.
fn take(work: &Path, index: &Index, changes: &Changes, format: Format) -> Option<Taken> {
    let changed = Changed::of(work, changes.paths.iter().cloned());
    let mut new: Vec<&[u8]> = Vec::new();
    for path in &changed.present {
        if !changes.were.contains_key(path) {
            new.push(path);
        }
    }
    if !new.iter().all(|path| is_plain(path)) {
        return None;
    }
    let staged = index.staged().map(|staged| staged.path);
    if !new.is_empty() && !names::new_twins(staged.chain(new.iter().copied()), &new).is_empty() {
        return None;
    }
    let mut pack = Pack::new(format);
    let mut restaged = Restaged::new();
    let mut room = LIMIT;
    for path in &changed.present {
        let entry = enter(work, path, index, &mut pack, &mut room)?;
        restaged.insert(path.clone(), Some(entry));
    }
    restaged.extend(changed.missing.into_iter().chain(changed.gone).map(|path| (path, None)));
    let outcome = restage::restage(index, &restaged, &mut pack)?;
    Some(Taken {
        outcome,
        pack,
        untaken: changed.untaken,
    })
}

/// Reads a file and packs it, unless it is what was staged.
fn enter(work: &Path, path: &[u8], index: &Index, pack: &mut Pack, room: &mut u64) -> Option<Entry> {
    let file = work.join(OsStr::from_bytes(path));
    let about = fs::symlink_metadata(&file).ok()?;
    *room = room.checked_sub(about.len())?;
    let body = if about.is_symlink() {
        fs::read_link(&file).ok()?.into_os_string().into_vec()
    } else {
        read(&file, about.len()).ok()?
    };
    // What changes while it is read is not known well enough.
    if u64::try_from(body.len()).ok()? != about.len() {
        return None;
    }
    let mode = mode(&about);
    let object = pack.format().name(Kind::Blob, &body)?;
    let same = index.find(path).is_some_and(|was| was.object_bytes() == object);
    if !same {
        pack.add(Kind::Blob, &body)?;
    }
    Some(Entry {
        known: Known::new(path, &about),
        mode,
        object,
    })
}

/// Reads a file that is this long, or one byte more to see that it is not.
fn read(file: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    File::open(file)?.take(length + 1).read_to_end(&mut body)?;
    Ok(body)
}

/// Whether git takes this name without a thought: nothing in it looks like
/// `.git` to any file system.
fn is_plain(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').all(|name| {
        let lower = name.to_ascii_lowercase();
        let looks_reserved = lower.starts_with(b".git") || lower.starts_with(b"git~");
        let is_a_word = !matches!(name, b"" | b"." | b"..");
        let is_readable = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'\\' | b':');
        is_a_word && (!looks_reserved || name == b".gitignore") && name.iter().all(is_readable)
    })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn a_name_that_git_might_refuse_is_left_to_git() {
        for name in ["a", "src/lib.rs", ".gitignore", "deep/.gitignore", "a b", ".github2"] {
            assert_eq!(is_plain(name.as_bytes()), name != ".github2", "{name}");
        }
        for name in [
            "",
            ".",
            "a/../b",
            "a//b",
            ".GIT",
            "git~1",
            "a\\b",
            "a:b",
            "\u{e9}",
            ".gitmodules",
            "a\nb",
        ] {
            assert!(!is_plain(name.as_bytes()), "{name}");
        }
    }
}
