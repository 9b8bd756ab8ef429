//! Waiting for the world: a full disk, a spent quota, a desk that does not
//! answer or a model that gives nothing is nobody's fault, so a run that meets
//! one waits and goes on by itself.

use super::{error::DriveError, watcher::Watcher};
use crate::{
    blocking::blocking,
    clock::Clock,
    durable::{DeskError, Lost},
    space::Space,
    stop::StopToken,
    trace,
};
use std::time::Duration;
use trueup_core::{
    event::{Due, Event, Shortage, SpaceFreed, Stop},
    id::Timestamp,
    run::{Position, Reason},
};

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

/// How soon a desk that did not answer is asked again; each further time doubles it.
const FIRST_ASK: Duration = Duration::from_millis(100);

/// How long it takes at most until it is asked again.
const LAST_ASK: Duration = Duration::from_secs(10);

/// How often in a row a desk may not answer before it counts as gone.
const ASKS: u32 = 40;

/// How waiting ended.
pub(super) enum Waited {
    /// What was waited for came.
    Came(Event),
    /// Somebody asked to stop.
    Stopped(Stop),
    /// Only a person can say what comes now, or the moment is far, and another
    /// one will notice that it came.
    ForOthers,
}

/// What a driver does with a run that waits for a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FarMoment {
    /// It waits with it.
    #[default]
    WaitedFor,
    /// It leaves the run to whoever knows from the desk when it is due, so that a
    /// waiting run has no process.
    LeftToOthers,
}

/// Waits, for space longer each time what there was did not suffice.
pub(super) struct Waiting {
    space: Space,
    clock: Clock,
    stop: StopToken,
    far: FarMoment,
    pause: Duration,
    /// How often in a row the desk did not answer.
    unanswered: u32,
    /// Whether somebody was told that there is no space for the journal.
    told: bool,
}

impl Waiting {
    /// Waits until somebody asks to stop.
    pub(super) const fn new(space: Space, clock: Clock, stop: StopToken, far: FarMoment) -> Self {
        Self {
            space,
            clock,
            stop,
            far,
            pause: Duration::ZERO,
            unanswered: 0,
            told: false,
        }
    }

    /// Something was achieved since the last wait.
    pub(super) const fn begin_anew(&mut self) {
        self.pause = Duration::ZERO;
        self.unanswered = 0;
        self.told = false;
    }

    /// Waits for whatever a run that stands here waits for, unless that is a person.
    pub(super) async fn out(&mut self, position: &Position) -> Waited {
        match position {
            Position::Paused(_, Reason::NoSpace(shortage)) => self.until_there_is_space(shortage).await,
            Position::Paused(_, Reason::External { until, .. }) => self.until(*until).await,
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => Waited::ForOthers,
        }
    }

    /// Waits until a moment of the clock on the wall: a machine that slept
    /// through it goes on as soon as it wakes.
    async fn until(&self, moment: Timestamp) -> Waited {
        trace::waits("a moment");
        loop {
            let at = self.clock.now();
            let Some(left) = u64::try_from(moment.0.saturating_sub(at.0))
                .ok()
                .filter(|left| *left > 0)
            else {
                return Waited::Came(Event::Due(Due { at }));
            };
            if self.far == FarMoment::LeftToOthers {
                return Waited::ForOthers;
            }
            if let Some(by) = self.sleep(Duration::from_millis(left).min(CLOCK_LOOK)).await {
                return Waited::Stopped(by);
            }
        }
    }

    /// Waits until this shortage is over.
    async fn until_there_is_space(&mut self, shortage: &Shortage) -> Waited {
        trace::waits("space");
        let mut look = FIRST_LOOK.max(self.pause);
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LAST_PAUSE);
        loop {
            if let Some(by) = self.sleep(look).await {
                return Waited::Stopped(by);
            }
            let (space, need) = (self.space.clone(), shortage.need);
            let freed = blocking(move || {
                let (_, free) = space.free();
                // Without a reserve the next shortage is only told later.
                (free >= need).then(|| drop(space.hold_back())).map(|()| free)
            });
            if let Some(free) = freed.await {
                let at = self.clock.now();
                return Waited::Came(Event::SpaceFreed(SpaceFreed { free, at }));
            }
            look = (look * 3 / 2).min(LAST_LOOK.max(self.pause));
        }
    }

    /// Asks something of the desk, as often as it takes until it answers and
    /// has space for it.
    pub(super) async fn ask<T, F>(&mut self, watcher: &dyn Watcher, ask: impl Fn() -> F) -> Result<T, DriveError>
    where
        F: Future<Output = Result<T, DeskError>>,
    {
        loop {
            let lost = match ask().await {
                Ok(answer) => {
                    self.unanswered = 0;
                    return Ok(answer);
                }
                Err(DeskError::Full(why)) => Lost::Full(why),
                Err(DeskError::Unreachable(why)) => Lost::Unreachable(why),
                Err(refused) => return Err(refused.into()),
            };
            self.out_loss(lost, watcher).await?;
        }
    }

    /// Waits until it is worth trying again what was lost, or says that it
    /// never will be. Whoever is killed meanwhile loses nothing: what was done
    /// is spooled, and is found by its effect's id.
    pub(super) async fn out_loss(&mut self, lost: Lost, watcher: &dyn Watcher) -> Result<(), DriveError> {
        match lost {
            Lost::Full(why) => self.out_full(why, watcher).await,
            Lost::Unreachable(why) => self.out_silence(why).await,
            Lost::Fenced | Lost::Journal(_) => Err(lost.into()),
        }
    }

    async fn out_full(&mut self, why: String, watcher: &dyn Watcher) -> Result<(), DriveError> {
        if self.space.give_up_reserve() {
            return Ok(());
        }
        let shortage = self.space.told_full();
        if !self.told {
            watcher.waits_for_space(&shortage);
            self.told = true;
        }
        match self.until_there_is_space(&shortage).await {
            Waited::Stopped(_) => Err(DeskError::Full(why).into()),
            Waited::Came(_) | Waited::ForOthers => Ok(()),
        }
    }

    async fn out_silence(&mut self, why: String) -> Result<(), DriveError> {
        trace::waits("an answer of the desk");
        let pause = FIRST_ASK * 2_u32.pow(self.unanswered.min(10));
        self.unanswered += 1;
        if self.unanswered > ASKS || self.sleep(pause.min(LAST_ASK)).await.is_some() {
            return Err(DeskError::Unreachable(why).into());
        }
        Ok(())
    }

    /// Sleeps; answers who asked to stop meanwhile, if somebody did.
    async fn sleep(&self, time: Duration) -> Option<Stop> {
        tokio::select! {
            by = self.stop.wait() => Some(by),
            () = tokio::time::sleep(time) => None,
        }
    }
}
