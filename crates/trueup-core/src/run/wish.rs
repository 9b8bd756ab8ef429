//! What a run wants, spelled out as effects.

use super::{Run, Work, parts::Conversation};
use crate::{
    criterion::{Check, Criterion, Visibility},
    effect::{Challenge, Commit, Earlier, Effect, Publish, ReportDigest, Turn, Verify, Wish},
    event::Opening,
    evidence::{Evidence, Isolation},
    gate::{self, Standing},
    ground::Caches,
    id::{CommitId, EffectId, TreeId},
    memory::{Memory, Recap, RecapReason},
    phase::{Aim, Rights},
    turn::{Brief, CriterionBrief, Finding, Policy, TURN_OUTPUT_LIMIT},
    usage::Headroom,
};
use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// From how long a check took on the base it is sabotaged while it is executed,
/// and not only after it passed.
const AHEAD_FROM_MS: u64 = 5_000;

/// What a commit says of the wall where it was not the usual one.
const fn trailer(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::None => "Isolation: none\n",
        Isolation::Outer => "Isolation: outer\n",
        Isolation::Bubblewrap | Isolation::Engine => "",
    }
}

/// A check as an agent is told it. That tests of its own are asked for says
/// nothing yet of what they have to show.
fn told(check: &Check) -> String {
    let source = &check.source;
    match check.is_of_run() {
        true => format!("{source} (write or change tests that fail on the code as it was and pass on yours)"),
        false => source.clone(),
    }
}

impl Run {
    pub(super) fn effect(&self, work: &Work) -> Effect {
        let (name, wish) = match work {
            Work::Baseline => ("baseline".to_string(), self.baseline()),
            Work::Turn => (format!("turn-{:03}", self.spend.turns + 1), self.turn()),
            Work::Verify => {
                let name = format!("verify-{:03}", self.spend.turns);
                (name, self.verify_with_canaries())
            }
            Work::Confirm => {
                let name = format!("confirm-{:03}", self.spend.turns);
                (name, self.verify(&self.tree, Caches::Leave))
            }
            Work::Challenge => {
                let name = format!("challenge-{:03}", self.spend.turns);
                (name, self.challenge())
            }
            Work::Commit => ("commit".to_string(), self.wish_commit()),
            Work::Publish(commit) => ("publish".to_string(), self.publish(commit)),
        };
        let id = if self.again == 0 {
            name
        } else {
            format!("{name}-again-{}", self.again)
        };
        Effect {
            id: EffectId::new(id),
            wish,
        }
    }

    /// Who has just looked at this base, with `trueup check` or in another run,
    /// need not wait for it once more; who takes this up again wants to see it now.
    fn baseline(&self) -> Wish {
        let verify = self.verify_of(&self.opening.base.tree, Caches::Fill);
        Wish::Verify(Box::new(Verify {
            earlier: match self.again {
                0 => Earlier::Lately,
                _ => verify.earlier,
            },
            ..verify
        }))
    }

    fn verify(&self, tree: &TreeId, caches: Caches) -> Wish {
        Wish::Verify(Box::new(self.verify_of(tree, caches)))
    }

    /// All checks on the last tree, where a challenge follows if all is green.
    fn verify_with_canaries(&self) -> Wish {
        let is_long = |evidence: &&Evidence| evidence.took_ms >= AHEAD_FROM_MS && self.aim() != Aim::Tests;
        let long = self.base.iter().filter(is_long);
        Wish::Verify(Box::new(Verify {
            ahead: long.map(|evidence| evidence.check.clone()).collect(),
            ..self.verify_of(&self.tree, Caches::Use)
        }))
    }

    fn verify_of(&self, tree: &TreeId, caches: Caches) -> Verify {
        let Opening { task, base, .. } = &self.opening;
        // A tree that was looked at already is looked at again on purpose.
        let is_known = self.checked().is_some_and(|(checked, _)| checked == tree);
        Verify {
            before: ReportDigest::of(&self.base),
            earlier: match is_known {
                true => Earlier::Passes,
                false => Earlier::Everything,
            },
            approved: self.approved.clone(),
            ..Verify::of(task, &base.tree, tree, caches)
        }
    }

    fn turn(&self) -> Wish {
        let task = &self.opening.task;
        Wish::Turn(Box::new(Turn {
            number: self.spend.turns + 1,
            from: self.tree.clone(),
            rights: self.rights(),
            since: match self.may_rewrite_tests() {
                true => self.tree.clone(),
                false => self.phase.tree.clone(),
            },
            rescue: self.rescue.clone(),
            prepare: task.ground.prepare.clone(),
            memory: self.memory(),
            brief: Brief {
                task: task.id.clone(),
                size: task.size,
                title: task.title.clone(),
                text: self.told_text(),
                phase: self.phase().map(|phase| phase.name.clone()).unwrap_or_default(),
                rights: self.rights(),
                turn: self.spend.turns + 1,
                turn_limit: self.turn_limit(),
                rung: self.rung,
                approach: self.approach.map(|approach| approach.id.into()),
                tried: self.tried.iter().map(|approach| approach.id.into()).collect(),
                criteria: task.criteria.iter().map(|criterion| self.told(criterion)).collect(),
                findings: self.told_findings(),
                last: self.turns.last().cloned(),
                so_far: self.so_far(),
            },
            policy: self.policy(),
        }))
    }

    /// The task's prose, and what a person said since: every turn is told all
    /// of it, because an agent may remember nothing.
    fn told_text(&self) -> String {
        let mut text = self.opening.task.text.clone();
        if !self.answers.is_empty() {
            text.push_str("\n\n## What a person answered\n");
        }
        for answer in &self.answers {
            text.push_str(&format!("\n- {}", answer.trim().replace('\n', "\n  ")));
        }
        text
    }

