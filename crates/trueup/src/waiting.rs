//! Waiting for the world: a full disk, a spent quota or a model that gives
//! nothing is nobody's fault, so a run that meets one waits in the foreground
//! and goes on by itself.

use crate::{exit::Failure, project::Project, render, stopping::Stopping};
use std::time::Duration;
use trueup_core::{
    event::{Due, Event, Shortage, SpaceFreed, Stop},
    id::Timestamp,
    run::{Position, Reason},
};
use trueup_engine::{clock::Clock, durable::DeskError, space::Space, stop::StopToken};

/// How soon space is looked for again.
const FIRST_LOOK: Duration = Duration::from_millis(200);

/// How long it takes at most until space is looked for again.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// How long the first useless try is made up for; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// How long a run pauses at most between two tries that found too little space.
const LAST_PAUSE: Duration = Duration::from_secs(120);

/// How long a machine may sleep before a wait notices.
const CLOCK_LOOK: Duration = Duration::from_secs(2);

/// How waiting ended.
pub(crate) enum Waited {
    /// What was waited for came.
    Came(Event),
    /// Somebody asked to stop.
    Stopped(Stop),
    /// Only a person can say what comes now.
    ForAPerson,
}

/// Waits, for space longer each time what there was did not suffice.
pub(crate) struct Waiting {
    space: Space,
    clock: Clock,
    stop: StopToken,
    pause: Duration,
}

impl Waiting {
    /// Waits for space in the project's state root, until somebody asks to stop.
    pub(crate) fn of(project: &Project, stopping: &Stopping) -> Self {
        Self {
            space: project.space(),
            clock: project.clock,
            stop: stopping.token(),
            pause: Duration::ZERO,
        }
    }

    /// Something was achieved since the last wait.
    pub(crate) const fn begin_anew(&mut self) {
        self.pause = Duration::ZERO;
    }

    /// Waits for whatever a run that stands here waits for, unless that is a person.
    pub(crate) async fn out(&mut self, position: &Position) -> Waited {
        match position {
            Position::Paused(_, Reason::NoSpace(shortage)) => self.until_there_is_space(shortage).await,
            Position::Paused(_, Reason::External { until, .. }) => self.until(*until).await,
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => Waited::ForAPerson,
        }
    }

    /// Waits until a moment of the clock on the wall: a machine that slept
    /// through it goes on as soon as it wakes.
    async fn until(&self, moment: Timestamp) -> Waited {
        loop {
            let at = self.clock.now();
            let Some(left) = u64::try_from(moment.0.saturating_sub(at.0))
                .ok()
                .filter(|left| *left > 0)
            else {
                return Waited::Came(Event::Due(Due { at }));
            };
            tokio::select! {
                by = self.stop.wait() => return Waited::Stopped(by),
                () = tokio::time::sleep(Duration::from_millis(left).min(CLOCK_LOOK)) => {}
            }
        }
    }

    /// Waits until this shortage is over.
    async fn until_there_is_space(&mut self, shortage: &Shortage) -> Waited {
        let mut look = FIRST_LOOK.max(self.pause);
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LAST_PAUSE);
        loop {
            tokio::select! {
                by = self.stop.wait() => return Waited::Stopped(by),
                () = tokio::time::sleep(look) => {}
            }
            let (_, free) = self.space.free();
            if free >= shortage.need {
                // Without a reserve the next shortage is only told later.
                drop(self.space.hold_back());
                let at = self.clock.now();
                return Waited::Came(Event::SpaceFreed(SpaceFreed { free, at }));
            }
            look = (look * 3 / 2).min(LAST_LOOK.max(self.pause));
        }
    }

    /// Keeps something in the journal, as soon as there is space for it.
    pub(crate) async fn keep<T>(&mut self, keep: impl Fn() -> Result<T, DeskError>) -> Result<T, Failure> {
        let mut told = false;
        loop {
            let full = match keep() {
                Err(DeskError::Full(why)) => DeskError::Full(why),
                kept => return Ok(kept?),
            };
            if self.space.give_up_reserve() {
                continue;
            }
            let shortage = self.space.told_full();
            if !told {
                render::waits_for_space(&shortage);
                told = true;
            }
            if let Waited::Stopped(_) = self.until_there_is_space(&shortage).await {
                return Err(full.into());
            }
        }
    }
}
