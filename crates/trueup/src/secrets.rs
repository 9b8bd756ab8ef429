//! Which variables of the person's hold secrets, told by their names.

use crate::project::Project;
use trueup_core::settings::{is_public, looks_secret};
use trueup_engine::redact::Secrets;

/// Everything that must not be stored or shown: the values of variables whose
/// names look secret, and of those that are handed to agents and preparations.
pub(crate) fn secrets(project: &Project) -> Secrets {
    // Pairs, because one name may have several values.
    let prepared = project.config.preparation_secrets.values().flatten();
    let mut found: Vec<(String, String)> = prepared.map(|(name, value)| (name.clone(), value.clone())).collect();
    let config = &project.config;
    let agents = config.agents.values().map(|agent| (&agent.pass_env, &agent.env));
    let preparations = config.ground.prepare.iter().map(|one| (&one.pass_env, &one.env));
    for (passed, own) in agents.chain(preparations) {
        for name in passed.iter().filter(|name| !is_public(name)) {
            if let Some(value) = project.environment.get(name) {
                found.push((name.clone(), value.clone()));
            }
        }
        let own = own.iter().filter(|(name, _)| looks_secret(name));
        found.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    }
    Secrets::of_environment(&project.environment).and(found)
}
