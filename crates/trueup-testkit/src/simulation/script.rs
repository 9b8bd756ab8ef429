//! What a seed decides about a run: its task, and what its agent does.

use super::random::Random;
use crate::sample;
use std::collections::{BTreeMap, BTreeSet};
use trueup_core::{
    criterion::{Check, Role},
    event::Opening,
    evidence::CheckOutcome,
    id::{CheckId, TreeId},
    kind::{Kind, Runner},
    ladder::WhenIdle,
    task::Size,
};

/// What a seed decides about a run.
#[derive(Clone, Debug)]
pub(super) struct WorldScript {
    pub(super) seed: u64,
    pub(super) opening: Opening,
    /// The tree each turn leaves, first turn first.
    pub(super) trees: Vec<TreeId>,
    /// What every check truly sees on every tree. The one source of truth.
    truth: BTreeMap<(TreeId, CheckId), CheckOutcome>,
    /// The checks that cannot fail on a tree, whatever is done to it.
    blind: BTreeSet<(TreeId, CheckId)>,
    /// The trees of which a person must know something.
    odd: BTreeSet<TreeId>,
}

impl WorldScript {
    pub(super) fn of(seed: u64) -> Self {
        let mut random = Random::of(seed);
        let mut opening = sample::opening("T-001.1");
        opening.when_idle = WhenIdle::Ask;
        if random.once_in(2) {
            opening.task.size = Size::Trivial;
        }
        if random.once_in(3) {
            opening.task.budget.turns = Some(1 + random.below(6) as u32);
        }
        if random.once_in(2) {
            let checks = opening
                .task
                .criteria
                .iter_mut()
                .flat_map(|criterion| &mut criterion.checks);
            for execution in checks.filter_map(Check::execution_mut) {
                execution.kind = Kind::Tests(Runner::Pytest);
            }
        }
        let turns = u64::from(opening.task.size.turns_per_phase());
        let mut script = Self {
            seed,
            trees: Vec::new(),
            truth: BTreeMap::new(),
            blind: BTreeSet::new(),
            odd: BTreeSet::new(),
            opening,
        };
        script.lay_base(&mut random);
        // Some agents are quick, some slow, some only ever talk.
        let skill = random.below(4);
        for turn in 0..turns {
            script.lay_turn(turn, skill, &mut random);
        }
        script
    }

    /// What a check truly sees on a tree.
    pub(super) fn truth(&self, tree: &TreeId, check: &CheckId) -> CheckOutcome {
        let key = (tree.clone(), check.clone());
        self.truth.get(&key).cloned().unwrap_or(CheckOutcome::red(Some(1)))
    }

    /// Whether a check turns red on a sabotaged copy of a tree.
    pub(super) fn can_fail(&self, tree: &TreeId, check: &CheckId) -> bool {
        !self.blind.contains(&(tree.clone(), check.clone()))
    }

    /// Whether a person must know something of a tree.
    pub(super) fn is_odd(&self, tree: &TreeId) -> bool {
        self.odd.contains(tree)
    }

    /// Every check of the task with its role.
    pub(super) fn checks(&self) -> Vec<(CheckId, Role)> {
        let checks = self.opening.task.checks();
        checks.map(|check| (check.id.clone(), check.role)).collect()
    }

    fn lay_base(&mut self, random: &mut Random) {
        let base = self.opening.base.tree.clone();
        // Most bases are as they should be; some have a green goal, a red
        // guard, or a check that cannot be executed.
        let odd = random.below(12);
        for (index, (check, role)) in self.checks().into_iter().enumerate() {
            let due = match role {
                Role::Goal => sample::failed(),
                Role::Guard => CheckOutcome::Passed,
            };
            let saw = match (odd, index, role) {
                (0, _, Role::Goal) => CheckOutcome::Passed,
                (1, 0, _) => CheckOutcome::Passed,
                (2, _, Role::Guard) => sample::failed(),
                (3, 1, _) => CheckOutcome::CannotRun {
                    why: "no such program".into(),
                },
                _ => due,
            };
            self.truth.insert((base.clone(), check), saw);
        }
    }

    fn lay_turn(&mut self, turn: u64, skill: u64, random: &mut Random) {
        let before = self.trees.last().unwrap_or(&self.opening.base.tree).clone();
        if random.once_in(5) {
            // The agent talked and changed nothing, or put everything back.
            let back = random.once_in(2);
            self.trees
                .push(if back { self.opening.base.tree.clone() } else { before });
            return;
        }
        let tree = sample::tree(&format!("{}-{turn}", self.seed));
        for (check, _) in self.checks() {
            let was = self.truth(&before, &check);
            let saw = match random.below(8) {
                0 => CheckOutcome::TimedOut,
                1 => sample::failed(),
                chance if chance < 2 + 2 * skill => CheckOutcome::Passed,
                _ => was,
            };
            if self.opening.task.can_be_challenged() && random.once_in(8) {
                self.blind.insert((tree.clone(), check.clone()));
            }
            self.truth.insert((tree.clone(), check), saw);
        }
        if random.once_in(6) {
            self.odd.insert(tree.clone());
        }
        self.trees.push(tree);
    }
}
