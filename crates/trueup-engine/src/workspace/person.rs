//! The person's repository, read and never written.

use super::{
    error::Error,
    git::{Git, take_nothing_from},
    refs::target,
};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};
use trueup_core::id::CommitId;

/// Where the person's repository lies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PersonRepository {
    /// The checkout's root, or the git directory where there is no checkout.
    #[serde(with = "bytes")]
    pub(super) folder: PathBuf,
    /// The git directory of this very checkout.
    #[serde(with = "bytes")]
    pub(super) git_dir: PathBuf,
    /// The git directory all its checkouts share.
    #[serde(with = "bytes")]
    pub(super) common: PathBuf,
    /// `sha1` or `sha256`.
    pub(super) object_format: String,
    /// Whether there is a checkout.
    pub(super) checkout: Checkout,
}

/// Whether a repository has a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Checkout {
    /// It has.
    There,
    /// It is bare.
    Bare,
}

/// Paths as bytes: not every path is text.
mod bytes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::{
        ffi::OsString,
        os::unix::ffi::{OsStrExt, OsStringExt},
        path::{Path, PathBuf},
    };

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_bytes().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Vec::deserialize(deserializer).map(|bytes| OsString::from_vec(bytes).into())
    }
}

impl PersonRepository {
    /// Finds the repository round a folder. Git's own refusal of a repository
    /// that belongs to somebody else stands: its configuration may run programs.
    pub(super) fn find(folder: &Path) -> Result<Self, Error> {
        let refused = |why: String| Error::NoRepository {
            path: folder.to_path_buf(),
            why,
        };
        take_nothing_from(folder);
        if let Some(person) = Self::find_at_once(folder) {
            return Ok(person);
        }
        let ask = |question: &str| {
            let mut said = Git::as_person(folder).run(&["rev-parse", "--path-format=absolute", question])?;
            // A path may end in anything but the newline git puts behind it.
            said.pop_if(|last| *last == b'\n');
            Ok(OsString::from_vec(said))
        };
        let git_dir = PathBuf::from(ask("--git-dir").map_err(|error| {
            if let Error::Git { why, .. } = error {
                refused(why)
            } else if let Error::Io { source, .. } = error {
                refused(source.to_string())
            } else {
                error
            }
        })?);
        let inside = ask("--is-inside-work-tree")? == "true";
        Ok(Self {
            folder: match inside {
                true => PathBuf::from(ask("--show-toplevel")?),
                false => git_dir.clone(),
            },
            git_dir,
            common: PathBuf::from(ask("--git-common-dir")?),
            object_format: ask("--show-object-format")?.to_string_lossy().into_owned(),
            checkout: if inside { Checkout::There } else { Checkout::Bare },
        })
    }

    /// Asks everything in one call, which answers in lines. Where there is no
    /// checkout, or a path holds a newline, the questions are put one by one.
    fn find_at_once(folder: &Path) -> Option<Self> {
        let questions = [
            "rev-parse",
            "--path-format=absolute",
            "--show-toplevel",
            "--git-dir",
            "--git-common-dir",
            "--show-object-format",
        ];
        let said = Git::as_person(folder).run(&questions).ok()?;
        let lines: Vec<&[u8]> = said.strip_suffix(b"\n")?.split(|byte| *byte == b'\n').collect();
        let [top, git_dir, common, format] = lines.as_slice() else {
            return None;
        };
        let path = |line: &[u8]| PathBuf::from(OsString::from_vec(line.to_vec()));
        Some(Self {
            folder: path(top),
            git_dir: path(git_dir),
            common: path(common),
            object_format: String::from_utf8_lossy(format).into_owned(),
            checkout: Checkout::There,
        })
    }

    /// Git as the person would run it in their checkout.
    pub(super) fn eyes(&self) -> Git {
        Git::as_person(&self.folder)
    }

    /// Git in their repository, blind to all configuration but its own.
    pub(super) fn git(&self) -> Git {
        Git::theirs(&self.common)
    }

    /// How objects of this repository get their names.
    pub(super) fn hash(&self) -> Result<gix_hash::Kind, Error> {
        let format = &self.object_format;
        format
            .parse()
            .map_err(|_| Error::unclear("rev-parse", format.as_bytes()))
    }

    /// The commit a revision names.
    pub(super) fn commit(&self, rev: &str) -> Result<CommitId, Error> {
        match target(&self.eyes(), &format!("{rev}^{{commit}}"))? {
            Some(commit) => Ok(CommitId::new(commit)),
            None => Err(Error::UnknownRevision(rev.to_string())),
        }
    }
}

/// Where a checkout and its repository lie.
#[derive(Clone, Debug)]
pub struct RepositoryPaths {
    /// The root of the checkout.
    pub checkout: PathBuf,
    /// The git directory that all checkouts of the repository share.
    pub common: PathBuf,
    /// Whether this checkout is the repository's first.
    pub order: CheckoutOrder,
}

/// Which of a repository's checkouts one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutOrder {
    /// The one it was made with.
    First,
    /// One that `git worktree` added.
    Linked,
}

/// The checkout round a folder, and its repository.
pub fn paths_of(folder: &Path) -> Result<RepositoryPaths, Error> {
    let person = PersonRepository::find(folder)?;
    if person.checkout == Checkout::Bare {
        return Err(Error::Bare { path: person.folder });
    }
    let order = if person.git_dir == person.common {
        CheckoutOrder::First
    } else {
        CheckoutOrder::Linked
    };
    Ok(RepositoryPaths {
        checkout: person.folder,
        common: person.common,
        order,
    })
}
