//! Checks that ask for tests: one by its name, or those that the run itself
//! writes or changes.

use super::{
    asked_reports,
    context::Context,
    kinds::{Fitting, in_check},
    syntax::code_span,
};
use crate::{nearest::nearest, problem::Complaint, rules};
use trueup_core::{
    criterion::{CheckMethod, Execution},
    kind::{Kind, ReportContents},
};

const TEST_FORM: &str = "write `test NAME`, `test NAME of this run`, or either with `in CHECK`";
const RUN_FORM: &str = "write `tests of this run`, or `tests of this run in CHECK`";

/// What says that a test is meant as the run leaves it.
const OF_RUN: &str = "of this run";

/// What stands behind a name, with the check that runs it.
enum After {
    Plain(Option<String>),
    OfRun(Option<String>),
}
use After::{OfRun, Plain};

/// `test NAME`, `test NAME of this run`, each with `in CHECK`.
pub(super) fn test(rest: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    let (name, after) = if rest.starts_with('`') {
        let (name, rest) = code_span(rest)?;
        match rest.strip_prefix(OF_RUN) {
            Some(rest) => (name, OfRun(in_check(rest.trim())?)),
            None => (name, Plain(in_check(rest)?)),
        }
    } else {
        bare_test(rest, context)?
    };
    if name.trim().is_empty() {
        return Err(Complaint::new("the line does not say which test").hint(TEST_FORM));
    }
    match after {
        Plain(of) => {
            let (of, execution) = reporting(of, "test NAME", context)?;
            Ok(CheckMethod::Test { name, of, execution })
        }
        OfRun(of) => of_run(Some(name), of, context),
    }
}

/// `tests of this run`, also with `in CHECK`.
pub(super) fn run_tests(rest: &str, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    let wrong = || Complaint::new(format!("`tests {rest}` does not say which tests")).hint(RUN_FORM);
    let rest = rest.strip_prefix(OF_RUN).ok_or_else(wrong)?;
    of_run(None, in_check(rest.trim())?, context)
}

fn of_run(name: Option<String>, of: Option<String>, context: &Context<'_>) -> Result<CheckMethod, Complaint> {
    let (of, execution) = reporting(of, "tests of this run", context)?;
    Ok(CheckMethod::RunTests {
        name,
        of,
        since: None,
        execution,
    })
}

/// The check that tells how its tests ended.
fn reporting(of: Option<String>, again: &str, context: &Context<'_>) -> Result<(String, Execution), Complaint> {
    let runs_tests = |name: &str, execution: &Execution| {
        execution
            .parse
            .is_some_and(|format| format.tells() == ReportContents::Tests)
            && matches!(kind(name, execution), Kind::Tests(_))
    };
    let fitting = Fitting {
        fits: &runs_tests,
        what: "tells how its tests ended",
        lacking: &|| asked_reports::of_tests(context),
        again,
    };
    fitting.only(of, context)
}

/// A name without backticks goes to the end of the line, to the check that is
/// named there, or to where it is said to be of the run.
fn bare_test(rest: &str, context: &Context<'_>) -> Result<(String, After), Complaint> {
    let (name, of) = match rest.rsplit_once(" in ") {
        Some((name, last)) if context.definitions.contains_key(last.trim()) => (name, Some(last.trim().to_owned())),
        Some((_, last)) => {
            let last = last.trim();
            let known = context.definitions.keys().map(String::as_str);
            if let Some(near) = nearest(last, known).filter(|_| !last.contains(' ')) {
                let hint = format!("did you mean `{near}`? A test's name that ends like this stands in backticks");
                return Err(Complaint::new(format!("there is no `[checks.{last}]`")).hint(hint));
            }
            (rest, None)
        }
        None => (rest, None),
    };
    let name = name.trim();
    Ok(match name.strip_suffix(OF_RUN) {
        Some(name) => (name.trim().to_owned(), OfRun(of)),
        None => (name.to_owned(), Plain(of)),
    })
}

/// The kind of a named check, as far as it can be told without any file.
fn kind(name: &str, execution: &Execution) -> Kind {
    rules::kind(name, execution.parse, &execution.argv, &|_| None)
}
