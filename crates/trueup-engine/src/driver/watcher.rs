//! Whoever looks on while a run is driven.

use crate::local::LiveUpdate;
use trueup_core::{
    difference::Difference,
    event::{Event, Shortage},
    run::Run,
};

/// Is told what happens to a run, and decides nothing. Who implements nothing of
/// it hears nothing.
pub trait Watcher: Send + Sync {
    /// A run is taken up from here.
    fn begins(&self, _run: &Run) {}
    /// A person changed the task file, and the run takes that in.
    fn task_changed(&self, _differences: &[Difference]) {}
    /// The run goes on with an agent as it is configured now.
    fn agent_changed(&self, _differences: &[Difference]) {}
    /// The run's agent is configured otherwise by now, and the run goes on
    /// with the one it has.
    fn agent_left(&self, _run: &Run, _differences: &[Difference]) {}
    /// An event was kept.
    fn event(&self, _run: &Run, _event: &Event) {}
    /// Something happens; it is no fact before it is kept.
    fn live(&self, _happening: LiveUpdate<'_>) {}
    /// Not even the journal can be written before there is space.
    fn waits_for_space(&self, _shortage: &Shortage) {}
    /// The run rests.
    fn ends(&self) {}
}
