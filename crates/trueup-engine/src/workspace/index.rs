//! The index of a workspace: what is staged, and what was known of each file
//! when it was staged.
//!
//! Only an index of the engine's own is read here. Asking git for it costs a
//! process each time, and a snapshot would ask three times.

use super::error::Error;
use gix_hash::{Kind, ObjectId};
use gix_index::{
    decode,
    entry::{Flags, Mode, Stat, stat},
    write::Extensions,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    ops::Range,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    thread,
    time::Duration,
};

/// A link to a commit of another repository, as git writes its mode.
pub(super) const LINK_MODE: &[u8] = b"160000";

/// How the clock of a file system ticks, about, and for how many ticks it is
/// waited for. Where it takes longer, contents are read once more.
const TICK: Duration = Duration::from_millis(2);
const TICKS: usize = 10;

/// Written as git does with `index.skipHash`: nobody sums it up.
const WRITING: gix_index::write::Options = gix_index::write::Options {
    extensions: Extensions::Given {
        tree_cache: true,
        end_of_index_entry: false,
    },
    skip_hash: true,
};

/// An index, as it lay in its file.
pub(super) struct Index {
    file: gix_index::File,
}

/// What is staged under one path.
#[derive(Clone, Copy)]
pub(super) struct Staged<'a> {
    pub(super) path: &'a [u8],
    entry: &'a gix_index::Entry,
}

/// A file as an index shall know it.
#[derive(Debug)]
pub(super) struct FileStat {
    path: Vec<u8>,
    stat: Stat,
}

/// What is to be staged under some paths; `None` for nothing.
pub(super) type Edits = BTreeMap<Vec<u8>, Option<NewEntry>>;

/// What is to be staged under one path.
#[derive(Debug)]
pub(super) struct NewEntry {
    pub(super) stat: Stat,
    pub(super) mode: Mode,
    pub(super) id: ObjectId,
}

/// How a file compares with what is staged under its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// It is the same.
    Same,
    /// It may differ, and git would see that it may.
    Differs,
    /// It may differ, and git would take it for the same: git compares times
    /// by the second, so of two edits in one second it can miss the later.
    RacyClean,
}

impl Index {
    /// Reads an index. Where there is none, nothing is staged.
    pub(super) fn read(file: &Path, hash: Kind) -> Result<Self, Error> {
        let options = decode::Options {
            thread_limit: Some(1),
            ..decode::Options::default()
        };
        let unclear = |why: &str| Error::unclear("index", format!("{}: {why}", file.display()).as_bytes());
        let read = gix_index::File::at_or_default(file, hash, true, options);
        let read = read.map_err(|error| unclear(&error.to_string()))?;
        let plain = |entry: &gix_index::Entry| entry.stage_raw() == 0 && !entry.flags.contains(Flags::EXTENDED);
        if read.is_sparse() || !read.entries().iter().all(plain) {
            return Err(unclear("it is in the middle of a merge, or sparse"));
        }
        Ok(Self { file: read })
    }

    /// The tree that is staged, if it has been computed since the last change.
    pub(super) fn tree(&self) -> Option<ObjectId> {
        let root = self.file.tree()?;
        root.num_entries.map(|_| root.id)
    }

    /// How objects get their names.
    pub(super) fn hash(&self) -> Kind {
        self.file.object_hash()
    }

    /// Lets an index know contents as they are, in whose place it holds
    /// pointers: until somebody touches them they are the same. Git itself has
    /// no word for that.
    pub(super) fn remember(file: &Path, hash: Kind, contents: &[FileStat]) -> Result<(), Error> {
        if contents.is_empty() {
            return Ok(());
        }
        let mut index = Self::read(file, hash)?;
        for FileStat { path, stat } in contents {
            if let Ok(number) = index.position(path)
                && let Some(entry) = index.file.entries_mut().get_mut(number)
            {
                entry.stat = *stat;
            }
        }
        let bytes = index.bytes()?;
        let newest = contents.iter().map(|content| content.stat.ctime).max();
        for _ in 0..TICKS {
            fs::write(file, &bytes).map_err(Error::at(file))?;
            let about = fs::metadata(file).map_err(Error::at(file))?;
            if Some(stat_of(&about).mtime) > newest {
                break;
            }
            // A content of the same moment would be read once more for nothing.
            thread::sleep(TICK);
        }
        Ok(())
    }

