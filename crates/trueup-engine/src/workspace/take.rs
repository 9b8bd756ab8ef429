//! Makes an index match the files that lie in a folder.
//!
//! `git add` would do it in one word, but it stops at the first file it cannot
//! take and makes a link of every repository it meets. Here each path is named,
//! and what cannot be taken is told.

use super::{
    Error,
    git::{self, Git},
};
use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs::{self, File},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
};

/// How many refusals are looked into one by one.
const REFUSAL_LIMIT: usize = 100;

/// A link to a commit of another repository, as git writes its mode.
pub(super) const LINK_MODE: &[u8] = b"160000";

/// Whose word counts on what is ignored.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ignore {
    /// The tree's own `.gitignore` files.
    AsTheTreeSays,
    /// Those, and the person's own lists.
    AsThePersonDoes,
}

/// A path that could not be taken. It stays in the index as it was.
#[derive(Debug)]
pub(super) struct Untaken {
    pub(super) path: Vec<u8>,
    pub(super) why: String,
}

/// What changed in a folder since its index was written.
#[derive(Default)]
struct Changed {
    present: Vec<Vec<u8>>,
    gone: Vec<Vec<u8>>,
    untaken: Vec<Untaken>,
}

/// An entry of the index.
struct Staged<'a> {
    mode: &'a [u8],
    object: &'a [u8],
}

/// The objects of the files that may differ, as the index had them.
type Were = HashMap<Vec<u8>, Vec<u8>>;

/// Takes every file below `root` that is not ignored into git's index, except
/// what `skip` names: that stays in the index as it is.
pub(super) fn take(
    git: &Git,
    root: &Path,
    ignore: Ignore,
    skip: impl Fn(&[u8]) -> bool,
) -> Result<Vec<Untaken>, Error> {
    let mut changed = Changed::default();
    let (mut paths, were) = differing(git)?;
    paths.extend(unknown(git, ignore)?);
    paths.sort();
    paths.dedup();
    for path in paths {
        if !skip(&path) {
            changed.sort(root, path);
        }
    }
    if !changed.gone.is_empty() {
        let gone = git::joined(changed.gone.iter().map(Vec::as_slice));
        git.feed(&["update-index", "-z", "--force-remove", "--stdin"], &gone)?;
    }
    let mut untaken = changed.untaken;
    if !changed.present.is_empty() {
        let present: Vec<&[u8]> = changed.present.iter().map(Vec::as_slice).collect();
        add(git, &present, &mut untaken)?;
        let staged = git.run(&["ls-files", "--stage", "-z"])?;
        let staged: HashMap<&[u8], Staged<'_>> = git::records(&staged).filter_map(entry).collect();
        unnamed(&staged, &present, &mut untaken);
        settle(git, root, &were, &staged)?;
    }
    Ok(untaken)
}

/// Makes git look again at every file touched since the index was written.
/// Git compares times by the second and believes a file whose size and times
/// agree, so of two edits in one second it can miss the later. The time of a
/// file's last change is the kernel's and nobody can set it back.
pub(super) fn distrust(git: &Git, root: &Path, index: &Path) -> Result<(), Error> {
    let Ok(written) = fs::metadata(index) else {
        return Ok(());
    };
    let written = (written.mtime(), written.mtime_nsec());
    let staged = git.run(&["ls-files", "--stage", "-z"])?;
    let mut doubtful = Vec::new();
    for record in git::records(&staged).filter(|record| !record.starts_with(LINK_MODE)) {
        let Some((path, _)) = entry(record) else { continue };
        let file = fs::symlink_metadata(root.join(OsStr::from_bytes(path)));
        if file.is_ok_and(|file| (file.ctime(), file.ctime_nsec()) >= written) {
            doubtful.extend_from_slice(record);
            doubtful.push(0);
        }
    }
    if !doubtful.is_empty() {
        // Entered anew from its own listing, an entry forgets the times it knew.
        git.feed(&["update-index", "-z", "--index-info"], &doubtful)?;
    }
    Ok(())
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
        if let [mode, _, object, ..] = fields.as_slice()
            && !mode.ends_with(LINK_MODE)
        {
            paths.push(path.to_vec());
            were.insert(path.to_vec(), object.to_vec());
        }
    }
    Ok((paths, were))
}

/// Files the index does not know.
fn unknown(git: &Git, ignore: Ignore) -> Result<Vec<Vec<u8>>, Error> {
    let rule = match ignore {
        Ignore::AsTheTreeSays => "--exclude-per-directory=.gitignore",
        Ignore::AsThePersonDoes => "--exclude-standard",
    };
    let unknown = git.run(&["ls-files", "--others", "-z", rule])?;
    // A name that ends in a slash is a repository in the repository.
    let files = git::records(&unknown).filter(|path| !path.ends_with(b"/"));
    Ok(files.map(<[u8]>::to_vec).collect())
}

/// A record of `ls-files --stage`: path, mode and object.
fn entry(record: &[u8]) -> Option<(&[u8], Staged<'_>)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let mut fields = record.get(..tab)?.split(|byte| *byte == b' ');
    let (mode, object) = (fields.next()?, fields.next()?);
    Some((record.get(tab + 1..)?, Staged { mode, object }))
}

impl Changed {
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
            Err(error) if is_absence(&error) => self.gone.push(path),
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
    let names = git::joined(paths.iter().copied());
    let arguments = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    let answer = git.call(&arguments, &names)?;
    if answer.succeeded() {
        return Ok(());
    }
    if ["No space left", "quota exceeded", "Read-only file system"]
        .iter()
        .any(|sign| answer.stderr.contains(sign))
    {
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
fn unnamed(staged: &HashMap<&[u8], Staged<'_>>, paths: &[&[u8]], untaken: &mut Vec<Untaken>) {
    let told: HashSet<Vec<u8>> = untaken.iter().map(|one| one.path.clone()).collect();
    let missing = paths
        .iter()
        .filter(|path| !staged.contains_key(**path) && !told.contains(**path));
    untaken.extend(missing.map(|path| Untaken {
        path: path.to_vec(),
        why: "git refuses this name".to_string(),
    }));
}

/// Puts back what only git's own conversion changed. A tree can hold files
/// that its attributes would convert (line endings that were never
/// normalised), and git converts them whenever it happens to look at them
/// again. Nobody edited those, so they stay.
fn settle(git: &Git, root: &Path, were: &Were, staged: &HashMap<&[u8], Staged<'_>>) -> Result<(), Error> {
    let changed: Vec<(&[u8], &[u8], &[u8])> = were
        .iter()
        .filter_map(|(path, was)| {
            let now = staged.get(path.as_slice())?;
            (now.object != was && now.mode.starts_with(b"100")).then_some((path.as_slice(), was.as_slice(), now.mode))
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let asked: Vec<u8> = changed.iter().flat_map(|(_, was, _)| [*was, b"\n"].concat()).collect();
    let sizes = git.feed(&["cat-file", "--batch-check=%(objectsize)"], &asked)?;
    let mut back = Vec::new();
    for ((path, was, mode), size) in changed.into_iter().zip(sizes.split(|byte| *byte == b'\n')) {
        let file = root.join(OsStr::from_bytes(path));
        let length = fs::metadata(&file).map_err(Error::at(&file))?.len();
        // Only a file of the same length is worth reading.
        if git::text(size) == length.to_string() && is_as_it_was(git, &file, was)? {
            back.extend([mode, b" ", was, b"\t", path, b"\0"].concat());
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
