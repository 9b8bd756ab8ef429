//! `trueup init --refresh`: look at the repository again, and show what would
//! change in trueup.toml. What a person wrote stays as it is.

use super::{CONFIG, repository, text};
use crate::{
    args::{Global, SetUp},
    commands::trust,
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::{fs, path::Path};
use toml_edit::{DocumentMut, Item, Value, value};
use trueup_engine::write::write_durably;
use trueup_inspect::{
    argv,
    project::{Command, Survey},
};

/// Shows what would change, asks, and writes it after a yes.
pub(super) fn refresh(project: &Project, arguments: &SetUp, global: &Global) -> Result<Exit, Failure> {
    let found = repository::look(project)?;
    let path = project.checkout.join(CONFIG);
    let before = fs::read_to_string(&path)?;
    let after = refreshed(&before, &found)?;
    if after == before {
        return nothing_new(&found.survey, global);
    }
    let lines = render::changed_lines(&before, &after);
    if !global.json {
        render::found(&found.survey);
        render::line("This would change in trueup.toml:");
        render::changes(&lines);
    }
    if !arguments.yes && (global.json || !trust::agrees("Write this?")?) {
        let what = "trueup.toml was left as it is";
        return Err(Failure::new(Exit::Waiting, what).next("trueup init --refresh --yes"));
    }
    write(project, &path, &after, global)?;
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "written": [CONFIG], "changes": lines }))?;
    } else {
        render::line("Wrote trueup.toml.");
        let trusted = Project::find(&global.folder)?.is_trusted()?;
        render::next(if trusted {
            &["trueup check"]
        } else {
            &["trueup trust", "trueup check"]
        });
    }
    Ok(Exit::Verified)
}

fn nothing_new(survey: &Survey, global: &Global) -> Result<Exit, Failure> {
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "written": [], "changes": [] }))?;
    } else {
        render::found(survey);
        render::line("Nothing to change: trueup.toml has everything that was found.");
    }
    Ok(Exit::Verified)
}

/// Writes the file. Whoever could run what stood there was shown what is new,
/// and said yes to it.
fn write(project: &Project, path: &Path, text: &str, global: &Global) -> Result<(), Failure> {
    let trusted = project.is_trusted()?;
    write_durably(path, text.as_bytes())?;
    if trusted {
        Project::find(&global.folder)?.trust()?;
    }
    Ok(())
}

/// The file with what was found since. A table that is there belongs to a
/// person, as does one that they commented out or called otherwise; only a
/// check that is still called as it was found is asked for a report.
fn refreshed(before: &str, found: &repository::Repository) -> Result<String, Failure> {
    let mut document: DocumentMut = before.parse().map_err(Failure::unexpected)?;
    let mut more = String::new();
    for preparation in &found.survey.preparations {
        let line = argv::line(&preparation.words);
        let known = Known::of(&document, before, "prepare", &preparation.name);
        if !known.named && !known.runs(&[&line]) {
            more.push('\n');
            text::preparation(&mut more, preparation, &found.network);
        }
    }
    for command in &found.survey.commands {
        let (words, parse) = command.reported();
        let lines = [argv::line(&command.words), argv::line(&words)];
        let known = Known::of(&document, before, "checks", &command.name);
        if known.named {
            if let Some(parse) = parse {
                report(&mut document, command, &lines, parse);
            }
        } else if !known.runs(&lines.each_ref().map(String::as_str)) {
            more.push('\n');
            for line in text::check(command, &command.origin) {
                more.push_str(&line);
                more.push('\n');
            }
        }
    }
    let mut after = document.to_string();
    if !more.is_empty() {
        after = format!("{}\n\n# Found by `trueup init --refresh`.{more}", after.trim_end());
    }
    Ok(after)
}

/// What the file has of a table already.
struct Known {
    /// Whether there is one of this name.
    named: bool,
    /// What those of its kind run, and what is commented out.
    run: Vec<String>,
}

impl Known {
    fn of(document: &DocumentMut, text: &str, kind: &str, name: &str) -> Self {
        let tables = document.get(kind).and_then(Item::as_table_like);
        let all = tables.into_iter().flat_map(|tables| tables.iter());
        let run = all.filter_map(|(_, table)| Some(table.get("run")?.as_str()?.to_owned()));
        Self {
            named: tables.is_some_and(|tables| tables.contains_key(name)),
            run: run.chain(text.lines().filter_map(commented_out)).collect(),
        }
    }

    /// Whether one of these lines is run under another name, or was commented out.
    fn runs(&self, lines: &[&str]) -> bool {
        self.run.iter().any(|run| lines.contains(&run.as_str()))
    }
}

/// What a line runs that is a comment now.
fn commented_out(line: &str) -> Option<String> {
    let line: DocumentMut = line.trim_start().strip_prefix('#')?.trim_start().parse().ok()?;
    Some(line.get("run")?.as_str()?.to_owned())
}

/// Has a check that is called as it was found tell what became of each test.
fn report(document: &mut DocumentMut, command: &Command, [plain, reporting]: &[String; 2], parse: &str) {
    let table = document
        .get_mut("checks")
        .and_then(|checks| checks.get_mut(&command.name));
    let Some(table) = table.and_then(Item::as_table_like_mut) else {
        return;
    };
    let is_as_found = table.get("run").and_then(Item::as_str) == Some(plain);
    if !is_as_found || table.contains_key("parse") {
        return;
    }
    if let Some(run) = table.get_mut("run").and_then(Item::as_value_mut) {
        let decor = run.decor().clone();
        *run = Value::from(reporting.as_str());
        *run.decor_mut() = decor;
    }
    table.insert("parse", value(parse));
}
