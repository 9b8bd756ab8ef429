//! What is red today and tests nothing: it stays in trueup.toml as a comment,
//! with its reason, because as a guard it would refuse every task.

use super::{BaselineResult, CONFIG, Setup};
use crate::{exit::Failure, project::Project, render};
use std::fs;
use trueup_engine::write::write_durably;
use trueup_inspect::project::Purpose;

/// Comments out in the configuration that `init` has just written what is red
/// and runs no tests. Answers the names of those checks. Where no test is green
/// something larger is wrong, and a file that somebody changed meanwhile is
/// theirs: then everything stays.
pub(super) fn switch_off(project: &Project, setup: &Setup, written: &str) -> Result<Vec<String>, Failure> {
    let path = project.checkout.join(CONFIG);
    let seen = setup.baseline.as_deref().unwrap_or_default();
    let is_test = |one: &&BaselineResult| {
        let mut commands = setup.survey.commands.iter();
        commands.any(|command| command.name == one.name && command.purpose == Purpose::Test)
    };
    let (tests, others): (Vec<&BaselineResult>, Vec<_>) = seen.iter().partition(is_test);
    let red: Vec<_> = others.into_iter().filter(|one| !one.evidence.passed()).collect();
    let is_any_green = tests.iter().any(|one| one.evidence.passed());
    if red.is_empty() || !is_any_green || fs::read_to_string(&path)? != written {
        return Ok(Vec::new());
    }
    let mut text = written.to_owned();
    for one in &red {
        let why = format!("# Not green on {}, so switched off: {}", setup.base.name, reason(one));
        text = commented_out(&text, &one.name, &why);
    }
    write_durably(&path, text.as_bytes())?;
    Project::find(&project.checkout)?.trust()?;
    Ok(red.into_iter().map(|one| one.name.clone()).collect())
}

/// How it ended, and the last that it printed, on one line.
fn reason(seen: &BaselineResult) -> String {
    let ended = seen.evidence.saw.words();
    let ended = ended.lines().next().unwrap_or_default();
    let printed = seen.tail.last().map(|line| format!(", {}", line.trim()));
    let reason: String = format!("{ended}{}", printed.unwrap_or_default());
    render::harmless(&reason.chars().take(LONGEST).collect::<String>())
}

/// How long a reason may be; the rest is told by `trueup check -v`.
const LONGEST: usize = 160;

/// The text with the table of this check as a comment under a line that says why.
fn commented_out(text: &str, name: &str, why: &str) -> String {
    let heading = format!("[checks.{name}]");
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with(&heading) {
            is_inside = true;
            lines.push(why.to_owned());
        }
        is_inside = is_inside && !line.is_empty();
        lines.push(if is_inside {
            format!("# {line}")
        } else {
            line.to_owned()
        });
    }
    lines.join("\n") + "\n"
}
