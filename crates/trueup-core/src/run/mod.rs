//! One task being carried out: what it wants now, and what a fact means to it.
//!
//! [`Run::next`] is a function of the state alone, so a run rebuilt after a
//! crash wants exactly what it wanted before it. [`Run::apply`] is total: an
//! event that does not fit is refused and leaves the run as it was.

mod climb;
mod on_answer;
mod on_challenged;
mod on_change;
mod on_checked;
mod on_delivery;
mod on_pause;
mod on_turn;
mod parts;
mod unmet;
mod wish;

use crate::{
    approach::Approach,
    budget::{Budget, Limit, Spend},
    checkpoint::Checkpoint,
    control::Control,
    digest::Digest,
    effect::Effect,
    event::{Event, Opening, Signal},
    evidence::{Evidence, Isolation},
    gate::{self, Refusal, Verdict},
    id::{CheckId, CommitId, Timestamp, TreeId},
    ladder::{Rung, Standstill},
    memory::TurnSummary,
    objection::Objection,
    phase::Phase,
    plan::Plan,
    signature::Signature,
    turn::Finding,
};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use climb::Climb;
use parts::{ChallengedTree, CheckedTree, Conversation, ExternalFailures, PhaseStart, Progress, ProvedTree, Waiver};
use serde::{Deserialize, Serialize};

/// One task being carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    opening: Opening,
    /// How many events it was folded from.
    length: u64,
    plan: Plan,
    /// Where it is in that plan.
    phase: PhaseStart,
    position: Position,
    spend: Spend,
    /// What it may cost, where a person changed that since it was opened.
    budget_set: Option<Budget>,
    /// How often a person changed its task file since.
    task_changes: u32,
    /// What the checks saw on the base.
    base: Vec<Evidence>,
    /// The tree the last turn left.
    tree: TreeId,
    /// The last tree that was checked.
    checked: Option<CheckedTree>,
    /// The last tree that was sabotaged on purpose.
    challenged: Option<ChallengedTree>,
    /// The objections the agent was told, by their names.
    told: BTreeSet<Digest>,
    /// What a person said may stay.
    approved: BTreeSet<Digest>,
    /// Why a person said no.
    rejected: Option<String>,
    /// What a person told the agent.
    answers: Vec<String>,
    /// Why a person accepts that something proves too little, and on which tree.
    waiver: Option<Waiver>,
    /// What was proved before it was refactored.
    proved: Option<ProvedTree>,
    /// What was wrong with the last turn's tree as such.
    findings: Vec<Finding>,
    /// How often the effect now wanted was broken off and taken up again.
    again: u32,
    /// The same of the turn that comes next, whatever is wanted before it.
    retaken: u32,
    /// What the last broken-off turn left.
    rescue: Option<TreeId>,
    conversation: Conversation,
    /// Every turn that ended, in short.
    turns: Vec<TurnSummary>,
    progress: Progress,
    /// How far up the ladder it is.
    climb: Climb,
    /// The rung of the turn that comes next, or is under way.
    rung: Rung,
    /// What that turn is told to try.
    approach: Option<&'static Approach>,
    /// What turns before it were told to try, so that nothing is told twice.
    tried: Vec<&'static Approach>,
    /// The dangers that a person was asked about.
    asked_about: BTreeSet<Signature>,
    failures: ExternalFailures,
    /// The weakest wall any turn ran behind.
    turns_behind: Isolation,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// It wants something done.
    Working(Work),
    /// It waits for a person, and will then want this done.
    Paused(Work, Reason),
    /// It is over.
    Done(Outcome),
}

/// What a run wants done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// The checks on the base.
    Baseline,
    /// A turn of the agent.
    Turn,
    /// The checks on the tree that turn left.
    Verify,
    /// The same once more, on nothing but that tree.
    Confirm,
    /// The same on trees that are sabotaged on purpose.
    Challenge,
    /// The commit.
    Commit,
    /// The branch that carries this commit.
    Publish(CommitId),
}

/// Why a run waits; for a person, unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Somebody asked it to stop.
    Stopped(crate::event::Stop),
    /// The world could not do what was wished.
    Trouble(String),
    /// There is no space for files; it goes on by itself when there is.
    NoSpace(crate::event::Shortage),
    /// The agent failed for a cause outside of it; it goes on by itself at that moment.
    #[serde(rename = "world")]
    External {
        /// When.
        until: Timestamp,
        /// What failed.
        why: String,
    },
    /// The agent cannot be started.
    AgentUnusable(String),
    /// The agent's account cannot be used.
    NotSignedIn(String),
    /// The agent says that it cannot go on, and the checks agree that it is not done.
    Blocked(String),
    /// A limit of the task was reached.
    BudgetSpent(Limit),
    /// The branch could not be moved.
    BranchConflict(String),
    /// A person has to say whether this may stay.
    Asks(Vec<Objection>),
    /// Nothing is red but checks that give two answers on one tree.
    Flaky(Vec<CheckId>),
    /// The agent was told what is missing, and brought nothing new.
    Stuck(Stuck),
}

