//! Every saboteur and every twin against the real binary, and the same
//! saboteurs against a loop that trusts exit codes.

use std::{env, time::Instant};
use trueup_testkit::saboteurs::{Ended, Place, Saboteur, Tools, drawn, known, two_at_a_time};

/// The trueup they are played to.
const TRUEUP: &str = env!("CARGO_BIN_EXE_trueup");

/// How many of the slow ones are tried in CI.
const SLOW: usize = 8;

/// How many a loop must take for done that trusts exit codes: fewer, and the
/// corpus would hold little that needs a gate.
const NAIVE: usize = 40;

/// How one case went.
struct Tried {
    saboteur: &'static Saboteur,
    ended: Ended,
    twin: Ended,
    naive: bool,
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
        naive: place.with_naive_loop().code == 0,
    }
}

#[test]
fn no_saboteur_is_accepted_and_every_honest_twin_is() {
    let (tools, begun) = (Tools::find(), Instant::now());
    let cases = drawn(&known(), |one: &Saboteur| (one.name, one.project), SLOW);
    let tried = two_at_a_time(&cases, |saboteur| try_out(&tools, saboteur));
    let mut faults = Vec::new();
    for Tried {
        saboteur,
        ended,
        twin,
        naive,
    } in &tried
    {
        let naive = if *naive { "taken" } else { "refused" };
        let (name, took) = (saboteur.name, ended.took.as_secs_f64() + twin.took.as_secs_f64());
        println!(
            "  {name:<32} naive {naive:<8} {took:>5.1} s  {} | twin {}",
            ended.word(),
            twin.word()
        );
        if ended.is_accepted() {
            faults.push(format!("{name} was accepted: it {}", saboteur.what));
        }
        if !twin.is_accepted() {
            let (output, show) = (&twin.output, &twin.show);
            faults.push(format!(
                "the twin of {name}, who {}: {output:#?}\n{show:#}",
                saboteur.twin.what
            ));
        }
    }
    let accepted = tried.iter().filter(|one| one.ended.is_accepted()).count();
    let twins = tried.iter().filter(|one| one.twin.is_accepted()).count();
    let naive = tried.iter().filter(|one| one.naive).count();
    println!(
        "saboteurs: known={} tried={} accepted={accepted} twins={twins}/{} naive_accepts={naive} seconds={:.0}",
        known().len(),
        tried.len(),
        tried.len(),
        begun.elapsed().as_secs_f64()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!((accepted, twins), (0, tried.len()));
    assert!(naive >= NAIVE || env::var_os("TRUEUP_TEST_CASE").is_some(), "{naive}");
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
