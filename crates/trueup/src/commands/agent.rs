//! `trueup agent`: which agents are here, and whether one answers.

use crate::{
    agent_probe,
    args::{Agent, AgentTest, Global},
    exit::{Exit, Failure},
    foreground::Foreground,
    project::Project,
    render,
};
use trueup_core::ending::Ending;
use trueup_engine::agent::{
    question::{self, Question, WITHIN},
    spec::{AgentKind, AgentSpec},
};

/// What came of asking an agent.
pub(crate) struct AgentTrial {
    /// Its name.
    pub(crate) name: String,
    /// How it is spoken to.
    pub(crate) kind: AgentKind,
    /// How it ended.
    pub(crate) ending: Ending,
    /// Its version, as it says.
    pub(crate) version: Option<String>,
    /// The model it asked, as it says.
    pub(crate) model: Option<String>,
    /// What it said.
    pub(crate) said: String,
    /// How long it took.
    pub(crate) took_ms: u64,
    /// What a person can do about it.
    pub(crate) advice: Vec<Advice>,
}

/// What a person can do, and what to type for it.
pub(crate) struct Advice {
    /// In a sentence.
    pub(crate) what: String,
    /// The command, where there is one.
    pub(crate) command: Option<String>,
}

impl AgentTrial {
    /// Whether it answered.
    pub(crate) const fn answered(&self) -> bool {
        matches!(self.ending, Ending::Finished | Ending::Exited { code: 0 })
    }
}

/// Lists agents, or tries one.
pub(crate) fn agent(project: &Project, agent: &Agent, global: &Global) -> Result<Exit, Failure> {
    match agent {
        Agent::List => list(project, global),
        Agent::Test(test) => try_one(project, test, global),
    }
}

fn list(project: &Project, global: &Global) -> Result<Exit, Failure> {
    let found = agent_probe::all(project)?;
    if global.json {
        render::agents_json(&found)?;
    } else {
        render::agents_lines(&found, |key, value| project.config_set(key, value));
    }
    Ok(Exit::Verified)
}

fn try_one(project: &Project, test: &AgentTest, global: &Global) -> Result<Exit, Failure> {
    let name = test.name.as_ref().or(project.config.default_agent.as_ref());
    let name = name.ok_or_else(|| {
        let what = "no agent was named, and no default agent is set";
        Failure::new(Exit::Usage, what).next("trueup agent list")
    })?;
    let Some(config) = project.config.agents.get(name) else {
        return Err(unknown(project, name));
    };
    project.require_trust()?;
    let tried = match config.program(&project.setup(project.config.mode)?) {
        Err(why) => missing(name, config, why),
        Ok(_) => call(project, name, config, global)?,
    };
    if global.json {
        render::tried_json(&tried)?;
    } else {
        render::tried_lines(&tried);
    }
    Ok(match tried.answered() {
        true => Exit::Verified,
        false => Exit::AgentUnusable,
    })
}

/// There is no such agent; one that could be configured is told how.
fn unknown(project: &Project, name: &str) -> Failure {
    let kinds = [AgentKind::ClaudeCode, AgentKind::Codex].into_iter();
    let known = kinds
        .filter(|kind| kind.program() == Some(name))
        .map(AgentKind::word)
        .next();
    let failure = Failure::new(
        Exit::AgentUnusable,
        format!("there is no agent `{name}` in the configuration"),
    );
    let near = trueup_inspect::nearest::nearest(name, project.config.agents.keys().map(String::as_str));
    match (known, near) {
        (Some(kind), _) => failure.next(project.config_set(&format!("agent.{name}.kind"), kind)),
        (None, Some(near)) => failure.next(format!("trueup agent test {near}")),
        (None, None) => failure.next("trueup agent list"),
    }
}

fn missing(name: &str, config: &AgentSpec, why: String) -> AgentTrial {
    let ending = Ending::Unusable { why };
    let advice = match config.kind {
        AgentKind::ClaudeCode => vec![typed("Install it:", "npm install -g @anthropic-ai/claude-code")],
        AgentKind::Codex => vec![typed("Install it:", "npm install -g @openai/codex")],
        AgentKind::Command => vec![told(&format!(
            "Name a program that exists in `[agent.{name}] command`."
        ))],
    };
    AgentTrial {
        name: name.to_owned(),
        kind: config.kind,
        ending,
        version: None,
        model: None,
        said: String::new(),
        took_ms: 0,
        advice,
    }
}

