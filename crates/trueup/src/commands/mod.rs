//! One file per command, in the order a newcomer meets them.

mod agent;
mod answer;
mod approve;
mod bundle;
mod check;
mod completions;
mod config;
mod demo;
mod diff;
mod doctor;
mod draft;
mod gc;
mod inbox;
mod init;
mod log;
mod man;
mod new;
mod page;
pub(crate) mod printed;
mod queue;
mod resume;
mod rules;
mod run;
mod schema;
mod show;
mod stats;
mod status;
mod stop;
mod trust;
mod up;
mod verify;

/// What the views of commands are made of.
pub(crate) mod views {
    pub(crate) use super::{
        agent::AgentTrial,
        approve::{Item, Question},
        check::{RedCheck, TaskCheck},
        doctor::Examined,
        gc::GcReport,
        init::{BaselineResult, Setup},
        page::{RunPage, TurnView},
        show::RunView,
        stats::Totals,
        status::{Listed, Listing, Row},
    };
}

use crate::{
    args::{Arguments, Command, DemoTask},
    exit::{Exit, Failure},
    project::Project,
};
use trueup_engine::driver::Decision;

/// Does what was typed.
pub(crate) fn dispatch(arguments: &Arguments) -> Result<Exit, Failure> {
    let global = &arguments.global;
    let project = || Project::find(&global.folder);
    let anywhere = || Project::find_or_nowhere(&global.folder);
    match &arguments.command {
        Command::Demo => demo::demo(global),
        Command::DemoAgent(agent) => match agent.task {
            DemoTask::Greeting => demo::agent(),
            DemoTask::FirstProof => init::agent(),
        },
        Command::SandboxEntry => Ok(Exit::Usage),
        Command::Init(init) => init::init(init, global),
        Command::Trust(trust) => trust::trust(&project()?, trust, global),
        Command::New(new) => new::new(&project()?, new, global),
        Command::Check(tasks) => check::check(&project()?, tasks, global),
        Command::Run(run) => run::run(&project()?, run, global),
        Command::Queue(queue) => queue::queue(&project()?, queue, global),
        Command::Up(up) => up::up(up, global),
        Command::Verify(verify) => verify::verify(&project()?, verify, global),
        Command::Status(status) => status::status(&project()?, status, global),
        Command::Inbox => inbox::inbox(global),
        Command::Show(show) => match &show.html {
            Some(place) => page::page(&project()?, show, place, global),
            None => show::show(&project()?, show, global),
        },
        Command::Log(log) => log::log(&project()?, log, global),
        Command::Diff(task) => diff::diff(&project()?, task, global),
        Command::Resume(resume) => resume::resume(&project()?, resume, global),
        Command::Approve(approve) => approve::approve(&project()?, approve, global),
        Command::Reject(reject) => {
            let word = Decision::Reject(reject.why.clone());
            answer::answer(&project()?, &reject.task, word, global)
        }
        Command::Answer(message) => {
            let words = Decision::Tell(message.message.clone());
            answer::answer(&project()?, &message.task, words, global)
        }
        Command::Waive(message) => {
            let why = Decision::Waive(message.message.clone());
            answer::answer(&project()?, &message.task, why, global)
        }
        Command::Stop(task) => stop::stop(&project()?, task, global),
        Command::Gc(gc) => gc::gc(&project()?, gc, global),
        Command::Stats => stats::stats(&project()?, global),
        Command::Doctor(doctor) => doctor::doctor(&anywhere()?, doctor, global),
        Command::Agent(agent) => agent::agent(&anywhere()?, agent, global),
        Command::Config(config) => config::config(config, global),
        Command::Rules(rules) => rules::rules(rules, global),
        Command::Schema(schema) => schema::schema(schema),
        Command::Completions(completions) => completions::completions(completions),
        Command::Man(man) => man::man(man, global),
    }
}
