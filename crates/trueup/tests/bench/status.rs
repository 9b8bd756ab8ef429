//! What a desk answers about a few runs, whatever the number of all.

use crate::meter::{Bound, Figure, Times, demand, rounds, tell, timed};
use std::{fs, path::Path};
use trueup_core::{
    event::Event,
    id::{RunId, TaskId},
};
use trueup_engine::{
    durable::{Desk, Durable, Request, sqlite::Sqlite},
    state::StateRoot,
};
use trueup_testkit::{conformance::wait, household::Household, sample};

/// How many runs there are: few, as many as a list was ever made for, and
/// what one desk must carry.
const FEW: usize = 1_000;
const MANY: usize = 10_000;
const ALL: usize = 100_000;

/// How many of the few are carried to their end, and how many wait; the others
/// were refused when they were opened, which is over just as well.
const VERIFIED: usize = 50;
const WAITING: usize = 50;

/// How many tasks a page lists.
const PAGE: usize = 100;

/// Keeps the runs, each of a task of its own: the longest list. Not on a disk,
/// where many minutes would go by.
fn keep_runs(state: &Path) {
    let root = StateRoot::open(state).expect("a state root");
    let desk = Sqlite::open(&root).expect("a journal");
    let kept = wait(async {
        for number in 0..FEW {
            let name = format!("T-{number:06}.1");
            let run = RunId::new(&name);
            let mut opening = sample::opening(&name);
            if number >= VERIFIED + WAITING {
                opening.task.budget.tokens = Some(1);
            }
            let opened = Event::Opened(Box::new(opening));
            desk.open(&Request::fresh(), &run, &opened).await?;
            if number >= VERIFIED + WAITING {
                continue;
            }
            let mut journal = desk.claim(&Request::fresh(), &run).await?.journal;
            if number >= VERIFIED {
                // Whoever drove it is gone.
                continue;
            }
            for (at, event) in sample::journal(&name).into_iter().skip(1).enumerate() {
                let effect = sample::effect(&format!("effect-{at}"));
                journal.record(&effect, async { event }).await.expect("kept");
            }
        }
        Ok::<_, trueup_engine::durable::DeskError>(())
    });
    kept.expect("a runtime").expect("the runs");
}

/// Multiplies the runs to so many, by copies of the last one's rows. What a
/// desk answers about a page does not depend on what the others hold.
fn multiply(state: &Path, count: usize) {
    if count == FEW {
        return;
    }
    let file = rusqlite::Connection::open(state.join("journal.db")).expect("a journal");
    let copied = file.execute_batch(&format!(
        "PRAGMA synchronous = OFF;
         BEGIN;
         CREATE TEMP TABLE more AS WITH RECURSIVE n (n) AS
            (SELECT (SELECT MAX(number) FROM runs) UNION ALL SELECT n + 1 FROM n WHERE n + 1 < {count}) SELECT n FROM n;
         INSERT INTO runs (run, task, epoch, length, head, headline, headline_seal, waits_for)
            SELECT printf('T-%06d.1', n), printf('T-%06d', n), 0, 1, head, headline, headline_seal, 'done'
            FROM more, (SELECT * FROM runs ORDER BY number DESC LIMIT 1);
         INSERT INTO tasks SELECT task, 1, number FROM runs WHERE number > {FEW};
         INSERT INTO events SELECT printf('T-%06d.1', n), 1, epoch, effect, v, body, prev, hash
            FROM more, (SELECT * FROM events ORDER BY rowid DESC LIMIT 1);
         DROP TABLE more;
         COMMIT;"
    ));
    copied.expect("the copies");
    let kept: i64 = file
        .query_row("SELECT COUNT(*) FROM runs", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(usize::try_from(kept), Ok(count));
}

/// Something that is done on a shelf, and what it is called.
type Act = (&'static str, fn(&mut Shelf));

/// A repository with so many runs.
struct Shelf {
    household: Household,
    desk: Sqlite,
    claimed: usize,
}

impl Shelf {
    fn of(folder: &Path, few: &Path, count: usize) -> Self {
        let state = folder.join(format!("state-{count}"));
        let root = StateRoot::open(&state).expect("a state root");
        fs::copy(few.join("journal.db"), root.journal()).expect("a copy");
        multiply(&state, count);
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "exit 0\n")
            .with_variable("TRUEUP_STATE", &state.display().to_string());
        household.commit("Nothing yet");
        let listed = household.trueup(&["status"]);
        // Each that waits has a line with what to type; a headline and a blank line stand round them.
        let lines = PAGE + WAITING + 2;
        assert_eq!(listed.stdout.lines().count(), lines, "{}", listed.stderr);
        assert!(
            listed.stderr.contains("trueup status --after T-000099"),
            "{}",
            listed.stderr
        );
        let desk = Sqlite::open(&root).expect("the journal");
        Self {
            household,
            desk,
            claimed: 0,
        }
    }

    fn status(&self) {
        self.household.trueup(&["status"]);
    }

    /// What naming the next run of a task asks.
    fn name_next(&self) {
        let runs = wait(self.desk.runs_of(&TaskId::new("T-000500"))).expect("a runtime");
        assert_eq!(runs.expect("its runs").count, 1);
    }

    /// Claims a run that was never claimed, and gives it back.
    fn claim(&mut self) {
        let run = RunId::new(format!("T-{:06}.1", 100 + self.claimed));
        self.claimed += 1;
        let claimed = wait(self.desk.claim(&Request::fresh(), &run)).expect("a runtime");
        assert_eq!(claimed.expect("the run").events.len(), 1);
    }
}

/// Medians of something done in turns on every shelf.
fn medians(shelves: &mut [Shelf], mut act: impl FnMut(&mut Shelf)) -> Vec<Times> {
    let mut times: Vec<Vec<_>> = shelves.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds(15, 61) {
        for (shelf, times) in shelves.iter_mut().zip(&mut times) {
            times.push(timed(|| act(shelf)));
        }
    }
    times.into_iter().map(Times::of).collect()
}

#[test]
fn a_desk_of_a_hundred_thousand_runs_answers_as_fast_as_one_of_a_thousand() {
    let memory = tempfile::Builder::new().prefix("status-").tempdir_in("/dev/shm");
    let memory = memory.or_else(|_| tempfile::tempdir()).expect("a folder");
    let few = memory.path().join("few");
    keep_runs(&few);
    let mut shelves = [FEW, MANY, ALL].map(|count| Shelf::of(memory.path(), &few, count));
    let mut figures = Vec::new();
    let acts: [Act; 3] = [
        ("status", |shelf| shelf.status()),
        ("next_run", |shelf| shelf.name_next()),
        ("claim", Shelf::claim),
    ];
    for (name, act) in acts {
        let times = medians(&mut shelves, act);
        let [few, many, all] = times.as_slice() else {
            panic!("three shelves");
        };
        figures.push(Figure {
            name: format!("{name}_with_{ALL}_of_{FEW}_runs"),
            value: all.median() / few.median(),
            bound: Bound::AtMost(1.5),
            slack: 1.5,
            detail: format!("{FEW}: {few}, {MANY}: {many}, {ALL}: {all}"),
        });
        if name == "status" {
            // An absolute time, so a busy machine breaks it; docs/costs.md has the figure of a quiet one.
            tell(&[Figure {
                name: format!("status_ms_with_{MANY}_runs"),
                value: many.median(),
                bound: Bound::AtMost(50.0),
                slack: 1.0,
                detail: format!("ours {many}"),
            }]);
        }
    }
    demand(&figures);
}
