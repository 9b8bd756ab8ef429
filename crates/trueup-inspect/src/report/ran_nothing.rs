//! Whether a runner that wrote no report says that it ran no test.
//!
//! Some runners end with exit code 0 where a filter selects nothing. What they
//! print then is their own words for it, looked for line by line.

use trueup_core::kind::Runner;

/// Whether a runner said on its standard output or error that it ran no test at all.
pub fn ran_nothing(runner: Runner, printed: &str) -> bool {
    match runner {
        Runner::CargoTest => all_and_some(printed, "test result: ", |rest| rest.contains(" 0 passed; 0 failed;")),
        Runner::GoTest => {
            let is_empty = |line: &str| line.contains("[no tests to run]") || line.contains("[no test files]");
            let said = |line: &&str| {
                ["ok ", "ok\t", "FAIL", "---", "?"]
                    .iter()
                    .any(|mark| line.starts_with(mark))
            };
            let mut lines = printed.lines().filter(said).peekable();
            lines.peek().is_some() && lines.all(is_empty)
        }
        Runner::Unittest => {
            let skipped = printed
                .lines()
                .find_map(|line| line.trim().strip_prefix("OK (skipped="));
            let skipped = skipped.and_then(|rest| rest.split([',', ')']).next());
            let none = |rest: &str| {
                let count = rest.split(' ').next();
                count == Some("0") || count == skipped
            };
            all_and_some(printed, "Ran ", none)
        }
        Runner::Mocha => {
            let counts = |line: &&str| line.trim_end().ends_with(" passing") || line.contains(" passing (");
            let mut lines = printed.lines().filter(counts).peekable();
            lines.peek().is_some() && lines.all(|line| line.trim_start().starts_with("0 "))
        }
        Runner::NodeTest => {
            let count = |line: &str| {
                let plain = line.trim_start_matches(['#', '\u{2139}', ' ']);
                plain.strip_prefix("tests ").map(|count| count.trim() == "0")
            };
            let mut counts = printed.lines().filter_map(count).peekable();
            counts.peek().is_some() && counts.all(|is_none| is_none)
        }
        Runner::Vitest | Runner::Jest => {
            let none = [
                "No test files found, exiting with code 0",
                "No tests found, exiting with code 0",
            ];
            let says_none = |line: &str| none.iter().any(|said| line.starts_with(said));
            let sums = || printed.lines().filter(|line| line.trim_start().starts_with("Tests"));
            let skips = |line: &str| line.contains(" skipped") || line.contains(" todo");
            let is_empty = printed.lines().any(says_none) || sums().any(skips);
            is_empty && !sums().any(|line| line.contains(" passed"))
        }
        // Where nothing is selected it ends with an exit code of its own, but not
        // where everything is skipped.
        Runner::Pytest => {
            let sum = printed.lines().rev().map(|line| line.trim_matches(['=', ' ']));
            let mut sum = sum.filter(|line| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" in "));
            let counts = [" passed", " failed", " error", " xpassed"];
            sum.next()
                .is_some_and(|line| line.contains(" skipped") && !counts.iter().any(|count| line.contains(count)))
        }
        // This one ends with an exit code of its own.
        Runner::Nextest => false,
        Runner::Maven | Runner::Gradle | Runner::Other => false,
    }
}

/// Whether there is a line that begins so, and the rest of each of them holds.
fn all_and_some(printed: &str, begin: &str, holds: impl Fn(&str) -> bool) -> bool {
    let mut rests = printed
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(begin))
        .peekable();
    rests.peek().is_some() && rests.all(holds)
}

#[cfg(test)]
mod tests {
    use super::ran_nothing;
    use trueup_core::kind::Runner;

    #[test]
    fn a_filter_that_selects_nothing_is_heard_of_every_runner_that_ends_well() {
        let cargo = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; \
                     finished in 0.00s\n";
        for (runner, printed) in [
            (Runner::CargoTest, cargo),
            (
                Runner::GoTest,
                "ok  \texample.org/a\t0.002s [no tests to run]\n?   \texample.org/b\t[no test files]\n",
            ),
            (Runner::Unittest, "\n----\nRan 0 tests in 0.000s\n\nOK\n"),
            (Runner::Mocha, "\n\n  0 passing (1ms)\n\n"),
            (
                Runner::NodeTest,
                "\u{2139} tests 0\n\u{2139} suites 0\n\u{2139} pass 0\n",
            ),
            (Runner::NodeTest, "# tests 0\n# pass 0\n"),
            (Runner::Vitest, "No test files found, exiting with code 0\n"),
            (Runner::Jest, "No tests found, exiting with code 0\n"),
        ] {
            assert!(ran_nothing(runner, printed), "{runner:?}");
        }
    }

    #[test]
    fn what_is_skipped_did_not_run() {
        for (runner, printed) in [
            (
                Runner::Pytest,
                "tests/test_a.py s     [100%]\n\n===== 1 skipped in 0.01s =====\n",
            ),
            (Runner::Pytest, "ss\n2 skipped, 1 warning in 0.01s\n"),
            (Runner::Unittest, "ss\n----\nRan 2 tests in 0.000s\n\nOK (skipped=2)\n"),
            (
                Runner::Vitest,
                "Tests of mine are begun\nNo test files found, exiting with code 0\n",
            ),
            (
                Runner::Vitest,
                " Test Files  1 skipped (1)\n      Tests  2 skipped (2)\n",
            ),
        ] {
            assert!(ran_nothing(runner, printed), "{runner:?}");
        }
        for (runner, printed) in [
            (Runner::Pytest, "===== 1 passed, 1 skipped in 0.01s =====\n"),
            (Runner::Pytest, "===== 1 passed in 0.01s =====\n"),
            (Runner::Pytest, "1 skipped in the log of a test\n2 passed in 0.01s\n"),
            (Runner::Unittest, "Ran 3 tests in 0.000s\n\nOK (skipped=2)\n"),
            (Runner::Vitest, "      Tests  1 passed | 2 skipped (3)\n"),
        ] {
            assert!(!ran_nothing(runner, printed), "{runner:?}: {printed}");
        }
    }

    #[test]
    fn one_test_anywhere_is_enough() {
        let some = "test result: ok. 1 passed; 0 failed; 0 ignored\n";
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored\n";
        for (runner, printed) in [
            (Runner::CargoTest, format!("{some}{none}")),
            (Runner::CargoTest, String::new()),
            (Runner::GoTest, "ok  \ta\t0.002s\n?   \tb\t[no test files]\n".to_owned()),
            (Runner::Unittest, "Ran 2 tests in 0.000s\n".to_owned()),
            (Runner::Mocha, "  2 passing (1ms)\n".to_owned()),
            (Runner::NodeTest, "# tests 3\n".to_owned()),
            (
                Runner::Jest,
                "No tests found, exiting with code 0\nTests:       3 passed, 3 total\n".to_owned(),
            ),
            (Runner::Pytest, "no tests ran in 0.01s\n".to_owned()),
        ] {
            assert!(!ran_nothing(runner, &printed), "{runner:?}: {printed}");
        }
    }
}
