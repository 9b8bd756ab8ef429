//! What became of a task file since its run was opened.
//!
//! A run keeps the task it was opened with. What a person may change under way
//! is taken in by a kept event; what its evidence and its plan rest on is not,
//! and the person is told. Nothing is ignored without a word.

use crate::{
    budget::Budget,
    criterion::{Check, Criterion, Role, Visibility},
    difference::{Difference, note},
    event::{BudgetFrom, TaskChanged},
    gate::Refusal,
    id::Timestamp,
    run::Run,
    task::{Allow, SelfTested, Task},
};
use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// What is to be done about a task file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskFileState {
    /// It says what the run has.
    Same,
    /// It says something else, and the run can take that in.
    Changed {
        /// What differs.
        differences: Vec<Difference>,
        /// The event by which it is taken in.
        event: Box<TaskChanged>,
    },
    /// The run cannot go on by it.
    Refused(Vec<Difference>),
    /// What it says now could not be kept.
    Unkept(Refusal),
}

/// Compares the file as it stands now with what a run has. Both tasks are as
/// their files tell them; what a base adds is left out.
pub fn compare(run: &Run, now: &Task, at: Timestamp) -> TaskFileState {
    let opening = run.opening();
    let was = &opening.task;
    let refused = unsafe_differences(was, now);
    if !refused.is_empty() {
        return TaskFileState::Refused(refused);
    }
    let differences = safe_differences(run, now);
    if differences.is_empty() {
        return TaskFileState::Same;
    }
    if let Some(refusal) = opening.agent.unkept(&now.budget) {
        return TaskFileState::Unkept(refusal);
    }
    TaskFileState::Changed {
        differences,
        event: Box::new(TaskChanged {
            title: now.title.clone(),
            text: now.text.clone(),
            priority: now.priority,
            needs: now.needs.clone(),
            budget: now.budget,
            budget_from: BudgetFrom::Now,
            allow: now.allow.clone(),
            file: now.digest.clone(),
            at,
        }),
    }
}

/// What evidence, plan and base rest on.
fn unsafe_differences(was: &Task, now: &Task) -> Vec<Difference> {
    let mut found = Vec::new();
    note(&mut found, "size", format!("{:?}", was.size), format!("{:?}", now.size));
    let named = |name: &Option<String>| name.clone().unwrap_or_default();
    note(&mut found, "base", named(&was.base), named(&now.base));
    note(&mut found, "agent", named(&was.agent), named(&now.agent));
    let lines = |limit: Option<u32>| limit.map(|limit| limit.to_string()).unwrap_or_default();
    let (old, new) = (&was.scope, &now.scope);
    note(&mut found, "scope.touch", old.touch.join(", "), new.touch.join(", "));
    note(&mut found, "scope.never", old.never.join(", "), new.never.join(", "));
    note(
        &mut found,
        "scope.max_new_lines",
        lines(old.max_new_lines),
        lines(new.max_new_lines),
    );
    criteria(&mut found, &was.criteria, &now.criteria);
    found
}

/// The criteria, by their ids. The guard of the scope is the run's own, and
/// differs where the scope does.
fn criteria(found: &mut Vec<Difference>, was: &[Criterion], now: &[Criterion]) {
    let written = |criterion: &&Criterion| criterion.id.as_str() != "scope";
    for old in was.iter().filter(written) {
        match now.iter().find(|new| new.id == old.id) {
            Some(new) => {
                note(found, old.id.as_str(), old.text.clone(), new.text.clone());
                checks(found, &old.checks, &new.checks);
            }
            None => note(found, old.id.as_str(), old.text.clone(), String::new()),
        }
    }
    for new in now.iter().filter(written) {
        if !was.iter().any(|old| old.id == new.id) {
            note(found, new.id.as_str(), String::new(), new.text.clone());
        }
    }
}

