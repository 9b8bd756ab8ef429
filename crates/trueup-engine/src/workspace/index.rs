//! Git's index, read without git: what is staged, and what git knew of each
//! file when it staged it.
//!
//! Only an index that the engine's own git wrote is read this way. Asking git
//! for it costs a process each time, and a snapshot asks three times.

use super::{Error, take};
use std::{
    collections::{HashMap, HashSet},
    fs, io,
    ops::Range,
    os::unix::fs::MetadataExt,
    path::Path,
    thread,
    time::Duration,
};

/// The times, owner and size of a file, as the index holds them.
const STAT: usize = 40;

/// The numbers of those: two times, device, file, owner, group and size. The
/// mode stands among them, and is git's to say.
const STAT_FIELDS: [usize; 9] = [0, 1, 2, 3, 4, 5, 7, 8, 9];

/// Which of the numbers is the mode.
const MODE: usize = 6;

/// How the clock of a file system ticks, about, and for how many ticks it is
/// waited for. Where it takes longer, contents are read once more.
const TICK: Duration = Duration::from_millis(2);
const TICKS: usize = 10;

/// A link to a commit of another repository.
pub(super) const LINK: u32 = 0o160_000;

/// A symbolic link.
pub(super) const SYMLINK: u32 = 0o120_000;

/// An index, as it lay in its file.
pub(super) struct Index {
    pub(super) bytes: Vec<u8>,
    /// How long the name of an object is, in bytes.
    pub(super) name: usize,
    pub(super) entries: Vec<Place>,
    /// Where the entries end.
    end: usize,
    /// Where stands which folder is which tree.
    trees: Option<(usize, usize)>,
    /// When the file was written.
    written: (i64, i64),
}

/// Where an entry lies.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) path: (usize, usize),
}

/// What is staged under one path.
#[derive(Clone, Copy)]
pub(super) struct Staged<'a> {
    pub(super) path: &'a [u8],
    pub(super) mode: u32,
    object: &'a [u8],
    stat: &'a [u8],
}

/// A file as an index shall know it.
#[derive(Debug)]
pub(super) struct Known {
    path: Vec<u8>,
    stat: [(usize, u32); 9],
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
    Lulled,
}

