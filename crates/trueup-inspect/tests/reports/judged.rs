//! Names find their tests, and reports become one.

use crate::read;
use std::collections::BTreeMap;
use trueup_inspect::report::{Lines, Report, Test, TestOutcome};

fn of(ids: &[&str]) -> Report {
    let tests = ids.iter().map(|id| Test {
        id: (*id).to_owned(),
        outcome: TestOutcome::Passed,
        file: None,
        line: None,
        message: String::new(),
    });
    Report {
        tests: tests.collect(),
        ..Report::default()
    }
}

#[track_caller]
fn means(report: &Report, name: &str, ids: &[&str]) {
    let found: Vec<_> = report.named(name).iter().map(|test| test.id.as_str()).collect();
    assert_eq!(found, ids, "{name}");
}

#[test]
fn a_name_is_an_id_or_its_end_after_a_separator() {
    let report = of(&[
        "prices::tests::adds",
        "src/sum.test.ts::sum > adds two numbers",
        "example.com/prices::TestMany/n_is_1",
        "com.example.PriceTest::badds",
    ]);
    means(&report, "prices::tests::adds", &["prices::tests::adds"]);
    means(&report, "adds", &["prices::tests::adds"]);
    means(&report, "tests::adds", &["prices::tests::adds"]);
    means(
        &report,
        "adds two numbers",
        &["src/sum.test.ts::sum > adds two numbers"],
    );
    means(
        &report,
        "sum > adds two numbers",
        &["src/sum.test.ts::sum > adds two numbers"],
    );
    means(
        &report,
        "sum.test.ts::sum > adds two numbers",
        &["src/sum.test.ts::sum > adds two numbers"],
    );
    means(&report, "n_is_1", &["example.com/prices::TestMany/n_is_1"]);
    means(&report, "PriceTest::badds", &["com.example.PriceTest::badds"]);
    means(&report, "dds", &[]);
    means(&report, "", &[]);
    means(&report, " ", &[]);
}

#[test]
fn a_pytest_node_id_means_what_the_report_spells_with_dots() {
    let report = read("pytest.junit.xml").expect("a report");
    let one = "tests.test_prices.TestMany::test_each[2-b c]";
    means(&report, "tests/test_prices.py::TestMany::test_each[2-b c]", &[one]);
    means(&report, "./tests/test_prices.py::TestMany::test_each[2-b c]", &[one]);
    means(&report, "test_prices.py::TestMany::test_each[2-b c]", &[one]);
    means(
        &report,
        "tests/test_prices.py::test_adds",
        &["tests.test_prices::test_adds"],
    );
    means(&report, "test_adds", &["tests.test_prices::test_adds"]);
    means(&report, "prices.py::test_adds", &[]);
    assert_eq!(report.named("tests/test_prices.py::TestMany::test_each").len(), 3);
    assert_eq!(report.named("test_each").len(), 3);
    assert_eq!(report.named("test_eac").len(), 0);
}

#[test]
fn a_space_at_the_end_of_a_name_is_not_asked_for() {
    let report = of(&["a.test.ts::join > a + ", "a.test.ts::join > a + b"]);
    for name in ["a + ", "a +", "join > a + "] {
        means(&report, name, &["a.test.ts::join > a + "]);
    }
}

#[test]
fn a_test_told_of_twice_is_kept_twice() {
    let mut report = of(&["a::b"]);
    let mut other = of(&["a::b"]);
    other.tests[0].outcome = TestOutcome::Failed;
    report.merge(other);
    let outcomes: Vec<_> = report.named("b").iter().map(|test| test.outcome).collect();
    assert_eq!(outcomes, [TestOutcome::Passed, TestOutcome::Failed]);
}

#[test]
fn lines_reached_in_two_reports_are_added() {
    let of = |hits: u64| Report {
        lines: Lines(BTreeMap::from([("/r/a.py".to_owned(), BTreeMap::from([(1, hits)]))])),
        ..Report::default()
    };
    let mut report = of(2);
    report.merge(of(u64::MAX));
    report.relative_to("/r");
    assert_eq!(report.lines.0["a.py"][&1], u64::MAX);
}

#[test]
fn a_report_survives_being_kept() {
    let report = read("pytest.junit.xml").expect("a report");
    let kept = serde_json::to_string(&report).expect("JSON");
    assert_eq!(serde_json::from_str::<Report>(&kept).expect("a report"), report);
}

#[test]
fn a_name_may_be_what_tests_stand_in() {
    let ids = [
        "tests.test_cart.TestCart::test_add",
        "tests.test_cart.TestCart::test_sum",
        "tests.test_cart::test_alone",
        "test/query.test.ts::filterQuery > keeps what is asked",
    ];
    let report = of(&ids);
    means(&report, "TestCart", &ids[..2]);
    means(&report, "tests/test_cart.py", &ids[..3]);
    means(&report, "tests/test_cart.py::TestCart", &ids[..2]);
    means(&report, "filterQuery", &ids[3..]);
    means(&report, "test/query.test.ts", &ids[3..]);
    // A part of a name is none.
    means(&report, "Cart", &[]);
}

#[test]
fn a_test_that_is_called_so_comes_before_what_tests_stand_in() {
    let ids = ["a.test_cart::test_add", "b::test_cart"];
    means(&of(&ids), "test_cart", &ids[1..]);
}

#[test]
fn a_sentence_is_no_block() {
    means(&of(&["cart.test.ts::cart > adds one more"]), "adds", &[]);
}

#[test]
fn names_that_are_near_are_offered() {
    let ids = [
        "t.test_cart::test_discount_is_taken",
        "t.test_cart::test_total",
        "t.test_cart::test_empty",
    ];
    let near = |name: &str| of(&ids).near(name);
    assert_eq!(near("test_totl"), [ids[1]]);
    assert_eq!(near("test_discount"), [ids[0]]);
    assert_eq!(near("count"), [ids[0]]);
    assert_eq!(near("test_unheard_of"), [""; 0]);
}
