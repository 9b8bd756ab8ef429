//! Faults that a tool was seen to find, kept beyond the run.
//!
//! Whether a linter, a type checker or a compiler finds a fault of its kind
//! does not hang on the work, but on how it is called and on the files that
//! set its rules. While those stay, it is seen once.

use super::{
    Tried,
    subject::Subject,
    trial::{On, Scene},
};
use crate::{
    check::{Checks, Halt},
    spool::Spool,
};
use std::io;
use trueup_core::{control::Turned, digest::Digest, evidence::SEMANTICS};
use trueup_inspect::rules;

impl Checks {
    /// What became of a fault of the check's kind, from what was seen before
    /// under the same rules, or seen now.
    pub(super) async fn standing(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Tried, Halt> {
        let kept = Spool::at(self.layers.state.controls())?;
        let name = self.rules_of(scene, subject)?;
        let known: Option<Tried> = kept.get(&name);
        if let Some(known) = known.filter(|known| self.blobs.has(&known.output.digest)) {
            return Ok(Tried { took_ms: 0, ..known });
        }
        let tried = self.violation(scene, subject).await?;
        // What was not red is asked again: a person may mend what it hangs on.
        if matches!(tried.turned, Turned::Red { .. }) {
            kept.put(&name, &tried)?;
        }
        Ok(tried)
    }

    /// The name of how a check is called, and of every file of the tree that
    /// sets its rules.
    fn rules_of(&self, scene: &Scene, subject: &Subject<'_>) -> Result<String, Halt> {
        let check = subject.first;
        let conditions = self.conditions(check, &scene.ground(&self.layers, On::Tree, check));
        let setting = |path: &String| rules::is_protected(path);
        let setting: Vec<String> = scene.paths.iter().filter(|path| setting(path)).cloned().collect();
        let mut fields: Vec<Vec<u8>> = vec![
            SEMANTICS.to_be_bytes().to_vec(),
            check.definition().as_str().as_bytes().to_vec(),
            serde_json::to_vec(&check.argv()).map_err(io::Error::other)?,
            serde_json::to_vec(&conditions).map_err(io::Error::other)?,
        ];
        for (path, object) in self.workspaces.objects(&scene.wish.tree, &setting)? {
            fields.push(path.into_bytes());
            fields.push(object.unwrap_or_default().into_bytes());
        }
        Ok(Digest::of_fields(fields.iter().map(Vec::as_slice)).to_string())
    }
}
