//! `trueup init`: find out how a repository is checked, write it down, try it
//! once, and leave a first task. Nothing that is there is changed, but by
//! `--refresh` after a yes.

mod baseline;
mod choice;
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
use std::{fs, io::Write, path::Path, time::Instant};
use trueup_core::event::Base;
use trueup_engine::fault::{self, Fault};
use trueup_inspect::project::Survey;

/// What was set up, for whoever renders it.
pub(crate) struct Setup {
    /// What the repository's files say.
    pub(crate) survey: Survey,
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
        if arguments.refresh {
            return refresh::refresh(&project, arguments, global);
        }
        return again(&project, global);
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
    let mut setup = Setup {
        trusted: false,
        survey: found.survey,
        base,
        written,
        baseline: Ok(Vec::new()),
        switched_off: Vec::new(),
        first_task: None,
        took_ms: 0,
    };
    if !global.json {
        let commands = super::trust::commands(&project);
        render::wrote(&setup, super::trust::inside(&project), &commands);
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
    if demo == text::Demo::Taken {
        let green = setup.baseline.as_deref().unwrap_or_default();
        let task = first_task::text(green, &setup.survey);
        let name = format!("{}/{}.md", project.config.tasks, first_task::ID);
        setup.written.extend(write(&project, &[(&name, &task)])?);
        setup.first_task = Some(first_task::ID.into());
    }
    setup.took_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    if global.json {
        render::setup_json(&setup)?;
    } else {
        render::setup_lines(&setup);
    }
    // A red check is a fact about the repository; one that nobody could try is ours to tell.
    Ok(setup.baseline.map_or_else(|failure| failure.exit, |_| Exit::Verified))
}

/// A repository that was set up before.
fn again(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let written = write(project, &[])?;
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "written": written }))?;
    } else if written.is_empty() {
        render::line("Nothing to write: trueup.toml and the tasks folder are there already.");
        render::next(&["trueup init --refresh", "trueup check", "trueup doctor"]);
    } else {
        render::line(&format!(
            "Wrote {}; trueup.toml was there already.",
            written.join(" and ")
        ));
        render::next(&["trueup new \"What shall be done\"", "trueup doctor"]);
    }
    Ok(Exit::Verified)
}

/// Writes these files and the tasks folder's own, none over one that is there.
/// Answers which were written.
fn write(project: &Project, files: &[(&str, &str)]) -> Result<Vec<String>, Failure> {
    fs::create_dir_all(project.tasks_folder())?;
    let ignore = format!("{}/.gitignore", project.config.tasks);
    let mut written = Vec::new();
    for (name, text) in files.iter().copied().chain([(ignore.as_str(), "hidden/\n")]) {
        if write_new(&project.checkout.join(name), text)? {
            written.push(name.to_owned());
        }
    }
    Ok(written)
}

/// Writes a file unless something is there; says whether it did.
fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    match fs::File::create_new(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes())?;
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.into()),
    }
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
