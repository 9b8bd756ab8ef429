//! One configuration file: parsed, its keys checked, ready to be laid over
//! the ones before it.

use super::{Allowed, network::AgentNetwork};
use crate::exit::{Exit, Failure};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};
use toml::{Table, Value};
use trueup_core::{ground::Warmth, kind::Ratchet, ladder::Ladder, turn::Permission};
use trueup_engine::{agent::spec::AgentKind, sandbox::Laying};

/// One configuration file, or several laid over each other.
pub(super) struct Layer {
    table: Table,
    name: String,
}

/// What only the user's own layer says, by table and key, each with what a
/// repository would decide that could set it.
const PERSONS_OWN: [(&str, &str, &str); 6] = [
    ("limits", "memory", "it would choose how much of your machine it takes"),
    (
        "limits",
        "processes",
        "it would choose how much of your machine it takes",
    ),
    (
        "limits",
        "temporary",
        "it would choose how much of your machine it takes",
    ),
    ("sandbox", "mode", "it would choose the wall round its own commands"),
    ("sandbox", "sockets", "it would choose the wall round its own commands"),
    ("verify", "self_tested", "it would choose what counts as proof"),
];

/// Whether a key is one that only the user's own layer sets.
pub(super) fn is_persons_own(key: &str) -> bool {
    let same = |(table, name, _): &(&str, &str, &str)| key.split_once('.') == Some((table, name));
    PERSONS_OWN.iter().any(same)
}

