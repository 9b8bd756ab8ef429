//! Makes an index match the files that lie in a folder.
//!
//! `git add` would do it in one word, but it stops at the first file it cannot
//! take and makes a link of every repository it meets. Here each path is named,
//! and what cannot be taken is told.

use super::{
    Error, clean,
    git::{self, Git},
    index::Known,
    lfs::Lfs,
    names,
    walk::Conversion,
};
use crate::space::says_full;
use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs::{self, File},
    os::unix::ffi::OsStrExt,
    path::Path,
};

/// How many refusals are looked into one by one.
const REFUSAL_LIMIT: usize = 100;

/// A link to a commit of another repository, as git writes its mode.
pub(super) const LINK_MODE: &[u8] = b"160000";

/// A path that could not be taken. It stays in the index as it was.
#[derive(Debug)]
pub(super) struct Untaken {
    pub(super) path: Vec<u8>,
    pub(super) why: String,
}

/// What changed in a folder since its index was written.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) present: Vec<Vec<u8>>,
    /// Nothing lies there any more, which git sees by itself.
    pub(super) missing: Vec<Vec<u8>>,
    /// Something else lies there, or the way there leads elsewhere.
    pub(super) gone: Vec<Vec<u8>>,
    pub(super) untaken: Vec<Untaken>,
}

/// What is staged under a path: mode and object, as git writes them.
#[derive(Clone, Debug)]
pub(super) struct Entered {
    pub(super) mode: Vec<u8>,
    pub(super) object: Vec<u8>,
}

/// The files that may differ, as the index had them.
pub(super) type Were = HashMap<Vec<u8>, Was>;

/// A file that may differ, as the index had it.
#[derive(Debug)]
pub(super) struct Was {
    /// Its object.
    pub(super) object: Vec<u8>,
    /// The mode git gives it now, where git was asked.
    pub(super) mode: Option<String>,
}

/// An index, as whoever enters files asks for it.
pub(super) trait Staged {
    /// What is staged under a path.
    fn entered(&self, path: &[u8]) -> Option<Entered>;

    /// Everything that is staged.
    fn paths(&self) -> impl Iterator<Item = &[u8]>;
}

impl Staged for HashMap<Vec<u8>, Entered> {
    fn entered(&self, path: &[u8]) -> Option<Entered> {
        self.get(path).cloned()
    }

    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.keys().map(Vec::as_slice)
    }
}

/// A work tree that is taken into git's index.
pub(super) struct Taking<'a> {
    pub(super) git: &'a Git,
    pub(super) root: &'a Path,
    pub(super) lfs: &'a Lfs,
    pub(super) were: &'a Were,
    pub(super) conversion: Conversion,
}

/// What came of taking files.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// Paths that could not be taken.
    pub(super) untaken: Vec<Untaken>,
    /// Contents in whose place a pointer was entered, as they were before
    /// they were read.
    pub(super) contents: Vec<Known>,
}

/// Takes every file of the person's checkout that they do not ignore into
/// git's index, except repositories of their own in it.
pub(super) fn take(git: &Git, root: &Path, lfs: &Lfs) -> Result<Vec<Untaken>, Error> {
    let (mut paths, were) = differing(git)?;
    paths.extend(unknown(git)?);
    paths.sort();
    paths.dedup();
    let taking = Taking {
        git,
        root,
        lfs,
        were: &were,
        conversion: Conversion::Possible,
    };
    let taken = enter(&taking, paths, || {
        let staged = git.run(&["ls-files", "--stage", "-z"])?;
        Ok(git::records(&staged)
            .filter_map(entry)
            .collect::<HashMap<Vec<u8>, Entered>>())
    })?;
    Ok(taken.untaken)
}

