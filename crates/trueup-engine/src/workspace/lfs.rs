//! Content kept by Git LFS: git holds a pointer, a checkout holds the content.
//!
//! Nothing of git-lfs is run. A pointer names its content by SHA-256, so it
//! is enough to find those bytes in the person's own store and to see that
//! they are the ones. What a base needs is copied into the state root when the
//! base is taken; what an agent adds is copied there by the snapshot, and goes
//! into the person's store with the branch that names it.

use super::{
    error::Error,
    folder::{self, Scratch},
    git::Git,
    index::{FileStat, Index},
    objects::{SMALL, small_blobs},
    output::{self, text},
    person::PersonRepository,
    workspaces::Workspaces,
};
use crate::{crash, state::make_private};
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashSet,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::{DirBuilderExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};
use trueup_core::id::CommitId;

/// How the names of folders begin in which a content is built.
pub(super) const SCRATCH: &str = "lfs.";

/// The versions git-lfs itself reads.
const VERSIONS: [&str; 3] = [
    "https://git-lfs.github.com/spec/v1",
    "https://hawser.github.com/spec/v1",
    "http://git-media.io/v/2",
];

/// What git holds in place of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// The content's SHA-256 in lower-case hexadecimal.
    pub(super) digest: String,
    /// Its length.
    pub(super) size: u64,
}

impl Pointer {
    /// The pointer these bytes are, if they are one. One that needs a program
    /// to become its content (an extension) is none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok().filter(|_| bytes.len() < SMALL)?;
        let mut lines = text.trim().lines();
        let version = lines.next()?.strip_prefix("version ")?;
        let digest = lines.next()?.strip_prefix("oid sha256:")?;
        let size = lines.next()?.strip_prefix("size ")?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !VERSIONS.contains(&version) || !is_digest || lines.next().is_some() {
            return None;
        }
        Some(Self {
            digest: digest.to_string(),
            size: size.parse().ok()?,
        })
    }

    /// The pointer to a file's content.
    pub(super) fn to(file: &Path) -> io::Result<Self> {
        let mut hasher = Sha256::new();
        let mut size = 0_u64;
        let mut source = File::open(file)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = source.read(&mut buffer)?;
            let Some(part) = buffer.get(..count).filter(|part| !part.is_empty()) else {
                break;
            };
            hasher.update(part);
            size += part.len() as u64;
        }
        let digest = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { digest, size })
    }

    /// The bytes git holds.
    pub(super) fn text(&self) -> String {
        let version = "https://git-lfs.github.com/spec/v1";
        format!("version {version}\noid sha256:{}\nsize {}\n", self.digest, self.size)
    }

    /// Where its content lies in a store.
    fn place(&self, store: &Path) -> PathBuf {
        let (head, rest) = self.digest.split_at(2);
        let next = rest.get(..2).unwrap_or_default();
        store.join(head).join(next).join(&self.digest)
    }
}

/// Whether these bytes are a pointer whose content a program has to make.
pub(super) fn is_extended(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    bytes.len() < SMALL && text.starts_with("version ") && text.contains("\next-") && text.contains("\noid sha256:")
}

/// The contents this state root holds, and where the person keeps theirs.
#[derive(Clone, Debug)]
pub(super) struct Lfs {
    state: PathBuf,
    pub(super) person: PersonRepository,
}

impl Workspaces {
    /// The contents this state root holds.
    pub(super) fn lfs(&self) -> Lfs {
        Lfs {
            state: self.state.path().to_path_buf(),
            person: self.person.clone(),
        }
    }

    /// Puts the contents that a commit adds into the person's own store, so
    /// that a plain checkout of it finds them. Nothing there is overwritten.
    pub(super) fn deliver_contents(&self, commit: &CommitId) -> Result<(), Error> {
        let lfs = self.lfs();
        if !lfs.is_used() {
            return Ok(());
        }
        let results = self.results();
        let objects = self.added_objects(commit)?;
        let Some(theirs) = lfs.theirs()?.into_iter().next() else {
            return Ok(());
        };
        let aside = theirs.with_file_name("tmp");
        folder::sweep(&aside, SCRATCH);
        for pointer in small_blobs(&results, &objects)?
            .values()
            .filter_map(|blob| Pointer::read(blob))
        {
            if lfs.has(&pointer) && !is_there(&pointer, &theirs) {
                make_folder(&aside)?;
                copy(&pointer.place(&lfs.store()), &pointer, &theirs, &aside)?;
                let place = pointer.place(&theirs);
                fs::set_permissions(&place, fs::Permissions::from_mode(0o644)).map_err(Error::at(&place))?;
            }
        }
        Ok(())
    }
}

