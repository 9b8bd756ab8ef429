//! Every fact a journal may hold: the one stable, versioned format.

use crate::{
    budget::Budget,
    control::Control,
    criterion::Network,
    digest::Digest,
    evidence::Evidence,
    gate::{self, Refusal},
    id::{CommitId, RunId, TaskId, Timestamp, TreeId},
    ladder::{Ladder, WhenIdle},
    objection::Objection,
    patience::Patience,
    settings::{AgentSettings, Settings},
    task::{Allow, Priority, Task},
    turn::{self, Permission},
    usage::Meter,
};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// The version written beside every kept event. A reader upcasts older ones
/// and refuses newer ones without writing a byte.
pub const VERSION: u32 = 4;

/// A fact. Nothing but facts is ever kept, and nothing is shown that is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A run was opened.
    Opened(Box<Opening>),
    /// Checks were executed on a tree.
    Checked(Checked),
    /// Checks were executed on trees that were sabotaged on purpose.
    Challenged(Challenged),
    /// A turn ended.
    TurnEnded(TurnEnded),
    /// The commit exists.
    Committed(Committed),
    /// The branch points to the commit.
    Published(Published),
    /// The branch was not moved.
    PublishRefused(PublishRefused),
    /// Somebody asked the run to stop, and the effect under way was broken off.
    Interrupted(Interrupted),
    /// The world could not do what was wished.
    Troubled(Troubled),
    /// A person said: go on.
    Resumed(Resumed),
    /// There is space for files again.
    SpaceFreed(SpaceFreed),
    /// The moment came that was waited for.
    Due(Due),
    /// A person changed what the run may cost.
    BudgetSet(BudgetSet),
    /// A person answered what they were asked.
    Answered(Answered),
    /// What an older opening lacked was resolved, once.
    OpeningCompleted(Box<OpeningCompleted>),
    /// A person changed the task file, and the run took that in.
    TaskChanged(Box<TaskChanged>),
    /// The run went on with an agent as it was configured then.
    AgentChanged(Box<AgentChanged>),
}

/// A run was opened: everything it will ever need to know from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The run.
    pub run: RunId,
    /// The task, as its file stood.
    pub task: Task,
    /// Where the work starts.
    pub base: Base,
    /// The agent that works.
    pub agent: Agent,
    /// Who the commit is by.
    pub author: Identity,
    /// How long anything is waited for.
    #[serde(default, skip_serializing_if = "Patience::is_usual")]
    pub patience: Patience,
    /// The configuration it was opened with. Openings of older versions lack
    /// it, and get it by [`Event::OpeningCompleted`] when they are taken up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Box<Settings>>,
    /// What it does when a turn brings nothing new.
    #[serde(default, skip_serializing_if = "WhenIdle::goes_on")]
    pub when_idle: WhenIdle,
    /// How long it tries by itself where a turn was not enough. Runs that were
    /// opened before there was a ladder have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<Ladder>,
    /// The branch that will be delivered.
    pub branch: String,
    /// What that branch pointed to when the run opened.
    pub branch_was: Option<CommitId>,
    /// When.
    pub at: Timestamp,
}

impl Opening {
    /// What is wrong with it before anything is executed.
    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        let mut refusals = gate::lint(&self.task);
        refusals.extend(self.agent.unkept(&self.task.budget));
        refusals
    }
}

/// Where the work starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// The commit.
    pub commit: CommitId,
    /// Its tree.
    pub tree: TreeId,
    /// How the person named it.
    pub name: String,
}

/// The agent a run works with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name in the configuration.
    pub name: String,
    /// Whether it says what it costs.
    pub meter: Meter,
    /// Whether it may reach the network.
    pub network: Network,
    /// What it may do without being asked.
    #[serde(default, skip_serializing_if = "Permission::is_everything")]
    pub permission: Permission,
}

