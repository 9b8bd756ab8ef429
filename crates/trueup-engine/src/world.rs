//! Where wishes become facts: one arm per effect, one room per arm.

use crate::{
    agent::{Agent, Call, Rescued, render_prompt},
    blobs::Blobs,
    check::{Checks, Halt},
    clock::Clock,
    crash,
    fault::{self, Fault},
    spool::{Spool, write_durably},
    state::StateRoot,
    stop::StopToken,
    workspace::{Delivery, Workspaces},
};
use std::{fs::File, io, io::Write};
use trueup_core::{
    effect::{Commit, Effect, Publish, Turn, Verify, Wish},
    event::{Checked, Committed, Event, Interrupted, Opening, PublishRefused, Published, Stop, Troubled, TurnEnded},
    evidence::Saw,
    id::{CheckId, EffectId, TreeId},
    turn,
};

/// Performs effects. What comes back is always a fact: red tests, a dead
/// agent, a missing program. Only core decides what it means.
#[expect(
    async_fn_in_trait,
    reason = "a run is driven on the thread that owns it; no engine needs the future to be Send"
)]
pub trait World {
    /// Performs an effect; idempotent on its id.
    async fn perform(&self, effect: &Effect) -> Event;
}

/// This machine.
pub struct Local {
    /// Where everything lies.
    pub state: StateRoot,
    /// Git.
    pub workspaces: Workspaces,
    /// The room of checks, with the wall they share with the agent.
    pub checks: Checks,
    /// Bodies.
    pub blobs: Blobs,
    /// Outcomes not yet kept.
    pub spool: Spool,
    /// Who works.
    pub agent: Agent,
    /// What the run was opened with.
    pub opening: Opening,
    /// The time.
    pub clock: Clock,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// Is told what happens while it happens; decides nothing.
    pub live: Box<dyn Fn(Live<'_>)>,
}

/// What happens while it happens. Shown as live, never as fact.
#[derive(Clone, Copy, Debug)]
pub enum Live<'a> {
    /// A turn begins.
    TurnBegins(u32),
    /// The agent printed something.
    Spoke(&'a [u8]),
    /// A set of checks begins.
    ChecksBegin(&'a TreeId),
    /// A check was seen.
    Saw(&'a CheckId, &'a Saw),
}

/// Why an effect gave no fact of its own.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error("stopped")]
    Stopped {
        by: Stop,
        rescue: Option<TreeId>,
        took_ms: u64,
    },
    #[error("{0}")]
    Trouble(String),
}

impl World for Local {
    async fn perform(&self, effect: &Effect) -> Event {
        crash::point("effect.before");
        let done = match &effect.wish {
            Wish::Verify(verify) => self.verify(verify).await,
            Wish::Turn(turn) => self.turn(&effect.id, turn).await,
            Wish::Commit(commit) => self.commit(commit),
            Wish::Publish(publish) => self.publish(publish),
        };
        crash::point("effect.after");
        let at = self.clock.now();
        done.unwrap_or_else(|broken| match broken {
            Broken::Stopped { by, rescue, took_ms } => Event::Interrupted(Interrupted {
                by,
                rescue,
                took_ms,
                at,
            }),
            Broken::Trouble(what) => Event::Troubled(Troubled { what, at }),
        })
    }
}

impl Local {
    async fn verify(&self, verify: &Verify) -> Result<Event, Broken> {
        (self.live)(Live::ChecksBegin(&verify.tree));
        let evidence = self
            .checks
            .verify(verify, |check, saw| (self.live)(Live::Saw(check, saw)))
            .await?;
        Ok(Event::Checked(Checked {
            tree: verify.tree.clone(),
            evidence,
            at: self.clock.now(),
        }))
    }

    async fn turn(&self, id: &EffectId, turn: &Turn) -> Result<Event, Broken> {
        let outcome = match self.spool.get::<turn::Outcome>(id.as_str()) {
            Some(outcome) if !fault::planted(Fault::TurnTwice) => {
                // A kill between the two leaves word of a turn that was not broken off.
                self.spool.remove(WORKING)?;
                outcome
            }
            Some(_) | None => self.work(id, turn).await?,
        };
        Ok(Event::TurnEnded(TurnEnded {
            turn: turn.number,
            outcome,
            at: self.clock.now(),
        }))
    }

