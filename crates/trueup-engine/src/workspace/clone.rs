//! The private clone a run's agent works in.

use super::{Error, Workspaces, folder, git::Git, store::write};
use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};
use trueup_core::id::{CommitId, RunId, TreeId};

/// Who an agent's own commits in its clone are by. They are never delivered.
const AGENT: &str = "[user]\n\tname = trueup agent\n\temail = agent@trueup.invalid\n";

/// Under this name an agent finds what a broken-off turn left.
const RESCUE: &str = "refs/trueup/rescue";

impl Workspaces {
    /// Lays a run's workspace from nothing: HEAD at `base`, the files of
    /// `tree`, and what a broken-off turn left under `refs/trueup/rescue`. It
    /// is built aside and renamed into place; one that stood there is removed,
    /// so whoever wants its files rescues them first.
    pub fn lay(&self, run: &RunId, base: &CommitId, tree: &TreeId, rescue: Option<&TreeId>) -> Result<PathBuf, Error> {
        let place = self.state.workspace(run);
        let (aside, old) = (self.beside(run, "new"), self.beside(run, "old"));
        folder::remove(&aside)?;
        folder::remove(&old)?;
        self.lay_clone(&aside, base)?;
        let index = self.index_of(run)?;
        let fresh = index.with_file_name(folder::unique("index.laid"));
        let files = self.results().throwaway().work_tree(&aside).index(&fresh);
        files.run(&["read-tree", tree.as_str()])?;
        files.run(&["checkout-index", "--all", "--force", "--index"])?;
        let clone = self.clone_at(&aside);
        clone.run(&["read-tree", base.as_str()])?;
        // Fails where files differ from the base, which is what it is to learn.
        clone.call(&["update-index", "-q", "--refresh"], &[])?;
        if let Some(rescue) = rescue {
            self.lend(rescue, base, &clone)?;
        }
        if self.exists(run) {
            fs::rename(&place, &old).map_err(Error::at(&old))?;
        }
        fs::rename(&fresh, &index).map_err(Error::at(&index))?;
        folder::rename(&aside, &place).map_err(Error::at(&place))?;
        folder::remove(&old)?;
        Ok(place)
    }

    /// Whether a run has a workspace.
    pub fn exists(&self, run: &RunId) -> bool {
        self.state.workspace(run).is_dir()
    }

    /// Removes a run's workspace, if there is one, and what killed processes
    /// left beside it.
    pub fn remove_workspace(&self, run: &RunId) -> Result<(), Error> {
        for place in [
            self.beside(run, "new"),
            self.beside(run, "old"),
            self.state.workspace(run),
        ] {
            folder::remove(&place)?;
        }
        Ok(())
    }

    /// A git directory that borrows the history of its base and knows one
    /// branch, so that nothing else of the person's can be reached by name.
    fn lay_clone(&self, place: &Path, base: &CommitId) -> Result<(), Error> {
        crate::state::make_private(place).map_err(Error::at(place))?;
        let dot_git = place.join(".git");
        self.init(place, &[])?;
        let mut lenders = Vec::new();
        for lender in self.lenders(base)? {
            lenders.extend_from_slice(lender.as_os_str().as_bytes());
            lenders.push(b'\n');
        }
        write(&dot_git.join("objects/info/alternates"), &lenders)?;
        let end = self.state.store().join("shallow");
        if end.exists() {
            fs::copy(&end, dot_git.join("shallow")).map_err(Error::at(&end))?;
        }
        let config = dot_git.join("config");
        let made = fs::read_to_string(&config).map_err(Error::at(&config))?;
        write(&config, format!("{made}{AGENT}").as_bytes())?;
        self.clone_at(place)
            .run(&["update-ref", "refs/heads/work", base.as_str()])?;
        Ok(())
    }

    /// Git in a clone that no agent has touched yet.
    fn clone_at(&self, place: &Path) -> Git {
        Git::ours(self.state.path(), &place.join(".git"))
            .throwaway()
            .work_tree(place)
    }

    /// Copies a tree into a clone that no agent has touched yet.
    fn lend(&self, tree: &TreeId, base: &CommitId, clone: &Git) -> Result<(), Error> {
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