impl Workspaces {
    /// The objects of files that a commit brings, and those before it which
    /// the person does not have yet: the one of their uncommitted changes.
    fn added_objects(&self, commit: &CommitId) -> Result<Vec<String>, Error> {
        let results = self.results();
        let mut objects = Vec::new();
        let mut child = commit.to_string();
        loop {
            let parent = results.call(&["rev-parse", "--verify", "--quiet", &format!("{child}^")], &[])?;
            if !parent.succeeded() {
                // The person has nothing of this history any more: all of it is new.
                let all = results.run(&["ls-tree", "-r", "-z", &child])?;
                let objects_of = output::records(&all).filter_map(|record| record.split(|byte| *byte == b' ').nth(2));
                objects.extend(
                    objects_of
                        .filter_map(|rest| rest.split(|byte| *byte == b'\t').next())
                        .map(text),
                );
                return Ok(objects);
            }
            let parent = text(&parent.stdout);
            let arguments = ["diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", &parent, &child];
            let changed = results.run(&arguments)?;
            objects.extend(
                output::records(&changed)
                    .filter(|record| record.starts_with(b":"))
                    .filter_map(|record| record.split(|byte| *byte == b' ').nth(3))
                    .map(text),
            );
            let question = ["cat-file", "-e", &format!("{parent}^{{commit}}")];
            if self.person.git().call(&question, &[])?.succeeded() {
                return Ok(objects);
            }
            child = parent;
        }
    }
}

impl Lfs {
    /// Whether attributes here ever named a filter.
    pub(super) fn is_used(&self) -> bool {
        self.store().is_dir()
    }

    /// From now on attributes are asked which files go through a filter.
    pub(super) fn begin(&self) -> Result<(), Error> {
        make_private(&self.store()).map_err(Error::at(&self.store()))
    }

    /// Whether the content is here.
    pub(super) fn has(&self, pointer: &Pointer) -> bool {
        pointer.size == 0 || is_there(pointer, &self.store())
    }

    /// Keeps a file's content, unless it is kept already.
    pub(super) fn keep(&self, file: &Path, pointer: &Pointer) -> Result<(), Error> {
        if self.has(pointer) {
            return Ok(());
        }
        copy(file, pointer, &self.store(), &self.state)
    }

    /// Keeps a content that lies in one of these stores; says whether it is here then.
    pub(super) fn bring(&self, pointer: &Pointer, stores: &[PathBuf]) -> Result<bool, Error> {
        if let Some(store) = stores.iter().find(|store| is_there(pointer, store)) {
            self.keep(&pointer.place(store), pointer)?;
        }
        Ok(self.has(pointer))
    }

    /// The person's own stores: theirs first, then those they borrow from.
    pub(super) fn theirs(&self) -> Result<Vec<PathBuf>, Error> {
        let told = self
            .person
            .eyes()
            .call(&["config", "-z", "--get", "lfs.storage"], &[])?;
        let told: Vec<u8> = output::records(&told.stdout).next().unwrap_or_default().to_vec();
        let first = match told.is_empty() {
            true => PathBuf::from("lfs"),
            false => PathBuf::from(OsString::from_vec(told)),
        };
        Ok(stores(&self.person.common, &first))
    }

    /// Lays contents in place of their pointers, in a folder that was just
    /// laid by `git` and this index of it, which knows them then.
    pub(super) fn smudge(&self, git: &Git, folder: &Path, index: &Path) -> Result<(), Error> {
        if !self.is_used() {
            return Ok(());
        }
        let mut contents = Vec::new();
        for path in output::records(&kept(git)?) {
            let file = folder.join(OsStr::from_bytes(path));
            let about = fs::symlink_metadata(&file).map_err(Error::at(&file))?;
            if !about.is_file() || about.len() >= SMALL as u64 {
                continue;
            }
            let bytes = fs::read(&file).map_err(Error::at(&file))?;
            let Some(pointer) = Pointer::read(&bytes) else { continue };
            if !self.has(&pointer) {
                return Err(Error::NoContent {
                    path: String::from_utf8_lossy(path).into_owned(),
                });
            }
            fs::remove_file(&file).map_err(Error::at(&file))?;
            let laid = match pointer.size {
                0 => fs::write(&file, []),
                _ => fs::copy(pointer.place(&self.store()), &file).map(drop),
            };
            laid.and_then(|()| fs::set_permissions(&file, about.permissions()))
                .map_err(Error::at(&file))?;
            let laid = fs::symlink_metadata(&file).map_err(Error::at(&file))?;
            contents.push(FileStat::new(path, &laid));
        }
        Index::remember(index, self.person.hash()?, &contents)
    }

