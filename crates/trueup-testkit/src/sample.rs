//! Tasks, evidence and whole journals to test with.
//!
//! Everything is built through core's own bindings, so evidence made here is
//! valid exactly where core says so. Nothing depends on a clock or a machine.

use std::collections::BTreeMap;
use trueup_core::{
    budget::Budget,
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Criterion, Execution, Network, Role, Visibility},
    digest::Digest,
    effect::{Effect, Publish, Wish},
    ending::Ending,
    event::{
        Agent, AgentChanged, Answered, Base, BudgetFrom, Challenged, Checked, Committed, Event, Identity, Interrupted,
        Opening, OpeningCompleted, PersonAnswer, Published, Resumed, Stop, TaskChanged, Troubled, TurnEnded,
    },
    evidence::{Binding, Body, CheckOutcome, Conditions, Evidence, Isolation},
    id::{CheckId, CommitId, CriterionId, EffectId, RunId, TaskId, Timestamp, TreeId},
    kind::{Kind, Runner},
    ladder::WhenIdle,
    memory::Claim,
    patience::Patience,
    rule::{Level, Levels, RuleId, Strictness},
    scope::Scope,
    settings::{AgentKind, AgentSettings, Folder, Settings},
    task::{Allow, Size, Task},
    turn::{Permission, TurnOutcome},
    usage::Meter,
    usage::Usage,
};

/// When the first event of every sample happened; each later one a second on.
pub const START: i64 = 1_750_000_000_000;

/// A task with two criteria: `AC-1` has a goal, `AC-2` a goal and a guard.
pub fn task() -> Task {
    let text = "Greet the person by name.";
    Task {
        id: TaskId::new("T-001"),
        title: "Greet by name".into(),
        size: Size::Small,
        priority: None,
        needs: Vec::new(),
        base: None,
        agent: None,
        scope: Scope::default(),
        budget: Budget::default(),
        allow: Allow::default(),
        text: text.into(),
        criteria: vec![
            criterion(
                "AC-1",
                "The greeting names the person",
                10,
                &[(Role::Goal, "sh checks/greets.sh Ada")],
            ),
            criterion(
                "AC-2",
                "The greeting is documented, and still polite",
                12,
                &[
                    (Role::Goal, "grep -q greet README.md"),
                    (Role::Guard, "sh checks/polite.sh"),
                ],
            ),
        ],
        digest: Digest::of(text.as_bytes()),
        ground: Default::default(),
        steady: trueup_core::task::STEADY,
        doubt: trueup_core::task::DOUBT,
    }
}

fn criterion(id: &str, text: &str, line: u32, checks: &[(Role, &str)]) -> Criterion {
    let check = |(at, (role, source)): (u32, &(Role, &str))| Check {
        id: CheckId::new(format!("{id}.{at}")),
        role: *role,
        sight: Visibility::Open,
        line: line + at,
        source: format!("`{source}`"),
        how: CheckMethod::Command(Execution::new(
            source.split(' ').map(str::to_owned).collect(),
            60_000,
            Network::Off,
        )),
    };
    Criterion {
        id: CriterionId::new(id),
        text: text.into(),
        line,
        checks: (1..).zip(checks).map(check).collect(),
    }
}

/// The opening of a run of [`task`]; `T-014.2` is a run of the task `T-014`.
pub fn opening(run: &str) -> Opening {
    let task_id = run.rsplit_once('.').map_or(run, |(task, _)| task);
    Opening {
        run: RunId::new(run),
        task: Task {
            id: TaskId::new(task_id),
            ..task()
        },
        base: Base {
            commit: commit("base"),
            tree: tree("base"),
            name: "HEAD".into(),
        },
        agent: Agent {
            name: "scripted".into(),
            meter: Meter::Silent,
            network: Network::On,
            permission: Permission::Everything,
        },
        patience: Patience::default(),
        settings: None,
        when_idle: WhenIdle::GoOn,
        ladder: None,
        author: Identity {
            name: "Ada".into(),
            email: "ada@example.org".into(),
        },
        branch: format!("trueup/{task_id}"),
        branch_was: None,
        at: at(0),
    }
}

