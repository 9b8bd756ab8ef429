//! Stages plain edits in this process, without starting git.
//!
//! Most turns edit some plain files, and for those git's work is little: their
//! contents are named, the folders above them are named, and both are packed.
//! Whatever is not as plain as that, such as files that attributes convert or
//! names git might refuse, is left to git as a whole.

use super::{
    changes::Changes,
    error::Error,
    folder::unique,
    index::{Edits, Index, NewEntry, folders_above, mode_of, stat_of},
    names, pack,
    refs::RefUpdate,
    stage::Present,
    walk::{Conversion, Skipped},
    workspaces::Workspaces,
};
use gix_hash::ObjectId;
use gix_index::{entry::Mode, validate::path::component};
use gix_object::{FindExt as _, Kind, Tree, Write as _, tree};
use gix_odb::memory::{Proxy, Storage};
use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        fs::OpenOptionsExt as _,
    },
    path::{Path, PathBuf},
};
use trueup_core::id::TreeId;

/// How many bytes are taken without git. It holds less of a file at a time.
const SIZE_LIMIT: u64 = 16_000_000;

/// Objects that are there, and those that are only in memory yet.
type Objects = Proxy<gix_odb::Handle>;

/// What was staged, and is not written anywhere yet.
struct Prepared {
    edits: Edits,
    tree: ObjectId,
    objects: Storage,
    skipped: Vec<Skipped>,
}

impl Workspaces {
    /// Stages what changed, and keeps the index that knows it; `None` if that
    /// is left to git, and then nothing has happened.
    pub(super) fn stage_plain(
        &self,
        work: &Path,
        kept: &Path,
        (index, changes): (&Index, &Changes),
        name: &str,
    ) -> Result<Option<(TreeId, Vec<Skipped>)>, Error> {
        if changes.conversion != Conversion::Never || self.lfs().is_used() {
            return Ok(None);
        }
        let results = self.state.results();
        let Some(prepared) = prepare(work, index, changes, &results.join("objects")) else {
            return Ok(None);
        };
        let tree = prepared.tree.to_string();
        let working = kept.with_file_name(unique("index.working"));
        write(&working, &index.edited(&prepared.edits, prepared.tree)?).map_err(Error::at(&working))?;
        let update = RefUpdate::begin(&results, name, &tree);
        let mut beside: Vec<PathBuf> = vec![working.clone()];
        beside.extend(update.file().map(Path::to_owned));
        let quarantine = self.quarantine()?;
        if !prepared.objects.is_empty() {
            pack::write(&prepared.objects, index.hash(), &quarantine.packs()?)?;
        }
        quarantine.release(&beside)?;
        update.end(&self.results())?;
        // Should this name be lost, the index of an earlier turn is found, which is as good.
        fs::rename(&working, kept).map_err(Error::at(kept))?;
        // The snapshot is on disk already; packs that cannot be joined now are joined later.
        drop(pack::join(&self.results(), &results.join("objects")));
        Ok(Some((TreeId::new(tree), prepared.skipped)))
    }
}

/// Reads what lies there now. `None` for what is left to git; so is whatever
/// cannot be read, because git says why.
fn prepare(work: &Path, index: &Index, changes: &Changes, objects: &Path) -> Option<Prepared> {
    let base = index.tree()?;
    let present = Present::of(work, changes.paths.iter().cloned());
    let is_new = |path: &&Vec<u8>| !changes.prior.contains_key(*path);
    let new: Vec<&[u8]> = present.files.iter().filter(is_new).map(Vec::as_slice).collect();
    let staged = index.staged().map(|staged| staged.path);
    if !new.iter().all(|path| is_plain(path))
        || (!new.is_empty() && !names::new_twins(staged.chain(new.iter().copied()), &new).is_empty())
    {
        return None;
    }
    let objects = Objects::new(gix_odb::at(objects, index.hash()).ok()?, index.hash());
    let mut edits = Edits::new();
    let mut room = SIZE_LIMIT;
    for path in &present.files {
        edits.insert(path.clone(), Some(read_entry(work, path, index, &objects, &mut room)?));
    }
    edits.extend(
        present
            .missing
            .into_iter()
            .chain(present.replaced)
            .map(|path| (path, None)),
    );
    if clash(index, &edits, &new) {
        return None;
    }
    let tree = edited_tree(base, index, &edits, &objects)?;
    Some(Prepared {
        edits,
        tree,
        objects: objects.reset_object_memory()?,
        skipped: present.skipped,
    })
}

