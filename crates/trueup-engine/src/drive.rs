//! The loop. It holds no decision, so it has no reason to grow.

use crate::{
    durable::{Durable, Lost, Received},
    trace,
    world::World,
};
use trueup_core::{
    event::{Event, Signal},
    run::{IllegalEvent, Outcome, Run, Step},
};

/// Where a run came to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It is over.
    Done(Outcome),
    /// It waits for this signal, and costs nothing.
    Parked(Signal),
}

/// Why a run could not be driven further here.
#[derive(Debug, thiserror::Error)]
pub enum Stranded {
    /// The journal kept nothing.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// A kept event does not fit these rules.
    #[error(transparent)]
    Illegal(#[from] IllegalEvent),
}

/// Drives a run until it rests. Each event is kept, then applied, then shown.
pub async fn drive(
    run: &mut Run,
    world: &impl World,
    durable: &mut impl Durable,
    mut show: impl FnMut(&Run, &Event),
) -> Result<Rest, Stranded> {
    loop {
        let event = match run.next() {
            Step::Done(outcome) => return Ok(Rest::Done(outcome)),
            Step::Do(effect) => {
                let perform = trace::effect(&run.opening().run, &effect, world.perform(&effect));
                durable.record(&effect, perform).await?
            }
            Step::Await(signal) => match durable.receive(&signal, run.length()).await? {
                Received::Event(event) => event,
                Received::Parked => return Ok(Rest::Parked(signal)),
            },
        };
        run.apply(&event)?;
        show(run, &event);
    }
}
