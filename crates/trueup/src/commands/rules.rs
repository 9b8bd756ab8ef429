//! `trueup rules`: what sorts the things that a person is asked about.

use crate::{
    args::{Explained, Global, Rules, RulesCommand},
    config::Config,
    exit::{Exit, Failure},
    project::{Project, environment, user_layer},
    render,
};
use serde_json::{Value, json};
use trueup_core::rule::{Level, Levels, RuleId};
use trueup_engine::workspace::paths_of;
use trueup_inspect::{
    nearest,
    rules::{Example, Rule},
};

/// Lists all rules, or explains one.
pub(crate) fn rules(rules: &Rules, global: &Global) -> Result<Exit, Failure> {
    let config = config(global)?;
    match &rules.what {
        None => list(&config, global),
        Some(RulesCommand::Explain(explained)) => explain(explained, &config, global),
    }
}

/// What is in force here: outside a repository, what the person configured.
fn config(global: &Global) -> Result<Config, Failure> {
    match paths_of(&global.folder) {
        Ok(_) => Ok(Project::find(&global.folder)?.config),
        Err(_) => Config::of_person(user_layer(&environment()).as_deref()),
    }
}

fn list(config: &Config, global: &Global) -> Result<Exit, Failure> {
    let levels = &config.levels;
    let all: Vec<&Rule> = config.rules.rules().collect();
    if global.json {
        let rules: Vec<Value> = all.iter().map(|rule| document(rule, levels)).collect();
        render::json(&json!({ "v": 1, "rules": rules }))?;
        return Ok(Exit::Verified);
    }
    let width = all.iter().map(|rule| rule.id.as_str().len()).max().unwrap_or_default();
    for rule in &all {
        let level = levels.of(&rule.id, rule.level).word();
        let file = rule.file.iter().map(|file| format!(" ({file})"));
        let line = format!(
            "{:<width$}  {level:<4}  {}{}",
            rule.id.as_str(),
            rule.message,
            file.collect::<String>()
        );
        render::line(&render::harmless(&line));
    }
    let asked = all
        .iter()
        .filter(|rule| levels.of(&rule.id, rule.level).is_ask())
        .count();
    render::line("");
    let count = all.len();
    let share = match count - asked {
        0 => "You are asked about what breaks any of them.".to_owned(),
        _ => format!("You are asked about what breaks {asked} of them; the others write a note beside the diff."),
    };
    render::line(&format!("{count} rules. {share}"));
    render::line("What one is about, and how to switch it: trueup rules explain ID");
    Ok(Exit::Verified)
}

fn explain(explained: &Explained, config: &Config, global: &Global) -> Result<Exit, Failure> {
    let levels = &config.levels;
    let found = RuleId::of(&explained.id).and_then(|id| config.rules.find(&id));
    let Some(rule) = found else {
        let ids = config.rules.rules().map(|rule| rule.id.as_str());
        let meant = match nearest::nearest(&explained.id, ids) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let what = format!("there is no rule `{}`{meant}", explained.id);
        return Err(Failure::new(Exit::Usage, what).next("trueup rules"));
    };
    if global.json {
        render::json(&json!({ "v": 1, "rule": document(rule, levels) }))?;
        return Ok(Exit::Verified);
    }
    let level = levels.of(&rule.id, rule.level);
    render::line(&render::harmless(&format!("{}: {}", rule.id, rule.message)));
    render::line("");
    render::line(&render::harmless_lines(rule.why.trim_end()));
    if let Some(file) = &rule.file {
        render::line("");
        render::line(&render::harmless(&format!("A rule of {file}.")));
    }
    for (title, examples) in [("Breaks it:", &rule.bad), ("Does not:", &rule.good)] {
        render::line("");
        render::line(title);
        for example in examples {
            for line in shown(example, rule) {
                render::line(&format!("  {}", render::harmless(&line)));
            }
        }
    }
    render::line("");
    render::line(becomes(level));
    let other = match level {
        Level::Ask => "note",
        Level::Note => "ask",
    };
    render::line(&format!(
        "To have it otherwise, in trueup.toml:  [rules] \"{}\" = \"{other}\"",
        rule.id
    ));
    render::line(&format!(
        "To allow it for one task:  allow: {{rules: [\"{}@src/**\"]}}",
        rule.id
    ));
    Ok(Exit::Verified)
}

const fn becomes(level: Level) -> &'static str {
    match level {
        Level::Ask => "Level ask: the agent is told; you are asked about what stays.",
        Level::Note => "Level note: it is written beside the diff, and stops nobody.",
    }
}

/// An example, as lines: the file, and what it holds.
fn shown(example: &Example, rule: &Rule) -> Vec<String> {
    let path = example.path.clone().or_else(|| rule.usual_path()).unwrap_or_default();
    let beside = example.beside.iter().map(|other| format!(" (beside {other})"));
    let mut lines = vec![format!("{path}{}", beside.collect::<String>())];
    let mut content = |sign: &str, text: &Option<String>| {
        let text = text.iter().flat_map(|text| text.lines());
        lines.extend(text.map(|line| format!("  {sign} {line}")));
    };
    content("-", &example.before);
    content("+", &example.after);
    lines
}

fn document(rule: &Rule, levels: &Levels) -> Value {
    let example = |example: &Example| {
        json!({
            "path": example.path.clone().or_else(|| rule.usual_path()),
            "before": example.before, "after": example.after, "beside": example.beside,
        })
    };
    let expressions = rule.expressions().into_iter();
    let expressions: Vec<Value> = expressions
        .map(|(look, expression)| json!({ "in": look, "expression": expression }))
        .collect();
    json!({
        "id": rule.id,
        "file": rule.file,
        "level": levels.of(&rule.id, rule.level),
        "usual_level": rule.level,
        "message": rule.message,
        "why": rule.why,
        "looks_for": expressions,
        "bad": rule.bad.iter().map(example).collect::<Vec<_>>(),
        "good": rule.good.iter().map(example).collect::<Vec<_>>(),
    })
}
