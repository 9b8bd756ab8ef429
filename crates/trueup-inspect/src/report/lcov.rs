//! LCOV: which lines were reached, file by file.

use super::{
    Report, Unreadable,
    bound::Bounded,
    gathered::{ReportBuilder, cut},
};
use std::io::BufRead;

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let mut source = Bounded::of_pieces(source);
    let mut buffer = Vec::new();
    let mut gathered = ReportBuilder::default();
    let mut open: Option<String> = None;
    let mut files = 0_usize;
    while let Some(line) = source.line(&mut buffer)? {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        match (line.split_once(':'), &open) {
            (None, _) if line.is_empty() || line.starts_with('#') => {}
            (None, Some(_)) if line == "end_of_record" => open = None,
            (Some(("SF", file)), None) if !file.is_empty() => {
                open = Some(gathered.file(file)?);
                files += 1;
            }
            (Some(("DA", hit)), Some(file)) => {
                let (line, hits) = reached(hit).ok_or_else(|| unknown(line))?;
                gathered.line(file, line, hits)?;
            }
            (Some(("TN", _)), None) => {}
            (Some((key, _)), Some(_)) if key != "SF" && is_key(key) => {}
            (_, _) => return Err(unknown(line)),
        }
    }
    match (open, files) {
        (Some(_), _) => Err(Unreadable::because("it is cut off: a file began in it and did not end")),
        (None, 0) => Err(Unreadable::because("it is empty: it tells of no file")),
        (None, _) => Ok(gathered.done()),
    }
}

/// `LINE,HITS`, with a checksum perhaps. What counts below zero was not reached.
fn reached(hit: &str) -> Option<(u32, u64)> {
    let mut parts = hit.split(',');
    let line = parts.next()?.trim().parse().ok()?;
    let hits = parts.next()?.trim();
    match hits.strip_prefix('-') {
        Some(below) => below.parse().ok().map(|_: u64| (line, 0)),
        None => hits.parse().ok().map(|hits| (line, hits)),
    }
}

fn is_key(key: &str) -> bool {
    (2..=6).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn unknown(line: &str) -> Unreadable {
    Unreadable::because(format!("a line of it is no LCOV: {:?}", cut(line, 80)))
}
