//! The files that differ between two trees, with both their contents.

use crate::workspace::{Error, Workspaces};
use std::collections::BTreeMap;
use trueup_core::id::TreeId;
use trueup_inspect::changes::ChangedFile;

/// Every file that differs. What is no regular file, a link for one, is there
/// with its object's name as its content: it must not pass for absent.
pub(super) fn differing(workspaces: &Workspaces, base: &TreeId, tree: &TreeId) -> Result<Vec<ChangedFile>, Error> {
    let paths: Vec<String> = workspaces
        .changes(base, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let mut before = contents(workspaces, base, &paths)?;
    let mut after = contents(workspaces, tree, &paths)?;
    let file = |path: String| ChangedFile {
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
