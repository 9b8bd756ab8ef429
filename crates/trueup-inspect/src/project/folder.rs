//! One folder of a repository, as the readers see it.

use crate::argv;
use std::collections::BTreeSet;

/// The files of a repository, and a way to read a few of them.
pub struct Listing<'a> {
    paths: BTreeSet<&'a str>,
    read: &'a dyn Fn(&str) -> Option<String>,
    release: Option<String>,
}

impl<'a> Listing<'a> {
    /// A listing of these paths, each relative to the root; `read` answers the
    /// text of one, or nothing where it is no text or too large to be looked at.
    pub fn new(paths: impl IntoIterator<Item = &'a str>, read: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            paths: paths.into_iter().collect(),
            read,
            release: None,
        }
    }

    /// The same, of a repository whose last release has this tag.
    #[must_use]
    pub fn released(self, tag: Option<String>) -> Self {
        Self { release: tag, ..self }
    }

    /// The text of a file, if it is there.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.paths.contains(path).then(|| (self.read)(path)).flatten()
    }

    /// Every path, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &'a str> {
        self.paths.iter().copied()
    }
}

/// One folder of a listing; the root's name is empty.
pub(super) struct Folder<'a> {
    listing: &'a Listing<'a>,
    pub(super) folder: String,
}

impl<'a> Folder<'a> {
    pub(super) fn new(listing: &'a Listing<'a>, folder: &str) -> Self {
        Self {
            listing,
            folder: folder.to_owned(),
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.folder.is_empty()
    }

    /// The path of a file of this folder, seen from the root.
    pub(super) fn path(&self, name: &str) -> String {
        if self.is_root() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.folder)
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.listing.paths.contains(self.path(name).as_str())
    }

    /// The paths of those of these names that are there.
    pub(super) fn present(&self, names: &[&str]) -> impl Iterator<Item = String> {
        names.iter().filter(|name| self.has(name)).map(|name| self.path(name))
    }

    /// The first of these names that is there.
    pub(super) fn first(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.has(name))
    }

    /// The text of a file of this folder, if it is there.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        self.listing.text(&self.path(name))
    }

    /// The tag of the last release, where there is one.
    pub(super) fn release(&self) -> Option<&'a str> {
        self.listing.release.as_deref()
    }

    /// The paths of every file below this folder, seen from it.
    pub(super) fn below(&self) -> impl Iterator<Item = &'a str> {
        let folder = self.path("");
        self.listing
            .paths()
            .filter_map(move |path| path.strip_prefix(folder.as_str()))
    }

    /// The folders above this one, the nearest first.
    pub(super) fn above(&self) -> Vec<Self> {
        let mut above = Vec::new();
        let mut folder = self.folder.as_str();
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(up, _)| up);
            above.push(Self::new(self.listing, folder));
        }
        above
    }

    /// These words, typed in this folder. Commands start at the tree's root, so
    /// a tool that cannot be pointed elsewhere gets a shell that goes there.
    pub(super) fn inside(&self, words: &[&str]) -> Vec<String> {
        let words = owned(words);
        if self.is_root() {
            return words;
        }
        self.line(&argv::line(&words))
    }

    /// This line for a shell, typed in this folder.
    pub(super) fn line(&self, line: &str) -> Vec<String> {
        if self.is_root() {
            return shell(line);
        }
        let folder = argv::line(std::slice::from_ref(&self.folder));
        shell(&format!("cd {folder} && {line}"))
    }

    /// The words with, in a sub-folder, these before them at this position.
    pub(super) fn pointed(&self, words: &[&str], at: usize, pointer: &[&str]) -> Vec<String> {
        let mut all = owned(words);
        if !self.is_root() {
            let at = at.min(all.len());
            all.splice(at..at, owned(pointer));
        }
        all
    }
}

/// A line for a shell, as words.
pub(super) fn shell(line: &str) -> Vec<String> {
    owned(&["sh", "-c", line])
}

pub(super) fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
