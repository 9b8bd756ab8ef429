//! Facts about trees: what checks saw.

use super::{Outcome, Position, Reason, Run, Work, parts::CheckedTree};
use crate::{
    budget::Limit,
    event::Checked,
    evidence::{CheckOutcome, Evidence},
    gate::{self, Baseline, Standing},
    ground::Warmth,
    id::CheckId,
    ladder::WhenIdle,
    memory::ClaimStatus,
    objection::{Objection, ObjectionKind},
    phase::Aim,
    turn::Finding,
};
use alloc::vec::Vec;

impl Run {
    pub(super) fn on_checked(&mut self, event: &Checked) -> Option<()> {
        match self.position {
            Position::Working(Work::Baseline) if event.tree == self.opening.base.tree => {
                self.base.clone_from(&event.evidence);
                self.after_baseline();
                Some(())
            }
            Position::Working(Work::Verify) if event.tree == self.tree => {
                self.keep_checked(event);
                self.after_verdict();
                Some(())
            }
            Position::Working(Work::Confirm) if event.tree == self.tree => {
                self.keep_checked(event);
                self.after_confirmation();
                Some(())
            }
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => None,
        }
    }

    fn after_baseline(&mut self) {
        match gate::baseline(&self.opening.task, &self.opening.base.tree, &self.base) {
            Baseline::Ready => self.another_turn(),
            Baseline::NothingToDo => self.move_to(Position::Done(Outcome::NothingToDo)),
            Baseline::Refused(refusals) => self.move_to(Position::Done(Outcome::Refused(refusals))),
        }
    }

    fn keep_checked(&mut self, event: &Checked) {
        let mut objections = event.objections.clone();
        if self.aim() == Aim::Tests {
            // A file that does not load for want of the work hides the tests beside it.
            objections.retain(|objection| objection.kind != ObjectionKind::TestGone);
        }
        let mut checked = CheckedTree {
            tree: event.tree.clone(),
            evidence: event.evidence.clone(),
            objections,
            at: event.at,
        };
        // What sabotage showed of this tree is true of it still. Runs that were
        // opened before this was kept in mind went on without.
        let known = self
            .challenged
            .as_ref()
            .filter(|challenged| challenged.tree == event.tree);
        if let (Some(known), WhenIdle::Ask) = (known, self.opening.when_idle) {
            checked.object(&known.objections);
        }
        self.checked = Some(checked);
    }

    /// The one place where a run turns towards its end: every criterion met,
    /// on a tree that differs from the base. What was seen with the help of a
    /// cache is seen once more without, unless the person said otherwise.
    pub(super) fn after_verdict(&mut self) {
        self.note_unmet();
        let to_install = self.to_install();
        if !to_install.is_empty() && self.aim() != Aim::Refactor {
            self.move_to(Position::Paused(Work::Verify, Reason::Asks(to_install)));
        } else if self.aim() == Aim::Tests {
            self.after_tests();
        } else if !self.is_proved() {
            self.after_unproved();
        } else if self.seen_warm() && self.opening.task.ground.last == Warmth::Cold {
            self.move_to(Position::Working(Work::Confirm));
        } else {
            self.toward_delivery();
        }
    }

    /// What a person has to approve before anything can be executed on the
    /// tree: a file that preparations rest on asks for other packages. An agent
    /// could say no more about it than it did by changing it.
    fn to_install(&self) -> Vec<Objection> {
        let task = &self.opening.task;
        let of = |id: &CheckId| task.checks().find(|check| check.id == *id);
        let runs = |evidence: &&Evidence| of(&evidence.check).is_some_and(|check| check.execution().is_some());
        let seen = self.checked().into_iter().flat_map(|(_, evidence)| evidence);
        let mut executed = seen.filter(runs).peekable();
        let is_barred = |evidence: &Evidence| matches!(evidence.saw, CheckOutcome::CannotRun { .. });
        let asks = self.opening.when_idle == WhenIdle::Ask && executed.peek().is_some() && executed.all(is_barred);
        let keys = || task.ground.prepare.iter().flat_map(|preparation| &preparation.key);
        let is_key = |objection: &Objection| keys().any(|key| *key == objection.path);
        let mut open = self.open_objections();
        open.retain(|objection| asks && objection.kind == ObjectionKind::Lockfile && is_key(objection));
        open
    }

    fn after_confirmation(&mut self) {
        if self.is_proved() && !self.seen_warm() {
            self.toward_delivery();
        } else {
            self.note_unmet();
            self.after_unproved();
        }
    }