    /// Makes a clone's own git overlook that contents stand where it expects
    /// their pointers. `git` knows which, `clone` is the one that shall overlook it.
    pub(super) fn overlook(&self, git: &Git, clone: &Git) -> Result<(), Error> {
        if !self.is_used() {
            return Ok(());
        }
        let known: HashSet<Vec<u8>> = output::records(&clone.run(&["ls-files", "-z"])?)
            .map(<[u8]>::to_vec)
            .collect();
        let kept = kept(git)?;
        let both = output::joined(output::records(&kept).filter(|path| known.contains(*path)));
        clone.feed(&["update-index", "--assume-unchanged", "-z", "--stdin"], &both)?;
        Ok(())
    }

    fn store(&self) -> PathBuf {
        self.state.join("lfs")
    }
}

/// The files of an index that attributes give to Git LFS.
fn kept(git: &Git) -> Result<Vec<u8>, Error> {
    let question = ["ls-files", "-z", "--", ":(attr:filter=lfs)"];
    git.clone().patterns().run(&question)
}

/// Where a git directory keeps contents, and where those it borrows from do.
pub(super) fn stores(git_dir: &Path, own: &Path) -> Vec<PathBuf> {
    let mut all = vec![git_dir.join(own).join("objects")];
    let objects = git_dir.join("objects");
    let borrowed = fs::read(objects.join("info/alternates")).unwrap_or_default();
    for line in borrowed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let lender = objects.join(OsStr::from_bytes(line));
        all.extend(lender.parent().map(|lender| lender.join("lfs/objects")));
    }
    all
}

/// Whether a store holds something of this name and length.
pub(super) fn is_there(pointer: &Pointer, store: &Path) -> bool {
    fs::metadata(pointer.place(store)).is_ok_and(|file| file.is_file() && file.len() == pointer.size)
}

/// Copies a content into a store: whole, on disk and seen to be the one that
/// was named, or not at all. It is built in `aside`, on the same file system.
fn copy(from: &Path, pointer: &Pointer, store: &Path, aside: &Path) -> Result<(), Error> {
    let place = pointer.place(store);
    make_folder(place.parent().unwrap_or(store))?;
    let scratch = Scratch::new(aside, "lfs")?;
    let copied = scratch.path().join("content");
    fs::copy(from, &copied).map_err(Error::at(from))?;
    if Pointer::to(&copied).map_err(Error::at(&copied))? != *pointer {
        return Err(Error::Damaged {
            path: from.to_path_buf(),
        });
    }
    crash::point("git.content.before");
    let settled = fs::set_permissions(&copied, fs::Permissions::from_mode(0o600))
        .and_then(|()| File::open(&copied)?.sync_all())
        .and_then(|()| folder::rename(&copied, &place));
    crash::point("git.content.after");
    settled.map_err(Error::at(&place))
}

/// Makes a folder and what is above it, each as open as the one it lies in;
/// the names are on disk when this returns.
fn make_folder(folder: &Path) -> Result<(), Error> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|place| !place.exists()).collect();
    let above = folder.ancestors().find_map(|place| fs::metadata(place).ok());
    let mode = above.map_or(0o700, |above| above.permissions().mode() & 0o777);
    let made = fs::DirBuilder::new().recursive(true).mode(mode).create(folder);
    made.map_err(Error::at(folder))?;
    for parent in missing.iter().filter_map(|made| made.parent()) {
        let synced = File::open(parent).and_then(|parent| parent.sync_all());
        synced.map_err(Error::at(parent))?;
    }
    Ok(())
}

/// Whether a file is the content that the index has a pointer to.
pub(super) fn is_laid(git: &Git, path: &[u8], file: &Path) -> Result<bool, Error> {
    let arguments = ["ls-files", "--format=%(objectname)", "--"].map(OsStr::new);
    let object = text(&git.run(&[arguments.as_slice(), &[OsStr::from_bytes(path)]].concat())?);
    let blobs = small_blobs(git, &[object])?;
    let Some(pointer) = blobs.values().find_map(|blob| Pointer::read(blob)) else {
        return Ok(false);
    };
    Ok(Pointer::to(file).is_ok_and(|found| found == pointer))
}
