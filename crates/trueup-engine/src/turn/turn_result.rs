//! What a turn left, without what it had no right to change.

use crate::workspace::{Error, RestoredTree, TurnRights, Workspaces};
use trueup_core::{
    effect::Turn,
    id::{EffectId, RunId, TreeId},
    turn::Finding,
};

/// What a turn left.
#[derive(Clone, Debug)]
pub(super) struct KeptTree {
    /// The tree of what may stay.
    pub(super) tree: TreeId,
    /// What was wrong with the files.
    pub(super) findings: Vec<Finding>,
    /// The tree of everything that was left, if some of it may not stay.
    pub(super) beyond: Option<TreeId>,
}

impl KeptTree {
    /// Takes what lies in a run's workspace, and puts back what the turn had
    /// no right to change. The workspace itself still shows all of it.
    pub(super) fn take(workspaces: &Workspaces, run: &RunId, id: &EffectId, turn: &Turn) -> Result<Self, Error> {
        let snapshot = workspaces.snapshot(run, id)?;
        let measure = TurnRights {
            rights: turn.rights,
            since: &turn.since,
        };
        let mut findings = snapshot.findings;
        Ok(match workspaces.put_back(run, id, measure, &snapshot.tree)? {
            Some(RestoredTree { tree, findings: told }) => {
                findings.extend(told);
                Self {
                    tree,
                    findings,
                    beyond: Some(snapshot.tree),
                }
            }
            None => Self {
                tree: snapshot.tree,
                findings,
                beyond: None,
            },
        })
    }
}
