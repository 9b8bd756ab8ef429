//! One file per command, in the order a newcomer meets them.

mod check;
mod demo;
mod diff;
mod doctor;
mod init;
mod log;
mod new;
mod resume;
mod run;
mod show;
mod status;
mod stop;
mod trust;
mod verify;

/// What the views of commands are made of.
pub(crate) mod views {
    pub(crate) use super::{check::Answer, doctor::Examined, show::Shown, status::Row};
}

use crate::{
    args::{Arguments, Command},
    exit::{Exit, Failure},
    project::Project,
};

/// Does what was typed.
pub(crate) fn dispatch(arguments: &Arguments) -> Result<Exit, Failure> {
    let global = &arguments.global;
    let project = || Project::find(&global.folder);
    match &arguments.command {
        Command::Demo => demo::demo(global),
        Command::DemoAgent => demo::agent(),
        Command::SandboxEntry => Ok(Exit::Usage),
        Command::Init => init::init(global),
        Command::Trust(trust) => trust::trust(&project()?, trust, global),
        Command::New(new) => new::new(&project()?, new, global),
        Command::Check(tasks) => check::check(&project()?, tasks, global),
        Command::Run(run) => run::run(&project()?, run, global),
        Command::Verify(verify) => verify::verify(&project()?, verify, global),
        Command::Status => status::status(&project()?, global),
        Command::Show(task) => show::show(&project()?, task, global),
        Command::Log(log) => log::log(&project()?, log, global),
        Command::Diff(task) => diff::diff(&project()?, task, global),
        Command::Resume(resume) => resume::resume(&project()?, resume, global),
        Command::Stop(task) => stop::stop(&project()?, task, global),
        Command::Doctor => doctor::doctor(&project()?, global),
    }
}
