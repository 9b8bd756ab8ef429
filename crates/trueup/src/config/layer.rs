//! One configuration file: parsed, its keys checked, ready to be laid over
//! the ones before it.

use super::Allowed;
use crate::exit::{Exit, Failure};
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

/// One configuration file, or several laid over each other.
pub(super) struct Layer {
    table: Table,
    name: String,
}

/// The keys, as files spell them. All are optional: a layer may say little.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    #[expect(dead_code, reason = "checked when the layer is read; nothing else depends on it yet")]
    version: Option<u32>,
    pub(super) project: Option<RawProject>,
    pub(super) agent: Option<RawAgents>,
    pub(super) checks: Option<BTreeMap<String, RawCheck>>,
    pub(super) sandbox: Option<RawSandbox>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawProject {
    pub(super) base: Option<String>,
    pub(super) tasks: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSandbox {
    pub(super) read: Option<Vec<PathBuf>>,
}

/// The default agent's name, and every agent by name.
#[derive(Default)]
pub(super) struct RawAgents {
    pub(super) default: Option<String>,
    pub(super) agents: BTreeMap<String, RawAgent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCheck {
    pub(super) run: Option<String>,
    pub(super) timeout: Option<String>,
    pub(super) network: Option<Allowed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAgent {
    pub(super) kind: Option<String>,
    pub(super) command: Option<Vec<String>>,
    pub(super) env: Option<BTreeMap<String, String>>,
    pub(super) pass_env: Option<Vec<String>>,
    pub(super) read: Option<Vec<PathBuf>>,
    pub(super) write: Option<Vec<PathBuf>>,
    pub(super) network: Option<Allowed>,
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

impl Layer {
    /// The values every other layer is laid over.
    pub(super) fn built_in() -> Result<Self, Failure> {
        Self::parse(include_str!("default.toml"), "the built-in configuration")
    }

    /// The file, if there is one.
    pub(super) fn at(path: &Path) -> Result<Option<Self>, Failure> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, &path.display().to_string()).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::new(Exit::Usage, format!("{}: {error}", path.display()))),
        }
    }

    fn parse(text: &str, name: &str) -> Result<Self, Failure> {
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

    /// Lays another layer over this one; what it says wins, table by table.
    pub(super) fn merge(&mut self, over: Self) {
        merge(&mut self.table, over.table);
        self.name = over.name;
    }

    pub(super) fn raw(self) -> Result<Raw, Failure> {
        let name = self.name;
        Value::Table(self.table)
            .try_into()
            .map_err(|error: toml::de::Error| Failure::new(Exit::Usage, format!("{name}: {}", error.message())))
    }
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