/// The event that opens a run of [`task`].
pub fn opened(run: &str) -> Event {
    Event::Opened(Box::new(opening(run)))
}

/// The moment of the n-th event after the first.
pub const fn at(n: i64) -> Timestamp {
    Timestamp(START + n * 1000)
}

/// A tree by a name of one's own; equal names, equal trees.
pub fn tree(name: &str) -> TreeId {
    TreeId::new(git_name("tree", name))
}

/// A commit by a name of one's own; equal names, equal commits.
pub fn commit(name: &str) -> CommitId {
    CommitId::new(git_name("commit", name))
}

fn git_name(kind: &str, name: &str) -> String {
    let digest = Digest::of_fields([kind.as_bytes(), name.as_bytes()]);
    digest.as_str().chars().take(40).collect()
}

/// What every check of the opening's task saw on a tree; valid there and
/// nowhere else.
pub fn evidence(opening: &Opening, tree: &TreeId, saw: impl Fn(&CheckId) -> CheckOutcome) -> Vec<Evidence> {
    let task = &opening.task;
    let of = |criterion: &Criterion, check: &Check| {
        let binding = Binding::of(tree, criterion, check, &task.digest);
        Evidence {
            criterion: criterion.id.clone(),
            check: check.id.clone(),
            key: binding.key(),
            binding,
            conditions: Conditions {
                program: check.argv().first().map(|program| format!("/usr/bin/{program}")),
                variables: BTreeMap::from([("LANG".to_owned(), "C.UTF-8".to_owned())]),
                network: Network::Off,
                isolation: Isolation::Bubblewrap,
                architecture: "x86_64".into(),
                layers: Default::default(),
                warmth: Default::default(),
                sockets: Vec::new(),
            },
            saw: saw(&check.id),
            stdout: body(b"as it was printed\n"),
            stderr: body(b""),
            took_ms: 5,
            tally: None,
            because: None,
            runs: Default::default(),
            error: None,
            altered: Vec::new(),
        }
    };
    task.criteria
        .iter()
        .flat_map(|criterion| criterion.checks.iter().map(move |check| of(criterion, check)))
        .collect()
}

/// What a good base shows: every goal red, every guard green.
pub fn base_evidence(opening: &Opening) -> Vec<Evidence> {
    let checks = opening.task.checks();
    let guards: Vec<CheckId> = checks
        .filter(|check| check.role == Role::Guard)
        .map(|check| check.id.clone())
        .collect();
    evidence(opening, &opening.base.tree, |check| {
        if guards.contains(check) {
            CheckOutcome::Passed
        } else {
            failed()
        }
    })
}

/// Every check green on a tree.
pub fn passing(opening: &Opening, tree: &TreeId) -> Vec<Evidence> {
    evidence(opening, tree, |_| CheckOutcome::Passed)
}

/// One check red on a tree, all others green.
pub fn failing(opening: &Opening, tree: &TreeId, red: &str) -> Vec<Evidence> {
    evidence(opening, tree, |check| {
        if check.as_str() == red {
            failed()
        } else {
            CheckOutcome::Passed
        }
    })
}

/// The usual way not to hold: exit code 1.
pub const fn failed() -> CheckOutcome {
    CheckOutcome::red(Some(1))
}

pub(crate) fn body(bytes: &[u8]) -> Body {
    Body {
        digest: Digest::of(bytes),
        bytes: bytes.len() as u64,
    }
}

/// The checks were executed on a tree.
pub fn checked(tree: &TreeId, evidence: Vec<Evidence>, at: Timestamp) -> Event {
    Event::Checked(Checked {
        tree: tree.clone(),
        evidence,
        objections: Vec::new(),
        at,
    })
}

