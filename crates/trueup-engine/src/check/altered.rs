//! What a program did to the files of the tree it was to judge.

use super::{checks::Checks, ground::Ground};
use crate::halt::Halt;
use std::{
    collections::BTreeSet,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};
use trueup_core::{
    criterion::{Check, Criterion},
    effect::Verify,
    evidence::{Binding, Evidence},
    objection::{Objection, ObjectionKind},
};
use trueup_inspect::changes::Allowed;

/// How many files are told of one execution.
const MOST: usize = 50;

/// The files of a room as they were laid.
pub(super) struct Stamps(Vec<(PathBuf, Stamp)>);

/// What changes with every writing, whatever times a program sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    changed: (i64, i64),
    object: u64,
    bytes: u64,
    mode: u32,
}

impl Stamp {
    fn of(found: &fs::Metadata) -> Self {
        Self {
            changed: (found.ctime(), found.ctime_nsec()),
            object: found.ino(),
            bytes: found.size(),
            mode: found.mode(),
        }
    }
}

impl Stamps {
    /// Of every file below a folder, but for these.
    pub(super) fn of(room: &Path, without: &BTreeSet<PathBuf>) -> io::Result<Self> {
        let mut stamps = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(room.join(&folder))? {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                if entry.file_type()?.is_dir() {
                    folders.push(path);
                } else if !without.contains(&path) {
                    stamps.push((path, Stamp::of(&entry.metadata()?)));
                }
            }
        }
        Ok(Self(stamps))
    }

    /// Those that were written, moved or taken away since; the first of them
    /// in the order of their names.
    pub(super) fn altered(&self, room: &Path) -> Vec<String> {
        let is_same = |path: &Path, stamp: &Stamp| {
            let found = fs::symlink_metadata(room.join(path));
            found.is_ok_and(|found| Stamp::of(&found) == *stamp)
        };
        let altered = self.0.iter().filter(|(path, stamp)| !is_same(path, stamp));
        let mut names: Vec<String> = altered.map(|(path, _)| path.to_string_lossy().into_owned()).collect();
        names.sort();
        names.truncate(MOST);
        names
    }
}

impl Checks {
    /// Files that checks write while they run on a tree, and not on the base:
    /// then another tree was judged than is delivered.
    pub(super) async fn altered(&self, wish: &Verify, evidence: &[Evidence]) -> Result<Vec<Objection>, Halt> {
        let allowed = Allowed(&wish.allow);
        let kind = ObjectionKind::Altered;
        let mut found = Vec::new();
        for evidence in evidence.iter().filter(|evidence| evidence.passed()) {
            let matter: Vec<&String> = evidence.altered.iter().filter(|path| matters(path)).collect();
            let Some((criterion, check)) = asked(wish, evidence).filter(|_| !matter.is_empty()) else {
                continue;
            };
            let habit = self.altered_on_base(wish, criterion, check).await?;
            let source = check.source.trim_matches('`');
            for path in matter.into_iter().filter(|path| !habit.contains(path)) {
                let fields = [path.as_bytes(), source.as_bytes(), wish.tree.as_str().as_bytes()];
                found.push(Objection {
                    kind,
                    path: path.clone(),
                    what: format!(
                        "`{source}` writes it while it runs, so that what was tested is not what is delivered"
                    ),
                    digest: kind.digest(&fields),
                    allowed: allowed.path(kind, path),
                    rule: None,
                });
            }
        }
        Ok(found)
    }

    /// What the check writes on the base. It was seen there, or it is looked at.
    async fn altered_on_base(&self, wish: &Verify, criterion: &Criterion, check: &Check) -> Result<Vec<String>, Halt> {
        let key = Binding::of(&wish.base, criterion, check, &wish.protected).key();
        if let Some(spooled) = self.spool.get::<Evidence>(&format!("evidence-{key}")) {
            return Ok(spooled.altered);
        }
        let name = format!("altered-{key}");
        if let Some(known) = self.spool.get(&name) {
            return Ok(known);
        }
        let base = Verify {
            tree: wish.base.clone(),
            ..wish.clone()
        };
        let prepared = self.layers.prepared(&(&base).into(), &mut |_| {}).await?;
        let ground = Ground::of(&self.layers, &base, check, &prepared);
        let altered = match self.execute(&base.tree, check, &ground).await? {
            Ok(ran) => ran.altered,
            Err(()) => Vec::new(),
        };
        self.spool.put(&name, &altered)?;
        Ok(altered)
    }
}

fn asked<'a>(wish: &'a Verify, evidence: &Evidence) -> Option<(&'a Criterion, &'a Check)> {
    let criteria = wish.criteria.iter();
    let mut all = criteria.flat_map(|criterion| criterion.checks.iter().map(move |check| (criterion, check)));
    all.find(|(_, check)| check.id == evidence.check)
}

/// Whether what stands in a file can decide what is tested: nobody reads prose,
/// and lock files have rules of their own.
fn matters(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_lock = matches!(ending, "lock" | "lockb" | "sum") || name.contains("-lock.");
    !is_lock && !matches!(ending, "md" | "rst" | "adoc" | "log")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_that_was_written_is_seen_whatever_it_holds_then() {
        let room = tempfile::tempdir().expect("a folder");
        let at = |name: &str| room.path().join(name);
        fs::create_dir(at("src")).expect("a folder");
        for name in ["src/same", "src/other", "gone", "kept", "mode", "hidden"] {
            fs::write(at(name), name).expect("a file");
        }
        let hidden = BTreeSet::from([PathBuf::from("hidden")]);
        let stamps = Stamps::of(room.path(), &hidden).expect("stamps");
        assert!(stamps.altered(room.path()).is_empty());
        // Clocks of file systems go in steps.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let times = fs::metadata(at("src/same")).expect("times").modified().expect("a time");
        fs::write(at("src/same"), "src/same").expect("a file");
        let same = fs::File::options().write(true).open(at("src/same")).expect("a file");
        same.set_modified(times).expect("set back");
        fs::write(at("src/other"), "else").expect("a file");
        fs::write(at("hidden"), "else").expect("a file");
        fs::write(at("new"), "new").expect("a file");
        fs::remove_file(at("gone")).expect("gone");
        fs::set_permissions(at("mode"), fs::Permissions::from_mode(0o700)).expect("a mode");
        assert_eq!(stamps.altered(room.path()), ["gone", "mode", "src/other", "src/same"]);
    }

    #[test]
    fn ten_thousand_files_cost_next_to_nothing() {
        let room = tempfile::tempdir().expect("a folder");
        for folder in 0..100 {
            let folder = room.path().join(folder.to_string());
            fs::create_dir(&folder).expect("a folder");
            for file in 0..100 {
                fs::write(folder.join(file.to_string()), "x").expect("a file");
            }
        }
        let begun = std::time::Instant::now();
        let stamps = Stamps::of(room.path(), &BTreeSet::new()).expect("stamps");
        let laid = begun.elapsed();
        assert!(stamps.altered(room.path()).is_empty());
        println!("stamps={laid:?} all={:?}", begun.elapsed());
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(5),
            "{:?}",
            begun.elapsed()
        );
    }

    #[test]
    fn prose_and_lock_files_decide_nothing() {
        for (path, expected) in [
            ("src/price.ts", true),
            ("package.json", true),
            ("tests/data.txt", true),
            ("README.md", false),
            ("Cargo.lock", false),
            ("package-lock.json", false),
            ("go.sum", false),
        ] {
            assert_eq!(matters(path), expected, "{path}");
        }
    }
}
