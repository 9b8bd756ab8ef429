//! The real core and the real loop over a world made of a seed.
//!
//! A seed decides the task, what the agent leaves after each turn, and every
//! misfortune: deaths before, in and after each effect, effects done twice,
//! stops, trouble, a clock that jumps. The same seed without misfortune is the
//! run's twin; both must come to the same end. What may go wrong is judged by
//! an [`audit`] that knows the truth of the world and asks nothing of the
//! core's own gate.

mod audit;
mod disk;
mod journal;
mod random;
mod script;
mod world;

pub use audit::Fault;

use disk::Disk;
use futures_util::FutureExt;
use journal::Mortal;
use script::Script;
use trueup_core::{
    event::{Answered, Due, Event, PersonAnswer, Resumed, Signal, SpaceFreed},
    id::Timestamp,
    run::{Position, Reason, Run, Step},
};
use trueup_engine::{
    drive::{Rest, Stranded, drive},
    durable::{Desk, memory::Memory},
};
use world::Simulated;

/// A fault planted on purpose, which the simulation must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// The world does a finished turn again instead of finding its outcome.
    TurnNotIdempotent,
    /// The world dates a commit by its clock instead of by the journal.
    CommitByClock,
    /// The world reports what a check saw on the tree before.
    StaleEvidence,
    /// The journal answers an event before it is kept.
    KeepsLate,
}

impl Bug {
    /// Every planted fault.
    pub const ALL: [Self; 4] = [
        Self::TurnNotIdempotent,
        Self::CommitByClock,
        Self::StaleEvidence,
        Self::KeepsLate,
    ];
}

/// How kind the world is to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    /// Nothing goes wrong.
    Fair,
    /// Everything may.
    Foul,
}

/// How many times one run is picked up again before something must be wrong.
const PATIENCE: u32 = 400;

/// Carries one seed's run to its end, in foul weather and in fair, and audits
/// both.
pub fn simulate(seed: u64, bug: Option<Bug>) -> Result<Position, Fault> {
    let script = Script::of(seed);
    let (foul, disk, events) = live(&script, Weather::Foul, bug)?;
    audit::audit(&script, &disk, &events, &foul)?;
    let (fair, disk, events) = live(&script, Weather::Fair, None)?;
    audit::audit(&script, &disk, &events, &fair)?;
    audit::same_end(&fair, &foul)?;
    Ok(foul.position().clone())
}

/// Carries a run to its end, picking it up as often as it is dropped.
fn live(script: &Script, weather: Weather, bug: Option<Bug>) -> Result<(Run, Disk, Vec<Event>), Fault> {
    let desk = Memory::default();
    let id = script.opening.run.clone();
    let opened = Event::Opened(Box::new(script.opening.clone()));
    desk.open(&id, &opened).map_err(Fault::new)?;
    let world = Simulated::new(script, weather, bug);
    let mut shown = vec![opened];
    for _ in 0..PATIENCE {
        let (journal, events) = desk.claim(&id).map_err(Fault::new)?;
        audit::nothing_shown_was_lost(&shown, &events)?;
        shown.clone_from(&events);
        let mut run = Run::replay(&events).map_err(Fault::new)?;
        let mut mortal = Mortal::new(journal, &world);
        let driven = drive(&mut run, &world, &mut mortal, |_, event| shown.push(event.clone()))
            .now_or_never()
            .ok_or_else(|| Fault::new("the simulation waited for something outside itself"))?;
        drop(mortal);
        match driven {
            Ok(Rest::Done(_)) => {
                let events = desk.history(&id).map_err(Fault::new)?;
                return Ok((run, world.into_disk(), events));
            }
            Ok(Rest::Parked) => {
                let at = world.now();
                let word = match run.next() {
                    Step::Await(Signal::Budget) => {
                        let events = desk.history(&id).map_err(Fault::new)?;
                        return Ok((run, world.into_disk(), events));
                    }
                    // The moment is slept for, however the clock jumps.
                    Step::Await(Signal::Time(until)) => Event::Due(Due { at: at.max(until) }),
                    Step::Await(Signal::Answer) => approval(&run, at),
                    Step::Await(Signal::Space) => Event::SpaceFreed(SpaceFreed { free: 9, at }),
                    Step::Await(Signal::Resume) | Step::Do(_) | Step::Done(_) => Event::Resumed(Resumed { at }),
                };
                desk.post(&id, &word).map_err(Fault::new)?;
            }
            Err(Stranded::Lost(_)) => world.after_death(),
            Err(Stranded::Illegal(illegal)) => return Err(Fault::new(illegal)),
        }
    }
    Err(Fault::new("the run was picked up too often without coming to an end"))
}

/// A person says yes to everything they are asked.
fn approval(run: &Run, at: Timestamp) -> Event {
    let names = match run.position() {
        Position::Paused(_, Reason::Asks(asked)) => asked.iter().map(|objection| objection.digest.clone()).collect(),
        Position::Paused(..) | Position::Working(_) | Position::Done(_) => Vec::new(),
    };
    let answer = PersonAnswer::Approved(names);
    Event::Answered(Answered { answer, at })
}
