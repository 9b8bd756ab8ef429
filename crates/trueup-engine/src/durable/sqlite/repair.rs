//! A damaged journal, made whole again: of every run the longest chain of events
//! that is proved. The damaged file is kept.

use super::{
    chain::{self, Head, Link},
    headline::{self, Fold},
    owner, schema,
};
use crate::{
    durable::{DeskError, format},
    state::StateRoot,
};
use rusqlite::{Connection, OpenFlags, Row, params};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};
use trueup_core::{
    event::Event,
    id::{RunId, TaskId},
};

/// No event takes fewer bytes than this, so a file holds no more of them.
const LEAST_BYTES: u64 = 64;

/// What became of a damaged journal.
#[derive(Debug)]
pub struct Repaired {
    /// Where the damaged file is now.
    pub kept: PathBuf,
    /// Every run that was found, and how many of its events are there.
    pub runs: Vec<(RunId, u64)>,
    /// Those of which events are missing, or may be.
    pub cut: Vec<RunId>,
}

/// A run as far as it is proved.
struct Proved {
    task: TaskId,
    epoch: i64,
    links: Vec<Link>,
    events: Vec<Event>,
    is_whole: bool,
}

/// Makes the journal of a state root whole again; nothing where it is.
pub fn repair(root: &StateRoot) -> Result<Option<Repaired>, DeskError> {
    if is_whole(root)? {
        return Ok(None);
    }
    let alone = File::open(root.path()).map_err(schema::failed)?;
    alone.lock().map_err(schema::failed)?;
    let folders = fs::read_dir(root.path().join("runs")).into_iter().flatten().flatten();
    let folders: Vec<RunId> = folders
        .map(|folder| RunId::new(folder.file_name().to_string_lossy()))
        .collect();
    for run in &folders {
        if owner::is_driven(root, run)? {
            return Err(DeskError::Driven(run.clone()));
        }
    }
    // What is no journal at all holds nothing.
    let damaged = open(&root.journal()).ok();
    let (mut order, rows) = damaged
        .as_ref()
        .map_or_else(Default::default, |damaged| salvaged(damaged, most_events(root)));
    let known: BTreeSet<RunId> = order.iter().cloned().collect();
    order.extend(
        folders
            .into_iter()
            .filter(|run| owner::is_plain(run) && !known.contains(run)),
    );
    let unfinished = root.path().join("journal.db.repaired");
    let mut connection = schema::make_at(&unfinished)?;
    let (mut runs, mut cut) = (Vec::new(), Vec::new());
    let transaction = connection.transaction()?;
    for run in order {
        let proved = rows.get(&run).and_then(|links| Proved::of(&run, links));
        let Some((proved, damaged)) = proved.zip(damaged.as_ref()) else {
            cut.push(run);
            continue;
        };
        proved.put(&transaction, &run)?;
        if !proved.is_whole || !ends_there(damaged, &run, proved.links.last()) {
            cut.push(run.clone());
        }
        runs.push((run, proved.links.len() as u64));
    }
    for letter in damaged.iter().flat_map(letters) {
        if runs.iter().any(|(known, _)| known.as_str() == letter.0) {
            put(&transaction, &letter)?;
        }
    }
    transaction.commit()?;
    schema::close(connection, &unfinished)?;
    drop(damaged);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let found: BTreeSet<&RunId> = runs.iter().map(|(run, _)| run).collect();
    for run in cut.iter().filter(|run| !found.contains(run)) {
        set_run_aside(root, run, now)?;
    }
    let kept = set_aside(root, now)?;
    schema::put_in_place(root, &unfinished, &alone)?;
    Ok(Some(Repaired { kept, runs, cut }))
}

/// Whether SQLite can read all of the journal, every run is one chain, and
/// every task has its runs.
pub fn is_whole(root: &StateRoot) -> Result<bool, DeskError> {
    let connection = match schema::open(root) {
        Ok(connection) => connection,
        Err(DeskError::Unreadable(_)) => return Ok(false),
        Err(error) => return Err(error),
    };
    let checked = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    if !checked.is_ok_and(|said| said == "ok") {
        return Ok(false);
    }
    let astray = "SELECT EXISTS (SELECT task, COUNT(*), MAX(number) FROM runs GROUP BY task
                                 EXCEPT SELECT task, count, last FROM tasks)
                      OR EXISTS (SELECT task, count, last FROM tasks
                                 EXCEPT SELECT task, COUNT(*), MAX(number) FROM runs GROUP BY task)";
    let is_astray = connection.query_row(astray, [], |row| row.get::<_, bool>(0));
    if !is_astray.is_ok_and(|astray| !astray) {
        return Ok(false);
    }
    let runs = listed(&connection, "SELECT run FROM runs", |row| row.get::<_, String>(0));
    Ok(runs
        .iter()
        .all(|run| chain::read(&connection, &RunId::new(run.as_str()), 0).is_ok()))
}

fn listed<T>(connection: &Connection, query: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let Ok(mut statement) = connection.prepare(query) else {
        return Vec::new();
    };
    let rows = statement.query_map([], read).into_iter().flatten();
    rows.map_while(Result::ok).collect()
}

/// Opens a file that is not what SQLite wrote. Told that somebody mends it, it
/// also reads what is shorter than it says.
fn open(journal: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(journal, flags)?;
    connection.pragma_update(None, "writable_schema", true)?;
    Ok(connection)
}

/// How many events a journal of this size can hold.
fn most_events(root: &StateRoot) -> i64 {
    let bytes = fs::metadata(root.journal()).map_or(0, |file| file.len());
    i64::try_from(bytes / LEAST_BYTES).unwrap_or(i64::MAX)
}

