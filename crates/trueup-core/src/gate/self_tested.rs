//! Criteria that nothing proves but tests that the run itself wrote.

use crate::{
    control::{Control, Sabotage},
    criterion::{Check, CheckMethod, Criterion, Role},
    evidence::Binding,
    gate::Refusal,
    id::TreeId,
    objection::{Objection, ObjectionKind},
    task::{SelfTested, Task},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Whether every goal of a criterion is measured by the run's own tests.
pub fn is_self_tested(criterion: &Criterion) -> bool {
    let mut goals = criterion.checks.iter().filter(|check| is_goal(check)).peekable();
    goals.peek().is_some() && goals.all(Check::is_of_run)
}

/// Whether a goal measures what the tree does. A person's own look is asked for
/// by itself; that a file is there, or that tests reach lines, is no yardstick
/// beside tests of the run's own making.
fn is_goal(check: &Check) -> bool {
    let measures = match &check.how {
        CheckMethod::Command(_)
        | CheckMethod::Named { .. }
        | CheckMethod::Test { .. }
        | CheckMethod::RunTests { .. }
        | CheckMethod::Http { .. } => true,
        CheckMethod::FileExists { .. }
        | CheckMethod::FileHas { .. }
        | CheckMethod::NoneIn { .. }
        | CheckMethod::InScope { .. }
        | CheckMethod::Coverage { .. }
        | CheckMethod::Manual { .. } => false,
    };
    check.role == Role::Goal && measures
}

/// Which criteria of a task a person will be asked about for that, whatever an
/// agent does: better known before it begins.
pub fn will_be_asked(task: &Task) -> Vec<Refusal> {
    if task.allow.self_tested == SelfTested::Accepted {
        return Vec::new();
    }
    let all = task.criteria.iter().filter(|criterion| is_self_tested(criterion));
    let asked = all.filter_map(|criterion| {
        let first = criterion.checks.iter().find(|check| check.is_of_run())?;
        Some(Refusal {
            line: first.line,
            about: criterion.id.to_string(),
            why: "only tests that the run writes will prove it, so you are asked about them before it ends; \
                  `allow: { self_tested: true }` accepts them now"
                .into(),
        })
    });
    asked.collect()
}

/// What a person must know of such criteria on this tree: which tests there
/// are. The name of each holds the tree, so other tests are another question.
pub fn self_tested(task: &Task, tree: &TreeId, controls: &[Control]) -> Vec<Objection> {
    let rules = task.rules();
    let allowed = match task.allow.self_tested {
        SelfTested::Accepted => Some("self_tested".to_string()),
        SelfTested::Asked => None,
    };
    let all = task.criteria.iter().filter(|criterion| is_self_tested(criterion));
    let objection = |criterion: &Criterion| {
        let first = criterion.checks.iter().find(|check| check.is_of_run())?;
        Some(Objection {
            kind: ObjectionKind::SelfTested,
            path: criterion.id.to_string(),
            what: format!(
                "nothing proves it but tests that this run wrote or changed: {}",
                tests(criterion, controls)
            ),
            digest: Binding::of(tree, criterion, first, &rules).key(),
            allowed: allowed.clone(),
            rule: None,
        })
    };
    all.filter_map(objection).collect()
}

/// The tests of a criterion, as the control names them.
fn tests(criterion: &Criterion, controls: &[Control]) -> String {
    let is_of = |control: &&Control| {
        let mut checks = criterion.checks.iter().filter(|check| check.is_of_run());
        checks.any(|check| check.id == control.check)
    };
    let of_run = controls
        .iter()
        .filter(|control| control.sabotage == Sabotage::RunTestsOverBase);
    let names: Vec<&str> = of_run.filter(is_of).map(|control| control.about.as_str()).collect();
    names.join(", ")
}
