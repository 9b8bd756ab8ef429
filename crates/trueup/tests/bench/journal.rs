//! How fast events are kept, against bare inserts of the same bytes into a
//! SQLite of the same settings.

use crate::meter::{Bound, Figure, in_turns, rounds, tell, timed};
use rusqlite::{Connection, params};
use std::{future::ready, path::Path, time::Duration};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use trueup_core::{event::Event, id::RunId};
use trueup_engine::{
    durable::{Desk, Durable, Request, sqlite::Sqlite},
    state::StateRoot,
};
use trueup_testkit::sample;

/// The events of a run that uses up its turns, without its opening: what most
/// runs keep most of.
fn events(run: &str) -> Vec<Event> {
    let opening = sample::opening(run);
    let mut events = vec![sample::checked(
        &opening.base.tree,
        sample::base_evidence(&opening),
        sample::at(1),
    )];
    for turn in 1..=20 {
        let tree = sample::tree(&format!("after {turn}"));
        events.push(sample::turn_ended(turn, &tree, sample::at(2)));
        let evidence = sample::failing(&opening, &tree, "AC-2.1");
        events.push(sample::checked(&tree, evidence, sample::at(3)));
    }
    events
}

/// The journal as the engine keeps it.
struct Ours {
    runtime: Runtime,
    desk: Sqlite,
    runs: usize,
}

impl Ours {
    fn begin(root: &StateRoot) -> Self {
        Self {
            runtime: tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime"),
            desk: Sqlite::open(root).expect("a journal"),
            runs: 0,
        }
    }

    /// Keeps the events of one run. It is opened and claimed before the watch
    /// is looked at, because that also makes folders and locks.
    fn keep_run(&mut self) -> Duration {
        self.runs += 1;
        let name = format!("T-001.{}", self.runs);
        let run = RunId::new(&name);
        let request = Request::fresh();
        let opened = sample::opened(&name);
        let opened = self.desk.open(&request, &run, &opened);
        self.runtime.block_on(opened).expect("a run");
        let claimed = self.runtime.block_on(self.desk.claim(&request, &run));
        let mut journal = claimed.expect("the run").journal;
        let events = events(&name);
        timed(|| {
            for (number, event) in events.into_iter().enumerate() {
                let effect = sample::effect(&format!("effect-{number}"));
                self.runtime
                    .block_on(journal.record(&effect, ready(event)))
                    .expect("kept");
            }
        })
    }
}

/// The same rows without anybody who minds them.
struct Bare {
    connection: Connection,
    runs: usize,
}

impl Bare {
    fn begin(folder: &Path) -> Self {
        let connection = Connection::open(folder.join("bare.db")).expect("a file");
        connection.pragma_update(None, "journal_mode", "WAL").expect("a log");
        connection.pragma_update(None, "synchronous", "FULL").expect("its care");
        connection
            .execute_batch(
                "CREATE TABLE events (run TEXT, seq INTEGER, epoch INTEGER, effect TEXT, v INTEGER, body TEXT,
                 prev TEXT, hash TEXT, UNIQUE (run, seq)) STRICT;
                 CREATE UNIQUE INDEX one_event_per_effect ON events (run, effect)",
            )
            .expect("a table");
        Self { connection, runs: 0 }
    }

    fn keep_run(&mut self) -> Duration {
        self.runs += 1;
        let name = format!("T-001.{}", self.runs);
        let hash = "0123456789abcdef".repeat(4);
        let bodies: Vec<String> = events(&name)
            .iter()
            .map(|event| serde_json::to_string(event).expect("text"))
            .collect();
        timed(|| {
            for (number, body) in (0_i64..).zip(&bodies) {
                let mut insert = self
                    .connection
                    .prepare_cached("INSERT INTO events VALUES (?1, ?2, 1, ?3, 1, ?4, ?5, ?5)")
                    .expect("a statement");
                let effect = format!("effect-{number}");
                insert.execute(params![name, number, effect, body, hash]).expect("kept");
            }
        })
    }
}

#[test]
fn an_event_is_kept_about_as_fast_as_a_bare_row() {
    let folder = TempDir::new().expect("a folder");
    let root = StateRoot::open(&folder.path().join("state")).expect("a state root");
    let (mut ours, mut bare) = (Ours::begin(&root), Bare::begin(folder.path()));
    let times = in_turns(rounds(15, 61), || ours.keep_run(), || bare.keep_run());
    let figure = Figure {
        name: "journal_of_bare_inserts".to_owned(),
        value: times.1.median() / times.0.median(),
        bound: Bound::AtLeast(0.8),
        slack: 1.0,
        detail: format!("41 events: ours {}, bare {}", times.0, times.1),
    };
    // It may miss its bound where a flush is quick, and docs/costs.md says why.
    tell(&[figure]);
}
