//! What follows a turn that was not enough: another one, on a rung of the
//! ladder, or a question to a person.

use super::{
    Position, Reason, Run, Stuck, Work,
    climb::{News, Subject},
};
use crate::{
    approach::{Approach, ErrorKind},
    evidence::{ErrorSeen, Evidence},
    gate::{self, Standing},
    id::{CheckId, CriterionId, TreeId},
    ladder::{self, Ladder, Rung, Standstill, WhenIdle},
    memory::ClaimStatus,
    phase::Aim,
    signature::Signature,
    turn::Finding,
};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

impl Run {
    /// Nothing is delivered: the agent has another turn, or a person is asked.
    pub(super) fn after_failure(&mut self) {
        if self.aim() == Aim::Refactor {
            self.take_back();
            return;
        }
        match self.opening.ladder {
            Some(ladder) => self.climb_or_ask(ladder),
            None => self.go_on_or_ask(),
        }
    }

    /// An agent that says it cannot go on, and did not get there, is believed
    /// so far that a person is asked. So they are where it says nothing of the
    /// kind and brings nothing new.
    fn go_on_or_ask(&mut self) {
        match (self.blocked(), self.standstill()) {
            (Some(why), _) => self.move_to(Position::Paused(Work::Turn, Reason::Blocked(why))),
            (None, Some(by)) => self.ask_for_advice(by),
            (None, None) => self.another_turn(),
        }
    }

    /// An attempt was made in vain. The next one is made on the rung that the
    /// criterion with the most attempts has reached. An agent that cannot go on
    /// is believed, but for one that was to try another approach: what it lacks
    /// may be found by looking closer.
    fn climb_or_ask(&mut self, ladder: Ladder) {
        let news = match self.standstill() {
            Some(_) => News::None,
            None => News::Some,
        };
        self.climb.note(self.spend.turns, ladder, &self.failing(), news);
        if let Some(danger) = self.danger() {
            self.asked_about.insert(danger.signature);
            return self.ask_for_advice(Standstill::Danger(danger.kind));
        }
        let blocked = self.blocked();
        match blocked {
            Some(_) if self.rung == Rung::Pivot => self.climb.leave(ladder, Rung::Pivot),
            Some(why) => return self.move_to(Position::Paused(Work::Turn, Reason::Blocked(why))),
            None => {}
        }
        match self.climb.rung(ladder) {
            Some(_) => self.another_turn(),
            None => self.ask_for_advice(self.standstill().unwrap_or(Standstill::Exhausted)),
        }
    }

    /// What the agent says it lacks, where it says that it cannot go on.
    fn blocked(&self) -> Option<String> {
        match &self.turns.last()?.claim.says {
            ClaimStatus::Blocked(why) => Some(why.clone()),
            ClaimStatus::Nothing | ClaimStatus::Complete => None,
        }
    }

    fn ask_for_advice(&mut self, by: Standstill) {
        let missing = self.missing();
        // What was red for a cause outside of the tree may be green by then.
        let work = match by {
            Standstill::Unchanged | Standstill::Exhausted if self.tree != self.opening.base.tree => Work::Verify,
            Standstill::Unchanged | Standstill::Exhausted | Standstill::Returned | Standstill::Danger(_) => Work::Turn,
        };
        self.move_to(Position::Paused(work, Reason::Stuck(Stuck { by, missing })));
    }

    /// A check tells, for the first time, of something that no agent should
    /// weigh. What it told on the base already is what the task is about.
    fn danger(&self) -> Option<ErrorSeen> {
        let is_new = |evidence: &&Evidence| {
            let mut before = self.base.iter().filter(|base| base.check == evidence.check);
            !before.any(|base| kind(base) == kind(evidence))
        };
        let (_, seen) = self.seen_last();
        let red = seen.iter().filter(|evidence| !evidence.passed());
        let mut told = red.filter(is_new).filter_map(|evidence| evidence.error.as_ref());
        told.find(|error| ladder::is_danger(error.kind) && !self.asked_about.contains(&error.signature))
            .cloned()
    }

