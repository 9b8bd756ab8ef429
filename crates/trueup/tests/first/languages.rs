//! From a task file to `verified` in four languages, each with its real
//! runner: every goal is seen red for want of the work, then green, and the
//! time that controls add is measured.

use crate::place::{Agent, GOALS, TESTS, Told, carried_out, household};
use serde_json::Value;
use trueup_testkit::saboteurs::{CARGO, GO, PYTEST, Project, VITEST};

/// A project, its goals, and an agent that writes tests first.
struct Language<'a> {
    project: Project,
    criteria: &'a str,
    agent: Agent<'a>,
    /// How many goals it has.
    goals: usize,
    /// Why its first tests fail.
    because: &'a str,
}

/// Nextest writes its report where its configuration says.
const NEXTEST: Project = Project {
    name: "nextest",
    checks: r#"
[checks.tests]
run = '''sh -c 'printf "[profile.ci.junit]\npath = \"%s/junit.xml\"\n" "$1" > /tmp/nextest.toml && exec cargo nextest run --offline --no-fail-fast --profile ci --config-file /tmp/nextest.toml' sh {{out}}'''
parse = "junit"
cache = ["target"]
"#,
    ..CARGO
};

#[test]
fn python_with_pytest() {
    verified(&Language {
        project: PYTEST,
        criteria: GOALS,
        agent: Agent {
            tests: TESTS,
            work: "honest",
            polish: "sub shop/price.py 's/paid for an amount/paid for an amount of cents/'",
        },
        goals: 2,
        because: "assertion",
    });
}

#[test]
fn typescript_with_vitest() {
    verified(&Language {
        project: VITEST,
        criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test takes five off\n\
                   - [ ] **AC-2** It says how much.\n  - verify: test says how much is off\n\
                   - [ ] **AC-3** Nothing else changes.\n  - guard: tests\n",
        agent: Agent {
            tests: r#"put test/discount.test.ts <<'END'
import { expect, it } from "vitest";
import { discount, rebate } from "../src/price";

it("takes five off", () => {
  expect(discount(100)).toBe(95);
  expect(discount(99)).toBe(99);
});

it("says how much is off", () => {
  expect(rebate(100)).toBe(5);
});
END
"#,
            work: r"honest
cat >> src/price.ts <<'END'

export function rebate(amount: number): number {
  return amount - discount(amount);
}
END
",
            polish: "",
        },
        goals: 2,
        because: "",
    });
}

#[test]
fn rust_with_nextest() {
    verified(&Language {
        project: NEXTEST,
        criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test takes_five_off\n\
                   - [ ] **AC-2** It says how much.\n  - verify: test says_how_much_is_off\n\
                   - [ ] **AC-3** Nothing else changes.\n  - guard: tests\n",
        agent: Agent {
            tests: r"put tests/discount.rs <<'END'
use shop::price::{discount, rebate};

#[test]
fn takes_five_off() {
    assert_eq!(discount(100), 95);
    assert_eq!(discount(99), 99);
}

#[test]
fn says_how_much_is_off() {
    assert_eq!(rebate(100), 5);
}
END
",
            work: r"honest
sub src/price.rs 's|^#\[cfg\(test\)\]$|/// What is taken off an amount.\npub fn rebate(amount: u32) -> u32 {\n    amount - discount(amount)\n}\n\n#[cfg(test)]|'",
            polish: "",
        },
        goals: 2,
        because: "missing",
    });
}

