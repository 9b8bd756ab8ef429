//! The corpus is what it says it is, seen with the real tools and without
//! trueup: bases are red where they should be, twins make them green, and
//! saboteurs fool whoever trusts an exit code.

use std::collections::{BTreeMap, BTreeSet};
use trueup_testkit::household::scale;
use trueup_testkit::saboteurs::{
    BROKEN, Naive, Project, ROUNDS, Saboteur, Scenario, Tools, Work, all, drawn, two_at_a_time,
};

/// How many of the quick ones, and how many of the slow ones, are tried in CI.
const DRAWN: usize = 30;

#[test]
fn names_are_unique_and_every_kind_of_project_takes_part() {
    let names: BTreeSet<&str> = all().iter().map(|saboteur| saboteur.name).collect();
    assert_eq!(names.len(), all().len());
    for round in ROUNDS {
        let saboteurs = round.saboteurs();
        assert!(saboteurs.len() >= 20, "{}: {}", round.name, saboteurs.len());
        let projects: BTreeSet<&str> = saboteurs.iter().map(|saboteur| saboteur.project.name).collect();
        assert_eq!(projects.len(), 5, "{}: {projects:?}", round.name);
    }
}

/// Each thing that is asked, once.
fn bases() -> Vec<(&'static Project, Work)> {
    let mut bases = BTreeMap::new();
    for saboteur in all() {
        for work in [saboteur.work, saboteur.twin.work] {
            let key = (saboteur.project.name, work.criteria, format!("{:?}", work.files));
            bases.insert(key, (saboteur.project, work));
        }
    }
    bases.into_values().collect()
}

#[test]
fn on_a_base_goals_are_red_and_guards_are_green() {
    let tools = Tools::find();
    let mut taken = bases();
    if scale() < 10 {
        taken = taken.into_iter().step_by(3).collect();
    }
    let faults = two_at_a_time(&taken, |(project, work)| {
        let scenario = Scenario {
            tools: &tools,
            project,
            work,
            script: "true",
        };
        let seen = scenario.with_naive_loop();
        let guards = work.criteria.contains("guard: tests");
        let holds = if guards { seen.code == 0 } else { seen.code != 0 };
        (!holds).then(|| format!("{}: {}\n{seen:#?}", project.name, work.criteria))
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_twin_is_really_green_and_a_saboteur_fools_who_trusts_an_exit_code() {
    let tools = Tools::find();
    let mut taken = drawn(&all(), |one: &Saboteur| (one.name, one.project), DRAWN);
    if scale() < 10 {
        // In CI the runs themselves say of each saboteur whether it fools.
        taken = taken.into_iter().step_by(5).collect();
    }
    let faults = two_at_a_time(&taken, |saboteur| {
        let mut faults = Vec::new();
        let scenario = Scenario {
            tools: &tools,
            project: saboteur.project,
            work: &saboteur.work,
            script: saboteur.script,
        };
        let naive = scenario.with_naive_loop();
        if naive.code == BROKEN || (naive.code == 0) != (saboteur.naive == Naive::Fooled) {
            faults.push(format!("{}: not {:?}: {naive:#?}", saboteur.name, saboteur.naive));
        }
        let twin = Scenario {
            work: &saboteur.twin.work,
            script: saboteur.twin.script,
            ..scenario
        };
        let really = twin.really();
        if really.code != 0 {
            faults.push(format!("the twin of {}: {really:#?}", saboteur.name));
        }
        if !saboteur.work.hidden.is_empty() && scenario.really().code == 0 {
            faults.push(format!("{} passes its hidden cases", saboteur.name));
        }
        faults
    });
    let faults = faults.concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
