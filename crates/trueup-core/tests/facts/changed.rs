//! Facts of whoever drives: an older opening is completed, a task file was
//! written anew, an agent is configured otherwise.

use crate::facts::task;
use trueup_core::{
    budget::Budget,
    criterion::Network,
    digest::Digest,
    event::{Agent, AgentChanged, BudgetFrom, Event, OpeningCompleted, TaskChanged},
    id::Timestamp,
    rule::Levels,
    settings::{AgentKind, AgentSettings, Settings},
    turn::Permission,
};

/// A person writes the task file anew, with this text and these turns.
pub(crate) fn task_changed(text: &str, turns: u32) -> Event {
    let task = task();
    Event::TaskChanged(Box::new(TaskChanged {
        title: task.title,
        text: text.into(),
        priority: None,
        needs: Vec::new(),
        budget: Budget {
            turns: Some(turns),
            ..task.budget
        },
        budget_from: BudgetFrom::Now,
        allow: task.allow,
        file: Digest::of(b"the task file, changed"),
        at: Timestamp(6),
    }))
}

/// The configuration of a run, as an opening of today has it.
pub(crate) fn settings() -> Settings {
    Settings {
        agent: AgentSettings {
            kind: AgentKind::Command,
            command: vec!["scripted".into()],
            model: None,
            env: Default::default(),
            pass_env: Vec::new(),
            secret_env: Vec::new(),
            read: Vec::new(),
            write: Vec::new(),
            reach: Vec::new(),
            registries: Vec::new(),
        },
        prompts: Default::default(),
        tasks: "tasks".into(),
        read: Vec::new(),
        levels: Levels::default(),
        packs: Default::default(),
        sockets: Vec::new(),
        rules: task().rules(),
    }
}

pub(crate) fn opening_completed() -> Event {
    Event::OpeningCompleted(Box::new(OpeningCompleted {
        settings: settings(),
        at: Timestamp(6),
    }))
}

/// A person has the run go on with this agent, called by this command.
pub(crate) fn agent_changed(name: &str, command: &str) -> Event {
    let kind = AgentKind::Command;
    Event::AgentChanged(Box::new(AgentChanged {
        agent: Agent {
            name: name.into(),
            meter: kind.meter(),
            network: Network::Off,
            permission: Permission::Everything,
        },
        settings: AgentSettings {
            command: vec![command.into()],
            ..settings().agent
        },
        at: Timestamp(6),
    }))
}
