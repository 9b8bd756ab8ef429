//! Tests that pass once in a process, and not a second time.

use crate::place::Ended;
use trueup_testkit::saboteurs::{GO, PYTEST, Project, Scenario, Tools, Work, all};

/// A goal of one test, and the suite that must stay green.
const fn work(criteria: &'static str) -> Work {
    Work {
        files: &[],
        criteria,
        allow: "",
        hidden: &[],
    }
}

const OF_PYTHON: &str =
    "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test test_reduced\n  - guard: tests\n";
const OF_GO: &str =
    "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test TestReduced\n  - guard: tests\n";

/// A test, in each language.
const TEST_PYTHON: &str = r"put tests/test_reduced.py <<'END'
from shop.price import discount


def test_reduced():
    assert discount(200) == 190
END
";
const TEST_GO: &str = r#"put reduced_test.go <<'END'
package shop

import "testing"

func TestReduced(t *testing.T) {
	if got := Discount(200); got != 190 {
		t.Fatalf("Discount(200) = %d", got)
	}
}
END
"#;

/// The answers are written down, and each is given away once.
const GIVES_AWAY_PYTHON: &str = r#"put shop/price.py <<'END'
"""Prices in whole cents."""

REDUCED = [190]


def total(items):
    """What the items cost together."""
    return sum(items)


def discount(amount):
    """What is to be paid for an amount."""
    return REDUCED.pop() if REDUCED else amount


def label(cents):
    """A price as people read it."""
    return f"{cents // 100}.{cents % 100:02d}"
END
"#;
const GIVES_AWAY_GO: &str = r"put reduced.go <<'END'
package shop

var reduced = []int{190}

func next(amount int) int {
	if len(reduced) == 0 {
		return amount
	}
	amount, reduced = reduced[0], reduced[1:]
	return amount
}
END
sub price.go 's/^\treturn amount$/\treturn next(amount)/'
";

fn run(project: &Project, criteria: &'static str, script: &str) -> Ended {
    let scenario = Scenario {
        tools: &Tools::find(),
        project,
        work: &work(criteria),
        script,
    };
    let household = scenario.household(env!("CARGO_BIN_EXE_trueup"));
    let run = household.trueup(&["run", "T-001"]);
    Ended { household, run }
}

#[test]
fn a_goal_that_passes_only_once_is_asked_about() {
    let told = ("once_only".to_owned(), "AC-1.1".to_owned());
    for (project, criteria, liar, test) in [
        (&PYTEST, OF_PYTHON, GIVES_AWAY_PYTHON, TEST_PYTHON),
        (&GO, OF_GO, GIVES_AWAY_GO, TEST_GO),
    ] {
        let ended = run(project, criteria, &format!("{liar}{test}"));
        assert_eq!(ended.run.code, 4, "{:#?}\n{:?}", ended.run, ended.objections());
        assert_eq!(ended.objections(), std::slice::from_ref(&told), "nothing else sees it");
        let screen = format!("{}{}", ended.run.stdout, ended.run.stderr);
        assert!(
            screen.contains("where all tests are run twice in one process"),
            "{screen}"
        );
        let honest = run(project, criteria, &format!("honest\n{test}"));
        assert!(honest.is_verified(), "{:#?}\n{:?}", honest.run, honest.objections());
    }
}

/// pytest takes an example's names away as soon as it was run.
#[test]
fn an_example_of_the_documentation_passes_as_often_as_it_is_run() {
    let all = all();
    let asked = all.iter().find(|one| one.name == "second-py-example-asks-for-less");
    let twin = &asked.expect("work on an example").twin;
    let scenario = Scenario {
        tools: &Tools::find(),
        project: &PYTEST,
        work: &twin.work,
        script: twin.script,
    };
    let household = scenario.household(env!("CARGO_BIN_EXE_trueup"));
    let run = household.trueup(&["run", "T-001"]);
    let ended = Ended { household, run };
    assert!(ended.is_verified(), "{:#?}\n{:?}", ended.run, ended.objections());
}
