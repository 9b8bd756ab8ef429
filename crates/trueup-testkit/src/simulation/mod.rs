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
pub(crate) mod random;
mod script;
mod world;

pub use audit::Fault;

use crate::bad_network::BadNetwork;
use disk::Disk;
use futures_util::FutureExt;
use journal::Mortal;
use script::WorldScript;
use trueup_core::{
    event::{Answered, Due, Event, PersonAnswer, Resumed, Signal, SpaceFreed},
    id::{RunId, Timestamp},
    run::{Position, Reason, Run},
};
use trueup_engine::{
    drive::{Rest, Stranded, drive},
    durable::{Claimed, Desk, DeskError, Lost, Request, memory::Memory},
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
    let script = WorldScript::of(seed);
    let foul = audited(&script, &Memory::default(), (Weather::Foul, bug))?;
    let fair = audited(&script, &Memory::default(), (Weather::Fair, None))?;
    audit::same_end(&fair, &foul)?;
    let far = BadNetwork::before(Memory::default(), seed ^ 0xbad);
    let behind_the_network = audited(&script, &far, (Weather::Foul, bug))?;
    audit::same_end(&fair, &behind_the_network)?;
    Ok(foul.position().clone())
}

fn audited(
    script: &WorldScript,
    desk: &(impl Desk + Lapse),
    (weather, bug): (Weather, Option<Bug>),
) -> Result<Run, Fault> {
    let (run, disk, events) = live(script, desk, (weather, bug))?;
    audit::audit(script, &disk, &events, &run)?;
    Ok(run)
}

/// Carries a run to its end, picking it up as often as it is dropped.
fn live(
    script: &WorldScript,
    desk: &(impl Desk + Lapse),
    (weather, bug): (Weather, Option<Bug>),
) -> Result<(Run, Disk, Vec<Event>), Fault> {
    let id = script.opening.run.clone();
    let opened = Event::Opened(Box::new(script.opening.clone()));
    let request = Request::named("open");
    asked(|| desk.open(&request, &id, &opened))?;
    let world = Simulated::new(script, weather, bug);
    let mut shown = vec![opened];
    for life in 0..PATIENCE {
        // Whoever lost the run with its answers is waited for no longer than its lease.
        desk.lapse(&id);
        let request = Request::named(format!("claim-{life}"));
        let Claimed { journal, events, .. } = asked(|| desk.claim(&request, &id))?;
        audit::nothing_shown_was_lost(&shown, &events)?;
        shown.clone_from(&events);
        let mut run = Run::replay(&events).map_err(Fault::new)?;
        let mut mortal = Mortal::new(journal, &world);
        let driven = loop {
            let driven = now(drive(&mut run, &world, &mut mortal, |_, event| {
                shown.push(event.clone())
            }))?;
            match driven {
                // What got no answer is asked again from where the run stands.
                Err(Stranded::Lost(Lost::Unreachable(_))) => {}
                driven => break driven,
            }
        };
        drop(mortal);
        let parked = match driven {
            Ok(Rest::Done(_) | Rest::Parked(Signal::Budget)) => {
                let events = asked(|| desk.history(&id, 0))?;
                return Ok((run, world.into_disk(), events));
            }
            Ok(Rest::Parked(signal)) => signal,
            Err(Stranded::Lost(_)) => {
                world.after_death();
                continue;
            }
            Err(Stranded::Illegal(illegal)) => return Err(Fault::new(illegal)),
        };
        let signal = came(&run, parked, world.now());
        let request = Request::named(format!("post-{life}"));
        asked(|| desk.post(&request, &id, &signal))?;
    }
    Err(Fault::new("the run was picked up too often without coming to an end"))
}

/// A desk whose leases can be made to lapse.
trait Lapse {
    /// Lets the hold on a run lapse, if there is one.
    fn lapse(&self, run: &RunId);
}

impl Lapse for Memory {
    fn lapse(&self, run: &RunId) {
        drop(Self::lapse(self, run));
    }
}

impl Lapse for BadNetwork<Memory> {
    fn lapse(&self, run: &RunId) {
        drop(self.desk().lapse(run));
    }
}

/// Asks the desk, as often as it takes to get an answer.
fn asked<T, F: Future<Output = Result<T, DeskError>>>(ask: impl Fn() -> F) -> Result<T, Fault> {
    for _ in 0..PATIENCE {
        match now(ask())? {
            Err(DeskError::Unreachable(_)) => {}
            answer => return answer.map_err(Fault::new),
        }
    }
    Err(Fault::new("the desk never answered"))
}

/// Nothing in a simulation waits for anything outside it.
fn now<T>(future: impl Future<Output = T>) -> Result<T, Fault> {
    let ready = future.now_or_never();
    ready.ok_or_else(|| Fault::new("the simulation waited for something outside itself"))
}

/// What ends a wait. A moment is slept for, however the clock jumps.
fn came(run: &Run, parked: Signal, at: Timestamp) -> Event {
    match parked {
        Signal::Time(until) => Event::Due(Due { at: at.max(until) }),
        Signal::Answer => approval(run, at),
        Signal::Advice => Event::Answered(Answered {
            answer: PersonAnswer::Told("Go on.".into()),
            at,
        }),
        Signal::Space => Event::SpaceFreed(SpaceFreed { free: 9, at }),
        Signal::Resume | Signal::Budget => Event::Resumed(Resumed { at }),
    }
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
