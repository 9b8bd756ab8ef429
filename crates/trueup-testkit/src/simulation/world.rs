//! A world that performs effects against a disk in memory.

use super::{Bug, Weather, disk::Disk, random::Random, script::WorldScript};
use crate::sample;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering},
};
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    digest::Digest,
    effect::{Challenge, Commit, Effect, Publish, Turn, Verify, Wish},
    ending::Ending,
    event::{
        Challenged, Checked, Committed, Event, Interrupted, PublishRefused, Published, Shortage, Stop, Storage,
        Troubled, TurnEnded,
    },
    evidence::CheckOutcome,
    id::{CheckId, CommitId, EffectId, Timestamp, TreeId},
    memory::Claim,
    objection::{Objection, ObjectionKind},
    turn::TurnOutcome,
    usage::Usage,
};
use trueup_engine::world::World;

/// The most times one world breaks off an effect of its own accord.
const PAUSES: u32 = 6;

/// A world that performs effects against a disk in memory.
pub(super) struct Simulated<'a> {
    script: &'a WorldScript,
    weather: Weather,
    bug: Option<Bug>,
    disk: Mutex<Disk>,
    random: Mutex<Random>,
    clock: AtomicI64,
    /// The process dies in the middle of the effect now performed.
    dying: Mutex<Dying>,
}

/// Whether the process dies in the middle of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dying {
    Yes,
    No,
}

impl<'a> Simulated<'a> {
    pub(super) fn new(script: &'a WorldScript, weather: Weather, bug: Option<Bug>) -> Self {
        Self {
            script,
            weather,
            bug,
            disk: Mutex::default(),
            random: Mutex::new(Random::of(script.seed ^ 0x5eed)),
            clock: AtomicI64::new(sample::START),
            dying: Mutex::new(Dying::No),
        }
    }

    pub(super) const fn weather(&self) -> Weather {
        self.weather
    }

    pub(super) const fn bug(&self) -> Option<Bug> {
        self.bug
    }

