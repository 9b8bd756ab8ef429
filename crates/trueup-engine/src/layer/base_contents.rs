//! What of a base is laid ground for: everything that a program of it may read.

use crate::workspace::{self, Workspaces};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{digest::Digest, id::TreeId};

/// The file of a repository that only trueup reads.
const CONFIGURATION: &str = "trueup.toml";

/// The names of bases by what they hold, without the files that only trueup
/// reads: who commits a task or a check finds everything prepared and warm.
/// A clone knows the same ones.
#[derive(Clone, Debug)]
pub struct BaseContents {
    /// The folder of tasks.
    tasks: String,
    known: Arc<Mutex<BTreeMap<TreeId, Digest>>>,
}

impl BaseContents {
    /// Of bases whose tasks lie in this folder.
    pub fn beside(tasks: &str) -> Self {
        Self {
            tasks: format!("{}/", tasks.trim_matches('/')),
            known: Arc::default(),
        }
    }

    /// What a tree holds, by digest; read once.
    pub(super) fn of(&self, workspaces: &Workspaces, tree: &TreeId) -> Result<Digest, workspace::Error> {
        if let Some(known) = self.known(tree) {
            return Ok(known);
        }
        let listing = workspaces.listing(tree)?;
        let counted = listing.iter().filter(|(path, _)| !self.is_ours(path));
        let fields = counted.flat_map(|(path, object)| [path.as_bytes(), object.as_bytes()]);
        let digest = Digest::of_fields(fields);
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(tree.clone(), digest.clone());
        Ok(digest)
    }

    /// The same of a tree that was read before.
    pub(super) fn known(&self, tree: &TreeId) -> Option<Digest> {
        let all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(tree).cloned()
    }

    /// Whether only trueup reads a file.
    pub(super) fn is_ours(&self, path: &str) -> bool {
        path == CONFIGURATION || path.starts_with(&self.tasks)
    }
}

#[cfg(test)]
mod tests {
    use super::BaseContents;

    #[test]
    fn only_the_configuration_at_the_root_and_the_tasks_are_ours() {
        let bases = BaseContents::beside("work/tasks/");
        let ours = ["trueup.toml", "work/tasks/T-001.md", "work/tasks/.gitignore"];
        let others = ["sub/trueup.toml", "tasks/T-001.md", "work/tasks.py", "package.json"];
        assert!(ours.iter().all(|path| bases.is_ours(path)));
        assert!(others.iter().all(|path| !bases.is_ours(path)));
    }
}
