//! Files too large for git, and files kept by Git LFS: how they are taken.

use super::{
    Error,
    git::{self, Git},
    index::Known,
    lfs::{Lfs, POINTER_LIMIT, Pointer, small_blobs},
    take::{Taking, Untaken, Were},
    walk::{Conversion, says_how_to_convert},
};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fs::{self, Metadata},
    os::unix::ffi::OsStrExt,
    os::unix::fs::MetadataExt,
    path::Path,
};

/// The filter that is followed without running a program.
const LFS: &str = "lfs";

/// How large a file of a turn may be. What a base holds may be larger.
const FILE_LIMIT: u64 = 100 * MEGABYTE;

/// How large a file kept by Git LFS may be.
const CONTENT_LIMIT: u64 = 2000 * MEGABYTE;

const MEGABYTE: u64 = 1_000_000;

/// What becomes of files that were found in a work tree.
#[derive(Debug, Default)]
pub(super) struct Sorted<'a> {
    /// Git takes them as they are.
    pub(super) ordinary: Vec<&'a [u8]>,
    /// Entries of an index, as git reads them: pointers in place of contents.
    pub(super) entries: Vec<u8>,
    /// Those contents, as they were before they were read.
    pub(super) contents: Vec<Known>,
    /// Nobody takes them.
    pub(super) untaken: Vec<Untaken>,
}

/// A content that was found in a work tree.
struct Content<'a> {
    path: &'a [u8],
    mode: String,
    pointer: Pointer,
}

/// What becomes of one file.
enum Fate {
    /// Git takes it as it is.
    Ordinary,
    /// Git takes a pointer to it.
    Content(Pointer),
    /// It is left out, for this reason.
    Left(String),
}

/// Files that are sorted.
struct Sorting<'a> {
    git: &'a Git,
    lfs: &'a Lfs,
    were: &'a Were,
    /// The filters that files go through, as far as one has a program.
    filters: HashMap<Vec<u8>, String>,
}

/// Sorts files that are there. Contents kept by Git LFS are put into our store.
pub(super) fn sort<'a>(taking: &Taking<'_>, present: &'a [Vec<u8>]) -> Result<Sorted<'a>, Error> {
    let Taking { git, lfs, were, .. } = *taking;
    let sorting = Sorting {
        git,
        lfs,
        were,
        filters: match taking.conversion {
            Conversion::Never => HashMap::new(),
            Conversion::Possible => filters(git, lfs, present)?,
        },
    };
    let mut sorted = Sorted::default();
    let mut contents = Vec::new();
    for path in present {
        let file = taking.root.join(OsStr::from_bytes(path));
        let about = fs::symlink_metadata(&file).map_err(Error::at(&file))?;
        match sorting.fate(path, &file, &about)? {
            Fate::Ordinary => sorted.ordinary.push(path),
            Fate::Content(pointer) => {
                lfs.begin()?;
                lfs.keep(&file, &pointer)?;
                let mode = if about.mode() & 0o100 == 0 { "100644" } else { "100755" };
                let known = were.get(path).and_then(|was| was.mode.as_deref());
                let mode = known.unwrap_or(mode).to_string();
                sorted.contents.push(Known::new(path, &about));
                contents.push(Content { path, mode, pointer });
            }
            Fate::Left(why) => sorted.untaken.push(Untaken {
                path: path.clone(),
                why,
            }),
        }
    }
    sorted.entries = entries(git, &contents, were)?;
    Ok(sorted)
}

