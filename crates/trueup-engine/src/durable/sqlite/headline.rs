//! The headline of each run, kept beside its events so that a list of runs
//! need not fold them all.
//!
//! It is derived, and never the truth: it counts only for the very end of the
//! chain it was computed at, under the shape it has today, and whoever finds
//! another one folds the events. Nothing but a list reads it.

use crate::durable::{DeskError, format};
use trueup_core::{
    digest::Digest,
    event::Event,
    report::Headline,
    run::{Position, Run},
};

/// Raised whenever the same run could get another headline than before.
const SHAPE: &[u8] = b"3";

/// A run as its journal sees it come along; nothing where its events do not
/// fit these rules, which whoever drives it will say.
#[derive(Clone, Debug)]
pub(super) struct Fold(Option<Run>);

impl Fold {
    /// The run these events make.
    pub(super) fn of(events: &[Event]) -> Self {
        Self(Run::replay(events).ok())
    }

    /// A run nobody has folded: whoever lists it folds its events.
    pub(super) const fn unknown() -> Self {
        Self(None)
    }

    /// Applies one more event.
    pub(super) fn apply(&mut self, event: &Event) {
        if self.0.as_mut().is_some_and(|run| run.apply(event).is_err()) {
            self.0 = None;
        }
    }

    /// The run after one more event.
    #[must_use]
    pub(super) fn after(&self, event: &Event) -> Self {
        let mut after = self.clone();
        after.apply(event);
        after
    }

    /// What the run waits for, and until when; nothing where it is not known.
    pub(super) fn waits_for(&self) -> (Option<&'static str>, Option<i64>) {
        self.0.as_ref().map_or((None, None), |run| {
            let (waits_for, due) = format::waits_for(&run.next());
            (Some(waits_for), due)
        })
    }

    /// The headline of the run, as it is written: of one that rests. One that
    /// works is about to get another, and few do at a time, so whoever lists
    /// them folds their events.
    pub(super) fn line(&self) -> Result<Option<String>, DeskError> {
        let resting = self
            .0
            .as_ref()
            .filter(|run| !matches!(run.position(), Position::Working(_)));
        let line = resting.map(|run| serde_json::to_string(&Headline::of_run(run)));
        line.transpose().map_err(|error| DeskError::Journal(error.to_string()))
    }
}

/// What binds a headline to the end of the chain it was computed at.
pub(super) fn seal(head: &str, line: &str) -> String {
    Digest::of_fields([SHAPE, head.as_bytes(), line.as_bytes()])
        .as_str()
        .to_owned()
}
