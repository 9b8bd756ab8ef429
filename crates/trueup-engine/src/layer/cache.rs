//! What a check left in a room of the base, for later rooms to start from.

use super::{FolderPlace, Layer, Layers, key::cache_key, prepare::touch, real_folder::real_folder};
use crate::{blocking::blocking, halt::Halt, workspace::Room};
use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};
use trueup_core::{
    criterion::{Check, Execution},
    effect::Verify,
    ground::{Caches, Warmth},
};

/// The file that says how late anything in a cache was written.
const NEWEST: &str = "newest";

/// How long a clock is waited for that stands behind a cache's.
const CLOCK_LIMIT: Duration = Duration::from_secs(5);

/// What the cache of one check means for one room.
#[derive(Clone, Debug)]
pub(crate) enum Cached {
    /// The room starts from nothing, and nothing is kept.
    Nothing,
    /// The room starts from nothing, and what it leaves is kept there.
    Fill(PathBuf),
    /// The room starts from these folders.
    Use(Vec<(PathBuf, FolderPlace)>),
}

impl Cached {
    /// Whether what is seen in the room rests on a cache.
    pub(crate) const fn warmth(&self) -> Warmth {
        match self {
            Self::Nothing | Self::Fill(_) => Warmth::Cold,
            Self::Use(_) => Warmth::Warm,
        }
    }
}

impl Layers {
    /// What the cache of a check means for a room of this wish.
    pub(crate) fn cached(&self, wish: &Verify, check: &Check, execution: &Execution, layers: &[Layer]) -> Cached {
        if execution.cache.is_empty() || wish.caches == Caches::Leave {
            return Cached::Nothing;
        }
        // What is laid under a base is laid before its caches are asked for.
        let Some(base) = self.bases.known(&wish.base) else {
            return Cached::Nothing;
        };
        let key = cache_key(check, &base, self.sandbox.isolation(), layers);
        let place = self.state.caches().join(key.as_str());
        if place.is_dir() {
            // Housekeeping removes what was not used for long.
            drop(touch(&place));
            return Cached::Use(super::folders(&place, &execution.cache));
        }
        match wish.caches {
            // Only what ran on the base itself may warm anybody else.
            Caches::Fill if wish.tree == wish.base => Cached::Fill(place),
            Caches::Fill | Caches::Use | Caches::Leave => Cached::Nothing,
        }
    }

    /// Waits until what is written now is later than everything in the caches:
    /// builders believe an older file over a newer cache, whatever it holds.
    pub(crate) async fn wait_until_later(&self, cached: &Cached) -> Result<(), Halt> {
        let Cached::Use(folders) = cached else { return Ok(()) };
        let Some(cache) = folders.first().and_then(|(folder, _)| folder.parent()) else {
            return Ok(());
        };
        let (cache, room) = (cache.to_owned(), self.beside("clock")?);
        Ok(blocking(move || later_than(newest_of(&cache)?, room.path())).await?)
    }

    /// Keeps what a check left on the base. What cannot be kept is no loss but time.
    pub(crate) async fn fill(&self, cached: &Cached, execution: &Execution, room: &Room) -> Result<(), Halt> {
        let Cached::Fill(place) = cached else { return Ok(()) };
        let (place, paths, from) = (place.clone(), execution.cache.clone(), room.path().to_owned());
        let aside = self.beside("cache")?;
        Ok(blocking(move || keep(&paths, &from, aside, &place)).await?)
    }
}

fn keep(paths: &[String], from: &Path, aside: Room, place: &Path) -> io::Result<()> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for (count, path) in paths.iter().enumerate() {
        let Some(left) = real_folder(from, Path::new(path))? else {
            return Ok(());
        };
        let target = aside.path().join(count.to_string());
        fs::rename(left, &target)?;
        newest = newest.max(newest_below(&target)?);
    }
    if newest > SystemTime::now() {
        // Files of the future would outdate every later checkout.
        return Ok(());
    }
    let since = newest
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_err(io::Error::other)?;
    fs::write(aside.path().join(NEWEST), since.as_nanos().to_string())?;
    crate::write::sync_all_round(aside.path())?;
    match aside.move_to(place) {
        // Another process was first with the same.
        Err(_) if place.is_dir() => Ok(()),
        moved => moved,
    }
}

fn newest_below(folder: &Path) -> io::Result<SystemTime> {
    let mut newest = fs::metadata(folder)?.modified()?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        newest = newest.max(about.modified()?);
        if about.is_dir() {
            newest = newest.max(newest_below(&entry.path())?);
        }
    }
    Ok(newest)
}

fn newest_of(cache: &Path) -> io::Result<SystemTime> {
    let text = fs::read_to_string(cache.join(NEWEST))?;
    let nanoseconds: u64 = text.trim().parse().map_err(io::Error::other)?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds))
}

/// Returns when a file that is written in `folder` has a later time. Clocks of
/// file systems stand still for a while between two ticks.
fn later_than(moment: SystemTime, folder: &Path) -> io::Result<()> {
    let until = std::time::Instant::now() + CLOCK_LIMIT;
    loop {
        let path = folder.join("now");
        fs::write(&path, "now")?;
        if fs::metadata(&path)?.modified()? > moment {
            return Ok(());
        }
        if std::time::Instant::now() > until {
            return Err(io::Error::other("the clock stands behind the time of the caches"));
        }
        thread::sleep(Duration::from_millis(2));
    }
}
