//! What became of a run: each rule as a row of a table.

use trueup_core::{
    event::Stop,
    fate::{
        self, Aftermath,
        Driven::{self, Never, Not, Now},
        Fate::{self, Dropped, Killed, Merged, Overtaken, Queued},
        LaterRuns::{self, Delivered, Undelivered},
        Whereabouts::{self, Nowhere, OnBranch},
    },
    id::{CommitId, TreeId},
    run::{Outcome, Position, Reason, Work},
};

const DRIVERS: [Driven; 3] = [Now, Not, Never];
const LATER: [LaterRuns; 3] = [LaterRuns::None, Undelivered, Delivered];
const COMMITS: [Whereabouts; 3] = [Whereabouts::Merged, OnBranch, Nowhere];

fn delivered() -> [Position; 2] {
    let (tree, commit) = (TreeId::new("tree"), CommitId::new("commit"));
    let waived = Outcome::Waived {
        tree: tree.clone(),
        commit: commit.clone(),
    };
    [
        Position::Done(Outcome::Verified { tree, commit }),
        Position::Done(waived),
    ]
}

fn paused() -> Position {
    Position::Paused(Work::Turn, Reason::Stopped(Stop::Request))
}

#[test]
fn an_unfinished_run_is_what_its_driver_and_later_runs_make_of_it() {
    let working = Position::Working(Work::Turn);
    for (position, driver, later, expected) in [
        (&working, Now, LaterRuns::None, None),
        (&working, Now, Delivered, None),
        (&working, Not, LaterRuns::None, Some(Killed)),
        (&working, Never, LaterRuns::None, Some(Queued)),
        (&working, Never, Undelivered, Some(Overtaken)),
        (&working, Not, Undelivered, Some(Overtaken)),
        (&working, Not, Delivered, Some(Overtaken)),
        (&paused(), Now, Delivered, None),
        (&paused(), Not, LaterRuns::None, None),
        (&paused(), Not, Undelivered, Some(Overtaken)),
        (&paused(), Not, Delivered, Some(Overtaken)),
    ] {
        // It delivered nothing, so no commit of its own has a say.
        for commit in COMMITS {
            let now = Aftermath { driver, later, commit };
            assert_eq!(fate::of(position, now), expected, "{position:?} {now:?}");
        }
    }
}

#[test]
fn a_delivered_run_is_what_became_of_its_commit() {
    let rows: [(Whereabouts, LaterRuns, Option<Fate>); 9] = [
        (Whereabouts::Merged, LaterRuns::None, Some(Merged)),
        (Whereabouts::Merged, Undelivered, Some(Merged)),
        (Whereabouts::Merged, Delivered, Some(Merged)),
        (OnBranch, LaterRuns::None, None),
        (OnBranch, Undelivered, None),
        (OnBranch, Delivered, Some(Overtaken)),
        (Nowhere, LaterRuns::None, Some(Dropped)),
        (Nowhere, Undelivered, Some(Dropped)),
        (Nowhere, Delivered, Some(Overtaken)),
    ];
    for position in delivered() {
        for (commit, later, expected) in rows {
            for driver in DRIVERS {
                let now = Aftermath { driver, later, commit };
                assert_eq!(fate::of(&position, now), expected, "{position:?} {now:?}");
            }
        }
    }
}

#[test]
fn of_a_run_that_began_nothing_nothing_becomes() {
    for outcome in [Outcome::Refused(Vec::new()), Outcome::NothingToDo] {
        let position = Position::Done(outcome);
        for (driver, later) in DRIVERS
            .into_iter()
            .flat_map(|driver| LATER.map(|later| (driver, later)))
        {
            for commit in COMMITS {
                let now = Aftermath { driver, later, commit };
                assert_eq!(fate::of(&position, now), None, "{position:?} {now:?}");
            }
        }
    }
}