    /// Tests come first: they must be there, and fail for want of the work.
    /// What a person would be asked about is told while it can be taken back.
    /// An agent that was told that its tests pass already, and leaves them so,
    /// goes on all the same: the end of the run judges them.
    fn after_tests(&mut self) {
        let open = self.open_objections();
        let all_told = open.iter().all(|objection| self.told.contains(&objection.digest));
        let asks = matches!(
            self.turns.last().map(|turn| &turn.claim.says),
            Some(ClaimStatus::Blocked(_))
        );
        let is_left = self.standstill().is_some() && !asks;
        if self.unwritten().is_empty() && all_told {
            self.next_phase();
            self.another_turn();
        } else if is_left && self.describes_what_was_there() && all_told {
            self.next_phase();
            // What is objected to in this phase is less than what is in the next.
            self.checked = None;
            self.another_turn();
        } else {
            self.after_failure();
        }
    }

    /// Whether tests are there, and are green only for describing what was there.
    fn describes_what_was_there(&self) -> bool {
        let written = self.checked().filter(|(tree, _)| **tree == self.tree);
        let task = &self.opening.task;
        self.tree != self.opening.base.tree
            && written.is_some_and(|(_, evidence)| gate::describes_what_was_there(task, evidence))
    }

    /// What is missing of the tests that are written first.
    pub(super) fn unwritten(&self) -> Vec<Finding> {
        match (self.aim(), self.checked()) {
            (Aim::Tests, Some((tree, evidence))) if *tree == self.tree => gate::unwritten(&self.opening.task, evidence),
            (Aim::Tests | Aim::Work | Aim::Refactor, _) => Vec::new(),
        }
    }

    /// Nothing is delivered. What was only put better is taken back; what gives
    /// two answers is no fault of the last turn, and costs no other one.
    fn after_unproved(&mut self) {
        let flaky = self.flaky();
        if self.aim() == Aim::Refactor {
            self.take_back();
        } else if flaky.is_empty() {
            self.after_failure();
        } else {
            self.move_to(Position::Paused(Work::Verify, Reason::Flaky(flaky)));
        }
    }

    /// The checks that are red and gave two answers, if no other one is red.
    fn flaky(&self) -> Vec<CheckId> {
        let red = || {
            let seen = self.checked().into_iter().flat_map(|(_, evidence)| evidence);
            seen.filter(|evidence| !evidence.passed())
        };
        if red().all(|evidence| evidence.runs.is_flaky()) {
            red().map(|evidence| evidence.check.clone()).collect()
        } else {
            Vec::new()
        }
    }

    /// Writes down which criteria the last turn's tree does not meet.
    fn note_unmet(&mut self) {
        let unmet = self.verdict().map(|verdict| {
            let open = verdict.criteria.into_iter();
            open.filter(|(_, standing)| !matches!(standing, Standing::Met | Standing::Asked))
                .map(|(id, _)| id)
                .collect()
        });
        if let (Some(turn), Some(unmet)) = (self.turns.last_mut(), unmet) {
            turn.unmet = unmet;
        }
    }

    pub(super) fn is_proved(&self) -> bool {
        let holds = self.verdict().is_some_and(|verdict| verdict.holds_but_for_persons());
        holds && self.tree != self.opening.base.tree
    }

    fn seen_warm(&self) -> bool {
        let mut seen = self.checked().into_iter().flat_map(|(_, evidence)| evidence);
        seen.any(|evidence| evidence.conditions.warmth == Warmth::Warm)
    }

    /// The limit that leaves no room for another turn, if one does.
    pub(super) fn limit(&self) -> Option<Limit> {
        let in_phase = self.spend.turns.saturating_sub(self.phase.turns);
        let most = self.phase().map_or(u32::MAX, |phase| phase.turn_limit);
        let raised = self.budget_set.is_some_and(|set| set.turns.is_some());
        let spent = (in_phase >= most && !raised).then_some(Limit::Turns);
        spent.or_else(|| self.budget().reached(self.turn_limit(), &self.spend))
    }

    /// Another turn, if a limit leaves room for one.
    pub(super) fn another_turn(&mut self) {
        let open = self.open_objections().into_iter().map(|objection| objection.digest);
        self.told.extend(open);
        self.move_to(match self.limit() {
            Some(limit) => Position::Paused(Work::Turn, Reason::BudgetSpent(limit)),
            None => Position::Working(Work::Turn),
        });
        // A turn that was tried before goes on counting its tries.
        self.again = self.retaken;
        self.step_up();
    }
}
