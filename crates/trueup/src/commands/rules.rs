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
use trueup_inspect::{
    nearest,
    rules::{Example, Rule, catalogue},
};

/// Lists all rules, or explains one.
pub(crate) fn rules(rules: &Rules, global: &Global) -> Result<Exit, Failure> {
    let levels = levels(global)?;
    match &rules.what {
        None => list(&levels, global),
        Some(RulesCommand::Explain(explained)) => explain(explained, &levels, global),
    }
}

/// The levels in force here: outside a repository, the person's own.
fn levels(global: &Global) -> Result<Levels, Failure> {
    let user = user_layer(&environment());
    let config = match Project::find(&global.folder) {
        Ok(project) => project.config,
        Err(_) => Config::of_person(user.as_deref())?,
    };
    Ok(config.levels)
}

fn list(levels: &Levels, global: &Global) -> Result<Exit, Failure> {
    let all = catalogue().rules();
    if global.json {
        let rules: Vec<Value> = all.iter().map(|rule| document(rule, levels)).collect();
        render::json(&json!({ "v": 1, "rules": rules }))?;
        return Ok(Exit::Verified);
    }
    let width = all.iter().map(|rule| rule.id.as_str().len()).max().unwrap_or_default();
    for rule in all {
        let level = levels.of(&rule.id, rule.level).word();
        render::line(&format!("{:<width$}  {level:<4}  {}", rule.id.as_str(), rule.message));
    }
    let asked = all
        .iter()
        .filter(|rule| levels.of(&rule.id, rule.level).is_ask())
        .count();
    render::line("");
    render::line(&format!(
        "{} rules. You are asked about what breaks {asked} of them; the others write a note beside the diff.",
        all.len()
    ));
    render::line("What one is about, and how to switch it: trueup rules explain ID");
    Ok(Exit::Verified)
}

fn explain(explained: &Explained, levels: &Levels, global: &Global) -> Result<Exit, Failure> {
    let found = RuleId::of(&explained.id).and_then(|id| catalogue().find(&id));
    let Some(rule) = found else {
        let ids = catalogue().rules().iter().map(|rule| rule.id.as_str());
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
    render::line(&format!("{}: {}", rule.id, rule.message));
    render::line("");
    render::line(&rule.why);
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
        "level": levels.of(&rule.id, rule.level),
        "usual_level": rule.level,
        "message": rule.message,
        "why": rule.why,
        "looks_for": expressions,
        "bad": rule.bad.iter().map(example).collect::<Vec<_>>(),
        "good": rule.good.iter().map(example).collect::<Vec<_>>(),
    })
}
