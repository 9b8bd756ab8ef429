//! What a person configured, layer upon layer.

mod layer;
mod network;
mod origin;
mod rules;
mod schema;
mod walls;

pub(crate) use origin::{Layers, Setting, set, settings, typed};
pub(crate) use schema::schema;
pub(crate) use walls::{mode, user_line};

use crate::exit::{Exit, Failure};
use layer::{Layer, RawAgent, RawCheck, RawLimits, RawPreparation};
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
    sync::Arc,
};
use trueup_core::{
    criterion::{Execution, Network, Service},
    ground::{Ground, Preparation},
    kind::{Format, Ratchet, ReportContents},
    ladder::Ladder,
    patience::Patience,
    rule::Levels,
    settings::looks_secret,
    task::{DOUBT, STEADY, SelfTested},
};
use trueup_engine::{
    agent::spec::{AgentKind, AgentSpec},
    sandbox::{Laying, Mode, Share},
};
use trueup_inspect::rules::Catalogue;

/// How long a check may take unless it says otherwise.
pub(crate) const CHECK_TIMEOUT_MS: u64 = 10 * 60 * 1000;

/// What a person configured, every layer merged.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The revision tasks start from.
    pub(crate) base: String,
    /// The folder of task files, relative to the checkout.
    pub(crate) tasks: String,
    /// The agent that works unless somebody says otherwise.
    pub(crate) default_agent: Option<String>,
    /// Agents by name.
    pub(crate) agents: BTreeMap<String, AgentSpec>,
    /// The folder with templates of the person's own.
    pub(crate) prompts: Option<PathBuf>,
    /// How long anything is waited for.
    pub(crate) patience: Patience,
    /// What a run tries by itself where a turn was not enough.
    pub(crate) ladder: Option<Ladder>,
    /// What is laid under trees.
    pub(crate) ground: Ground,
    /// What preparations are given that nobody may keep, by their names.
    pub(crate) preparation_secrets: BTreeMap<String, BTreeMap<String, String>>,
    /// How it is laid.
    pub(crate) laying: Laying,
    /// Named checks.
    pub(crate) checks: BTreeMap<String, Execution>,
    /// What runs beside checks, by name.
    pub(crate) services: BTreeMap<String, Service>,
    /// How often in a row a check must pass that once gave two answers.
    pub(crate) steady: u32,
    /// How often a red check is asked again before it is believed.
    pub(crate) doubt: u32,
    /// What becomes of criteria that only the run's own tests prove.
    pub(crate) self_tested: SelfTested,
    /// Further folders that sandboxes may read.
    pub(crate) read: Vec<PathBuf>,
    /// How many bytes the state root may hold.
    pub(crate) quota: Option<u64>,
    /// The wall the person wants.
    pub(crate) mode: Mode,
    /// The sockets the person lets checks reach.
    pub(crate) sockets: Vec<PathBuf>,
    /// How much of the machine one sandbox may take.
    pub(crate) share: Share,
    /// How much the person wants to be asked.
    pub(crate) levels: Levels,
    /// The rules by which changes are looked at.
    pub(crate) rules: Arc<Catalogue>,
}

impl Config {
    /// Reads every layer there is for this checkout.
    pub(crate) fn read(checkout: &Path, user_layer: Option<&Path>) -> Result<Self, Failure> {
        let mut merged = Layer::built_in()?;
        let project = REPOSITORY_LAYERS.map(|name| checkout.join(name));
        for path in user_layer.into_iter().map(Path::to_owned).chain(project) {
            if let Some(layer) = Layer::at(&path, checkout)? {
                merged.merge(of_its_owner(layer, &path, user_layer)?);
            }
        }
        Self::of(merged, checkout)
    }

    /// What the person configured for all repositories.
    pub(crate) fn of_person(user_layer: Option<&Path>) -> Result<Self, Failure> {
        let mut merged = Layer::built_in()?;
        if let Some(path) = user_layer
            && let Some(layer) = Layer::at(path, Path::new(""))?
        {
            merged.merge(layer.of_person(path));
        }
        Self::of(merged, Path::new("."))
    }