impl Sorting<'_> {
    fn fate(&self, path: &[u8], file: &Path, about: &Metadata) -> Result<Fate, Error> {
        if !about.is_file() {
            return Ok(Fate::Ordinary);
        }
        let filter = self.filters.get(path).map(String::as_str);
        let limit = match filter {
            Some(LFS) => CONTENT_LIMIT,
            Some(_) | None => FILE_LIMIT,
        };
        if about.len() > limit && !is_as_it_was(self.git, path, self.were)? {
            let (size, limit) = (about.len().div_ceil(MEGABYTE), limit / MEGABYTE);
            return Ok(Fate::Left(format!("it has {size} MB, and a file may have {limit} MB")));
        }
        match filter {
            // Nothing is kept of an empty file.
            Some(LFS) if about.len() == 0 => Ok(Fate::Ordinary),
            Some(LFS) => self.fate_of_content(path, file, about.len()),
            Some(filter) => Ok(Fate::Left(format!(
                "it would go through the filter `{filter}`, a program of the person's that is not run here"
            ))),
            None if says_how_to_convert(path) => self.fate_of_attributes(file),
            None => Ok(Fate::Ordinary),
        }
    }

    fn fate_of_content(&self, path: &[u8], file: &Path, length: u64) -> Result<Fate, Error> {
        if let Some(pointer) = content(file, length)? {
            return Ok(Fate::Content(pointer));
        }
        if is_as_it_was(self.git, path, self.were)? || leads_to_content(self.lfs, file)? {
            return Ok(Fate::Ordinary);
        }
        let why = "it is a Git LFS pointer to a content that is not here; write the content itself";
        Ok(Fate::Left(why.to_string()))
    }

    /// Attributes may not hand files that are there to a program of the
    /// person's: a plain checkout would run it, and no room does.
    fn fate_of_attributes(&self, file: &Path) -> Result<Fate, Error> {
        let text = String::from_utf8_lossy(&fs::read(file).map_err(Error::at(file))?).into_owned();
        if !text.contains("filter") && !self.lfs.is_used() {
            return Ok(Fate::Ordinary);
        }
        // Whatever they name may come in a later turn.
        if self.lfs.is_used() || self.lfs.person.filters()?.contains(LFS) {
            self.lfs.begin()?;
        }
        let known = self.git.run(&["ls-files", "-z"])?;
        let known: Vec<Vec<u8>> = git::records(&known).map(<[u8]>::to_vec).collect();
        let through = filters(self.git, self.lfs, &known)?;
        let foreign = through.iter().filter(|(_, filter)| *filter != LFS).min();
        Ok(match foreign {
            Some((path, filter)) => Fate::Left(format!(
                "it hands `{}` to the filter `{filter}`, a program of the person's that is not run here",
                String::from_utf8_lossy(path)
            )),
            None => Fate::Ordinary,
        })
    }
}

/// The filters that the attributes of the work tree lead these files through:
/// Git LFS, and those for which the person configured a program.
fn filters(git: &Git, lfs: &Lfs, paths: &[Vec<u8>]) -> Result<HashMap<Vec<u8>, String>, Error> {
    if paths.is_empty() || !(lfs.is_used() || paths.iter().any(|path| says_how_to_convert(path))) {
        return Ok(HashMap::new());
    }
    let asked = git::joined(paths.iter().map(Vec::as_slice));
    let told = git.feed(&["check-attr", "-z", "--stdin", "filter"], &asked)?;
    let fields: Vec<&[u8]> = git::records(&told).collect();
    let mut filters: HashMap<Vec<u8>, String> = fields
        .chunks(3)
        .filter_map(|fields| match fields {
            [_, _, b"unspecified" | b"unset" | b"set"] => None,
            [path, _, filter] => Some((path.to_vec(), git::text(filter))),
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
    if length < POINTER_LIMIT as u64 {
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
fn is_as_it_was(git: &Git, path: &[u8], were: &Were) -> Result<bool, Error> {
    let Some(was) = were.get(path) else { return Ok(false) };
    let arguments = [OsStr::new("hash-object"), OsStr::new("--"), OsStr::from_bytes(path)];
    Ok(git.run(&arguments)?.trim_ascii_end() == was.object)
}

/// The entries of an index that stand for contents. One that says the same in
/// other words stays as it was.
fn entries(git: &Git, contents: &[Content<'_>], were: &Were) -> Result<Vec<u8>, Error> {
    let known: Vec<String> = contents
        .iter()
        .filter_map(|content| Some(git::text(&were.get(content.path)?.object)))
        .collect();
    let known = match known.is_empty() {
        true => Default::default(),
        false => small_blobs(git, &known)?,
    };
    let mut entries = Vec::new();
    for Content { path, mode, pointer } in contents {
        let was = were.get(*path).map(|was| git::text(&was.object));
        let same = was.filter(|was| known.get(was).and_then(|blob| Pointer::read(blob)).as_ref() == Some(pointer));
        let object = match same {
            Some(object) => object,
            None => git::text(&git.feed(&["hash-object", "-w", "--stdin"], pointer.text().as_bytes())?),
        };
        entries.extend([mode.as_bytes(), b" ", object.as_bytes(), b"\t", *path, b"\0"].concat());
    }
    Ok(entries)
}

/// Whether a file is the content that the index has a pointer to.
pub(super) fn is_laid(git: &Git, path: &[u8], file: &Path) -> Result<bool, Error> {
    let arguments = ["ls-files", "--format=%(objectname)", "--"].map(OsStr::new);
    let object = git::text(&git.run(&[arguments.as_slice(), &[OsStr::from_bytes(path)]].concat())?);
    let blobs = small_blobs(git, &[object])?;
    let Some(pointer) = blobs.values().find_map(|blob| Pointer::read(blob)) else {
        return Ok(false);
    };
    Ok(Pointer::to(file).is_ok_and(|found| found == pointer))
}
