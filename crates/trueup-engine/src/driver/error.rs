//! Why a run could not be driven further here.

use crate::{
    durable::{DeskError, Lost},
    machine::MachineError,
};
use trueup_core::{
    difference::Difference,
    gate::Refusal,
    id::RunId,
    run::{IllegalEvent, ReplayError},
};

/// Why a run could not be driven further here.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The desk refused.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The journal kept nothing.
    #[error(transparent)]
    Lost(#[from] Lost),
    /// Its events do not fit these rules.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A new event does not fit these rules.
    #[error(transparent)]
    Illegal(#[from] IllegalEvent),
    /// The task file was changed in what the run rests on.
    #[error("the task file was changed in what the run rests on")]
    TaskChanged(Vec<Difference>),
    /// A limit of the task could not be kept.
    #[error("a limit of the task could not be kept: {}", .0.why)]
    Unkept(Refusal),
    /// What a person said was meant for a pause that is over.
    #[error("{0} does not wait for that any more")]
    Unheard(RunId),
    /// This machine cannot drive it.
    #[error(transparent)]
    Machine(#[from] MachineError),
}