#[test]
fn go_with_its_own_tool() {
    verified(&Language {
        project: GO,
        criteria: "- [ ] **AC-1** From 100 on, five in a hundred are taken off.\n  - verify: test TestTakesFiveOff\n\
                   - [ ] **AC-2** It says how much.\n  - verify: test TestSaysHowMuchIsOff\n\
                   - [ ] **AC-3** Nothing else changes.\n  - guard: tests\n",
        agent: Agent {
            tests: r#"put discount_test.go <<'END'
package shop

import "testing"

func TestTakesFiveOff(t *testing.T) {
	if got := Discount(100); got != 95 {
		t.Fatalf("Discount(100) = %d", got)
	}
}

func TestSaysHowMuchIsOff(t *testing.T) {
	if got := Rebate(100); got != 5 {
		t.Fatalf("Rebate(100) = %d", got)
	}
}
END
"#,
            work: "honest\nprintf '\\n// Rebate is what is taken off an amount.\\nfunc Rebate(amount int) int {\\n\\treturn amount - Discount(amount)\\n}\\n' >> price.go",
            polish: "",
        },
        goals: 2,
        because: "missing",
    });
}

/// Carries the task out, in three turns, and looks at what was recorded.
fn verified(language: &Language<'_>) {
    let Language { project, .. } = language;
    let place = household(project, language.criteria, language.agent).in_real_time();
    let told = carried_out(&place);
    told.assert_verified();
    assert_eq!(told.turns().len(), 3, "{:#?}", told.events);
    for turn in 1..=3 {
        assert_eq!(told.findings(turn), Vec::<String>::new(), "turn {turn}");
    }
    let goals = red_then_green(language, &told);
    assert_eq!(goals, language.goals, "{:#}", told.show);
    let (controls, whole) = share(&told.events);
    let name = project.name;
    println!("measured: red_then_green_{name}={goals}/{}", language.goals);
    println!(
        "measured: controls_share_{name}={:.3} controls_ms_{name}={controls} run_ms_{name}={whole}",
        controls as f64 / whole.max(1) as f64
    );
}

/// How many goals were red on the base, red with their tests and without the
/// work, and green at last, by a verifier that was seen to fail.
fn red_then_green(language: &Language<'_>, told: &Told) -> usize {
    let checked: Vec<&Value> = told
        .events
        .iter()
        .filter(|event| event["type"] == "checked")
        .map(|event| &event["evidence"])
        .collect();
    let (base, first, last) = (checked[0], checked[1], checked[checked.len() - 1]);
    let of = |evidence: &Value, check: &str| {
        let all = evidence.as_array().cloned().unwrap_or_default();
        all.into_iter()
            .find(|one| one["check"] == check)
            .expect("evidence of it")
    };
    let criteria = told.show["criteria"].as_array().expect("criteria");
    let goals = criteria.iter().filter(|criterion| criterion["kind"] == "goal");
    let mut seen = 0;
    for goal in goals {
        assert_eq!(
            (&goal["base"]["verdict"], &goal["verdict"]),
            (&"red".into(), &"met".into())
        );
        let check = &goal["checks"][0];
        assert_eq!(
            (&check["proof"], &check["origin"], &check["since"]),
            (&"seen_to_fail".into(), &"run".into(), &"fixed".into()),
            "{goal:#}"
        );
        let id = check["check"].as_str().expect("an id");
        assert!(of(base, id)["saw"].get("failed").is_some(), "{base:#}");
        let before = of(first, id);
        assert!(before["saw"].get("failed").is_some(), "{before:#}");
        let because = before["because"].as_str().expect("a reason");
        assert!(["assertion", "missing"].contains(&because), "{before:#}");
        assert!(language.because.is_empty() || because == language.because, "{before:#}");
        assert_eq!(of(last, id)["saw"], "passed", "{last:#}");
        seen += 1;
    }
    seen
}

/// How many milliseconds controls took, and the whole run.
fn share(events: &[Value]) -> (u64, u64) {
    let at = |event: &Value| event["ts"].as_u64().expect("a time");
    let pairs = events.iter().zip(events.iter().skip(1));
    let controls = pairs.filter(|(_, event)| event["type"] == "challenged");
    let controls = controls.map(|(before, event)| at(event) - at(before)).sum();
    let (first, last) = (events.first().map_or(0, at), events.last().map_or(0, at));
    (controls, last - first)
}
