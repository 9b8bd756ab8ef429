//! `trueup check`: read tasks and run their checks on the base, without any
//! agent and without opening a run.

use super::{
    printed,
    run::{Asked, base_of, mention_line_endings},
};
use crate::{
    args::{Global, Tasks},
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    render::{self, progress::Progress},
    task::TaskFile,
};
use trueup_core::{
    control::Control,
    criterion::Role,
    effect::{Challenge, ReportDigest, Verify},
    evidence::Evidence,
    gate::{self, Baseline, Refusal},
    ground::Caches,
    id::CheckId,
    task::Task,
};
use trueup_engine::{
    check::{CheckProgress, Checks, ControlProgress},
    local::LiveUpdate,
    opening::on_base,
};
use trueup_inspect::task_file::{Formality, Understood};

/// Checks the named tasks, or all of them; the worst answer is the exit code.
pub(crate) fn check(project: &Project, tasks: &Tasks, global: &Global) -> Result<Exit, Failure> {
    project.require_trust()?;
    let files = if tasks.tasks.is_empty() {
        TaskFile::all(project)?
    } else {
        tasks
            .tasks
            .iter()
            .map(|task| TaskFile::find(project, task))
            .collect::<Result<_, _>>()?
    };
    if files.is_empty() {
        let what = format!("there is no task in {}", project.tasks_folder().display());
        return Err(Failure::new(Exit::Usage, what).next("trueup new \"What shall be done\""));
    }
    mention_line_endings(project)?;
    let mut answers = Vec::new();
    for file in &files {
        answers.push((file.name.clone(), answer(project, file, global)?));
    }
    if global.json {
        render::check_json(&answers)?;
    } else {
        render::check_lines(&answers);
    }
    let exits = answers.iter().map(|(_, answer)| answer.exit());
    Ok(exits
        .max_by_key(|exit| u8::from(*exit == Exit::NothingToDo) + 2 * u8::from(*exit == Exit::NotVerified))
        .unwrap_or(Exit::Verified))
}

/// What `check` has to say of one task.
pub(crate) struct TaskCheck {
    /// The task, where its file could be read.
    pub(crate) task: Option<Task>,
    /// What its file left out, and what it was read as.
    pub(crate) filled_in: Vec<Formality>,
    /// What its checks saw on the base.
    pub(crate) evidence: Vec<Evidence>,
    /// What its guards did on the base where they had to turn red.
    pub(crate) controls: Vec<Control>,
    /// Guards of which the end of a run will hardly make anything.
    pub(crate) doubts: Vec<Refusal>,
    /// What a person will be asked about, whatever an agent does.
    pub(crate) questions: Vec<Refusal>,
    /// What would look at the work from outside, where nothing does.
    pub(crate) suggestion: Option<Refusal>,
    /// What those that are red printed last.
    pub(crate) red: Vec<RedCheck>,
    /// What the gate says.
    pub(crate) baseline: Baseline,
}

/// What a red check printed.
pub(crate) struct RedCheck {
    /// The check.
    pub(crate) check: CheckId,
    /// Its last lines.
    pub(crate) tail: Vec<String>,
    /// What the machine lacks, where that is why it is red.
    pub(crate) lacks: Option<String>,
}

/// How many of the last lines of a red check are shown.
const TAIL: usize = 3;

/// How many are shown where somebody asks for all of them.
const MOST: usize = 1000;

impl TaskCheck {
    const fn exit(&self) -> Exit {
        match self.baseline {
            Baseline::Ready => Exit::Verified,
            Baseline::NothingToDo => Exit::NothingToDo,
            Baseline::Refused(_) => Exit::NotVerified,
        }
    }

    const fn refused(refusals: Vec<Refusal>) -> Self {
        Self {
            task: None,
            filled_in: Vec::new(),
            evidence: Vec::new(),
            controls: Vec::new(),
            doubts: Vec::new(),
            questions: Vec::new(),
            suggestion: None,
            red: Vec::new(),
            baseline: Baseline::Refused(refusals),
        }
    }
}

fn answer(project: &Project, file: &TaskFile, global: &Global) -> Result<TaskCheck, Failure> {
    let Understood { task, filled_in } = match file.understand(project)? {
        Ok(read) => read,
        Err(unreadable) => {
            let refusals = unreadable.problems.iter().map(|problem| Refusal {
                line: problem.line,
                about: "task file".into(),
                why: problem.sentence(),
            });
            return Ok(TaskCheck::refused(refusals.collect()));
        }
    };
    let seen = look_at(project, file, task, global)?;
    Ok(TaskCheck { filled_in, ..seen })
}

