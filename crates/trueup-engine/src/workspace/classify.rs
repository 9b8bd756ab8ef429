//! Files too large for git, and files kept by Git LFS: how they are taken.

use super::{
    changes::PriorEntries,
    error::Error,
    git::Git,
    index::FileStat,
    lfs::{Lfs, Pointer},
    objects::{SMALL, small_blobs},
    output::{self, text},
    walk::{Conversion, Skipped, is_attributes_file},
};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fs::{self, Metadata},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::Path,
};

/// The filter that is followed without running a program.
const LFS: &str = "lfs";

/// How large a file of a turn may be. What a base holds may be larger.
const FILE_LIMIT: u64 = 100 * MEGABYTE;

/// How large a file kept by Git LFS may be.
const CONTENT_LIMIT: u64 = 2000 * MEGABYTE;

const MEGABYTE: u64 = 1_000_000;

/// A work tree whose files are staged in git's index.
pub(super) struct WorkTree<'a> {
    pub(super) git: &'a Git,
    pub(super) root: &'a Path,
    pub(super) lfs: &'a Lfs,
    pub(super) prior: &'a PriorEntries,
    pub(super) conversion: Conversion,
}

/// Files that were found in a work tree, by how they are staged.
#[derive(Debug, Default)]
pub(super) struct Classified<'a> {
    /// Git takes them as they are.
    pub(super) ordinary: Vec<&'a [u8]>,
    /// Entries of an index, as git reads them: pointers in place of contents.
    pub(super) entries: Vec<u8>,
    /// Those contents, as they were before they were read.
    pub(super) contents: Vec<FileStat>,
    /// Nobody takes them.
    pub(super) skipped: Vec<Skipped>,
}

/// A content that was found in a work tree.
struct Content<'a> {
    path: &'a [u8],
    mode: String,
    pointer: Pointer,
}

/// How one file is staged.
enum Treatment {
    /// Git takes it as it is.
    Ordinary,
    /// Git takes a pointer to it.
    Content(Pointer),
    /// It is left out, for this reason.
    Skip(String),
}

/// What decides how files are staged.
struct Classifier<'a> {
    git: &'a Git,
    lfs: &'a Lfs,
    prior: &'a PriorEntries,
    /// The filters that files go through, as far as one has a program.
    filters: HashMap<Vec<u8>, String>,
}

/// Says how files that are there are staged. Contents kept by Git LFS are put
/// into our store.
pub(super) fn classify<'a>(tree: &WorkTree<'_>, files: &'a [Vec<u8>]) -> Result<Classified<'a>, Error> {
    let WorkTree { git, lfs, prior, .. } = *tree;
    let classifier = Classifier {
        git,
        lfs,
        prior,
        filters: match tree.conversion {
            Conversion::Never => HashMap::new(),
            Conversion::Possible => filters(git, lfs, files)?,
        },
    };
    let mut classified = Classified::default();
    let mut contents = Vec::new();
    for path in files {
        let file = tree.root.join(OsStr::from_bytes(path));
        let about = fs::symlink_metadata(&file).map_err(Error::at(&file))?;
        match classifier.treatment(path, &file, &about)? {
            Treatment::Ordinary => classified.ordinary.push(path),
            Treatment::Content(pointer) => {
                lfs.begin()?;
                lfs.keep(&file, &pointer)?;
                let mode = if about.mode() & 0o100 == 0 { "100644" } else { "100755" };
                let known = prior.get(path).and_then(|prior| prior.mode.as_deref());
                let mode = known.unwrap_or(mode).to_string();
                classified.contents.push(FileStat::new(path, &about));
                contents.push(Content { path, mode, pointer });
            }
            Treatment::Skip(reason) => classified.skipped.push(Skipped {
                path: path.clone(),
                reason,
            }),
        }
    }
    classified.entries = entries(git, &contents, prior)?;
    Ok(classified)
}

