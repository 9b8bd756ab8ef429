//! Facts about what a person must know, and about sabotaged trees.

use crate::{
    facts::{RED, task},
    situations::green,
};
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    digest::Digest,
    event::{Answered, Challenged, Event, PersonAnswer},
    evidence::{Body, Runs},
    id::{Timestamp, TreeId},
    kind::{Kind, Runner},
    objection::{Objection, ObjectionKind},
    task::Task,
};

/// The same task, whose checks call a test runner.
pub(crate) fn tests() -> Task {
    let mut task = task();
    for check in task.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks) {
        if let Some(execution) = check.execution_mut() {
            execution.kind = Kind::Tests(Runner::Pytest);
        }
    }
    task
}

/// All green, but somebody must know something.
pub(crate) fn objected(task: &Task, tree: &str) -> Event {
    let mut event = green(task, tree);
    if let Event::Checked(checked) = &mut event {
        checked.objections.push(Objection {
            kind: ObjectionKind::Protected,
            path: "conftest.py".into(),
            what: "it sets the rules".into(),
            digest: Digest::of(b"conftest.py"),
            allowed: None,
            rule: None,
        });
    }
    event
}

/// Nothing is red but what gave two answers.
pub(crate) fn flaky(task: &Task, tree: &str) -> Event {
    let mut event = green(task, tree);
    if let Event::Checked(checked) = &mut event {
        checked.evidence[0].saw = RED;
        checked.evidence[0].runs = Runs { green: 1, red: 1 };
    }
    event
}

/// Every check did this on every sabotaged tree.
pub(crate) fn challenged(task: &Task, tree: &str, turned: &Reaction) -> Event {
    let checks = task.criteria.iter().flat_map(|criterion| &criterion.checks);
    let controls = checks.flat_map(|check| {
        [Sabotage::Canary, Sabotage::Failing].map(|sabotage| Control {
            check: check.id.clone(),
            sabotage,
            about: "it".into(),
            turned: turned.clone(),
            output: Body {
                digest: Digest::of(b"words"),
                bytes: 5,
            },
            took_ms: 1,
        })
    });
    Event::Challenged(Challenged {
        tree: TreeId::new(tree),
        controls: controls.collect(),
        objections: Vec::new(),
        at: Timestamp(8),
    })
}

pub(crate) fn answered(answer: PersonAnswer) -> Event {
    let at = Timestamp(9);
    Event::Answered(Answered { answer, at })
}
