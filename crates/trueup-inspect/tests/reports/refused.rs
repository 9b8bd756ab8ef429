//! What is not whole, or is something else, is refused: it never becomes a
//! report in which nothing failed.

use crate::{all, real};
use std::io::{BufReader, Read};
use trueup_core::kind::Format;
use trueup_inspect::report::{self, MOST_BYTES, MOST_DEPTH, MOST_ID, MOST_MESSAGE, MOST_TESTS, TestOutcome};

fn why(format: Format, text: &str) -> String {
    match report::read(format, text.as_bytes()) {
        Ok(report) => panic!("it was read as {report:?}: {text:.200}"),
        Err(unreadable) => unreadable.why,
    }
}

#[test]
fn nothing_at_all_is_refused_in_every_format() {
    for (name, format) in Format::ALL {
        for text in [
            "",
            "\n",
            "   \n\n",
            "\u{feff}",
            "\0",
            "words that mean nothing\n",
            "{",
            "[",
            "<",
            "null",
            "{}",
            "[]",
        ] {
            assert!(!why(format, text).is_empty(), "{name}: {text:?}");
        }
    }
}

#[test]
fn a_report_of_another_format_is_refused() {
    for real in all() {
        for (name, format) in Format::ALL {
            let lines = matches!(format, Format::Libtest | Format::Go | Format::Cargo);
            if format != real.format && !(lines && real.name.ends_with(".txt")) {
                assert!(
                    report::read(format, real.bytes.as_slice()).is_err(),
                    "{} as {name}",
                    real.name
                );
            }
        }
    }
}

/// Documents that are one whole.
#[test]
fn a_document_is_refused_wherever_it_is_cut() {
    for real in all() {
        if !matches!(
            real.format,
            Format::Junit | Format::Jest | Format::Sarif | Format::Eslint
        ) {
            continue;
        }
        let whole = real.bytes.trim_ascii_end().len();
        // Every place of a short one; of a long one a part, and every place near its end.
        let step = if whole < 1200 { 1 } else { whole / 150 };
        for end in (0..whole).step_by(step).chain(whole.saturating_sub(100)..whole) {
            let part = real.bytes.get(..end).expect("a part");
            assert!(report::read(real.format, part).is_err(), "{} cut at {end}", real.name);
        }
    }
}

/// Documents of lines: the end of the last line may be missing, no more.
#[test]
fn a_list_of_lines_is_refused_wherever_it_is_cut() {
    for (name, last) in [
        ("go-fine.go.json", ",\"Elapsed\":0.005}"),
        ("go-none.go.json", "}"),
        ("cargo-test-one.libtest.txt", "; 0 measured"),
        ("pytest-cov.lcov.info", "end_of_record"),
        ("clippy.cargo.json", "}"),
        ("build.cargo.json", "}"),
    ] {
        let real = real(name);
        let text = String::from_utf8(real.bytes).expect("text");
        let end = text.rfind(last).unwrap_or(text.trim_end().len() - 1);
        let step = if end < 1200 { 1 } else { end / 150 };
        for cut in (0..=end).step_by(step).chain(end.saturating_sub(100)..=end) {
            let part = text.as_bytes().get(..cut).expect("a part");
            assert!(report::read(real.format, part).is_err(), "{name} cut at {cut}");
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let deep = |n: usize| format!("<testsuite>{}{}</testsuite>", "<a>".repeat(n), "</a>".repeat(n));
    assert!(report::read(Format::Junit, deep(MOST_DEPTH - 1).as_bytes()).is_ok());
    assert!(why(Format::Junit, &deep(MOST_DEPTH)).contains("deep"));
    why(Format::Junit, &"<testsuite>".repeat(1_000_000));
    for format in [Format::Jest, Format::Sarif, Format::Eslint] {
        why(format, &"[".repeat(1_000_000));
        why(format, &"{\"runs\":".repeat(1_000_000));
        why(
            format,
            &format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000)),
        );
    }
}

#[test]
fn a_junit_report_that_is_no_such_thing_is_refused() {
    for text in [
        "<html><body/></html>",
        "<testcase name='a'/>",
        "<testsuite/><testsuite/>",
        "<testsuite/>more",
        "more<testsuite/>",
        "<testsuite></testsuites>",
        "<testsuite><testcase name='a'><testcase name='b'/></testcase></testsuite>",
        "<testsuite><system-out><testcase name='a'/></system-out></testsuite>",
        "<testsuite><testcase name='a' name='b'/></testsuite>",
        "<testsuite><testcase name='&unknown;'/></testsuite>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><testsuite/>",
        "<testsuite><testcase name='a'><failure>&b;</failure></testcase></testsuite>",
    ] {
        why(Format::Junit, text);
    }
    let many: String = (0..65).map(|n| format!(" a{n}='1'")).collect();
    assert!(why(Format::Junit, &format!("<testsuite{many}/>")).contains("attributes"));
}

