//! The household of somebody who never heard of trueup, on this very machine:
//! with its home, where real tools are installed, and its way to registries.
#![expect(
    clippy::expect_used,
    reason = "only tests live here, and a test without its household is over"
)]

use crate::household::Household;
use std::{env, fs, path::PathBuf};

/// Variables by which this machine reaches registries.
const NETWORK: [&str; 9] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "PIP_INDEX_URL",
    "UV_DEFAULT_INDEX",
];

/// An empty repository without a configuration, whose programs are found on `path`.
pub fn newcomer(binary: impl Into<PathBuf>, path: &str) -> Household {
    let mut household = Household::new(binary, "");
    fs::remove_file(household.checkout().join("trueup.toml")).expect("the configuration");
    fs::write(household.checkout().join(".git/info/exclude"), "").expect("the exclusions");
    for name in NETWORK {
        if let Ok(value) = env::var(name) {
            household = household.with_variable(name, &value);
        }
    }
    let config = household.folder().join("config").display().to_string();
    household
        .with_variable("HOME", &env::var("HOME").expect("a home"))
        .with_variable("PATH", path)
        .with_variable("XDG_CONFIG_HOME", &config)
        // Trust is to come from `init`, and from nowhere else.
        .with_variable("TRUEUP_TRUST", "0")
}
