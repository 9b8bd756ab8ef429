//! Packs: one for what a snapshot found new, and one in place of many.
//!
//! A pack is two files however many objects it holds, so that a snapshot is on
//! disk after few flushes. But git looks through each pack for every object, so
//! from time to time git makes one of the small ones.

use super::{error::Error, folder::sync_all, git::Git, output::text};
use gix_hash::Kind;
use gix_object::Data;
use gix_odb::memory::Storage;
use gix_pack::{
    Bundle,
    bundle::write::Options,
    data::{Version, input},
};
use gix_utils::progress::Discard;
use std::{
    fmt::Display,
    fs,
    io::Cursor,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// From so many packs on the small ones become one.
const MANY: usize = 40;

/// How large a pack may be to be joined with others.
const SMALL: u64 = 4_000_000;

/// Where the first object of a pack begins.
const HEADER: u64 = 12;

/// Packs these objects into a folder. Nothing is on disk yet.
pub(super) fn write(objects: &Storage, hash: Kind, folder: &Path) -> Result<(), Error> {
    let mut sorted: Vec<_> = objects.iter().collect();
    sorted.sort_unstable_by_key(|(id, _)| **id);
    let mut offset = HEADER;
    let entries = sorted.into_iter().map(|(_, (kind, data))| {
        let object = Data {
            kind: *kind,
            object_hash: hash,
            data,
        };
        let entry = input::Entry::from_data_obj(&object, offset, gix_zlib::Compression::BEST_SPEED)?;
        offset += entry.bytes_in_pack();
        Ok(entry)
    });
    let mut pack = Cursor::new(Vec::new());
    for entry in input::EntriesToBytesIter::new(entries, &mut pack, Version::V2, hash) {
        entry.map_err(unclear)?;
    }
    let options = Options {
        thread_limit: Some(1),
        // It was written just now, by nobody else.
        iteration_mode: input::Mode::AsIs,
        ..Options::default()
    };
    Bundle::write_to_directory(
        &mut pack.get_ref().as_slice(),
        Some(folder),
        &mut Discard,
        &AtomicBool::new(false),
        None::<gix_object::find::Never>,
        hash,
        options,
    )
    .map_err(unclear)?;
    Ok(())
}

fn unclear(error: impl Display) -> Error {
    Error::unclear("pack", error.to_string().as_bytes())
}

/// Makes one pack of the small ones among these objects, if there are many.
/// Whoever reads one meanwhile looks again and finds the new one, as with any
/// tidying of git's own.
pub(super) fn join(git: &Git, objects: &Path) -> Result<(), Error> {
    let folder = objects.join("pack");
    let small = small(&folder);
    if small.len() < 2 {
        return Ok(());
    }
    let names = small.iter().filter_map(|path| path.file_name()?.to_str());
    let names: String = names.flat_map(|name| [name, "\n"]).collect();
    let place = folder.join("pack");
    let place = place.to_string_lossy();
    let arguments = ["pack-objects", "--quiet", "--stdin-packs", "--window=0", &place];
    let joined = format!("pack-{}", text(&git.feed(&arguments, names.as_bytes())?));
    sync_all(std::slice::from_ref(&folder))?;
    crate::crash::point("packs.joined");
    for path in small
        .iter()
        .filter(|path| path.file_stem().is_none_or(|name| *name != *joined))
    {
        // Without its index a pack is not looked at, and is tidied away by git.
        for kind in ["idx", "rev", "pack"] {
            drop(fs::remove_file(path.with_extension(kind)));
        }
    }
    Ok(())
}

/// The small packs of a folder that git has not marked in any way; none where
/// there are not many.
fn small(folder: &Path) -> Vec<PathBuf> {
    let Ok(listed) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = listed.flatten().map(|entry| entry.path());
    let mut small: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "pack"))
        .collect();
    if small.len() < MANY {
        return Vec::new();
    }
    let is_marked = |path: &PathBuf| {
        let marks = ["keep", "promisor", "mtimes", "bitmap"];
        marks.iter().any(|mark| path.with_extension(mark).exists())
    };
    small.retain(|path| fs::metadata(path).is_ok_and(|about| about.len() <= SMALL) && !is_marked(path));
    small
}
