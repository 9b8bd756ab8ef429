//! How far a turn has come. Each stage holds just what is known then.

use crate::{
    agent::{Answer, prompt::Rescued},
    travel::SessionFiles,
};
use std::sync::Arc;
use trueup_core::{
    effect,
    ending::Ending,
    event::Stop,
    id::{EffectId, SessionId, TreeId},
    memory::Claim,
    turn::TurnOutcome,
    usage::Usage,
};

/// A turn, as far as it has come.
#[derive(Debug)]
pub(super) struct Turn<Stage> {
    pub(super) id: EffectId,
    pub(super) wish: Arc<effect::Turn>,
    pub(super) stage: Stage,
}

/// Nothing was done yet.
#[derive(Debug)]
pub(super) struct Requested;

/// The workspace shows the tree the turn starts from.
#[derive(Debug)]
pub(super) struct LaidOut {
    /// Whether something of a try that was broken off was saved.
    pub(super) rescued: Rescued,
    /// What earlier tries at the turn cost that were broken off.
    pub(super) lost: Usage,
}

/// The agent ended.
#[derive(Debug)]
pub(super) struct Answered {
    /// What it was told.
    pub(super) prompt: String,
    /// How it ended.
    pub(super) ending: Ending,
    /// What it printed, and how much of it in all.
    pub(super) transcript: (Vec<u8>, u64),
    /// What it cost, with what earlier tries at the turn cost.
    pub(super) usage: Usage,
    /// How long it took.
    pub(super) took_ms: u64,
    /// Its conversation, to go on from.
    pub(super) session: Option<(SessionId, SessionFiles)>,
    /// What it says of its work.
    pub(super) claim: Claim,
    /// Its version, as it says.
    pub(super) version: Option<String>,
}

/// All that the outcome names is durable.
#[derive(Debug)]
pub(super) struct Stored {
    /// What came of the turn.
    pub(super) outcome: TurnOutcome,
    /// The tree of everything that was left, if some of it may not stay.
    pub(super) beyond: Option<TreeId>,
}

/// A turn that ended, as far as it could be stored.
#[derive(Debug)]
pub(super) enum EndedTurn {
    /// Nothing is stored of it.
    Answered(Turn<Answered>),
    /// All that its outcome names is.
    Stored(Turn<Stored>),
}

impl<Stage> Turn<Stage> {
    /// The same turn, one step further.
    pub(super) fn step<Next>(self, next: impl FnOnce(Stage) -> Next) -> Turn<Next> {
        Turn {
            id: self.id,
            wish: self.wish,
            stage: next(self.stage),
        }
    }
}

impl Turn<LaidOut> {
    /// The turn with what its agent answered; `Err` where it was stopped.
    pub(super) fn answered(self, prompt: String, answer: Answer) -> Result<Turn<Answered>, Stop> {
        let took_ms = answer.took_ms();
        let ending = answer.ending?;
        Ok(self.step(|LaidOut { lost, .. }| Answered {
            prompt,
            ending,
            transcript: (answer.transcript, answer.transcript_total),
            usage: answer.usage.with_lost(&lost),
            took_ms,
            session: answer.session.zip(answer.session_files),
            claim: answer.claim,
            version: answer.version,
        }))
    }
}

impl From<Turn<Answered>> for EndedTurn {
    fn from(turn: Turn<Answered>) -> Self {
        Self::Answered(turn)
    }
}

impl EndedTurn {
    /// Which turn it is.
    pub(super) fn number(&self) -> u32 {
        match self {
            Self::Answered(turn) => turn.wish.number,
            Self::Stored(turn) => turn.wish.number,
        }
    }
}
