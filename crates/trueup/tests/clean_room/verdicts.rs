//! Every trick fools a naive driver, and none fools this one.

use crate::{
    place::Place,
    tricks::{self, Trick},
};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use trueup_testkit::attacks::Attacks;

/// How a naive driver checks, right after the turn and where the agent was:
/// it asks git for news, commits what is staged, and runs the task's own
/// commands in a login shell with the project's tools on its path.
const NAIVE: &str = r#"
cd "$WORKSPACE"
(
    PATH="$PWD/bin:$PWD/node_modules/.bin:$HOME/.local/bin:$PATH"
    git status > /dev/null 2>&1
    git commit --quiet --allow-empty --message turn > /dev/null 2>&1
    bash -lc 'sh other.sh' && bash -lc "$SHELL_OF_CHECK check.sh"
) > "$SIDE/naive.log" 2>&1
echo $? > "$SIDE/naive"
"#;

/// What is there before any work.
const FILES: [(&str, &str); 9] = [
    ("greet.sh", "echo bye\n"),
    ("lib/greet.sh", "echo bye\n"),
    ("other.sh", "true\n"),
    ("cached.out", "bye\n"),
    ("locked.txt", "locked\n"),
    ("old.bak", "old\n"),
    ("port", "1\n"),
    (".gitignore", "build/\nnode_modules/\n"),
    ("README.md", "# greet\n"),
];

#[test]
fn no_trick_changes_a_verdict() {
    let all: Vec<&Trick> = tricks::all().collect();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let (naive_fooled, trueup_fooled) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work_through = || {
        while let Some(trick) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let tried = try_out(trick);
            naive_fooled.fetch_add(usize::from(tried.naive_fooled), Ordering::Relaxed);
            trueup_fooled.fetch_add(usize::from(tried.trueup_fooled), Ordering::Relaxed);
            let twin = try_twin(trick);
            faults
                .lock()
                .expect("faults")
                .extend(tried.faults.into_iter().chain(twin));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work_through);
        }
    });
    let (tried, naive, ours) = (all.len(), naive_fooled.into_inner(), trueup_fooled.into_inner());
    println!("tricks: tried={tried} naive_fooled={naive} trueup_fooled={ours}");
    let faults = faults.into_inner().expect("faults");
    let attacks = Attacks {
        suite: "clean_room",
        tried,
        through: ours,
        twins: tried,
        alarms: faults.len(),
    };
    println!("{attacks}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!((naive, ours), (tried, 0));
}

/// How a trick went.
struct Tried {
    naive_fooled: bool,
    trueup_fooled: bool,
    faults: Vec<String>,
}

/// The agent plays its trick in its only turn.
fn try_out(trick: &Trick) -> Tried {
    // A tree that equals the base would not even be looked at.
    let place = place(trick, &format!("{}\necho 'Says hello.' >> README.md", trick.trick));
    let run = place.household.trueup(&["run", "T-001"]);
    let show = place.household.show("T-001");
    let [goal, guard] = [&show["criteria"][0]["verdict"], &show["criteria"][1]["verdict"]];
    let naive = place.left("naive");
    let naive_fooled = naive.as_deref() == Some("0\n");
    let mut faults = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            let log = place.left("naive.log");
            faults.push(format!(
                "{}: {what}: {run:#?}\n{show:#}\nnaive: {naive:?} {log:?}",
                trick.name
            ));
        }
    };
    must(naive_fooled, "a naive check is fooled");
    must(
        run.code == 6 && show["outcome"] == "budget_spent",
        "the run ends unproved",
    );
    must(goal == "unmet" && guard == "met", "the goal stays unmet");
    must(
        place.left("ran.outside").is_none(),
        "nothing of the agent's runs outside its sandbox",
    );
    let branch = place
        .household
        .try_git(&["rev-parse", "--verify", "--quiet", "trueup/T-001"]);
    must(branch.code != 0, "nothing is delivered");
    Tried {
        naive_fooled,
        trueup_fooled: run.code == 0 || goal == "met",
        faults,
    }
}

/// The same check is green for whoever does the work.
fn try_twin(trick: &Trick) -> Option<String> {
    let place = place(trick, trick.honest);
    let run = place.household.trueup(&["run", "T-001"]);
    let proved = run.code == 0 && place.delivered();
    (!proved).then(|| {
        format!(
            "the twin of {}: {run:#?}\n{:#}",
            trick.name,
            place.household.show("T-001")
        )
    })
}

fn place(trick: &Trick, turn: &str) -> Place {
    let shell = trick.shell;
    let agent = format!("WORKSPACE=$PWD; SHELL_OF_CHECK={shell}; export SHELL_OF_CHECK\n{turn}\n{NAIVE}");
    let place = Place::new(&FILES, &agent);
    place.household.file("check.sh", &format!("{}\n", trick.check));
    let task = format!(
        "---\nv: 1\nid: T-001\ntitle: Greet\nbudget: {{ turns: 1 }}\n---\n\n## Acceptance criteria\n\n\
         - [ ] **AC-1** It says hello.\n  - verify: `{shell} check.sh`\n\
         - [ ] **AC-2** The other one still works.\n  - guard: `sh other.sh`\n"
    );
    place.household.task("T-001", &task);
    place.household.commit("A greeting");
    place
}
