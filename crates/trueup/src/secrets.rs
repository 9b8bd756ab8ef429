//! Which variables of the person's hold secrets, told by their names.

use crate::project::Project;
use std::collections::BTreeMap;
use trueup_engine::redact::Secrets;

/// How the names of variables that hold secrets end.
const ENDS: [&str; 6] = ["TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE"];

/// What stands somewhere in such a name.
const MIDDLE: &str = "CREDENTIAL";

/// Handed through or not, these say what everybody may know.
const PUBLIC: [&str; 11] = [
    "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TZ", "PWD", "TMPDIR", "EDITOR",
];

/// Everything that must not be stored or shown: the values of variables whose
/// names look secret, and of those that are handed to agents and preparations.
pub(crate) fn secrets(project: &Project) -> Secrets {
    let mut found: BTreeMap<String, String> = look_secret(&project.environment).collect();
    let config = &project.config;
    let agents = config.agents.values().map(|agent| (&agent.pass_env, &agent.env));
    let preparations = config.ground.prepare.iter().map(|one| (&one.pass_env, &one.env));
    for (passed, own) in agents.chain(preparations) {
        for name in passed.iter().filter(|name| !is_public(name)) {
            if let Some(value) = project.environment.get(name) {
                found.insert(name.clone(), value.clone());
            }
        }
        let own = own.iter().filter(|(name, _)| looks_secret(name));
        found.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    }
    Secrets::of(found)
}

/// What the environment alone tells, before any configuration is read.
pub(crate) fn of_environment(environment: &BTreeMap<String, String>) -> Secrets {
    Secrets::of(look_secret(environment))
}

fn look_secret(environment: &BTreeMap<String, String>) -> impl Iterator<Item = (String, String)> {
    let secret = environment.iter().filter(|(name, _)| looks_secret(name));
    secret.map(|(name, value)| (name.clone(), value.clone()))
}

fn looks_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let singular = name.strip_suffix('S').unwrap_or(&name);
    name.contains(MIDDLE) || ENDS.iter().any(|end| name.ends_with(end) || singular.ends_with(end))
}

fn is_public(name: &str) -> bool {
    PUBLIC.contains(&name) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_whether_it_holds_a_secret() {
        for name in [
            "GITHUB_TOKEN",
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "db_password",
            "CREDENTIALS_FILE",
        ] {
            assert!(looks_secret(name), "{name}");
        }
        for name in ["PATH", "KEYBOARD", "TOKENIZER", "LANG", "MONKEY_ISLAND"] {
            assert!(!looks_secret(name), "{name}");
        }
    }
}
