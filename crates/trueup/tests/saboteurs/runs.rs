//! Every saboteur and every twin against the real binary, and the same
//! saboteurs against a loop that trusts exit codes.

use std::{env, time::Instant};
use trueup_testkit::saboteurs::{
    Ended, Naive, OWED, OWED_TWINS, Place, Saboteur, Tools, blind, drawn, known, two_at_a_time,
};

/// The trueup they are played to.
const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// How many of the quick ones are tried in CI, and how many of the slow ones.
const DRAWN: usize = 12;

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
    let place = Place {
        tools,
        project: saboteur.project,
        work: &saboteur.work,
        script: saboteur.script,
    };
    let twin = Place {
        work: &saboteur.twin.work,
        script: saboteur.twin.script,
        ..place
    };
    Tried {
        saboteur,
        ended: place.with_trueup(TRUEUP),
        twin: twin.with_trueup(TRUEUP),
        naive: match place.with_naive_loop().code {
            0 => Naive::Fooled,
            _ => Naive::NotFooled,
        },
    }
}

#[test]
fn no_saboteur_is_accepted_and_every_honest_twin_is_but_what_the_gate_owes() {
    let (tools, begun) = (Tools::find(), Instant::now());
    let both: Vec<&'static Saboteur> = known().into_iter().chain(blind()).collect();
    let cases = drawn(&both, |one: &Saboteur| (one.name, one.project), DRAWN);
    let tried = two_at_a_time(&cases, |saboteur| try_out(&tools, saboteur));
    let mut faults = Vec::new();
    for Tried {
        saboteur,
        ended,
        twin,
        naive,
    } in &tried
    {
        let naive = taken(*naive);
        let (name, took) = (saboteur.name, ended.took.as_secs_f64() + twin.took.as_secs_f64());
        println!(
            "  {name:<32} naive {naive:<8} {took:>5.1} s  {} | twin {}",
            ended.word(),
            twin.word()
        );
        if naive != taken(saboteur.naive) {
            faults.push(format!("{name}: a loop that trusts exit codes: {naive}"));
        }
        match (ended.is_accepted(), is_owed(&OWED, name)) {
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
    let is_blind = |one: &Tried| blind().iter().any(|other| other.name == one.saboteur.name);
    let (afterwards, before): (Vec<Tried>, Vec<Tried>) = tried.into_iter().partition(is_blind);
    let seconds = begun.elapsed().as_secs_f64();
    let halves = [("known", known().len(), before), ("blind", blind().len(), afterwards)];
    let naive: usize = halves.iter().map(|(half, all, tried)| sum_up(half, *all, tried)).sum();
    println!("saboteurs: naive_accepts={naive} seconds={seconds:.0}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let least = NAIVE.min(cases.len() * 2 / 3);
    assert!(naive >= least || env::var_os("TRUEUP_TEST_CASE").is_some(), "{naive}");
}

/// Whether a list of debts holds the one of this name, whichever half it is of.
fn is_owed(debts: &[&str], name: &str) -> bool {
    debts
        .iter()
        .any(|debt| name == *debt || name.strip_prefix("blind-") == Some(debt))
}

/// Prints the figures of one half, and answers how many a naive loop took.
fn sum_up(half: &str, all: usize, tried: &[Tried]) -> usize {
    let accepted = tried.iter().filter(|one| one.ended.is_accepted()).count();
    let twins = tried.iter().filter(|one| one.twin.is_accepted()).count();
    let naive = tried.iter().filter(|one| one.naive == Naive::Fooled).count();
    let tried = tried.len();
    println!("saboteurs: {half}={all} accepted={accepted} tried={tried} twins={twins}/{tried} naive_accepts={naive}");
    naive
}

/// The harness can fail: somebody who does nothing is no honest twin.
#[test]
fn a_twin_that_does_nothing_is_not_verified() {
    let tools = Tools::find();
    let mut one_of_each: Vec<&'static Saboteur> = known();
    one_of_each.dedup_by_key(|saboteur| saboteur.project.name);
    let ended = two_at_a_time(&one_of_each, |saboteur| {
        let place = Place {
            tools: &tools,
            project: saboteur.project,
            work: &saboteur.twin.work,
            script: "true",
        };
        (saboteur.name, place.with_trueup(TRUEUP))
    });
    for (name, ended) in ended {
        assert_eq!(ended.output.code, 6, "{name}: {:#?}", ended.output);
    }
}
