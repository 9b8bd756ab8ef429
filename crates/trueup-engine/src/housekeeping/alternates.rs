//! Folders of objects that no clone borrows from any more, and checkouts of
//! bases that no workspace lies over.

use super::{Housekeeping, KnownRun, Liveness, Removed, below};
use std::{collections::BTreeSet, fs, io};

impl Housekeeping {
    /// Removes folders that no unfinished run's base is in, and no clone that
    /// is still here borrows from. Nobody makes one meanwhile: whoever does
    /// waits for this housekeeper.
    pub(super) fn alternates(&self, runs: &[KnownRun]) -> io::Result<Removed> {
        let mut freed = Removed::none("alternates");
        let mut needed: BTreeSet<String> = BTreeSet::new();
        for known in runs.iter().filter(|known| known.liveness == Liveness::Unfinished) {
            needed.insert(known.base.as_str().to_owned());
        }
        for clone in below(&self.state.path().join("workspaces")) {
            let listed = fs::read_to_string(clone.path().join(".git/objects/info/alternates"));
            let listed = listed.unwrap_or_default();
            let names = listed.lines().filter_map(|line| line.rsplit('/').next());
            needed.extend(names.map(str::to_owned));
        }
        for base in needed.clone() {
            let grew_from = fs::read_to_string(self.state.alternates().join(&base).join("info/grew-from"));
            needed.extend(grew_from.unwrap_or_default().lines().map(str::to_owned));
        }
        for entry in below(&self.state.alternates()) {
            if !needed.contains(&*entry.file_name().to_string_lossy()) {
                freed.take_whole(self, &entry.path());
            }
        }
        Ok(freed)
    }

    /// Removes checkouts of bases that no unfinished run starts from and no
    /// veil that is still here lies over.
    pub(super) fn bases(&self, runs: &[KnownRun]) -> Removed {
        let mut freed = Removed::none("checkouts of bases");
        let mut needed: BTreeSet<String> = BTreeSet::new();
        for known in runs.iter().filter(|known| known.liveness == Liveness::Unfinished) {
            needed.insert(known.tree.as_str().to_owned());
        }
        for workspace in below(&self.state.path().join("workspaces")) {
            let over = fs::read_to_string(workspace.path().join("over"));
            needed.extend(over.map(|tree| tree.trim().to_owned()));
        }
        for entry in below(&self.state.bases()) {
            if !needed.contains(&*entry.file_name().to_string_lossy()) {
                freed.take_whole(self, &entry.path());
            }
        }
        freed
    }
}