/// The keys, as files spell them. All are optional: a layer may say little.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    /// The format of this file: 1.
    #[expect(dead_code, reason = "checked when the layer is read; nothing else depends on it yet")]
    version: Option<u32>,
    /// What tasks start from, and where they lie.
    pub(super) project: Option<RawProject>,
    /// Who works.
    pub(super) agent: Option<RawAgents>,
    /// What agents are told.
    pub(super) prompts: Option<RawPrompts>,
    /// How long anything is waited for.
    pub(super) limits: Option<RawLimits>,
    /// What is laid ready before agents and checks, by name.
    pub(super) prepare: Option<BTreeMap<String, RawPreparation>>,
    /// Commands that tasks name in `verify:` and `guard:` lines.
    pub(super) checks: Option<BTreeMap<String, RawCheck>>,
    /// How the end of a run is verified.
    pub(super) verify: Option<RawVerify>,
    /// What a run tries by itself where a turn was not enough.
    pub(super) ladder: Option<RawLadder>,
    /// How workspaces are laid.
    pub(super) workspace: Option<RawWorkspace>,
    /// What runs beside checks that need it, by name.
    pub(super) services: Option<BTreeMap<String, RawBeside>>,
    /// What every sandbox shows, and how thick its wall is.
    pub(super) sandbox: Option<RawSandbox>,
    /// What the state may cost.
    pub(super) state: Option<RawState>,
    /// How much you are asked: a `profile`, rules by id, and `packs` of your own.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::rules")]
    pub(super) rules: Option<RawRules>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawProject {
    /// The revision tasks start from unless they name one.
    pub(super) base: Option<String>,
    /// The folder of task files.
    pub(super) tasks: Option<String>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawSandbox {
    /// Tool folders shown read-only in every sandbox.
    pub(super) read: Option<Vec<PathBuf>>,
    /// The wall: `bubblewrap`, `outer` or `none`; only in the user's own file.
    pub(super) mode: Option<String>,
    /// Sockets that checks may ask for; only in the user's own file.
    pub(super) sockets: Option<Vec<PathBuf>>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawPrompts {
    /// The folder with templates that replace built-in ones.
    pub(super) folder: Option<PathBuf>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawState {
    /// How much disk the state may take: `20GB`.
    pub(super) quota: Option<String>,
}

/// The default agent's name, and every agent by name.
#[derive(Default)]
pub(super) struct RawAgents {
    pub(super) default: Option<String>,
    pub(super) agents: BTreeMap<String, RawAgent>,
}

/// What is chosen by name, and the packs beside it.
#[derive(Default)]
pub(super) struct RawRules {
    pub(super) packs: Vec<PathBuf>,
    pub(super) chosen: BTreeMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawCheck {
    /// Program and arguments: words, not a shell line.
    pub(super) run: Option<String>,
    /// How its report is read, which lies in the folder `{{out}}` of its `run`,
    /// else on its standard output.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::parse")]
    pub(super) parse: Option<String>,
    /// Which findings make it red: `none` are borne, or `no-new` ones.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::baseline")]
    pub(super) baseline: Option<Ratchet>,
    /// How long it may take: `90s`, `10m`, `1h30m`.
    pub(super) timeout: Option<String>,
    /// Whether it reaches the network.
    pub(super) network: Option<Allowed>,
    /// Folders of the tree whose content from the base makes it faster.
    pub(super) cache: Option<Vec<String>>,
    /// The services that run beside it.
    pub(super) needs: Option<Vec<String>>,
    /// Sockets of this machine that it reaches.
    pub(super) sockets: Option<Vec<String>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawPreparation {
    /// Program and arguments: words, not a shell line.
    pub(super) run: Option<String>,
    /// Files whose bytes decide whether it must run again.
    pub(super) key: Option<Vec<String>>,
    /// What is kept of it: folders of the tree, or below `~/`.
    pub(super) keep: Option<Vec<String>>,
    /// How long it may take: `90s`, `10m`, `1h30m`.
    pub(super) timeout: Option<String>,
    /// Variables it is given.
    pub(super) env: Option<BTreeMap<String, String>>,
    /// Variables handed through from outside, by name.
    pub(super) pass_env: Option<Vec<String>>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawVerify {
    /// Whether the verdict that ends a run may rest on caches.
    #[serde(default, rename = "final")]
    #[schemars(schema_with = "super::schema::warmth")]
    pub(super) last: Option<Warmth>,
    /// How often in a row a check must pass that once gave two answers.
    pub(super) steady: Option<u32>,
    /// How often a red check is asked again before it is believed.
    pub(super) doubt: Option<u32>,
    /// Whether the run's own tests may be all that proves a criterion; only in
    /// the user's own file.
    pub(super) self_tested: Option<Allowed>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLadder {
    /// How many attempts are made before you are asked.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::ladder")]
    pub(super) profile: Option<Ladder>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawWorkspace {
    /// How folders are laid into rooms and workspaces.
    #[schemars(schema_with = "super::schema::laying")]
    pub(super) lay: Option<Laying>,
}

/// A service, which runs beside a check.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawBeside {
    /// Program and arguments: words, not a shell line.
    pub(super) run: Option<String>,
    /// A command that ends with 0 once it can be used.
    pub(super) ready: Option<String>,
    /// The port it listens on.
    pub(super) port: Option<u16>,
}

/// How long anything is waited for; each a time like `90s`, `10m` or `1h30m`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLimits {
    /// How long one turn may take.
    pub(super) turn: Option<String>,
    /// How often a turn under way says that it is.
    pub(super) heartbeat: Option<String>,
    /// After how much silence you are told.
    pub(super) idle_warning: Option<String>,
    /// How long the model may say nothing once it was asked.
    pub(super) model: Option<String>,
    /// How long an agent may say nothing while it awaits nothing.
    pub(super) silence: Option<String>,
    /// How much memory one sandbox may take: `8GB`; only in the user's own file.
    pub(super) memory: Option<String>,
    /// How many processes and threads one sandbox may have; only in the user's own file.
    pub(super) processes: Option<u64>,
    /// How much each temporary folder may hold: `4GB`; only in the user's own file.
    pub(super) temporary: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "the table of an agent; of single values only `default` stands here"
)]
pub(super) struct RawAgent {
    /// How it is spoken to; `command` is any executable.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::kind")]
    pub(super) kind: Option<AgentKind>,
    /// Program and arguments, never a shell line.
    pub(super) command: Option<Vec<String>>,
    /// The model it asks; its own choice where absent.
    pub(super) model: Option<String>,
    /// What it may do without being asked.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::permission")]
    pub(super) permission: Option<Permission>,
    /// Variables set inside its sandbox.
    pub(super) env: Option<BTreeMap<String, String>>,
    /// Variables handed through from outside, by name.
    pub(super) pass_env: Option<Vec<String>>,
    /// Places shown read-only inside its sandbox.
    pub(super) read: Option<Vec<PathBuf>>,
    /// Places shown writable inside its sandbox.
    pub(super) write: Option<Vec<PathBuf>>,
    /// Whether it reaches the network, or only its model.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::network")]
    pub(super) network: Option<AgentNetwork>,
    /// Hosts it also reaches, where `network` is `model`.
    pub(super) reach: Option<Vec<String>>,
    /// Hosts that it also reads from, where `network` is `model`.
    pub(super) registries: Option<Vec<String>>,
}

/// `[agent] default` stands beside `[agent.NAME]` tables in one TOML table.
/// Read entry by entry, so that what is wrong in one keeps its line.
impl<'de> Deserialize<'de> for RawAgents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AgentTable)
    }
}

struct AgentTable;

impl<'de> Visitor<'de> for AgentTable {
    type Value = RawAgents;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`default` and tables of agents")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<RawAgents, A::Error> {
        let mut agents = RawAgents::default();
        while let Some(name) = table.next_key::<String>()? {
            if name == "default" {
                agents.default = Some(table.next_value()?);
            } else {
                agents.agents.insert(name, table.next_value()?);
            }
        }
        Ok(agents)
    }
}

/// `[rules] packs` stands beside the ids of rules, which hold a slash. Read
/// entry by entry, so that what is wrong in one keeps its line.
impl<'de> Deserialize<'de> for RawRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RuleTable)
    }
}

struct RuleTable;

