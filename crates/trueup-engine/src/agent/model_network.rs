//! The network of an agent that reaches its model and what a person named.
//!
//! Its keys stay outside: it is given something that stands for each, and the
//! proxy puts the key in on the way. A sign-in with a subscription is renewed
//! by the agent itself, so that one stays inside, and its hosts are opened.

use super::{
    call::Call,
    spec::{AgentKind, AgentSpec},
};
use crate::{
    sandbox::{Bounds, DOOR_PORT, ReadOnlyMount, Sandbox},
    write::write_quickly,
};
use std::{collections::BTreeMap, io, path::PathBuf, sync::Arc};
use trueup_core::{
    criterion::Network,
    reach::{Reach, Requests, Site},
};
use trueup_net::{Egress, HeldKey, Plan, Proxies, Route};

/// Where the certificate lies inside that everything there has to believe.
const CERTIFICATE: &str = "/run/trueup/certificate.pem";

/// Variables by which programs are told whom to believe.
const BELIEVED_BY: [&str; 10] = [
    "CARGO_HTTP_CAINFO",
    "CODEX_CA_CERTIFICATE",
    "CURL_CA_BUNDLE",
    "DENO_CERT",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
    "npm_config_cafile",
];

/// Where systems keep whom they believe, for programs that heed no variable.
/// Nobody else is met in there, so nobody else need be believed.
const BELIEVED_AT: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/cert.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
];

/// Variables by which programs are told where the way out is.
const LED_BY: [&str; 6] = [
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
];

/// What is reached without it: the sandbox's own loopback.
const NOT_LED: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// Who serves models, and how agents are told of it.
struct ModelHost {
    /// Its first part of a path inside.
    name: &'static str,
    /// The variable that says where it is, and where it is otherwise.
    base: (&'static str, &'static str),
    /// The variables that hold its keys.
    keys: &'static [&'static str],
    /// What a sign-in without a key asks.
    sign_in: &'static [&'static str],
}

const ANTHROPIC: ModelHost = ModelHost {
    name: "anthropic",
    base: ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    sign_in: &["api.anthropic.com", "console.anthropic.com", "platform.claude.com"],
};

const OPENAI: ModelHost = ModelHost {
    name: "openai",
    base: ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    keys: &["CODEX_API_KEY", "OPENAI_API_KEY"],
    sign_in: &["api.openai.com", "auth.openai.com", "chatgpt.com"],
};

/// What an agent reaches its model through.
#[derive(Clone, Debug)]
pub struct ModelNetwork(Arc<Egress>);

impl ModelNetwork {
    /// The network of this agent, if it is to have one of its own. Whatever
    /// leads to its model, or signs it in there, is replaced in its variables.
    pub fn of(
        spec: &AgentSpec,
        variables: &mut BTreeMap<String, String>,
        environment: &BTreeMap<String, String>,
    ) -> io::Result<Option<Self>> {
        if spec.network != Network::Model {
            return Ok(None);
        }
        let mut plan = Plan {
            proxies: Proxies::of(environment),
            ..Plan::default()
        };
        for host in hosts(spec.kind) {
            host.plan(spec.kind, variables, &mut plan)?;
        }
        for site in &spec.reach {
            plan.reach.open(site.clone(), Requests::Any);
        }
        for site in &spec.registries {
            plan.reach.open(site.clone(), Requests::Reading);
        }
        let egress = Egress::new(plan).map_err(io::Error::other)?;
        Ok(Some(Self(Arc::new(egress))))
    }

    /// Shows a program the way out, over whatever else it was told of one.
    pub(super) fn furnish(&self, sandbox: &Sandbox, call: &Call, bounds: &mut Bounds) -> io::Result<()> {
        let certificate = ReadOnlyMount {
            host: call.prompt_file.with_file_name("certificate.pem"),
            inner: PathBuf::from(CERTIFICATE),
        };
        write_quickly(&certificate.host, self.0.certificate().as_bytes())?;
        let believed = sandbox.seen_at(&certificate).display().to_string();
        let door = format!("http://127.0.0.1:{DOOR_PORT}");
        let told = BELIEVED_BY.map(|name| (name, believed.clone())).into_iter();
        let told = told.chain(LED_BY.map(|name| (name, door.clone())));
        let told = told.chain(NOT_LED.map(|name| (name, "127.0.0.1,localhost,::1".to_owned())));
        // Node heeds the others only where it is told to.
        let told = told.chain([("NODE_USE_ENV_PROXY", "1".to_owned())]);
        bounds
            .variables
            .extend(told.map(|(name, value)| (name.to_owned(), value)));
        let everywhere = BELIEVED_AT.map(PathBuf::from).into_iter();
        let everywhere = everywhere.filter_map(|place| place.canonicalize().ok());
        bounds.lay.extend(everywhere.map(|inner| ReadOnlyMount {
            inner,
            ..certificate.clone()
        }));
        bounds.lay.push(certificate);
        bounds.egress = Some(Arc::clone(&self.0));
        Ok(())
    }

    /// What was refused since this was last asked, a line each.
    pub(super) fn refusals(&self) -> String {
        let refused = self.0.refusals();
        refused.iter().map(|why| format!("trueup: {why}\n")).collect()
    }
}

const fn hosts(kind: AgentKind) -> &'static [ModelHost] {
    match kind {
        AgentKind::ClaudeCode => &[ANTHROPIC],
        AgentKind::Codex => &[OPENAI],
        AgentKind::Command => &[ANTHROPIC, OPENAI],
    }
}