impl Index {
    /// Reads an index. Where there is none, nothing is staged.
    pub(super) fn read(file: &Path, object_format: &str) -> Result<Self, Error> {
        let name = if object_format == "sha256" { 32 } else { 20 };
        let about = match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::of_nothing(name)),
            found => found.map_err(Error::at(file))?,
        };
        let bytes = fs::read(file).map_err(Error::at(file))?;
        let unclear = || Error::unclear("index", format!("{} is of another kind", file.display()).as_bytes());
        let (entries, end) = entries(&bytes, name).ok_or_else(unclear)?;
        let trees = trees(&bytes, name, end).ok_or_else(unclear)?;
        Ok(Self {
            entries,
            end,
            trees,
            name,
            bytes,
            written: (about.mtime(), about.mtime_nsec()),
        })
    }

    const fn of_nothing(name: usize) -> Self {
        Self {
            bytes: Vec::new(),
            name,
            entries: Vec::new(),
            end: 0,
            trees: None,
            written: (0, 0),
        }
    }

    /// The name of the tree that is staged, if git has computed it since the
    /// last change.
    pub(super) fn tree(&self) -> Option<String> {
        // An empty path, a zero byte, the number of entries, and of folders.
        let body = self.trees()?;
        let line = body.iter().position(|byte| *byte == b'\n')?;
        let is_valid = body.first() == Some(&0) && body.get(1) != Some(&b'-');
        let name = body.get(line + 1..line + 1 + self.name).filter(|_| is_valid);
        name.map(hex)
    }

    /// Which folder is which tree, as git wrote it down.
    pub(super) fn trees(&self) -> Option<&[u8]> {
        let (start, end) = self.trees?;
        self.bytes.get(start..end)
    }

    /// Lets an index know contents as they are, in whose place it holds
    /// pointers: until somebody touches them they are the same. Git itself has
    /// no word for that.
    pub(super) fn remember(file: &Path, object_format: &str, contents: &[Known]) -> Result<(), Error> {
        if contents.is_empty() {
            return Ok(());
        }
        let mut index = Self::read(file, object_format)?;
        for Known { path, stat } in contents {
            let Some(place) = index.place(path) else { continue };
            for (at, known) in stat {
                let start = place.start + at * 4;
                if let Some(field) = index.bytes.get_mut(start..start + 4) {
                    field.copy_from_slice(&known.to_be_bytes());
                }
            }
        }
        // Zeros say that nobody has summed it up; git does when it writes it next.
        let sum = index.bytes.len().saturating_sub(index.name);
        index.bytes.get_mut(sum..).unwrap_or_default().fill(0);
        let newest = contents.iter().map(Known::changed_at).max();
        for _ in 0..TICKS {
            fs::write(file, &index.bytes).map_err(Error::at(file))?;
            let about = fs::metadata(file).map_err(Error::at(file))?;
            if Some((cut(about.mtime()), cut(about.mtime_nsec()))) > newest {
                break;
            }
            // A content of the same moment would be read once more for nothing.
            thread::sleep(TICK);
        }
        Ok(())
    }

    /// Files whose size git no longer knows since it wrote `now`, except
    /// `were`, which may have changed. It does so where it finds another content
    /// in a file as young as its index, and a content is another than its pointer.
    pub(super) fn forgotten_in(&self, now: &Self, were: &take::Were) -> Vec<Known> {
        let same = self.staged().filter(|staged| !were.contains_key(staged.path));
        same.filter(|staged| {
            let later = now.find(staged.path);
            later.is_some_and(|later| later.object == staged.object && later.size() == 0 && staged.size() != 0)
        })
        .map(|staged| Known {
            path: staged.path.to_vec(),
            stat: STAT_FIELDS.map(|at| (at, staged.known(at))),
        })
        .collect()
    }

    /// Everything that is staged, by path.
    pub(super) fn staged(&self) -> impl Iterator<Item = Staged<'_>> {
        self.entries.iter().filter_map(|place| self.at(*place))
    }

    /// The numbers of what is staged, by path. Numbers, because a large tree
    /// has many of them.
    pub(super) fn by_path(&self) -> HashMap<&[u8], u32> {
        let paths = self
            .entries
            .iter()
            .filter_map(|place| self.bytes.get(place.path.0..place.path.1));
        paths.zip(0..).collect()
    }

    /// What is staged under a number.
    pub(super) fn nth(&self, number: u32) -> Option<Staged<'_>> {
        self.at(*self.entries.get(usize::try_from(number).ok()?)?)
    }

    /// What is staged under one path.
    pub(super) fn find(&self, path: &[u8]) -> Option<Staged<'_>> {
        self.at(self.place(path)?)
    }

    fn place(&self, path: &[u8]) -> Option<Place> {
        self.entries.get(self.position(path).ok()?).copied()
    }

    /// The number of a path, or the one it would have.
    pub(super) fn position(&self, path: &[u8]) -> Result<usize, usize> {
        let at = |place: &Place| self.bytes.get(place.path.0..place.path.1).unwrap_or_default();
        self.entries.binary_search_by(|place| at(place).cmp(path))
    }

    /// The numbers of what is staged below a folder.
    pub(super) fn below(&self, folder: &[u8]) -> Range<usize> {
        let inner = [folder, b"/"].concat();
        let start = self.position(&inner).unwrap_or_else(|at| at);
        let rest = self.entries.get(start..).unwrap_or_default();
        let path = |place: &Place| self.bytes.get(place.path.0..place.path.1).unwrap_or_default();
        start..start + rest.partition_point(|place| path(place).starts_with(&inner))
    }

    /// Where an entry begins, or where all of them end.
    pub(super) fn begin(&self, number: usize) -> usize {
        self.entries.get(number).map_or(self.end, |place| place.start)
    }

    /// Every folder that holds something staged.
    pub(super) fn folders(&self) -> HashSet<&[u8]> {
        let mut folders = HashSet::new();
        for staged in self.staged() {
            let mut path = staged.path;
            while let Some(slash) = path.iter().rposition(|byte| *byte == b'/') {
                path = path.get(..slash).unwrap_or_default();
                if !folders.insert(path) {
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
        let known = |at: usize| staged.known(at);
        let mode = mode(file);
        let seconds = [
            (known(0), file.ctime()),
            (known(2), file.mtime()),
            (known(5), file.ino().cast_signed()),
            (known(7), i64::from(file.uid())),
            (known(8), i64::from(file.gid())),
            (known(9), file.size().cast_signed()),
        ];
        if staged.mode != mode || seconds.iter().any(|(known, is)| *known != cut(*is)) {
            return Compared::Differs;
        }
        let finer = [(known(1), file.ctime_nsec()), (known(3), file.mtime_nsec())];
        let touched = (file.ctime(), file.ctime_nsec()) >= self.written;
        if touched || finer.iter().any(|(known, is)| *known != cut(*is)) {
            return Compared::Lulled;
        }
        Compared::Same
    }

    fn at(&self, place: Place) -> Option<Staged<'_>> {
        Some(Staged {
            path: self.bytes.get(place.path.0..place.path.1)?,
            mode: number(&self.bytes, place.start + 24)?,
            object: self.bytes.get(place.start + STAT..place.start + STAT + self.name)?,
            stat: self.bytes.get(place.start..place.start + STAT)?,
        })
    }
}

impl Known {
    /// A file as it was found.
    pub(super) fn new(path: &[u8], file: &fs::Metadata) -> Self {
        let values = [
            file.ctime(),
            file.ctime_nsec(),
            file.mtime(),
            file.mtime_nsec(),
            file.dev().cast_signed(),
            file.ino().cast_signed(),
            i64::from(file.uid()),
            i64::from(file.gid()),
            file.size().cast_signed(),
        ];
        let mut stat = STAT_FIELDS.map(|at| (at, 0));
        for ((_, known), value) in stat.iter_mut().zip(values) {
            *known = cut(value);
        }
        Self {
            path: path.to_vec(),
            stat,
        }
    }

    /// As an entry of this mode has it.
    pub(super) fn stat_with(&self, mode: u32) -> [u8; STAT] {
        let mut bytes = [0; STAT];
        for (at, value) in self.stat.iter().copied().chain([(MODE, mode)]) {
            if let Some(field) = bytes.get_mut(at * 4..at * 4 + 4) {
                field.copy_from_slice(&value.to_be_bytes());
            }
        }
        bytes
    }

    const fn changed_at(&self) -> (u32, u32) {
        let [(_, seconds), (_, finer), ..] = self.stat;
        (seconds, finer)
    }
}

impl take::Staged for Index {
    fn entered(&self, path: &[u8]) -> Option<take::Entered> {
        let staged = self.find(path)?;
        Some(take::Entered {
            mode: format!("{:06o}", staged.mode).into_bytes(),
            object: staged.object().into_bytes(),
        })
    }

    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        let paths = self.entries.iter().map(|place| place.path);
        paths.filter_map(|(start, end)| self.bytes.get(start..end))
    }
}

