//! Whether anything looks at the work from outside the process it runs in.

use super::Refusal;
use crate::{
    criterion::{Check, Role, Visibility},
    kind::Kind,
    task::Task,
};
use alloc::format;

/// What to suggest where every goal is a test that an agent can read and that
/// shares a process with the code: what fits these tests alone would pass, and
/// what reaches into the runner would not be seen.
pub fn seen_from_inside_alone(task: &Task) -> Option<Refusal> {
    let goals = || task.checks().filter(|check| check.role == Role::Goal);
    let first = goals().next()?;
    goals().all(is_inside).then(|| Refusal {
        line: first.line,
        about: format!("{}", task.id),
        why: "every goal is a test that an agent can read and that runs in one process with the code, so code that \
              fits these tests alone would pass; a hidden goal (`- verify hidden: edges.sh`), or one that starts the \
              program and reads what it prints, looks from outside"
            .into(),
    })
}

fn is_inside(check: &Check) -> bool {
    check.sight == Visibility::Open && matches!(check.kind(), Kind::Tests(_) | Kind::Coverage(_))
}
