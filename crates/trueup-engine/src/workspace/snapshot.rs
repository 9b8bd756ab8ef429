//! The tree of what lies in a workspace, made without trusting the workspace.

use super::{
    changes::{Changes, findings},
    classify::WorkTree,
    error::Error,
    folder,
    index::Index,
    refs::{self, target},
    stage::stage,
    walk::{Skipped, is_attributes_file, walk},
    workspaces::Workspaces,
};
use crate::{crash, sandbox::Veil, state::make_private};
use std::{
    ffi::OsStr,
    fs, io,
    os::unix::{ffi::OsStrExt as _, fs::PermissionsExt as _},
    path::{Path, PathBuf},
};
use trueup_core::{
    id::{EffectId, RunId, TreeId},
    turn::Finding,
};

/// Where rescued trees are kept.
const RESCUES: &str = "refs/rescue/";

/// What lay in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its tree.
    pub tree: TreeId,
    /// What was left out, and why.
    pub findings: Vec<Finding>,
}

impl Workspaces {
    /// The tree of everything in a run's workspace that its own `.gitignore`
    /// files do not ignore. Nothing of the agent's `.git` is read. What cannot
    /// be taken is a finding and stays in the tree as it was when the workspace
    /// was laid or last snapshotted.
    pub fn snapshot(&self, run: &RunId, label: &EffectId) -> Result<Snapshot, Error> {
        self.snapshot_to(run, &format!("refs/runs/{run}/{label}"))
    }

    /// Saves what lies in a run's workspace before it is taken away. `None`
    /// if there is no workspace.
    pub fn rescue(&self, run: &RunId, label: &EffectId) -> Result<Option<TreeId>, Error> {
        if !self.exists(run) {
            return Ok(None);
        }
        let saved = self.snapshot_to(run, &self.free_rescue(run, label)?)?;
        Ok(Some(saved.tree))
    }

    /// A rescue ref that holds nothing yet: the same turn may be killed more
    /// than once, and what the first try left is not overwritten by the next.
    pub(super) fn free_rescue(&self, run: &RunId, label: &EffectId) -> Result<String, Error> {
        let mut name = format!("{RESCUES}{run}/{label}");
        let mut count = 1_u32;
        while target(&self.results(), &name)?.is_some() {
            count += 1;
            name = format!("{RESCUES}{run}/{label}.{count}");
        }
        Ok(name)
    }

    /// Snapshots to this ref. Behind a veil that is done by its upper layer or
    /// else by a process of ours for which the veil is laid, and which comes by
    /// here once more.
    pub(super) fn snapshot_to(&self, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        crash::point("git.snapshot.before");
        let place = self.folder(run);
        open_again(&place.veil().map_or_else(|| place.place(), Veil::upper))?;
        let snapshot = match (place.veil(), &self.overlays.entry) {
            (Some(veil), Some(_)) => match self.snapshot_overlay(veil, run, name)? {
                Some(snapshot) => snapshot,
                None => self.snapshot_in_child(veil, run, name)?,
            },
            (Some(_), None) | (None, _) => self.snapshot_work(&place.place(), run, name)?,
        };
        crash::point("git.snapshot.after");
        Ok(snapshot)
    }

    /// Snapshots a work tree that can be seen from here.
    fn snapshot_work(&self, work: &Path, run: &RunId, name: &str) -> Result<Snapshot, Error> {
        let kept = self.index_of(run)?;
        let index = Index::read(&kept, self.person.hash()?)?;
        let ignore_file = |folder: &[u8]| Some(work.join(OsStr::from_bytes(folder)).join(".gitignore"));
        let (mut changes, unsupported) = Changes::of(&index, walk(work, &index), &ignore_file);
        if changes.paths.iter().any(|path| is_attributes_file(path)) && self.lfs().is_used() {
            changes.doubt_contents(&self.results().work_tree(work), &index)?;
        }
        let (tree, skipped) = match self.stage_without_git(work, &kept, (&index, &changes), name)? {
            Some(staged) => staged,
            None => self.stage_with_git(work, &kept, changes, name)?,
        };
        let mut findings = findings(unsupported, skipped);
        findings.extend(self.changed_submodules(run)?);
        Ok(Snapshot { tree, findings })
    }

    /// Stages what changed where no git is needed for it; `None` elsewhere, and
    /// then nothing has happened.
    pub(super) fn stage_without_git(
        &self,
        work: &Path,
        kept: &Path,
        (index, changes): (&Index, &Changes),
        name: &str,
    ) -> Result<Option<(TreeId, Vec<Skipped>)>, Error> {
        match index.tree() {
            // The tree the turn began with is kept already, by the turn that left
            // it or as the base. What is rescued has a name of its own all the same.
            Some(tree) if changes.paths.is_empty() => {
                let tree = TreeId::new(tree.to_string());
                if name.starts_with(RESCUES) {
                    refs::point(&self.results(), &self.state.results(), name, tree.as_str())?;
                }
                Ok(Some((tree, Vec::new())))
            }
            Some(_) | None => self.stage_plain(work, kept, (index, changes), name),
        }
    }

    /// Has git stage what changed, and keeps the index that knows it.
    fn stage_with_git(
        &self,
        work: &Path,
        kept: &Path,
        changes: Changes,
        name: &str,
    ) -> Result<(TreeId, Vec<Skipped>), Error> {
        let working = kept.with_file_name(folder::unique("index.working"));
        folder::copy_index(kept, &working)?;
        let quarantine = self.quarantine()?;
        let git = quarantine.git(self.results()).work_tree(work).index(&working);
        if !changes.to_forget.is_empty() {
            git.feed(&["update-index", "-z", "--index-info"], &changes.to_forget)?;
        }
        let files = WorkTree {
            git: &git,
            root: work,
            lfs: &self.lfs(),
            prior: &changes.prior,
            conversion: changes.conversion,
        };
        let hash = self.person.hash()?;
        let staged = stage(&files, changes.paths, || Index::read(&working, hash))?;
        let tree = TreeId::new(git.line(&["write-tree"])?);
        let mut contents = staged.contents;
        if files.lfs.is_used() {
            let (before, now) = (Index::read(kept, hash)?, Index::read(&working, hash)?);
            contents.extend(before.forgotten_in(&now, |path| changes.prior.contains_key(path)));
        }
        Index::remember(&working, hash, &contents)?;
        quarantine.release(std::slice::from_ref(&working))?;
        refs::point(&self.results(), &self.state.results(), name, tree.as_str())?;
        folder::rename(&working, kept).map_err(Error::at(kept))?;
        Ok((tree, staged.skipped))
    }

    /// The index that knows a run's workspace; what killed snapshots left
    /// beside it is removed.
    pub(super) fn index_of(&self, run: &RunId) -> Result<PathBuf, Error> {
        let home = self.state.run(run);
        make_private(&home).map_err(Error::at(&home))?;
        for entry in fs::read_dir(&home).map_err(Error::at(&home))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("index.") {
                match fs::remove_file(entry.path()) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(Error::at(&entry.path())(error));
                    }
                    Ok(()) | Err(_) => {}
                }
            }
        }
        Ok(home.join("index"))
    }
}

/// Lets us, and whoever works there next, into a folder that an agent may have
/// closed behind it.
fn open_again(work: &Path) -> Result<(), Error> {
    const OURS: u32 = 0o700;
    let mode = fs::metadata(work).map_err(Error::at(work))?.permissions().mode();
    if mode & OURS == OURS {
        return Ok(());
    }
    fs::set_permissions(work, fs::Permissions::from_mode(mode | OURS)).map_err(Error::at(work))
}
