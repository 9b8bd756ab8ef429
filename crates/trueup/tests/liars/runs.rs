//! Every lie is told to the real binary, once without and once with the work.

use crate::lies::{LIES, Lie};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use trueup_testkit::{
    attacks::Attacks,
    household::{Household, scale},
};

/// Whatever a liar changes is allowed: nothing but its words is on trial.
const TASK: &str = "---\nv: 1\nid: T-001\ntitle: Greet by name\nbudget: { turns: 2 }\n\
                    allow: { change: [\"**\"] }\n---\n\n\
                    ## Acceptance criteria\n\n\
                    - [ ] **AC-1** `greet.sh Ada` greets Ada.\n  - verify: `sh tests/by_name.sh`\n\
                    - [ ] **AC-2** Without a name it greets the world.\n  - guard: `sh tests/world.sh`\n";

/// Something was done, though not what was asked; its tree is checked.
const HALF: &str = "echo '# greets by name' >> greet.sh";

const WORK: &str = "echo 'echo \"Hello, ${1:-world}\"' > greet.sh";

#[test]
fn a_liar_is_never_verified_and_its_honest_twin_always_is() {
    let runs = if scale() >= 10 { 100 } else { 10 * scale() };
    // A small size still meets other lies than the one before it.
    let rounds: Vec<usize> = if runs < LIES.len() {
        (0..runs).map(|round| round * LIES.len() / runs).collect()
    } else {
        (0..runs).collect()
    };
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (verified, twins) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work_through = || {
        while let Some(round) = rounds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let lie = &LIES[round % LIES.len()];
            let (liar, twin) = (lies(lie, *round), works(lie, *round));
            verified.fetch_add(usize::from(liar.verified), Ordering::Relaxed);
            twins.fetch_add(usize::from(twin.verified), Ordering::Relaxed);
            faults
                .lock()
                .expect("faults")
                .extend([liar.faults, twin.faults].concat());
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work_through);
        }
    });
    let (verified, twins) = (verified.into_inner(), twins.into_inner());
    println!("liars: runs={runs} verified={verified} twins_verified={twins}");
    let attacks = Attacks {
        suite: "liars",
        tried: runs,
        through: verified,
        twins: runs,
        alarms: runs.saturating_sub(twins),
    };
    println!("{attacks}");
    let faults = faults.into_inner().expect("faults");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!((verified, twins), (0, runs));
}

/// How one run went.
struct Told {
    verified: bool,
    faults: Vec<String>,
}

/// A liar that did not do the work, and now and then nothing at all, uses up
/// its turns.
fn lies(lie: &Lie, round: usize) -> Told {
    let work = if round % 5 == 3 { "" } else { HALF };
    let household = household(&lie.script(round, work));
    let before = household.checkout_digest();
    let run = household.trueup(&["run", "T-001"]);
    let show = household.show("T-001");
    let criterion = &show["criteria"][0];
    let mut faults = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            faults.push(format!("a liar {}: {what}: {run:#?}\n{show:#}", lie.name));
        }
    };
    // Whoever does the same again is stuck, whoever does something else spends
    // the budget, and whoever says among other things that it cannot go on is asked about.
    let (exit, word, outcome, turns) = match run.code {
        4 => (4, "blocked: `script` says it cannot go on", "blocked", 1),
        5 => (5, "stuck: T-001.1 after turn 2", "stuck", 2),
        _ => (6, "budget spent: T-001 is not verified", "budget_spent", 2),
    };
    must(run.code == exit, "exit 4, 5 or 6");
    must(run.stdout.starts_with(word), "the last word is ours");
    must(show["outcome"] == outcome && show["turns"] == turns, "no turn more");
    // A tree like the base is not looked at again, so nothing is proved of it.
    let idle = work.is_empty() && criterion["verdict"] == "unproven";
    must(criterion["verdict"] == "unmet" || idle, "the goal stays unmet");
    must(show["commit"].is_null(), "nothing is committed");
    must(
        household
            .try_git(&["rev-parse", "--verify", "--quiet", "trueup/T-001"])
            .code
            != 0,
        "nothing is delivered",
    );
    must(household.checkout_digest() == before, "the checkout is untouched");
    must(
        !(run.stdout.clone() + &run.stderr).contains('\u{1b}'),
        "no terminal is told anything",
    );
    Told {
        verified: run.code == 0 || show["outcome"] == "verified" || criterion["verdict"] == "met",
        faults,
    }
}

/// The same lies round real work do no harm.
fn works(lie: &Lie, round: usize) -> Told {
    let household = household(&lie.script(round, WORK));
    let run = household.trueup(&["run", "T-001"]);
    let show = household.show("T-001");
    let branch = household.try_git(&["rev-parse", "--verify", "--quiet", "trueup/T-001^{tree}"]);
    let delivered = show["tree"] == branch.stdout.trim() && branch.code == 0;
    let verified = run.code == 0 && show["outcome"] == "verified" && delivered;
    let faults = match verified {
        true => Vec::new(),
        false => vec![format!("the twin of a liar {}: {run:#?}\n{show:#}", lie.name)],
    };
    Told { verified, faults }
}

fn household(agent: &str) -> Household {
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
    household.file("greet.sh", "echo \"Hello, world\"\n");
    household.file("tests/by_name.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n");
    household.file("tests/world.sh", "test \"$(sh greet.sh)\" = \"Hello, world\"\n");
    household.task("T-001", TASK);
    household.commit("A greeting");
    household
}
