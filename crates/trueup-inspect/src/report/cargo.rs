//! `cargo --message-format=json`: one message a line, among what else is printed.

use super::{Finding, Level, Report, Unreadable, bound::Bounded, gathered::ReportBuilder, json::AtMost};
use serde::Deserialize;
use std::{collections::BTreeSet, io::BufRead};
use trueup_core::digest::Digest;

#[derive(Deserialize)]
struct Line {
    reason: String,
    #[serde(default)]
    message: Option<Diagnostic>,
    #[serde(default)]
    success: Option<bool>,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default)]
    spans: AtMost<Span, 100_000>,
    #[serde(default)]
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    #[serde(default)]
    is_primary: bool,
}

/// Whether the build that is being told of has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Build {
    None,
    UnderWay,
    Ended,
}

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let mut source = Bounded::of_pieces(source);
    let mut buffer = Vec::new();
    let mut gathered = ReportBuilder::default();
    let mut build = Build::None;
    let mut known = BTreeSet::new();
    let mut errors = 0_usize;
    while let Some(line) = source.line(&mut buffer)? {
        if !line.starts_with(b"{\"reason\":") {
            continue;
        }
        let line: Line = serde_json::from_slice(line)
            .map_err(|error| Unreadable::because(format!("a line of it is no message of cargo: {error}")))?;
        if line.reason == "build-finished" {
            build = Build::Ended;
            if line.success != Some(true) && errors == 0 {
                errors += 1;
                gathered.finding(build_failed())?;
            }
            continue;
        }
        build = Build::UnderWay;
        let Some(finding) = line.message.and_then(finding) else {
            continue;
        };
        errors += usize::from(finding.level == Level::Error);
        // What is compiled for itself and for its tests is told of twice.
        let place = format!("{}:{:?}", finding.path, finding.line);
        let fields = [place.as_str(), &finding.rule, &finding.message];
        if known.insert(Digest::of_fields(fields.map(str::as_bytes))) {
            gathered.finding(finding)?;
        }
    }
    match build {
        Build::Ended => Ok(gathered.done()),
        Build::UnderWay => Err(Unreadable::because("it is cut off: the build did not end")),
        Build::None => Err(Unreadable::because("it holds no message of cargo")),
    }
}

fn build_failed() -> Finding {
    Finding {
        path: String::new(),
        line: None,
        rule: "build".to_owned(),
        level: Level::Error,
        message: "cargo says that the build failed, and not why".to_owned(),
    }
}

fn finding(diagnostic: Diagnostic) -> Option<Finding> {
    let level = match diagnostic.level.as_str() {
        "warning" => Level::Warning,
        "note" | "help" => Level::Note,
        "failure-note" => return None,
        _ => Level::Error,
    };
    let spans = diagnostic.spans.0;
    if spans.is_empty() && diagnostic.code.is_none() && is_sum(&diagnostic.message) {
        return None;
    }
    let span = spans.iter().find(|span| span.is_primary).or(spans.first());
    Some(Finding {
        path: span.map(|span| span.file_name.clone()).unwrap_or_default(),
        line: span.map(|span| span.line_start),
        rule: diagnostic.code.map(|code| code.code).unwrap_or_default(),
        level,
        message: diagnostic.rendered.unwrap_or(diagnostic.message),
    })
}

/// The compiler's last words only count the others.
fn is_sum(message: &str) -> bool {
    message.starts_with("aborting due to ")
        || message.ends_with(" warning emitted")
        || message.ends_with(" warnings emitted")
}
