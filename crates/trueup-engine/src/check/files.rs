//! The files that differ between two trees, with both their contents.

use crate::workspace::{Error, Workspaces};
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
    let mut before = workspaces.contents(base, &paths)?;
    let mut after = workspaces.contents(tree, &paths)?;
    let file = |path: String| ChangedFile {
        before: before.remove(&path),
        after: after.remove(&path),
        path,
    };
    Ok(paths.into_iter().map(file).collect())
}
