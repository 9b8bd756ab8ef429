//! Makes an index match the files that lie in a folder.
//!
//! `git add` would do it in one word, but it stops at the first file it cannot
//! take and makes a link of every repository it meets. Here each path is named,
//! and what cannot be taken is told.

use super::{
    changes::{PriorEntries, PriorEntry},
    classify::{self, WorkTree},
    error::Error,
    git::Git,
    index::{FileStat, Index, LINK_MODE},
    lfs::Lfs,
    names,
    output::{self, text},
    walk::{Conversion, Skipped},
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

/// What lies now at paths that may have changed.
#[derive(Default)]
pub(super) struct Present {
    /// A file or link.
    pub(super) files: Vec<Vec<u8>>,
    /// Nothing any more, which git sees by itself.
    pub(super) missing: Vec<Vec<u8>>,
    /// Something else, or the way there leads elsewhere.
    pub(super) replaced: Vec<Vec<u8>>,
    pub(super) skipped: Vec<Skipped>,
}

/// What is staged under a path: mode and object, as git writes them.
#[derive(Clone, Debug)]
pub(super) struct StagedEntry {
    pub(super) mode: Vec<u8>,
    pub(super) object: Vec<u8>,
}

/// An index, as whoever stages files asks for it.
pub(super) trait StagedEntries {
    /// What is staged under a path.
    fn entry(&self, path: &[u8]) -> Option<StagedEntry>;

    /// Everything that is staged.
    fn paths(&self) -> impl Iterator<Item = &[u8]>;
}

impl StagedEntries for HashMap<Vec<u8>, StagedEntry> {
    fn entry(&self, path: &[u8]) -> Option<StagedEntry> {
        self.get(path).cloned()
    }

    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.keys().map(Vec::as_slice)
    }
}

impl StagedEntries for Index {
    fn entry(&self, path: &[u8]) -> Option<StagedEntry> {
        let staged = self.find(path)?;
        Some(StagedEntry {
            mode: staged.mode().into_bytes(),
            object: staged.id().to_string().into_bytes(),
        })
    }

    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.staged().map(|staged| staged.path)
    }
}

/// What came of staging files.
#[derive(Debug, Default)]
pub(super) struct StageResult {
    /// Paths that could not be staged.
    pub(super) skipped: Vec<Skipped>,
    /// Contents in whose place a pointer was staged, as they were before they
    /// were read.
    pub(super) contents: Vec<FileStat>,
}

/// Stages every file of the person's checkout that they do not ignore in
/// git's index, except repositories of their own in it.
pub(super) fn stage_all(git: &Git, root: &Path, lfs: &Lfs) -> Result<Vec<Skipped>, Error> {
    let (mut paths, prior) = differing(git)?;
    paths.extend(untracked(git)?);
    paths.sort();
    paths.dedup();
    let tree = WorkTree {
        git,
        root,
        lfs,
        prior: &prior,
        conversion: Conversion::Possible,
    };
    let result = stage(&tree, paths, || {
        let staged = git.run(&["ls-files", "--stage", "-z"])?;
        Ok(output::records(&staged)
            .filter_map(entry)
            .collect::<HashMap<Vec<u8>, StagedEntry>>())
    })?;
    Ok(result.skipped)
}

/// Makes the index agree with these paths as they lie in the work tree. What
/// is staged afterwards is asked for once.
pub(super) fn stage<S: StagedEntries>(
    tree: &WorkTree<'_>,
    paths: Vec<Vec<u8>>,
    staged: impl FnOnce() -> Result<S, Error>,
) -> Result<StageResult, Error> {
    let git = tree.git;
    let present = Present::of(tree.root, paths);
    if !present.replaced.is_empty() {
        let replaced = output::joined(present.replaced.iter().map(Vec::as_slice));
        git.feed(&["update-index", "-z", "--force-remove", "--stdin"], &replaced)?;
    }
    let mut result = StageResult {
        skipped: present.skipped,
        contents: Vec::new(),
    };
    let missing = present.missing.iter().map(Vec::as_slice);
    if present.files.is_empty() {
        let missing: Vec<&[u8]> = missing.collect();
        if !missing.is_empty() {
            add(git, &missing, &mut result.skipped)?;
        }
        return Ok(result);
    }
    let classified = classify::classify(tree, &present.files)?;
    result.skipped.extend(classified.skipped);
    result.contents = classified.contents;
    let paths: Vec<&[u8]> = classified.ordinary.iter().copied().chain(missing).collect();
    add(git, &paths, &mut result.skipped)?;
    if !classified.entries.is_empty() {
        git.feed(&["update-index", "-z", "--index-info"], &classified.entries)?;
    }
    let files: Vec<&[u8]> = present.files.iter().map(Vec::as_slice).collect();
    let staged = staged()?;
    skip_refused_names(&staged, &files, &mut result.skipped);
    if tree.conversion == Conversion::Possible {
        undo_conversions(tree, &staged)?;
    }
    skip_twins(tree, &staged, &files, &mut result.skipped)?;
    Ok(result)
}

