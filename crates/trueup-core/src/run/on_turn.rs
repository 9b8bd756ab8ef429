//! Facts about turns.

use super::{
    Position, Reason, Run, Work,
    parts::{Conversation, ExternalFailures, Heard},
};
use crate::{
    ending::{Cause, Ending},
    event::TurnEnded,
    id::Timestamp,
    memory::{Claim, ClaimStatus, TurnSummary},
    patience,
    phase::Aim,
    turn::TurnOutcome,
    usage::{Headroom, Usage},
};
use alloc::{string::String, vec::Vec};

/// The world may fail an agent at its work so often in a row; from then on
/// each time counts as a turn.
const MOST_FAILED: u32 = 10;

impl Run {
    pub(super) fn on_turn_ended(&mut self, event: &TurnEnded) -> Option<()> {
        if self.position != Position::Working(Work::Turn) || event.turn != self.spend.turns + 1 {
            return None;
        }
        let outcome = &event.outcome;
        match outcome.ending.cause() {
            // What is proved waits for nobody who would only put it better.
            Cause::Setup | Cause::External { .. } | Cause::MemoryFull if self.aim() == Aim::Refactor => {
                self.keep_try(outcome);
                self.take_back();
            }
            Cause::Setup => {
                self.keep_try(outcome);
                self.ask_for_mending(&outcome.ending);
            }
            Cause::External { .. } if self.failed_at_work(outcome) >= MOST_FAILED => {
                self.count_turn(event.turn, outcome);
            }
            Cause::External { until, why } => {
                self.failures.at_work = self.failed_at_work(outcome);
                self.keep_try(outcome);
                self.wait_for_the_cause(event.at, until, why);
            }
            Cause::MemoryFull if self.conversation.session.is_some() => {
                // The turn is taken again by a session that remembers nothing.
                self.keep_work(outcome, &outcome.usage);
                self.conversation.hand_over();
                self.take_up_again(Work::Turn);
            }
            Cause::MemoryFull => {
                self.count_turn(event.turn, outcome);
                // What is full is not gone on with.
                self.conversation.hand_over();
            }
            Cause::Agent => self.count_turn(event.turn, outcome),
        }
        Some(())
    }

    /// How often in a row the world failed an agent that had been at work, this
    /// time included. A limit or an outage burns no turn, but an agent that is
    /// always at work when it comes would work for ever.
    fn failed_at_work(&self, outcome: &TurnOutcome) -> u32 {
        let worked = outcome.tree != self.tree || outcome.usage.tokens.is_some_and(|tokens| tokens > 0);
        self.failures.at_work + u32::from(worked)
    }

    /// A try that counts as no turn: what it left and cost is kept all the
    /// same. Where it changed nothing, nothing is worth remembering, and that
    /// it told no cost means that it had none.
    fn keep_try(&mut self, outcome: &TurnOutcome) {
        if outcome.tree != self.tree {
            self.keep_memory(outcome);
            self.keep_work(outcome, &outcome.usage);
            return;
        }
        let mut usage = outcome.usage;
        usage.tokens = usage.tokens.or(Some(0));
        if usage.tokens == Some(0) {
            usage.millicents = usage.millicents.or(Some(0));
        }
        self.keep_work(outcome, &usage);
    }

    /// No turn is spent; a person has to mend it.
    fn ask_for_mending(&mut self, ending: &Ending) {
        let why = ending.clone().words_mut().cloned().unwrap_or_default();
        let reason = if matches!(ending, Ending::NotSignedIn { .. }) {
            Reason::NotSignedIn(why)
        } else {
            Reason::AgentUnusable(why)
        };
        self.position = Position::Paused(Work::Turn, reason);
    }

    /// The world failed the agent: it is asked again later, and no turn is spent.
    fn wait_for_the_cause(&mut self, at: Timestamp, until: Option<Timestamp>, why: String) {
        let until = patience::ask_again(self.opening.run.as_str(), self.failures.count, at, until);
        self.failures.count += 1;
        self.position = Position::Paused(Work::Turn, Reason::External { until, why });
    }

    /// What a turn left is gone on from, whether it counts or not, and what it
    /// cost is counted.
    fn keep_work(&mut self, outcome: &TurnOutcome, usage: &Usage) {
        self.spend.add(outcome.took_ms, usage);
        self.turns_behind = self.turns_behind.min(outcome.isolation);
        if self.may_rewrite_tests() {
            // From here on these are the tests that nobody touches.
            self.phase.tree = outcome.tree.clone();
        }
        self.tree = outcome.tree.clone();
        self.findings.clone_from(&outcome.findings);
        self.rescue = None;
    }

    /// The conversation is gone on with; one that began in this turn has room
    /// until its agent says otherwise.
    fn keep_memory(&mut self, outcome: &TurnOutcome) {
        let before = match self.conversation.room {
            Headroom::None => Headroom::Plenty,
            room @ (Headroom::Plenty | Headroom::Narrow) => room,
        };
        self.conversation = Conversation {
            session: outcome.session.clone(),
            room: outcome.usage.occupancy.map_or(before, |held| held.room()),
        };
    }

    fn count_turn(&mut self, turn: u32, outcome: &TurnOutcome) {
        let heard = match self.spend.turns == self.phase.turns {
            true => Heard::Nothing,
            false => Heard::WhatIsMissing,
        };
        self.progress.note(&outcome.tree, heard);
        self.keep_memory(outcome);
        self.keep_work(outcome, &outcome.usage);
        self.spend.turns += 1;
        self.retaken = 0;
        self.failures = ExternalFailures::default();
        self.turns.push(TurnSummary {
            turn,
            ending: outcome.ending.clone(),
            claim: claim(outcome),
            unmet: Vec::new(),
        });
        self.rejected = None;
        if self.is_worth_checking() {
            self.move_to(Position::Working(Work::Verify));
        } else if self.tree == self.opening.base.tree {
            self.after_failure();
        } else {
            // What is known of the tree is known; a person may have to be asked.
            self.after_verdict();
        }
    }

    /// A tree is checked unless its verdict is known: the base's, or that of
    /// the tree checked last.
    fn is_worth_checking(&self) -> bool {
        let known = self.checked.as_ref().is_some_and(|checked| checked.tree == self.tree);
        self.tree != self.opening.base.tree && !known
    }
}

/// What the agent says of its work; that it ended as blocked says so too.
fn claim(outcome: &TurnOutcome) -> Claim {
    let mut claim = outcome.claim.clone();
    if let Ending::Blocked { why } = &outcome.ending {
        claim.says = ClaimStatus::Blocked(why.clone());
    }
    claim
}