    /// Lets the agent work. A turn is finished when its outcome is spooled;
    /// until then a redo starts again from the recorded tree.
    async fn work(&self, id: &EffectId, turn: &Turn) -> Result<turn::Outcome, Broken> {
        if let Some(by) = self.stop.raised() {
            return Err(Broken::at_once(by));
        }
        let rescued = self.lay_workspace(id, turn)?;
        (self.live)(Live::TurnBegins(turn.number));
        let call = self.call(id, turn, rescued)?;
        let mut transcript = File::options()
            .create(true)
            .append(true)
            .open(self.transcript(turn.number))?;
        crash::point("turn.before");
        let mut left = turn.policy.output_limit;
        let mut live = |bytes: &[u8]| {
            // The stream is for eyes only; the transcript that counts is the
            // blob. It is cut like the blob: a disk is no larger for being watched.
            let fits = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            left -= fits as u64;
            drop(transcript.write_all(bytes.get(..fits).unwrap_or_default()));
            (self.live)(Live::Spoke(bytes));
        };
        let answer = self
            .agent
            .call(&self.checks.sandbox, &call, &self.stop, &mut live)
            .await;
        crash::point("turn.after");
        let took_ms = u64::try_from(answer.took.as_millis()).unwrap_or(u64::MAX);
        let ending = match answer.ending {
            Ok(ending) => ending,
            Err(by) => {
                let rescue = self.workspaces.rescue(&self.opening.run, id)?;
                return Err(Broken::Stopped { by, rescue, took_ms });
            }
        };
        let left = self.workspaces.snapshot(&self.opening.run, id)?;
        let outcome = turn::Outcome {
            ending,
            tree: left.tree,
            findings: left.findings,
            transcript: self.blobs.put_body(&answer.transcript, answer.transcript_total)?,
            usage: answer.usage,
            took_ms,
        };
        crash::point("spool.before");
        self.spool.put(id.as_str(), &outcome)?;
        crash::point("spool.after");
        self.spool.remove(WORKING)?;
        Ok(outcome)
    }

    /// Makes sure that the clone shows the tree the turn starts from. A clone
    /// in which a turn was broken off is saved to a rescue ref and laid anew,
    /// so that no agent meets edits that are gone.
    fn lay_workspace(&self, id: &EffectId, turn: &Turn) -> Result<Rescued, Broken> {
        let run = &self.opening.run;
        let broken_off: Option<EffectId> = self.spool.get(WORKING);
        let mut rescue = turn.rescue.clone();
        // What a stopped try left was saved when it stopped, and the turn names
        // it. A try that was killed could save nothing, whatever came before it.
        let killed = broken_off.as_ref() == Some(id);
        if killed || (broken_off.is_some() && rescue.is_none()) {
            let left = self.workspaces.rescue(run, id)?;
            rescue = left.filter(|left| *left != turn.from).or(rescue);
        }
        if broken_off.is_some() || !self.workspaces.exists(run) {
            self.workspaces
                .lay(run, &self.opening.base.commit, &turn.from, rescue.as_ref())?;
        }
        crash::point("workspace.laid");
        self.spool.put(WORKING, id)?;
        Ok(match rescue {
            Some(_) => Rescued::Yes,
            None => Rescued::No,
        })
    }

    fn call(&self, id: &EffectId, turn: &Turn, rescued: Rescued) -> Result<Call, Broken> {
        let run = &self.opening.run;
        let prompt = render_prompt(&turn.brief, rescued, &self.blobs);
        let prompt_file = self.state.run(run).join(format!("{id}.prompt.md"));
        write_durably(&prompt_file, prompt.as_bytes())?;
        Ok(Call {
            workspace: self.state.workspace(run),
            borrowed: self.workspaces.lenders(&self.opening.base.commit)?,
            prompt,
            prompt_file,
            run: run.to_string(),
            task: self.opening.task.id.to_string(),
            turn: turn.number,
            policy: turn.policy,
            alive: self.checks.alive.clone(),
        })
    }

    fn transcript(&self, turn: u32) -> std::path::PathBuf {
        live_transcript(&self.state, &self.opening, turn)
    }

    fn commit(&self, commit: &Commit) -> Result<Event, Broken> {
        Ok(Event::Committed(Committed {
            commit: self.workspaces.commit(&self.opening.run, commit)?,
            at: self.clock.now(),
        }))
    }

    fn publish(&self, publish: &Publish) -> Result<Event, Broken> {
        let at = self.clock.now();
        Ok(match self.workspaces.publish(&self.opening.run, publish)? {
            Delivery::Done => Event::Published(Published {
                commit: publish.commit.clone(),
                at,
            }),
            Delivery::Refused(why) => Event::PublishRefused(PublishRefused { why, at }),
        })
    }
}

/// The name under which the spool remembers a turn that has begun.
const WORKING: &str = "working";

/// Where a turn's output can be followed while it is printed.
pub fn live_transcript(state: &StateRoot, opening: &Opening, turn: u32) -> std::path::PathBuf {
    state.run(&opening.run).join(format!("turn-{turn:03}.live"))
}

impl Broken {
    /// Stopped before any agent worked.
    const fn at_once(by: Stop) -> Self {
        Self::Stopped {
            by,
            rescue: None,
            took_ms: 0,
        }
    }
}

impl From<crate::workspace::Error> for Broken {
    fn from(error: crate::workspace::Error) -> Self {
        Self::Trouble(error.to_string())
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Trouble(error.to_string())
    }
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(by) => Self::at_once(by),
            Halt::Workspace(error) => error.into(),
            Halt::File(error) => error.into(),
        }
    }
}
