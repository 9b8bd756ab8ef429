//! `trueup reject`, `answer` and `waive`, and what `approve` says: say to a run what it waits
//! for, and go on.

use super::resume::{task_now, told};
use crate::{
    args::Global,
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    runs::{history, meant, refuse_driven},
};
use trueup_core::{
    id::RunId,
    run::{Position, Reason, Run},
};
use trueup_engine::driver::{Decision, Rested, Resume};

/// Says to a run what it waits for, and goes on with it.
pub(crate) fn answer(project: &Project, task: &str, decision: Decision, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let foreground = Foreground::begin()?;
    let rested = say(project, &foreground, task, decision, global)?;
    told(project, &rested, global)
}

/// The same, until the run comes to rest; nothing is said about that yet.
pub(super) fn say(
    project: &Project,
    foreground: &Foreground,
    task: &str,
    decision: Decision,
    global: &Global,
) -> Result<Rested, Failure> {
    let (run, events) = history(project, &meant(project, Some(task))?)?;
    let state = Run::replay(&events).map_err(Failure::unexpected)?;
    let hears = decision.answer().is_some_and(|answer| state.hears(&answer));
    if !hears {
        return Err(unheard(&state, &run, task, &decision));
    }
    refuse_driven(project, &state.opening().task.id, Some(&run))?;
    let task = task_now(project, &state)?;
    let resume = Resume {
        decision,
        task,
        ..Resume::as_it_is()
    };
    foreground.drive(project, &run, &resume, global)
}

/// Why a run does not hear this, and what it would hear.
fn unheard(state: &Run, run: &RunId, task: &str, decision: &Decision) -> Failure {
    let (what, next) = match (state.position(), decision) {
        (Position::Paused(_, Reason::Asks(_)), _) => (
            format!("{run} asks for approval: approve or reject what it lists"),
            vec![
                format!("trueup approve {task}"),
                format!("trueup reject {task} \"why not\""),
            ],
        ),
        (Position::Paused(_, Reason::Blocked(_) | Reason::Stuck(_)), Decision::Waive(_)) => (
            format!("{run} has checks that do not pass; only a weak proof can be waived, never a failure"),
            vec![
                format!("trueup show {task}"),
                format!("trueup answer {task} -m \"how to go on\""),
            ],
        ),
        (Position::Paused(_, Reason::Blocked(_) | Reason::Stuck(_)), _) => (
            format!("{run} needs an answer in words, not an approval"),
            vec![format!("trueup answer {task} -m \"how to go on\"")],
        ),
        (Position::Paused(_, Reason::BudgetSpent(_)), _) => (
            format!("{run} waits for a higher `budget:` in its task file"),
            vec![format!("trueup show {task}"), format!("trueup resume {task}")],
        ),
        (Position::Paused(..) | Position::Working(_) | Position::Done(_), _) => (
            format!("{run} is not waiting for an answer"),
            vec![format!("trueup show {task}")],
        ),
    };
    let failure = Failure::new(Exit::NothingToDo, what);
    next.into_iter().fold(failure, Failure::next)
}
