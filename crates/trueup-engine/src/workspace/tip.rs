//! What the branches of the person's repository point to, and whose work that is.

use super::{error::Error, workspaces::Workspaces};
use trueup_core::{
    branch::{BranchTip, LeftBehind},
    id::{CommitId, TaskId},
};

impl Workspaces {
    /// What a branch points to, and what it would leave behind if a run of this
    /// task, which starts from this base, moved it.
    pub fn tip(&self, branch: &str, task: &TaskId, base: &CommitId) -> Result<Option<BranchTip>, Error> {
        let Some((commit, _)) = self.branch(branch)? else {
            return Ok(None);
        };
        let leaves = if self.was_delivered(task, &commit)? {
            LeftBehind::EarlierDelivery
        } else if self.is_in_base(&commit, base)? {
            LeftBehind::Nothing
        } else {
            LeftBehind::OtherWork
        };
        Ok(Some(BranchTip { commit, leaves }))
    }

    /// Whether a run of the task made this commit.
    fn was_delivered(&self, task: &TaskId, commit: &CommitId) -> Result<bool, Error> {
        let pattern = format!("refs/runs/{task}.*/delivered");
        let made = self
            .results()
            .run(&["for-each-ref", "--format=%(objectname)", &pattern])?;
        let made = String::from_utf8_lossy(&made);
        Ok(made.lines().any(|made| made == commit.as_str()))
    }

    /// Whether a base holds a commit. One that its history does not even name
    /// is not in it.
    fn is_in_base(&self, commit: &CommitId, base: &CommitId) -> Result<bool, Error> {
        let asked = ["merge-base", "--is-ancestor", commit.as_str(), base.as_str()];
        Ok(self.results().call(&asked, &[])?.succeeded())
    }
}
