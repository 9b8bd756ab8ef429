//! Why an effect gave no fact of its own, and the fact that this is.

use crate::{agent::prompt::Flaw, clock::Clock, halt::Halt, space::Space, workspace};
use std::io;
use trueup_core::{
    event::{Event, Interrupted, Shortage, Stop, Troubled},
    id::TreeId,
};

/// Why an effect gave no fact of its own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EffectFailure {
    /// Somebody asked for it.
    #[error("stopped")]
    Stopped {
        /// Who.
        by: Stop,
        /// What was saved of the work that was broken off.
        rescue: Option<TreeId>,
        /// How long an agent had worked.
        took_ms: u64,
    },
    /// Something failed.
    #[error("{0}")]
    Trouble(String),
    /// Something failed and said that there was no space.
    #[error("{0}")]
    Full(String),
    /// There is no space by our own measure.
    #[error("there is no space for files")]
    NoSpace(Shortage),
}

impl EffectFailure {
    /// Stopped before any agent worked.
    pub(crate) const fn stopped(by: Stop) -> Self {
        Self::Stopped {
            by,
            rescue: None,
            took_ms: 0,
        }
    }

    /// Whether only space was missing.
    pub(crate) const fn is_for_space(&self) -> bool {
        match self {
            Self::Full(_) | Self::NoSpace(_) => true,
            Self::Stopped { .. } | Self::Trouble(_) => false,
        }
    }

    /// The failure as a fact. Whatever failed while there was no space for
    /// files failed for that.
    pub(crate) fn into_event(self, clock: &Clock, space: &Space) -> Event {
        let at = clock.now();
        let (what, shortage) = match self {
            Self::Stopped { by, rescue, took_ms } => {
                return Event::Interrupted(Interrupted {
                    by,
                    rescue,
                    took_ms,
                    at,
                });
            }
            Self::Trouble(what) => (what, space.at_work()),
            Self::Full(what) => (what, Some(space.told_full())),
            Self::NoSpace(shortage) => (Self::NoSpace(shortage).to_string(), Some(shortage)),
        };
        Event::Troubled(Troubled { what, shortage, at })
    }
}

impl From<workspace::Error> for EffectFailure {
    fn from(error: workspace::Error) -> Self {
        if error.is_full() {
            Self::Full(error.to_string())
        } else {
            Self::Trouble(error.to_string())
        }
    }
}

impl From<io::Error> for EffectFailure {
    fn from(error: io::Error) -> Self {
        if crate::space::is_full(&error) {
            Self::Full(error.to_string())
        } else {
            Self::Trouble(error.to_string())
        }
    }
}

impl From<Flaw> for EffectFailure {
    fn from(flaw: Flaw) -> Self {
        Self::Trouble(flaw.to_string())
    }
}

impl From<Halt> for EffectFailure {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(by) => Self::stopped(by),
            Halt::Workspace(error) => error.into(),
            Halt::File(error) => error.into(),
            Halt::NoSpace(shortage) => Self::NoSpace(shortage),
        }
    }
}
