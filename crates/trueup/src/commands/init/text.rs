//! The text of a new `trueup.toml`: what was found, each with its place, and
//! what is not sure, as comments.

use super::{choice::Choice, first_task, repository::Repository};
use std::fmt::Write;
use trueup_engine::agent::spec::AgentKind;
use trueup_inspect::{
    argv,
    project::{Command, Doubt, Preparation},
};

/// Whether the agent that comes with trueup is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Demo {
    /// It is, with a task it knows.
    Taken,
    /// There are tasks already.
    Left,
}

/// The whole file.
pub(super) fn config(found: &Repository, choice: &Choice, demo: Demo) -> String {
    let mut text = String::from(HEAD);
    let base = quoted(&choice.base);
    let why = match (&found.default_branch, choice.base.as_str()) {
        (Some(default), "HEAD") => format!("what is checked out; `{default}` is the branch others start from"),
        (None, "HEAD") => "what is checked out".into(),
        (_, _) => "the branch others start from".into(),
    };
    push(
        &mut text,
        format_args!("\n[project]\nbase = {base}    # tasks start from here: {why}\n"),
    );
    agents(&mut text, found, choice, demo);
    preparations(&mut text, found);
    checks(&mut text, found);
    doubts(&mut text, &found.survey.doubts);
    text
}

const HEAD: &str = "\
# How trueup works in this repository. `trueup init` wrote it from what it found here; change
# whatever you like, then type `trueup trust`. `trueup config show --origin` tells what is in force.
version = 1
";

fn agents(text: &mut String, found: &Repository, choice: &Choice, demo: Demo) {
    text.push_str("\n[agent]\n");
    match (choice.agent, found.agents.first()) {
        (Some(name), _) => push(
            text,
            format_args!(
                "default = {}    # works on every task that names nobody\n",
                quoted(name)
            ),
        ),
        (None, Some(name)) => push(
            text,
            format_args!(
                "# default = {}    # works on every task that names nobody\n",
                quoted(name)
            ),
        ),
        (None, None) => text.push_str("# default = \"mine\"    # works on every task that names nobody\n"),
    }
    if demo == Demo::Taken {
        push(
            text,
            format_args!(
                "\n# The agent that comes with trueup. It knows one task, {}, and costs nothing: it shows a whole\n\
                 # run in your own repository. Remove both when you have seen it.\n\
                 [agent.demo]\nkind = \"command\"\ncommand = [\"trueup\", \"demo-agent\", \"first-proof\"]\nnetwork = false\n",
                first_task::ID
            ),
        );
    }
    for name in &found.agents {
        let mark = if choice.agent == Some(name) { "" } else { "# " };
        push(
            text,
            format_args!("\n# Found on your PATH. It works without asking, but only inside trueup's sandbox.\n"),
        );
        for line in agent(name) {
            push(text, format_args!("{mark}{line}\n"));
        }
    }
    if found.agents.is_empty() {
        text.push_str("\n# Any executable: the prompt comes on standard input, its working folder is the clone.\n");
        for line in ["[agent.mine]", "kind = \"command\"", "command = [\"./agent.sh\"]"] {
            push(text, format_args!("# {line}\n"));
        }
    }
}

fn agent(name: &str) -> Vec<String> {
    let (kind, variable, folder) = match name {
        "codex" => (AgentKind::Codex, "OPENAI_API_KEY", ".codex"),
        _ => (AgentKind::ClaudeCode, "ANTHROPIC_API_KEY", ".claude"),
    };
    vec![
        format!("[agent.{name}]"),
        format!(
            "kind = \"{}\"    # `trueup agent test {name}` says whether it answers",
            kind.word()
        ),
        format!("pass_env = [\"{variable}\"]    # where it is not set, what lies in ~/{folder} signs in"),
    ]
}

fn preparations(text: &mut String, found: &Repository) {
    if found.survey.preparations.is_empty() {
        return;
    }
    text.push_str("\n# Laid ready before agents and checks; run once for each content of `key`, with network.\n");
    for (at, preparation) in found.survey.preparations.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        self::preparation(text, preparation, &found.network);
    }
}

/// A table of a preparation.
pub(super) fn preparation(text: &mut String, preparation: &Preparation, network: &[(&str, &str)]) {
    let Preparation {
        name, words, key, keep, ..
    } = preparation;
    push(text, format_args!("[prepare.{name}]    # {}\n", preparation.origin));
    push(text, format_args!("run = {}\n", quoted(&argv::line(words))));
    push(text, format_args!("key = {}\n", list(key)));
    push(text, format_args!("keep = {}\n", list(keep)));
    if !preparation.env.is_empty() {
        let pairs = preparation
            .env
            .iter()
            .map(|(name, value)| format!("{name} = {}", quoted(value)));
        push(
            text,
            format_args!("env = {{ {} }}\n", pairs.collect::<Vec<_>>().join(", ")),
        );
    }
    let heeded = network.iter().filter(|(kind, _)| name.ends_with(kind));
    let heeded: Vec<String> = heeded.map(|(_, variable)| (*variable).to_owned()).collect();
    if !heeded.is_empty() {
        push(
            text,
            format_args!("pass_env = {}    # set on this machine\n", list(&heeded)),
        );
    }
}

fn checks(text: &mut String, found: &Repository) {
    if found.survey.commands.is_empty() {
        text.push_str(
            "\n# No check was found. Name one here, then write `- verify: test` in a task.\n\
             # [checks.test]\n# run = \"sh tests/all.sh\"\n# timeout = \"10m\"\n",
        );
        return;
    }
    text.push_str("\n# Checks, for `- verify: NAME` and `- guard: NAME` in tasks.\n");
    for (at, command) in found.survey.commands.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for line in check(command, &command.origin) {
            push(text, format_args!("{line}\n"));
        }
    }
}

/// The lines of a check's table.
pub(super) fn check(command: &Command, comment: &str) -> Vec<String> {
    let (words, parse) = command.reported();
    let mut lines = vec![
        format!("[checks.{}]    # {comment}", command.name),
        format!("run = {}", quoted(&argv::line(&words))),
    ];
    if let Some(parse) = parse {
        lines.push(format!(
            "parse = \"{parse}\"    # what became of each test, not of all together"
        ));
    }
    if !command.cache.is_empty() {
        lines.push(format!("cache = {}", list(&command.cache)));
    }
    lines
}

fn doubts(text: &mut String, doubts: &[Doubt]) {
    if doubts.is_empty() {
        return;
    }
    text.push_str("\n# Not sure, so not switched on:\n");
    for doubt in doubts {
        match &doubt.command {
            Some(command) => {
                text.push_str("#\n");
                for line in check(command, &format!("{}: {}", doubt.origin, doubt.what)) {
                    push(text, format_args!("# {line}\n"));
                }
            }
            None => push(text, format_args!("# {} {}\n", doubt.origin, doubt.what)),
        }
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    text.write_fmt(line).unwrap_or_default();
}

/// A TOML string: what JSON escapes, TOML reads alike.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}
