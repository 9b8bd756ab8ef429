//! Each format once: a tool writes it, and what it says decides.

use crate::place::{after, colour, household, on_base, why};

/// What makes a tool content.
const DONE: [(&str, &str); 1] = [("answer.txt", "42\n")];

/// A tool that says one thing before the work and another one after it.
fn tool(before: &str, after: &str) -> String {
    format!(
        "to=${{1:-/dev/stdout}}\nif [ \"$(cat answer.txt 2>/dev/null)\" = 42 ]; then\ncat > \"$to\" <<'END'\n{after}\nEND\n\
         else\ncat > \"$to\" <<'END'\n{before}\nEND\nexit 1\nfi\n"
    )
}

/// The check is red on the base and green once the work is done, both by its
/// report; answers its two tallies.
fn proves(parse: &str, run: &str, before: &str, then: &str) -> [serde_json::Value; 2] {
    let configuration = format!("[checks.it]\nrun = \"{run}\"\nparse = \"{parse}\"\n");
    let household = household(&tool(before, then), &configuration, &["verify: it"]);
    let base = on_base(&household);
    assert_eq!(colour(&base[0]), "red", "{parse}: {base:#?}");
    let done = after(&household, &DONE);
    assert_eq!(colour(&done[0]), "green", "{parse}: {done:#?}");
    [base[0]["tally"].clone(), done[0]["tally"].clone()]
}

const INTO_OUT: &str = "sh tool.sh {{out}}/report";
const PRINTED: &str = "sh tool.sh";

#[test]
fn junit_xml_is_read() {
    let suite = |inner: &str| format!("<testsuites><testsuite name=\"s\">{inner}</testsuite></testsuites>");
    let failed = suite("<testcase classname=\"t\" name=\"a\"><failure message=\"assert 1 == 2\"/></testcase>");
    let passed =
        suite("<testcase classname=\"t\" name=\"a\"/><testcase classname=\"t\" name=\"b\"><skipped/></testcase>");
    for run in [INTO_OUT, PRINTED] {
        let [base, done] = proves("junit", run, &failed, &passed);
        assert_eq!((&base["failed"], &base["passed"]), (&1.into(), &0.into()));
        assert_eq!((&done["passed"], &done["skipped"]), (&1.into(), &1.into()));
    }
}

#[test]
fn the_lines_of_go_test_are_read() {
    let lines = |end: &str| {
        let event = |action: &str| format!("{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"TestA\"}}\n");
        format!(
            "{}{}{{\"Action\":\"{end}\",\"Package\":\"p\"}}",
            event("run"),
            event(end)
        )
    };
    proves("go", PRINTED, &lines("fail"), &lines("pass"));
}

#[test]
fn the_json_of_jest_is_read_and_vitest_writes_the_same() {
    let json = |status: &str, failed: u8| {
        format!(
            "{{\"numTotalTests\":1,\"numPassedTests\":{},\"numFailedTests\":{failed},\"success\":{},\"testResults\":[{{\"name\":\"/trueup/a.test.js\",\
             \"status\":\"{status}\",\"message\":\"\",\"assertionResults\":[{{\"ancestorTitles\":[],\"fullName\":\"a\",\"title\":\"a\",\
             \"status\":\"{status}\",\"failureMessages\":[]}}]}}]}}",
            1 - failed,
            failed == 0
        )
    };
    for parse in ["jest", "vitest"] {
        proves(parse, INTO_OUT, &json("failed", 1), &json("passed", 0));
    }
}

#[test]
fn what_cargo_test_prints_is_read() {
    let run = |word: &str, result: &str, counts: &str| {
        format!(
            "running 1 test\ntest a ... {word}\n\ntest result: {result}. {counts}; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
        )
    };
    let failed = run("FAILED", "FAILED", "0 passed; 1 failed").replace(
        "\n\ntest result",
        "\n\nfailures:\n\n---- a stdout ----\nthread 'a' panicked at src/lib.rs:1:1:\nno\n\n\nfailures:\n    a\n\ntest result",
    );
    proves("libtest", PRINTED, &failed, &run("ok", "ok", "1 passed; 0 failed"));
}