/// Makes the index agree with these paths as they lie in the work tree. What
/// is staged afterwards is asked for once.
pub(super) fn enter<S: Staged>(
    taking: &Taking<'_>,
    paths: Vec<Vec<u8>>,
    staged: impl FnOnce() -> Result<S, Error>,
) -> Result<Taken, Error> {
    let git = taking.git;
    let changed = Changed::of(taking.root, paths);
    if !changed.gone.is_empty() {
        let gone = git::joined(changed.gone.iter().map(Vec::as_slice));
        git.feed(&["update-index", "-z", "--force-remove", "--stdin"], &gone)?;
    }
    let mut taken = Taken {
        untaken: changed.untaken,
        contents: Vec::new(),
    };
    let missing = changed.missing.iter().map(Vec::as_slice);
    if changed.present.is_empty() {
        let missing: Vec<&[u8]> = missing.collect();
        if !missing.is_empty() {
            add(git, &missing, &mut taken.untaken)?;
        }
        return Ok(taken);
    }
    let sorted = clean::sort(taking, &changed.present)?;
    taken.untaken.extend(sorted.untaken);
    taken.contents = sorted.contents;
    let paths: Vec<&[u8]> = sorted.ordinary.iter().copied().chain(missing).collect();
    add(git, &paths, &mut taken.untaken)?;
    if !sorted.entries.is_empty() {
        git.feed(&["update-index", "-z", "--index-info"], &sorted.entries)?;
    }
    let present: Vec<&[u8]> = changed.present.iter().map(Vec::as_slice).collect();
    let staged = staged()?;
    unnamed(&staged, &present, &mut taken.untaken);
    if taking.conversion == Conversion::Possible {
        settle(taking, &staged)?;
    }
    leave_twins(taking, &staged, &present, &mut taken.untaken)?;
    Ok(taken)
}

/// Files that changed or went since the index was written, and what they were.
fn differing(git: &Git) -> Result<(Vec<Vec<u8>>, Were), Error> {
    // Looking into linked repositories would run git in them, by their own rules.
    let differing = git.run(&[
        "diff-files",
        "--raw",
        "-z",
        "--no-renames",
        "--no-abbrev",
        "--ignore-submodules=all",
    ])?;
    let mut records = git::records(&differing);
    let (mut paths, mut were) = (Vec::new(), Were::new());
    while let (Some(what), Some(path)) = (records.next(), records.next()) {
        // `:old-mode new-mode old-object new-object letter`
        let fields: Vec<&[u8]> = what.split(|byte| *byte == b' ').collect();
        if let [mode, now, object, ..] = fields.as_slice()
            && !mode.ends_with(LINK_MODE)
        {
            paths.push(path.to_vec());
            let was = Was {
                object: object.to_vec(),
                mode: Some(git::text(now)),
            };
            were.insert(path.to_vec(), was);
        }
    }
    Ok((paths, were))
}

/// Files the index does not know and the person does not ignore.
fn unknown(git: &Git) -> Result<Vec<Vec<u8>>, Error> {
    let unknown = git.run(&["ls-files", "--others", "-z", "--exclude-standard"])?;
    // A name that ends in a slash is a repository in the repository.
    let files = git::records(&unknown).filter(|path| !path.ends_with(b"/"));
    Ok(files.map(<[u8]>::to_vec).collect())
}

/// A record of `ls-files --stage`.
fn entry(record: &[u8]) -> Option<(Vec<u8>, Entered)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let mut fields = record.get(..tab)?.split(|byte| *byte == b' ');
    let (mode, object) = (fields.next()?.to_vec(), fields.next()?.to_vec());
    Some((record.get(tab + 1..)?.to_vec(), Entered { mode, object }))
}

impl Changed {
    /// Sorts these paths by what lies there.
    pub(super) fn of(root: &Path, paths: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut changed = Self::default();
        for path in paths {
            changed.sort(root, path);
        }
        changed
    }

    fn sort(&mut self, root: &Path, path: Vec<u8>) {
        let file = root.join(OsStr::from_bytes(&path));
        let beyond_a_link = leads_through_a_link(root, &file);
        let kind = fs::symlink_metadata(&file).map(|file| file.file_type());
        match kind {
            _ if beyond_a_link => self.gone.push(path),
            Ok(kind) if kind.is_symlink() => self.present.push(path),
            Ok(kind) if kind.is_file() => match File::open(&file) {
                Ok(_) => self.present.push(path),
                Err(error) => self.untaken.push(Untaken {
                    path,
                    why: error.to_string(),
                }),
            },
            // A folder, or something git has no word for, stands in its place.
            Ok(_) => self.gone.push(path),
            Err(error) if is_absence(&error) => self.missing.push(path),
            Err(error) => self.untaken.push(Untaken {
                path,
                why: error.to_string(),
            }),
        }
    }
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
    )
}

/// Whether a folder on the way to a file is a symbolic link, so that the file
/// is not the one the tree means.
fn leads_through_a_link(root: &Path, file: &Path) -> bool {
    file.ancestors()
        .skip(1)
        .take_while(|folder| *folder != root)
        .any(|folder| fs::symlink_metadata(folder).is_ok_and(|kind| kind.is_symlink()))
}