/// Files that changed or went since the index was written, and what they were.
fn differing(git: &Git) -> Result<(Vec<Vec<u8>>, PriorEntries), Error> {
    // Looking into linked repositories would run git in them, by their own rules.
    let differing = git.run(&[
        "diff-files",
        "--raw",
        "-z",
        "--no-renames",
        "--no-abbrev",
        "--ignore-submodules=all",
    ])?;
    let mut records = output::records(&differing);
    let (mut paths, mut prior_entries) = (Vec::new(), PriorEntries::new());
    while let (Some(what), Some(path)) = (records.next(), records.next()) {
        // `:old-mode new-mode old-object new-object letter`
        let fields: Vec<&[u8]> = what.split(|byte| *byte == b' ').collect();
        if let [mode, now, object, ..] = fields.as_slice()
            && !mode.ends_with(LINK_MODE)
        {
            paths.push(path.to_vec());
            let prior = PriorEntry {
                object: object.to_vec(),
                mode: Some(text(now)),
            };
            prior_entries.insert(path.to_vec(), prior);
        }
    }
    Ok((paths, prior_entries))
}

/// Files the index does not know and the person does not ignore.
fn untracked(git: &Git) -> Result<Vec<Vec<u8>>, Error> {
    let untracked = git.run(&["ls-files", "--others", "-z", "--exclude-standard"])?;
    // A name that ends in a slash is a repository in the repository.
    let files = output::records(&untracked).filter(|path| !path.ends_with(b"/"));
    Ok(files.map(<[u8]>::to_vec).collect())
}

/// A record of `ls-files --stage`.
fn entry(record: &[u8]) -> Option<(Vec<u8>, StagedEntry)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let mut fields = record.get(..tab)?.split(|byte| *byte == b' ');
    let (mode, object) = (fields.next()?.to_vec(), fields.next()?.to_vec());
    Some((record.get(tab + 1..)?.to_vec(), StagedEntry { mode, object }))
}

impl Present {
    /// Sorts these paths by what lies there.
    pub(super) fn of(root: &Path, paths: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut present = Self::default();
        for path in paths {
            present.sort(root, path);
        }
        present
    }

    fn sort(&mut self, root: &Path, path: Vec<u8>) {
        let file = root.join(OsStr::from_bytes(&path));
        let beyond_a_link = leads_through_a_link(root, &file);
        let kind = fs::symlink_metadata(&file).map(|file| file.file_type());
        match kind {
            _ if beyond_a_link => self.replaced.push(path),
            Ok(kind) if kind.is_symlink() => self.files.push(path),
            Ok(kind) if kind.is_file() => match File::open(&file) {
                Ok(_) => self.files.push(path),
                Err(error) => self.skipped.push(Skipped {
                    path,
                    reason: error.to_string(),
                }),
            },
            // A folder, or something git has no word for, stands in its place.
            Ok(_) => self.replaced.push(path),
            Err(error) if is_absence(&error) => self.missing.push(path),
            Err(error) => self.skipped.push(Skipped {
                path,
                reason: error.to_string(),
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
fn add(git: &Git, paths: &[&[u8]], skipped: &mut Vec<Skipped>) -> Result<(), Error> {
    if paths.is_empty() {
        return Ok(());
    }
    let names = output::joined(paths.iter().copied());
    let arguments = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    let answer = git.call(&arguments, &names)?;
    if answer.succeeded() {
        return Ok(());
    }
    if says_full(&answer.stderr) || answer.stderr.contains("Read-only file system") {
        return Err(Error::unclear("update-index", answer.stderr.as_bytes()));
    }
    if paths.len() <= 1 || skipped.len() >= REFUSAL_LIMIT {
        skipped.extend(paths.iter().map(|path| Skipped {
            path: path.to_vec(),
            reason: answer.stderr.lines().next().unwrap_or("git refuses it").to_string(),
        }));
        return Ok(());
    }
    let (first, second) = paths.split_at(paths.len() / 2);
    add(git, first, skipped)?;
    add(git, second, skipped)
}

/// Git passes over names it refuses without a word that could be relied on.
fn skip_refused_names(staged: &impl StagedEntries, paths: &[&[u8]], skipped: &mut Vec<Skipped>) {
    let told: HashSet<Vec<u8>> = skipped.iter().map(|one| one.path.clone()).collect();
    let missing = paths
        .iter()
        .filter(|path| staged.entry(path).is_none() && !told.contains(**path));
    skipped.extend(missing.map(|path| Skipped {
        path: path.to_vec(),
        reason: "git refuses this name".to_string(),
    }));
}

/// Leaves out new names that many file systems could not hold beside one that
/// is there: a plain checkout there would lose one of the two.
fn skip_twins(
    tree: &WorkTree<'_>,
    staged: &impl StagedEntries,
    files: &[&[u8]],
    skipped: &mut Vec<Skipped>,
) -> Result<(), Error> {
    let new: Vec<&[u8]> = files
        .iter()
        .copied()
        .filter(|path| !tree.prior.contains_key(*path))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let twins = names::new_twins(staged.paths(), &new);
    if !twins.is_empty() {
        let gone = output::joined(twins.iter().map(|(path, _)| *path));
        tree.git
            .feed(&["update-index", "-z", "--force-remove", "--stdin"], &gone)?;
    }
    skipped.extend(twins.into_iter().map(|(path, other)| Skipped {
        path: path.to_vec(),
        reason: format!(
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
fn undo_conversions(tree: &WorkTree<'_>, staged: &impl StagedEntries) -> Result<(), Error> {
    let git = tree.git;
    let changed: Vec<(&[u8], &[u8], Vec<u8>)> = tree
        .prior
        .iter()
        .filter_map(|(path, was)| {
            let now = staged.entry(path)?;
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
        let file = tree.root.join(OsStr::from_bytes(path));
        let length = fs::metadata(&file).map_err(Error::at(&file))?.len();
        // Only a file of the same length is worth reading.
        if text(size) == length.to_string() && is_as_it_was(git, &file, was)? {
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
    Ok(git.run(&["cat-file", "blob", &text(was)])? == now)
}
