//! The files that differ between two trees, with both their contents.

use crate::workspace::{Error, Workspaces};
use std::{collections::BTreeMap, str};
use trueup_core::id::TreeId;

/// A file that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Where it lies.
    pub(super) path: String,
    /// What it held, if it was there.
    pub(super) before: Option<Vec<u8>>,
    /// What it holds, if it is there.
    pub(super) after: Option<Vec<u8>>,
}

/// Which of a file's two contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// What it held.
    Before,
    /// What it holds.
    After,
}

impl File {
    /// A content, if it is there.
    pub(super) fn bytes(&self, side: Side) -> Option<&[u8]> {
        match side {
            Side::Before => self.before.as_deref(),
            Side::After => self.after.as_deref(),
        }
    }

    /// A content, if it is there and is text.
    pub(super) fn text(&self, side: Side) -> Option<&str> {
        str::from_utf8(self.bytes(side)?).ok()
    }
}

/// Every file that differs. What is no regular file, a link for one, is there
/// with its object's name as its content: it must not pass for absent.
pub(super) fn differing(workspaces: &Workspaces, base: &TreeId, tree: &TreeId) -> Result<Vec<File>, Error> {
    let paths: Vec<String> = workspaces
        .changes(base, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let mut before = contents(workspaces, base, &paths)?;
    let mut after = contents(workspaces, tree, &paths)?;
    let file = |path: String| File {
        before: before.remove(&path),
        after: after.remove(&path),
        path,
    };
    Ok(paths.into_iter().map(file).collect())
}

fn contents(workspaces: &Workspaces, tree: &TreeId, paths: &[String]) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut contents: BTreeMap<String, Vec<u8>> = workspaces.read_many(tree, paths)?.into_iter().collect();
    let rest: Vec<String> = paths
        .iter()
        .filter(|path| !contents.contains_key(*path))
        .cloned()
        .collect();
    for (path, object) in workspaces.objects(tree, &rest)? {
        if let Some(object) = object {
            contents.insert(path, format!("no regular file: {object}\n").into_bytes());
        }
    }
    Ok(contents)
}
