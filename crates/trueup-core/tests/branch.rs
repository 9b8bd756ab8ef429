//! Which branch a run delivers: each rule as a row of a table.

use std::convert::Infallible;
use trueup_core::{
    branch::{self, BranchTip, DeliveredBranch, LeftBehind},
    id::{CommitId, RunId, TaskId},
};

/// What the second run of `T-001` delivers where these branches are there.
fn delivered(branches: &[(&str, LeftBehind)]) -> DeliveredBranch {
    let look = |name: &str| {
        let there = branches.iter().find(|(branch, _)| *branch == name);
        Ok::<_, Infallible>(there.map(|(name, leaves)| BranchTip {
            commit: CommitId::new(format!("tip of {name}")),
            leaves: *leaves,
        }))
    };
    let Ok(chosen) = branch::to_deliver(&TaskId::new("T-001"), &RunId::new("T-001.2"), look);
    chosen
}

#[test]
fn a_branch_is_moved_only_where_nobody_elses_work_is_left_behind() {
    use LeftBehind::{EarlierDelivery, Nothing, OtherWork};
    const TASK: &str = "trueup/T-001";
    const RUN: &str = "trueup/T-001.2";
    for (branches, name, is_moved) in [
        (&[] as &[(&str, LeftBehind)], TASK, false),
        (&[(TASK, EarlierDelivery)], TASK, true),
        (&[(TASK, Nothing)], TASK, true),
        (&[(TASK, OtherWork)], RUN, false),
        (&[(TASK, OtherWork), (RUN, EarlierDelivery)], RUN, true),
        (&[(TASK, OtherWork), (RUN, OtherWork)], "trueup/T-001.2-2", false),
        (
            &[(TASK, OtherWork), (RUN, OtherWork), ("trueup/T-001.2-2", OtherWork)],
            "trueup/T-001.2-3",
            false,
        ),
    ] {
        let was = is_moved.then(|| CommitId::new(format!("tip of {name}")));
        let name = name.to_owned();
        assert_eq!(delivered(branches), DeliveredBranch { name, was }, "{branches:?}");
    }
}

#[test]
fn a_branch_that_cannot_be_looked_at_is_not_moved() {
    let chosen = branch::to_deliver(&TaskId::new("T-001"), &RunId::new("T-001.2"), |_| Err("unreadable"));
    assert_eq!(chosen, Err("unreadable"));
}
