//! `trueup run`: open a run and drive it until it rests.

use super::{
    draft,
    resume::{self, GoOn, told},
};
use crate::{
    args::{Global, Run as RunArguments},
    config::REPOSITORY_LAYERS,
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    render,
    runs::{self, is_unfinished, next_run, refuse_driven},
    task::TaskFile,
};
use trueup_core::{
    branch,
    event::{self, Base, Event, Opening},
    id::RunId,
    repository::{self, Repository, Unfit},
    run::{Outcome, Position, Run},
    task::Task,
};
use trueup_engine::{driver::Resume, machine::MachineError, opening::NewRun, workspace};

/// Opens a run of the task and drives it until it rests.
pub(crate) fn run(project: &Project, arguments: &RunArguments, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    // Before signals are heard: whoever writes a draft is not driving a run yet.
    let file = match &arguments.task {
        Some(task) => file_of(project, task, global)?,
        None => last_task(project)?,
    };
    let foreground = Foreground::begin()?;
    let chosen = Chosen::of(project, file)?;
    if let Some(unfinished) = unfinished(project, &chosen.task, arguments)? {
        let name = unfinished.opening().run.clone();
        let anew = format!("trueup run {} --anew", chosen.task.id);
        render::note(&format!("{name} is unfinished and goes on; to begin again: {anew}"));
        return resume::carry_on(project, &foreground, &name, &GoOn::default(), global);
    }
    open(project, &foreground, &chosen, arguments, global)?;
    let rested = foreground.drive(project, &chosen.run, &Resume::as_it_is(), global)?;
    told(project, &rested, global)
}

/// A task that a run is to be opened of.
pub(super) struct Chosen {
    /// Its file.
    file: TaskFile,
    /// What that says.
    pub(super) task: Task,
    /// How the run will be called.
    pub(super) run: RunId,
}

impl Chosen {
    /// What this file asks for. The run is named before it is asked whether
    /// another is unfinished: of two that open a run of one task at once, both
    /// mean the same name, and one is refused.
    pub(super) fn of(project: &Project, file: TaskFile) -> Result<Self, Failure> {
        let read = file.understand(project)?.map_err(|unreadable| {
            let id = file.id();
            unreadable.failure().next(format!("trueup check {id}"))
        })?;
        render::filled_in(&file.name, &read.filled_in);
        let run = next_run(project, &read.task.id)?;
        Ok(Self {
            file,
            task: read.task,
            run,
        })
    }
}

/// Opens a run of the task; nobody drives it yet.
pub(super) fn open(
    project: &Project,
    foreground: &Foreground,
    chosen: &Chosen,
    arguments: &RunArguments,
    global: &Global,
) -> Result<(), Failure> {
    let Chosen { file, task, run } = chosen;
    refuse_unmet_needs(project, task)?;
    let agent = agent(project, task, arguments)?;
    // Tried now: a run that is opened must not strand on a template.
    let prompts = project.machine()?.prompts();
    prompts.map_err(|flaw| project.unusable(MachineError::Prompts(flaw)))?;
    let asked = Asked {
        project,
        task,
        with_changes: arguments.with_changes,
    };
    let opening = opening(&asked, file, agent, run.clone())?;
    foreground.refuse_if_asked(&format!("trueup run {}", task.id))?;
    foreground.open(project, run, &Event::Opened(Box::new(opening)), global)
}

/// The task's file; where only a title was given and no task has it, a draft
/// that a person said yes to.
fn file_of(project: &Project, task: &str, global: &Global) -> Result<TaskFile, Failure> {
    match TaskFile::find(project, task) {
        Err(_) if draft::is_title(task) => match TaskFile::titled(project, task)? {
            Some(file) => Ok(file),
            None => draft::for_run(project, task, global),
        },
        found => found,
    }
}

/// The task of the last run, for whoever names none. What is done is not done
/// again without its name.
fn last_task(project: &Project) -> Result<TaskFile, Failure> {
    let name = runs::meant(project, None)?;
    let last = runs::replay(project, &runs::history(project, &name)?.0)?;
    let task = &last.opening().task.id;
    if last.position().delivered().is_some() {
        let what = format!("the last run, {name}, is verified; name the task that is meant");
        return Err(Failure::new(Exit::NothingToDo, what)
            .next(format!("trueup run {task}"))
            .next("trueup status"));
    }
    TaskFile::find(project, task.as_str())
}

/// Says which uncommitted work the run will not see. Task files and the
/// configuration count as they lie, so there is nothing to say about them.
fn mention_uncommitted(project: &Project) -> Result<(), Failure> {
    let tasks = format!("{}/", project.config.tasks);
    let mut paths = project.workspaces()?.uncommitted()?;
    let packs = project.config.rules.files();
    let is_ours = |path: &String| REPOSITORY_LAYERS.contains(&path.as_str()) || packs.contains_key(path);
    paths.retain(|path| !path.starts_with(&tasks) && !is_ours(path));
    if !paths.is_empty() {
        render::uncommitted(&paths);
    }
    Ok(())
}

/// What was asked for, before a run is opened.
pub(crate) struct Asked<'a> {
    /// The repository.
    pub(crate) project: &'a Project,
    /// The task.
    pub(crate) task: &'a Task,
    /// Whether uncommitted work belongs to the base.
    pub(crate) with_changes: bool,
}

