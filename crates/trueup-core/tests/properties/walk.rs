//! Random walks of a run: good answers, spoilt answers and facts out of place.

use crate::{
    changed::{agent_changed, opening_completed, task_changed},
    facts::{
        RED, all, check, checked, committed, due, ended, evidence, interrupted, moment, more_budget, no_space, opening,
        publish_refused, published, resumed, space_freed, task, troubled, turn_ended, unusable, warmed,
    },
};
use proptest::prelude::*;
use trueup_core::{
    budget::Budget,
    criterion::{Criterion, Role},
    digest::Digest,
    effect::Wish,
    ending::{Ending, SignIn},
    event::{Answered, Event, Opening, PersonAnswer, Stop},
    evidence::{CheckOutcome, Evidence},
    ground::Caches,
    id::{CriterionId, SessionId, Timestamp},
    ladder::Ladder,
    run::{Run, Step},
};

const TREES: [&str; 4] = ["base", "t1", "t2", "t3"];

/// One event of a walk, before it is known where the run will stand.
#[derive(Clone, Debug)]
pub(crate) struct Stride {
    kind: Kind,
    tree: usize,
    number: u32,
    took_ms: u64,
    pieces: Vec<Piece>,
}

/// What is sent to the run.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// What a good world would answer to the wish at hand.
    Honest,
    /// What a good world would answer, with some of the evidence spoilt.
    Spoilt,
    Checked,
    TurnEnded,
    /// A turn that ended in some other way, with or without a session.
    OtherEnding,
    Unusable,
    Moment,
    MoreBudget,
    OpeningCompleted,
    TaskChanged,
    AgentChanged,
    Committed,
    Published,
    PublishRefused,
    Interrupted,
    Troubled,
    NoSpace,
    Resumed,
    SpaceFreed,
    Told,
    Waived,
    Opened,
}

/// How one piece of evidence comes about.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Passed,
    Failed,
    TimedOut,
    CannotRun,
    Missing,
    /// Passed on a tree nobody asked about, under its own key.
    OtherTree,
    /// Passed on a tree nobody asked about, under the wanted key.
    BorrowedKey,
    /// Passed, with the wanted binding under a wrong key.
    WrongKey,
    /// Passed before the task file changed.
    OtherTask,
    /// Passed, but it is another check that passed.
    OtherCheck,
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        12 => Just(Piece::Passed),
        2 => Just(Piece::Failed),
        1 => Just(Piece::TimedOut),
        1 => Just(Piece::CannotRun),
        1 => Just(Piece::Missing),
        1 => Just(Piece::OtherTree),
        1 => Just(Piece::BorrowedKey),
        1 => Just(Piece::WrongKey),
        1 => Just(Piece::OtherTask),
        1 => Just(Piece::OtherCheck),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        20 => Just(Kind::Honest),
        8 => Just(Kind::Spoilt),
        2 => Just(Kind::Checked),
        2 => Just(Kind::TurnEnded),
        3 => Just(Kind::OtherEnding),
        2 => Just(Kind::Moment),
        1 => Just(Kind::MoreBudget),
        1 => Just(Kind::OpeningCompleted),
        1 => Just(Kind::TaskChanged),
        1 => Just(Kind::AgentChanged),
        1 => Just(Kind::Unusable),
        1 => Just(Kind::Committed),
        1 => Just(Kind::Published),
        1 => Just(Kind::PublishRefused),
        2 => Just(Kind::Interrupted),
        2 => Just(Kind::Troubled),
        2 => Just(Kind::Resumed),
        1 => Just(Kind::NoSpace),
        2 => Just(Kind::SpaceFreed),
        2 => Just(Kind::Told),
        1 => Just(Kind::Waived),
        1 => Just(Kind::Opened),
    ]
}

pub(crate) fn moves() -> impl Strategy<Value = Vec<Stride>> {
    let one = (
        kind(),
        0..TREES.len(),
        0..5_u32,
        0..400_000_u64,
        prop::collection::vec(piece(), 6),
    );
    let one = one.prop_map(|(kind, tree, number, took_ms, pieces)| Stride {
        kind,
        tree,
        number,
        took_ms,
        pieces,
    });
    prop::collection::vec(one, 0..30)
}

