//! The private clone a run's agent works in.

use super::{
    error::Error,
    folder::{self, write},
    git::Git,
    submodule::Indexes,
    workspaces::Workspaces,
};
use crate::deep::size_of;
use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};
use trueup_core::{
    event::Base,
    id::{CommitId, RunId, TreeId},
};

/// Who an agent's own commits in its clone are by. They are never delivered.
const AGENT: &str = "[user]\n\tname = trueup agent\n\temail = agent@trueup.invalid\n";

/// What kind of repository a clone is, after its format.
const KIND: &str = "\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";

/// Under this name an agent finds what a broken-off turn left.
const RESCUE: &str = "refs/trueup/rescue";

impl Workspaces {
    /// Lays a run's workspace from nothing: HEAD at `base`, the files of
    /// `tree`, and what a broken-off turn left under `refs/trueup/rescue`. It
    /// is built aside and renamed into place; one that stood there is removed,
    /// so whoever wants its files rescues them first.
    pub fn lay(&self, run: &RunId, base: &Base, tree: &TreeId, rescue: Option<&TreeId>) -> Result<PathBuf, Error> {
        let (aside, old) = (self.beside(run, "new"), self.beside(run, "old"));
        folder::remove(&aside)?;
        folder::remove(&old)?;
        // What lay in it goes with it: an agent that starts anew starts with nothing it did.
        folder::remove(&self.own_of(run))?;
        let is_overlay = rescue.is_none() && *tree == base.tree && self.wants_overlay(tree)?;
        let index = self.index_of(run)?;
        let fresh = index.with_file_name(folder::unique("index.laid"));
        let place = if is_overlay {
            self.lay_overlay(base, &aside, &fresh)?;
            self.overlay_of(run)
        } else {
            self.lay_copy(run, base, tree, &fresh)?;
            self.state.workspace(run)
        };
        if let Some(rescue) = rescue {
            self.copy_rescue(rescue, &base.commit, &self.clone_at(&aside))?;
        }
        for before in [self.state.workspace(run), self.overlay_of(run)] {
            if before.is_dir() {
                fs::rename(&before, &old).map_err(Error::at(&old))?;
                folder::remove(&old)?;
            }
        }
        fs::rename(&fresh, &index).map_err(Error::at(&index))?;
        folder::rename(&aside, &place).map_err(Error::at(&place))?;
        Ok(self.folder(run).place())
    }

    /// Lays a clone with every file of a tree, and the index that knows them.
    fn lay_copy(&self, run: &RunId, base: &Base, tree: &TreeId, index: &Path) -> Result<(), Error> {
        let aside = &self.beside(run, "new");
        self.lay_clone(aside, &base.commit)?;
        self.check_out(tree, aside, index, Indexes::KeptFor(run))?;
        if *tree == base.tree {
            folder::copy_index(index, &aside.join(".git/index"))?;
        } else {
            let clone = self.clone_at(aside);
            clone.run(&["read-tree", base.tree.as_str()])?;
            // Fails where files differ from the base, which is what it is to learn.
            clone.call(&["update-index", "-q", "--refresh"], &[])?;
        }
        let files = self.results().work_tree(aside).index(index);
        self.lfs().overlook(&files, &self.clone_at(aside))
    }

    /// Whether a run has a workspace.
    pub fn exists(&self, run: &RunId) -> bool {
        self.state.workspace(run).is_dir() || self.overlay_of(run).is_dir()
    }

    /// Where what an agent writes into prepared folders lies.
    pub(crate) fn own_of(&self, run: &RunId) -> PathBuf {
        self.beside(run, "own")
    }

    /// Removes a run's workspace, if there is one, and what killed processes
    /// left beside it.
    pub fn remove_workspace(&self, run: &RunId) -> Result<(), Error> {
        self.places_of(run).iter().try_for_each(|place| folder::remove(place))
    }

    /// How many bytes of disk a run's workspace takes, and what else its agent
    /// may write.
    pub(crate) fn taken_by(&self, run: &RunId) -> u64 {
        let workspace: u64 = self.places_of(run).iter().map(|place| size_of(place)).sum();
        workspace.saturating_add(size_of(&self.state.run(run)))
    }

    /// Everywhere a run's workspace may lie.
    fn places_of(&self, run: &RunId) -> [PathBuf; 5] {
        [
            self.beside(run, "new"),
            self.beside(run, "old"),
            self.own_of(run),
            self.state.workspace(run),
            self.overlay_of(run),
        ]
    }

    /// Writes a tree's files into an empty folder, with all that a plain
    /// checkout has, and the index that knows them. Not by `git archive`: a
    /// tree can tell that to leave files out.
    pub(super) fn check_out(
        &self,
        tree: &TreeId,
        folder: &Path,
        index: &Path,
        indexes: Indexes<'_>,
    ) -> Result<(), Error> {
        let git = self.results().throwaway().work_tree(folder).index(index);
        git.run(&["read-tree", "--reset", "-u", tree.as_str()])?;
        self.complete(folder, index, tree.as_str(), indexes)
    }

    /// A git directory that borrows the history of its base and knows one
    /// branch, so that nothing else of the person's can be reached by name.
    /// It is so little that a git to make it would be the larger part.
    pub(super) fn lay_clone(&self, place: &Path, base: &CommitId) -> Result<(), Error> {
        crate::state::make_private(place).map_err(Error::at(place))?;
        let dot_git = place.join(".git");
        let mut alternates = Vec::new();
        for alternate in self.alternates(base)? {
            alternates.extend_from_slice(alternate.as_os_str().as_bytes());
            alternates.push(b'\n');
        }
        write(&dot_git.join("objects/info/alternates"), &alternates)?;
        write(&dot_git.join("refs/heads/work"), format!("{base}\n").as_bytes())?;
        write(&dot_git.join("HEAD"), b"ref: refs/heads/work\n")?;
        let format = match self.person.object_format.as_str() {
            "sha1" => String::from("[core]\n\trepositoryformatversion = 0\n"),
            other => format!("[extensions]\n\tobjectformat = {other}\n[core]\n\trepositoryformatversion = 1\n"),
        };
        write(&dot_git.join("config"), format!("{format}{KIND}{AGENT}").as_bytes())?;
        let end = self.state.store().join("shallow");
        if end.exists() {
            fs::copy(&end, dot_git.join("shallow")).map_err(Error::at(&end))?;
        }
        Ok(())
    }

    /// Git in a clone that no agent has touched yet.
    pub(super) fn clone_at(&self, place: &Path) -> Git {
        Git::ours(self.state.path(), &place.join(".git"))
            .throwaway()
            .work_tree(place)
    }

    /// Copies a tree into a clone that no agent has touched yet.
    fn copy_rescue(&self, tree: &TreeId, base: &CommitId, clone: &Git) -> Result<(), Error> {
        let wanted = format!("{tree}\n^{base}\n");
        self.results().pipe(
            &["pack-objects", "--quiet", "--revs", "--stdout"],
            wanted.as_bytes(),
            clone,
            &["unpack-objects", "-q"],
        )?;
        clone.run(&["update-ref", RESCUE, tree.as_str()])?;
        Ok(())
    }

    fn beside(&self, run: &RunId, state: &str) -> PathBuf {
        self.state.workspace(run).with_file_name(format!(".{run}.{state}"))
    }
}
