//! What the same check answered on the same tree, in this run and in all
//! before it. Two different answers make it flaky, for good.

use crate::{
    spool::write_durably,
    state::{lock_file, make_private},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use trueup_core::{digest::Digest, evidence::Runs};

/// Every answer that was ever kept, by the key of what was asked.
pub(super) struct Answers {
    folder: PathBuf,
}

impl Answers {
    pub(super) const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// What was answered so far. What cannot be read counts for nothing kept:
    /// it is then found flaky anew.
    pub(super) fn of(&self, key: &Digest) -> Runs {
        let kept = fs::read(self.path(key)).ok();
        kept.and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Keeps what was answered beside what was kept; durable when this returns.
    pub(super) fn keep(&self, key: &Digest, now: Runs) -> io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(Path::new("/"));
        make_private(folder)?;
        // Two runs may keep at once, and neither answer may be lost.
        let lock = lock_file(&folder.join(".lock"))?;
        lock.lock()?;
        write_durably(&path, &serde_json::to_vec(&self.of(key).and(now))?)
    }

    fn path(&self, key: &Digest) -> PathBuf {
        let first = key.as_str().get(..2).unwrap_or("xx");
        self.folder.join(first).join(key.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Answers;
    use trueup_core::{digest::Digest, evidence::Runs};

    #[test]
    fn answers_of_all_runs_are_kept_and_are_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let answers = Answers::at(folder.path().join("answers"));
        let (key, other) = (Digest::of(b"a"), Digest::of(b"b"));
        answers.keep(&key, Runs { green: 1, red: 0 }).expect("kept");
        answers.keep(&key, Runs { green: 0, red: 2 }).expect("kept");
        assert_eq!(answers.of(&key), Runs { green: 1, red: 2 });
        assert_eq!(answers.of(&other), Runs::default());
        let mode = std::fs::metadata(answers.path(&key))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
