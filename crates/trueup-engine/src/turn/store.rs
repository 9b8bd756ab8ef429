//! What a turn left, stored; and its outcome, spooled.

use super::{
    in_progress::InProgress,
    stage::{Answered, EndedTurn, Stored, Turn},
    turn_result::KeptTree,
};
use crate::{crash, failure::EffectFailure, local::Local};
use trueup_core::turn::TurnOutcome;

impl Local {
    /// Stores what a turn left and spools its outcome. What could not be stored
    /// for want of space is held until there is some.
    pub(super) fn spool_turn(&self, ended: EndedTurn) -> Result<TurnOutcome, EffectFailure> {
        let turn = match ended {
            EndedTurn::Stored(turn) => turn,
            EndedTurn::Answered(turn) => match self.store(&turn) {
                Ok(stored) => turn.step(|_| stored),
                Err(failure) => return Err(self.hold(turn.into(), failure)),
            },
        };
        match self.spool(&turn) {
            Ok(()) => Ok(turn.stage.outcome),
            Err(failure) => Err(self.hold(EndedTurn::Stored(turn), failure)),
        }
    }

    fn hold(&self, ended: EndedTurn, failure: EffectFailure) -> EffectFailure {
        if failure.is_for_space() {
            self.unspooled.put(ended);
        }
        failure
    }

    /// Stores the tree, what was said, and the conversation.
    fn store(&self, Turn { id, wish, stage }: &Turn<Answered>) -> Result<Stored, EffectFailure> {
        let KeptTree { tree, findings, beyond } = KeptTree::take(&self.workspaces, &self.opening.run, id, wish)?;
        let blobs = &*self.ports.blobs;
        let (transcript, total) = &stage.transcript;
        let outcome = TurnOutcome {
            ending: stage.ending.clone(),
            tree,
            findings,
            transcript: blobs.put_body(transcript, *total)?,
            usage: stage.usage,
            took_ms: stage.took_ms,
            isolation: self.checks.sandbox.isolation(),
            session: stage.session.as_ref().map(|(session, _)| session.clone()),
            claim: stage.claim.clone(),
            version: stage.version.clone(),
            prompt: Some(blobs.put_body(stage.prompt.as_bytes(), stage.prompt.len() as u64)?),
        };
        if let Some((session, files)) = &stage.session {
            self.ports.sessions.keep(session, files)?;
        }
        // A git that met a full disk may have taken it for a fault of the files.
        match self.checks.space.at_work() {
            Some(shortage) => Err(EffectFailure::NoSpace(shortage)),
            None => Ok(Stored { outcome, beyond }),
        }
    }

    /// Lays the workspace anew where something may not stay, which it does not
    /// show any more then, and spools the outcome.
    fn spool(&self, Turn { id, stage, .. }: &Turn<Stored>) -> Result<(), EffectFailure> {
        if let Some(beyond) = &stage.beyond {
            let (run, base) = (&self.opening.run, &self.opening.base);
            self.workspaces.lay(run, base, &stage.outcome.tree, Some(beyond))?;
            crash::point("rights.laid");
        }
        let spool = &*self.ports.spool;
        crash::point("spool.before");
        spool.put(id.as_str(), &stage.outcome)?;
        crash::point("spool.after");
        Ok(InProgress::forget(spool)?)
    }
}