impl Agent {
    /// Why a budget could not be kept with this agent, if it could not.
    pub fn unkept(&self, budget: &Budget) -> Option<Refusal> {
        let (tokens, money) = (budget.tokens.is_some(), budget.millicents.is_some());
        let (untold, instead) = match self.meter {
            Meter::Reports => None,
            Meter::Tokens => money.then_some((
                "what money it costs, so a limit in money",
                "`tokens`, `turns` or `time`",
            )),
            Meter::Silent => {
                (tokens || money).then_some(("what it costs, so a limit in tokens or money", "`turns` or `time`"))
            }
        }?;
        Some(Refusal {
            line: 1,
            about: "budget".into(),
            why: format!(
                "the agent `{}` does not say {untold} could not be kept; use {instead}",
                self.name
            ),
        })
    }
}

/// A person, as git knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

/// Checks were executed on a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The tree.
    pub tree: TreeId,
    /// What each check saw.
    pub evidence: Vec<Evidence>,
    /// What a person must know of the difference to the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<Objection>,
    /// When the last of them ended.
    pub at: Timestamp,
}

/// Checks were executed on trees that were sabotaged on purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenged {
    /// The tree that was sabotaged.
    pub tree: TreeId,
    /// What each check did.
    pub controls: Vec<Control>,
    /// What a person must know that only this showed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<Objection>,
    /// When the last of them ended.
    pub at: Timestamp,
}

/// A person answered what they were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// What they said.
    pub answer: PersonAnswer,
    /// When.
    pub at: Timestamp,
}

/// What a person says to what they are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonAnswer {
    /// These may stay: objections by their names.
    Approved(Vec<Digest>),
    /// None of it may stay; why, for the agent to read.
    Rejected(String),
    /// Words for the agent, which is told them in every turn from now on.
    Told(String),
    /// Everything is green, and that some of it proves too little is accepted; why.
    Waived(String),
}

/// A turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEnded {
    /// Which turn.
    pub turn: u32,
    /// What came of it.
    pub outcome: Box<turn::TurnOutcome>,
    /// When.
    pub at: Timestamp,
}

/// The commit exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    /// The commit.
    pub commit: CommitId,
    /// When that was seen.
    pub at: Timestamp,
}

/// The branch points to the commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// What the branch points to.
    pub commit: CommitId,
    /// When that was seen.
    pub at: Timestamp,
}

/// The branch was not moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishRefused {
    /// Why, in a sentence that says what to do.
    pub why: String,
    /// When.
    pub at: Timestamp,
}

/// Somebody asked the run to stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupted {
    /// Who asked.
    pub by: Stop,
    /// The files of the turn that was broken off, if one was.
    pub rescue: Option<TreeId>,
    /// How long the agent had worked by then.
    pub took_ms: u64,
    /// When.
    pub at: Timestamp,
}

/// Who asked a run to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// A person at the keyboard.
    Keyboard,
    /// The system, or `trueup stop`.
    Request,
}

/// The world could not do what was wished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Troubled {
    /// What happened, in a sentence.
    pub what: String,
    /// How much space was missing, where that was the trouble.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortage: Option<Shortage>,
    /// When.
    pub at: Timestamp,
}

/// Space for files that is missing. It is the world's failure: it is waited
/// for, and costs no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortage {
    /// Where it is missing.
    pub on: Storage,
    /// How many bytes must be free before the work goes on.
    pub need: u64,
    /// How many were.
    pub free: u64,
}

impl Shortage {
    /// How much of a quota one turn may take before a shortage is due to it: half
    /// of what was free when it began. Nothing where a disk is full, which others
    /// fill as well.
    pub const fn least_blame(&self, free_before: u64) -> Option<u64> {
        match self.on {
            Storage::Disk => None,
            Storage::Quota => Some(free_before / 2),
        }
    }
}

/// What can be full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Storage {
    /// The file system on which the state root lies.
    Disk,
    /// What the person allows the state root to hold.
    Quota,
}

/// A person said: go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// When.
    pub at: Timestamp,
}

/// There is space for files again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceFreed {
    /// How many bytes are free.
    pub free: u64,
    /// When that was seen.
    pub at: Timestamp,
}

/// The moment came that was waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// When that was seen.
    pub at: Timestamp,
}

/// A person changed what the run may cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetSet {
    /// What it may cost now, in all.
    pub budget: Budget,
    /// When.
    pub at: Timestamp,
}

