//! eslint's JSON.

use super::{
    Finding, Level, MOST_FINDINGS, Report, Unreadable,
    gathered::ReportBuilder,
    json::{AtMost, document},
};
use serde::Deserialize;
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Linted {
    file_path: String,
    messages: AtMost<Complaint, MOST_FINDINGS>,
    error_count: u64,
    warning_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Complaint {
    #[serde(default)]
    rule_id: Option<String>,
    severity: u8,
    #[serde(default)]
    fatal: bool,
    message: String,
    #[serde(default)]
    line: Option<u32>,
}

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let files: AtMost<Linted, 500_000> = document(source, "eslint")?;
    if files.0.is_empty() {
        return Err(Unreadable::because("it is empty: eslint looked at no file"));
    }
    let mut gathered = ReportBuilder::default();
    for file in files.0 {
        let (mut errors, mut warnings) = (0, 0);
        for message in file.messages.0 {
            let level = match (message.severity, message.fatal) {
                (1, false) => Level::Warning,
                (_, _) => Level::Error,
            };
            match level {
                Level::Error => errors += 1,
                Level::Warning | Level::Note => warnings += 1,
            }
            gathered.finding(Finding {
                path: file.file_path.clone(),
                line: message.line.filter(|line| *line > 0),
                rule: message.rule_id.unwrap_or_default(),
                level,
                message: message.message,
            })?;
        }
        if file.error_count > errors || file.warning_count > warnings {
            return Err(Unreadable::because("eslint counts more than it lists"));
        }
    }
    Ok(gathered.done())
}