fn opening(asked: &Asked<'_>, file: &TaskFile, agent: event::Agent, run: RunId) -> Result<Opening, Failure> {
    let Asked { project, task, .. } = asked;
    let base = base_of(asked)?;
    // Not before the base was looked at: to find what is uncommitted, git may run a filter.
    if !asked.with_changes {
        mention_uncommitted(project)?;
    }
    mention_line_endings(project)?;
    let refusals = [file.closed(project, task), file.exposed(project, task, &base)?].concat();
    if let Some(refusal) = refusals.first() {
        return Err(file.refused(refusal).next(format!("trueup check {}", task.id)));
    }
    file.note_readable_words(project, task, &base)?;
    // A wall that cannot stand is found before there is a run to leave unfinished.
    project.sandbox()?;
    let opening = project.machine()?.opening(NewRun {
        run,
        task: (*task).clone(),
        base,
        agent,
        patience: project.config.patience,
        ladder: project.config.ladder,
    });
    let opening = opening.map_err(|error| project.unusable(error))?;
    mention_branch(&opening);
    Ok(opening)
}

/// Says where the work goes if the branch of its task holds somebody else's.
fn mention_branch(opening: &Opening) {
    let usual = branch::of_task(&opening.task.id);
    if opening.branch != usual {
        render::note(&format!(
            "The branch {usual} holds commits that no run made. It stays as it is; this run delivers {} instead.",
            opening.branch
        ));
    }
}

/// The base, fetched.
pub(crate) fn base_of(asked: &Asked<'_>) -> Result<Base, Failure> {
    let Asked { project, task, .. } = asked;
    let workspaces = project.workspaces()?;
    let name = task.base.as_deref().unwrap_or(&project.config.base);
    let unusable = |error: workspace::Error| {
        let what = format!("the base `{name}` cannot be used: {error}");
        Failure::new(Exit::Usage, what).next("git commit --allow-empty -m \"First commit\"")
    };
    refuse_unfit(&workspaces.repository(name).map_err(unusable)?)?;
    if !asked.with_changes {
        return workspaces.base(name).map_err(unusable);
    }
    let base = workspaces.base_with_changes(name, project.clock.now(), &workspaces.author()?)?;
    // What is uncommitted may bring what the commit below it has not.
    refuse_unfit(&workspaces.repository_of(&base.commit)?)?;
    Ok(base)
}

/// Refuses a repository whose plain checkouts would hold other bytes than rooms.
pub(crate) fn refuse_unfit(repository: &Repository) -> Result<(), Failure> {
    match repository::unfit(repository) {
        Some(Unfit { why, next }) => Err(Failure::new(Exit::NotVerified, why).next(next)),
        None => Ok(()),
    }
}

/// Says which setting of the person's makes their own checkouts differ from rooms.
pub(crate) fn mention_line_endings(project: &Project) -> Result<(), Failure> {
    if let Some(setting) = project.workspaces()?.line_endings()? {
        render::note(&format!(
            "`{setting}` gives your own checkouts other line endings than rooms have; \
             to have the same everywhere, put `* text=auto eol=lf` into .gitattributes"
        ));
    }
    Ok(())
}

fn agent(project: &Project, task: &Task, arguments: &RunArguments) -> Result<event::Agent, Failure> {
    let chosen = arguments
        .agent
        .as_ref()
        .or(task.agent.as_ref())
        .or(project.config.default_agent.as_ref());
    let name = chosen.ok_or_else(|| {
        let what = "no agent was chosen; name one, or choose one for every task";
        Failure::new(Exit::AgentUnusable, what)
            .next("trueup agent list")
            .next(format!("trueup run {} --agent NAME", task.id))
            .next("trueup config set agent.default NAME")
    })?;
    let machine = project.machine()?;
    let (agent, _) = machine.agent_now(name).map_err(|error| project.unusable(error))?;
    machine.agent(name).map_err(|error| project.unusable(error))?;
    Ok(agent)
}

/// The task's last run, if it is unfinished and can go on as it was asked for. What
/// is asked for beyond that would be a run of its own.
pub(super) fn unfinished(project: &Project, task: &Task, arguments: &RunArguments) -> Result<Option<Run>, Failure> {
    refuse_driven(project, &task.id, None)?;
    let last = runs::last(project, task.id.as_str())?;
    let Some(last) = last.filter(|last| !arguments.anew && is_unfinished(last.position())) else {
        return Ok(None);
    };
    let is_its_agent = |agent: &String| *agent == last.opening().agent.name;
    if !arguments.with_changes && arguments.agent.as_ref().is_none_or(is_its_agent) {
        return Ok(Some(last));
    }
    let what = format!(
        "{} has an unfinished run, {}, which goes on from its own base and with its own agent",
        task.id,
        last.opening().run
    );
    Err(Failure::new(Exit::Conflict, what)
        .next(format!("trueup resume {}", task.id))
        .next(format!("trueup run {} --anew", task.id)))
}

fn refuse_unmet_needs(project: &Project, task: &Task) -> Result<(), Failure> {
    for need in &task.needs {
        let last = runs::last(project, need.as_str())?;
        let is_delivered = |position: &Position| {
            matches!(
                position,
                Position::Done(Outcome::Verified { .. } | Outcome::Waived { .. })
            )
        };
        if !last.is_some_and(|run| is_delivered(run.position())) {
            let what = format!("{} needs {need}, which is not verified yet", task.id);
            return Err(Failure::new(Exit::NotVerified, what).next(format!("trueup run {need}")));
        }
    }
    Ok(())
}
