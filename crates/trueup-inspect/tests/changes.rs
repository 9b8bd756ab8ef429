//! What a change consists of: which item of a file a reported test is, which
//! tests are the run's own, and what is installed otherwise than before.

use trueup_core::{judge::RunTests, task::Allow, test_results::TestResults};
use trueup_inspect::{
    changes::{
        Allowed, ChangedFile, GoneTest, Place, Side, TestItem, found_in, gone_tests, installs, is_called, is_meant,
        lies_elsewhere, run_tests, test_items,
    },
    report::{Report, Test, TestOutcome},
};

const ONE: &str = "def test_one():\n    assert f(1) == 1\n";

fn test(id: &str, file: Option<&str>) -> Test {
    Test {
        id: id.to_owned(),
        outcome: TestOutcome::Passed,
        file: file.map(ToOwned::to_owned),
        line: None,
        message: String::new(),
    }
}

fn new_file(path: &str, text: &str) -> ChangedFile {
    ChangedFile {
        path: path.to_owned(),
        before: None,
        after: Some(text.as_bytes().to_vec()),
    }
}

/// The files in which a reported test may stand, of two that hold one of its name.
fn homes(id: &str, file: Option<&str>) -> Vec<String> {
    let files = ["tests/test_a.py", "tests/test_b.py"].map(|path| new_file(path, ONE));
    let items: Vec<TestItem> = test_items(&files, Side::After);
    let found = found_in(&test(id, file), &items);
    found.into_iter().map(|one| one.path.clone()).collect()
}

#[test]
fn a_reported_test_is_looked_for_in_the_file_that_the_report_names_or_its_id_hints_at() {
    let (a, b) = ("tests/test_a.py", "tests/test_b.py");
    assert_eq!(homes("test_one", None), [a, b], "nobody says where");
    assert_eq!(homes("tests.test_b::test_one", None), [b]);
    assert_eq!(homes("tests/test_a.py::test_one", None), [a]);
    assert_eq!(homes("test_one", Some(b)), [b]);
    assert_eq!(homes("test_one", Some("./tests/test_b.py")), [b]);
    assert_eq!(homes("test_one", Some("/room/tests/test_a.py")), [a]);
    assert_eq!(homes("test_one", Some("test_a.py")), [a], "from within the folder");
    assert_eq!(
        homes("tests.test_b::test_one", Some(a)),
        [a],
        "what is said counts more"
    );
    assert_eq!(homes("test_one", Some("est_a.py")), [a, b], "no such file, so either");
}

#[test]
fn a_test_lies_elsewhere_only_if_the_report_says_so() {
    let said = |file| lies_elsewhere(&test("test_one", file), "tests/test_a.py");
    assert!(!said(None));
    assert!(!said(Some("tests/test_a.py")));
    assert!(said(Some("tests/test_b.py")));
    let rust = |file| lies_elsewhere(&test("x::one", Some(file)), "crates/x/src/price.rs");
    assert!(!rust("crates/x/src/lib.rs"), "where the crate begins");
    assert!(rust("crates/y/src/lib.rs"));
}

#[test]
fn an_id_and_a_name_mean_the_same_test_if_one_ends_in_the_other() {
    assert!(is_called("tests.test_a.TestX::test_one[1]", "TestX.test_one"));
    assert!(is_called("test_one", "TestX.test_one"));
    assert!(!is_called("test_two", "TestX.test_one"));
    assert!(!is_called("", "test_one"));
    assert!(is_called("example.com/a::TestN/case", "TestN"));
    assert!(!is_called("example.com/a::Other/case", "TestN"));
}

#[test]
fn a_name_that_is_asked_for_means_tests_blocks_and_files() {
    let means = |asked| is_meant(asked, "tests/test_a.py", "TestX.test_one");
    for asked in ["test_one", "TestX", "tests/test_a.py", "test_a.py", "TestX::test_one"] {
        assert!(means(asked), "{asked}");
    }
    for asked in ["test_two", "TestY", "tests/test_b.py", ""] {
        assert!(!means(asked), "{asked}");
    }
    assert!(
        is_meant("cart.test.ts", "cart.test.ts", "adds"),
        "a file as it is called"
    );
}

