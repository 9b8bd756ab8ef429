//! `trueup up`: carry on every run that is ready, of all of a person's
//! repositories, until somebody says stop.
//!
//! Each run is driven by a process of its own. Where this one is killed, those
//! go on, and the next `up` finds them at work.

mod carrying;
mod program;

use crate::{
    args::{Global, Up},
    exit::{Exit, Failure},
    foreground::Foreground,
    places::{Places, RunAt},
    project::{clock, environment, state_folder},
    render::{self, UpLine},
    state_place::StateFolder,
};
use carrying::Carrying;
use program::Program;
use std::{
    fs::{File, TryLockError},
    time::{Duration, Instant},
};
use trueup_core::{
    event::{Event, Resumed, Stop},
    run::{Position, Reason},
    schedule::{Carried, Schedule},
};
use trueup_engine::{
    durable::{Desk, Request},
    state::make_private,
    stop::StopToken,
};

/// How often is looked for what is ready.
const LOOK: Duration = Duration::from_millis(500);

/// Carries runs on until somebody says stop, or nothing is left to do.
pub(crate) fn up(arguments: &Up, global: &Global) -> Result<Exit, Failure> {
    let environment = environment();
    let folder = state_folder(&environment)?;
    let _alone = alone(&folder)?;
    let program = Program::now(&arguments.adopt)?;
    let foreground = Foreground::begin()?;
    let mut shift = Shift {
        places: Places::of(folder, clock(&environment)?),
        schedule: Schedule::new(arguments.at_most.into()),
        carrying: Vec::new(),
        adopted: Vec::new(),
        program,
        begun: Instant::now(),
        arguments,
        global,
    };
    let token = foreground.token();
    let stopped = foreground.wait(shift.work(&token))?;
    Ok(match stopped {
        None => Exit::Verified,
        Some(Stop::Keyboard) => Exit::Interrupted,
        Some(Stop::Request) => Exit::Terminated,
    })
}

/// What only one process of a person has; whoever dies has it no longer.
fn alone(folder: &StateFolder) -> Result<File, Failure> {
    make_private(folder.path())?;
    let path = folder.path().join("up.lock");
    let lock = File::options().write(true).create(true).truncate(false).open(path)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            let what = "another `trueup up` carries your runs on already";
            Err(Failure::new(Exit::Conflict, what).next("trueup status"))
        }
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The time from the start of this process to its end.
struct Shift<'a> {
    places: Places,
    schedule: Schedule<RunAt>,
    carrying: Vec<Carrying>,
    /// Runs that were driven already when this process began.
    adopted: Vec<RunAt>,
    program: Program,
    begun: Instant,
    arguments: &'a Up,
    global: &'a Global,
}

impl Shift<'_> {
    /// Answers who asked to stop, if somebody did.
    async fn work(&mut self, token: &StopToken) -> Result<Option<Stop>, Failure> {
        self.places.look(self.global);
        self.adopted = self.places.driven().await;
        for run in &self.adopted {
            self.schedule.is_carried_by_others(run.clone());
        }
        render::up_begins(self.places.count(), self.adopted.len(), self.global)?;
        loop {
            self.take_back().await?;
            if let Some(by) = token.raised() {
                self.hand_back().await?;
                return Ok(Some(by));
            }
            self.program.reap();
            if self.program.was_replaced() {
                let children: Vec<u32> = self.carrying.iter().map(Carrying::process).collect();
                let why = self.program.become_it(&children);
                render::note(&format!(
                    "the new trueup could not be started, so this one goes on: {why}"
                ));
            }
            self.places.look(self.global);
            let ready = self.places.ready(self.global).await;
            for run in self.schedule.next(&ready.runs, self.now_ms()) {
                self.begin(run).await?;
            }
            if self.arguments.until_idle && ready.is_all && self.schedule.is_idle(&ready.runs) {
                return Ok(None);
            }
            tokio::select! {
                _ = token.wait() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    async fn begin(&mut self, name: RunAt) -> Result<(), Failure> {
        let begun = match self.places.run(&name).await {
            Ok(run) => {
                let place = self.places.place(&name).ok_or("its repository is gone".to_owned());
                self.tell(&name, &UpLine::Begins(&run))?;
                place.and_then(|place| {
                    let begun = Carrying::begin(self.program.path(), place, (&name, run.length()));
                    begun.map_err(|error| error.to_string())
                })
            }
            Err(failure) => Err(failure.what),
        };
        match begun {
            Ok(carrying) => self.carrying.push(carrying),
            Err(why) => self.stays(&name, &why)?,
        }
        Ok(())
    }

    /// Takes note of every run that is not carried on any more.
    async fn take_back(&mut self) -> Result<(), Failure> {
        for mut carrying in std::mem::take(&mut self.carrying) {
            if carrying.is_at_work()? {
                self.carrying.push(carrying);
                continue;
            }
            let name = carrying.name().clone();
            match self.places.run(&name).await {
                Ok(run) if run.length() > carrying.known() => {
                    carrying.forget();
                    self.schedule.ended(&name, Carried::Further, self.now_ms());
                    self.tell(&name, &UpLine::Rests(&run))?;
                }
                Ok(_) => self.stays(&name, &carrying.told())?,
                Err(failure) => self.stays(&name, &failure.what)?,
            }
        }
        for name in std::mem::take(&mut self.adopted) {
            if self.places.is_driven(&name).await {
                self.adopted.push(name);
                continue;
            }
            self.schedule.ended(&name, Carried::Further, self.now_ms());
            if let Ok(run) = self.places.run(&name).await {
                self.tell(&name, &UpLine::Rests(&run))?;
            }
        }
        Ok(())
    }

    /// A run did not go on.
    fn stays(&mut self, name: &RunAt, why: &str) -> Result<(), Failure> {
        let again = self.schedule.ended(name, Carried::Nowhere, self.now_ms());
        let again_ms = again.unwrap_or_default();
        self.tell(name, &UpLine::Stays { why, again_ms })
    }

    /// Has every run stop where nothing of it is lost, and go on with the next `up`.
    async fn hand_back(&mut self) -> Result<(), Failure> {
        for carrying in &self.carrying {
            carrying.ask_to_stop();
        }
        for mut carrying in std::mem::take(&mut self.carrying) {
            while carrying.is_at_work()? {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let name = carrying.name().clone();
            carrying.forget();
            let Ok(run) = self.places.run(&name).await else {
                continue;
            };
            if let (Position::Paused(_, Reason::Stopped(Stop::Request)), Some(place)) =
                (run.position(), self.places.place(&name))
            {
                let goes_on = Event::Resumed(Resumed { at: self.places.now() });
                place.desk.post(&Request::fresh(), &name.run, &goes_on).await?;
            }
            self.tell(&name, &UpLine::Rests(&run))?;
        }
        Ok(())
    }

    fn tell(&self, name: &RunAt, line: &UpLine<'_>) -> Result<(), Failure> {
        let checkout = self.places.place(name).map(|place| place.checkout.as_path());
        // Where all is of one repository, nobody needs to be told which.
        let named = checkout.filter(|_| self.places.count() > 1 || self.global.json);
        render::up_line(&name.run, named, line, self.global)
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
