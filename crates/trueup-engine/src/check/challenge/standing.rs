//! Faults that a tool was seen to find, kept beyond the run.
//!
//! Whether a linter, a type checker or a compiler finds a fault of its kind
//! does not hang on the work, but on how it is called and on the files that
//! set its rules. While those stay, it is seen once.

use super::executor::ChallengedTrees;
use crate::{check::checks::Checks, halt::Halt};
use std::io;
use trueup_core::{
    control::{Control, Sabotage},
    digest::Digest,
    evidence::SEMANTICS,
    judge::{ControlResult, ProbeResult},
};
use trueup_inspect::{
    challenge::{On, Probe, Subject},
    rules,
};

impl Checks {
    /// What became of a fault of the check's kind, from what was seen before
    /// under the same rules, or seen now.
    pub(super) async fn standing(
        &self,
        trees: &ChallengedTrees<'_>,
        subject: &Subject<'_>,
    ) -> Result<ProbeResult, Halt> {
        let name = self.rules_of(trees, subject)?;
        let known: Option<ControlResult> = self.memo.seen_standing(&name);
        if let Some(known) = known.filter(|known| self.blobs.has(&known.output.digest)) {
            let known = ControlResult { took_ms: 0, ..known };
            return Ok(known.controls(Sabotage::Violation, &subject.checks).into());
        }
        let shown = self.perform_probe(trees, subject, Probe::Violation).await?;
        // What was not red is asked again: a person may mend what it hangs on.
        if let Some(result) = shown.controls.first().map(result_of).filter(ControlResult::is_red) {
            self.memo.put_standing(&name, &result)?;
        }
        Ok(shown)
    }

    /// The name of how a check is called, and of every file of the tree that
    /// sets its rules.
    fn rules_of(&self, trees: &ChallengedTrees<'_>, subject: &Subject<'_>) -> Result<Digest, Halt> {
        let check = subject.first;
        let conditions = self.conditions(check, &trees.ground(&self.layers, On::Tree, check));
        let setting = |path: &String| rules::is_protected(&self.rules, path);
        let setting: Vec<String> = trees.pair.paths.iter().filter(|path| setting(path)).cloned().collect();
        let mut fields: Vec<Vec<u8>> = vec![
            SEMANTICS.to_be_bytes().to_vec(),
            check.definition().as_str().as_bytes().to_vec(),
            serde_json::to_vec(&check.argv()).map_err(io::Error::other)?,
            serde_json::to_vec(&conditions).map_err(io::Error::other)?,
        ];
        for (path, object) in self.workspaces.objects(&trees.wish.tree, &setting)? {
            fields.push(path.into_bytes());
            fields.push(object.unwrap_or_default().into_bytes());
        }
        Ok(Digest::of_fields(fields.iter().map(Vec::as_slice)))
    }
}

/// What is the same for every check of a subject.
fn result_of(control: &Control) -> ControlResult {
    ControlResult {
        about: control.about.clone(),
        turned: control.turned.clone(),
        output: control.output.clone(),
        took_ms: control.took_ms,
    }
}
