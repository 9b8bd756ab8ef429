//! SARIF, as far as it tells what was found and where.

use super::{
    Finding, Level, MOST_FINDINGS, Report, Unreadable,
    gathered::{ReportBuilder, cut},
    json::{AtMost, document},
};
use serde::Deserialize;
use std::{collections::BTreeMap, io::BufRead};

#[derive(Deserialize)]
struct Log {
    version: String,
    runs: AtMost<Run, 1000>,
}

#[derive(Deserialize)]
struct Run {
    /// Missing or null where the tool did not get so far as to look.
    results: Option<AtMost<Entry, MOST_FINDINGS>>,
    #[serde(default)]
    tool: Tool,
    #[serde(default)]
    invocations: Option<AtMost<Invocation, 1000>>,
}

#[derive(Default, Deserialize)]
struct Tool {
    #[serde(default)]
    driver: Driver,
}

#[derive(Default, Deserialize)]
struct Driver {
    #[serde(default)]
    rules: Option<AtMost<Rule, MOST_FINDINGS>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    #[serde(default)]
    default_configuration: Option<Configuration>,
}

#[derive(Deserialize)]
struct Configuration {
    #[serde(default)]
    level: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(default)]
    rule_id: Option<String>,
    #[serde(default)]
    rule_index: Option<i64>,
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    baseline_state: Option<String>,
    #[serde(default)]
    message: Said,
    #[serde(default)]
    locations: Option<AtMost<Location, 10_000>>,
    #[serde(default)]
    suppressions: Option<AtMost<Suppression, 10_000>>,
}

#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(default)]
    physical_location: Option<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[serde(default)]
    artifact_location: Option<Where>,
    #[serde(default)]
    region: Option<Region>,
}

#[derive(Deserialize)]
struct Where {
    #[serde(default)]
    uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    #[serde(default)]
    start_line: Option<u32>,
}

#[derive(Deserialize)]
struct Suppression {
    #[serde(default)]
    status: Option<String>,
}

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let log: Log = document(source, "SARIF")?;
    if !log.version.starts_with("2.") {
        let version = cut(&log.version, 20);
        return Err(Unreadable::because(format!(
            "it is SARIF of version {version:?}, not 2"
        )));
    }
    if log.runs.0.is_empty() {
        return Err(Unreadable::because("it is empty: it tells of no run"));
    }
    let mut gathered = ReportBuilder::default();
    for run in log.runs.0 {
        let Some(results) = run.results else {
            return Err(Unreadable::because("a run in it has no results"));
        };
        let rules = run.tool.driver.rules.unwrap_or_default().0;
        let levels: BTreeMap<&str, &Rule> = rules.iter().map(|rule| (rule.id.as_str(), rule)).collect();
        for entry in results.0.into_iter().filter(counts) {
            let at = entry.rule_index.and_then(|at| usize::try_from(at).ok());
            let rule = match &entry.rule_id {
                Some(id) => levels.get(id.as_str()).copied(),
                None => at.and_then(|at| rules.get(at)),
            };
            gathered.finding(finding(&entry, rule))?;
        }
        let mut invocations = run.invocations.unwrap_or_default().0.into_iter();
        if invocations.any(|invocation| !invocation.execution_successful) {
            gathered.finding(Finding {
                path: String::new(),
                line: None,
                rule: "execution".to_owned(),
                level: Level::Error,
                message: "the tool says of itself that it did not succeed".to_owned(),
            })?;
        }
    }
    Ok(gathered.done())
}

/// Whether an entry tells of something wrong that is there and not accepted.
fn counts(entry: &Entry) -> bool {
    let fails = entry
        .kind
        .as_deref()
        .is_none_or(|kind| matches!(kind, "fail" | "open" | "review"));
    let suppressions = entry
        .suppressions
        .as_ref()
        .map(|list| list.0.as_slice())
        .unwrap_or_default();
    let accepted = |suppression: &Suppression| suppression.status.as_deref().is_none_or(|status| status == "accepted");
    fails
        && entry.baseline_state.as_deref() != Some("absent")
        && (suppressions.is_empty() || !suppressions.iter().all(accepted))
}

fn finding(entry: &Entry, rule: Option<&Rule>) -> Finding {
    let usual = rule
        .and_then(|rule| rule.default_configuration.as_ref())
        .and_then(|configuration| configuration.level.as_deref());
    let level = match entry.level.as_deref().or(usual) {
        Some("error") => Level::Error,
        Some("note" | "none") => Level::Note,
        _ => Level::Warning,
    };
    let place = entry
        .locations
        .as_ref()
        .and_then(|list| list.0.first())
        .and_then(|location| location.physical_location.as_ref());
    let uri = place
        .and_then(|place| place.artifact_location.as_ref())
        .and_then(|artifact| artifact.uri.as_deref());
    let said = entry.message.text.as_deref().or(entry.message.id.as_deref());
    Finding {
        path: uri.map(path).unwrap_or_default(),
        line: place
            .and_then(|place| place.region.as_ref())
            .and_then(|region| region.start_line),
        rule: entry
            .rule_id
            .clone()
            .or_else(|| rule.map(|rule| rule.id.clone()))
            .unwrap_or_default(),
        level,
        message: said.unwrap_or_default().to_owned(),
    }
}

/// The path that a URI spells.
fn path(uri: &str) -> String {
    let uri = uri.strip_prefix("file://").unwrap_or(uri);
    let mut parts = uri.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (byte, part.get(2..)) {
            (Some(byte), Some(rest)) => {
                bytes.push(byte);
                bytes.extend_from_slice(rest.as_bytes());
            }
            (_, _) => {
                bytes.push(b'%');
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
