//! Real output of real tools is read as it was meant. Each report has its
//! expected result beside it; `TRUEUP_BLESS=1` writes them anew.

use crate::{Real, all, folder, read, told};
use serde::{Deserialize, Serialize};
use std::{env, fs};
use trueup_core::kind::{Format, ReportContents};
use trueup_inspect::report::{self, Level, Report, TestOutcome};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Expected {
    Report(Report),
    Unreadable(String),
}

fn result(real: &Real) -> Expected {
    match report::read(real.format, real.bytes.as_slice()) {
        Ok(report) => Expected::Report(report),
        Err(unreadable) => Expected::Unreadable(unreadable.why),
    }
}

#[test]
fn every_real_report_is_read_as_expected() {
    for real in all() {
        let found = result(&real);
        let path = folder().join(format!("{}.expected.json", real.name));
        if env::var_os("TRUEUP_BLESS").is_some() {
            let text = serde_json::to_string_pretty(&found).expect("JSON");
            fs::write(&path, format!("{text}\n")).expect("a place to write");
        }
        let expected = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected: Expected = serde_json::from_slice(&expected).expect("an expected result");
        assert_eq!(found, expected, "{}", real.name);
    }
}

#[test]
fn every_format_has_a_real_report() {
    let all = all();
    for (name, format) in Format::ALL {
        let mut reports = all.iter().filter(|real| real.format == format).map(result);
        let holds = |expected: Expected| match (expected, format.tells()) {
            (Expected::Report(report), ReportContents::Tests) => !report.tests.is_empty(),
            (Expected::Report(report), ReportContents::Findings) => !report.findings.is_empty(),
            (Expected::Report(report), ReportContents::Lines) => !report.lines.0.is_empty(),
            (Expected::Unreadable(_), _) => false,
        };
        assert!(reports.any(holds), "{name}");
    }
}

#[track_caller]
fn tells(name: &str, expected: &[&str]) {
    let report = read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(told(&report), expected, "{name}");
}

#[test]
fn pytest_tells_of_collection_setup_and_teardown() {
    tells(
        "pytest.junit.xml",
        &[
            "failed tests.test_broken",
            "passed tests.test_prices::test_adds",
            "failed tests.test_prices::test_fails",
            "skipped tests.test_prices::test_skipped",
            "skipped tests.test_prices::test_expected_to_fail",
            "failed tests.test_prices::test_passes_unexpectedly",
            "failed tests.test_prices::test_setup_errs",
            "failed tests.test_prices::test_teardown_errs",
            "passed tests.test_prices.TestMany::test_each[1-a]",
            "failed tests.test_prices.TestMany::test_each[2-b c]",
            "passed tests.test_prices.TestMany::test_each[3-\\xfc/::[x]\\n]",
        ],
    );
}

#[test]
fn nextest_tells_of_what_passed_at_the_second_try_as_passed() {
    tells(
        "nextest.junit.xml",
        &[
            "passed prices::tests::adds",
            "failed prices::tests::errs",
            "passed prices::tests::panics",
            "failed prices::tests::fails",
            "passed prices::whole::works",
            "passed prices::whole::flaky",
        ],
    );
}

#[test]
fn surefire_counts_every_try_and_still_tells_of_each_test_once() {
    tells(
        "surefire-price.junit.xml",
        &[
            "passed com.example.PriceTest::adds",
            "failed com.example.PriceTest::errs",
            "failed com.example.PriceTest::fails",
            "passed com.example.PriceTest::flaky",
            "skipped com.example.PriceTest::skipped",
        ],
    );
    tells(
        "surefire-many.junit.xml",
        &[
            "passed com.example.ManyTest::isNotTwo[n is 1]",
            "failed com.example.ManyTest::isNotTwo[n is 2]",
            "passed com.example.ManyTest::isNotTwo[n is 3]",
        ],
    );
    tells(
        "surefire-broken.junit.xml",
        &["failed com.example.BrokenTest::com.example.BrokenTest"],
    );
}