    fn of(merged: Layer, checkout: &Path) -> Result<Self, Failure> {
        let raw = merged.raw()?;
        let project = raw.project.unwrap_or_default();
        let services = walls::services(raw.services.unwrap_or_default())?;
        let mut checks = BTreeMap::new();
        for (name, check) in raw.checks.unwrap_or_default() {
            let execution = execution(&name, check, &services)?;
            checks.insert(name, execution);
        }
        let (mut prepare, mut preparation_secrets) = (Vec::new(), BTreeMap::new());
        for (name, raw) in raw.prepare.unwrap_or_default() {
            let (preparation, secrets) = preparation(name.clone(), raw)?;
            prepare.push(preparation);
            preparation_secrets.insert(name, secrets);
        }
        let verify = raw.verify.unwrap_or_default();
        let raw_agents = raw.agent.unwrap_or_default();
        let mut agents = BTreeMap::new();
        for (name, agent) in raw_agents.agents {
            let agent = agent_config(&name, agent, checkout)?;
            agents.insert(name, agent);
        }
        let sandbox = raw.sandbox.unwrap_or_default();
        let limits = raw.limits.unwrap_or_default();
        let read = sandbox.read.unwrap_or_default();
        let (rules, levels) = rules::rules(raw.rules.unwrap_or_default(), checkout)?;
        Ok(Self {
            base: project.base.unwrap_or_else(|| "HEAD".into()),
            tasks: project.tasks.unwrap_or_else(|| "tasks".into()),
            default_agent: raw_agents.default,
            agents,
            prompts: raw
                .prompts
                .and_then(|raw| raw.folder)
                .map(|folder| checkout.join(folder)),
            share: share(&limits)?,
            patience: patience(limits)?,
            ladder: raw.ladder.and_then(|raw| raw.profile),
            ground: Ground {
                prepare,
                last: verify.last.unwrap_or_default(),
            },
            preparation_secrets,
            steady: often("steady", verify.steady.unwrap_or(STEADY), 2)?,
            doubt: often("doubt", verify.doubt.unwrap_or(DOUBT), 1)?,
            self_tested: match verify.self_tested {
                Some(Allowed(true)) => SelfTested::Accepted,
                Some(Allowed(false)) | None => SelfTested::Asked,
            },
            laying: raw.workspace.unwrap_or_default().lay.unwrap_or_default(),
            checks,
            services,
            read: read.iter().map(|path| checkout.join(path)).collect(),
            quota: size("[state] quota", raw.state.unwrap_or_default().quota)?,
            mode: walls::mode(sandbox.mode.as_deref(), "[sandbox] mode")?,
            sockets: sandbox.sockets.unwrap_or_default(),
            levels,
            rules,
        })
    }
}

/// A layer of this file, as far as it is for its owner to say: the person, in
/// their own file, or the repository.
fn of_its_owner(layer: Layer, path: &Path, user_layer: Option<&Path>) -> Result<Layer, Failure> {
    if Some(path) == user_layer {
        return Ok(layer.of_person(path));
    }
    walls::refuse_in_repository(&layer, path, user_layer)?;
    Ok(layer)
}

/// The layers a repository brings, which run only where it is trusted.
pub(crate) const REPOSITORY_LAYERS: [&str; 2] = ["trueup.toml", "trueup.local.toml"];

/// How often a check is executed, where that makes sense.
fn often(key: &str, asked: u32, least: u32) -> Result<u32, Failure> {
    if (least..=1000).contains(&asked) {
        return Ok(asked);
    }
    Err(Failure::new(
        Exit::Usage,
        format!("[verify] {key}: {asked} is not a number from {least} to 1000"),
    ))
}

fn size(key: &str, text: Option<String>) -> Result<Option<u64>, Failure> {
    let Some(text) = text else { return Ok(None) };
    match trueup_inspect::size::bytes(&text) {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(Failure::new(
            Exit::Usage,
            format!("{key}: `{text}` is not a size like `500MB`, `20GB` or `64MiB`"),
        )),
    }
}