    pub(super) fn into_disk(self) -> Disk {
        self.disk.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_dying(&self, dying: Dying) {
        *lock(&self.dying) = dying;
    }

    pub(super) fn once_in(&self, times: u64) -> bool {
        lock(&self.random).once_in(times)
    }

    pub(super) fn below(&self, end: u64) -> u64 {
        lock(&self.random).below(end)
    }

    pub(super) fn deaths(&self) -> u32 {
        lock(&self.disk).deaths
    }

    /// A new process begins where the old one died.
    pub(super) fn after_death(&self) {
        *lock(&self.dying) = Dying::No;
        lock(&self.disk).deaths += 1;
    }

    /// The time, which jumps in foul weather: by a sleep, or backwards.
    pub(super) fn now(&self) -> Timestamp {
        let step = match self.weather {
            Weather::Fair => 10,
            Weather::Foul if self.once_in(20) => -3_600_000,
            Weather::Foul if self.once_in(20) => 86_400_000,
            Weather::Foul => 10,
        };
        Timestamp(self.clock.fetch_add(step, Ordering::SeqCst) + step)
    }

    fn pause(&self) -> Option<Event> {
        if self.weather == Weather::Fair || lock(&self.disk).pauses >= PAUSES || !self.once_in(12) {
            return None;
        }
        lock(&self.disk).pauses += 1;
        let at = self.now();
        Some(if self.once_in(2) {
            Event::Troubled(Troubled {
                what: "git was gone, or there was no space for it".into(),
                shortage: self.once_in(2).then_some(Shortage {
                    on: Storage::Disk,
                    need: 8,
                    free: 1,
                }),
                at,
            })
        } else {
            Event::Interrupted(Interrupted {
                by: Stop::Request,
                rescue: None,
                took_ms: 0,
                at,
            })
        })
    }

    fn verify(&self, verify: &Verify) -> Event {
        let evidence = sample::evidence(&self.script.opening, &verify.tree, |check| self.saw(verify, check));
        Event::Checked(Checked {
            tree: verify.tree.clone(),
            evidence,
            objections: self.objections(&verify.tree),
            at: self.now(),
        })
    }

    fn objections(&self, tree: &TreeId) -> Vec<Objection> {
        let odd = self.script.is_odd(tree).then(|| Objection {
            kind: ObjectionKind::Protected,
            path: "rules".into(),
            what: "they were changed".into(),
            digest: Digest::of(tree.as_str().as_bytes()),
            allowed: None,
            rule: None,
        });
        odd.into_iter().collect()
    }

    /// Every check turns red on every sabotaged tree, unless it cannot fail.
    fn challenge(&self, challenge: &Challenge) -> Event {
        let tree = &challenge.verify.tree;
        let checks = self.script.checks().into_iter();
        let controls = checks.flat_map(|(check, _)| {
            let turned = match self.script.can_fail(tree, &check) {
                true => Reaction::Red { by: "canary".into() },
                false => Reaction::Green,
            };
            [Sabotage::Canary, Sabotage::Failing].map(|sabotage| Control {
                check: check.clone(),
                sabotage,
                about: "canary".into(),
                turned: turned.clone(),
                output: sample::body(b""),
                took_ms: 1,
            })
        });
        Event::Challenged(Challenged {
            tree: tree.clone(),
            controls: controls.collect(),
            objections: Vec::new(),
            at: self.now(),
        })
    }

    fn saw(&self, verify: &Verify, check: &CheckId) -> CheckOutcome {
        let truth = self.script.truth(&verify.tree, check);
        let before = lock(&self.disk).last_saw.insert(check.clone(), truth.clone());
        match (self.bug, before) {
            (Some(Bug::StaleEvidence), Some(before)) => before,
            _ => truth,
        }
    }

    fn turn(&self, id: &EffectId, turn: &Turn) -> Event {
        let spooled = lock(&self.disk).spool.get(id).cloned();
        let outcome = match spooled {
            Some(outcome) if self.bug != Some(Bug::TurnNotIdempotent) => outcome,
            Some(_) | None => self.work(id, turn),
        };
        Event::TurnEnded(TurnEnded {
            turn: turn.number,
            outcome: Box::new(outcome),
            at: self.now(),
        })
    }

    /// In foul weather the model is now and then not to be had.
    fn fails_the_agent(&self) -> Option<Ending> {
        if self.weather == Weather::Fair || lock(&self.disk).pauses >= PAUSES || !self.once_in(8) {
            return None;
        }
        lock(&self.disk).pauses += 1;
        let why = "try again later".to_owned();
        Some(match self.below(3) {
            0 => Ending::Limited {
                until: Some(Timestamp(self.clock.load(Ordering::SeqCst) + 90_000)),
                why,
            },
            1 => Ending::Limited { until: None, why },
            _ => Ending::Unreachable { why },
        })
    }

    fn work(&self, id: &EffectId, turn: &Turn) -> TurnOutcome {
        let index = turn.number.saturating_sub(1) as usize;
        let (ending, tree) = match self.fails_the_agent() {
            Some(ending) => (ending, turn.from.clone()),
            None => {
                let tree = self.script.trees.get(index).unwrap_or(&turn.from).clone();
                (Ending::Exited { code: 0 }, tree)
            }
        };
        let mut disk = lock(&self.disk);
        *disk.started.entry(id.clone()).or_default() += 1;
        let outcome = TurnOutcome {
            ending,
            tree,
            findings: Vec::new(),
            transcript: trueup_core::evidence::Body {
                digest: Digest::of(b"all done, every test passes"),
                bytes: 27,
            },
            usage: Usage::default(),
            took_ms: 1000,
            isolation: trueup_core::evidence::Isolation::Bubblewrap,
            session: None,
            claim: Claim::default(),
            version: None,
            prompt: None,
        };
        if *lock(&self.dying) == Dying::No {
            *disk.finished.entry(id.clone()).or_default() += 1;
            disk.spool.insert(id.clone(), outcome.clone());
        }
        outcome
    }

    fn commit(&self, commit: &Commit) -> Event {
        let at = match self.bug {
            Some(Bug::CommitByClock) => self.now(),
            _ => commit.at,
        };
        let fields = [
            commit.tree.as_str(),
            commit.parent.as_str(),
            &commit.message,
            &at.0.to_string(),
        ];
        let digest = Digest::of_fields(fields.map(str::as_bytes));
        let id = CommitId::new(digest.as_str().get(..40).unwrap_or_default());
        let mut disk = lock(&self.disk);
        if !disk.commits.contains(&id) {
            disk.commits.push(id.clone());
        }
        drop(disk);
        Event::Committed(Committed {
            commit: id,
            at: self.now(),
        })
    }

    fn publish(&self, publish: &Publish) -> Event {
        let at = self.now();
        let branch = lock(&self.disk).moves.last().cloned();
        if branch.as_ref() == Some(&publish.commit) {
            return Event::Published(Published {
                commit: publish.commit.clone(),
                at,
            });
        }
        if branch != publish.expected {
            return Event::PublishRefused(PublishRefused {
                why: "the branch moved".into(),
                at,
            });
        }
        lock(&self.disk).moves.push(publish.commit.clone());
        Event::Published(Published {
            commit: publish.commit.clone(),
            at,
        })
    }
}

fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World for Simulated<'_> {
    async fn perform(&self, effect: &Effect) -> Event {
        if let Some(event) = self.pause() {
            return event;
        }
        let perform = || match &effect.wish {
            Wish::Verify(verify) => self.verify(verify),
            Wish::Challenge(challenge) => self.challenge(challenge),
            Wish::Turn(turn) => self.turn(&effect.id, turn),
            Wish::Commit(commit) => self.commit(commit),
            Wish::Publish(publish) => self.publish(publish),
        };
        // Now and then everything is done twice, as two workers would.
        if self.weather == Weather::Foul && self.once_in(6) && *lock(&self.dying) == Dying::No {
            drop(perform());
        }
        perform()
    }
}