/// Reads a file and keeps it in memory, unless it is what was staged.
fn read_entry(work: &Path, path: &[u8], index: &Index, objects: &Objects, room: &mut u64) -> Option<NewEntry> {
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
    // A content that was made to have the name of another is refused here.
    let id = gix_object::compute_hash(index.hash(), Kind::Blob, &body).ok()?;
    if index.find(path).is_none_or(|prior| prior.id() != id) {
        objects.write_buf_with_known_id(Kind::Blob, &body, id).ok()?;
    }
    Some(NewEntry {
        stat: stat_of(&about),
        mode: mode_of(&about),
        id,
    })
}

/// Reads a file that is this long, or one byte more to see that it is not.
fn read(file: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    File::open(file)?.take(length + 1).read_to_end(&mut body)?;
    Ok(body)
}

/// Whether something new stands for a file where others need a folder.
fn clash(index: &Index, edits: &Edits, new: &[&[u8]]) -> bool {
    let stays = |path: &[u8]| match edits.get(path) {
        Some(edit) => edit.is_some(),
        None => index.position(path).is_ok(),
    };
    let holds = |folder: &[u8]| {
        let below = index.below(folder).filter_map(|number| u32::try_from(number).ok());
        below
            .filter_map(|number| index.nth(number))
            .any(|staged| stays(staged.path))
    };
    new.iter().any(|path| holds(path) || folders_above(path).any(stays))
}

/// The tree of everything that is staged then; trees that are new are kept in
/// memory.
fn edited_tree(base: ObjectId, index: &Index, edits: &Edits, objects: &Objects) -> Option<ObjectId> {
    let mut buffer = Vec::new();
    let root: Tree = objects.find_tree(&base, &mut buffer).ok()?.into();
    let mut editor = tree::Editor::new(root, objects, index.hash());
    for path in edits.iter().filter(|(_, edit)| edit.is_none()).map(|(path, _)| path) {
        editor.remove(path.split(|byte| *byte == b'/')).ok()?;
    }
    for (path, edit) in edits {
        let Some(NewEntry { mode, id, .. }) = edit else {
            continue;
        };
        let names = path.split(|byte| *byte == b'/');
        editor.upsert(names, kind(*mode)?, *id).ok()?;
    }
    let written = editor.write(|tree| {
        let mut tree = tree.clone();
        // As git does from an index, which knows no other modes.
        for entry in &mut tree.entries {
            entry.mode = entry.mode.kind().into();
        }
        objects.write(&tree)
    });
    written.ok()
}

fn kind(mode: Mode) -> Option<tree::EntryKind> {
    Some(mode.to_tree_entry_mode()?.kind())
}

/// Whether git takes this name without a thought: nothing in it looks like
/// `.git` to any file system.
fn is_plain(path: &[u8]) -> bool {
    let options = component::Options {
        protect_windows: false,
        protect_hfs: true,
        protect_ntfs: true,
    };
    path.split(|byte| *byte == b'/').all(|name| {
        let lower = name.to_ascii_lowercase();
        let looks_reserved = lower.starts_with(b".git") || lower.starts_with(b"git~");
        let is_readable = !name.iter().any(|byte| matches!(byte, 0..b' ' | 0x7f | b'\\' | b':'));
        let is_valid = gix_index::validate::path::component(name.into(), None, options).is_ok();
        is_valid && is_readable && std::str::from_utf8(name).is_ok() && (!looks_reserved || name == b".gitignore")
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
        for name in ["a", "src/lib.rs", ".gitignore", "deep/.gitignore", "a b", "\u{e9}"] {
            assert!(is_plain(name.as_bytes()), "{name}");
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
            ".gitmodules",
            "a\nb",
            ".github2",
            ".g\u{200c}it",
        ] {
            assert!(!is_plain(name.as_bytes()), "{name}");
        }
        assert!(!is_plain(b"\xff"));
    }
}
