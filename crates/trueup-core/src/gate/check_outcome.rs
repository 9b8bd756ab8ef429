//! What an execution means: its exit code together with what it reported.

use crate::{
    criterion::{Check, CheckMethod, Execution, Measured, Role},
    evidence::{CheckOutcome, Tally},
    judge::counted,
    kind::{Ratchet, ReportContents},
};
use alloc::{
    format,
    string::{String, ToString},
};

/// What became of a check's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is not asked for one.
    None,
    /// It is not asked for one, and says that it ran no test.
    NoTest,
    /// There is none, or it cannot be read; why, in a sentence.
    Unreadable(String),
    /// It holds this.
    Read(Tally),
}

/// What a program that ran to its end showed. An exit code alone is believed
/// only of checks that have no report.
pub fn saw(check: &Check, exit: i32, reading: &Reading) -> CheckOutcome {
    let Some(execution) = check.execution() else {
        return cannot("it runs no program");
    };
    let tally = match (reading, execution.parse) {
        (Reading::None, None) => return by_exit(exit),
        (Reading::NoTest, None) => return red(exit, "no test ran"),
        (Reading::Read(_), None) | (Reading::None | Reading::NoTest, Some(_)) => {
            return cannot("its report was not looked for");
        }
        // A program that failed may well have written no report.
        (Reading::Unreadable(why), _) if exit != 0 => return red(exit, why),
        (Reading::Unreadable(why), _) => return cannot(why),
        (Reading::Read(tally), Some(_)) => tally,
    };
    match &check.how {
        CheckMethod::Test { name, .. } => one_test(name, exit, tally),
        CheckMethod::RunTests { name, .. } => run_tests(name.as_deref(), exit, tally),
        CheckMethod::Coverage { of, least, .. } => coverage(check.role, of, *least, exit, tally),
        CheckMethod::Command(_) | CheckMethod::Named { .. } | CheckMethod::Http { .. } => whole(execution, exit, tally),
        CheckMethod::FileExists { .. }
        | CheckMethod::FileHas { .. }
        | CheckMethod::NoneIn { .. }
        | CheckMethod::InScope { .. }
        | CheckMethod::Manual { .. } => cannot("it runs no program"),
    }
}

/// One test: it ran and passed. What became of others is theirs to show.
fn one_test(name: &str, exit: i32, tally: &Tally) -> CheckOutcome {
    let named = tally.named;
    if named.failed > 0 {
        red(exit, &format!("`{name}` failed"))
    } else if named.skipped > 0 {
        red(exit, &format!("`{name}` was skipped"))
    } else if named.passed == 0 {
        red(exit, &format!("no test called `{name}` ran{}", near(&tally.near)))
    } else {
        CheckOutcome::Passed
    }
}

/// Whether the tests that a check asks for are not there, where every test that
/// is there ran and passed, and the program says so as well.
pub fn is_absent(check: &Check, saw: &CheckOutcome, tally: Option<&Tally>) -> bool {
    let ended_well = matches!(saw, CheckOutcome::Failed { exit: Some(0), .. });
    let asks = matches!(check.how, CheckMethod::Test { .. } | CheckMethod::RunTests { .. });
    asks && ended_well && tally.is_some_and(|tally| tally.named.is_none() && tally.passed > 0 && tally.failed == 0)
}

/// The run's own tests: at least one ran, and none failed. One that is skipped
/// here shows nothing, unless it was asked for.
fn run_tests(name: Option<&str>, exit: i32, tally: &Tally) -> CheckOutcome {
    let named = tally.named;
    if named.failed > 0 {
        return red(exit, &counted(named.failed as usize));
    }
    match name {
        Some(name) if named.skipped > 0 => red(exit, &format!("`{name}` was skipped")),
        Some(name) if named.passed == 0 => red(
            exit,
            &format!("no test called `{name}` was written or changed by this run"),
        ),
        None if named.passed == 0 => red(exit, "no test was written or changed by this run"),
        Some(_) | None => CheckOutcome::Passed,
    }
}

/// The tests that a name may have meant.
fn near(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("; near are {}", names.join(", ")),
    }
}

fn whole(execution: &Execution, exit: i32, tally: &Tally) -> CheckOutcome {
    let tells = execution.parse.map(crate::kind::Format::tells);
    match tells {
        Some(ReportContents::Tests) if tally.failed > 0 => red(exit, &format!("{} tests failed", tally.failed)),
        Some(ReportContents::Tests) if tally.passed == 0 => red(exit, "no test ran"),
        Some(ReportContents::Lines) if tally.lines == 0 => red(exit, "the report knows no line"),
        Some(ReportContents::Findings) => findings(execution.ratchet, exit, tally),
        Some(ReportContents::Tests | ReportContents::Lines) | None => by_exit(exit),
    }
}

/// A linter says by its exit code that it found something. Where only what is
/// new counts, that says nothing; where it found nothing, it does.
fn findings(ratchet: Ratchet, exit: i32, tally: &Tally) -> CheckOutcome {
    match ratchet {
        Ratchet::None if tally.findings > 0 => red(exit, &format!("{} findings", tally.findings)),
        Ratchet::None => by_exit(exit),
        Ratchet::NoNew if tally.new_findings > 0 => red(exit, &format!("{} new findings", tally.new_findings)),
        Ratchet::NoNew if tally.findings > 0 => CheckOutcome::Passed,
        Ratchet::NoNew => by_exit(exit),
    }
}

fn coverage(role: Role, of: &Measured, least: u32, exit: i32, tally: &Tally) -> CheckOutcome {
    if exit != 0 {
        return by_exit(exit);
    }
    if tally.lines == 0 {
        return match (of, role) {
            // Nothing was changed that could be reached: that breaks no promise
            // and keeps none.
            (Measured::Changed { .. }, Role::Guard) => CheckOutcome::Passed,
            (Measured::Changed { .. }, Role::Goal) => red(exit, "no line was changed that tests could reach"),
            (Measured::All, _) => red(exit, "the report knows no line"),
        };
    }
    let share = u64::from(tally.reached) * 10_000 / u64::from(tally.lines);
    if share >= u64::from(least) {
        return CheckOutcome::Passed;
    }
    let percent = |hundredths: u64| format!("{}.{:02} %", hundredths / 100, hundredths % 100);
    let told = format!(
        "{} of {} lines are reached, {}; {} are asked for",
        tally.reached,
        tally.lines,
        percent(share),
        percent(u64::from(least))
    );
    red(exit, &told)
}

const fn by_exit(exit: i32) -> CheckOutcome {
    match exit {
        0 => CheckOutcome::Passed,
        exit => CheckOutcome::Failed {
            exit: Some(exit),
            why: None,
        },
    }
}

fn red(exit: i32, why: &str) -> CheckOutcome {
    CheckOutcome::Failed {
        exit: Some(exit),
        why: Some(why.to_string()),
    }
}

fn cannot(why: &str) -> CheckOutcome {
    CheckOutcome::CannotRun { why: why.to_string() }
}