/// Takes paths all at once, and where git stops at one, half by half.
fn add(git: &Git, paths: &[&[u8]], untaken: &mut Vec<Untaken>) -> Result<(), Error> {
    if paths.is_empty() {
        return Ok(());
    }
    let names = git::joined(paths.iter().copied());
    let arguments = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    let answer = git.call(&arguments, &names)?;
    if answer.succeeded() {
        return Ok(());
    }
    if says_full(&answer.stderr) || answer.stderr.contains("Read-only file system") {
        return Err(Error::unclear("update-index", answer.stderr.as_bytes()));
    }
    if paths.len() <= 1 || untaken.len() >= REFUSAL_LIMIT {
        untaken.extend(paths.iter().map(|path| Untaken {
            path: path.to_vec(),
            why: answer.stderr.lines().next().unwrap_or("git refuses it").to_string(),
        }));
        return Ok(());
    }
    let (first, second) = paths.split_at(paths.len() / 2);
    add(git, first, untaken)?;
    add(git, second, untaken)
}

/// Git passes over names it refuses without a word that could be relied on.
fn unnamed(staged: &impl Staged, paths: &[&[u8]], untaken: &mut Vec<Untaken>) {
    let told: HashSet<Vec<u8>> = untaken.iter().map(|one| one.path.clone()).collect();
    let missing = paths
        .iter()
        .filter(|path| staged.entered(path).is_none() && !told.contains(**path));
    untaken.extend(missing.map(|path| Untaken {
        path: path.to_vec(),
        why: "git refuses this name".to_string(),
    }));
}

/// Leaves out new names that many file systems could not hold beside one that
/// is there: a plain checkout there would lose one of the two.
fn leave_twins(
    taking: &Taking<'_>,
    staged: &impl Staged,
    present: &[&[u8]],
    untaken: &mut Vec<Untaken>,
) -> Result<(), Error> {
    let new: Vec<&[u8]> = present
        .iter()
        .copied()
        .filter(|path| !taking.were.contains_key(*path))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let twins = names::new_twins(staged.paths(), &new);
    if !twins.is_empty() {
        let gone = git::joined(twins.iter().map(|(path, _)| *path));
        taking
            .git
            .feed(&["update-index", "-z", "--force-remove", "--stdin"], &gone)?;
    }
    untaken.extend(twins.into_iter().map(|(path, other)| Untaken {
        path: path.to_vec(),
        why: format!(
            "its name differs from `{}` only in case or in how a letter is spelled, and many file systems cannot hold both",
            String::from_utf8_lossy(other)
        ),
    }));
    Ok(())
}

/// Puts back what only git's own conversion changed. A tree can hold files
/// that its attributes would convert (line endings that were never
/// normalised), and git converts them whenever it happens to look at them
/// again. Nobody edited those, so they stay.
fn settle(taking: &Taking<'_>, staged: &impl Staged) -> Result<(), Error> {
    let git = taking.git;
    let changed: Vec<(&[u8], &[u8], Vec<u8>)> = taking
        .were
        .iter()
        .filter_map(|(path, was)| {
            let now = staged.entered(path)?;
            let differs = now.object != was.object && now.mode.starts_with(b"100");
            differs.then_some((path.as_slice(), was.object.as_slice(), now.mode))
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let asked: Vec<u8> = changed.iter().flat_map(|(_, was, _)| [*was, b"\n"].concat()).collect();
    let sizes = git.feed(&["cat-file", "--batch-check=%(objectsize)"], &asked)?;
    let mut back = Vec::new();
    for ((path, was, mode), size) in changed.into_iter().zip(sizes.split(|byte| *byte == b'\n')) {
        let file = taking.root.join(OsStr::from_bytes(path));
        let length = fs::metadata(&file).map_err(Error::at(&file))?.len();
        // Only a file of the same length is worth reading.
        if git::text(size) == length.to_string() && is_as_it_was(git, &file, was)? {
            back.extend([mode.as_slice(), b" ", was, b"\t", path, b"\0"].concat());
        }
    }
    if !back.is_empty() {
        git.feed(&["update-index", "-z", "--index-info"], &back)?;
    }
    Ok(())
}

fn is_as_it_was(git: &Git, file: &Path, was: &[u8]) -> Result<bool, Error> {
    let now = fs::read(file).map_err(Error::at(file))?;
    Ok(git.run(&["cat-file", "blob", &git::text(was)])? == now)
}
