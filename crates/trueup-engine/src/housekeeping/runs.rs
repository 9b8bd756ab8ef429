//! What runs leave: workspaces, rooms, spools, live files, prompts.

use super::{Housekeeping, KnownRun, Liveness, Removed, below, is_free};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Held by whoever drives a run, and while anything in its sandboxes lives.
const LOCKS: [&str; 2] = ["owner.lock", "alive"];

impl Housekeeping {
    /// Removes what runs that are over left. Their locks stay, so that
    /// nobody can ever hold two of one name.
    pub(super) fn runs(&self, runs: &[KnownRun]) -> Vec<Removed> {
        let mut workspaces = Removed::none("workspaces");
        let mut rooms = Removed::none("rooms");
        let mut papers = Removed::none("spools, indexes and live files");
        let mut prompts = Removed::none("prompts");
        for known in runs {
            let Liveness::Over(since) = known.liveness else {
                continue;
            };
            let folder = self.state.run(&known.run);
            let locks: Vec<PathBuf> = LOCKS.iter().map(|name| folder.join(name)).collect();
            if locks.iter().any(|lock| lock.exists() && !is_free(lock)) {
                continue;
            }
            for place in self.workspaces_of(known) {
                workspaces.take(self, &place);
            }
            rooms.take(self, &self.state.rooms(&known.run));
            for entry in below(&folder) {
                let name = entry.file_name().to_string_lossy().into_owned();
                if LOCKS.contains(&name.as_str()) {
                    continue;
                }
                let is_read_later = name.ends_with(".prompt.md") || name == "transcripts";
                if !is_read_later {
                    papers.take(self, &entry.path());
                } else if self.is_past(since, self.kept_for) {
                    prompts.take(self, &entry.path());
                }
            }
        }
        self.strangers(runs, &self.state.path().join("rooms"), &mut rooms);
        vec![workspaces, rooms, papers, prompts]
    }

    /// A run's clone, and what a killed process left beside it.
    fn workspaces_of(&self, known: &KnownRun) -> Vec<PathBuf> {
        let own = self.state.workspace(&known.run);
        let beside = ["new", "old", "own"].map(|state| own.with_file_name(format!(".{}.{state}", known.run)));
        let veil = own.with_file_name(format!("{}.veil", known.run));
        let all = beside.into_iter().chain([own, veil]);
        all.filter(|place| fs::symlink_metadata(place).is_ok()).collect()
    }

    /// What belongs to no run the journal knows: visits that were killed. A
    /// living visit holds its lock.
    fn strangers(&self, runs: &[KnownRun], folder: &Path, freed: &mut Removed) {
        let known: BTreeSet<&str> = runs.iter().map(|known| known.run.as_str()).collect();
        for entry in below(folder) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let visit = self.state.path().join("runs").join(&name).join("visit.lock");
            let over = !visit.exists() || is_free(&visit);
            // A run that was opened a moment ago is not among those we know.
            if !known.contains(name.as_str()) && over && self.is_older(&entry.path(), super::AN_HOUR) {
                freed.take(self, &entry.path());
            }
        }
    }
}