#[test]
fn lcov_is_read() {
    let lcov = |hits: u8| format!("TN:\nSF:tool.sh\nDA:1,{hits}\nDA:2,1\nend_of_record");
    let [base, done] = proves("lcov", INTO_OUT, &lcov(0), &lcov(3));
    assert_eq!((&base["lines"], &base["reached"]), (&2.into(), &1.into()));
    assert_eq!((&done["lines"], &done["reached"]), (&2.into(), &2.into()));
}

#[test]
fn sarif_is_read() {
    let sarif = |results: &str| {
        format!(
            "{{\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{{\"name\":\"t\"}}}},\"results\":[{results}]}}]}}"
        )
    };
    let found = "{\"ruleId\":\"R1\",\"level\":\"error\",\"message\":{\"text\":\"no\"},\"locations\":[{\"physicalLocation\":\
                 {\"artifactLocation\":{\"uri\":\"tool.sh\"},\"region\":{\"startLine\":1}}}]}";
    let [base, done] = proves("sarif", INTO_OUT, &sarif(found), &sarif(""));
    assert_eq!((&base["findings"], &done["findings"]), (&1.into(), &0.into()));
}

#[test]
fn the_json_of_cargo_is_read() {
    let message = "{\"reason\":\"compiler-message\",\"package_id\":\"p\",\"message\":{\"message\":\"unused\",\"level\":\"warning\",\
                   \"code\":{\"code\":\"unused_variables\"},\"spans\":[{\"file_name\":\"src/lib.rs\",\"line_start\":1,\"is_primary\":true}],\
                   \"children\":[],\"rendered\":\"warning: unused\"}}";
    let end = "{\"reason\":\"build-finished\",\"success\":true}";
    proves("cargo", PRINTED, &format!("{message}\n{end}"), end);
}

#[test]
fn the_json_of_eslint_is_read() {
    let found = "[{\"filePath\":\"/trueup/a.js\",\"messages\":[{\"ruleId\":\"no-x\",\"severity\":2,\"message\":\"no\",\"line\":1,\
                 \"column\":1}],\"errorCount\":1,\"warningCount\":0}]";
    let nothing = "[{\"filePath\":\"/trueup/a.js\",\"messages\":[],\"errorCount\":0,\"warningCount\":0}]";
    proves("eslint", INTO_OUT, found, nothing);
}

#[test]
fn a_report_in_many_files_is_one_and_a_file_that_cannot_be_read_spoils_it() {
    let tool = "mkdir -p \"$1/deep\"\nfor n in a b c; do echo \"<testsuite><testcase classname='t' name='$n'/></testsuite>\" > \"$1/deep/$n.xml\"; done\n\
                if [ -e spoil ]; then echo '<testsuite><testcase' > \"$1/d.xml\"; fi\n";
    let configuration = "[checks.it]\nrun = \"sh tool.sh {{out}}\"\nparse = \"junit\"\n";
    let household = household(tool, configuration, &["verify: it"]);
    let base = on_base(&household);
    assert_eq!(base[0]["tally"]["passed"], 3, "{base:#?}");
    let spoiled = after(&household, &[("spoil", "")]);
    assert_eq!(colour(&spoiled[0]), "not executed");
    assert!(why(&spoiled[0]).contains("d.xml cannot be read"), "{spoiled:#?}");
}

#[test]
fn the_folder_of_reports_is_a_new_one_each_time_and_stands_in_no_evidence() {
    let tool = "echo \"$1\" >> /tmp/nothing; ls -A \"$1\" | grep -q . && exit 3\ncase \"$1\" in \"$PWD\"*) exit 4;; esac\n\
                echo \"<testsuite><testcase name='$(basename \"$1\")'/></testsuite>\" > \"$1/a.xml\"\n";
    let configuration = "[checks.it]\nrun = \"sh tool.sh {{out}}\"\nparse = \"junit\"\n";
    let household = household(tool, configuration, &["verify: it"]);
    let lists: Vec<String> = (0..2)
        .map(|_| {
            let base = on_base(&household);
            assert_eq!(colour(&base[0]), "green", "{base:#?}");
            assert_eq!(base[0]["argv"][2], "{{out}}");
            base[0]["tally"]["list"]["digest"].to_string()
        })
        .collect();
    assert_ne!(lists[0], lists[1], "the folder's name is random");
}
