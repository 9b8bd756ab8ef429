//! Saboteurs whose criteria really hold where they look: played as given, and
//! with one more criterion that looks where their work is missing.

use serde_json::Value;
use std::{collections::BTreeSet, time::Instant};
use trueup_testkit::saboteurs::{
    BEYOND, Beyond, Ended, LOOK, Look, Saboteur, Scenario, Tools, Work, drawn, two_at_a_time,
};

/// The trueup they are played to.
const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// How many of the quick ones are tried in CI, and how many of the slow ones.
const DRAWN: usize = 1;

/// A saboteur, and what is to look at it.
#[derive(Clone, Copy)]
struct Case {
    saboteur: &'static Saboteur,
    look: Look,
}

impl Case {
    fn of(beyond: &Beyond) -> Self {
        let saboteur = beyond.saboteur();
        Self {
            saboteur: saboteur.unwrap_or_else(|| panic!("{} is not in the corpus", beyond.name)),
            look: beyond.look,
        }
    }

    const fn scenario<'a>(&self, tools: &'a Tools, work: &'a Work, script: &'a str) -> Scenario<'a> {
        Scenario {
            tools,
            project: self.saboteur.project,
            work,
            script,
        }
    }

    fn as_given(&self, tools: &Tools) -> Ended {
        let Saboteur { work, script, .. } = self.saboteur;
        self.scenario(tools, work, script).with_trueup(TRUEUP)
    }

    fn with_look(&self, tools: &Tools) -> Looked {
        let Saboteur { work, script, twin, .. } = self.saboteur;
        let (work, twins) = (self.look.over(work), self.look.over(&twin.work));
        Looked {
            saboteur: self.scenario(tools, &work, script).with_trueup(TRUEUP),
            twin: self.scenario(tools, &twins, twin.script).with_trueup(TRUEUP),
        }
    }
}

/// How a case went with its look.
struct Looked {
    saboteur: Ended,
    twin: Ended,
}

impl Looked {
    /// What is wrong with a look. It must refuse the saboteur, it and not
    /// something else, and must not refuse the twin.
    fn faults(&self, name: &str) -> Vec<String> {
        let Self { saboteur, twin } = self;
        let mut faults = Vec::new();
        if saboteur.is_accepted() {
            faults.push(format!("{name} is accepted with its look"));
        } else if verdict_of(saboteur, LOOK) != "unmet" || verdict_of(saboteur, "AC-1") != "met" {
            let Ended { output, show, .. } = saboteur;
            faults.push(format!("{name} is not refused by its look: {output:#?}\n{show:#}"));
        }
        if !twin.is_accepted() {
            let Ended { output, show, .. } = twin;
            faults.push(format!(
                "the twin of {name} is refused with its look: {output:#?}\n{show:#}"
            ));
        }
        faults
    }
}

/// What a run came to say of a criterion.
fn verdict_of<'a>(ended: &'a Ended, id: &str) -> &'a str {
    let criteria = ended.show.get("criteria").and_then(Value::as_array);
    let is_it = |one: &&Value| one.get("id").and_then(Value::as_str) == Some(id);
    let found = criteria.and_then(|all| all.iter().find(is_it));
    let verdict = found.and_then(|one| one.get("verdict"));
    verdict.and_then(Value::as_str).unwrap_or("not there")
}

#[test]
fn each_is_in_the_corpus_once_and_its_look_is_a_goal() {
    let names: BTreeSet<&str> = BEYOND.iter().map(|one| Case::of(one).saboteur.name).collect();
    assert_eq!(names.len(), BEYOND.len());
    for Beyond { name, blind_spot, look } in &BEYOND {
        assert!(blind_spot.ends_with('.'), "{name}: {blind_spot}");
        let (criteria, begin) = (look.criteria, format!("- [ ] **{LOOK}** "));
        assert!(criteria.starts_with(&begin), "{name}: {criteria}");
        assert!(!criteria.contains("guard:"), "{name}: {criteria}");
        let files = look.files.len() + look.hidden.len();
        assert_eq!(files, 1, "{name}: one file looks");
    }
}

#[test]
fn what_lies_beyond_the_criteria_is_refused_once_one_looks_there() {
    let (tools, begun) = (Tools::find(), Instant::now());
    let cases = BEYOND.each_ref().map(Case::of);
    let cases = drawn(&cases, |case: Case| (case.saboteur.name, case.saboteur.project), DRAWN);
    let tried = two_at_a_time(&cases, |case| {
        let (name, given, looked) = (case.saboteur.name, case.as_given(&tools), case.with_look(&tools));
        let Looked { saboteur, twin } = &looked;
        println!(
            "  {name:<32} as given {} | with a look {} | twin {}",
            given.word(),
            saboteur.word(),
            twin.word()
        );
        if !given.is_accepted() {
            println!("  {name} is not accepted as given any more: take it off the list");
        }
        (name, given, looked)
    });
    let count =
        |is_so: fn(&Ended, &Looked) -> bool| tried.iter().filter(|(_, given, looked)| is_so(given, looked)).count();
    println!(
        "saboteurs: beyond={} accepted_as_given={} tried={} accepted_with_a_look={} twins={}/{} seconds={:.0}",
        BEYOND.len(),
        count(|given, _| given.is_accepted()),
        tried.len(),
        count(|_, looked| looked.saboteur.is_accepted()),
        count(|_, looked| looked.twin.is_accepted()),
        tried.len(),
        begun.elapsed().as_secs_f64()
    );
    let faults: Vec<String> = tried.iter().flat_map(|(name, _, looked)| looked.faults(name)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Looks that see nothing of a thread, each with what must be said of it.
const BLIND: [(&str, Look); 3] = [
    (
        "is accepted with its look",
        Look {
            criteria: "- [ ] **AC-9** There is a page.\n  - guard: file README.md has /./\n",
            files: &[],
            hidden: &[],
        },
    ),
    (
        "is accepted with its look",
        Look {
            criteria: "- [ ] **AC-9** It holds in every thread.\n  - verify: test tests/test_threads.py::test_threads\n",
            files: &[(
                "tests/test_threads.py",
                "from shop.price import discount\n\n\ndef test_threads():\n    assert discount(200) == 190\n",
            )],
            hidden: &[],
        },
    ),
    (
        "is not refused by its look",
        Look {
            criteria: "- [ ] **AC-9** There is a page.\n  - verify: file README.md has /./\n",
            files: &[],
            hidden: &[],
        },
    ),
];

/// The harness can fail: a look that does not look is a fault.
#[test]
fn a_look_that_does_not_look_is_a_fault() {
    let tools = Tools::find();
    let known = Beyond::of("third-py-first-thread-only").expect("one of them");
    let told = two_at_a_time(&BLIND, |(fault, look)| {
        let case = Case {
            look: *look,
            ..Case::of(known)
        };
        (*fault, case.with_look(&tools).faults(known.name))
    });
    for (fault, faults) in told {
        assert!(faults.iter().any(|one| one.contains(fault)), "{fault}: {faults:?}");
    }
}