#[test]
fn a_suite_that_counts_more_failures_than_it_lists_has_failed() {
    for text in [
        "<testsuite name='s' errors='1' failures='0' tests='0'/>",
        "<testsuite name='s' failures='2'><testcase name='a'><failure/></testcase></testsuite>",
        "<testsuites><testsuite name='s' errors='1'><testcase name='a'/></testsuite></testsuites>",
        "<testsuites name='s' failures='1'><testsuite name='t'><testcase name='a'/></testsuite></testsuites>",
        "<testsuite name='s'><error message='could not be loaded'/><testcase name='a'/></testsuite>",
    ] {
        let report = report::read(Format::Junit, text.as_bytes()).expect("a report");
        let mut failed = report.tests.iter().filter(|test| test.outcome == TestOutcome::Failed);
        assert!(failed.any(|test| test.id == "s"), "{text}: {report:?}");
    }
}

#[test]
fn a_run_that_says_it_failed_has_failed() {
    let run = |success: &str, failed: u32, suites: &str| {
        let text = format!(r#"{{"success":{success},"numFailedTests":{failed},"testResults":[{suites}]}}"#);
        let report = report::read(Format::Jest, text.as_bytes()).expect("a report");
        report
            .tests
            .iter()
            .filter(|test| test.outcome == TestOutcome::Failed)
            .count()
    };
    let passed = r#"{"name":"a","status":"passed","assertionResults":[{"title":"t","status":"passed"}]}"#;
    assert_eq!(run("true", 0, passed), 0);
    assert_eq!(run("false", 0, passed), 1);
    assert_eq!(run("true", 1, passed), 1);
    assert_eq!(
        run("false", 0, r#"{"name":"a","status":"failed","assertionResults":[]}"#),
        1
    );
}

#[test]
fn a_suite_that_does_not_add_up_is_refused() {
    let suite = |lines: &str, end: &str| format!("\nrunning 2 tests\n{lines}\ntest result: {end}; finished in 0.00s\n");
    let two = "test a ... ok\ntest b ... ok\n";
    let honest = suite(two, "ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
    assert_eq!(
        report::read(Format::Libtest, honest.as_bytes())
            .expect("a report")
            .tests
            .len(),
        2
    );
    for (lines, end) in [
        (two, "ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"),
        (
            "test a ... ok\n",
            "ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ),
        (
            "test a ... ok\n",
            "ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ),
        (two, "ok. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"),
        (
            "test a ... ok\ntest b ... FAILED\n",
            "ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ),
        (two, "ok. many passed"),
    ] {
        why(Format::Libtest, &suite(lines, end));
    }
}

#[test]
fn texts_are_cut_and_cleaned() {
    let long = "ü".repeat(10_000);
    let text = format!(
        "<testsuite><testcase classname='a&#27;[31m&#10;b&#x202e;' name='{long}'><failure message='&#27;[31mred&#27;[0m&#7;'>{long}\
         </failure></testcase><testcase classname='a' name='{long}x'/></testsuite>"
    );
    let report = report::read(Format::Junit, text.as_bytes()).expect("a report");
    let [one, two] = report.tests.as_slice() else {
        panic!("two tests");
    };
    assert!(one.id.starts_with("a\u{fffd}[31m b\u{fffd}::üü"), "{:.40}", one.id);
    assert!(one.id.len() <= MOST_ID && two.id.len() <= MOST_ID);
    assert_ne!(
        one.id.get(MOST_ID - 16..),
        two.id.get(MOST_ID - 16..),
        "cut ids stay apart"
    );
    assert!(one.message.starts_with("red\u{fffd}\nüü"), "{:.40}", one.message);
    assert!((MOST_MESSAGE - 1..=MOST_MESSAGE).contains(&one.message.len()));
}

#[test]
fn too_many_tests_are_refused() {
    let begins: &[u8] = b"<testsuite>";
    let case: &[u8] = b"<testcase name='a'/>";
    let cases = case.repeat(MOST_TESTS + 1);
    let source = begins.chain(cases.as_slice()).chain(b"</testsuite>".as_slice());
    let why = report::read(Format::Junit, BufReader::new(source))
        .expect_err("too many")
        .why;
    assert!(why.contains("more than 500000 tests"), "{why}");
}

/// An unoptimised build would need minutes for the larger limits.
#[test]
fn a_report_without_end_is_refused() {
    for (name, format) in Format::ALL {
        let begins: &[u8] = match format {
            Format::Junit => b"<testsuite><system-out>",
            Format::Go | Format::Libtest | Format::Lcov | Format::Cargo => b"",
            // They share one reader of documents, so one of them speaks for all.
            Format::Jest | Format::Sarif => continue,
            Format::Eslint if cfg!(debug_assertions) => continue,
            Format::Eslint => b"[{\"x\":\"",
        };
        let source = begins.chain(std::io::repeat(b'a'));
        let why = report::read(format, BufReader::new(source)).expect_err("too long").why;
        assert!(why.contains("MiB"), "{name}: {why}");
    }
    if !cfg!(debug_assertions) {
        let lines = BufReader::new(std::io::repeat(b'\n'));
        let why = report::read(Format::Libtest, lines).expect_err("too long").why;
        assert_eq!(why, format!("it is longer than {} MiB", MOST_BYTES / 1024 / 1024));
    }
}