fn report(ids: &[&str]) -> Report {
    Report {
        tests: ids.iter().map(|id| test(id, None)).collect(),
        ..Report::default()
    }
}

/// Tests that data alone make, with nothing known of the base but these.
fn cases(before: &[&str], now: &[&str]) -> Vec<String> {
    let mut before = report(before);
    // What failed may have hidden others, so that only another case of a test counts.
    before.tests.push(Test {
        outcome: TestOutcome::Failed,
        ..test("other::TestRed", None)
    });
    match run_tests(&before, &report(now), &[], None) {
        RunTests::Written(ids) => ids.into_iter().collect(),
        RunTests::Beside(ids) => ids.into_iter().map(|id| format!("beside {id}")).collect(),
    }
}

#[test]
fn a_case_belongs_to_the_test_before_its_first_slash_and_not_to_the_package() {
    let (one, two) = ("example.com/a::TestN/1", "example.com/a::TestN/2");
    assert_eq!(cases(&[one], &[one, two]), [two]);
    assert_eq!(cases(&[one], &["example.com/b::TestN/2"]), [""; 0], "another package");
    assert_eq!(cases(&[one], &["example.com/a::TestM/1"]), [""; 0], "another test");
    assert_eq!(cases(&[one], &["example.com/a::TestNM/1"]), [""; 0], "a longer name");
    assert_eq!(
        cases(&["example.com/a::TestN"], &["example.com/a::TestM"]),
        [""; 0],
        "no case at all"
    );
    let nested = ["example.com/a::TestN/1/x", "example.com/a::TestN/2/y"];
    assert_eq!(cases(&nested[..1], &nested), [nested[1]]);
}

#[test]
fn a_test_that_stands_as_it_stood_is_written_where_it_has_a_case_more_and_moved_elsewhere() {
    let (before, now) = (report(&["test_one[1]"]), report(&["test_one[1]", "test_one[2]"]));
    let bytes = || Some(ONE.as_bytes().to_vec());
    let stands = ChangedFile {
        before: bytes(),
        ..new_file("tests/test_a.py", ONE)
    };
    let gone = ChangedFile {
        before: bytes(),
        after: None,
        path: "tests/test_a.py".to_owned(),
    };
    let own = |files: &[ChangedFile]| run_tests(&before, &now, files, None);
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(own(&[stands]), RunTests::Written(ids(&["test_one[2]"])));
    let moved = own(&[gone, new_file("tests/test_b.py", ONE)]);
    assert_eq!(moved, RunTests::Beside(ids(&["test_one[1]", "test_one[2]"])));
}

#[test]
fn a_file_that_installs_something_else_is_told_and_one_that_installs_the_same_is_not() {
    let lock = |version: &str| format!("[[package]]\nname = \"six\"\nversion = \"{version}\"\n");
    let (old, new) = (lock("1"), lock("2"));
    let allow = Allow::default();
    let told = |before: Option<&str>, after: Option<&str>| {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let (before, after) = (bytes(before), bytes(after));
        installs("uv.lock", before.as_deref(), after.as_deref(), &Allowed(&allow)).map(|found| found.what)
    };
    assert_eq!(told(Some(&old), Some(&old)), None);
    for (before, after, begins) in [
        (
            Some(old.as_str()),
            Some(new.as_str()),
            "it changes what is installed: six",
        ),
        (None, Some(new.as_str()), "it is new and decides what is installed"),
        (Some(old.as_str()), None, "it decided what is installed, and is gone"),
    ] {
        let what = told(before, after).expect("a question");
        assert!(what.starts_with(begins), "{what}");
    }
}

fn gone_in<'a>(before: &'a TestResults, now: &TestResults, files: &[ChangedFile]) -> Vec<GoneTest<'a>> {
    let (old, new) = (test_items(files, Side::Before), test_items(files, Side::After));
    gone_tests(before, now, &old, &new)
}