fn checks(found: &mut Vec<Difference>, was: &[Check], now: &[Check]) {
    for old in was {
        let new = now.iter().find(|new| new.id == old.id);
        note(found, old.id.as_str(), words(old), new.map(words).unwrap_or_default());
        if let (Visibility::Hidden(old_files), Some(Visibility::Hidden(new_files))) =
            (&old.sight, new.map(|new| &new.sight))
            && old_files != new_files
        {
            let field = format!("{}, hidden files", old.id);
            let names = |files: &[crate::criterion::HiddenFile]| {
                let names: Vec<String> = files
                    .iter()
                    .map(|file| format!("{} {}", file.path, file.blob.as_str().get(..8).unwrap_or_default()))
                    .collect();
                names.join(", ")
            };
            note(found, &field, names(old_files), names(new_files));
        }
    }
    for new in now {
        if !was.iter().any(|old| old.id == new.id) {
            note(found, new.id.as_str(), String::new(), words(new));
        }
    }
}

/// A check, as its author wrote it.
fn words(check: &Check) -> String {
    let role = match check.role {
        Role::Goal => "",
        Role::Guard => "guard ",
    };
    let sight = match check.sight {
        Visibility::Open => "",
        Visibility::Hidden(_) => "hidden ",
    };
    format!("{role}{sight}{}", check.source)
}

/// What a run can take in while it is under way.
fn safe_differences(run: &Run, now: &Task) -> Vec<Difference> {
    let was = &run.opening().task;
    let mut found = Vec::new();
    note(&mut found, "title", was.title.clone(), now.title.clone());
    let priority = |task: &Task| {
        task.priority
            .map(|priority| format!("{priority:?}"))
            .unwrap_or_default()
    };
    note(&mut found, "priority", priority(was), priority(now));
    let needs = |task: &Task| {
        let names: Vec<&str> = task.needs.iter().map(|need| need.as_str()).collect();
        names.join(", ")
    };
    note(&mut found, "needs", needs(was), needs(now));
    budget(&mut found, run.budget(), &now.budget);
    allow(&mut found, &was.allow, &now.allow);
    text(&mut found, &was.text, &now.text);
    found
}

fn budget(found: &mut Vec<Difference>, was: &Budget, now: &Budget) {
    let number = |limit: Option<u64>| limit.map(|limit| limit.to_string()).unwrap_or_default();
    let seconds = |limit: Option<u64>| limit.map(|limit| format!("{} s", limit / 1000)).unwrap_or_default();
    let money = |limit: Option<u64>| {
        let dollars = limit.map(|limit| format!("{}.{:05}", limit / 100_000, limit % 100_000));
        dollars.unwrap_or_default()
    };
    let turns = |budget: &Budget| number(budget.turns.map(u64::from));
    note(found, "budget.turns", turns(was), turns(now));
    note(found, "budget.time", seconds(was.time_ms), seconds(now.time_ms));
    note(found, "budget.tokens", number(was.tokens), number(now.tokens));
    note(found, "budget.usd", money(was.millicents), money(now.millicents));
}

fn allow(found: &mut Vec<Difference>, was: &Allow, now: &Allow) {
    let lists = [
        ("allow.change", &was.change, &now.change),
        ("allow.remove_tests", &was.remove_tests, &now.remove_tests),
        ("allow.lockfiles", &was.lockfiles, &now.lockfiles),
        ("allow.rules", &was.rules, &now.rules),
    ];
    for (field, was, now) in lists {
        note(found, field, was.join(", "), now.join(", "));
    }
    let word = |self_tested: SelfTested| match self_tested {
        SelfTested::Asked => String::new(),
        SelfTested::Accepted => "true".into(),
    };
    note(found, "allow.self_tested", word(was.self_tested), word(now.self_tested));
}

/// The prose: the lines between what both begin and end with.
fn text(found: &mut Vec<Difference>, was: &str, now: &str) {
    let (old, new): (Vec<&str>, Vec<&str>) = (was.lines().collect(), now.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let shorter = old.len().min(new.len()).saturating_sub(start);
    let ends = old.iter().rev().zip(new.iter().rev());
    let end = ends.take(shorter).take_while(|(old, new)| old == new).count();
    let middle = |lines: &[&str]| lines.get(start..lines.len() - end).unwrap_or_default().join("\n");
    let (old, new) = (middle(&old), middle(&new));
    if was != now && old == new {
        // Nothing but how lines end.
        found.extend(vec![Difference {
            field: "text".into(),
            was: "its lines end differently".into(),
            now: String::new(),
        }]);
    }
    note(found, "text", old, new);
}