const VITEST: [&str; 11] = [
    "failed vt/broken.test.js::vt/broken.test.js",
    "passed vt/sum.test.js::sum > adds",
    "failed vt/sum.test.js::sum > fails & says \"why\"",
    "skipped vt/sum.test.js::sum > is skipped",
    "skipped vt/sum.test.js::sum > is to be written",
    "passed vt/sum.test.js::sum > deep > er > is positive: 1",
    "failed vt/sum.test.js::sum > deep > er > is positive: 2",
    "passed vt/sum.test.js::sum > deep > er > is positive: 3",
    "passed vt/sum.test.js::sum > is expected to fail",
    "failed vt/sum.test.js::errs",
    "passed vt/sum.test.js::flaky",
];

#[test]
fn node_tells_the_blocks_that_a_test_stands_in() {
    tells(
        "node.junit.xml",
        &[
            "passed test::cart > adds",
            "skipped test::cart > is empty",
            "failed test::cart > with a voucher > takes 1.5 % off",
            "passed test::list > adds",
            "passed test::outside",
            "passed test::parent > child",
        ],
    );
}

#[test]
fn vitest_tells_the_same_in_both_its_formats() {
    tells("vitest.junit.xml", &VITEST);
    let mut report = read("vitest.jest.json").expect("a report");
    report.relative_to("/home/someone/project/");
    let mut expected = VITEST;
    expected[0] = "failed vt/broken.test.js";
    assert_eq!(told(&report), expected);
    assert_eq!(report.tests[1].file.as_deref(), Some("vt/sum.test.js"));
}

#[test]
fn jest_tells_of_a_file_that_could_not_be_loaded() {
    let mut report = read("jest.jest.json").expect("a report");
    report.relative_to("/home/someone/project");
    assert_eq!(
        told(&report),
        [
            "passed jt/sum.test.cjs::sum > adds",
            "failed jt/sum.test.cjs::sum > fails & says \"why\"",
            "skipped jt/sum.test.cjs::sum > is skipped",
            "skipped jt/sum.test.cjs::sum > is to be written",
            "passed jt/sum.test.cjs::sum > deeper > is positive: 1",
            "failed jt/sum.test.cjs::sum > deeper > is positive: 2",
            "passed jt/sum.test.cjs::sum > deeper > is positive: 3",
            "failed jt/sum.test.cjs::errs",
            "failed jt/broken.test.cjs",
        ]
    );
    assert_eq!(report.tests[0].line, Some(3));
}

#[test]
fn go_tells_of_what_did_not_compile_and_of_what_did_not_end() {
    tells(
        "go.go.json",
        &[
            "passed example.com/prices/fine::TestFine",
            "passed example.com/prices/dies::TestBefore",
            "passed example.com/prices/prices::TestAdds",
            "failed example.com/prices/prices::TestFails",
            "skipped example.com/prices/prices::TestSkipped",
            "passed example.com/prices/prices::TestMany/n_is_1",
            "passed example.com/prices/prices::TestMany/n_is_3",
            "failed example.com/prices/prices::TestMany/n_is_2",
            "failed example.com/prices/prices::TestMany",
            "failed example.com/prices/prices::ExampleAdd",
            "failed example.com/prices/dies::TestDies",
            "failed example.com/prices/dies::TestDies/inner",
            "failed example.com/prices/broken",
        ],
    );
}

#[test]
fn cargo_test_tells_of_units_files_and_documentation() {
    tells(
        "cargo-test.libtest.txt",
        &[
            "passed src/lib.rs::tests::adds",
            "failed src/lib.rs::tests::errs",
            "passed src/lib.rs::tests::panics",
            "skipped src/lib.rs::tests::skipped",
            "failed src/lib.rs::tests::fails",
            "passed tests/whole.rs::flaky",
            "passed tests/whole.rs::works",
            "passed src/lib.rs - add (2)",
            "passed src/lib.rs - add",
            "failed src/lib.rs - sub",
        ],
    );
    let report = read("cargo-test.libtest.txt").expect("a report");
    let fails = &report.tests[4];
    assert!(fails.message.contains("sum differs"), "{}", fails.message);
    assert_eq!(fails.line, Some(36));
}

