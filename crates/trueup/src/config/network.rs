//! `[agent.NAME] network`, and what belongs to it.

use super::{Allowed, switched};
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use std::fmt;
use trueup_core::{criterion::Network, reach::Site};

/// What an agent reaches, as configuration files spell it.
#[derive(Clone, Copy)]
pub(super) struct AgentNetwork(pub(super) Network);

impl<'de> Deserialize<'de> for AgentNetwork {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Word)
    }
}

struct Word;

impl Visitor<'_> for Word {
    type Value = AgentNetwork;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or \"model\"")
    }

    fn visit_bool<E: Error>(self, allowed: bool) -> Result<AgentNetwork, E> {
        Ok(AgentNetwork(switched(Allowed(allowed))))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<AgentNetwork, E> {
        match word {
            "model" => Ok(AgentNetwork(Network::Model)),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

/// The hosts an agent reaches, and those it only reads from.
pub(super) fn sites(
    network: Option<AgentNetwork>,
    reach: Option<Vec<String>>,
    registries: Option<Vec<String>>,
) -> Result<(Vec<Site>, Vec<Site>), String> {
    // Where it says another word, a person overruled it, and the hosts count for nothing.
    if network.is_none() && (reach.is_some() || registries.is_some()) {
        return Err("names hosts in `reach` or `registries`, which count only with `network = \"model\"`".to_owned());
    }
    Ok((read("reach", reach)?, read("registries", registries)?))
}

fn read(key: &str, hosts: Option<Vec<String>>) -> Result<Vec<Site>, String> {
    let mut sites = Vec::new();
    for host in hosts.unwrap_or_default() {
        let site = Site::read(&host).map_err(|wrong| format!("{key}: {wrong}"))?;
        if site.is_this_machine() {
            return Err(format!(
                "{key}: {site} is the machine itself, and inside that is the agent's own sandbox"
            ));
        }
        sites.push(site);
    }
    Ok(sites)
}