/// How much of the machine one sandbox may take; what is not said is what
/// leaves this machine usable.
fn share(raw: &RawLimits) -> Result<Share, Failure> {
    let usual = Share::of_this_machine();
    Ok(Share {
        memory: size("[limits] memory", raw.memory.clone())?.unwrap_or(usual.memory),
        processes: raw.processes.unwrap_or(usual.processes),
        temporary: size("[limits] temporary", raw.temporary.clone())?.unwrap_or(usual.temporary),
    })
}

fn patience(raw: RawLimits) -> Result<Patience, Failure> {
    let usual = Patience::default();
    let time = |key: &str, text: Option<String>, usual: u64| match text {
        None => Ok(usual),
        Some(text) => trueup_inspect::duration::milliseconds(&text)
            .filter(|time| *time > 0)
            .ok_or_else(|| {
                let what = format!("[limits] {key}: `{text}` is not a time like `90s`, `10m` or `1h30m`");
                Failure::new(Exit::Usage, what)
            }),
    };
    Ok(Patience {
        turn_ms: time("turn", raw.turn, usual.turn_ms)?,
        heartbeat_ms: time("heartbeat", raw.heartbeat, usual.heartbeat_ms)?,
        warn_ms: time("idle_warning", raw.idle_warning, usual.warn_ms)?,
        model_ms: time("model", raw.model, usual.model_ms)?,
        silence_ms: time("silence", raw.silence, usual.silence_ms)?,
    })
}

fn execution(name: &str, check: RawCheck, services: &BTreeMap<String, Service>) -> Result<Execution, Failure> {
    let wrong = |what: String| Failure::new(Exit::Usage, format!("[checks.{name}] {what}"));
    let run = check.run.ok_or_else(|| wrong("has no `run`".into()))?;
    let argv = trueup_inspect::argv::words(&run).map_err(|problem| wrong(format!("run: {problem}")))?;
    let parse = check.parse.as_deref().map(format).transpose().map_err(wrong)?;
    let cache = check.cache.unwrap_or_default();
    if let Some(path) = cache.iter().find(|path| !is_inside(path)) {
        return Err(wrong(format!("cache: `{path}` is not a folder inside the tree")));
    }
    let network = switched(check.network.unwrap_or_default());
    let needs = check.needs.unwrap_or_default();
    if network == Network::On && !needs.is_empty() {
        return Err(wrong(
            "needs services, which live in a network of their own, so it cannot have `network = true` as well".into(),
        ));
    }
    Ok(Execution {
        cache,
        services: walls::needed(&needs, services).map_err(wrong)?,
        sockets: walls::sockets(check.sockets.unwrap_or_default()).map_err(wrong)?,
        parse,
        ratchet: ratchet(check.baseline, parse).map_err(wrong)?,
        ..Execution::new(argv, timeout(check.timeout).map_err(wrong)?, network)
    })
}

/// The format of this name.
fn format(word: &str) -> Result<Format, String> {
    let known = Format::ALL.into_iter().find(|(known, _)| *known == word);
    known.map(|(_, format)| format).ok_or_else(|| {
        let words = Format::ALL.map(|(word, _)| word);
        let near = trueup_inspect::nearest::nearest(word, words);
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("parse: `{word}` is none of `{}`{hint}", words.join("`, `"))
    })
}

/// Which findings count. Only reports of findings tell old ones from new.
fn ratchet(asked: Option<Ratchet>, parse: Option<Format>) -> Result<Ratchet, String> {
    let ratchet = asked.unwrap_or_default();
    match (ratchet, parse.map(Format::tells)) {
        (Ratchet::None, _) | (Ratchet::NoNew, Some(ReportContents::Findings)) => Ok(ratchet),
        (Ratchet::NoNew, _) => Err(
            "baseline: `no-new` needs `parse = \"sarif\"`, `\"eslint\"` or `\"cargo\"`, so that findings can be told apart".into(),
        ),
    }
}