impl Staged<'_> {
    /// One of the numbers the index knows of the file.
    fn known(&self, at: usize) -> u32 {
        number(self.stat, at * 4).unwrap_or_default()
    }

    fn size(&self) -> u32 {
        self.known(9)
    }

    /// The name of its object.
    pub(super) fn object(&self) -> String {
        hex(self.object)
    }

    /// The same, as the index has it.
    pub(super) const fn object_bytes(&self) -> &[u8] {
        self.object
    }

    /// As `update-index --index-info` reads it. Entered anew like this, an
    /// entry forgets the times it knew.
    pub(super) fn anew(&self) -> Vec<u8> {
        let head = format!("{:06o} {} 0\t", self.mode, self.object());
        [head.as_bytes(), self.path, b"\0"].concat()
    }
}

/// Where each entry lies, and where they end. `None` for what this reader
/// does not know: another version, or entries in the middle of a merge.
pub(super) fn entries(bytes: &[u8], name: usize) -> Option<(Vec<Place>, usize)> {
    if bytes.get(..4)? != b"DIRC" || number(bytes, 4)? != 2 {
        return None;
    }
    let count = usize::try_from(number(bytes, 8)?).ok()?;
    let mut entries = Vec::with_capacity(count.min(bytes.len() / STAT));
    let mut start = 12;
    for _ in 0..count {
        let flags_at = start + STAT + name;
        let flags = u16::from_be_bytes(bytes.get(flags_at..flags_at + 2)?.try_into().ok()?);
        if flags & 0x7000 != 0 {
            return None;
        }
        let path = flags_at + 2;
        let length = match usize::from(flags & 0xfff) {
            0xfff => bytes.get(path..)?.iter().position(|byte| *byte == 0)?,
            length => length,
        };
        let end = path + length;
        entries.push(Place {
            start,
            path: (path, end),
        });
        // One to eight zeros stand behind each, so that the next begins at a multiple of eight.
        start += (end - start) / 8 * 8 + 8;
        if bytes.get(end..start)?.iter().any(|byte| *byte != 0) {
            return None;
        }
    }
    Some((entries, start))
}

