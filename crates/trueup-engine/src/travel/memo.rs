//! What is remembered beyond one run: what the same check answered on the same
//! tree, and faults that a tool was seen to find.

use super::shared::held;
use crate::{
    state::{lock_file, make_private},
    write::write_durably,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime},
};
use trueup_core::{digest::Digest, evidence::Runs};

/// Remembers for all runs. Nothing of it decides alone: what is forgotten is
/// found out anew.
pub trait Memo: Debug + Send + Sync {
    /// What was answered so far under this key. What cannot be read counts for
    /// nothing kept: it is then found flaky anew.
    fn answers(&self, key: &Digest) -> Runs;

    /// Adds answers to what was kept under this key; durable when this
    /// returns. Of several who add at once, none is lost.
    fn add_answers(&self, key: &Digest, now: Runs) -> io::Result<()>;

    /// What was seen standing under these rules, if it was.
    fn standing(&self, rules: &Digest) -> Option<Vec<u8>>;

    /// Keeps what was seen standing under these rules; durable when this returns.
    fn keep_standing(&self, rules: &Digest, seen: &[u8]) -> io::Result<()>;

    /// What a check showed under this key when it was last looked at, and how
    /// long ago that was. What cannot be told counts for nothing seen.
    fn look(&self, key: &Digest) -> Option<(Duration, Vec<u8>)>;

    /// Keeps what a check shows under this key now.
    fn keep_look(&self, key: &Digest, seen: &[u8]) -> io::Result<()>;
}

impl dyn Memo + '_ {
    /// What was seen standing under these rules, if it was and can be read.
    pub fn seen_standing<T: DeserializeOwned>(&self, rules: &Digest) -> Option<T> {
        serde_json::from_slice(&self.standing(rules)?).ok()
    }

    /// Keeps what was seen standing under these rules.
    pub fn put_standing<T: Serialize>(&self, rules: &Digest, seen: &T) -> io::Result<()> {
        self.keep_standing(rules, &serde_json::to_vec(seen)?)
    }

    /// What a check showed under this key, if that can be read, and how long
    /// ago that was.
    pub fn last_look<T: DeserializeOwned>(&self, key: &Digest) -> Option<(Duration, T)> {
        let (age, seen) = self.look(key)?;
        Some((age, serde_json::from_slice(&seen).ok()?))
    }

    /// Keeps what a check shows under this key now.
    pub fn put_look<T: Serialize>(&self, key: &Digest, seen: &T) -> io::Result<()> {
        self.keep_look(key, &serde_json::to_vec(seen)?)
    }
}

/// Where the files of a memo lie.
#[derive(Clone, Debug)]
pub struct MemoFolders {
    /// What checks answered.
    pub answers: PathBuf,
    /// What was seen standing.
    pub controls: PathBuf,
    /// What checks showed on bases.
    pub looks: PathBuf,
}

/// A memo as files.
#[derive(Clone, Debug)]
pub struct FolderMemo(MemoFolders);

impl FolderMemo {
    /// The memo that lies in these folders.
    pub fn at(folders: &MemoFolders) -> Self {
        Self(folders.clone())
    }

    fn of_answers(&self, key: &Digest) -> PathBuf {
        let first = key.as_str().get(..2).unwrap_or("xx");
        self.0.answers.join(first).join(key.as_str())
    }

    fn of_rules(&self, rules: &Digest) -> PathBuf {
        self.0.controls.join(format!("{rules}.json"))
    }

    fn of_look(&self, key: &Digest) -> PathBuf {
        self.0.looks.join(format!("{key}.json"))
    }
}

impl Memo for FolderMemo {
    fn answers(&self, key: &Digest) -> Runs {
        let kept = fs::read(self.of_answers(key)).ok();
        kept.and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    fn add_answers(&self, key: &Digest, now: Runs) -> io::Result<()> {
        let path = self.of_answers(key);
        let folder = path.parent().unwrap_or(Path::new("/"));
        make_private(folder)?;
        // Two runs may keep at once, and neither answer may be lost.
        let lock = lock_file(&folder.join(".lock"))?;
        lock.lock()?;
        write_durably(&path, &serde_json::to_vec(&self.answers(key).and(now))?)
    }

    fn standing(&self, rules: &Digest) -> Option<Vec<u8>> {
        fs::read(self.of_rules(rules)).ok()
    }

    fn keep_standing(&self, rules: &Digest, seen: &[u8]) -> io::Result<()> {
        make_private(&self.0.controls)?;
        write_durably(&self.of_rules(rules), seen)
    }

    fn look(&self, key: &Digest) -> Option<(Duration, Vec<u8>)> {
        let path = self.of_look(key);
        let written = fs::metadata(&path).and_then(|about| about.modified()).ok()?;
        // What a clock says of the future is not believed.
        let age = SystemTime::now().duration_since(written).ok()?;
        Some((age, fs::read(path).ok()?))
    }

    fn keep_look(&self, key: &Digest, seen: &[u8]) -> io::Result<()> {
        make_private(&self.0.looks)?;
        write_durably(&self.of_look(key), seen)
    }
}

/// A memo in memory. A clone shows the same one.
#[derive(Clone, Debug, Default)]
pub struct MemoryMemo {
    answers: Arc<Mutex<BTreeMap<Digest, Runs>>>,
    standing: Arc<Mutex<BTreeMap<Digest, Vec<u8>>>>,
    looks: Arc<Mutex<BTreeMap<Digest, Look>>>,
}

/// What a check showed, and when.
type Look = (Instant, Vec<u8>);

impl Memo for MemoryMemo {
    fn answers(&self, key: &Digest) -> Runs {
        held(&self.answers).get(key).copied().unwrap_or_default()
    }

    fn add_answers(&self, key: &Digest, now: Runs) -> io::Result<()> {
        let mut answers = held(&self.answers);
        let kept = answers.entry(key.clone()).or_default();
        *kept = kept.and(now);
        Ok(())
    }

    fn standing(&self, rules: &Digest) -> Option<Vec<u8>> {
        held(&self.standing).get(rules).cloned()
    }

    fn keep_standing(&self, rules: &Digest, seen: &[u8]) -> io::Result<()> {
        held(&self.standing).insert(rules.clone(), seen.to_vec());
        Ok(())
    }

    fn look(&self, key: &Digest) -> Option<(Duration, Vec<u8>)> {
        let (at, seen) = held(&self.looks).get(key).cloned()?;
        Some((at.elapsed(), seen))
    }

    fn keep_look(&self, key: &Digest, seen: &[u8]) -> io::Result<()> {
        held(&self.looks).insert(key.clone(), (Instant::now(), seen.to_vec()));
        Ok(())
    }
}
