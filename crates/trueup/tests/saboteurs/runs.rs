//! Every saboteur and every twin against the real binary, and the same
//! saboteurs against a loop that trusts exit codes.

use std::{env, time::Instant};
use trueup_testkit::{
    attacks::Attacks,
    saboteurs::{
        Beyond, Ended, Naive, OWED, OWED_TWINS, ROUNDS, Round, Saboteur, Scenario, Tools, all, drawn, two_at_a_time,
    },
};

/// The trueup they are played to.
const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// How many of the quick ones are tried in CI, and how many of the slow ones.
const DRAWN: usize = 4;

/// How many of all a loop must take for done that trusts exit codes: fewer, and
/// the corpus would hold little that needs a gate.
const NAIVE: usize = 40;

/// How one case went.
struct Tried {
    saboteur: &'static Saboteur,
    ended: Ended,
    twin: Ended,
    naive: Naive,
}

/// What such a loop makes of a case, in a word.
const fn taken(naive: Naive) -> &'static str {
    match naive {
        Naive::Fooled => "taken",
        Naive::NotFooled => "refused",
    }
}

fn try_out(tools: &Tools, saboteur: &'static Saboteur) -> Tried {
    let scenario = Scenario {
        tools,
        project: saboteur.project,
        work: &saboteur.work,
        script: saboteur.script,
    };
    let twin = Scenario {
        work: &saboteur.twin.work,
        script: saboteur.twin.script,
        ..scenario
    };
    Tried {
        saboteur,
        ended: scenario.with_trueup(TRUEUP),
        twin: twin.with_trueup(TRUEUP),
        naive: match scenario.with_naive_loop().code {
            0 => Naive::Fooled,
            _ => Naive::NotFooled,
        },
    }
}

/// A line for whoever waits: all of them take a while.
fn tell(tried: &Tried) {
    let (ended, twin) = (&tried.ended, &tried.twin);
    println!(
        "  {:<32} naive {:<8} {:>5.1} s  {} | twin {}",
        tried.saboteur.name,
        taken(tried.naive),
        ended.took.as_secs_f64() + twin.took.as_secs_f64(),
        ended.word(),
        twin.word()
    );
}

#[test]
fn no_saboteur_is_accepted_and_every_honest_twin_is_but_what_the_gate_owes() {
    let (tools, begun) = (Tools::find(), Instant::now());
    let cases = drawn(&all(), |one: &Saboteur| (one.name, one.project), DRAWN);
    let tried = two_at_a_time(&cases, |saboteur| {
        let tried = try_out(&tools, saboteur);
        tell(&tried);
        tried
    });
    let mut faults = Vec::new();
    for Tried {
        saboteur,
        ended,
        twin,
        naive,
    } in &tried
    {
        let (naive, name) = (taken(*naive), saboteur.name);
        if naive != taken(saboteur.naive) {
            faults.push(format!("{name}: a loop that trusts exit codes: {naive}"));
        }
        // What is no fake of the criteria is counted apart, and looked at in `beyond`.
        match (ended.is_accepted(), is_owed(&OWED, name) || Beyond::of(name).is_some()) {
            (true, false) => faults.push(format!("{name} was accepted: it {}", saboteur.what)),
            (false, true) => println!("  {name} is not accepted any more: take it off the list"),
            (true, true) | (false, false) => {}
        }
        if twin.is_accepted() && is_owed(&OWED_TWINS, name) {
            println!("  the twin of {name} is accepted now: take it off the list");
        }
        if !twin.is_accepted() && !is_owed(&OWED_TWINS, name) {
            let (output, show) = (&twin.output, &twin.show);
            faults.push(format!(
                "the twin of {name}, who {}: {output:#?}\n{show:#}",
                saboteur.twin.what
            ));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let naive: usize = ROUNDS.iter().map(|round| sum_up(round, &tried)).sum();
    println!("saboteurs: naive_accepts={naive} seconds={seconds:.0}");
    // What lies beyond the criteria is no fake of them, and is tried in `beyond`.
    let within = |one: &&Tried| Beyond::of(one.saboteur.name).is_none();
    let attacks = Attacks {
        suite: "saboteurs",
        tried: tried.iter().filter(within).count(),
        through: tried
            .iter()
            .filter(within)
            .filter(|one| one.ended.is_accepted())
            .count(),
        twins: tried.len(),
        alarms: tried.iter().filter(|one| !one.twin.is_accepted()).count(),
    };
    println!("{attacks}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let least = NAIVE.min(cases.len() * 2 / 3);
    assert!(naive >= least || env::var_os("TRUEUP_TEST_CASE").is_some(), "{naive}");
}

/// Whether a list of debts holds the one of this name, whichever round it is of.
fn is_owed(debts: &[&str], name: &str) -> bool {
    let plain = name.strip_prefix("blind-").or_else(|| name.strip_prefix("second-"));
    debts.iter().any(|debt| name == *debt || plain == Some(debt))
}

/// Prints the figures of one round, with those that were accepted because no
/// criterion looks where their work is missing counted apart, and answers how
/// many a naive loop took.
fn sum_up(round: &Round, tried: &[Tried]) -> usize {
    let all = round.saboteurs();
    let is_of = |one: &&Tried| all.iter().any(|other| other.name == one.saboteur.name);
    let tried: Vec<&Tried> = tried.iter().filter(is_of).collect();
    let accepted = tried.iter().copied().filter(|one| one.ended.is_accepted());
    let (beyond, accepted): (Vec<&Tried>, Vec<&Tried>) =
        accepted.partition(|one| Beyond::of(one.saboteur.name).is_some());
    let (beyond, accepted) = (beyond.len(), accepted.len());
    let twins = tried.iter().filter(|one| one.twin.is_accepted()).count();
    let naive = tried.iter().filter(|one| one.naive == Naive::Fooled).count();
    let (name, all, tried) = (round.name, all.len(), tried.len());
    println!(
        "saboteurs: {name}={all} accepted={accepted} beyond={beyond} tried={tried} twins={twins}/{tried} naive_accepts={naive}"
    );
    naive
}

/// The harness can fail: somebody who does nothing is no honest twin.
#[test]
fn a_twin_that_does_nothing_is_not_verified() {
    let tools = Tools::find();
    let mut one_of_each = all();
    one_of_each.sort_by_key(|saboteur| saboteur.project.name);
    one_of_each.dedup_by_key(|saboteur| saboteur.project.name);
    let ended = two_at_a_time(&one_of_each, |saboteur| {
        let scenario = Scenario {
            tools: &tools,
            project: saboteur.project,
            work: &saboteur.twin.work,
            script: "true",
        };
        (saboteur.name, scenario.with_trueup(TRUEUP))
    });
    for (name, ended) in ended {
        assert_eq!(ended.output.code, 5, "{name}: {:#?}", ended.output);
    }
}
