//! What there is to set up: the repository's files, its branches, and the
//! agents of this machine.

use super::first_task;
use crate::{
    exit::{Exit, Failure},
    project::Project,
};
use trueup_core::event::Base;
use trueup_engine::workspace;
use trueup_inspect::project::{Listing, Survey, survey};

/// The largest file that is looked into.
const LARGEST: usize = 16 * 1024 * 1024;

/// Variables that say how this machine reaches registries, each with the kind
/// of preparation that heeds it, or for all. Those that are set are handed on by
/// name; none of them holds a password by custom.
const NETWORK: [(&str, &str); 21] = [
    ("", "HTTP_PROXY"),
    ("", "HTTPS_PROXY"),
    ("", "NO_PROXY"),
    ("", "http_proxy"),
    ("", "https_proxy"),
    ("", "no_proxy"),
    ("", "SSL_CERT_FILE"),
    ("", "SSL_CERT_DIR"),
    ("node", "NODE_EXTRA_CA_CERTS"),
    ("node", "npm_config_registry"),
    ("node", "COREPACK_NPM_REGISTRY"),
    ("python", "REQUESTS_CA_BUNDLE"),
    ("python", "PIP_CERT"),
    ("python", "PIP_INDEX_URL"),
    ("python", "UV_INDEX_URL"),
    ("python", "UV_DEFAULT_INDEX"),
    ("rust", "CARGO_HTTP_CAINFO"),
    ("go", "GOPROXY"),
    ("go", "GOSUMDB"),
    ("go", "GOPRIVATE"),
    ("go", "GONOSUMDB"),
];

/// Agents that may be installed, as a person would call them.
const AGENTS: [&str; 2] = ["claude", "codex"];

/// What there is to set up.
pub(super) struct Repository {
    /// What its files say.
    pub(super) survey: Survey,
    /// The branch that is checked out.
    pub(super) branch: Option<String>,
    /// The branch others start from, where this clone knows it and has it.
    pub(super) default_branch: Option<String>,
    /// Agents on the PATH.
    pub(super) agents: Vec<&'static str>,
    /// Variables by which preparations reach the network from here, each with
    /// the kind of preparation that heeds it.
    pub(super) network: Vec<(&'static str, &'static str)>,
    /// Whether the file that the first task asks for is there already.
    pub(super) has_first_proof: bool,
}

/// Looks at the last commit, and round it.
pub(super) fn look(project: &Project) -> Result<Repository, Failure> {
    let workspaces = project.workspaces()?;
    let base: Base = workspaces.base("HEAD").map_err(|error| {
        if !matches!(error, workspace::Error::UnknownRevision(_)) {
            return error.into();
        }
        let what = "this repository has no commit yet; commit once, then run `trueup init` again";
        Failure::new(Exit::Usage, what)
            .next("git add --all && git commit --message \"First commit\"")
            .next("trueup init")
    })?;
    let paths = workspaces.files(&base.tree)?;
    let read = |path: &str| {
        let bytes = workspaces.read(&base.tree, path).ok().flatten()?;
        String::from_utf8(bytes).ok().filter(|text| text.len() <= LARGEST)
    };
    let has_first_proof = paths.iter().any(|path| path == first_task::FILE);
    let listing = Listing::new(paths.iter().map(String::as_str), &read);
    let survey = survey(&listing.released(workspaces.last_tag(&base.commit)?));
    let branch = workspaces.current_branch()?;
    let others = [workspaces.default_branch()?, Some("main".into()), Some("master".into())];
    let mut default_branch = None;
    for name in others.into_iter().flatten() {
        if default_branch.is_none() && workspaces.branch(&name)?.is_some() {
            default_branch = Some(name);
        }
    }
    Ok(Repository {
        survey,
        branch,
        default_branch,
        agents: AGENTS.into_iter().filter(|name| is_installed(project, name)).collect(),
        network: NETWORK.into_iter().filter(|(_, name)| is_set(project, name)).collect(),
        has_first_proof,
    })
}

fn is_set(project: &Project, name: &str) -> bool {
    project.environment.get(name).is_some_and(|value| !value.is_empty())
}

fn is_installed(project: &Project, name: &str) -> bool {
    let path = project.environment.get("PATH").map(String::as_str).unwrap_or_default();
    std::env::split_paths(path).any(|folder| folder.join(name).is_file())
}