/// A turn ended by itself and left a tree.
pub fn turn_ended(turn: u32, tree: &TreeId, at: Timestamp) -> Event {
    Event::TurnEnded(TurnEnded {
        turn,
        outcome: Box::new(TurnOutcome {
            ending: Ending::Exited { code: 0 },
            tree: tree.clone(),
            findings: Vec::new(),
            transcript: body(b"all done, tests pass\n"),
            usage: Usage::default(),
            took_ms: 400,
            isolation: Isolation::Bubblewrap,
            session: None,
            claim: Claim::default(),
            version: None,
            prompt: None,
        }),
        at,
    })
}

/// A turn that its provider broke off, until then.
pub fn limited(turn: u32, until: Timestamp, at: Timestamp) -> Event {
    let mut event = turn_ended(turn, &tree("base"), at);
    if let Event::TurnEnded(ended) = &mut event {
        ended.outcome.ending = Ending::Limited {
            until: Some(until),
            why: "try again later".to_owned(),
        };
    }
    event
}

/// A person said: go on.
pub const fn resumed(at: Timestamp) -> Event {
    Event::Resumed(Resumed { at })
}

/// The world could not do what was wished.
pub fn troubled(what: &str, at: Timestamp) -> Event {
    Event::Troubled(Troubled {
        what: what.into(),
        shortage: None,
        at,
    })
}

/// An effect by an id of one's own, for journals that never look inside.
pub fn effect(id: &str) -> Effect {
    Effect {
        id: EffectId::new(id),
        wish: Wish::Publish(Publish {
            branch: "trueup/T-001".into(),
            commit: commit("proved"),
            expected: None,
        }),
    }
}

/// A whole run without a hitch: a red round, a green one, delivery.
pub fn journal(run: &str) -> Vec<Event> {
    let opening = opening(run);
    let (base, half, proved) = (tree("base"), tree("half"), tree("proved"));
    vec![
        opened(run),
        checked(&base, base_evidence(&opening), at(1)),
        turn_ended(1, &half, at(2)),
        checked(&half, failing(&opening, &half, "AC-2.1"), at(3)),
        turn_ended(2, &proved, at(4)),
        checked(&proved, passing(&opening, &proved), at(5)),
        Event::Committed(Committed {
            commit: commit("proved"),
            at: at(6),
        }),
        Event::Published(Published {
            commit: commit("proved"),
            at: at(7),
        }),
    ]
}

/// What drives a run of [`task`] besides the task.
pub fn settings() -> Settings {
    Settings {
        agent: AgentSettings {
            kind: AgentKind::Command,
            command: vec!["scripted".into(), "--work".into()],
            model: None,
            env: BTreeMap::from([("MANNER".into(), "kindly".into())]),
            pass_env: vec!["LANG".into()],
            secret_env: vec!["WORKER_TOKEN".into()],
            read: vec![Folder::Checkout("docs".into())],
            write: vec![Folder::Home("notes".into())],
            reach: Vec::new(),
            registries: Vec::new(),
        },
        prompts: BTreeMap::from([("turn.md.j2".into(), Digest::of(b"a template"))]),
        tasks: "tasks".into(),
        read: vec![Folder::At("/opt/tools".into())],
        sockets: vec!["/run/database.sock".into()],
        levels: Levels {
            profile: Strictness::Strict,
            chosen: RuleId::of("py/ends-process")
                .map(|rule| (rule, Level::Note))
                .into_iter()
                .collect(),
        },
        packs: BTreeMap::from([("tools/rules.toml".into(), Digest::of(b"a pack"))]),
        rules: task().rules(),
    }
}

/// A whole run that an older build opened, which was completed, and whose task
/// file was changed under way.
pub fn completed_journal(run: &str) -> Vec<Event> {
    let mut events = journal(run);
    let settings = settings();
    let completed = OpeningCompleted { settings, at: at(1) };
    let Task { title, allow, .. } = task();
    let changed = TaskChanged {
        title,
        text: "Do it well.".into(),
        priority: None,
        needs: Vec::new(),
        budget: task().budget,
        budget_from: BudgetFrom::default(),
        allow,
        file: Digest::of(b"the task file, changed"),
        at: at(2),
    };
    events.insert(1, Event::OpeningCompleted(Box::new(completed)));
    events.insert(3, Event::TaskChanged(Box::new(changed)));
    events
}