/// A run whose agent brings nothing new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stuck {
    /// What its last turn did instead.
    pub by: Standstill,
    /// What is missing, as far as a check or a control said it.
    pub missing: Vec<Finding>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every criterion is proved on the tree that was delivered.
    Verified {
        /// That tree.
        tree: TreeId,
        /// The commit that carries it.
        commit: CommitId,
    },
    /// Every criterion is green on the tree that was delivered, and a person
    /// accepted that some of it proves too little.
    Waived {
        /// That tree.
        tree: TreeId,
        /// The commit that carries it.
        commit: CommitId,
    },
    /// The task could not be carried out as it stood; no agent started.
    Refused(Vec<Refusal>),
    /// Every goal was green already; no agent started.
    NothingToDo,
}

/// What a run wants now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Have this done.
    Do(Effect),
    /// Wait for this.
    Await(Signal),
    /// Nothing: it is over.
    Done(Outcome),
}

/// An event that does not fit where the run stands. The run is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the event `{event}` does not fit a run that stands at {position:?}")]
pub struct IllegalEvent {
    /// The event's name.
    pub event: &'static str,
    /// Where the run stood.
    pub position: Position,
}

impl Run {
    /// Opens a run. What can be refused without executing anything is refused
    /// at once.
    pub fn open(opening: Opening) -> Self {
        let refusals = opening.refusals();
        let position = if refusals.is_empty() {
            Position::Working(Work::Baseline)
        } else {
            Position::Done(Outcome::Refused(refusals))
        };
        Self {
            length: 1,
            plan: Plan::of(&opening.task),
            phase: PhaseStart {
                index: 0,
                tree: opening.base.tree.clone(),
                turns: 0,
            },
            position,
            spend: Spend::default(),
            budget_set: None,
            task_changes: 0,
            base: Vec::new(),
            tree: opening.base.tree.clone(),
            checked: None,
            challenged: None,
            told: BTreeSet::new(),
            approved: BTreeSet::new(),
            rejected: None,
            answers: Vec::new(),
            waiver: None,
            proved: None,
            findings: Vec::new(),
            again: 0,
            retaken: 0,
            rescue: None,
            conversation: Conversation::new(),
            turns: Vec::new(),
            progress: Progress::from(&opening.base.tree),
            climb: Climb::default(),
            rung: Rung::First,
            approach: None,
            tried: Vec::new(),
            asked_about: BTreeSet::new(),
            failures: ExternalFailures::default(),
            turns_behind: Isolation::Bubblewrap,
            opening,
        }
    }