impl ModelHost {
    /// Leads an agent's variables through the proxy, and the proxy to the model.
    fn plan(&self, kind: AgentKind, variables: &mut BTreeMap<String, String>, plan: &mut Plan) -> io::Result<()> {
        let (base, usual) = self.base;
        let keys = self.hold_keys(variables);
        let named = variables.get(base).filter(|url| !url.is_empty()).cloned();
        if keys.is_empty() && kind != AgentKind::Command {
            self.open_sign_in(&mut plan.reach)?;
        }
        if keys.is_empty() && named.is_none() {
            return Ok(());
        }
        let (site, path) = split(named.as_deref().unwrap_or(usual))
            .ok_or_else(|| io::Error::other(format!("{base} is not an address like {usual}")))?;
        let inside = format!("http://127.0.0.1:{DOOR_PORT}/{}{path}", self.name);
        variables.insert(base.to_owned(), inside);
        plan.routes.push(Route {
            name: self.name.to_owned(),
            site,
            path,
            keys,
        });
        Ok(())
    }

    /// Takes the keys out of an agent's variables.
    fn hold_keys(&self, variables: &mut BTreeMap<String, String>) -> Vec<HeldKey> {
        let mut held = Vec::new();
        for name in self.keys {
            let Some(value) = variables.get_mut(*name).filter(|value| !value.is_empty()) else {
                continue;
            };
            let stand_in = format!("held-by-trueup-{}", name.to_ascii_lowercase().replace('_', "-"));
            let key = std::mem::replace(value, stand_in.clone());
            held.push(HeldKey { stand_in, key });
        }
        held
    }

    fn open_sign_in(&self, reach: &mut Reach) -> io::Result<()> {
        for host in self.sign_in {
            reach.open(Site::read(host).map_err(io::Error::other)?, Requests::Any);
        }
        Ok(())
    }
}

/// The site of an address, and the path below it, without a slash at its end.
fn split(url: &str) -> Option<(Site, String)> {
    let after = url.find("://")? + 3;
    let end = url.get(after..)?.find('/').map_or(url.len(), |slash| after + slash);
    let (site, path) = url.split_at(end);
    Some((Site::read(site).ok()?, path.trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{ANTHROPIC, OPENAI, split};
    use crate::agent::spec::AgentKind;
    use std::collections::BTreeMap;
    use trueup_core::reach::Site;
    use trueup_net::Plan;

    fn variables(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn a_key_stays_outside_and_its_model_is_reached_through_the_door() {
        let mut given = variables(&[("ANTHROPIC_API_KEY", "sk-real"), ("OTHER", "kept")]);
        let mut plan = Plan::default();
        ANTHROPIC.plan(AgentKind::ClaudeCode, &mut given, &mut plan).unwrap();
        assert_eq!(given["ANTHROPIC_API_KEY"], "held-by-trueup-anthropic-api-key");
        assert_eq!(given["ANTHROPIC_BASE_URL"], "http://127.0.0.1:4788/anthropic");
        assert_eq!(given["OTHER"], "kept");
        let route = &plan.routes[0];
        assert_eq!(route.site, Site::read("api.anthropic.com").unwrap());
        assert_eq!(route.keys[0].key, "sk-real");
        // By its key alone: nothing of the host is open otherwise.
        assert!(plan.reach.judge("GET", &route.site).is_err());
    }

    #[test]
    fn a_gateway_of_a_persons_own_keeps_its_path() {
        let mut given = variables(&[
            ("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1/"),
            ("OPENAI_API_KEY", "k"),
        ]);
        let mut plan = Plan::default();
        OPENAI.plan(AgentKind::Codex, &mut given, &mut plan).unwrap();
        assert_eq!(given["OPENAI_BASE_URL"], "http://127.0.0.1:4788/openai/v1");
        assert_eq!(plan.routes[0].site, Site::read("http://127.0.0.1:8080").unwrap());
        assert_eq!(plan.routes[0].path, "/v1");
        let mut wrong = variables(&[("OPENAI_BASE_URL", "gateway"), ("OPENAI_API_KEY", "k")]);
        assert!(OPENAI.plan(AgentKind::Codex, &mut wrong, &mut Plan::default()).is_err());
    }

    #[test]
    fn a_sign_in_opens_its_hosts_and_a_command_without_a_model_opens_none() {
        let mut plan = Plan::default();
        OPENAI.plan(AgentKind::Codex, &mut BTreeMap::new(), &mut plan).unwrap();
        assert!(plan.routes.is_empty());
        assert!(plan.reach.judge("POST", &Site::read("chatgpt.com").unwrap()).is_ok());
        let mut plan = Plan::default();
        OPENAI
            .plan(AgentKind::Command, &mut BTreeMap::new(), &mut plan)
            .unwrap();
        assert!(plan.routes.is_empty());
        assert!(plan.reach.judge("POST", &Site::read("chatgpt.com").unwrap()).is_err());
    }

    #[test]
    fn an_address_is_split_at_its_path() {
        let site = |text: &str| Site::read(text).unwrap();
        assert_eq!(split("https://a.example"), Some((site("a.example"), String::new())));
        assert_eq!(
            split("http://a.example:1/x/y/"),
            Some((site("http://a.example:1"), "/x/y".to_owned()))
        );
        assert_eq!(split("a.example/x"), None);
        assert_eq!(split("https://user@a.example"), None);
    }
}