/// Asks the agent, behind the wall, in a folder that is thrown away.
fn call(project: &Project, name: &str, config: &AgentSpec, global: &Global) -> Result<AgentTrial, Failure> {
    let agent = project
        .machine()?
        .agent(name)
        .map_err(|error| project.unusable(error))?;
    let sandbox = project.sandbox()?;
    let question = Question::to(config, &project.state, project.config.patience)?;
    if !global.json {
        render::note(&format!("Asking {name}, for at most {} seconds …", WITHIN.as_secs()));
    }
    let foreground = Foreground::begin()?;
    let (answer, model) = foreground.wait(question.ask(&agent, &sandbox, &foreground.token()));
    let ending = answer.ending.clone();
    let what = "stopped before the agent answered; nothing is left of it";
    let ending = ending.map_err(|by| Failure::stopped(by, what))?;
    Ok(AgentTrial {
        name: name.to_owned(),
        kind: config.kind,
        advice: advice(name, config, &ending),
        ending,
        version: answer.version.clone(),
        model: model.or_else(|| config.model.clone()),
        said: question::said(config.kind, &answer),
        took_ms: answer.took_ms(),
    })
}

fn told(what: &str) -> Advice {
    Advice {
        what: what.to_owned(),
        command: None,
    }
}

fn typed(what: &str, command: &str) -> Advice {
    Advice {
        what: what.to_owned(),
        command: Some(command.to_owned()),
    }
}

/// What a person can do about each way to end.
fn advice(name: &str, config: &AgentSpec, ending: &Ending) -> Vec<Advice> {
    match ending {
        Ending::Finished | Ending::Exited { code: 0 } => Vec::new(),
        Ending::NotSignedIn { .. } => sign_in(name, config.kind),
        Ending::Limited { until: Some(until), .. } => {
            let moment = render::moment(*until);
            vec![told(&format!(
                "It answers again from {moment} on. A run waits for that by itself."
            ))]
        }
        Ending::Limited { until: None, .. } => {
            vec![told(
                "Its provider does not say when that ends. A run asks again by itself.",
            )]
        }
        Ending::Unreachable { .. } | Ending::Hung { .. } => vec![told(
            "Its provider could not be reached, or is overloaded. Look at the network, at `[agent.NAME] network` \
             and at a proxy or gateway in `env`; a run asks again by itself.",
        )],
        Ending::Refused { .. } | Ending::Blocked { .. } | Ending::ContextFull { .. } => {
            vec![told(
                "It is there and signed in; its model did not want this question. Ask again, or name another model.",
            )]
        }
        Ending::Overran { .. } => vec![told(
            "It took more of this machine than it may; your own configuration can allow more, under `[limits]`.",
        )],
        Ending::Unusable { .. } | Ending::Exited { .. } | Ending::Broken { .. } | Ending::Killed { .. } => vec![
            told(
                "Its arguments, its model's name or what its sandbox shows may be wrong: see `command`, `model` and `read`.",
            ),
            typed("What is configured:", "trueup config show --origin"),
        ],
        Ending::TimedOut | Ending::Silent { .. } | Ending::Interrupted | Ending::Spent(_) => {
            vec![typed(
                "It said nothing in time. Once more:",
                &format!("trueup agent test {name}"),
            )]
        }
    }
}

fn sign_in(name: &str, kind: AgentKind) -> Vec<Advice> {
    let (command, what, variable) = match kind {
        AgentKind::ClaudeCode => ("claude", "Sign in, by `/login` inside:", "ANTHROPIC_API_KEY"),
        AgentKind::Codex => ("codex login", "Sign in:", "OPENAI_API_KEY"),
        AgentKind::Command => return vec![told("Sign in as its own manual says.")],
    };
    let pass = format!("trueup config set agent.{name}.pass_env '[\"{variable}\"]'");
    vec![
        typed(what, command),
        typed(&format!("Or let your own {variable} through:"), &pass),
    ]
}
