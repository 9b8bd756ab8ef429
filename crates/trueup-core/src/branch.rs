//! Which branch a run delivers. A branch with commits of a person is never
//! moved: the work is then delivered beside it, under another name.

use crate::id::{CommitId, RunId, TaskId};
use alloc::{format, string::String};

/// What a branch points to, as somebody saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchTip {
    /// The commit.
    pub commit: CommitId,
    /// What would be left behind if the branch moved away from it.
    pub leaves: LeftBehind,
}

/// What a branch leaves behind when it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftBehind {
    /// What an earlier run of the same task delivered.
    EarlierDelivery,
    /// Nothing that the base does not hold.
    Nothing,
    /// Commits of somebody else.
    OtherWork,
}

/// The branch that a run will deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveredBranch {
    /// Its name, without `refs/heads/`.
    pub name: String,
    /// What it points to now, if it is there.
    pub was: Option<CommitId>,
}

/// The branch of the task, or the first beside it that may be moved; `look`
/// says what a branch points to.
pub fn to_deliver<E>(
    task: &TaskId,
    run: &RunId,
    mut look: impl FnMut(&str) -> Result<Option<BranchTip>, E>,
) -> Result<DeliveredBranch, E> {
    let mut name = of_task(task);
    let mut beside = 1_u32;
    loop {
        match look(&name)? {
            None => return Ok(DeliveredBranch { name, was: None }),
            Some(tip) if tip.leaves != LeftBehind::OtherWork => {
                let was = Some(tip.commit);
                return Ok(DeliveredBranch { name, was });
            }
            Some(_) if beside == 1 => name = format!("trueup/{run}"),
            Some(_) => name = format!("trueup/{run}-{beside}"),
        }
        beside += 1;
    }
}

/// The branch that a task's runs deliver where nothing is in their way.
pub fn of_task(task: &TaskId) -> String {
    format!("trueup/{task}")
}