/// A whole run whose agent could not be started until a person mended its
/// configuration.
pub fn mended_journal(run: &str) -> Vec<Event> {
    let mut events = settled_journal(run);
    let (mut opening, settings) = (opening(run), settings());
    opening.agent.network = Network::On;
    let changed = AgentChanged {
        agent: opening.agent,
        settings: AgentSettings {
            command: vec!["mended".into(), "--quiet".into()],
            ..settings.agent
        },
        at: at(2),
    };
    events.insert(2, Event::AgentChanged(Box::new(changed)));
    events
}

/// A whole run whose agent was idle until a person told it how to go on, and
/// whose weak proof that person accepted.
pub fn answered_journal(run: &str) -> Vec<Event> {
    let mut opening = opening(run);
    opening.when_idle = WhenIdle::Ask;
    for check in opening
        .task
        .criteria
        .iter_mut()
        .flat_map(|criterion| &mut criterion.checks)
    {
        if let Some(execution) = check.execution_mut() {
            execution.kind = Kind::Tests(Runner::Pytest);
        }
    }
    let (base, proved) = (tree("base"), tree("proved"));
    let answered = |answer, n| Event::Answered(Answered { answer, at: at(n) });
    let controls = opening.task.checks().map(|check| Control {
        check: check.id.clone(),
        sabotage: Sabotage::Canary,
        about: "a failing test".into(),
        turned: Reaction::Green,
        output: body(b"1 passed\n"),
        took_ms: 5,
    });
    let controls = controls.collect();
    vec![
        Event::Opened(Box::new(opening.clone())),
        checked(&base, base_evidence(&opening), at(1)),
        turn_ended(1, &base, at(2)),
        turn_ended(2, &base, at(3)),
        answered(PersonAnswer::Told("Greet everybody.".into()), 4),
        turn_ended(3, &proved, at(5)),
        checked(&proved, passing(&opening, &proved), at(6)),
        Event::Challenged(Challenged {
            tree: proved.clone(),
            controls,
            objections: Vec::new(),
            at: at(7),
        }),
        turn_ended(4, &proved, at(8)),
        answered(PersonAnswer::Waived("The change is one constant.".into()), 9),
        Event::Committed(Committed {
            commit: commit("proved"),
            at: at(10),
        }),
        Event::Published(Published {
            commit: commit("proved"),
            at: at(11),
        }),
    ]
}

/// A whole run whose task file nobody changed, as it is opened today.
pub fn settled_journal(run: &str) -> Vec<Event> {
    let mut events = journal(run);
    let settings = Some(Box::new(settings()));
    events[0] = Event::Opened(Box::new(Opening {
        settings,
        ..opening(run)
    }));
    events
}

/// A whole run that was broken off twice: by a person in its first turn, and
/// by the world while it was checked.
pub fn broken_off_journal(run: &str) -> Vec<Event> {
    let opening = opening(run);
    let (base, proved) = (tree("base"), tree("proved"));
    vec![
        opened(run),
        checked(&base, base_evidence(&opening), at(1)),
        Event::Interrupted(Interrupted {
            by: Stop::Keyboard,
            rescue: Some(tree("rescued")),
            took_ms: 0,
            at: at(2),
        }),
        resumed(at(3)),
        turn_ended(1, &proved, at(4)),
        troubled("no space is left on the disk", at(5)),
        resumed(at(6)),
        checked(&proved, passing(&opening, &proved), at(7)),
        Event::Committed(Committed {
            commit: commit("proved"),
            at: at(8),
        }),
        Event::Published(Published {
            commit: commit("proved"),
            at: at(9),
        }),
    ]
}
