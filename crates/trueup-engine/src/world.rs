//! Where wishes become facts: one arm per effect, one room per arm.

use crate::{
    agent::{
        Agent, Answer, Call, Happening,
        prompt::{Flaw, Prompt, Prompts, Rescued, Scene},
    },
    blobs::Blobs,
    check::{CheckProgress, Checks, Halt},
    clock::Clock,
    crash,
    fault::{self, Fault},
    layer::{Prepared, Wanted},
    left::Left,
    sandbox::Own,
    space,
    spool::{Spool, write_quickly},
    state::StateRoot,
    stop::{StopSource, StopToken},
    trial::Trial,
    workspace::{Delivery, Workspaces},
};
use std::{
    fs::File,
    io,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    sync::{Mutex, PoisonError},
};
use trueup_core::{
    effect::{Challenge, Commit, Effect, Publish, Turn, Verify, Wish},
    event::{
        Challenged, Checked, Committed, Event, Interrupted, Opening, PublishRefused, Published, Shortage, Stop,
        Troubled, TurnEnded,
    },
    id::{EffectId, TreeId},
    turn,
    usage::Usage,
};

/// Performs effects. What comes back is always a fact: red tests, a dead
/// agent, a missing program. Only core decides what it means.
pub trait World: Send + Sync {
    /// Performs an effect; idempotent on its id.
    fn perform(&self, effect: &Effect) -> impl Future<Output = Event> + Send;
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
    /// How it is told what to do.
    pub prompts: Prompts,
    /// What the run was opened with.
    pub opening: Opening,
    /// The time.
    pub clock: Clock,
    /// Hears when work shall end early.
    pub stop: StopToken,
    /// Is told what happens while it happens; decides nothing.
    pub live: Box<dyn Fn(Live<'_>) + Send + Sync>,
    /// What an agent answered, where there was no space to store it.
    pub held: Held,
}

/// The answer of a turn that ended well, for which there was no space. It is
/// stored when there is; the agent is not called again for it.
#[derive(Debug, Default)]
pub struct Held(Mutex<Option<(u32, Answered)>>);

/// What an agent was told, and what it answered.
#[derive(Debug)]
struct Answered {
    prompt: String,
    /// What earlier tries at the turn cost that were broken off.
    lost: Usage,
    answer: Answer,
    /// What of its work may stay, once that was found out.
    left: Option<Left>,
}

/// What happens while it happens. Shown as live, never as fact.
#[derive(Clone, Copy, Debug)]
pub enum Live<'a> {
    /// A turn begins.
    TurnBegins(u32),
    /// The agent printed something.
    Spoke(&'a [u8]),
    /// The agent did something else than print.
    Agent(Happening<'a>),
    /// A set of checks begins.
    ChecksBegin(&'a TreeId),
    /// Something of a set of checks.
    Check(CheckProgress<'a>),
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
    #[error("{0}")]
    Full(String),
    #[error("there is no space for files")]
    NoSpace(Shortage),
}

impl World for Local {
    async fn perform(&self, effect: &Effect) -> Event {
        crash::point("effect.before");
        let done = match &effect.wish {
            Wish::Verify(verify) => self.verify(verify).await,
            Wish::Challenge(challenge) => self.challenge(challenge).await,
            Wish::Turn(turn) => self.turn(&effect.id, turn).await,
            Wish::Commit(commit) => self.commit(commit),
            Wish::Publish(publish) => self.publish(publish),
        };
        crash::point("effect.after");
        let event = done.unwrap_or_else(|broken| self.broken(broken));
        self.checks.sandbox.secrets().redact_event(event)
    }
}

impl Local {
    /// What a failure is as a fact. Whatever failed while there was no space
    /// for files failed for that.
    fn broken(&self, broken: Broken) -> Event {
        let at = self.clock.now();
        let space = &self.checks.space;
        let (what, shortage) = match broken {
            Broken::Stopped { by, rescue, took_ms } => {
                return Event::Interrupted(Interrupted {
                    by,
                    rescue,
                    took_ms,
                    at,
                });
            }
            Broken::Trouble(what) => (what, space.at_work()),
            Broken::Full(what) => (what, Some(space.told_full())),
            Broken::NoSpace(shortage) => (Broken::NoSpace(shortage).to_string(), Some(shortage)),
        };
        Event::Troubled(Troubled { what, shortage, at })
    }

    /// Nothing is begun that there is no space for.
    fn require_space(&self) -> Result<(), Broken> {
        self.checks
            .space
            .before_work()
            .map_or(Ok(()), |short| Err(Broken::NoSpace(short)))
    }

    async fn verify(&self, verify: &Verify) -> Result<Event, Broken> {
        self.require_space()?;
        (self.live)(Live::ChecksBegin(&verify.tree));
        let evidence = self
            .checks
            .verify(verify, |progress| (self.live)(Live::Check(progress)))
            .await?;
        let objections = self.checks.objections(verify, &evidence).await?;
        Ok(Event::Checked(Checked {
            tree: verify.tree.clone(),
            evidence,
            objections,
            at: self.clock.now(),
        }))
    }

    async fn challenge(&self, challenge: &Challenge) -> Result<Event, Broken> {
        self.require_space()?;
        (self.live)(Live::ChecksBegin(&challenge.verify.tree));
        let shown = self.checks.challenge(challenge).await?;
        Ok(Event::Challenged(Challenged {
            tree: challenge.verify.tree.clone(),
            controls: shown.controls,
            objections: shown.objections,
            at: self.clock.now(),
        }))
    }

    async fn turn(&self, id: &EffectId, turn: &Turn) -> Result<Event, Broken> {
        let outcome = match self.spool.get::<turn::TurnOutcome>(id.as_str()) {
            Some(outcome) if !fault::planted(Fault::TurnTwice) => {
                // A kill between the two leaves word of a turn that was not broken off.
                self.spool.remove(WORKING)?;
                outcome
            }
            Some(_) | None => self.work(id, turn).await?,
        };
        Ok(Event::TurnEnded(TurnEnded {
            turn: turn.number,
            outcome: Box::new(outcome),
            at: self.clock.now(),
        }))
    }

    /// Lets the agent work. A turn is finished when its outcome is spooled;
    /// until then a redo starts again from the recorded tree.
    async fn work(&self, id: &EffectId, turn: &Turn) -> Result<turn::TurnOutcome, Broken> {
        if let Some(by) = self.stop.raised() {
            return Err(Broken::at_once(by));
        }
        self.require_space()?;
        let mut answered = match self.held.take(turn.number) {
            Some(answered) => answered,
            None => self.answer(id, turn).await?,
        };
        let stored = self.store(id, turn, &mut answered);
        if matches!(stored, Err(Broken::Full(_) | Broken::NoSpace(_))) {
            self.held.put(turn.number, answered);
        }
        stored
    }

    /// Calls the agent, and answers only what was done where there was space.
    async fn answer(&self, id: &EffectId, turn: &Turn) -> Result<Answered, Broken> {
        let (rescued, lost) = self.lay_workspace(id, turn)?;
        (self.live)(Live::TurnBegins(turn.number));
        let own = self.prepare(turn).await?;
        let mut call = self.call(id, turn, rescued, own)?;
        call.policy = call.policy.after(&lost);
        let mut transcript = File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(self.transcript(turn.number))?;
        crash::point("turn.before");
        let mut left = turn.policy.output_limit;
        let mut live = |happening: Happening<'_>| {
            let Happening::Printed(bytes) = happening else {
                return (self.live)(Live::Agent(happening));
            };
            // The stream is for eyes only; the transcript that counts is the
            // blob. It is cut like the blob: a disk is no larger for being watched.
            let fits = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            left -= fits as u64;
            drop(transcript.write_all(bytes.get(..fits).unwrap_or_default()));
            (self.live)(Live::Spoke(bytes));
        };
        let guard = StopSource::default();
        let token = guard.token();
        let answer = tokio::select! {
            answer = self.agent.call(&self.checks.sandbox, &call, &token, &mut live) => answer,
            never = self.checks.space.guard(&self.stop, &guard) => match never {},
        };
        crash::point("turn.after");
        if let (Err(_), Some(by)) = (&answer.ending, self.stop.raised()) {
            let rescue = self.workspaces.rescue(&self.opening.run, id)?;
            let took_ms = answer.took_ms();
            return Err(Broken::Stopped { by, rescue, took_ms });
        }
        match self.checks.space.at_work() {
            Some(shortage) => Err(Broken::NoSpace(shortage)),
            None if answer.ending.is_err() => Err(Broken::NoSpace(self.checks.space.told_full())),
            None => Ok(Answered {
                prompt: call.prompt,
                lost,
                answer,
                left: None,
            }),
        }
    }

    /// Stores what a turn left: its tree, what was said, its outcome.
    fn store(&self, id: &EffectId, turn: &Turn, answered: &mut Answered) -> Result<turn::TurnOutcome, Broken> {
        let Answered {
            prompt,
            lost,
            answer,
            left: known,
        } = answered;
        let ending = match &answer.ending {
            Ok(ending) => ending.clone(),
            Err(by) => return Err(Broken::at_once(*by)),
        };
        let left = match known {
            Some(left) => left.clone(),
            None => Left::take(&self.workspaces, &self.opening.run, id, turn)?,
        };
        let outcome = turn::TurnOutcome {
            ending,
            tree: left.tree.clone(),
            findings: left.findings.clone(),
            transcript: self.blobs.put_body(&answer.transcript, answer.transcript_total)?,
            usage: answer.usage.with_lost(lost),
            took_ms: answer.took_ms(),
            isolation: self.checks.sandbox.isolation(),
            session: answer.session.clone(),
            claim: answer.claim.clone(),
            version: answer.version.clone(),
            prompt: Some(self.blobs.put_body(prompt.as_bytes(), prompt.len() as u64)?),
        };
        // A git that met a full disk may have taken it for a fault of the files.
        if let Some(shortage) = self.checks.space.at_work() {
            return Err(Broken::NoSpace(shortage));
        }
        if let Some(beyond) = &left.beyond {
            // What is laid anew does not show any more what was put back.
            *known = Some(left.clone());
            let Opening { run, base, .. } = &self.opening;
            self.workspaces.lay(run, base, &left.tree, Some(beyond))?;
            crash::point("rights.laid");
        }
        crash::point("spool.before");
        self.spool.put(id.as_str(), &outcome)?;
        crash::point("spool.after");
        self.spool.remove(WORKING)?;
        Ok(outcome)
    }

    /// Makes sure that the clone shows the tree the turn starts from. A clone
    /// in which a turn was broken off is saved to a rescue ref and laid anew,
    /// so that no agent meets edits that are gone.
    /// Answers whether something was saved, and what it had cost.
    fn lay_workspace(&self, id: &EffectId, turn: &Turn) -> Result<(Rescued, Usage), Broken> {
        let run = &self.opening.run;
        let broken_off: Option<Trial> = self.spool.get(WORKING);
        let mut rescue = turn.rescue.clone();
        // What a stopped try left was saved when it stopped, and the turn names
        // it. A try that was killed could save nothing, whatever came before it.
        let killed = broken_off.as_ref().is_some_and(|trial| trial.id == *id);
        if killed || (broken_off.is_some() && rescue.is_none()) {
            let left = self.workspaces.rescue(run, id)?;
            rescue = left.filter(|left| *left != turn.from).or(rescue);
        }
        if broken_off.is_some() || !self.workspaces.exists(run) {
            self.workspaces
                .lay(run, &self.opening.base, &turn.from, rescue.as_ref())?;
        }
        crash::point("workspace.laid");
        let live = self.transcript(turn.number);
        let lost = broken_off.map_or_else(Usage::default, |trial| self.lost_with(&trial, turn.number));
        self.spool.put(WORKING, &Trial::begin(id, turn.number, &live, lost))?;
        let rescued = match rescue {
            Some(_) => Rescued::Yes,
            None => Rescued::No,
        };
        Ok((rescued, lost))
    }

    /// What a try at this turn cost that was broken off. One whose outcome is
    /// spooled was not, whatever is remembered of it.
    fn lost_with(&self, trial: &Trial, turn: u32) -> Usage {
        let ended = self.spool.get::<turn::TurnOutcome>(trial.id.as_str()).is_some();
        if trial.turn != turn || ended {
            return Usage::default();
        }
        trial.cost(&self.transcript(turn))
    }

    /// What was prepared from the base, as the agent finds it. Whatever it does
    /// to it stays with it.
    async fn prepare(&self, turn: &Turn) -> Result<Vec<Own>, Broken> {
        let (run, base) = (&self.opening.run, &self.opening.base.tree);
        let wanted = Wanted {
            tree: base.clone(),
            base: base.clone(),
            prepare: turn.prepare.clone(),
            lockfiles: Vec::new(),
        };
        let layers = &self.checks.layers;
        let live = &mut |name: &str| (self.live)(Live::Check(CheckProgress::Prepares(name)));
        let folders: Vec<_> = match layers.prepared(&wanted, live).await? {
            Prepared::Ready(ready) => ready.into_iter().flat_map(|layer| layer.folders).collect(),
            Prepared::Not(why) if space::says_full(&why) => return Err(Broken::Full(why)),
            Prepared::Not(why) => return Err(Broken::Trouble(why)),
        };
        let place = self.workspaces.own_of(run);
        Ok(layers.show_for_long(&place, &self.workspaces.footing(run), &folders)?)
    }

    fn call(&self, id: &EffectId, turn: &Turn, rescued: Rescued, own: Vec<Own>) -> Result<Call, Broken> {
        let run = &self.opening.run;
        let Prompt {
            text: prompt, shown, ..
        } = self.prompt(turn, rescued)?;
        let prompt_file = self.state.run(run).join(format!("{id}.prompt.md"));
        // No event names it, so nothing is lost with it.
        write_quickly(&prompt_file, prompt.as_bytes())?;
        Ok(Call {
            workspace: self.workspaces.folder(run),
            own,
            borrowed: self.workspaces.alternates(&self.opening.base.commit)?,
            prompt,
            prompt_file,
            shown,
            run: run.to_string(),
            task: self.opening.task.id.to_string(),
            turn: turn.number,
            memory: turn.memory.clone(),
            home: self.state.run(run).join("home"),
            policy: turn.policy,
            alive: self.checks.alive.clone(),
        })
    }

    /// What the agent is told, without any secret in it. What a session that
    /// takes over is told is also written where a person would look for it.
    fn prompt(&self, turn: &Turn, rescued: Rescued) -> Result<Prompt, Broken> {
        let changed = match &turn.brief.so_far {
            Some(_) => self.workspaces.changes(&self.opening.base.tree, &turn.from)?,
            None => Vec::new(),
        };
        let sandbox = &self.checks.sandbox;
        let mut prompt = self.prompts.render(
            &turn.brief,
            &Scene {
                blobs: &self.blobs,
                rescued,
                changed: &changed,
                seen_at: &|laid| sandbox.seen_at(laid),
            },
        )?;
        prompt.text = sandbox.secrets().redact_text(&prompt.text);
        if let Some(told) = &prompt.next_session {
            let view = self.state.run(&self.opening.run).join(NEXT_SESSION);
            write_quickly(&view, sandbox.secrets().redact_text(told).as_bytes())?;
        }
        Ok(prompt)
    }

    fn transcript(&self, turn: u32) -> std::path::PathBuf {
        live_transcript(&self.state, &self.opening, turn)
    }

    fn commit(&self, commit: &Commit) -> Result<Event, Broken> {
        self.require_space()?;
        Ok(Event::Committed(Committed {
            commit: self.workspaces.commit(&self.opening.run, commit)?,
            at: self.clock.now(),
        }))
    }

    fn publish(&self, publish: &Publish) -> Result<Event, Broken> {
        self.require_space()?;
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

/// What a session that took over was told last.
const NEXT_SESSION: &str = "next-session.md";

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

impl Held {
    fn put(&self, turn: u32, answered: Answered) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((turn, answered));
    }

    fn take(&self, turn: u32) -> Option<Answered> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        held.filter(|(number, _)| *number == turn).map(|(_, answered)| answered)
    }
}

impl From<crate::workspace::Error> for Broken {
    fn from(error: crate::workspace::Error) -> Self {
        if error.is_full() {
            Self::Full(error.to_string())
        } else {
            Self::Trouble(error.to_string())
        }
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        if space::is_full(&error) {
            Self::Full(error.to_string())
        } else {
            Self::Trouble(error.to_string())
        }
    }
}

impl From<Flaw> for Broken {
    fn from(flaw: Flaw) -> Self {
        Self::Trouble(flaw.to_string())
    }
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped(by) => Self::at_once(by),
            Halt::Workspace(error) => error.into(),
            Halt::File(error) => error.into(),
            Halt::NoSpace(shortage) => Self::NoSpace(shortage),
        }
    }
}