    /// Another turn comes: its rung, and what it tries.
    pub(super) fn step_up(&mut self) {
        let usual = Rung::after(self.spend.turns);
        self.rung = match (usual, self.opening.ladder) {
            (Rung::First, _) | (_, None) => usual,
            (_, Some(ladder)) => self.climb.rung(ladder).unwrap_or(usual),
        };
        self.tried.extend(self.approach.take());
        if self.rung == Rung::Pivot {
            self.approach = self.untried();
        }
    }

    /// The likeliest approach to what is red that was not tried yet, or, where
    /// the error says too little, to any error.
    fn untried(&self) -> Option<&'static Approach> {
        let (_, seen) = self.seen_last();
        let red = seen.iter().filter(|evidence| !evidence.passed());
        let kinds = red.filter_map(kind).chain([ErrorKind::Unknown]);
        let mut all = kinds.flat_map(ErrorKind::approaches);
        all.find(|approach| !self.tried.contains(approach))
    }

    /// A person said how to go on: what was tried may be tried again.
    pub(super) fn begin_anew(&mut self) {
        self.progress.begin_anew();
        self.climb.begin_anew();
        self.step_up();
    }

    /// What the agent did instead of bringing something new, where that is no
    /// longer looked on.
    pub(super) fn standstill(&self) -> Option<Standstill> {
        let last = self.turns.last()?;
        match self.opening.when_idle {
            WhenIdle::GoOn => None,
            WhenIdle::Ask => self.progress.standstill(ladder::idle_turns(&last.ending)),
        }
    }

    /// What was last seen of the tree that the next turn starts from.
    fn seen_last(&self) -> (&TreeId, &[Evidence]) {
        let base = (&self.opening.base.tree, self.base.as_slice());
        self.checked().filter(|(tree, _)| **tree == self.tree).unwrap_or(base)
    }

    /// The criteria that are not met, each with the error its first red check
    /// ended with. Where all are met, the change as a whole is not good enough.
    fn failing(&self) -> BTreeMap<Subject, Option<Signature>> {
        let base = (&self.opening.base.tree, self.base.as_slice());
        let (tree, seen) = self.seen_last();
        let verdict = gate::judge(&self.opening.task, base, (tree, seen), &self.approved);
        let error = |id: &CriterionId| {
            let mut red = seen
                .iter()
                .filter(|evidence| evidence.criterion == *id && !evidence.passed());
            red.find_map(|evidence| Some(evidence.error.as_ref()?.signature.clone()))
        };
        let open = verdict.criteria.iter();
        let open = open.filter(|(_, standing)| !matches!(standing, Standing::Met | Standing::Asked));
        let mut failing: BTreeMap<Subject, _> = open.map(|(id, _)| (Some(id.clone()), error(id))).collect();
        if failing.is_empty() {
            failing.insert(None, None);
        }
        failing
    }

    /// What is missing on the last tree: what its checks saw, and what is wrong
    /// with it as such.
    fn missing(&self) -> Vec<Finding> {
        let (_, evidence) = self.seen_last();
        let source = |id: &CheckId| self.opening.task.checks().find(|check| check.id == *id);
        let red = evidence.iter().filter(|evidence| !evidence.passed()).map(|evidence| {
            let source = source(&evidence.check).map_or("", |check| check.source.as_str());
            Finding {
                path: format!("{} {source}", evidence.check),
                what: evidence.saw.words(),
            }
        });
        let flaws = match self.checked().is_some_and(|(tree, _)| *tree == self.tree) {
            true => self.flaws(),
            false => self.findings.clone(),
        };
        red.chain(flaws).collect()
    }
}

/// Of which kind the error is that a check told, if it told one.
fn kind(evidence: &Evidence) -> Option<ErrorKind> {
    evidence.error.as_ref().map(|error| error.kind)
}
