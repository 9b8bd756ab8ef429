//! The JSON of jest, which vitest writes too.
//!
//! A file that failed without a failed test could not be loaded: it is a failed
//! test with the file's name. So is a run that says of itself that it failed.

use super::{
    MOST_TESTS, Report, Test, TestOutcome, Unreadable,
    gathered::ReportBuilder,
    json::{AtMost, document},
};
use serde::Deserialize;
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    success: bool,
    num_failed_tests: u64,
    #[serde(default)]
    num_failed_test_suites: u64,
    test_results: AtMost<Suite, MOST_TESTS>,
    #[serde(default)]
    was_interrupted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suite {
    #[serde(default)]
    name: String,
    status: String,
    #[serde(default)]
    message: Option<String>,
    assertion_results: AtMost<Assertion, MOST_TESTS>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(default)]
    ancestor_titles: AtMost<String, 256>,
    title: String,
    status: String,
    #[serde(default)]
    failure_messages: Option<AtMost<String, 256>>,
    #[serde(default)]
    location: Option<Location>,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
}

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let run: Run = document(source, "jest or vitest")?;
    let mut gathered = ReportBuilder::default();
    let (mut failures, mut failed_suites) = (0, 0);
    for suite in run.test_results.0 {
        let mut here: u64 = 0;
        for assertion in suite.assertion_results.0 {
            let test = test(&suite.name, assertion)?;
            here += u64::from(test.outcome == TestOutcome::Failed);
            gathered.test(test)?;
        }
        failures += here;
        if suite.status == "failed" && here == 0 {
            gathered.failed(&suite.name, suite.message.unwrap_or_default())?;
        }
        failed_suites += u64::from(suite.status == "failed");
    }
    // vitest counts every `describe` that holds a failure as a suite.
    let told = failures + failed_suites > 0;
    let says = !run.success || run.num_failed_test_suites > 0;
    if run.num_failed_tests > failures || (says && !told) || run.was_interrupted {
        let why = "the report says that the run failed, and does not list every failure";
        gathered.failed("the whole run", why)?;
    }
    Ok(gathered.done())
}

fn test(file: &str, assertion: Assertion) -> Result<Test, Unreadable> {
    let outcome = match assertion.status.as_str() {
        "passed" => TestOutcome::Passed,
        "failed" => TestOutcome::Failed,
        "pending" | "skipped" | "todo" | "disabled" => TestOutcome::Skipped,
        other => {
            return Err(Unreadable::because(format!(
                "a test ended in a way that is unknown: {other:.40}"
            )));
        }
    };
    // What passed at a later try has failures too.
    let message = match outcome {
        TestOutcome::Failed => assertion.failure_messages.unwrap_or_default().0.join("\n"),
        TestOutcome::Passed | TestOutcome::Skipped => String::new(),
    };
    let mut titles = assertion.ancestor_titles.0;
    // vitest calls what stands around everything by an empty name.
    titles.retain(|title| !title.is_empty());
    titles.push(assertion.title);
    Ok(Test {
        id: format!("{file}::{}", titles.join(" > ")),
        outcome,
        file: Some(file.to_owned()),
        line: assertion.location.map(|location| location.line),
        message,
    })
}