/// What becomes of a task that was understood.
fn look_at(project: &Project, file: &TaskFile, task: Task, global: &Global) -> Result<TaskCheck, Failure> {
    let refusals = gate::lint(&task);
    if !refusals.is_empty() {
        return Ok(TaskCheck::refused(refusals));
    }
    let asked = Asked {
        project,
        task: &task,
        with_changes: false,
    };
    let base = base_of(&asked)?;
    let refusals = [
        file.closed(project, &task),
        file.exposed(project, &task, &base)?,
        unkept(project, &task)?,
    ]
    .concat();
    if !refusals.is_empty() {
        return Ok(TaskCheck::refused(refusals));
    }
    file.note_readable_words(project, &task, &base)?;
    let task = on_base(&project.workspaces()?, task, &base.tree);
    let wish = Verify::of(&task, &base.tree, &base.tree, Caches::Fill);
    let evidence = look(project, &wish, global)?;
    let paths = project.workspaces()?.files(&base.tree)?;
    let red = red(project, &evidence, &paths, Shown::by(global));
    let baseline = match gate::baseline(&task, &base.tree, &evidence) {
        Baseline::Ready => ready_here(&task, &red),
        other @ (Baseline::NothingToDo | Baseline::Refused(_)) => other,
    };
    let controls = match baseline {
        Baseline::Ready => try_guards(project, &wish, &evidence, global)?,
        Baseline::NothingToDo | Baseline::Refused(_) => Vec::new(),
    };
    Ok(TaskCheck {
        baseline,
        doubts: gate::blind_guards(&task, &controls),
        questions: gate::will_be_asked(&task),
        suggestion: gate::seen_from_inside_alone(&task),
        controls,
        red,
        task: Some(task),
        filled_in: Vec::new(),
        evidence,
    })
}

/// Why the agent that would work on it could not keep its budget, as `run` will
/// say. Who nobody chose yet, or cannot be used here, is for `run` to name.
fn unkept(project: &Project, task: &Task) -> Result<Vec<Refusal>, Failure> {
    let machine = project.machine()?;
    let chosen = task.agent.as_ref().or(project.config.default_agent.as_ref());
    let known = chosen.and_then(|name| machine.agent_now(name).ok());
    let refusal = known.and_then(|(agent, _)| agent.unkept(&task.budget));
    Ok(refusal.into_iter().collect())
}

/// Whether what is red is red for want of the work, as far as it tells.
fn ready_here(task: &Task, red: &[RedCheck]) -> Baseline {
    let stranded = red.iter().filter(|red| red.lacks.is_some());
    let stranded: Vec<CheckId> = stranded.map(|red| red.check.clone()).collect();
    let refusals = gate::red_for_the_machine(task, &stranded);
    if refusals.is_empty() {
        Baseline::Ready
    } else {
        Baseline::Refused(refusals)
    }
}

/// How much is shown of what a red check printed.
#[derive(Clone, Copy)]
enum Shown {
    /// Its last lines.
    End,
    /// As much as a person reads.
    Whole,
}

impl Shown {
    const fn by(global: &Global) -> Self {
        match global.verbose {
            0 => Self::End,
            1.. => Self::Whole,
        }
    }
}

/// What the red checks printed, and what the machine lacks where they tell.
fn red(project: &Project, evidence: &[Evidence], paths: &[String], shown: Shown) -> Vec<RedCheck> {
    let red = evidence.iter().filter(|evidence| !evidence.passed());
    let red = red.map(|evidence| RedCheck {
        check: evidence.check.clone(),
        tail: match shown {
            Shown::End => printed::tail(project, evidence, TAIL),
            Shown::Whole => printed::whole(project, evidence, MOST),
        },
        lacks: printed::lacks(project, evidence, paths),
    });
    red.collect()
}

/// Runs a task's checks on a tree, outside any run. Nothing is left behind but
/// layers and caches.
pub(crate) fn look(project: &Project, wish: &Verify, global: &Global) -> Result<Vec<Evidence>, Failure> {
    visit(project, global, async |checks, progress| {
        let (tree, count) = (&wish.tree, wish.checks().filter(|check| !check.is_manual()).count());
        let nothing = |_: &Evidence| None;
        let caches = wish.caches;
        progress.live(LiveUpdate::ChecksBegin { tree, count, caches }, &nothing);
        let show = |shown: CheckProgress<'_>| progress.live(LiveUpdate::Check(shown), &nothing);
        Ok(checks.verify(wish, &show).await?)
    })
}

/// Lays into copies of the base what must turn each guard red, as the end of a
/// run will: a guard that cannot fail is better known before.
fn try_guards(
    project: &Project,
    wish: &Verify,
    evidence: &[Evidence],
    global: &Global,
) -> Result<Vec<Control>, Failure> {
    let mut verify = wish.clone();
    for criterion in &mut verify.criteria {
        criterion
            .checks
            .retain(|check| check.role == Role::Guard && check.can_be_challenged());
    }
    if verify.checks().next().is_none() {
        return Ok(Vec::new());
    }
    let seen = ReportDigest::of(evidence);
    verify.before.clone_from(&seen);
    let wish = Challenge { verify, seen };
    visit(project, global, async |checks, progress| {
        let show = |shown: ControlProgress<'_>| progress.live(LiveUpdate::Control(shown), &|_| None);
        Ok(checks.challenge(&wish, &show).await?.controls)
    })
}

/// Lets checks be executed outside any run.
fn visit<T>(
    project: &Project,
    global: &Global,
    work: impl AsyncFnOnce(&Checks, &Progress) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let visit = project.state.visit()?;
    let foreground = Foreground::begin()?;
    let progress = Progress::looking(global);
    let done = foreground.wait(async {
        let machine = project.machine()?;
        let checks = machine.checks(visit.run(), foreground.token()).await;
        let checks = checks.map_err(|error| project.unusable(error))?;
        work(&checks, &progress).await
    });
    progress.finish();
    done
}