/// Where stands which folder is which tree, among what follows the entries;
/// `None` inside if git has not computed it. An extension that git may not
/// pass over is one this reader may not pass over either.
fn trees(bytes: &[u8], name: usize, mut at: usize) -> Option<Option<(usize, usize)>> {
    let end = bytes.len().checked_sub(name)?;
    while at + 8 <= end {
        let kind = bytes.get(at..at + 4)?;
        let size = usize::try_from(number(bytes, at + 4)?).ok()?;
        bytes.get(at + 8..at + 8 + size)?;
        if kind == b"TREE" {
            return Some(Some((at + 8, at + 8 + size)));
        }
        if !kind.first()?.is_ascii_uppercase() {
            return None;
        }
        at += 8 + size;
    }
    Some(None)
}

/// The mode git gives a file.
pub(super) fn mode(file: &fs::Metadata) -> u32 {
    match (file.is_symlink(), file.mode() & 0o100) {
        (true, _) => SYMLINK,
        (false, 0) => 0o100_644,
        (false, _) => 0o100_755,
    }
}

/// A number that stands in an index.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The index keeps the lower half of what is longer.
const fn cut(number: i64) -> u32 {
    number as u32
}

/// The name of an object, as people read it.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'?'));
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Compared, Index, entries, trees};
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
        for format in ["sha1", "sha256"] {
            let folder = repository(format);
            let file = folder.path().join(".git/index");
            let listed = git(folder.path(), &["ls-files", "--stage", "-z"]);
            let index = Index::read(&file, format).expect("an index");
            let ours: Vec<u8> = index.staged().flat_map(|staged| staged.anew()).collect();
            assert_eq!(String::from_utf8(ours).expect("text"), listed);
            assert_eq!(index.tree(), None, "git has not computed it yet");
            let tree = git(folder.path(), &["write-tree"]);
            let index = Index::read(&file, format).expect("an index");
            assert_eq!(index.tree().as_deref(), Some(tree.trim()));
            for staged in index.staged() {
                assert_eq!(
                    index.find(staged.path).map(|found| found.object()),
                    Some(staged.object())
                );
            }
            assert!(index.find(b"deep").is_none() && index.folders().contains(b"deep/er".as_slice()));
        }
    }

    #[test]
    fn a_file_touched_since_is_never_the_same() {
        let folder = repository("sha1");
        let index = Index::read(&folder.path().join(".git/index"), "sha1").expect("an index");
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
    fn what_is_cut_off_or_unknown_is_refused_and_never_guessed() {
        let folder = repository("sha1");
        git(folder.path(), &["write-tree"]);
        let file = folder.path().join(".git/index");
        let whole = fs::read(&file).expect("bytes");
        let (all, end) = entries(&whole, 20).expect("whole");
        for length in 0..end {
            assert!(
                entries(&whole[..length], 20).is_none_or(|(some, _)| some.len() < all.len()),
                "{length}"
            );
        }
        let mut link = whole[..end].to_vec();
        link.extend(b"link\0\0\0\0");
        link.extend([0; 20]);
        assert!(trees(&link, 20, end).is_none(), "git may not pass over it either");
        git(folder.path(), &["update-index", "--index-version", "4"]);
        assert!(Index::read(&file, "sha1").is_err());
    }
}
