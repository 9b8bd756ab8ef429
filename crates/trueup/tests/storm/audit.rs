//! What the journal must show after a storm.

use crate::seats::InteractiveAgent;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use trueup_testkit::household::Household;

/// One kept event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: i64,
    pub(crate) epoch: i64,
    pub(crate) event: Value,
}

/// Everything a journal keeps.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) rows: Vec<Row>,
    /// How many events each run says it has, and the epoch of its last owner.
    heads: BTreeMap<String, (i64, i64)>,
}

/// An event that some process showed, and the task it was about.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) task: String,
    pub(crate) event: Value,
}

impl Shown {
    /// The events in a stream; the last line of one that was killed may be cut.
    pub(crate) fn of(task: &str, stdout: &str) -> InteractiveAgent {
        let lines = stdout
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let events = lines.filter(|event| event.get("seq").is_some());
        let shown = events.map(|event| Self {
            task: task.to_owned(),
            event,
        });
        InteractiveAgent {
            shown: shown.collect(),
            wrong: Vec::new(),
        }
    }
}

impl Kept {
    pub(crate) fn of(household: &Household) -> Self {
        let path = household.state().join("journal.db");
        let journal = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the journal");
        let mut events = journal
            .prepare("SELECT run, seq, epoch, body FROM events ORDER BY rowid")
            .expect("events");
        let rows = events.query_map([], |row| {
            let body: String = row.get(3)?;
            Ok(Row {
                run: row.get(0)?,
                seq: row.get(1)?,
                epoch: row.get(2)?,
                event: serde_json::from_str(&body).unwrap_or_default(),
            })
        });
        let rows = rows.expect("rows").collect::<Result<_, _>>().expect("every row");
        let mut runs = journal.prepare("SELECT run, length, epoch FROM runs").expect("runs");
        let heads = runs.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
        let heads = heads.expect("heads").collect::<Result<_, _>>().expect("every head");
        Self { rows, heads }
    }

    pub(crate) fn runs(&self) -> BTreeSet<&str> {
        self.heads.keys().map(String::as_str).collect()
    }

    fn of_run(&self, run: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.run == run).collect()
    }

    /// Sequences without gaps, epochs that never go back, and none that nobody
    /// was given: events of two owners never alternate.
    pub(crate) fn has_one_owner_at_a_time(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (run, (length, last)) in &self.heads {
            let rows = self.of_run(run);
            let seqs: Vec<i64> = rows.iter().map(|row| row.seq).collect();
            if seqs != (1..=*length).collect::<Vec<_>>() {
                faults.push(format!("{run} has the events {seqs:?}, not 1 to {length}"));
            }
            let epochs: Vec<i64> = rows.iter().map(|row| row.epoch).collect();
            if !epochs.is_sorted() || epochs.last().is_some_and(|epoch| epoch > last) {
                faults.push(format!(
                    "{run} was kept by the epochs {epochs:?}; its last owner's is {last}"
                ));
            }
        }
        faults
    }

    /// Every event that was shown is kept, in a run of its task, at its place.
    pub(crate) fn holds(&self, spoken: &InteractiveAgent) -> Vec<String> {
        let mut places: BTreeMap<(String, u64), Vec<&Value>> = BTreeMap::new();
        for row in &self.rows {
            let task = row.run.rsplit_once('.').map_or("", |(task, _)| task);
            let place = (task.to_owned(), row.seq.unsigned_abs() - 1);
            places.entry(place).or_default().push(&row.event);
        }
        let is_kept = |shown: &Shown| {
            let seq = shown.event["seq"].as_u64().unwrap_or(u64::MAX);
            let kept = places.get(&(shown.task.clone(), seq));
            let same = |kept: &&Value| {
                let fields = kept.as_object().into_iter().flatten();
                fields.clone().count() > 0 && fields.clone().all(|(name, value)| shown.event[name] == *value)
            };
            kept.is_some_and(|kept| kept.iter().any(same))
        };
        let lost = spoken.shown.iter().filter(|shown| !is_kept(shown));
        lost.map(|shown| format!("{} was shown and is not kept: {}", shown.task, shown.event))
            .collect()
    }

    /// Every run ended as its task does alone, and the delivered branch of
    /// each task has the tree that was verified.
    pub(crate) fn ended_as(&self, household: &Household, alone: &BTreeMap<String, Value>) -> Vec<String> {
        let mut faults = Vec::new();
        for run in self.runs() {
            let task = run.rsplit_once('.').map_or("", |(task, _)| task);
            let shown = household.show(run);
            for key in ["outcome", "tree", "turns"] {
                if shown[key] != alone[task][key] {
                    faults.push(format!("{run}: {key} is {}, alone {}", shown[key], alone[task][key]));
                }
            }
        }
        for (task, shown) in alone {
            let tree = household
                .try_git(&["rev-parse", &format!("trueup/{task}^{{tree}}")])
                .stdout;
            if Some(tree.trim()) != shown["tree"].as_str() && self.runs().contains(format!("{task}.1").as_str()) {
                faults.push(format!("the branch of {task} has the tree {tree}"));
            }
        }
        faults
    }

    /// The person's repository is as git wants it, and so are ours.
    pub(crate) fn unharmed(&self, household: &Household) -> Vec<String> {
        let own = household.checkout().join(".git");
        let (store, results) = (
            household.state().join("store.git"),
            household.state().join("results.git"),
        );
        let broken = [own, store, results].map(|place| {
            let place = place.display().to_string();
            let checked = household.try_git(&["--git-dir", &place, "fsck", "--connectivity-only", "--no-dangling"]);
            (checked.code != 0).then(|| format!("{place}: {checked:?}"))
        });
        broken.into_iter().flatten().collect()
    }
}
