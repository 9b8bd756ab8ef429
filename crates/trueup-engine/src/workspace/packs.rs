//! Many small packs become one.
//!
//! Every turn leaves a pack, and git looks through each of them for every
//! object. So from time to time the small ones are laid one behind the other
//! in a new one, byte for byte; only when that is on disk do they go.

use super::{
    Error,
    object::{Format, Pack},
    quarantine::sync_all,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// So many packs are borne.
const BORNE: usize = 40;

/// How large a pack may be to be laid into another.
const SMALL: u64 = 4_000_000;

/// Joins the small packs of a folder of objects, if there are many. Whoever
/// reads one meanwhile looks again and finds the new one, as with any tidying
/// of git's own.
pub(super) fn join(objects: &Path, format: Format) -> Result<(), Error> {
    let small = small(&objects.join("pack"));
    if small.len() < BORNE {
        return Ok(());
    }
    let mut joined = Pack::new(format);
    let mut within = Vec::new();
    for path in small {
        // One that went meanwhile was joined by somebody else; one that is not
        // understood stays as it is.
        let (Ok(pack), Ok(index)) = (fs::read(&path), fs::read(path.with_extension("idx"))) else {
            continue;
        };
        if joined.lay(&pack, &index).is_some() {
            within.push(path);
        }
    }
    if within.len() < 2 {
        return Ok(());
    }
    let name = joined.write(objects)?;
    sync_all(name.files())?;
    crate::crash::point("packs.joined");
    let place = name.release()?;
    for path in within.iter().filter(|path| **path != place) {
        // Without its index a pack is not looked at, and is tidied away by git.
        drop(fs::remove_file(path.with_extension("idx")));
        drop(fs::remove_file(path));
    }
    Ok(())
}

/// The small packs of a folder that git has not marked in any way, oldest name first.
fn small(folder: &Path) -> Vec<PathBuf> {
    let Ok(listed) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = listed.flatten().map(|entry| entry.path());
    let mut small: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "pack"))
        .collect();
    if small.len() < BORNE {
        return Vec::new();
    }
    let is_marked = |path: &PathBuf| {
        let marks = ["keep", "promisor", "mtimes", "bitmap"];
        marks.iter().any(|mark| path.with_extension(mark).exists())
    };
    small.retain(|path| fs::metadata(path).is_ok_and(|about| about.len() <= SMALL) && !is_marked(path));
    small.sort();
    small
}
