//! `trueup trust`: a person allows a repository's commands to be run.

use crate::{
    args::{Global, Trust},
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::io::{self, BufRead, IsTerminal};
use trueup_engine::sandbox::Mode;

/// Shows what would be run, asks, and remembers the answer for these commands.
pub(crate) fn trust(project: &Project, trust: &Trust, global: &Global) -> Result<Exit, Failure> {
    if !global.json {
        render::line(&format!(
            "{} would run, {}:",
            project.checkout.display(),
            inside(project)
        ));
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

/// How far the commands are kept from the rest of the machine.
pub(super) const fn inside(project: &Project) -> &'static str {
    match project.config.mode {
        Mode::Bubblewrap => "each inside a sandbox",
        Mode::Outer => "with no wall but the container round trueup",
        Mode::None => "WITHOUT ANY SANDBOX",
    }
}

/// Every command of the configuration, a line each.
pub(super) fn commands(project: &Project) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, agent) in &project.config.agents {
        lines.push(format!("  agent {name}: {}", render::words(&agent.command)));
    }
    for preparation in &project.config.ground.prepare {
        let words = render::words(&preparation.argv);
        lines.push(format!("  prepare {}: {words}, with network", preparation.name));
    }
    for (name, check) in &project.config.checks {
        lines.push(format!("  check {name}: {}", render::words(&check.argv)));
        for service in &check.services {
            lines.push(format!(
                "    beside it {}: {}",
                service.name,
                render::words(&service.argv)
            ));
        }
        for socket in &check.sockets {
            lines.push(format!("    which may reach {socket}"));
        }
    }
    for template in project.templates() {
        let shown = template.strip_prefix(&project.checkout).unwrap_or(&template);
        lines.push(format!("  tell agents what stands in {}", shown.display()));
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
