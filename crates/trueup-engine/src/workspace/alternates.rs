//! What an agent's clone borrows: the history of its own base, and nothing
//! of any other.
//!
//! The store holds every base that was ever used, and whoever can read a
//! folder of objects can list all of them. So a clone borrows from folders
//! made for its base alone: one with everything the base brought since an
//! earlier base it grew from, and the folders of that one.

use super::{
    error::Error,
    folder::{self, write},
    workspaces::Workspaces,
};
use std::{fs, path::PathBuf, time::SystemTime};
use trueup_core::id::CommitId;

/// How many folders one clone borrows from at the most; git looks into each.
const MOST_ALTERNATES: usize = 16;

/// How many earlier bases are asked whether this one grew from them.
const ASKED: usize = 32;

/// The file that names the bases whose folders belong to this one's history.
const GREW_FROM: &str = "info/grew-from";

impl Workspaces {
    /// The folders of objects that together hold the history of a base and
    /// nothing else. Made when they are first asked for.
    pub fn alternates(&self, base: &CommitId) -> Result<Vec<PathBuf>, Error> {
        let own = self.alternate_of(base);
        let _held = self.state.hold_alternates().map_err(Error::at(&own))?;
        if !own.is_dir() {
            self.make_alternate(base)?;
        }
        let mut alternates = vec![own];
        alternates.extend(self.grew_from(base).iter().map(|earlier| self.alternate_of(earlier)));
        Ok(alternates)
    }

    /// Packs what a base brought since the latest earlier one; built aside and
    /// renamed, so that it is whole or not there.
    fn make_alternate(&self, base: &CommitId) -> Result<(), Error> {
        let place = self.alternate_of(base);
        let earlier = self.earlier(base)?;
        let aside = folder::Scratch::new(self.state.path(), "lent")?;
        let pack = aside.path().join("pack");
        crate::state::make_private(&pack).map_err(Error::at(&pack))?;
        let mut wanted = format!("{base}\n");
        let mut names = String::new();
        if let Some(earlier) = &earlier {
            wanted += &format!("^{earlier}\n");
            names = format!("{earlier}\n");
            names.extend(self.grew_from(earlier).iter().map(|older| format!("{older}\n")));
        }
        write(&aside.path().join(GREW_FROM), names.as_bytes())?;
        // What was packed well already is copied; nothing is packed anew for a folder so small.
        let name = pack.join("pack");
        let name = name.to_string_lossy();
        let arguments = ["pack-objects", "--quiet", "--revs", "--window=0", &name];
        self.store().feed(&arguments, wanted.as_bytes())?;
        folder::flush(aside.path())?;
        match folder::rename(aside.path(), &place) {
            // Another process may have made the same a moment earlier.
            Err(_) if place.is_dir() => Ok(()),
            done => done.map_err(Error::at(&place)),
        }
    }

    /// The latest base from which this one grew, if its folders are few enough.
    fn earlier(&self, base: &CommitId) -> Result<Option<CommitId>, Error> {
        for known in self.known_bases() {
            let few = self.grew_from(&known).len() + 2 <= MOST_ALTERNATES;
            let question = ["merge-base", "--is-ancestor", known.as_str(), base.as_str()];
            if few && self.store().call(&question, &[])?.succeeded() {
                return Ok(Some(known));
            }
        }
        Ok(None)
    }

    /// Bases that have a folder, the latest first.
    fn known_bases(&self) -> Vec<CommitId> {
        let Ok(entries) = fs::read_dir(self.state.alternates()) else {
            return Vec::new();
        };
        let mut known: Vec<(SystemTime, CommitId)> = entries
            .flatten()
            .filter_map(|entry| {
                let made = entry.metadata().ok()?.modified().ok()?;
                Some((made, CommitId::new(entry.file_name().to_str()?)))
            })
            .collect();
        known.sort_by(|one, other| other.cmp(one));
        known.into_iter().take(ASKED).map(|(_, commit)| commit).collect()
    }

    fn grew_from(&self, base: &CommitId) -> Vec<CommitId> {
        let names = fs::read_to_string(self.alternate_of(base).join(GREW_FROM)).unwrap_or_default();
        names.lines().map(CommitId::new).collect()
    }

    fn alternate_of(&self, base: &CommitId) -> PathBuf {
        self.state.alternates().join(base.as_str())
    }
}
