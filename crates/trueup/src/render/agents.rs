//! What is seen of agents, and what came of asking one.

use super::{json, line, next, note, words};
use crate::{
    agent_probe::{Found, Registration},
    commands::views::AgentTrial,
    exit::Failure,
};
use owo_colors::OwoColorize;
use serde_json::{Value, json as object};
use trueup_engine::agent::probe::{AgentProbe, SignInSource};

/// How much of an answer is shown.
const SHOWN: usize = 200;

/// What `agent list` prints; `set` is the command that sets a key here.
pub(crate) fn agents_lines(found: &Found, set: impl Fn(&str, &str) -> String) {
    if found.is_empty() {
        line("No agent is configured, and neither `claude` nor `codex` is on the PATH.");
        note("Install one, and look again:");
        next(&["npm install -g @anthropic-ai/claude-code", "trueup agent list"]);
        return;
    }
    for (agent, registration) in found {
        let mark = match agent.program {
            Ok(_) => "✓".green().to_string(),
            Err(_) => "✗".red().to_string(),
        };
        let registration = match registration {
            Registration::Default => " · default",
            Registration::Configured => "",
            Registration::Unconfigured => " · not configured",
        };
        line(&format!(
            "{mark} {:<12} {:<11} {}{registration}",
            words::harmless(&agent.name),
            agent.kind.word(),
            look_words(agent)
        ));
    }
    let unconfigured = found
        .iter()
        .filter(|(_, registration)| *registration == Registration::Unconfigured);
    let commands = unconfigured.map(|(agent, _)| {
        let AgentProbe { name, kind, .. } = agent;
        set(&format!("agent.{name}.kind"), kind.word())
    });
    let commands: Vec<String> = commands.collect();
    if !commands.is_empty() {
        note("To configure what is here and is not yet:");
        next(&commands.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// What is seen of an agent, in one line.
pub(crate) fn look_words(agent: &AgentProbe) -> String {
    let program = match &agent.program {
        Ok(program) => words::harmless(&program.display().to_string()),
        Err(why) => return words::harmless(why),
    };
    let mut parts = vec![program];
    match (&agent.version, &agent.sign_in) {
        (Ok(version), _) => parts.push(words::harmless(version)),
        (Err(_), SignInSource::ItsOwn) => {}
        (Err(why), _) => parts.push(format!("version unknown: {}", words::harmless(why))),
    }
    parts.extend(
        agent
            .model
            .as_ref()
            .map(|model| format!("model {}", words::harmless(model))),
    );
    match &agent.sign_in {
        SignInSource::Variable(name) => parts.push(format!("signs in by {name}")),
        SignInSource::File(file) => parts.push(format!("signs in by {}", words::harmless(file))),
        SignInSource::Nothing => parts.push("no sign-in found".to_owned()),
        SignInSource::ItsOwn => {}
    }
    parts.join(" · ")
}

/// What `agent list --json` prints.
pub(crate) fn agents_json(found: &Found) -> Result<(), Failure> {
    let all = found.iter().map(|(agent, registration)| {
        object!({
            "name": agent.name,
            "kind": agent.kind.word(),
            "configured": *registration != Registration::Unconfigured,
            "default": *registration == Registration::Default,
            "program": agent.program.as_ref().ok(),
            "version": agent.version.as_ref().ok(),
            "model": agent.model,
            "sign_in": sign_in(&agent.sign_in),
            "error": agent.program.as_ref().err(),
        })
    });
    json(&object!({ "v": 1, "agents": all.collect::<Vec<_>>() }))
}

fn sign_in(sign_in: &SignInSource) -> Value {
    match sign_in {
        SignInSource::Variable(name) => object!({ "by": "variable", "name": name }),
        SignInSource::File(file) => object!({ "by": "file", "file": file }),
        SignInSource::Nothing => object!({ "by": "nothing" }),
        SignInSource::ItsOwn => Value::Null,
    }
}

/// What `agent test` prints.
pub(crate) fn tried_lines(tried: &AgentTrial) {
    let took = words::took(tried.took_ms);
    let (mark, how) = match tried.answered() {
        true => ("✓".green().to_string(), format!("answered after {took}")),
        false => ("✗".red().to_string(), words::ending(&tried.ending)),
    };
    line(&format!("{mark} {:<12} {how}", words::harmless(&tried.name)));
    let row = |name: &str, text: &str| line(&format!("  {name:<12} {}", words::harmless(text)));
    row("kind", tried.kind.word());
    for (name, text) in [("version", &tried.version), ("model", &tried.model)] {
        if let Some(text) = text {
            row(name, text);
        }
    }
    if !tried.said.is_empty() {
        row("said", &cut(&tried.said));
    }
    for advice in &tried.advice {
        note(&words::harmless(&advice.what));
        next(&advice.command.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// An answer on one line, cut where it is long.
fn cut(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} …", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// What `agent test --json` prints.
pub(crate) fn tried_json(tried: &AgentTrial) -> Result<(), Failure> {
    let advice = tried.advice.iter();
    json(&object!({
        "v": 1,
        "agent": tried.name,
        "kind": tried.kind.word(),
        "answered": tried.answered(),
        "ending": tried.ending,
        "version": tried.version,
        "model": tried.model,
        "said": tried.said,
        "took_ms": tried.took_ms,
        "advice": advice.clone().map(|advice| &advice.what).collect::<Vec<_>>(),
        "next": advice.filter_map(|advice| advice.command.as_ref()).collect::<Vec<_>>(),
    }))
}