/// A preparation, and the secrets it is given: those stay out of everything
/// that is kept of it.
fn preparation(name: String, raw: RawPreparation) -> Result<(Preparation, BTreeMap<String, String>), Failure> {
    let wrong = |what: String| Failure::new(Exit::Usage, format!("[prepare.{name}] {what}"));
    let run = raw.run.ok_or_else(|| wrong("has no `run`".into()))?;
    let argv = trueup_inspect::argv::words(&run).map_err(|problem| wrong(format!("run: {problem}")))?;
    let key = raw.key.unwrap_or_default();
    let keep = raw.keep.unwrap_or_default();
    if key.is_empty() || keep.is_empty() {
        let what = "needs `key = [\"package-lock.json\"]`, the files it rests on, and `keep = [\"node_modules\"]`, what it leaves";
        return Err(wrong(what.into()));
    }
    let below_home = |path: &str| path.strip_prefix("~/").map_or_else(|| is_inside(path), is_inside);
    if let Some(path) = key.iter().find(|path| !is_inside(path)) {
        return Err(wrong(format!("key: `{path}` is not a file inside the tree")));
    }
    if let Some(path) = keep.iter().find(|path| !below_home(path)) {
        return Err(wrong(format!(
            "keep: `{path}` is not a folder inside the tree, or below `~/`"
        )));
    }
    let env = raw.env.unwrap_or_default().into_iter();
    let (secrets, env): (BTreeMap<_, _>, BTreeMap<_, _>) = env.partition(|(name, _)| looks_secret(name));
    let preparation = Preparation {
        timeout_ms: timeout(raw.timeout).map_err(wrong)?,
        name,
        argv,
        key,
        keep,
        env,
        pass_env: raw.pass_env.unwrap_or_default(),
        secret_env: secrets.keys().cloned().collect(),
    };
    Ok((preparation, secrets))
}

/// Whether a path leads to something below where it starts, by plain names.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

fn timeout(text: Option<String>) -> Result<u64, String> {
    match text {
        Some(text) => trueup_inspect::duration::milliseconds(&text)
            .ok_or_else(|| format!("timeout: `{text}` is not a time like `90s`, `10m` or `1h30m`")),
        None => Ok(CHECK_TIMEOUT_MS),
    }
}

fn agent_config(name: &str, agent: RawAgent, checkout: &Path) -> Result<AgentSpec, Failure> {
    let wrong = |what: &str| Failure::new(Exit::Usage, format!("[agent.{name}] {what}"));
    let kind = agent
        .kind
        .ok_or_else(|| wrong("needs `kind = \"claude-code\"`, `\"codex\"` or `\"command\"`"))?;
    if kind == AgentKind::Command && (agent.model.is_some() || agent.permission.is_some()) {
        return Err(wrong("is a command, which knows no `model` and no `permission`"));
    }
    let command = agent.command.filter(|command| !command.is_empty());
    let usual = kind.program().map(|program| vec![program.to_owned()]);
    let folders = |paths: Option<Vec<PathBuf>>| {
        let paths = paths.unwrap_or_default();
        paths.iter().map(|path| checkout.join(path)).collect()
    };
    let (reach, registries) =
        network::sites(agent.network, agent.reach, agent.registries).map_err(|what| wrong(&what))?;
    Ok(AgentSpec {
        kind,
        command: command
            .or(usual)
            .ok_or_else(|| wrong("needs `command = [\"path\", …]`"))?,
        model: agent.model,
        permission: agent.permission.unwrap_or_default(),
        env: agent.env.unwrap_or_default(),
        pass_env: agent.pass_env.unwrap_or_default(),
        read: folders(agent.read),
        write: folders(agent.write),
        network: agent.network.map_or(Network::On, |chosen| chosen.0),
        reach,
        registries,
    })
}

/// A switch as configuration files spell it.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub(crate) struct Allowed(bool);

const fn switched(allowed: Allowed) -> Network {
    if allowed.0 { Network::On } else { Network::Off }
}