    /// Rebuilds a run from its events. Recovery is this and nothing else.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let mut run = match events.next() {
            Some(Event::Opened(opening)) => Self::open((**opening).clone()),
            _ => return Err(ReplayError::NotOpened),
        };
        for event in events {
            run.apply(event)?;
        }
        Ok(run)
    }

    /// What the run wants now: a function of its state alone.
    pub fn next(&self) -> Step {
        match &self.position {
            Position::Working(work) => Step::Do(self.effect(work)),
            Position::Paused(_, Reason::NoSpace(_)) => Step::Await(Signal::Space),
            Position::Paused(_, Reason::External { until, .. }) => Step::Await(Signal::Time(*until)),
            Position::Paused(_, Reason::BudgetSpent(_)) => Step::Await(Signal::Budget),
            Position::Paused(_, Reason::Asks(_)) => Step::Await(Signal::Answer),
            Position::Paused(_, Reason::Blocked(_) | Reason::Stuck(_)) => Step::Await(Signal::Advice),
            Position::Paused(..) => Step::Await(Signal::Resume),
            Position::Done(outcome) => Step::Done(outcome.clone()),
        }
    }

    /// What a fact means. An event that does not fit is refused, never half
    /// applied.
    pub fn apply(&mut self, event: &Event) -> Result<(), IllegalEvent> {
        let fits = match event {
            Event::Opened(_) => None,
            Event::Checked(event) => self.on_checked(event),
            Event::Challenged(event) => self.on_challenged(event),
            Event::TurnEnded(event) => self.on_turn_ended(event),
            Event::Committed(event) => self.on_committed(event),
            Event::Published(event) => self.on_published(event),
            Event::PublishRefused(event) => self.on_publish_refused(event),
            Event::Interrupted(event) => self.on_interrupted(event),
            Event::Troubled(event) => self.on_troubled(event),
            Event::Resumed(event) => self.on_resumed(event),
            Event::SpaceFreed(event) => self.on_space_freed(event),
            Event::Due(event) => self.on_due(event),
            Event::BudgetSet(event) => self.on_budget_set(event),
            Event::Answered(event) => self.on_answered(event),
            Event::OpeningCompleted(event) => self.on_opening_completed(event),
            Event::TaskChanged(event) => self.on_task_changed(event),
            Event::AgentChanged(event) => self.on_agent_changed(event),
        };
        match fits {
            Some(()) => {
                self.length += 1;
                Ok(())
            }
            None => Err(IllegalEvent {
                event: event.kind(),
                position: self.position.clone(),
            }),
        }
    }

    /// What the run was opened with, and what was taken in since.
    pub const fn opening(&self) -> &Opening {
        &self.opening
    }

    /// How many events it was folded from.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Where it stands.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What it has cost.
    pub const fn spend(&self) -> &Spend {
        &self.spend
    }

    /// What the checks saw on the base.
    pub fn base_evidence(&self) -> &[Evidence] {
        &self.base
    }

    /// The last checked tree and what was seen on it.
    pub fn checked(&self) -> Option<(&TreeId, &[Evidence])> {
        let checked = self.checked.as_ref()?;
        Some((&checked.tree, &checked.evidence))
    }

    /// The commit that will be or was delivered.
    pub const fn commit(&self) -> Option<&CommitId> {
        match &self.position {
            Position::Working(Work::Publish(commit))
            | Position::Paused(Work::Publish(commit), _)
            | Position::Done(Outcome::Verified { commit, .. } | Outcome::Waived { commit, .. }) => Some(commit),
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => None,
        }
    }

    /// The weakest wall anything ran behind that the verdict rests on: the
    /// turns, the checks on the base, the checks on the last tree.
    pub fn isolation(&self) -> Isolation {
        let checked = self.checked().map(|(_, evidence)| evidence).unwrap_or_default();
        let checks = self.base.iter().chain(checked);
        let walls = checks.map(|evidence| evidence.conditions.isolation);
        Isolation::weakest(walls.chain([self.turns_behind]))
    }

    /// What it may cost, as a person said last.
    pub fn budget(&self) -> &Budget {
        self.budget_set.as_ref().unwrap_or(&self.opening.task.budget)
    }

    /// How often a person changed its task file since it was opened.
    pub const fn task_changes(&self) -> u32 {
        self.task_changes
    }

    /// Why the next turn is taken, or the one under way.
    pub const fn rung(&self) -> Rung {
        self.rung
    }

    /// What that turn is told to try, where it is to try another approach.
    pub const fn approach(&self) -> Option<&'static Approach> {
        self.approach
    }

    /// Every turn that ended, in short.
    pub fn turns(&self) -> &[TurnSummary] {
        &self.turns
    }

    /// The most turns this run may take: what its size allows, or less; more
    /// only where a person said so when that was used up.
    pub fn turn_limit(&self) -> u32 {
        if let Some(turns) = self.budget_set.and_then(|set| set.turns) {
            return turns;
        }
        let phase = self.plan.phases.iter().map(|phase| phase.turn_limit).sum();
        self.budget().turns.map_or(phase, |own| own.min(phase))
    }

    /// The verdict on the last checked tree: computed, never stored.
    pub fn verdict(&self) -> Option<Verdict> {
        let (tree, evidence) = self.checked()?;
        let base = (&self.opening.base.tree, self.base.as_slice());
        Some(gate::judge(&self.opening.task, base, (tree, evidence), &self.approved))
    }

    /// What a person must know of the last checked tree, allowed or not.
    pub fn objections(&self) -> &[Objection] {
        self.checked.as_ref().map_or(&[], |checked| &checked.objections)
    }

    /// What a person said may stay, by the names of objections.
    pub const fn approved(&self) -> &BTreeSet<Digest> {
        &self.approved
    }

    /// Why a person accepts that some of the last tree proves too little.
    pub fn waiver(&self) -> Option<&str> {
        let waiver = self.waiver.as_ref().filter(|waiver| waiver.tree == self.tree);
        waiver.map(|waiver| waiver.why.as_str())
    }

    /// What checks did on sabotaged copies of the last checked tree.
    pub fn controls(&self) -> &[Control] {
        match &self.challenged {
            Some(challenged) if self.was_challenged() => &challenged.controls,
            Some(_) | None => &[],
        }
    }

    /// Whether the last checked tree was sabotaged on purpose.
    pub fn was_challenged(&self) -> bool {
        match (&self.challenged, &self.checked) {
            (Some(challenged), Some(checked)) => challenged.tree == checked.tree,
            (Some(_) | None, _) => false,
        }
    }

    /// The phase it is in. A plan is never empty, and never left behind.
    pub fn phase(&self) -> Option<&Phase> {
        self.plan.phases.get(self.phase.index)
    }

    /// The phases it walks.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The last checked tree as something the run can go on from.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        Some(Checkpoint {
            tree: self.checked()?.0.clone(),
            verdict: self.verdict()?,
            spend: self.spend,
        })
    }

    /// Moves on to other work, or to the end.
    fn move_to(&mut self, position: Position) {
        self.position = position;
        self.again = 0;
    }
}

/// Why events could not be folded into a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first event does not open a run.
    #[error("the journal does not begin with the opening of a run")]
    NotOpened,
    /// An event does not fit.
    #[error(transparent)]
    Illegal(#[from] IllegalEvent),
}