/// The tests of a file that are gone, and what the file holds in their place.
fn gone(before: &[&str], after: &[&str], texts: [&str; 2]) -> Vec<(String, Place)> {
    let ran = |ids: &[&str]| {
        let tests: Vec<Test> = ids
            .iter()
            .map(|id| test(&format!("tests.test_a::{id}"), None))
            .collect();
        TestResults::of(&tests)
    };
    let [was, is] = texts.map(|text| Some(text.as_bytes().to_vec()));
    let file = ChangedFile {
        path: "tests/test_a.py".to_owned(),
        before: was,
        after: is,
    };
    let (before, after) = (ran(before), ran(after));
    let found = gone_in(&before, &after, &[file]).into_iter();
    found.map(|one| (one.test.id.clone(), one.place)).collect()
}

fn asserting(tests: &[(&str, u32)]) -> String {
    let written = tests
        .iter()
        .map(|(name, number)| format!("def {name}():\n    assert f() == {number}\n\n\n"));
    written.collect()
}

#[test]
fn the_place_of_a_test_that_is_gone_is_filled_where_its_file_gained_as_many() {
    let was = asserting(&[("test_b", 1), ("test_c", 2)]);
    let told = |now: &[(&str, u32)]| {
        let names: Vec<&str> = now.iter().map(|(name, _)| *name).collect();
        gone(&["test_b", "test_c"], &names, [&was, &asserting(now)])
    };
    let (b, c) = ("tests.test_a::test_b".to_owned(), "tests.test_a::test_c".to_owned());
    assert!(told(&[("test_x", 1), ("test_c", 2)]).is_empty(), "only its name is new");
    assert_eq!(told(&[("test_x", 3), ("test_c", 2)]), [(b.clone(), Place::Filled)]);
    assert_eq!(told(&[("test_c", 2)]), [(b.clone(), Place::Empty)]);
    assert_eq!(
        told(&[("test_x", 3)]),
        [(b.clone(), Place::Empty), (c, Place::Empty)],
        "one for two"
    );
    assert_eq!(
        told(&[("test_x", 2), ("test_y", 3), ("test_z", 4)]),
        [(b, Place::Filled)],
        "the one whose body stands there fills no other place"
    );
}

#[test]
fn cases_of_one_test_fill_the_place_of_one_that_is_written() {
    let was = asserting(&[("test_b", 1), ("test_c", 2)]);
    let is = "@pytest.mark.parametrize('n', range(2))\ndef test_x(n):\n    assert f() == n\n";
    let many = gone(&["test_b", "test_c"], &["test_x[0]", "test_x[1]"], [&was, is]);
    assert!(many.iter().all(|(_, place)| *place == Place::Empty), "{many:?}");
    let one = asserting(&[("test_b", 1)]);
    let one = gone(&["test_b"], &["test_x[0]", "test_x[1]"], [&one, is]);
    assert_eq!(one, [("tests.test_a::test_b".to_owned(), Place::Filled)]);
    let renamed = is.replace("test_x", "test_y").replace("f()", "g()");
    let cases = gone(&["test_x[0]", "test_x[1]"], &["test_y[0]"], [is, &renamed]);
    assert!(
        cases.iter().all(|(_, place)| *place == Place::Empty),
        "a case is lost: {cases:?}"
    );
}

#[test]
fn a_new_test_fills_no_place_of_another_file_and_none_by_failing() {
    let file = |path: &str, was: &str, is: &str| ChangedFile {
        path: path.to_owned(),
        before: Some(was.as_bytes().to_vec()),
        after: Some(is.as_bytes().to_vec()),
    };
    let (b, x) = (asserting(&[("test_b", 1)]), asserting(&[("test_x", 3)]));
    let (old, new) = (test("tests.test_a::test_b", None), test("tests.test_o::test_x", None));
    let (before, now) = (TestResults::of([&old]), TestResults::of([&new]));
    let elsewhere = [file("tests/test_a.py", &b, ""), file("tests/test_o.py", "", &x)];
    assert_eq!(gone_in(&before, &now, &elsewhere)[0].place, Place::Empty);
    let failed = Test {
        outcome: TestOutcome::Failed,
        ..test("tests.test_a::test_x", None)
    };
    let now = TestResults::of([&failed]);
    let here = [file("tests/test_a.py", &b, &x)];
    assert_eq!(gone_in(&before, &now, &here)[0].place, Place::Empty);
    let unread = gone_in(&before, &now, &[]);
    assert_eq!((unread[0].place, unread[0].file.as_deref()), (Place::Empty, None));
}