    /// What the next turn may change. Tests that were written first and prove
    /// nothing are made stronger by a turn that may change nothing else.
    fn rights(&self) -> Rights {
        if self.may_start_over() {
            return Rights::All;
        }
        if self.is_strengthening() {
            return Rights::Tests;
        }
        self.phase().map(|phase| self.plan.rights(phase)).unwrap_or_default()
    }

    /// Everything that is wrong with the last tree as such, as an agent is
    /// told: it may mend it, take it back, or say why it must stay.
    fn told_findings(&self) -> Vec<Finding> {
        let mut told = self.flaws();
        told.extend(self.open_objections().into_iter().map(|objection| Finding {
            what: match objection.kind.way_out() {
                Some(way_out) => format!(
                    "{}: {way_out}, or say in your last words why it must stay",
                    objection.what
                ),
                None => format!("{}; say in your last words why it must stay", objection.what),
            },
            path: objection.path,
        }));
        told.extend(self.rejected.iter().map(|why| Finding {
            path: "a person said no".into(),
            what: why.clone(),
        }));
        told
    }

    /// What is wrong with the last tree as such, and with what it proves.
    pub(super) fn flaws(&self) -> Vec<Finding> {
        let mut flaws = self.findings.clone();
        flaws.extend(self.unwritten());
        flaws.extend(self.unproven());
        flaws
    }

    fn challenge(&self) -> Wish {
        let seen = self.checked().map(|(_, evidence)| ReportDigest::of(evidence));
        Wish::Challenge(Box::new(Challenge {
            verify: self.verify_of(&self.tree, Caches::Use),
            seen: seen.unwrap_or_default(),
        }))
    }

    fn policy(&self) -> Policy {
        let (budget, patience) = (self.budget(), self.opening.patience);
        Policy {
            time_limit_ms: budget.turn_limit_ms(&self.spend, patience.turn_ms),
            output_limit: TURN_OUTPUT_LIMIT,
            network: self.opening.agent.network,
            permission: self.opening.agent.permission,
            patience,
            tokens_left: budget.tokens_left(&self.spend),
            millicents_left: budget.millicents_left(&self.spend),
        }
    }

    /// An agent goes on in its own conversation while that has room and leads somewhere.
    fn memory(&self) -> Memory {
        let Conversation { session, room } = &self.conversation;
        match session {
            Some(session) if *room != Headroom::None && !self.rung.begins_anew() => Memory::Continue {
                session: session.clone(),
            },
            Some(_) | None => Memory::Fresh,
        }
    }

    /// What is told of the turns before, where the agent's memory gets full.
    fn so_far(&self) -> Option<Recap> {
        let why = match self.conversation.room {
            _ if self.rung.begins_anew() => RecapReason::BegunAnew,
            Headroom::Plenty => return None,
            Headroom::Narrow => RecapReason::Compressed,
            Headroom::None => RecapReason::HandedOver,
        };
        let turns = self.turns.clone();
        Some(Recap { why, turns })
    }

    /// What the agent may know of a criterion: of hidden checks nothing but
    /// the criterion's text and where it stands.
    fn told(&self, criterion: &Criterion) -> CriterionBrief {
        let base = (&self.opening.base.tree, self.base.as_slice());
        // What was seen last: of the tree the turn starts from, but for a turn
        // that the world broke off before its tree was worth checking.
        let start = self.checked().unwrap_or(base);
        let verdict = gate::judge(&self.opening.task, base, start, &self.approved);
        let standing = verdict.criteria.iter().find(|(id, _)| *id == criterion.id);
        let open = criterion.checks.iter().filter(|check| check.sight == Visibility::Open);
        let failures = open
            .clone()
            .filter_map(|check| start.1.iter().find(|evidence| evidence.check == check.id))
            .filter(|evidence| !evidence.passed());
        CriterionBrief {
            id: criterion.id.clone(),
            text: criterion.text.clone(),
            checks: open.map(told).collect(),
            standing: standing.map_or(Standing::Unproven, |(_, standing)| *standing),
            failures: failures.cloned().collect(),
        }
    }

    fn wish_commit(&self) -> Wish {
        let task = &self.opening.task;
        Wish::Commit(Commit {
            tree: self.tree.clone(),
            parent: self.opening.base.commit.clone(),
            message: format!(
                "{}\n\nTask: {}\nRun: {}\n{}{}{}",
                task.title,
                task.id,
                self.opening.run,
                trailer(self.isolation()),
                self.self_tested_trailer(),
                self.waiver_trailer()
            ),
            author: self.opening.author.clone(),
            // The moment of the verdict, as journalled: a redone commit has
            // the same date and therefore the same id.
            at: self.checked.as_ref().map_or(self.opening.at, |checked| checked.at),
        })
    }

    /// What a commit says of criteria that only the run's own tests prove.
    fn self_tested_trailer(&self) -> String {
        let own = self.self_tested_criteria();
        match own.is_empty() {
            true => String::new(),
            false => format!("Self-tested: {}\n", own.join(", ")),
        }
    }

    /// What a commit says of proof that a person accepted although it is weak.
    fn waiver_trailer(&self) -> String {
        let one_line = |why: &str| why.split_whitespace().collect::<Vec<_>>().join(" ");
        self.waiver()
            .map(|why| format!("Waived: {}\n", one_line(why)))
            .unwrap_or_default()
    }

    fn publish(&self, commit: &CommitId) -> Wish {
        Wish::Publish(Publish {
            branch: self.opening.branch.clone(),
            commit: commit.clone(),
            expected: self.opening.branch_was.clone(),
        })
    }
}
