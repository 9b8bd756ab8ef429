//! The file: how it comes into being, and which versions of it are read.

use crate::{
    durable::DeskError,
    fault::{self, Fault},
    state::StateRoot,
};
use rusqlite::{Connection, OpenFlags, TransactionBehavior, config::DbConfig};
use std::{
    fs::{self, File},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Each step lifts the file by one version; steps are only ever added.
const MIGRATIONS: [&str; 3] = [FIRST, HEADLINES, PAGES];

/// The version of the file this binary writes.
pub(super) const KNOWN: u32 = MIGRATIONS.len() as u32;

/// How long a writer waits for the one before it. A write takes milliseconds,
/// so whoever waits this long waits for something that is broken.
const BUSY: Duration = Duration::from_secs(60);

const FIRST: &str = "
-- Every run, and where its chain of events ends.
CREATE TABLE runs (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    run        TEXT    NOT NULL UNIQUE,
    task       TEXT    NOT NULL,
    epoch      INTEGER NOT NULL,           -- of whoever claimed it last
    length     INTEGER NOT NULL,           -- how many events are kept
    head       TEXT    NOT NULL,           -- the hash of the last of them
    asked      INTEGER NOT NULL DEFAULT 0, -- how often it was asked to stop
    stop_epoch INTEGER                     -- whose holder was asked last
) STRICT;

CREATE TABLE events (
    run    TEXT    NOT NULL,
    seq    INTEGER NOT NULL,
    epoch  INTEGER NOT NULL,
    effect TEXT,
    v      INTEGER NOT NULL,
    body   TEXT    NOT NULL,
    prev   TEXT    NOT NULL,
    hash   TEXT    NOT NULL,
    UNIQUE (run, seq)
) STRICT;
CREATE UNIQUE INDEX one_event_per_effect ON events (run, effect) WHERE effect IS NOT NULL;

CREATE TABLE mail (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    run       TEXT    NOT NULL,
    signal    TEXT    NOT NULL,
    v         INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    taken_seq INTEGER                      -- the event it became
) STRICT;
CREATE INDEX untaken_mail ON mail (run, signal, id) WHERE taken_seq IS NULL;
";

/// What a list of runs shows of each; see `headline.rs`.
const HEADLINES: &str = "
ALTER TABLE runs ADD COLUMN headline TEXT;      -- derived from the events
ALTER TABLE runs ADD COLUMN headline_seal TEXT; -- binds it to the end of the chain
";

/// What is needed to answer about some runs without reading them all. What a
/// run waits for is derived from its events like its headline, and unknown
/// where an older trueup kept the last of them.
const PAGES: &str = "
ALTER TABLE runs ADD COLUMN request TEXT;      -- by which it was opened
ALTER TABLE runs ADD COLUMN stop_request TEXT; -- by which it was asked to stop last
ALTER TABLE runs ADD COLUMN waits_for TEXT;    -- a signal, 'work' or 'done'
ALTER TABLE runs ADD COLUMN due INTEGER;       -- the moment, where it waits for one
ALTER TABLE mail ADD COLUMN request TEXT;      -- by which it was posted
CREATE UNIQUE INDEX one_letter_per_request ON mail (request) WHERE request IS NOT NULL;
CREATE INDEX waiting_mail ON mail (run) WHERE taken_seq IS NULL;

-- Every task that was ever run.
CREATE TABLE tasks (
    task  TEXT    NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL,                    -- how often
    last  INTEGER NOT NULL                     -- the number of its last run
) STRICT, WITHOUT ROWID;
INSERT INTO tasks SELECT task, COUNT(*), MAX(number) FROM runs GROUP BY task;

UPDATE runs SET waits_for = 'done' WHERE json_valid(headline) AND json_type(headline, '$.position.done') IS NOT NULL;
CREATE INDEX unfinished_runs ON runs (number) WHERE waits_for IS NOT 'done';
CREATE INDEX waiting_runs ON runs (waits_for, due) WHERE waits_for IS NOT 'done';
";

/// Opens the journal of a state root, making it first if there is none.
pub(super) fn open(root: &StateRoot) -> Result<Connection, DeskError> {
    let path = root.journal();
    match fs::metadata(&path) {
        // It is written under another name until it is whole.
        Ok(file) if file.len() == 0 && fault::planted(Fault::OverlooksDamage) => make(root)?,
        Ok(file) if file.len() == 0 => return Err(DeskError::Unreadable("the file is empty".to_owned())),
        Ok(_) => {}
        Err(_) => make(root)?,
    }
    refuse_newer_file(&path)?;
    let mut connection = connect(&path)?;
    // Closing would tidy the write-ahead log into the file, which must not
    // happen to a journal that turns out to be newer than this binary.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    refuse_newer(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    migrate(&mut connection)?;
    Ok(connection)
}

/// One more connection to a journal that was opened before.
pub(super) fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    Ok(connection)
}

