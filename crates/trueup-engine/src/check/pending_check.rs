//! One check on one tree, from what is asked to what is known of it.

use super::observation::Observation;
use crate::travel::{Blobs, Memo};
use std::io;
use trueup_core::{
    criterion::{Check, Criterion},
    digest::Digest,
    effect::Verify,
    evidence::{Binding, Conditions, Evidence, Runs},
    gate,
    id::CriterionId,
    repeat::{Next, Repeat},
};

/// A criterion and one check of it.
pub(super) type CriterionCheck<'a> = (&'a Criterion, &'a Check);

/// One check on one tree, executed until its answer can be believed.
pub(super) struct PendingCheck {
    criterion: CriterionId,
    pub(super) check: Check,
    key: Digest,
    binding: Binding,
    conditions: Conditions,
    /// Nothing where the engine reads the tree itself: that never differs.
    repeat: Option<Repeat>,
    last: Option<LastRun>,
}

/// What the last execution showed, and what follows from it.
struct LastRun {
    observed: Observation,
    took_ms: u64,
    next: Next,
}

impl PendingCheck {
    pub(super) fn open(
        wish: &Verify,
        (criterion, check): CriterionCheck<'_>,
        conditions: Conditions,
        memo: &dyn Memo,
    ) -> Self {
        let binding = Binding::of(&wish.tree, criterion, check, &wish.protected);
        let key = binding.key();
        let repeat = check.execution().map(|_| {
            let on_base = match wish.tree == wish.base {
                true => Runs::default(),
                false => memo.answers(&Binding::of(&wish.base, criterion, check, &wish.protected).key()),
            };
            Repeat::new(wish.repeat, memo.answers(&key), on_base)
        });
        Self {
            criterion: criterion.id.clone(),
            check: check.clone(),
            key,
            binding,
            conditions,
            repeat,
            last: None,
        }
    }

    pub(super) const fn key(&self) -> &Digest {
        &self.key
    }

    /// Whether this is evidence of just this, last under the same circumstances.
    pub(super) fn is_of(&self, evidence: &Evidence) -> bool {
        evidence.is_valid_for(&self.binding) && evidence.conditions == self.conditions
    }

    /// The same, whether a cache was there then or is there now.
    pub(super) fn is_of_but_for_warmth(&self, evidence: &Evidence) -> bool {
        let conditions = Conditions {
            warmth: evidence.conditions.warmth,
            ..self.conditions.clone()
        };
        evidence.is_valid_for(&self.binding) && evidence.conditions == conditions
    }

    /// Whether it has to be executed, once more or at all.
    pub(super) const fn is_open(&self) -> bool {
        match &self.last {
            None => true,
            Some(last) => matches!(last.next, Next::Again),
        }
    }

    /// Takes what one execution showed.
    pub(super) fn take(&mut self, observed: Observation, took_ms: u64) {
        let next = match &mut self.repeat {
            Some(repeat) if gate::is_absent(&self.check, &observed.saw, observed.tally.as_ref()) => {
                repeat.take_absent()
            }
            Some(repeat) => repeat.take(&observed.saw, took_ms),
            None => Next::Enough,
        };
        self.last = Some(LastRun {
            observed,
            took_ms,
            next,
        });
    }

    /// What it answered now, where it was executed.
    pub(super) fn answered(&self) -> Option<Runs> {
        let now = self.repeat.as_ref()?.now();
        (!now.is_one()).then_some(now)
    }

    /// All that is known of it now, as evidence.
    pub(super) fn close(self, blobs: &dyn Blobs) -> io::Result<Option<Evidence>> {
        let Some(LastRun {
            observed,
            took_ms,
            next,
        }) = self.last
        else {
            return Ok(None);
        };
        let (saw, runs) = match self.repeat {
            Some(repeat) => (repeat.settled(observed.saw, next), repeat.told()),
            None => (observed.saw, Runs::default()),
        };
        Ok(Some(Evidence {
            criterion: self.criterion,
            check: self.check.id.clone(),
            key: self.key,
            binding: self.binding,
            conditions: self.conditions,
            saw,
            stdout: blobs.put_body(&observed.stdout, observed.stdout_total)?,
            stderr: blobs.put_body(&observed.stderr, observed.stderr_total)?,
            took_ms,
            tally: observed.tally,
            because: observed.because,
            error: observed.error,
            runs,
            altered: Vec::new(),
        }))
    }
}
