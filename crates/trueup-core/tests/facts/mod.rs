//! A small task, and the facts that can happen to a run of it.

use trueup_core::{
    budget::Budget,
    criterion::{Check, CheckMethod, Criterion, Execution, Network, Role, Visibility},
    digest::Digest,
    ending::Ending,
    event::{
        Agent, Base, BudgetSet, Checked, Committed, Due, Event, Identity, Interrupted, Opening, PublishRefused,
        Published, Resumed, Shortage, SpaceFreed, Stop, Storage, Troubled, TurnEnded,
    },
    evidence::{Binding, Body, CheckOutcome, Conditions, Evidence, Isolation},
    ground::Warmth,
    id::{CheckId, CommitId, CriterionId, RunId, TaskId, Timestamp, TreeId},
    ladder::WhenIdle,
    memory::Claim,
    patience::Patience,
    scope::Scope,
    task::{Allow, Size, Task},
    turn::{Permission, TurnOutcome},
    usage::Meter,
    usage::Usage,
};

pub(crate) const RED: CheckOutcome = CheckOutcome::red(Some(1));

/// A task with two criteria: `A` with the goal `A.1` and the guard `A.2`, and
/// `B` with the goal `B.1`. It may take three turns and ten minutes.
pub(crate) fn task() -> Task {
    let criterion = |id: &str, roles: &[Role]| Criterion {
        id: CriterionId::new(id),
        text: format!("{id} holds"),
        line: 10,
        checks: (1..)
            .zip(roles)
            .map(|(number, role)| check(&format!("{id}.{number}"), *role))
            .collect(),
    };
    Task {
        id: TaskId::new("T-1"),
        title: "A small task".into(),
        size: Size::Small,
        priority: None,
        needs: Vec::new(),
        base: None,
        agent: None,
        scope: Scope::default(),
        budget: Budget {
            turns: Some(3),
            time_ms: Some(600_000),
            ..Budget::default()
        },
        allow: Allow::default(),
        text: "Do it.".into(),
        criteria: vec![
            criterion("A", &[Role::Goal, Role::Guard]),
            criterion("B", &[Role::Goal]),
        ],
        digest: Digest::of(b"the task file"),
        ground: Default::default(),
        steady: trueup_core::task::STEADY,
        doubt: trueup_core::task::DOUBT,
    }
}

pub(crate) fn check(id: &str, role: Role) -> Check {
    Check {
        id: CheckId::new(id),
        role,
        sight: Visibility::Open,
        line: 11,
        source: format!("`check {id}`"),
        how: CheckMethod::Command(Execution::new(vec!["check".into(), id.into()], 1000, Network::Off)),
    }
}

pub(crate) fn opening(task: Task) -> Opening {
    Opening {
        run: RunId::new("T-1.1"),
        task,
        base: Base {
            commit: CommitId::new("c0"),
            tree: TreeId::new("base"),
            name: "main".into(),
        },
        agent: Agent {
            name: "scripted".into(),
            meter: Meter::Silent,
            network: Network::On,
            permission: Permission::Everything,
        },
        patience: Patience::default(),
        settings: None,
        when_idle: WhenIdle::Ask,
        ladder: None,
        author: Identity {
            name: "A Person".into(),
            email: "person@example.org".into(),
        },
        branch: "trueup/T-1".into(),
        branch_was: None,
        at: Timestamp(0),
    }
}

/// Valid evidence of one check on a tree.
pub(crate) fn evidence(task: &Task, of: (&Criterion, &Check), tree: &str, saw: CheckOutcome) -> Evidence {
    let (criterion, check) = of;
    let binding = Binding::of(&TreeId::new(tree), criterion, check, &task.rules());
    let body = |stream: &str| Body {
        digest: Digest::of(format!("{stream} of {}", check.id).as_bytes()),
        bytes: 9,
    };
    Evidence {
        criterion: criterion.id.clone(),
        check: check.id.clone(),
        key: binding.key(),
        binding,
        conditions: Conditions {
            program: None,
            variables: std::collections::BTreeMap::new(),
            network: Network::Off,
            isolation: Isolation::Bubblewrap,
            architecture: "x86_64".into(),
            layers: Default::default(),
            warmth: Default::default(),
            sockets: Vec::new(),
        },
        saw,
        stdout: body("stdout"),
        stderr: body("stderr"),
        took_ms: 1,
        tally: None,
        because: None,
        runs: Default::default(),
        error: None,
        altered: Vec::new(),
    }
}

