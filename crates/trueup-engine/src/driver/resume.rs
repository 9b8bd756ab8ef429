//! What a person says by going on with a run.

use super::waiting::FarMoment;
use trueup_core::{
    digest::Digest,
    event::{Answered, Event, PersonAnswer, Resumed, Signal},
    id::Timestamp,
    run::{Run, Step},
    task::Task,
};

/// How a person has a run go on.
#[derive(Clone, Debug)]
pub struct Resume {
    /// What they decided.
    pub decision: Decision,
    /// The task as its file tells it now, where there is one to look at.
    pub task: Option<Box<Task>>,
    /// The agent it shall go on with, as it is configured now; the one it has
    /// where absent.
    pub agent: Option<String>,
    /// What becomes of it where it waits for a moment.
    pub far: FarMoment,
}

/// What a person decides by going on with a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// It goes on; it may wait for its moment.
    #[default]
    Continue,
    /// It asks its model now.
    Now,
    /// This of what it asks about may stay, by the names of the objections.
    Approve(Vec<Digest>),
    /// It may not; why, for the agent to read.
    Reject(String),
    /// Words for an agent that cannot go on.
    Tell(String),
    /// That some of the work proves too little is accepted; why.
    Waive(String),
}

impl Resume {
    /// The run goes on as it is.
    pub const fn as_it_is() -> Self {
        Self {
            decision: Decision::Continue,
            task: None,
            agent: None,
            far: FarMoment::WaitedFor,
        }
    }

    /// The signal that this is to a run, if it waits for one: go on, or an
    /// answer. More budget comes by the task file, and is taken in before.
    pub(super) fn signal(&self, run: &Run, at: Timestamp) -> Option<Event> {
        match run.next() {
            Step::Await(Signal::Advice) if matches!(self.decision, Decision::Continue | Decision::Now) => {
                Some(Event::Resumed(Resumed { at }))
            }
            Step::Await(Signal::Resume) => Some(Event::Resumed(Resumed { at })),
            Step::Await(Signal::Answer | Signal::Advice | Signal::Budget) => {
                let answer = self.decision.answer().filter(|answer| run.hears(answer))?;
                Some(Event::Answered(Answered { answer, at }))
            }
            Step::Await(Signal::Time(_)) if self.decision == Decision::Now => Some(Event::Resumed(Resumed { at })),
            Step::Await(Signal::Space | Signal::Time(_)) | Step::Do(_) | Step::Done(_) => None,
        }
    }
}

impl Decision {
    /// What this says to a run, if it is an answer at all; whether a run hears
    /// it is its own decision.
    pub fn answer(&self) -> Option<PersonAnswer> {
        match self {
            Self::Approve(names) => Some(PersonAnswer::Approved(names.clone())),
            Self::Reject(why) => Some(PersonAnswer::Rejected(why.clone())),
            Self::Tell(words) => Some(PersonAnswer::Told(words.clone())),
            Self::Waive(why) => Some(PersonAnswer::Waived(why.clone())),
            Self::Continue | Self::Now => None,
        }
    }
}
