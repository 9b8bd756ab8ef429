//! `trueup trust`: a person allows a repository's commands to be run.

use crate::{
    args::{Global, Trust},
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::{
    collections::BTreeMap,
    io::{self, BufRead, IsTerminal},
    path::Path,
};
use trueup_core::{criterion::Network, ground::says_how_to_connect};
use trueup_engine::{
    fault::{self, Fault},
    sandbox::Mode,
};

/// Shows what would be run, asks, and remembers the answer for these commands.
pub(crate) fn trust(project: &Project, trust: &Trust, global: &Global) -> Result<Exit, Failure> {
    if !global.json {
        render::line(&format!(
            "In {} these would run, {}:",
            project.checkout.display(),
            inside(project)
        ));
        for line in commands(project) {
            render::line(&line);
        }
    }
    if project.is_trusted()? {
        // Perhaps in another checkout of the repository; now in this one.
        project.trust()?;
        match global.json {
            true => render::json(&serde_json::json!({ "v": 1, "trusted": true }))?,
            false => render::line("You trusted this already, and nothing of it changed since."),
        }
        return Ok(Exit::Verified);
    }
    if !trust.yes && !agrees("Allow this?")? {
        let what = "nothing was trusted. To allow these commands:";
        return Err(Failure::new(Exit::Waiting, what).next("trueup trust --yes"));
    }
    project.trust()?;
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "trusted": true }))?;
    } else {
        render::line(match project.config.rules.files().is_empty() {
            true => "Trusted. A change to trueup.toml or to a script that it names will ask again.",
            false => {
                "Trusted. A change to trueup.toml, or to a script or a pack of rules that it names, will ask again."
            }
        });
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

/// Everything the configuration would get, a line each: first and marked what
/// leads out of a sandbox, then every command.
pub(super) fn commands(project: &Project) -> Vec<String> {
    let mut lines = holes(project);
    for (name, agent) in &project.config.agents {
        let network = reached(agent.network);
        let seen = seen(project, &agent.pass_env);
        let given = given(&agent.env);
        lines.push(format!(
            "  agent {name}: {}{network}{seen}{given}",
            render::words(&agent.command)
        ));
    }
    for preparation in &project.config.ground.prepare {
        let words = render::words(&preparation.argv);
        let seen = seen(project, &preparation.pass_env);
        let given = given(&preparation.env);
        lines.push(format!(
            "  prepare {}: {words}, with network{seen}{given}",
            preparation.name
        ));
    }
    for (name, check) in &project.config.checks {
        let network = reached(check.network);
        lines.push(format!("  check {name}: {}{network}", render::words(&check.argv)));
        for service in &check.services {
            lines.push(format!(
                "    beside it {}: {}",
                service.name,
                render::words(&service.argv)
            ));
            if let Some(ready) = &service.ready {
                lines.push(format!("      asked by {}", render::words(ready)));
            }
        }
    }
    let shown = |path: &Path| {
        let short = path.strip_prefix(&project.checkout).unwrap_or(path);
        short.display().to_string()
    };
    for script in project.scripts().unwrap_or_default().keys() {
        lines.push(format!("  as it stands now: {script}"));
    }
    for pack in project.config.rules.files().keys() {
        lines.push(format!("  look at changes by the rules in {}", shown(Path::new(pack))));
    }
    for template in project.templates() {
        lines.push(format!("  tell agents what stands in {}", shown(&template)));
    }
    lines.push("  and every command in its task files".into());
    lines.iter().map(|line| render::harmless(line)).collect()
}

const fn reached(network: Network) -> &'static str {
    match network {
        Network::On => ", with network",
        Network::Model => ", with the network of its model",
        Network::Off => "",
    }
}

/// Those of a person's variables that say no more than how the network is reached.
fn seen(project: &Project, variables: &[String]) -> String {
    let names = variables.iter().filter(|name| is_ordinary(project, name));
    let names: Vec<&str> = names.map(String::as_str).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(", sees {}", names.join(", ")),
    }
}

/// The variables that somebody is given, with their values.
fn given(variables: &BTreeMap<String, String>) -> String {
    let pairs = variables.iter().filter(|(name, _)| !leads_elsewhere(name));
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
    match pairs.as_slice() {
        [] => String::new(),
        pairs => format!(", given {}", pairs.join(" ")),
    }
}

/// Whether a variable decides whom a program talks to, or what it loads first.
fn leads_elsewhere(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let ends = ["_URL", "_HOST", "_PROXY", "_ENDPOINT", "_OPTIONS", "OPTS"];
    let begins = ["LD_", "DYLD_", "GIT_", "PYTHON", "PERL5", "RUBY"];
    ends.iter().any(|end| name.ends_with(end))
        || begins.iter().any(|begin| name.starts_with(begin))
        || matches!(name.as_str(), "BASH_ENV" | "ENV" | "PATH" | "HOME")
}

/// Whether a variable, as it is set here, says no more than that.
fn is_ordinary(project: &Project, name: &str) -> bool {
    let value = project.environment.get(name).map(String::as_str);
    says_how_to_connect(name, value.unwrap_or_default())
}

/// A path, and where it leads if that is elsewhere.
fn led(path: &Path) -> String {
    match path.canonicalize() {
        Ok(real) if real != path => format!("{}, which leads to {}", path.display(), real.display()),
        Ok(_) | Err(_) => path.display().to_string(),
    }
}

/// What would lead out of a sandbox.
fn holes(project: &Project) -> Vec<String> {
    let mut holes = Vec::new();
    if fault::planted(Fault::HidesHoles) {
        return holes;
    }
    let mut hole = |who: &str, what: String| holes.push(format!("! {who} {what}"));
    for path in &project.config.read {
        hole("everything", format!("reads {}", led(path)));
    }
    for (name, agent) in &project.config.agents {
        let who = format!("agent {name}");
        for path in &agent.write {
            hole(&who, format!("WRITES {}", led(path)));
        }
        for path in &agent.read {
            hole(&who, format!("reads {}", led(path)));
        }
        for variable in agent.pass_env.iter().filter(|name| !is_ordinary(project, name)) {
            hole(&who, format!("sees your variable {variable}"));
        }
        for site in &agent.reach {
            hole(&who, format!("reaches {site}"));
        }
        for site in &agent.registries {
            hole(&who, format!("reads from {site}"));
        }
        for (name, value) in agent.env.iter().filter(|(name, _)| leads_elsewhere(name)) {
            hole(&who, format!("is told {name}={value}"));
        }
    }
    for preparation in &project.config.ground.prepare {
        for (name, value) in preparation.env.iter().filter(|(name, _)| leads_elsewhere(name)) {
            hole(
                &format!("prepare {}", preparation.name),
                format!("is told {name}={value}"),
            );
        }
        for variable in preparation.pass_env.iter().filter(|name| !is_ordinary(project, name)) {
            let who = format!("prepare {}", preparation.name);
            hole(&who, format!("sees your variable {variable}"));
        }
    }
    for (rule, level) in &project.config.levels.chosen {
        let usual = project.config.rules.find(rule).map(|rule| rule.level);
        if !level.is_ask() && usual.is_some_and(|usual| usual.is_ask()) {
            hole("nobody", format!("is asked about what breaks {rule}"));
        }
    }
    for (name, check) in &project.config.checks {
        for socket in &check.sockets {
            hole(&format!("check {name}"), format!("reaches the socket {socket}"));
        }
    }
    holes
}

/// Asks, where somebody can answer.
pub(super) fn agrees(question: &str) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    render::prompt(&format!("{question} [y/N] "))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