/// Every check of the task on a tree, each with what it saw there.
pub(crate) fn all(task: &Task, tree: &str, saw: impl Fn(&Check) -> CheckOutcome) -> Vec<Evidence> {
    let pairs = task
        .criteria
        .iter()
        .flat_map(|criterion| criterion.checks.iter().map(move |check| (criterion, check)));
    pairs.map(|of| evidence(task, of, tree, saw(of.1))).collect()
}

/// The same, seen with the help of a cache.
pub(crate) fn warmed(mut evidence: Vec<Evidence>) -> Vec<Evidence> {
    for one in &mut evidence {
        one.conditions.warmth = Warmth::Warm;
    }
    evidence
}

/// What a check must show on the base.
pub(crate) fn due(check: &Check) -> CheckOutcome {
    match check.role {
        Role::Goal => RED,
        Role::Guard => CheckOutcome::Passed,
    }
}

pub(crate) fn checked(tree: &str, evidence: Vec<Evidence>) -> Event {
    Event::Checked(Checked {
        tree: TreeId::new(tree),
        evidence,
        objections: Vec::new(),
        at: Timestamp(7),
    })
}

pub(crate) fn turn_ended(turn: u32, tree: &str, took_ms: u64) -> Event {
    ended(turn, tree, took_ms, Ending::Exited { code: 0 })
}

pub(crate) fn unusable(turn: u32) -> Event {
    let why = "there is no such program".into();
    ended(turn, "base", 0, Ending::Unusable { why })
}

pub(crate) fn ended(turn: u32, tree: &str, took_ms: u64, ending: Ending) -> Event {
    Event::TurnEnded(TurnEnded {
        turn,
        outcome: Box::new(TurnOutcome {
            ending,
            tree: TreeId::new(tree),
            findings: Vec::new(),
            transcript: Body {
                digest: Digest::of(b"words"),
                bytes: 5,
            },
            usage: Usage::default(),
            took_ms,
            isolation: Isolation::Bubblewrap,
            session: None,
            claim: Claim::default(),
            version: None,
            prompt: None,
        }),
        at: Timestamp(5),
    })
}

pub(crate) fn committed(commit: &str) -> Event {
    Event::Committed(Committed {
        commit: CommitId::new(commit),
        at: Timestamp(8),
    })
}

pub(crate) fn published(commit: &str) -> Event {
    Event::Published(Published {
        commit: CommitId::new(commit),
        at: Timestamp(9),
    })
}

pub(crate) fn publish_refused() -> Event {
    Event::PublishRefused(PublishRefused {
        why: "the branch moved".into(),
        at: Timestamp(9),
    })
}

pub(crate) fn interrupted(by: Stop, rescue: Option<&str>) -> Event {
    Event::Interrupted(Interrupted {
        by,
        rescue: rescue.map(TreeId::new),
        took_ms: 0,
        at: Timestamp(6),
    })
}

pub(crate) fn troubled() -> Event {
    Event::Troubled(Troubled {
        what: "git is gone".into(),
        shortage: None,
        at: Timestamp(6),
    })
}

pub(crate) fn no_space() -> Event {
    Event::Troubled(Troubled {
        what: "the disk is full".into(),
        shortage: Some(Shortage {
            on: Storage::Disk,
            need: 8,
            free: 1,
        }),
        at: Timestamp(6),
    })
}

pub(crate) const fn space_freed() -> Event {
    Event::SpaceFreed(SpaceFreed {
        free: 9,
        at: Timestamp(6),
    })
}

pub(crate) const fn resumed() -> Event {
    Event::Resumed(Resumed { at: Timestamp(6) })
}

/// The moment came that was waited for: a year from the first.
pub(crate) const fn moment() -> Event {
    Event::Due(Due {
        at: Timestamp(31_536_000_000),
    })
}

/// A person gives more of everything.
pub(crate) fn more_budget() -> Event {
    Event::BudgetSet(BudgetSet {
        budget: Budget {
            turns: Some(9),
            ..Budget::default()
        },
        at: Timestamp(6),
    })
}
