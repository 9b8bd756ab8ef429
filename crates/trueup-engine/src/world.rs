//! Where wishes become facts: one arm per effect, one call per arm.

use crate::{
    blocking::blocking,
    check::{CheckProgress, ControlProgress},
    crash,
    failure::EffectFailure,
    local::{LiveUpdate, Local},
    workspace::Delivery,
};
use trueup_core::{
    effect::{Challenge, Commit, Effect, Publish, Verify, Wish},
    event::{Challenged, Checked, Committed, Event, PublishRefused, Published},
};

/// Performs effects. What comes back is always a fact: red tests, a dead
/// agent, a missing program. Only core decides what it means.
pub trait World: Send + Sync {
    /// Performs an effect; idempotent on its id.
    fn perform(&self, effect: &Effect) -> impl Future<Output = Event> + Send;
}

impl World for Local {
    async fn perform(&self, effect: &Effect) -> Event {
        crash::point("effect.before");
        let done = match &effect.wish {
            Wish::Verify(verify) => self.verify(verify).await,
            Wish::Challenge(challenge) => self.challenge(challenge).await,
            Wish::Turn(turn) => self.turn(&effect.id, turn).await,
            Wish::Commit(commit) => self.commit(commit).await,
            Wish::Publish(publish) => self.publish(publish).await,
        };
        crash::point("effect.after");
        let event = done.unwrap_or_else(|failure| failure.into_event(&self.clock, &self.checks.space));
        self.checks.sandbox.secrets().redact_event(event)
    }
}

impl Local {
    async fn verify(&self, verify: &Verify) -> Result<Event, EffectFailure> {
        self.require_space().await?;
        let (tree, count) = (&verify.tree, verify.checks().filter(|check| !check.is_manual()).count());
        let caches = verify.caches;
        (self.live)(LiveUpdate::ChecksBegin { tree, count, caches });
        let show = |shown: CheckProgress<'_>| (self.live)(LiveUpdate::Check(shown));
        let evidence = self.checks.verify(verify, &show).await?;
        let objections = self.checks.objections(verify, &evidence).await?;
        Ok(Event::Checked(Checked {
            tree: verify.tree.clone(),
            evidence,
            objections,
            at: self.clock.now(),
        }))
    }

    async fn challenge(&self, challenge: &Challenge) -> Result<Event, EffectFailure> {
        self.require_space().await?;
        let show = |shown: ControlProgress<'_>| (self.live)(LiveUpdate::Control(shown));
        let shown = self.checks.challenge(challenge, &show).await?;
        Ok(Event::Challenged(Challenged {
            tree: challenge.verify.tree.clone(),
            controls: shown.controls,
            objections: shown.objections,
            at: self.clock.now(),
        }))
    }

    async fn commit(&self, commit: &Commit) -> Result<Event, EffectFailure> {
        self.require_space().await?;
        let (workspaces, run, commit) = (self.workspaces.clone(), self.opening.run.clone(), commit.clone());
        Ok(Event::Committed(Committed {
            commit: blocking(move || workspaces.commit(&run, &commit)).await?,
            at: self.clock.now(),
        }))
    }

    async fn publish(&self, publish: &Publish) -> Result<Event, EffectFailure> {
        self.require_space().await?;
        let at = self.clock.now();
        let (workspaces, run, asked) = (self.workspaces.clone(), self.opening.run.clone(), publish.clone());
        let delivery = blocking(move || workspaces.publish(&run, &asked)).await?;
        Ok(match delivery {
            Delivery::Done => Event::Published(Published {
                commit: publish.commit.clone(),
                at,
            }),
            Delivery::Refused(why) => Event::PublishRefused(PublishRefused { why, at }),
        })
    }
}
