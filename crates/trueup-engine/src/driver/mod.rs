//! Driving runs: what a command, a worker and a dashboard call alike.
//!
//! Nothing here knows what the desk keeps its rows in, or who watches.

mod error;
mod find;
mod resume;
mod stopping;
mod taking_up;
mod waiting;
mod watcher;

pub use error::DriveError;
pub use find::{all_runs, find_run, history_of, next_run};
pub use resume::{Decision, Resume};
pub use stopping::Stopping;
pub use waiting::FarMoment;
pub use watcher::Watcher;

use crate::{
    drive::{Rest, Stranded, drive},
    durable::{Claimed, Desk, Request},
    local::LiveUpdate,
    machine::Machine,
    trace,
    transcript::Notebook,
};
use std::sync::Arc;
use taking_up::TakenUp;
use trueup_core::{
    event::{Event, Stop},
    id::RunId,
    run::Run,
};
use waiting::{Waited, Waiting};

/// Drives runs of one repository on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Driver<'a, D> {
    /// Who hands them out.
    desk: &'a D,
    /// What they are driven on.
    machine: &'a Machine,
    /// Who may ask to stop.
    stopping: &'a Stopping,
}

/// Where a run came to rest.
#[derive(Clone, Debug)]
pub struct Rested {
    /// The run.
    pub run: Run,
    /// Who asked it to stop while it waited for the world, if somebody did.
    pub stopped: Option<Stop>,
}

impl<'a, D: Desk + Clone + 'static> Driver<'a, D> {
    /// Drives what this desk hands out, on this machine.
    pub const fn new(desk: &'a D, machine: &'a Machine, stopping: &'a Stopping) -> Self {
        Self {
            desk,
            machine,
            stopping,
        }
    }

    /// Opens a run, as soon as there is space for that.
    pub async fn open(&self, run: &RunId, opening: &Event, watcher: &dyn Watcher) -> Result<(), DriveError> {
        trace::asks_desk("open", run);
        let request = Request::fresh();
        let mut waiting = self.waiting(FarMoment::WaitedFor);
        waiting.ask(watcher, || self.desk.open(&request, run, opening)).await
    }

    /// Drives a run from where its journal stands until it rests. One that was
    /// paused goes on: only its one driver may say so, else a second `resume`
    /// that came too late would leave a signal that wakes the run at its next
    /// pause.
    pub async fn carry(&self, run: &RunId, resume: &Resume, watcher: &Arc<dyn Watcher>) -> Result<Rested, DriveError> {
        let mut waiting = self.waiting(resume.far);
        trace::asks_desk("claim", run);
        let request = Request::fresh();
        let claimed = waiting.ask(&**watcher, || self.desk.claim(&request, run)).await?;
        let Claimed {
            mut journal,
            lease,
            mut events,
        } = claimed;
        let mut state = Run::replay(&events)?;
        let _heartbeat = self.stopping.follow(self.desk, &lease);
        self.machine.make_space_to_begin();
        watcher.begins(&state);
        let mut taken_up = TakenUp {
            run: &mut state,
            journal: &mut journal,
            machine: self.machine,
            waiting: &mut waiting,
            watcher: &**watcher,
            events: &mut events,
        };
        taken_up.take_in_all(resume).await?;
        let signal = resume.signal(&state, self.machine.clock.now());
        if signal.is_none() && resume.decision.answer().is_some() {
            return Err(DriveError::Unheard(run.clone()));
        }
        let live = Arc::clone(watcher);
        let world = self.machine.world(
            state.opening().clone(),
            self.stopping.token(),
            move |happening: LiveUpdate<'_>| live.live(happening),
        );
        let world = world.await?;
        // Only now, because a letter that nobody takes would be heard at the next pause.
        if let Some(signal) = signal {
            self.post(&mut waiting, &signal, (run, &**watcher)).await?;
        }
        let pages = Notebook::open(self.machine.transcripts(&world), run, &events);
        let show = |run: &Run, event: &Event| {
            watcher.event(run, event);
            pages.event(event);
        };
        let stopped = loop {
            let before = *state.spend();
            let rest = match drive(&mut state, &world, &mut journal, show).await {
                Ok(rest) => rest,
                Err(Stranded::Lost(lost)) => {
                    waiting.out_loss(lost, &**watcher).await?;
                    continue;
                }
                Err(Stranded::Illegal(illegal)) => return Err(illegal.into()),
            };
            if before != *state.spend() {
                waiting.begin_anew();
            }
            let came = match (rest, waiting.out(state.position()).await) {
                (Rest::Parked(_), Waited::Came(event)) => event,
                (Rest::Parked(_), Waited::Stopped(by)) => break Some(by),
                (Rest::Parked(_), Waited::ForOthers) | (Rest::Done(_), _) => break None,
            };
            self.post(&mut waiting, &came, (run, &**watcher)).await?;
        };
        watcher.ends();
        pages.close();
        self.machine.tidy_up(&state);
        trace::asks_desk("release", run);
        self.desk.release(journal).await?;
        Ok(Rested { run: state, stopped })
    }

    async fn post(
        &self,
        waiting: &mut Waiting,
        signal: &Event,
        (run, watcher): (&RunId, &dyn Watcher),
    ) -> Result<(), DriveError> {
        trace::asks_desk("post", run);
        let request = Request::fresh();
        waiting.ask(watcher, || self.desk.post(&request, run, signal)).await
    }

    fn waiting(&self, far: FarMoment) -> Waiting {
        Waiting::new(self.machine.space(), self.machine.clock, self.stopping.token(), far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::LocalDesk;

    /// What is handed to it may wait on one thread and go on on another.
    const fn moves<T: Send>(_: &T) {}

    fn carries(driver: &Driver<'_, LocalDesk>, run: &RunId, resume: &Resume, watcher: &Arc<dyn Watcher>) {
        moves(&driver.carry(run, resume, watcher));
    }

    #[test]
    fn a_driven_run_moves_between_threads() {
        // That this compiles is the proof.
        let _: fn(&Driver<'_, LocalDesk>, &RunId, &Resume, &Arc<dyn Watcher>) = carries;
    }
}