/// Every event that can still be read, by run, and the runs in their order. One
/// by one: what is broken in one place does not hide what lies behind it.
fn salvaged(damaged: &Connection, most: i64) -> (Vec<RunId>, BTreeMap<RunId, Vec<Link>>) {
    let mut rows: BTreeMap<RunId, Vec<Link>> = BTreeMap::new();
    let query = "SELECT run FROM runs ORDER BY number";
    let mut order = listed(damaged, query, |row| Ok(RunId::new(row.get::<_, String>(0)?)));
    let mut known: BTreeSet<RunId> = order.iter().cloned().collect();
    let last = damaged.query_row("SELECT max(rowid) FROM events", [], |row| row.get::<_, i64>(0));
    let query = "SELECT seq, epoch, effect, v, body, prev, hash, run FROM events WHERE rowid = ?1";
    let Ok(mut statement) = damaged.prepare(query) else {
        return (order, rows);
    };
    for row in 1..=last.unwrap_or(most) {
        let found = statement.query_row([row], |row| Ok((row.get::<_, String>(7)?, Link::of(row)?)));
        if let Ok((run, link)) = found {
            let run = RunId::new(run);
            if known.insert(run.clone()) {
                order.push(run.clone());
            }
            rows.entry(run).or_default().push(link);
        }
    }
    (order, rows)
}

/// Whether the run's own row says that its chain ends with this event.
fn ends_there(damaged: &Connection, run: &RunId, last: Option<&Link>) -> bool {
    let head = Head::of(damaged, run).ok();
    head.zip(last).is_some_and(|(head, last)| head.hash == last.hash)
}

/// What somebody said that no run has heard yet: run, signal, version, body, request.
type Letter = (String, String, u32, String, Option<String>);

fn letters(damaged: &Connection) -> Vec<Letter> {
    let query = "SELECT run, signal, v, body, request FROM mail WHERE taken_seq IS NULL ORDER BY id";
    listed(damaged, query, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    })
}

fn put(connection: &Connection, (run, signal, version, body, request): &Letter) -> Result<(), DeskError> {
    connection.execute(
        "INSERT INTO mail (run, signal, v, body, request) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![run, signal, version, body, request],
    )?;
    Ok(())
}

impl Proved {
    /// The longest chain of a run that begins with its opening.
    fn of(run: &RunId, found: &[Link]) -> Option<Self> {
        let mut by_seq: BTreeMap<i64, &Link> = BTreeMap::new();
        by_seq.extend(found.iter().map(|link| (link.seq, link)));
        let first = by_seq.get(&1)?.event(run).ok()?;
        let task = format::opening(run, &first).ok()?.task.id.clone();
        let mut head = Head::of_new(run, &task);
        let (mut links, mut events) = (Vec::new(), Vec::new());
        for link in by_seq.values() {
            let Some(event) = link.follows(run, &head).then(|| link.event(run).ok()).flatten() else {
                break;
            };
            head.length = link.seq;
            head.epoch = link.epoch;
            head.hash.clone_from(&link.hash);
            links.push((*link).clone());
            events.push(event);
        }
        let is_whole = links.len() == found.len();
        (!links.is_empty()).then_some(Self {
            task,
            epoch: head.epoch,
            links,
            events,
            is_whole,
        })
    }

    /// Writes the run as it was.
    fn put(&self, connection: &Connection, run: &RunId) -> Result<(), DeskError> {
        let Some(last) = self.links.last() else { return Ok(()) };
        let fold = Fold::of(&self.events);
        let line = fold.line()?;
        let seal = line.as_ref().map(|line| headline::seal(&last.hash, line));
        let (waits_for, due) = fold.waits_for();
        connection.execute(
            "INSERT INTO runs (run, task, epoch, length, head, headline, headline_seal, waits_for, due)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                run.as_str(),
                self.task.as_str(),
                self.epoch,
                last.seq,
                last.hash,
                line,
                seal,
                waits_for,
                due
            ],
        )?;
        connection.execute(
            "INSERT INTO tasks (task, count, last) VALUES (?1, 1, ?2)
             ON CONFLICT (task) DO UPDATE SET count = count + 1, last = ?2",
            params![self.task.as_str(), connection.last_insert_rowid()],
        )?;
        self.links.iter().try_for_each(|link| link.put(connection, run))
    }
}

/// Gives the damaged file and its side files another name. It has both names
/// for a moment, so that at no time there is no journal.
fn set_aside(root: &StateRoot, now: u128) -> Result<PathBuf, DeskError> {
    let kept = root.path().join(format!("journal.damaged-{now}.db"));
    fs::hard_link(root.journal(), &kept).map_err(schema::failed)?;
    for suffix in ["-wal", "-shm"] {
        let beside = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
        // There is none where nobody wrote.
        drop(fs::rename(beside(&root.journal()), beside(&kept)));
    }
    Ok(kept)
}

/// Takes what a run left out of the way of the next one of its name, which must
/// not take it for its own.
fn set_run_aside(root: &StateRoot, run: &RunId, now: u128) -> Result<(), DeskError> {
    let aside = root.path().join("lost").join(format!("{run}-{now}"));
    for kind in ["runs", "rooms", "workspaces"] {
        let (from, to) = (root.path().join(kind), aside.join(kind));
        for entry in fs::read_dir(&from).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_its =
                [run.to_string(), format!("{run}.veil")].contains(&name) || name.starts_with(&format!(".{run}."));
            if is_its {
                fs::create_dir_all(&to).map_err(schema::failed)?;
                fs::rename(entry.path(), to.join(name)).map_err(schema::failed)?;
            }
        }
    }
    Ok(())
}
