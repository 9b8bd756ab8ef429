//! Facts about sabotaged trees, and what stands between a green tree and its
//! delivery.

use super::{
    Position, Reason, Run, Work,
    parts::{ChallengedTree, PhaseStart, ProvedTree},
};
use crate::{
    control::Control,
    criterion::Check,
    event::Challenged,
    gate::{self, Proof},
    objection::Objection,
    phase::Aim,
    plan::is_test,
    turn::Finding,
};
use alloc::{format, string::String, vec::Vec};

impl Run {
    pub(super) fn on_challenged(&mut self, event: &Challenged) -> Option<()> {
        if self.position != Position::Working(Work::Challenge) || event.tree != self.tree {
            return None;
        }
        self.challenged = Some(ChallengedTree {
            tree: event.tree.clone(),
            objections: event.objections.clone(),
            controls: event.controls.clone(),
        });
        self.progress.learn();
        if let Some(checked) = &mut self.checked {
            checked.object(&event.objections);
            checked.at = event.at;
        }
        self.toward_delivery();
        Some(())
    }

    /// Everything is green. What remains: that the agent has heard of every
    /// objection, that the verifiers were seen to fail, and what only a person
    /// can decide. They are asked last, and once.
    pub(super) fn toward_delivery(&mut self) {
        if !self.open_objections().is_empty() && self.aim() == Aim::Refactor {
            self.take_back();
        } else if self.waiver().is_none() && self.has_to_tell() {
            self.after_failure();
        } else if self.wants_challenge() {
            self.move_to(Position::Working(Work::Challenge));
        } else if self.waiver().is_none() && !self.unproven().is_empty() {
            self.after_failure();
        } else {
            let mut asked = self.open_objections();
            asked.extend(gate::manual(&self.opening.task, &self.tree, &self.approved));
            asked.extend(self.unasked_tests());
            match asked.is_empty() {
                true => self.deliver_or_refactor(),
                false => self.move_to(Position::Paused(Work::Commit, Reason::Asks(asked))),
            }
        }
    }

    /// Whether an objection was not told yet to an agent that has a turn left.
    fn has_to_tell(&self) -> bool {
        let untold = |objection: &Objection| !self.told.contains(&objection.digest);
        self.limit().is_none() && self.open_objections().iter().any(untold)
    }

    /// What a person must know, and neither allowed nor approved. Notes are none of it.
    pub fn open_objections(&self) -> Vec<Objection> {
        let open = self.objections().iter().filter(|objection| self.is_open(objection));
        open.cloned().collect()
    }

    fn is_open(&self, objection: &Objection) -> bool {
        objection.asks() && objection.allowed.is_none() && !self.approved.contains(&objection.digest)
    }

    /// The run's own tests that are all there is to prove a criterion, as far
    /// as nobody accepted them. Who waived a stronger proof accepted them, too.
    fn unasked_tests(&self) -> Vec<Objection> {
        let mut own = self.self_tested();
        own.retain(|objection| self.is_open(objection) && self.waiver().is_none());
        own
    }

    /// What a person must know of criteria that the run's own tests prove. What
    /// puts code better has no right to tests, so they are those of before.
    pub fn self_tested(&self) -> Vec<Objection> {
        let tree = match self.aim() {
            Aim::Refactor => &self.phase.tree,
            Aim::Tests | Aim::Work => &self.tree,
        };
        match self.was_challenged() {
            true => gate::self_tested(&self.opening.task, tree, self.controls()),
            false => Vec::new(),
        }
    }

    /// The criteria that nothing proves but tests of the run itself.
    pub fn self_tested_criteria(&self) -> Vec<String> {
        self.self_tested().into_iter().map(|own| own.path).collect()
    }

    /// Whether a check is of a kind that can be made to fail on purpose, and
    /// was not yet tried on this tree.
    fn wants_challenge(&self) -> bool {
        !self.was_challenged() && self.opening.task.can_be_challenged()
    }

    /// What is known of each check's power to fail.
    pub fn proof(&self, check: &Check) -> Proof {
        let base = self.base.iter().find(|evidence| evidence.check == check.id);
        gate::proof(check, base, self.controls())
    }

    /// The checks that did not turn red when they had to, as an agent is told.
    pub(super) fn unproven(&self) -> Vec<Finding> {
        if !self.was_challenged() {
            return Vec::new();
        }
        let checks = self.opening.task.checks();
        let told = checks.filter_map(|check| match self.proof(check) {
            Proof::Unproven(why) => Some(Finding {
                path: check.source.clone(),
                what: format!("this check proves nothing yet: {why}"),
            }),
            Proof::Read | Proof::SeenToFail | Proof::SelfTested | Proof::CanaryOnly | Proof::NeverSeenToFail => None,
        });
        told.collect()
    }

    /// Whether the work is green, and what is missing are tests that prove it.
    pub(super) fn is_strengthening(&self) -> bool {
        let tests_first = self.plan.phases.iter().any(|phase| phase.aim == Aim::Tests);
        let checks = self.opening.task.checks();
        let unproven = |check: &Check| matches!(self.proof(check), Proof::Unproven(_));
        tests_first
            && self.aim() == Aim::Work
            && !self.controls().is_empty()
            && checks.into_iter().any(|check| is_test(check) && unproven(check))
    }

    /// Whether a person said no to work that the run's own tests measure: the
    /// turn that answers them may change everything, the tests first of all.
    pub(super) fn may_start_over(&self) -> bool {
        let mut criteria = self.opening.task.criteria.iter();
        self.rejected.is_some() && self.aim() == Aim::Work && criteria.any(gate::is_self_tested)
    }

    /// Whether the next turn may change tests that were written first: what it
    /// leaves are then the tests that nobody touches.
    pub(super) fn may_rewrite_tests(&self) -> bool {
        self.is_strengthening() || self.may_start_over()
    }

    /// What the run is about in this phase.
    pub(super) fn aim(&self) -> Aim {
        self.phase().map_or(Aim::Work, |phase| phase.aim)
    }

    /// A proved tree is delivered, or first put better where the plan says so
    /// and a limit leaves room.
    fn deliver_or_refactor(&mut self) {
        let refactor = self.plan.phases.get(self.phase.index + 1).map(|phase| phase.aim) == Some(Aim::Refactor);
        if refactor && self.limit().is_none() && self.waiver().is_none() {
            self.proved = self.proof_at_hand();
            self.next_phase();
            self.another_turn();
        } else {
            self.move_to(Position::Working(Work::Commit));
        }
    }

    fn proof_at_hand(&self) -> Option<ProvedTree> {
        Some(ProvedTree {
            checked: self.checked.clone()?,
            controls: self.controls().to_vec(),
        })
    }

    /// What was put better is not: the tree that was proved is delivered.
    pub(super) fn take_back(&mut self) {
        if let Some(proved) = self.proved.take() {
            self.tree = proved.checked.tree.clone();
            self.challenged = Some(ChallengedTree {
                tree: self.tree.clone(),
                objections: proved.checked.objections.clone(),
                controls: proved.controls,
            });
            self.checked = Some(proved.checked);
        }
        self.move_to(Position::Working(Work::Commit));
    }

    pub(super) fn next_phase(&mut self) {
        self.phase = PhaseStart {
            index: self.phase.index + 1,
            tree: self.tree.clone(),
            turns: self.spend.turns,
        };
        self.begin_anew();
    }

    /// What checks did on a sabotaged tree, of one check.
    pub fn controls_of(&self, check: &Check) -> impl Iterator<Item = &Control> {
        self.controls().iter().filter(|control| control.check == check.id)
    }
}