impl Classifier<'_> {
    fn treatment(&self, path: &[u8], file: &Path, about: &Metadata) -> Result<Treatment, Error> {
        if !about.is_file() {
            return Ok(Treatment::Ordinary);
        }
        let filter = self.filters.get(path).map(String::as_str);
        let limit = match filter {
            Some(LFS) => CONTENT_LIMIT,
            Some(_) | None => FILE_LIMIT,
        };
        if about.len() > limit && !is_as_it_was(self.git, path, self.prior)? {
            let (size, limit) = (about.len().div_ceil(MEGABYTE), limit / MEGABYTE);
            return Ok(Treatment::Skip(format!(
                "it has {size} MB, and a file may have {limit} MB"
            )));
        }
        match filter {
            // Nothing is kept of an empty file.
            Some(LFS) if about.len() == 0 => Ok(Treatment::Ordinary),
            Some(LFS) => self.content_treatment(path, file, about.len()),
            Some(filter) => Ok(Treatment::Skip(format!(
                "it would go through the filter `{filter}`, a program of the person's that is not run here"
            ))),
            None if is_attributes_file(path) => self.attributes_treatment(file),
            None => Ok(Treatment::Ordinary),
        }
    }

    fn content_treatment(&self, path: &[u8], file: &Path, length: u64) -> Result<Treatment, Error> {
        if let Some(pointer) = content(file, length)? {
            return Ok(Treatment::Content(pointer));
        }
        if is_as_it_was(self.git, path, self.prior)? || leads_to_content(self.lfs, file)? {
            return Ok(Treatment::Ordinary);
        }
        let why = "it is a Git LFS pointer to a content that is not here; write the content itself";
        Ok(Treatment::Skip(why.to_string()))
    }

    /// Attributes may not hand files that are there to a program of the
    /// person's: a plain checkout would run it, and no room does.
    fn attributes_treatment(&self, file: &Path) -> Result<Treatment, Error> {
        let text = String::from_utf8_lossy(&fs::read(file).map_err(Error::at(file))?).into_owned();
        if !text.contains("filter") && !self.lfs.is_used() {
            return Ok(Treatment::Ordinary);
        }
        // Whatever they name may come in a later turn.
        if self.lfs.is_used() || self.lfs.person.filters()?.contains(LFS) {
            self.lfs.begin()?;
        }
        let known = self.git.run(&["ls-files", "-z"])?;
        let known: Vec<Vec<u8>> = output::records(&known).map(<[u8]>::to_vec).collect();
        let through = filters(self.git, self.lfs, &known)?;
        let foreign = through.iter().filter(|(_, filter)| *filter != LFS).min();
        Ok(match foreign {
            Some((path, filter)) => Treatment::Skip(format!(
                "it hands `{}` to the filter `{filter}`, a program of the person's that is not run here",
                String::from_utf8_lossy(path)
            )),
            None => Treatment::Ordinary,
        })
    }
}

/// The filters that the attributes of the work tree lead these files through:
/// Git LFS, and those for which the person configured a program.
fn filters(git: &Git, lfs: &Lfs, paths: &[Vec<u8>]) -> Result<HashMap<Vec<u8>, String>, Error> {
    if paths.is_empty() || !(lfs.is_used() || paths.iter().any(|path| is_attributes_file(path))) {
        return Ok(HashMap::new());
    }
    let asked = output::joined(paths.iter().map(Vec::as_slice));
    let told = git.feed(&["check-attr", "-z", "--stdin", "filter"], &asked)?;
    let fields: Vec<&[u8]> = output::records(&told).collect();
    let mut filters: HashMap<Vec<u8>, String> = fields
        .chunks(3)
        .filter_map(|fields| match fields {
            [_, _, b"unspecified" | b"unset" | b"set"] => None,
            [path, _, filter] => Some((path.to_vec(), text(filter))),
            _ => None,
        })
        .collect();
    if !filters.is_empty() {
        let programs = lfs.person.filters()?;
        // Where nobody runs Git LFS, a plain checkout takes bytes as they are.
        let follows = lfs.is_used() || programs.contains(LFS);
        filters.retain(|_, filter| {
            if filter == LFS {
                follows
            } else {
                programs.contains(filter)
            }
        });
    }
    Ok(filters)
}

/// The pointer to a file's content; `None` where the file is itself a pointer.
fn content(file: &Path, length: u64) -> Result<Option<Pointer>, Error> {
    if length < SMALL as u64 {
        let bytes = fs::read(file).map_err(Error::at(file))?;
        if Pointer::read(&bytes).is_some() {
            return Ok(None);
        }
    }
    Pointer::to(file).map(Some).map_err(Error::at(file))
}

/// Whether a file that is a pointer leads to a content that can be had here.
fn leads_to_content(lfs: &Lfs, file: &Path) -> Result<bool, Error> {
    let bytes = fs::read(file).map_err(Error::at(file))?;
    match Pointer::read(&bytes) {
        Some(pointer) => lfs.bring(&pointer, &lfs.theirs()?),
        None => Ok(true),
    }
}

/// Whether git would keep a file as the object it was. Nobody edited it then,
/// and git only forgot that it knew.
fn is_as_it_was(git: &Git, path: &[u8], prior: &PriorEntries) -> Result<bool, Error> {
    let Some(was) = prior.get(path) else { return Ok(false) };
    let arguments = [OsStr::new("hash-object"), OsStr::new("--"), OsStr::from_bytes(path)];
    Ok(git.run(&arguments)?.trim_ascii_end() == was.object)
}

/// The entries of an index that stand for contents. One that says the same in
/// other words stays as it was.
fn entries(git: &Git, contents: &[Content<'_>], prior: &PriorEntries) -> Result<Vec<u8>, Error> {
    let known: Vec<String> = contents
        .iter()
        .filter_map(|content| Some(text(&prior.get(content.path)?.object)))
        .collect();
    let known = match known.is_empty() {
        true => Default::default(),
        false => small_blobs(git, &known)?,
    };
    let mut entries = Vec::new();
    for Content { path, mode, pointer } in contents {
        let was = prior.get(*path).map(|was| text(&was.object));
        let same = was.filter(|was| known.get(was).and_then(|blob| Pointer::read(blob)).as_ref() == Some(pointer));
        let object = match same {
            Some(object) => object,
            None => text(&git.feed(&["hash-object", "-w", "--stdin"], pointer.text().as_bytes())?),
        };
        entries.extend([mode.as_bytes(), b" ", object.as_bytes(), b"\t", *path, b"\0"].concat());
    }
    Ok(entries)
}
