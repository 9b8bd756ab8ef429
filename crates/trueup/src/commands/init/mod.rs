//! `trueup init`: find out how a repository is checked, write it down, leave a
//! first task, and try the checks. Nothing that is there is changed, but by
//! `--refresh` after a yes. Typed again it tries the checks again.

mod again;
mod baseline;
mod choice;
mod files;
mod first_task;
mod refresh;
mod repository;
mod switched_off;
mod text;

pub(crate) use baseline::BaselineResult;
pub(crate) use first_task::agent;

use crate::{
    args::{Global, SetUp},
    exit::{Exit, Failure},
    project::Project,
    render,
};
use files::write;
use std::time::Instant;
use trueup_core::event::Base;
use trueup_engine::fault::{self, Fault};
use trueup_inspect::project::Survey;

/// What was set up, for whoever renders it.
pub(crate) struct Setup {
    /// What the repository's files say.
    pub(crate) survey: Survey,
    /// The checks of trueup.toml with what each calls, in the order of their rows.
    pub(crate) checks: Vec<(String, Vec<String>)>,
    /// The tree they were read from, which is also the one that was checked.
    pub(crate) base: Base,
    /// What was written, relative to the checkout.
    pub(crate) written: Vec<String>,
    /// Whether the commands may run.
    pub(crate) trusted: bool,
    /// What each check saw, or why none was executed.
    pub(crate) baseline: Result<Vec<BaselineResult>, Failure>,
    /// The checks that were commented out again, because they are not green.
    pub(crate) switched_off: Vec<String>,
    /// The task to begin with, if one was written.
    pub(crate) first_task: Option<String>,
    /// The checks that it leaves out because they last, with how long.
    pub(crate) too_slow: Vec<(String, u64)>,
    /// How long all of it took.
    pub(crate) took_ms: u64,
}

/// The configuration's file.
const CONFIG: &str = "trueup.toml";

/// Sets up the repository round the folder.
pub(crate) fn init(arguments: &SetUp, global: &Global) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let project = Project::find(&global.folder)?;
    if project.checkout.join(CONFIG).exists() {
        return match arguments.refresh {
            true => refresh::refresh(&project, arguments, global),
            false => again::again(&project, begun, global),
        };
    }
    let found = repository::look(&project)?;
    if !global.json {
        render::found(&found.survey);
    }
    let chosen = choice::choose(&found, arguments, global)?;
    let has_tasks = !crate::task::TaskFile::all(&project)?.is_empty() || found.has_first_proof;
    let demo = if has_tasks { text::Demo::Left } else { text::Demo::Taken };
    let config = text::config(&found, &chosen, demo);
    let written = write(&project, &[(CONFIG, &config)])?;
    // From here on everything is read as it was written, as any other command will.
    let project = Project::find(&global.folder)?;
    let base = project.workspaces()?.base(&project.config.base)?;
    let commands = found.survey.commands.iter();
    let mut setup = Setup {
        checks: commands
            .map(|command| (command.name.clone(), command.words.clone()))
            .collect(),
        written,
        ..Setup::of(found.survey, base)
    };
    if !global.json {
        let commands = super::trust::commands(&project);
        render::wrote(&setup, super::trust::inside(&project), &commands);
    }
    // Before anything is tried: whoever stops that has everything all the same.
    if demo == text::Demo::Taken {
        first_task::write(&project, &mut setup)?;
    }
    setup.trusted = allow(&project, arguments, global)?;
    setup.baseline = if setup.trusted || project.config.checks.is_empty() {
        baseline::look(&project, &setup, global)
    } else {
        Err(project.untrusted())
    };
    if setup.trusted {
        setup.switched_off = switched_off::switch_off(&project, &setup, &config)?;
    }
    told(&project, setup, begun, global)
}

impl Setup {
    /// Nothing but what was found.
    const fn of(survey: Survey, base: Base) -> Self {
        Self {
            survey,
            checks: Vec::new(),
            base,
            written: Vec::new(),
            trusted: false,
            baseline: Ok(Vec::new()),
            switched_off: Vec::new(),
            first_task: None,
            too_slow: Vec::new(),
            took_ms: 0,
        }
    }
}

/// Gives the first task its guards, tells everything, and answers how it ends.
fn told(project: &Project, mut setup: Setup, begun: Instant, global: &Global) -> Result<Exit, Failure> {
    if let Err(failure) = &mut setup.baseline
        && matches!(failure.exit, Exit::Interrupted | Exit::Terminated)
    {
        failure.next.push("trueup init".into());
    }
    setup.too_slow = first_task::guard(project, &setup)?;
    setup.took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    if global.json {
        render::setup_json(&setup)?;
    } else {
        render::setup_lines(&setup);
    }
    // A red check is a fact about the repository; one that nobody could try is ours to tell.
    Ok(setup.baseline.map_or_else(|failure| failure.exit, |_| Exit::Verified))
}

/// Trusts what was just written and shown, if a person says so. A file of the
/// repository's own that lies beside it was not written now, and has to be
/// looked at first.
fn allow(project: &Project, arguments: &SetUp, global: &Global) -> Result<bool, Failure> {
    let is_all_ours = !project.checkout.join("trueup.local.toml").exists();
    let says_yes = match is_all_ours && !arguments.yes && !global.json && project.require_trust().is_err() {
        true => fault::planted(Fault::AsksNobody) || super::trust::agrees("Allow this, and try the checks now?")?,
        false => arguments.yes,
    };
    if is_all_ours && says_yes {
        project.trust()?;
    }
    Ok(project.require_trust().is_ok())
}