/// Refuses a journal that a newer trueup has written meanwhile.
pub(super) fn refuse_newer(connection: &Connection) -> Result<(), DeskError> {
    let found = version(connection)?;
    if found > KNOWN {
        return Err(DeskError::Newer { found, known: KNOWN });
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<u32, rusqlite::Error> {
    // Asked for with every event, so it is prepared once.
    connection
        .prepare_cached("PRAGMA user_version")?
        .query_row([], |row| row.get(0))
}

/// Looks at the file alone, without the side files that even a reader of a
/// write-ahead log creates. Anything but a clear answer is left to the real
/// connection, which sees the log as well.
///
/// It is read through SQLite and not as a plain file: closing a plain file
/// would let go of every lock this process holds on it.
fn refuse_newer_file(path: &Path) -> Result<(), DeskError> {
    let Some(path) = path.to_str() else { return Ok(()) };
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags);
    match opened.and_then(|connection| version(&connection)) {
        Ok(found) if found > KNOWN => Err(DeskError::Newer { found, known: KNOWN }),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Makes the journal under another name and renames it when it is whole, so
/// that nobody ever opens half a journal.
fn make(root: &StateRoot) -> Result<(), DeskError> {
    let makers = File::open(root.path()).map_err(failed)?;
    makers.lock().map_err(failed)?;
    if root.journal().exists() {
        return Ok(());
    }
    let unfinished = root.path().join("journal.db.new");
    let connection = make_at(&unfinished)?;
    close(connection, &unfinished)?;
    put_in_place(root, &unfinished, &makers)
}

/// Closes a journal that was made under another name, on disk.
pub(super) fn close(connection: Connection, unfinished: &Path) -> Result<(), DeskError> {
    connection.close().map_err(|(_, error)| error)?;
    let flushed = File::open(unfinished).and_then(|file| file.sync_all());
    flushed.map_err(failed)
}

/// Gives it the name by which it is found, on disk.
pub(super) fn put_in_place(root: &StateRoot, unfinished: &Path, folder: &File) -> Result<(), DeskError> {
    fs::rename(unfinished, root.journal()).map_err(failed)?;
    folder.sync_all().map_err(failed)
}

/// Makes an empty journal of this name, in the place of one that was never finished.
pub(super) fn make_at(unfinished: &Path) -> Result<Connection, DeskError> {
    remove_unfinished(unfinished).map_err(failed)?;
    // The side files take their permissions from this one.
    let file = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(unfinished);
    drop(file.map_err(failed)?);
    let mut connection = connect(unfinished)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    migrate(&mut connection)?;
    Ok(connection)
}

fn remove_unfinished(path: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match fs::remove_file(PathBuf::from(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), DeskError> {
    if version(connection)? == KNOWN {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again: another process may have lifted the file meanwhile.
    let from = version(&transaction)?;
    for step in MIGRATIONS.iter().skip(from as usize) {
        transaction.execute_batch(step)?;
    }
    refuse_newer(&transaction)?;
    transaction.pragma_update(None, "user_version", KNOWN)?;
    transaction.commit()?;
    Ok(())
}

pub(super) fn failed(error: io::Error) -> DeskError {
    if crate::space::is_full(&error) {
        return DeskError::Full(error.to_string());
    }
    DeskError::Journal(error.to_string())
}

impl From<rusqlite::Error> for DeskError {
    fn from(error: rusqlite::Error) -> Self {
        if is_full(&error) {
            Self::Full(error.to_string())
        } else if is_unreadable(&error) {
            Self::Unreadable(error.to_string())
        } else {
            Self::Journal(error.to_string())
        }
    }
}

/// Whether SQLite found something else than it wrote.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    error
        .sqlite_error_code()
        .is_some_and(|code| matches!(code, DatabaseCorrupt | NotADatabase))
}

/// Whether SQLite found no space. It says `FULL` where a write met a full disk,
/// and a failed write where it met a quota or could not lay its shared index.
fn is_full(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};
    error.sqlite_error().is_some_and(|error| {
        error.code == rusqlite::ErrorCode::DiskFull
            || [SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE].contains(&error.extended_code)
    })
}