#[test]
fn an_example_is_the_same_wherever_its_line_went() {
    let told = |lines: [&str; 2]| {
        let text = format!(
            "running 2 tests\ntest src/lib.rs - Price<A, B>::add (line {}) ... ok\n\
             test src/lib.rs - Price<A, B>::add (line {}) - should panic ... ok\n\n\
             test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n",
            lines[0], lines[1]
        );
        let tests = report::read(Format::Libtest, text.as_bytes()).expect("a report").tests;
        let told = tests.into_iter().map(|test| (test.id, test.file, test.line));
        told.collect::<Vec<_>>()
    };
    let id = |which: &str| format!("src/lib.rs - Price<A, B>::add{which}");
    let file = || Some("src/lib.rs".to_owned());
    assert_eq!(
        told(["9", "14"]),
        [(id(""), file(), Some(9)), (id(" (2)"), file(), Some(14))]
    );
    let above = "running 1 test\ntest src/lib.rs - (line 3) ... ok\n\n\
                 test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
    let above = report::read(Format::Libtest, above.as_bytes()).expect("a report").tests;
    assert_eq!(
        (above[0].id.as_str(), above[0].file.clone()),
        ("src/lib.rs - (1)", file())
    );
    // By its number, not by how that is spelled.
    assert_eq!(
        told(["104", "31"]),
        [(id(" (2)"), file(), Some(104)), (id(""), file(), Some(31))]
    );
}

#[test]
fn an_example_that_is_only_compiled_did_not_run() {
    let text = "running 2 tests\ntest src/lib.rs - add (line 3) ... ok\n\
                test src/lib.rs - sub (line 9) - compile ... ok\n\n\
                test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
    let report = report::read(Format::Libtest, text.as_bytes()).expect("a report");
    let ran: Vec<TestOutcome> = report.tests.iter().map(|test| test.outcome).collect();
    assert_eq!(ran, [TestOutcome::Passed, TestOutcome::Skipped]);
}

#[track_caller]
fn finds(name: &str, expected: &[(&str, Option<u32>, &str, Level)]) {
    let mut report = read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    report.relative_to("/home/someone/project");
    let findings = report.findings.iter();
    let found: Vec<_> = findings
        .map(|finding| {
            (
                finding.path.as_str(),
                finding.line,
                finding.rule.as_str(),
                finding.level,
            )
        })
        .collect();
    assert_eq!(found, expected, "{name}");
}

#[test]
fn linters_and_compilers_tell_where_and_by_which_rule() {
    finds(
        "eslint.eslint.json",
        &[
            ("src/broken.js", Some(1), "", Level::Error),
            ("src/sum.js", Some(2), "no-var", Level::Warning),
            ("src/sum.js", Some(2), "no-unused-vars", Level::Error),
            ("src/sum.js", Some(2), "semi", Level::Error),
        ],
    );
    finds(
        "clippy.cargo.json",
        &[
            ("src/lib.rs", Some(11), "unused_variables", Level::Warning),
            ("src/lib.rs", Some(12), "clippy::needless_return", Level::Warning),
        ],
    );
    finds("build.cargo.json", &[("src/lib.rs", Some(12), "E0425", Level::Error)]);
    finds("ruff-clean.sarif.json", &[]);
}

#[test]
fn coverage_tells_which_lines_were_reached() {
    let report = read("pytest-cov.lcov.info").expect("a report");
    let lines = &report.lines.0["prices/__init__.py"];
    let missed: Vec<u32> = lines
        .iter()
        .filter(|(_, hits)| **hits == 0)
        .map(|(line, _)| *line)
        .collect();
    assert_eq!((lines.len(), missed), (7, vec![11]));
}

/// Each is what a tool wrote when nothing was selected, and ended with success or not.
#[test]
fn a_report_of_nothing_holds_no_tests() {
    for name in ["pytest-none.junit.xml", "jest-none.jest.json", "go-none.go.json"] {
        assert!(read(name).expect("a report").tests.is_empty(), "{name}");
    }
}

/// The tool itself ended with success; what it printed stops in mid-sentence.
#[test]
fn a_test_that_ends_the_process_leaves_a_report_that_is_cut_off() {
    let why = read("cargo-test-exits.libtest.txt").expect_err("cut off").why;
    assert!(why.contains("cut off"), "{why}");
}
