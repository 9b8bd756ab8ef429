//! Coverage, and findings of which only new ones count.

use crate::place::{after, colour, household, on_base, why};

/// Prints the lines reached that `reached.txt` lists.
const LCOV: &str = "cat reached.txt > \"$1\"\n";
const COVERAGE: &str = "[checks.cover]\nrun = \"sh tool.sh {{out}}/lcov.info\"\nparse = \"lcov\"\n";

/// Of `src/a.py`, each line with how often it was reached.
fn reached(hits: &[u8]) -> String {
    let lines: String = hits
        .iter()
        .zip(1..)
        .map(|(hits, line)| format!("DA:{line},{hits}\n"))
        .collect();
    format!("SF:/trueup/src/a.py\n{lines}end_of_record\n")
}

const FOUR: &str = "def f():\n    return 1\ndef g():\n    return 2\n";

#[test]
fn coverage_is_measured_of_all_lines() {
    let household = household(LCOV, COVERAGE, &["verify: coverage >= 75%", "guard: coverage >= 50 %"]);
    household.file("src/a.py", FOUR);
    household.file("reached.txt", &reached(&[1, 1, 0, 0]));
    household.commit("Code");
    let base = on_base(&household);
    assert_eq!((colour(&base[0]), colour(&base[1])), ("red", "green"), "{base:#?}");
    assert!(
        why(&base[0]).contains("2 of 4 lines are reached, 50.00 %; 75.00 % are asked for"),
        "{base:#?}"
    );
    let done = after(&household, &[("reached.txt", &reached(&[1, 1, 1, 0]))]);
    assert_eq!((colour(&done[0]), colour(&done[1])), ("green", "green"), "{done:#?}");
    // Lines of a file that the tree does not have reach nothing.
    let padded = format!(
        "{}SF:/trueup/padding.py\nDA:1,1\nDA:2,1\nDA:3,1\nDA:4,1\nend_of_record\n",
        reached(&[1, 0, 0, 0])
    );
    let padded = after(&household, &[("reached.txt", &padded)]);
    assert_eq!((colour(&padded[0]), colour(&padded[1])), ("red", "red"), "{padded:#?}");
}

#[test]
fn coverage_of_what_changed_asks_about_those_lines_alone() {
    let household = household(
        LCOV,
        COVERAGE,
        &["guard: coverage changed >= 100%", "verify: file done.txt exists"],
    );
    household.file("src/a.py", FOUR);
    household.file("reached.txt", &reached(&[0, 0, 0, 0]));
    household.commit("Code");
    assert_eq!(colour(&on_base(&household)[0]), "green", "nothing was changed");
    let changed = FOUR.replace("return 2", "return 3");
    for (hits, seen) in [([0, 0, 0, 1], "green"), ([1, 1, 1, 0], "red")] {
        let done = after(&household, &[("src/a.py", &changed), ("reached.txt", &reached(&hits))]);
        assert_eq!(colour(&done[0]), seen, "{hits:?}: {done:#?}");
        assert_eq!(done[0]["tally"]["lines"], 1, "{done:#?}");
    }
    let unheard = [
        ("src/a.py", changed.as_str()),
        ("reached.txt", &reached(&[1, 1, 1, 1])),
        ("src/b.py", "LIMIT = 3\n\n\ndef h(x):\n    return x + LIMIT\n"),
        ("tests/test_b.py", "def test_h():\n    assert True\n"),
    ];
    let done = after(&household, &unheard);
    assert_eq!(colour(&done[0]), "red", "a new file that no test loads: {done:#?}");
    assert!(why(&done[0]).contains("1 of 2 lines"), "{done:#?}");
}

#[test]
fn changed_lines_that_fewer_tests_reach_than_before_are_told() {
    let told_of = |hits: &[u8], allow: &str| {
        let household = household(
            LCOV,
            COVERAGE,
            &["guard: coverage >= 50%", "verify: file done.txt exists"],
        );
        household.file("src/a.py", FOUR);
        household.file("reached.txt", &reached(&[1, 1, 1, 1]));
        let task = household.checkout().join("tasks/T-001.md");
        let text = std::fs::read_to_string(&task).expect("a task");
        household.file(
            "tasks/T-001.md",
            &text.replacen("budget:", &format!("{allow}budget:"), 1),
        );
        let longer = FOUR.replace("return 2", "y = 2\n    return y");
        household.file("longer.py", &longer);
        household.file("then.txt", &reached(hits));
        household.set_agent("cp longer.py src/a.py; cp then.txt reached.txt; echo done > done.txt\n");
        household.commit("Code");
        household.trueup(&["run", "T-001"]);
        let told = format!("{:?}", household.events("T-001"));
        told.contains("less_reached")
            .then(|| told.contains("tests reach 1 of 2 changed lines here, and reached 1 of the 1"))
    };
    assert_eq!(told_of(&[1, 1, 1, 1, 0], ""), Some(true));
    assert_eq!(told_of(&[1, 1, 0, 1, 1], ""), None, "other lines are not asked about");
    assert_eq!(
        told_of(&[1, 1, 1, 1, 0], "allow: { change: [src/a.py] }\n"),
        Some(true),
        "allowed, and shown"
    );
}

/// Prints eslint's JSON for the rules that `found.txt` lists.
const LINT: &str = "printf '[{\"filePath\":\"/trueup/a.js\",\"messages\":['\nfirst=1\nwhile read -r rule line; do\n\
    [ $first = 1 ] || printf ','\nfirst=0\n\
    printf '{\"ruleId\":\"%s\",\"severity\":2,\"message\":\"no\",\"line\":%s,\"column\":1}' \"$rule\" \"$line\"\n\
    done < found.txt\nprintf '],\"errorCount\":%s,\"warningCount\":0}]' $(wc -l < found.txt)\ntest ! -s found.txt\n";

#[test]
fn only_new_findings_are_red_where_the_base_has_some() {
    let configuration = "[checks.lint]\nrun = \"sh tool.sh\"\nparse = \"eslint\"\nbaseline = \"no-new\"\n";
    let household = household(LINT, configuration, &["guard: lint", "verify: file done.txt exists"]);
    household.file("found.txt", "no-x 3\nno-x 9\n");
    household.commit("Findings");
    assert_eq!(colour(&on_base(&household)[0]), "green", "what the base has is borne");
    for (found, seen) in [
        ("no-x 4\nno-x 10\n", "green"),
        ("no-x 4\n", "green"),
        ("", "green"),
        ("no-x 3\nno-x 9\nno-x 11\n", "red"),
        ("no-y 3\n", "red"),
    ] {
        let done = after(&household, &[("found.txt", found)]);
        assert_eq!(colour(&done[0]), seen, "{found:?}: {done:#?}");
    }
}

#[test]
fn any_finding_is_red_where_none_is_borne() {
    let configuration = "[checks.lint]\nrun = \"sh tool.sh\"\nparse = \"eslint\"\n";
    let household = household(LINT, configuration, &["verify: lint"]);
    household.file("found.txt", "no-x 3\n");
    household.commit("Findings");
    assert_eq!(colour(&on_base(&household)[0]), "red");
    assert_eq!(colour(&after(&household, &[("found.txt", "")])[0]), "green");
}
