//! A command that drives a run in the foreground: it hears who asks it to
//! stop, and shows what happens.

use crate::{
    args::Global,
    commands::printed::telling,
    exit::{Exit, Failure},
    project::Project,
    render::{self, progress::Progress},
};
use std::sync::{Arc, Mutex, OnceLock};
use tokio::runtime::{Builder, Runtime};
use trueup_core::{
    difference::Difference,
    event::{Event, Shortage, TurnEnded},
    id::{RunId, TreeId},
    run::Run,
};
use trueup_engine::{
    driver::{Driver, Rested, Resume, Stopping, Watcher},
    local::LiveUpdate,
    stop::StopToken,
    travel::Blobs,
    workspace::{Change, Workspaces},
};

/// A process that can be asked to stop.
pub(crate) struct Foreground {
    runtime: Runtime,
    stopping: Stopping,
}

/// What a person sees of a run.
struct Screen {
    global: Global,
    progress: OnceLock<Progress>,
    workspaces: Workspaces,
    blobs: Arc<dyn Blobs>,
    /// The tree that the next turn starts from.
    from: Mutex<Option<TreeId>>,
}

impl Foreground {
    /// Begins to hear signals. The first asks the run to stop; a second at the
    /// keyboard ends this process at once.
    pub(crate) fn begin() -> Result<Self, Failure> {
        let runtime = runtime()?;
        let stopping = Stopping::default();
        let at_once = || std::process::exit(i32::from(Exit::Interrupted.code()));
        runtime.block_on(async { stopping.hear_signals(at_once) })?;
        Ok(Self { runtime, stopping })
    }

    /// Says when somebody asked.
    pub(crate) fn token(&self) -> StopToken {
        self.stopping.token()
    }

    /// Waits for something, and hears signals meanwhile.
    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Opens a run.
    pub(crate) fn open(&self, project: &Project, run: &RunId, opening: &Event, global: &Global) -> Result<(), Failure> {
        let (desk, machine) = (project.desk()?, project.machine()?);
        let driver = Driver::new(&desk, &machine, &self.stopping);
        self.wait(driver.open(run, opening, &Screen::of(project, global)?))
            .map_err(|error| project.not_driven(run, error))
    }

    /// Drives a run until it rests.
    pub(crate) fn drive(
        &self,
        project: &Project,
        run: &RunId,
        resume: &Resume,
        global: &Global,
    ) -> Result<Rested, Failure> {
        let (desk, machine) = (project.desk()?, project.machine()?);
        let driver = Driver::new(&desk, &machine, &self.stopping);
        let screen: Arc<dyn Watcher> = Arc::new(Screen::of(project, global)?);
        self.wait(driver.carry(run, resume, &screen))
            .map_err(|error| project.not_driven(run, error))
    }

    /// Fails if somebody asked already. For the last moment before a run is
    /// opened: there is nothing to resume yet, so `again` is what to type.
    pub(crate) fn refuse_if_asked(&self, again: &str) -> Result<(), Failure> {
        let Some(by) = self.token().raised() else { return Ok(()) };
        Err(Failure::stopped(by, "stopped before the run was opened; nothing was begun").next(again))
    }
}

/// A runtime whose worker hears signals while this thread is busy.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    Ok(Builder::new_multi_thread().worker_threads(1).enable_all().build()?)
}

/// Waits for something that no signal has to interrupt.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    Ok(Builder::new_current_thread().enable_all().build()?.block_on(future))
}

impl Screen {
    fn of(project: &Project, global: &Global) -> Result<Self, Failure> {
        Ok(Self {
            global: global.clone(),
            progress: OnceLock::new(),
            workspaces: project.workspaces()?,
            blobs: project.blobs(),
            from: Mutex::default(),
        })
    }

    /// What a turn changed, where a person looks on.
    fn changed_by(&self, ended: &TurnEnded) -> Vec<Change> {
        let tree = &ended.outcome.tree;
        let from = self.from.lock().ok().and_then(|mut from| from.replace(tree.clone()));
        let is_watched = self.progress.get().is_some_and(Progress::is_watched);
        let changed = from.filter(|from| is_watched && from != tree);
        // It is shown or not; the run rests on none of it.
        changed
            .and_then(|from| self.workspaces.changes(&from, tree).ok())
            .unwrap_or_default()
    }
}

impl Watcher for Screen {
    fn begins(&self, run: &Run) {
        let known = usize::try_from(run.length()).unwrap_or(usize::MAX);
        self.progress.get_or_init(|| Progress::new(&self.global, run, known));
        let tree = run.checked().map_or(&run.opening().base.tree, |(tree, _)| tree);
        if let Ok(mut from) = self.from.lock() {
            *from = Some(tree.clone());
        }
    }

    fn task_changed(&self, differences: &[Difference]) {
        render::note(&format!(
            "the task file was changed, and the run goes on by it:{}",
            render::differences(differences)
        ));
    }

    fn agent_changed(&self, differences: &[Difference]) {
        render::note(&format!(
            "the run goes on with the agent as it is configured now:{}",
            render::differences(differences)
        ));
    }

    fn agent_left(&self, run: &Run, differences: &[Difference]) {
        let opening = run.opening();
        let (agent, task) = (&opening.agent.name, &opening.task.id);
        render::note(&format!(
            "the agent `{agent}` is configured differently now, and the run keeps what it was opened with; \
             to go on with the new configuration, type `trueup resume {task} --agent {agent}`:{}",
            render::differences(differences)
        ));
    }

    fn event(&self, run: &Run, event: &Event) {
        if let Some(progress) = self.progress.get() {
            let changed = event.as_turn_ended().map(|ended| self.changed_by(ended));
            progress.event(run, event, changed.unwrap_or_default());
        }
    }

    fn live(&self, happening: LiveUpdate<'_>) {
        if let Some(progress) = self.progress.get() {
            progress.live(happening, &|evidence| telling(&*self.blobs, evidence));
        }
    }

    fn waits_for_space(&self, shortage: &Shortage) {
        render::waits_for_space(shortage);
    }

    fn ends(&self) {
        if let Some(progress) = self.progress.get() {
            progress.finish();
        }
    }
}