impl<'de> Visitor<'de> for RuleTable {
    type Value = RawRules;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`profile`, `packs` and levels of rules")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<RawRules, A::Error> {
        let mut rules = RawRules::default();
        while let Some(name) = table.next_key::<String>()? {
            if name == PACKS {
                rules.packs = table.next_value()?;
            } else {
                rules.chosen.insert(name, table.next_value()?);
            }
        }
        Ok(rules)
    }
}

/// The key of packs, in the table of rules.
const PACKS: &str = "packs";

/// What people write takes far less.
const MOST_BYTES: u64 = 1 << 20;

/// The text of a file, if there is one. A repository may have put a link in its
/// place that leads to what never ends.
pub(super) fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    let wrong = |why: &dyn fmt::Display| Failure::new(Exit::Usage, format!("{}: {why}", path.display()));
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(wrong(&"it is not a regular file; put one in its place")),
        Ok(about) if about.len() > MOST_BYTES => Err(wrong(&"it is larger than 1 MB: make it smaller")),
        Ok(_) => fs::read_to_string(path).map(Some).map_err(|error| wrong(&error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(&error)),
    }
}

impl Layer {
    /// The values every other layer is laid over.
    pub(super) fn built_in() -> Result<Self, Failure> {
        Self::parse(include_str!("default.toml"), "the built-in configuration")
    }

    /// The file, if there is one; it is called by its path below this checkout.
    pub(super) fn at(path: &Path, checkout: &Path) -> Result<Option<Self>, Failure> {
        let text = text_of(path)?;
        let name = path.strip_prefix(checkout).unwrap_or(path).display().to_string();
        text.map(|text| Self::parse(&text, &name)).transpose()
    }

    pub(super) fn parse(text: &str, name: &str) -> Result<Self, Failure> {
        let wrong = |error: &toml::de::Error| Failure::new(Exit::Usage, explain(error, text, name));
        let table: Table = toml::from_str(text).map_err(|error| wrong(&error))?;
        toml::from_str::<Raw>(text).map_err(|error| wrong(&error))?;
        match table.get("version") {
            None | Some(Value::Integer(1)) => Ok(Self {
                table,
                name: name.to_owned(),
            }),
            Some(other) => Err(Failure::new(
                Exit::Usage,
                format!("{name}: version {other} is not one this trueup knows; it knows version 1"),
            )),
        }
    }

    /// The first key that only a person may set, not a repository, as far as
    /// this layer sets one: its table, itself, and why.
    pub(super) fn persons_own(&self) -> Option<(&'static str, &'static str, &'static str)> {
        let is_set = |(table, key, _): &(&str, &str, &str)| {
            let table = self.table.get(*table).and_then(Value::as_table);
            table.is_some_and(|table| table.contains_key(*key))
        };
        PERSONS_OWN.into_iter().find(is_set)
    }

    /// The layer of the person's own file, whose packs lie beside it.
    pub(super) fn of_person(mut self, file: &Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new(""));
        for pack in packs(&mut self.table) {
            if let Value::String(path) = pack {
                *path = folder.join(&*path).display().to_string();
            }
        }
        self
    }

    /// Lays another layer over this one; what it says wins, table by table.
    /// Packs of all layers count: none takes away the rules of another.
    pub(super) fn merge(&mut self, mut over: Self) {
        let mut under: Vec<Value> = packs(&mut self.table).to_vec();
        let own = packs(&mut over.table);
        if !own.is_empty() {
            under.retain(|pack| !own.contains(pack));
            under.extend_from_slice(own);
        }
        merge(&mut self.table, over.table);
        if !under.is_empty()
            && let Some(Value::Table(rules)) = self.table.get_mut("rules")
        {
            rules.insert(PACKS.to_owned(), Value::Array(under));
        }
        self.name = over.name;
    }

    pub(super) fn raw(self) -> Result<Raw, Failure> {
        let name = self.name;
        Value::Table(self.table)
            .try_into()
            .map_err(|error: toml::de::Error| Failure::new(Exit::Usage, format!("{name}: {}", error.message())))
    }
}

/// The packs that a layer names.
fn packs(table: &mut Table) -> &mut [Value] {
    let rules = table.get_mut("rules").and_then(Value::as_table_mut);
    let packs = rules.and_then(|rules| rules.get_mut(PACKS));
    packs.and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

fn merge(under: &mut Table, over: Table) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// The error with its line, and the nearest key where one was mistyped.
fn explain(error: &toml::de::Error, text: &str, name: &str) -> String {
    let message = error.message();
    let place = match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or_default();
            format!("{name}:{}", before.matches('\n').count() + 1)
        }
        None => name.to_owned(),
    };
    let nearest = message
        .split_once("expected one of ")
        .or_else(|| message.split_once("expected "))
        .and_then(|(unknown, known)| {
            let unknown = unknown.split('`').nth(1)?;
            let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
            trueup_inspect::nearest::nearest(unknown, known.iter().copied())
        });
    match nearest {
        Some(nearest) => format!("{place}: {message}; did you mean `{nearest}`?"),
        None => format!("{place}: {message}"),
    }
}
