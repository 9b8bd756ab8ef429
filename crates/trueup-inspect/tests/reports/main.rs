//! What tools wrote: read as they meant it, refused where it is not whole, and
//! bounded whatever it is.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says what it measured"
)]

mod fuzz;
mod golden;
mod judged;
mod large;
mod mutation;
mod refused;

use std::{fs, path::PathBuf};
use trueup_core::kind::Format;
use trueup_inspect::report::{self, Report, TestOutcome, Unreadable};

/// What a real tool wrote about a small project. Its name is `TOOL.FORMAT.END`.
struct Real {
    name: String,
    format: Format,
    bytes: Vec<u8>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reports/real")
}

/// Everything real tools wrote.
fn all() -> Vec<Real> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .expect("the folder of real reports")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| !name.ends_with(".expected.json"))
        .collect();
    names.sort();
    names.into_iter().map(|name| real(&name)).collect()
}

fn real(name: &str) -> Real {
    let format = name.split('.').nth(1).expect("a format in the name");
    let (_, format) = Format::ALL
        .into_iter()
        .find(|(known, _)| *known == format)
        .expect("a known format");
    Real {
        name: name.to_owned(),
        format,
        bytes: fs::read(folder().join(name)).expect("a real report"),
    }
}

fn read(name: &str) -> Result<Report, Unreadable> {
    let real = real(name);
    report::read(real.format, real.bytes.as_slice())
}

/// Every test of a report in one line each.
fn told(report: &Report) -> Vec<String> {
    let tests = report.tests.iter();
    tests
        .map(|test| {
            let outcome = match test.outcome {
                TestOutcome::Passed => "passed",
                TestOutcome::Failed => "failed",
                TestOutcome::Skipped => "skipped",
            };
            format!("{outcome} {}", test.id)
        })
        .collect()
}
