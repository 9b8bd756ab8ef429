//! The call of the agent.

use super::{
    in_progress::live_transcript,
    stage::{Answered, LaidOut, Turn},
};
use crate::{
    agent::{Answer, Call, Happening},
    blocking::blocking,
    check::CheckProgress,
    crash, deep,
    failure::EffectFailure,
    layer::{LayerRequest, Prepared},
    local::{LiveUpdate, Local},
    sandbox::{Excess, WritableMount},
    space::{self, SpaceBefore},
    stop::StopSource,
    write::write_quickly,
};
use std::{collections::BTreeSet, fs::File, io::Write, os::unix::fs::OpenOptionsExt, path::PathBuf};
use trueup_core::{
    effect,
    ending::Ending,
    id::{EffectId, RunId, TreeId},
    memory::Memory,
    task::Allow,
};

impl Local {
    /// Calls the agent, and answers only what was done where there was space.
    pub(super) async fn call_agent(&self, turn: Turn<LaidOut>) -> Result<Turn<Answered>, EffectFailure> {
        (self.live)(LiveUpdate::TurnBegins(turn.wish.number));
        let own = self.prepare(&turn.wish).await?;
        let world = self.clone();
        let (turn, call) = blocking(move || {
            let call = world.call(&turn, own)?;
            Ok::<_, EffectFailure>((turn, call))
        })
        .await?;
        let before = self.room_before().await;
        let mut answer = self.answer(&call).await?;
        if let (Err(_), Some(by)) = (&answer.ending, self.stop.raised()) {
            let took_ms = answer.took_ms();
            let rescue = self.rescue(turn.id).await?;
            return Err(EffectFailure::Stopped { by, rescue, took_ms });
        }
        if let Some(excess) = self.put_back(&turn.wish, before).await? {
            let why = excess.to_string();
            answer.ending = Ok(Ending::Overran { why });
            // It would remember what is gone.
            answer.session = None;
        }
        let answered = turn.answered(call.prompt, answer);
        answered.map_err(|_| EffectFailure::NoSpace(self.checks.space.told_full()))
    }

    /// Lets the agent work until it ends, somebody stops it, or space runs out.
    async fn answer(&self, call: &Call) -> Result<Answer, EffectFailure> {
        let mut transcript = File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(live_transcript(&self.state, &self.opening, call.turn))?;
        crash::point("turn.before");
        let mut left = call.policy.output_limit;
        let mut live = |happening: Happening<'_>| {
            let Happening::Printed(bytes) = happening else {
                return (self.live)(LiveUpdate::Agent(happening));
            };
            // The stream is for eyes only; the transcript that counts is the
            // blob. It is cut like the blob: a disk is no larger for being watched.
            let fits = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            left -= fits as u64;
            drop(transcript.write_all(bytes.get(..fits).unwrap_or_default()));
            (self.live)(LiveUpdate::Spoke(bytes));
        };
        let guard = StopSource::default();
        let token = guard.token();
        let answer = tokio::select! {
            answer = self.agent.call(&self.checks.sandbox, call, &token, &mut live) => answer,
            never = self.checks.space.guard(&self.stop, &guard) => match never {},
        };
        crash::point("turn.after");
        Ok(answer)
    }

    /// What is free of the quota as a turn begins, and what the run takes of it.
    async fn room_before(&self) -> SpaceBefore {
        let world = self.clone();
        blocking(move || {
            let taken = || world.workspaces.taken_by(&world.opening.run);
            world.checks.space.before_taking(taken)
        })
        .await
    }

    /// Where there is a shortage and it is due to this turn, puts the workspace
    /// back to where the turn began, so that nobody else has to wait. Answers what
    /// it took more of than it may; nothing where there is space.
    async fn put_back(&self, wish: &effect::Turn, before: SpaceBefore) -> Result<Option<Excess>, EffectFailure> {
        let (world, from) = (self.clone(), wish.from.clone());
        let put_back = move || {
            let (run, space) = (&world.opening.run, &world.checks.space);
            let Some((shortage, blame)) = space.shortage_since(before, || world.workspaces.taken_by(run)) else {
                return Ok(None);
            };
            let excess = blame.ok_or(EffectFailure::NoSpace(shortage))?;
            // Not rescued first: that would take space again.
            world.workspaces.lay(run, &world.opening.base, &from, None)?;
            deep::remove(&world.home_of(run))?;
            space.measure_again();
            Ok(Some(excess))
        };
        blocking(put_back).await
    }

    /// What an agent keeps between its turns.
    fn home_of(&self, run: &RunId) -> PathBuf {
        self.state.run(run).join("home")
    }

    async fn rescue(&self, id: EffectId) -> Result<Option<TreeId>, EffectFailure> {
        let (workspaces, run) = (self.workspaces.clone(), self.opening.run.clone());
        blocking(move || Ok(workspaces.rescue(&run, &id)?)).await
    }

    /// What was prepared from the base, as the agent finds it. Whatever it does
    /// to it stays with it.
    async fn prepare(&self, wish: &effect::Turn) -> Result<Vec<WritableMount>, EffectFailure> {
        let base = &self.opening.base.tree;
        let wanted = LayerRequest {
            tree: base.clone(),
            base: base.clone(),
            prepare: wish.prepare.clone(),
            allow: Allow::default(),
            approved: BTreeSet::new(),
        };
        let live = &mut |name: &str| (self.live)(LiveUpdate::Check(CheckProgress::Prepares(name)));
        let folders: Vec<_> = match self.checks.layers.prepared(&wanted, live).await? {
            Prepared::Ready(ready) => ready.into_iter().flat_map(|layer| layer.folders).collect(),
            Prepared::Not(why) if space::says_full(&why) => return Err(EffectFailure::Full(why)),
            Prepared::Not(why) => return Err(EffectFailure::Trouble(why)),
        };
        let world = self.clone();
        blocking(move || {
            let run = &world.opening.run;
            let place = world.workspaces.own_of(run);
            let layers = &world.checks.layers;
            Ok(layers.show_for_long(&place, &world.workspaces.footing(run), &folders)?)
        })
        .await
    }

    fn call(&self, turn: &Turn<LaidOut>, own: Vec<WritableMount>) -> Result<Call, EffectFailure> {
        let Turn { id, wish, stage } = turn;
        let run = &self.opening.run;
        let (prompt, shown) = self.prompt(wish, stage.rescued)?;
        let prompt_file = self.state.run(run).join(format!("{id}.prompt.md"));
        // No event names it, so nothing is lost with it.
        write_quickly(&prompt_file, prompt.as_bytes())?;
        let session_files = match &wish.memory {
            Memory::Fresh => None,
            Memory::Continue { session } => self.ports.sessions.get(session)?,
        };
        Ok(Call {
            workspace: self.workspaces.folder(run),
            own,
            borrowed: self.workspaces.alternates(&self.opening.base.commit)?,
            prompt,
            prompt_file,
            shown,
            run: run.to_string(),
            task: self.opening.task.id.to_string(),
            turn: wish.number,
            memory: wish.memory.clone(),
            session_files,
            home: self.home_of(run),
            policy: wish.policy.after(&stage.lost),
            alive: self.checks.alive.clone(),
        })
    }
}