pub(crate) fn openings() -> impl Strategy<Value = Opening> {
    let role = || prop_oneof![3 => Just(Role::Goal), 1 => Just(Role::Guard)];
    // A criterion without checks is refused at once, so few walks begin with one.
    let roles = prop_oneof![1 => Just(Vec::new()), 19 => prop::collection::vec(role(), 1..3)];
    let budget = (prop::option::of(0..4_u32), prop::option::of(1..900_000_u64));
    let ladder = prop::option::of(prop_oneof![Just(Ladder::Standard), Just(Ladder::Patient)]);
    let parts = (prop::collection::vec(roles, 1..3), budget, ladder);
    parts.prop_map(|(criteria, (turns, time_ms), ladder)| {
        let mut task = task();
        task.budget = Budget {
            turns,
            time_ms,
            ..Budget::default()
        };
        task.criteria = (1..)
            .zip(&criteria)
            .map(|(n, roles)| criterion(&format!("C{n}"), roles))
            .collect();
        Opening {
            ladder,
            ..opening(task)
        }
    })
}

fn answered(answer: PersonAnswer) -> Event {
    let at = Timestamp(9);
    Event::Answered(Answered { answer, at })
}

fn criterion(id: &str, roles: &[Role]) -> Criterion {
    Criterion {
        id: CriterionId::new(id),
        text: format!("{id} holds"),
        line: 10,
        checks: (1..)
            .zip(roles)
            .map(|(n, role)| check(&format!("{id}.{n}"), *role))
            .collect(),
    }
}

/// One event sent to a run, and what became of it.
pub(crate) struct Passage {
    pub(crate) before: Run,
    pub(crate) event: Event,
    pub(crate) accepted: bool,
    pub(crate) after: Run,
}

/// A run from its opening through every event that was sent to it.
pub(crate) struct Walk {
    pub(crate) opened: Event,
    pub(crate) passages: Vec<Passage>,
}

pub(crate) type Apply = fn(&mut Run, &Event) -> bool;

pub(crate) fn honest(run: &mut Run, event: &Event) -> bool {
    run.apply(event).is_ok()
}

impl Walk {
    pub(crate) fn of(opening: &Opening, moves: &[Stride], apply: Apply) -> Self {
        let mut run = Run::open(opening.clone());
        let mut passages = Vec::new();
        for wanted in moves {
            let event = wanted.event(&run);
            let before = run.clone();
            let accepted = apply(&mut run, &event);
            passages.push(Passage {
                before,
                event,
                accepted,
                after: run.clone(),
            });
        }
        Self {
            opened: Event::Opened(Box::new(opening.clone())),
            passages,
        }
    }

    /// Every state the run was in, from the first.
    pub(crate) fn states(&self) -> impl Iterator<Item = &Run> {
        let first = self.passages.first().map(|passage| &passage.before);
        first
            .into_iter()
            .chain(self.passages.iter().map(|passage| &passage.after))
    }

    pub(crate) fn accepted(&self) -> impl Iterator<Item = &Event> {
        self.passages
            .iter()
            .filter(|passage| passage.accepted)
            .map(|passage| &passage.event)
    }
}

impl Stride {
    fn event(&self, run: &Run) -> Event {
        match self.kind {
            Kind::Honest => self.answer(run).unwrap_or_else(resumed),
            Kind::Spoilt => match self.answer(run) {
                Some(Event::Checked(event)) => self.checked(run, event.tree.as_str()),
                Some(other) => other,
                None => troubled(),
            },
            Kind::Checked => self.checked(run, TREES[self.tree]),
            Kind::TurnEnded => turn_ended(run.spend().turns + self.number % 3, TREES[self.tree], self.took_ms),
            Kind::OtherEnding => self.other_ending(run),
            Kind::Moment => moment(),
            Kind::MoreBudget => more_budget(),
            Kind::OpeningCompleted => opening_completed(),
            Kind::TaskChanged => task_changed("Do it well.", self.number + 1),
            Kind::AgentChanged => agent_changed(["scripted", "other"][self.tree % 2], "mended"),
            Kind::Unusable => unusable(run.spend().turns + 1),
            Kind::Committed => committed("c1"),
            Kind::Published => published(if self.number == 0 { "c9" } else { "c1" }),
            Kind::PublishRefused => publish_refused(),
            Kind::Interrupted => interrupted(Stop::Keyboard, (self.number > 2).then_some("left")),
            Kind::Troubled => troubled(),
            Kind::NoSpace => no_space(),
            Kind::Resumed => resumed(),
            Kind::SpaceFreed => space_freed(),
            Kind::Told => answered(PersonAnswer::Told("so".into())),
            Kind::Waived => answered(PersonAnswer::Waived("it will do".into())),
            Kind::Opened => Event::Opened(Box::new(run.opening().clone())),
        }
    }

