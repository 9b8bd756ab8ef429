//! Which agents are here, as far as that can be seen without asking a model.

use crate::{exit::Failure, foreground::wait, project::Project};
use trueup_engine::agent::probe::{AgentProbe, Look, Trust};

/// What the configuration says of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registration {
    /// It works unless somebody says otherwise.
    Default,
    /// It is configured.
    Configured,
    /// It is here, and not configured.
    Unconfigured,
}

/// Agents, with what the configuration says of each.
pub(crate) type Found = Vec<(AgentProbe, Registration)>;

/// Every agent that is configured.
pub(crate) fn configured(project: &Project) -> Result<Found, Failure> {
    at_configured(project, &look(project)?)
}

/// The same, and every known one that is here and could be.
pub(crate) fn all(project: &Project) -> Result<Found, Failure> {
    let look = look(project)?;
    let mut found = at_configured(project, &look)?;
    for (name, spec) in look.others(&project.config.agents) {
        let probe = wait(look.at(name, &spec, Trust::Given))??;
        found.push((probe, Registration::Unconfigured));
    }
    Ok(found)
}

fn look(project: &Project) -> Result<Look<'_>, Failure> {
    let sandbox = project.sandbox().map_err(|failure| failure.what);
    let setup = project.setup(project.config.mode)?;
    Ok(Look::new(&project.state, setup, sandbox)?)
}

fn at_configured(project: &Project, look: &Look<'_>) -> Result<Found, Failure> {
    let trust = match project.require_trust() {
        Ok(()) => Trust::Given,
        // What is configured then is the person's own.
        Err(_) if !project.is_set_up() => Trust::Given,
        Err(_) => Trust::Missing,
    };
    let config = &project.config;
    let mut found = Vec::new();
    for (name, spec) in &config.agents {
        let registration = match config.default_agent.as_ref() == Some(name) {
            true => Registration::Default,
            false => Registration::Configured,
        };
        found.push((wait(look.at(name, spec, trust))??, registration));
    }
    Ok(found)
}
