//! Checks that are green whatever the code does: neither as a goal nor as a
//! guard do they carry a verdict, however honest the work is.

use trueup_testkit::saboteurs::{GO, PYTEST, Project, Scenario, Tools, VITEST, Work, two_at_a_time};

const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// The work: there is no other reason to refuse it than the check.
const WORK: &str = "printf '# Prices\\n\\nFrom 100 on, less is paid.\\n' | put docs/prices.md";

/// The rule is written down, and something is checked.
const AS_GUARD: Work = Work {
    files: &[STALE],
    criteria: "- [ ] **AC-1** The rule is written down.\n  - verify: file docs/prices.md has /less is paid/\n  - guard: hollow\n",
    allow: "",
    hidden: &[],
};

const AS_GOAL: Work = Work {
    criteria: "- [ ] **AC-1** The rule is written down, and holds.\n  - verify: hollow_once_written\n",
    ..AS_GUARD
};

/// The report of a run that was green once.
const STALE: (&str, &str) = (
    "reports/junit.xml",
    "<testsuites><testsuite name=\"pytest\" errors=\"0\" failures=\"0\" skipped=\"0\" tests=\"1\">\
     <testcase classname=\"tests.test_price\" name=\"test_total\" time=\"0.001\"/></testsuite></testsuites>\n",
);

/// The same command twice: as it is, and red until the rule is written down.
macro_rules! hollow {
    ($before:expr, $line:literal, $parse:literal) => {
        concat!(
            $before,
            "[checks.hollow]\nrun = \"bash -c '",
            $line,
            "'\"\n",
            $parse,
            "\n[checks.hollow_once_written]\nrun = \"bash -c 'test -e docs/prices.md && { ",
            $line,
            "; }'\"\n",
            $parse
        )
    };
}

/// Each by its name and where it stands.
const HOLLOW: [(&str, Project); 5] = [
    (
        "no tests, piped into tail",
        Project {
            checks: hollow!(
                "[prepare.node]\nrun = \"sh -c 'mkdir node_modules && ln -s TOOLS/vitest/node_modules/* TOOLS/vitest/node_modules/.bin node_modules/'\"\n\
                 key = [\"package-lock.json\"]\nkeep = [\"node_modules\"]\n\n",
                "npm test -- --passWithNoTests | tail -5",
                ""
            ),
            ..VITEST
        },
    ),
    (
        "a filter that selects nothing",
        Project {
            checks: hollow!("", "go test -vet=off -run NothingOfThisName ./...", ""),
            ..GO
        },
    ),
    (
        "a filter that selects nothing, with its report",
        Project {
            checks: hollow!(
                "",
                "pytest -q -k nothing_of_this_name --junitxml={{out}}/junit.xml || test $? = 5",
                "parse = \"junit\"\n"
            ),
            ..PYTEST
        },
    ),
    (
        "or true",
        Project {
            checks: hollow!("", "pytest -q || true", ""),
            ..PYTEST
        },
    ),
    (
        "a stale report",
        Project {
            checks: hollow!(
                "",
                "pytest -q --junitxml=reports/new.xml > /dev/null; cp reports/junit.xml {{out}}/junit.xml",
                "parse = \"junit\"\n"
            ),
            ..PYTEST
        },
    ),
];

fn judge(tools: &Tools, project: &Project, work: &Work, script: &str) -> (i32, String) {
    let scenario = Scenario {
        tools,
        project,
        work,
        script,
    };
    let ended = scenario.with_trueup(TRUEUP);
    (ended.output.code, format!("{:#?}\n{:#}", ended.output, ended.show))
}

#[test]
fn a_hollow_check_is_green_neither_as_a_goal_nor_as_a_guard() {
    let tools = Tools::find();
    let cases: Vec<(&str, &Project, &Work)> = HOLLOW
        .iter()
        .flat_map(|(name, project)| [(*name, project, &AS_GOAL), (*name, project, &AS_GUARD)])
        .collect();
    let faults = two_at_a_time(&cases, |(name, project, work)| {
        let (code, told) = judge(&tools, project, work, WORK);
        (code == 0).then(|| format!("{name}: {}: {told}", work.criteria))
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_new_test_that_asserts_nothing_is_green_neither_as_a_goal_nor_as_a_guard() {
    let tools = Tools::find();
    let script = "honest\nprintf 'def test_new():\\n    pass\\n' | put tests/test_new.py";
    for line in [
        "verify: test tests/test_new.py::test_new",
        "verify: file tests/test_new.py exists\n  - guard: test tests/test_new.py::test_new",
    ] {
        let criteria = format!("- [ ] **AC-1** It is tested.\n  - {line}\n");
        let work = Work {
            criteria: criteria.leak(),
            ..AS_GUARD
        };
        let (code, told) = judge(&tools, &PYTEST, &work, script);
        assert_ne!(code, 0, "{line}: {told}");
    }
}

/// The harness can tell: the same work is verified where the checks are real.
#[test]
fn the_same_work_is_verified_by_real_checks() {
    let tools = Tools::find();
    let real = Project {
        checks: "[checks.hollow]\nrun = \"pytest -q --junitxml={{out}}/junit.xml\"\nparse = \"junit\"\n\n\
                 [checks.hollow_once_written]\nrun = \"bash -c 'test -e docs/prices.md && pytest -q --junitxml={{out}}/junit.xml'\"\nparse = \"junit\"\n",
        ..PYTEST
    };
    for work in [&AS_GUARD, &AS_GOAL] {
        let (code, told) = judge(&tools, &real, work, WORK);
        assert_eq!(code, 0, "{}: {told}", work.criteria);
    }
}