    /// One of the many ways in which a turn can end.
    fn other_ending(&self, run: &Run) -> Event {
        let why = || "words".to_owned();
        let ending = match (self.number, self.took_ms % 3) {
            (0, 0) => Ending::ContextFull { why: why() },
            (0, _) => Ending::Blocked { why: why() },
            (1, 0) => Ending::Unreachable { why: why() },
            (1, 1) => Ending::Hung { silent_ms: 1 },
            (1, _) => Ending::Finished,
            (2, _) => Ending::NotSignedIn {
                why: why(),
                sign_in: if self.took_ms.is_multiple_of(2) {
                    SignIn::Same
                } else {
                    SignIn::Renewed
                },
            },
            (_, _) => Ending::Limited {
                until: self.took_ms.is_multiple_of(2).then_some(Timestamp(60_000)),
                why: why(),
            },
        };
        let mut event = ended(run.spend().turns + 1, TREES[self.tree], 0, ending);
        if let Event::TurnEnded(event) = &mut event {
            event.outcome.session = self.tree.is_multiple_of(2).then(|| SessionId::new("s"));
        }
        event
    }

    /// What a good world answers; turns keep their time limit.
    fn answer(&self, run: &Run) -> Option<Event> {
        let Step::Do(effect) = run.next() else {
            return None;
        };
        let task = &run.opening().task;
        Some(match effect.wish {
            Wish::Verify(wish) if wish.tree == run.opening().base.tree => checked("base", all(task, "base", due)),
            Wish::Verify(wish) => {
                let saw = if self.number == 0 { RED } else { CheckOutcome::Passed };
                let seen = all(task, wish.tree.as_str(), |_| saw.clone());
                let warm = wish.caches == Caches::Use && self.number % 2 == 1;
                checked(wish.tree.as_str(), if warm { warmed(seen) } else { seen })
            }
            Wish::Turn(wish) => turn_ended(
                wish.number,
                TREES[self.tree],
                self.took_ms.min(wish.policy.time_limit_ms),
            ),
            // Nothing in these walks can be made to fail on purpose.
            Wish::Challenge(_) => return None,
            Wish::Commit(_) => committed("c1"),
            Wish::Publish(wish) => published(wish.commit.as_str()),
        })
    }

    /// The task's checks on a tree, each piece made as the move says.
    fn checked(&self, run: &Run, tree: &str) -> Event {
        let task = &run.opening().task;
        let pairs = task
            .criteria
            .iter()
            .flat_map(|c| c.checks.iter().map(move |check| (c, check)));
        let made = pairs.zip(self.pieces.iter().cycle()).filter_map(|(of, piece)| {
            let good = evidence(task, of, tree, CheckOutcome::Passed);
            let saw = |saw: CheckOutcome| Some(Evidence { saw, ..good.clone() });
            match piece {
                Piece::Passed => saw(if tree == "base" {
                    due(of.1)
                } else {
                    CheckOutcome::Passed
                }),
                Piece::Failed => saw(RED),
                Piece::TimedOut => saw(CheckOutcome::TimedOut),
                Piece::CannotRun => saw(CheckOutcome::CannotRun { why: "gone".into() }),
                Piece::Missing => None,
                Piece::OtherTree => Some(evidence(task, of, "elsewhere", CheckOutcome::Passed)),
                Piece::BorrowedKey => Some(Evidence {
                    key: good.key,
                    ..evidence(task, of, "elsewhere", CheckOutcome::Passed)
                }),
                Piece::WrongKey => Some(Evidence {
                    key: Digest::of(b"wrong"),
                    ..good
                }),
                Piece::OtherTask => {
                    let mut other = task.clone();
                    other.digest = Digest::of(b"one byte more");
                    Some(evidence(&other, of, tree, CheckOutcome::Passed))
                }
                Piece::OtherCheck => Some(evidence(
                    task,
                    (of.0, &check("Z.9", Role::Goal)),
                    tree,
                    CheckOutcome::Passed,
                )),
            }
        });
        checked(tree, made.collect())
    }
}