    /// Files whose size git no longer knows since it wrote `now`, except
    /// those `that_may_differ`. It does so where it finds another content in a
    /// file as young as its index, and a content is another than its pointer.
    pub(super) fn forgotten_in(&self, now: &Self, that_may_differ: impl Fn(&[u8]) -> bool) -> Vec<FileStat> {
        let same = self.staged().filter(|staged| !that_may_differ(staged.path));
        same.filter(|staged| {
            let later = now.find(staged.path).map(|later| later.entry);
            later
                .is_some_and(|later| later.id == staged.entry.id && later.stat.size == 0 && staged.entry.stat.size != 0)
        })
        .map(|staged| FileStat {
            path: staged.path.to_vec(),
            stat: staged.entry.stat,
        })
        .collect()
    }

    /// The bytes of this index with some entries changed; `tree` is the tree
    /// of everything that is staged then.
    pub(super) fn edited(&self, edits: &Edits, tree: ObjectId) -> Result<Vec<u8>, Error> {
        let mut edited = Self {
            file: self.file.clone(),
        };
        let mut new = Vec::new();
        for (path, edit) in edits {
            let number = self.position(path).ok();
            let entry = number.and_then(|number| edited.file.entries_mut().get_mut(number));
            match (entry, edit) {
                (Some(entry), Some(NewEntry { stat, mode, id })) => {
                    (entry.stat, entry.mode, entry.id) = (*stat, *mode, *id);
                }
                (Some(entry), None) => entry.flags.insert(Flags::REMOVE),
                (None, Some(edit)) => new.push((path, edit)),
                (None, None) => {}
            }
        }
        edited
            .file
            .remove_entries(|_, _, entry| entry.flags.contains(Flags::REMOVE));
        for (path, NewEntry { stat, mode, id }) in new {
            let path = path.as_slice().into();
            edited
                .file
                .dangerously_push_entry(*stat, *id, Flags::empty(), *mode, path);
        }
        edited.file.sort_entries();
        let count = u32::try_from(edited.file.entries().len()).ok();
        if let Some(root) = edited.file.tree_mut() {
            // Git fills in the folders below when it next needs them.
            (root.id, root.num_entries) = (tree, count);
            root.children.clear();
        }
        edited.bytes()
    }

    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let written = self.file.write_to(&mut bytes, WRITING);
        written.map_err(|error| Error::unclear("index", error.to_string().as_bytes()))?;
        Ok(bytes)
    }

    /// Everything that is staged, by path.
    pub(super) fn staged(&self) -> impl Iterator<Item = Staged<'_>> {
        self.file.entries().iter().map(|entry| self.as_staged(entry))
    }

    /// How much is staged.
    pub(super) fn len(&self) -> usize {
        self.file.entries().len()
    }

    /// The numbers of what is staged, by path. Numbers, because a large tree
    /// has many of them.
    pub(super) fn by_path(&self) -> HashMap<&[u8], u32> {
        self.staged().map(|staged| staged.path).zip(0..).collect()
    }

    /// What is staged under a number.
    pub(super) fn nth(&self, number: u32) -> Option<Staged<'_>> {
        let entry = self.file.entries().get(usize::try_from(number).ok()?)?;
        Some(self.as_staged(entry))
    }

    /// What is staged under one path.
    pub(super) fn find(&self, path: &[u8]) -> Option<Staged<'_>> {
        let entry = self.file.entries().get(self.position(path).ok()?)?;
        Some(self.as_staged(entry))
    }

    /// The number of a path, or the one it would have.
    pub(super) fn position(&self, path: &[u8]) -> Result<usize, usize> {
        self.file.entry_index_by_path(path.into())
    }

    /// The numbers of what is staged below a folder.
    pub(super) fn below(&self, folder: &[u8]) -> Range<usize> {
        let inner = [folder, b"/"].concat();
        self.file
            .prefixed_entries_range(inner.as_slice().into())
            .unwrap_or_default()
    }

    /// Every folder that holds something staged.
    pub(super) fn folders(&self) -> HashSet<&[u8]> {
        let mut folders = HashSet::new();
        for staged in self.staged() {
            for folder in folders_above(staged.path).rev() {
                if !folders.insert(folder) {
                    break;
                }
            }
        }
        folders
    }

    /// How a file compares with what is staged. The time of a file's last
    /// change is the kernel's and nobody can set it back, so a file touched
    /// since the index was written is never taken for the same.
    pub(super) fn compare(&self, staged: &Staged<'_>, file: &fs::Metadata) -> Compared {
        let (known, is) = (&staged.entry.stat, stat_of(file));
        let by_the_second = stat::Options {
            trust_ctime: true,
            check_stat: true,
            use_nsec: false,
            use_stdev: false,
        };
        if staged.entry.mode != mode_of(file) || !known.matches(&is, by_the_second) {
            return Compared::Differs;
        }
        let exactly = stat::Options {
            use_nsec: true,
            ..by_the_second
        };
        let written = self.file.timestamp();
        let written = (written.unix_seconds(), i64::from(written.nanoseconds()));
        if (file.ctime(), file.ctime_nsec()) >= written || !known.matches(&is, exactly) {
            return Compared::RacyClean;
        }
        Compared::Same
    }

    fn as_staged<'a>(&'a self, entry: &'a gix_index::Entry) -> Staged<'a> {
        Staged {
            path: entry.path(&self.file),
            entry,
        }
    }
}

