//! What the agent of a turn is told.

use crate::{
    agent::prompt::{PromptInput, Rescued, ShownOutput},
    failure::EffectFailure,
    local::Local,
    sandbox::ReadOnlyMount,
    state::make_private,
    write::write_quickly,
};
use std::io;
use trueup_core::effect;

/// What a session that took over was told last.
const NEXT_SESSION: &str = "next-session.md";

/// The folder of outputs that agents may look up.
const OUTPUTS: &str = "outputs";

impl Local {
    /// What the agent is told, without any secret in it, and the files that
    /// name. What a session that takes over is told is also written where a
    /// person would look for it.
    pub(super) fn prompt(
        &self,
        wish: &effect::Turn,
        rescued: Rescued,
    ) -> Result<(String, Vec<ReadOnlyMount>), EffectFailure> {
        let changed = match &wish.brief.so_far {
            Some(_) => self.workspaces.changes(&self.opening.base.tree, &wish.from)?,
            None => Vec::new(),
        };
        let sandbox = &self.checks.sandbox;
        let own = self.state.run(&self.opening.run);
        let prompt = self.prompts.render(
            &wish.brief,
            &PromptInput {
                blobs: &*self.ports.blobs,
                outputs: &own.join(OUTPUTS),
                rescued,
                changed: &changed,
                seen_at: &|laid| sandbox.seen_at(laid),
            },
        )?;
        if let Some(told) = &prompt.next_session {
            let told = sandbox.secrets().redact_text(told);
            write_quickly(&own.join(NEXT_SESSION), told.as_bytes())?;
        }
        let shown = prompt.shown.into_iter().map(|shown| self.lay_output(shown));
        let shown = shown.collect::<io::Result<_>>()?;
        Ok((sandbox.secrets().redact_text(&prompt.text), shown))
    }

    /// Lays an output as a file that a sandbox can show. Bodies may lie on
    /// another machine, and where they lie is not the prompt's to know.
    fn lay_output(&self, ShownOutput { body, laid }: ShownOutput) -> io::Result<ReadOnlyMount> {
        if !laid.host.exists() {
            make_private(&self.state.run(&self.opening.run).join(OUTPUTS))?;
            write_quickly(&laid.host, &self.ports.blobs.get(&body)?)?;
        }
        Ok(laid)
    }
}
