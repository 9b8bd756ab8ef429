//! `trueup trust`: a person allows a repository's commands to be run.

use crate::{
    args::{Global, Trust},
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::io::{self, BufRead, IsTerminal};

/// Shows what would be run, asks, and remembers the answer for these commands.
pub(crate) fn trust(project: &Project, trust: &Trust, global: &Global) -> Result<Exit, Failure> {
    if !global.json {
        for line in commands(project) {
            render::line(&line);
        }
    }
    if !trust.yes && !agrees()? {
        let what = "nothing was trusted; allow these commands with";
        return Err(Failure::new(Exit::Waiting, what).next("trueup trust --yes"));
    }
    project.trust()?;
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "trusted": true }))?;
    } else {
        render::line("Trusted. A change to trueup.toml will ask again.");
    }
    Ok(Exit::Verified)
}

fn commands(project: &Project) -> Vec<String> {
    let mut lines = vec![format!(
        "{} would run, each inside a sandbox:",
        project.checkout.display()
    )];
    for (name, agent) in &project.config.agents {
        lines.push(format!("  agent {name}: {}", render::words(&agent.command)));
    }
    for (name, check) in &project.config.checks {
        lines.push(format!("  check {name}: {}", render::words(&check.argv)));
    }
    lines.push("  and every command in its task files".into());
    lines
}

/// Asks, where somebody can answer.
fn agrees() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    render::prompt("Allow this? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