impl FileStat {
    /// A file as it was found.
    pub(super) fn new(path: &[u8], file: &fs::Metadata) -> Self {
        Self {
            path: path.to_vec(),
            stat: stat_of(file),
        }
    }
}

impl Staged<'_> {
    /// Its object.
    pub(super) const fn id(&self) -> ObjectId {
        self.entry.id
    }

    /// Its mode, as git writes it.
    pub(super) fn mode(&self) -> String {
        format!("{:06o}", self.entry.mode.bits())
    }

    /// Whether it is a link to a commit of another repository.
    pub(super) fn is_link(&self) -> bool {
        self.entry.mode == Mode::COMMIT
    }

    /// Whether it is the same file as another.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.entry.mode == other.entry.mode && self.entry.id == other.entry.id
    }

    /// As `update-index --index-info` reads it. Entered anew like this, an
    /// entry forgets the times it knew.
    pub(super) fn anew(&self) -> Vec<u8> {
        let head = format!("{} {} 0\t", self.mode(), self.id());
        [head.as_bytes(), self.path, b"\0"].concat()
    }
}

/// The folders a path lies in, the outermost first.
pub(super) fn folders_above(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes.filter_map(|(end, _)| path.get(..end))
}

/// The mode git gives a file.
pub(super) fn mode_of(file: &fs::Metadata) -> Mode {
    match (file.is_symlink(), file.permissions().mode() & 0o100) {
        (true, _) => Mode::SYMLINK,
        (false, 0) => Mode::FILE,
        (false, _) => Mode::FILE_EXECUTABLE,
    }
}

