//! What is laid under a tree before anything runs on it: what preparations
//! brought, and what earlier builds of the base left.

use crate::digest::Digest;
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What is laid under the trees of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// What is prepared, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepare: Vec<Preparation>,
    /// What the verdict that ends a run rests on.
    #[serde(default, skip_serializing_if = "Warmth::is_cold")]
    pub last: Warmth,
}

impl Ground {
    /// Whether nothing is laid under anything.
    pub fn is_bare(&self) -> bool {
        *self == Self::default()
    }
}

/// A command whose results are kept and laid under trees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preparation {
    /// Its name in the configuration.
    pub name: String,
    /// The program and its arguments; never a shell line.
    pub argv: Vec<String>,
    /// The files of the tree whose bytes decide whether it must run again.
    pub key: Vec<String>,
    /// What of it is kept: folders of the tree, or of the home behind `~/`.
    pub keep: Vec<String>,
    /// How long it may take.
    pub timeout_ms: u64,
    /// Variables it is given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Variables it may see of the person's, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_env: Vec<String>,
    /// Variables whose configured values are secrets, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret_env: Vec<String>,
}

impl Preparation {
    /// The digest of everything that defines it but the files it reads.
    pub fn definition(&self) -> Digest {
        let lists = [&self.argv, &self.key, &self.keep, &self.pass_env];
        let mut fields: Vec<Digest> = Vec::new();
        fields.push(Digest::of(self.name.as_bytes()));
        fields.extend(lists.map(|list| Digest::of_fields(list.iter().map(String::as_bytes))));
        let set = self
            .env
            .iter()
            .flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
        fields.push(Digest::of_fields(set));
        fields.push(Digest::of(&self.timeout_ms.to_be_bytes()));
        if !self.secret_env.is_empty() {
            fields.push(Digest::of_fields(self.secret_env.iter().map(String::as_bytes)));
        }
        Digest::of_fields(fields.iter().map(|field| field.as_str().as_bytes()))
    }
}

/// Variables that say which certificates are trusted.
const CERTIFICATES: [&str; 9] = [
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "PIP_CERT",
    "NODE_EXTRA_CA_CERTS",
    "CARGO_HTTP_CAINFO",
    "GIT_SSL_CAINFO",
    "UV_NATIVE_TLS",
];

/// Variables that name proxies.
const PROXIES: [&str; 4] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/// Whether a variable says no more than how the network is reached. Without it
/// nothing can be installed behind a certificate authority or a proxy of one's
/// own, so a candidate's scripts may see it; a proxy's password they may not.
pub fn says_how_to_connect(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    CERTIFICATES.contains(&name) || (PROXIES.contains(&upper.as_str()) && !value.contains('@'))
}

/// Whether something rests on what an earlier build of the base left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Warmth {
    /// On nothing but the tree and what was prepared for it.
    #[default]
    Cold,
    /// On what the same check left in a room of the base.
    Warm,
}

impl Warmth {
    /// Whether it rests on nothing but the tree.
    pub const fn is_cold(&self) -> bool {
        matches!(self, Self::Cold)
    }
}

/// What a set of checks does with caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caches {
    /// What the checks leave is kept, for the tree is the base's own.
    Fill,
    /// What was kept is seen, and what is written is thrown away.
    Use,
    /// They are not seen at all.
    Leave,
}

#[cfg(test)]
mod tests {
    use super::says_how_to_connect;

    #[test]
    fn certificates_and_proxies_say_how_to_connect_and_passwords_do_not() {
        assert!(says_how_to_connect("SSL_CERT_FILE", "/etc/ours.pem"));
        assert!(says_how_to_connect("https_proxy", "http://proxy:3128"));
        assert!(says_how_to_connect("NO_PROXY", "localhost"));
        assert!(!says_how_to_connect("HTTPS_PROXY", "http://me:word@proxy:3128"));
        assert!(!says_how_to_connect("NPM_TOKEN", "x"));
        assert!(!says_how_to_connect("ssl_cert_file", "/etc/ours.pem"));
    }
}