/// What an older opening lacked was resolved from the configuration in force
/// when its run was taken up, and holds from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningCompleted {
    /// What it lacked.
    pub settings: Settings,
    /// When.
    pub at: Timestamp,
}

/// A person changed the task file, and the run took that in: all of it that
/// can change while a run is under way, as the file says it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskChanged {
    /// One line for people.
    pub title: String,
    /// What the agent is told.
    pub text: String,
    /// How urgent it is.
    pub priority: Option<Priority>,
    /// Tasks that must be verified first.
    pub needs: Vec<TaskId>,
    /// What it may cost now, in all.
    pub budget: Budget,
    /// From when on that counts.
    #[serde(default, skip_serializing_if = "BudgetFrom::is_next_turns_end")]
    pub budget_from: BudgetFrom,
    /// Approvals a person gave in advance.
    pub allow: Allow,
    /// The digest of the file that says so.
    pub file: Digest,
    /// When.
    pub at: Timestamp,
}

/// From when on a changed budget counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetFrom {
    /// The end of the next turn, as in events of the second version.
    #[default]
    NextTurnsEnd,
    /// At once: a budget that is spent already allows no other turn.
    Now,
}

impl BudgetFrom {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    const fn is_next_turns_end(&self) -> bool {
        matches!(self, Self::NextTurnsEnd)
    }
}

/// The run went on with an agent as it was configured then: with another one,
/// or with the same one mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentChanged {
    /// The agent that works from now on.
    pub agent: Agent,
    /// How it is called.
    pub settings: AgentSettings,
    /// When.
    pub at: Timestamp,
}

/// A fact that comes from outside, for which a run can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// A person says: go on. Arrives as [`Event::Resumed`].
    Resume,
    /// There is space for files again. Arrives as [`Event::SpaceFreed`].
    Space,
    /// This moment comes. Arrives as [`Event::Due`].
    Time(Timestamp),
    /// A person raises what the run may cost. Arrives as [`Event::BudgetSet`].
    Budget,
    /// A person answers what they were asked. Arrives as [`Event::Answered`].
    Answer,
    /// A person says how to go on, or merely that. Arrives as
    /// [`Event::Answered`] or [`Event::Resumed`].
    Advice,
}

impl Event {
    /// The event's name, as the journal and every stream print it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::Checked(_) => "checked",
            Self::Challenged(_) => "challenged",
            Self::TurnEnded(_) => "turn_ended",
            Self::Committed(_) => "committed",
            Self::Published(_) => "published",
            Self::PublishRefused(_) => "publish_refused",
            Self::Interrupted(_) => "interrupted",
            Self::Troubled(_) => "troubled",
            Self::Resumed(_) => "resumed",
            Self::SpaceFreed(_) => "space_freed",
            Self::Due(_) => "due",
            Self::BudgetSet(_) => "budget_set",
            Self::Answered(_) => "answered",
            Self::OpeningCompleted(_) => "opening_completed",
            Self::TaskChanged(_) => "task_changed",
            Self::AgentChanged(_) => "agent_changed",
        }
    }

    /// The turn that ended, if this is that.
    pub const fn as_turn_ended(&self) -> Option<&TurnEnded> {
        if let Self::TurnEnded(event) = self {
            Some(event)
        } else {
            None
        }
    }

    /// When it happened.
    pub const fn at(&self) -> Timestamp {
        match self {
            Self::Opened(event) => event.at,
            Self::Checked(event) => event.at,
            Self::Challenged(event) => event.at,
            Self::TurnEnded(event) => event.at,
            Self::Committed(event) => event.at,
            Self::Published(event) => event.at,
            Self::PublishRefused(event) => event.at,
            Self::Interrupted(event) => event.at,
            Self::Troubled(event) => event.at,
            Self::Resumed(event) => event.at,
            Self::SpaceFreed(event) => event.at,
            Self::Due(event) => event.at,
            Self::BudgetSet(event) => event.at,
            Self::Answered(event) => event.at,
            Self::OpeningCompleted(event) => event.at,
            Self::TaskChanged(event) => event.at,
            Self::AgentChanged(event) => event.at,
        }
    }
}