/// What an index knows of a file, which is the lower half of what is longer.
pub(super) fn stat_of(file: &fs::Metadata) -> Stat {
    let time = |seconds: i64, finer: i64| stat::Time {
        secs: seconds as u32,
        nsecs: finer as u32,
    };
    Stat {
        mtime: time(file.mtime(), file.mtime_nsec()),
        ctime: time(file.ctime(), file.ctime_nsec()),
        dev: file.dev() as u32,
        ino: file.ino() as u32,
        uid: file.uid(),
        gid: file.gid(),
        size: file.size() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::{Compared, Edits, Index, NewEntry, mode_of, stat_of};
    use gix_hash::Kind;
    use std::{fs, path::Path, process::Command, thread, time::Duration};

    fn git(folder: &Path, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "index.version=2"]).args(arguments).current_dir(folder);
        let output = git.env("GIT_CONFIG_NOSYSTEM", "1").output().expect("git");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// A repository with some files staged.
    fn repository(format: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        git(
            folder.path(),
            &["init", "--quiet", &format!("--object-format={format}")],
        );
        let long = format!("deep/{}", "long".repeat(50));
        for name in ["a", "b b", "deep/er/c", "ünïcode", &long] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("above")).expect("folders");
            fs::write(path, name).expect("a file");
        }
        std::os::unix::fs::symlink("a", folder.path().join("link")).expect("a link");
        // A file whose time is that of the index is suspect, as it should be.
        thread::sleep(Duration::from_millis(20));
        git(folder.path(), &["add", "--all"]);
        folder
    }

    #[test]
    fn what_is_read_is_what_git_lists() {
        for (format, hash) in [("sha1", Kind::Sha1), ("sha256", Kind::Sha256)] {
            let folder = repository(format);
            let file = folder.path().join(".git/index");
            let listed = git(folder.path(), &["ls-files", "--stage", "-z"]);
            let index = Index::read(&file, hash).expect("an index");
            let ours: Vec<u8> = index.staged().flat_map(|staged| staged.anew()).collect();
            assert_eq!(String::from_utf8(ours).expect("text"), listed);
            assert_eq!(index.tree(), None, "git has not computed it yet");
            let tree = git(folder.path(), &["write-tree"]);
            let index = Index::read(&file, hash).expect("an index");
            assert_eq!(index.tree().map(|tree| tree.to_string()).as_deref(), Some(tree.trim()));
            for staged in index.staged() {
                assert_eq!(index.find(staged.path).map(|found| found.id()), Some(staged.id()));
            }
            assert!(index.find(b"deep").is_none() && index.folders().contains(b"deep/er".as_slice()));
        }
    }

    #[test]
    fn a_file_touched_since_is_never_the_same() {
        let folder = repository("sha1");
        let index = Index::read(&folder.path().join(".git/index"), Kind::Sha1).expect("an index");
        let compare = |name: &str| {
            let about = fs::symlink_metadata(folder.path().join(name)).expect("a file");
            index.compare(&index.find(name.as_bytes()).expect("staged"), &about)
        };
        assert_eq!((compare("a"), compare("link")), (Compared::Same, Compared::Same));
        let before = fs::metadata(folder.path().join("a"))
            .expect("a file")
            .modified()
            .expect("a time");
        fs::write(folder.path().join("a"), "b").expect("an edit of the same length");
        let file = fs::File::options()
            .write(true)
            .open(folder.path().join("a"))
            .expect("a file");
        file.set_modified(before).expect("an old time");
        assert_ne!(compare("a"), Compared::Same);
        fs::write(folder.path().join("b b"), "longer than it was").expect("an edit");
        assert_eq!(compare("b b"), Compared::Differs);
    }

    #[test]
    fn an_edited_index_is_what_git_reads() {
        for (format, hash) in [("sha1", Kind::Sha1), ("sha256", Kind::Sha256)] {
            let folder = repository(format);
            let tree = git(folder.path(), &["write-tree"]);
            let file = folder.path().join(".git/index");
            let index = Index::read(&file, hash).expect("an index");
            let about = fs::symlink_metadata(folder.path().join("a")).expect("a file");
            let entry = |index: &Index| {
                Some(NewEntry {
                    stat: stat_of(&about),
                    mode: mode_of(&about),
                    id: index.find(b"a").expect("staged").id(),
                })
            };
            let edits = Edits::from([
                (b"b b".to_vec(), None),
                (b"deep/er/c".to_vec(), entry(&index)),
                (b"deep/new".to_vec(), entry(&index)),
                (b"0".to_vec(), entry(&index)),
                (b"not there".to_vec(), None),
            ]);
            let bytes = index.edited(&edits, index.tree().expect("a tree")).expect("bytes");
            fs::write(&file, bytes).expect("written");
            let edited = Index::read(&file, hash).expect("an index");
            let ours: Vec<u8> = edited.staged().flat_map(|staged| staged.anew()).collect();
            let listed = git(folder.path(), &["ls-files", "--stage", "-z"]);
            assert_eq!(String::from_utf8(ours).expect("text"), listed);
            assert_eq!(edited.len(), index.len() + 1);
            // The tree it was told is the tree git says, until git enters something itself.
            assert_eq!(git(folder.path(), &["write-tree"]), tree);
            fs::write(folder.path().join("deep/new"), "another").expect("a file");
            git(folder.path(), &["add", "deep/new"]);
            assert_ne!(git(folder.path(), &["write-tree"]), tree);
        }
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_refused_and_never_guessed() {
        let folder = repository("sha1");
        git(folder.path(), &["write-tree"]);
        let file = folder.path().join(".git/index");
        let whole = fs::read(&file).expect("bytes");
        let all = Index::read(&file, Kind::Sha1).expect("whole").len();
        let cut = folder.path().join("cut");
        for length in 0..whole.len() {
            fs::write(&cut, &whole[..length]).expect("bytes");
            let read = Index::read(&cut, Kind::Sha1);
            assert!(read.is_err() || read.is_ok_and(|index| index.len() == all), "{length}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            fs::write(&cut, bytes).expect("bytes");
            // Whatever it says: it must say something.
            drop(Index::read(&cut, Kind::Sha1));
        }
        let conflict = "100644 4b825dc642cb6eb9a060e54bf8d69288fbee4904 1\ta\n";
        fs::write(&cut, conflict).expect("an entry");
        let entered = Command::new("git")
            .args(["update-index", "--index-info"])
            .current_dir(folder.path())
            .stdin(fs::File::open(&cut).expect("an entry"))
            .status();
        assert!(entered.expect("git").success());
        assert!(Index::read(&file, Kind::Sha1).is_err(), "in the middle of a merge");
    }
}
