//! How far up the ladder a run is with each criterion that it does not meet.

use crate::{
    id::CriterionId,
    ladder::{Ladder, Rung, SAME_ERROR},
    signature::Signature,
};
use alloc::collections::BTreeMap;

/// What is failing: a criterion, or, where none is, the change as a whole.
pub(super) type Subject = Option<CriterionId>;

/// How far up the ladder a run is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Climb {
    failing: BTreeMap<Subject, Failing>,
    /// The last turn that was counted: one may be judged several times.
    turn: u32,
}

/// Something that the last turn left failing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failing {
    /// Which attempt comes next, counted from zero.
    next: usize,
    /// The error it failed with.
    error: Option<Signature>,
    /// How many turns in a row ended with that error.
    times: u32,
}

/// Whether a turn brought anything new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It did, as far as one can see.
    Some,
    /// It did not, so one more of its kind would not either.
    None,
}

impl Climb {
    /// A turn ended, and this is what fails after it. What no longer fails is
    /// forgotten: should it fail again, its attempts begin anew.
    pub(super) fn note(
        &mut self,
        turn: u32,
        ladder: Ladder,
        failing: &BTreeMap<Subject, Option<Signature>>,
        news: News,
    ) {
        if turn == self.turn {
            return;
        }
        self.turn = turn;
        self.failing.retain(|subject, _| failing.contains_key(subject));
        for (subject, error) in failing {
            match self.failing.get_mut(subject) {
                Some(known) => known.fail_again(ladder, error.as_ref(), news),
                None => {
                    self.failing.insert(subject.clone(), Failing::first(error.as_ref()));
                }
            }
        }
    }

    /// The rung of the next attempt; `None` where something is failing for which
    /// every attempt was made.
    pub(super) fn rung(&self, ladder: Ladder) -> Option<Rung> {
        let rung = |failing: &Failing| ladder.attempts().get(failing.next).copied();
        let mut highest = Rung::Retry;
        for failing in self.failing.values() {
            highest = highest.max(rung(failing)?);
        }
        Some(highest)
    }

    /// One more attempt on this rung is known to be in vain.
    pub(super) fn leave(&mut self, ladder: Ladder, rung: Rung) {
        for failing in self.failing.values_mut() {
            let is_on = |next: usize| ladder.attempts().get(next).is_some_and(|own| *own <= rung);
            while is_on(failing.next) {
                failing.next = ladder.above(failing.next);
            }
        }
    }

    /// A person had their say, or another phase begins: every attempt may be
    /// made again.
    pub(super) fn begin_anew(&mut self) {
        self.failing.clear();
    }
}

impl Failing {
    fn first(error: Option<&Signature>) -> Self {
        Self {
            next: 0,
            error: error.cloned(),
            times: u32::from(error.is_some()),
        }
    }

    /// An attempt was made in vain. The same error for the third time in a row
    /// means that this rung leads nowhere; a turn without one breaks the row.
    fn fail_again(&mut self, ladder: Ladder, error: Option<&Signature>, news: News) {
        let made = self.next;
        self.times = match error {
            Some(error) if self.error.as_ref() == Some(error) => self.times + 1,
            Some(_) => 1,
            None => 0,
        };
        self.error = error.cloned();
        self.next = made + 1;
        if self.times >= SAME_ERROR || news == News::None {
            self.next = self.next.max(ladder.above(made));
            self.times = 0;
        }
    }
}
