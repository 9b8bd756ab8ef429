//! What one run is carried out with on this machine.

use crate::{
    agent::{Agent, Happening, prompt::Prompts},
    blocking::blocking,
    check::{CheckProgress, Checks, ControlProgress},
    clock::Clock,
    failure::EffectFailure,
    state::StateRoot,
    stop::StopToken,
    travel::Ports,
    turn::Unspooled,
    workspace::Workspaces,
};
use std::sync::Arc;
use trueup_core::{event::Opening, ground::Caches, id::TreeId};

/// This machine. A clone is the same machine, for work on another thread.
#[derive(Clone)]
pub struct Local {
    /// Where everything lies.
    pub state: StateRoot,
    /// Git.
    pub workspaces: Workspaces,
    /// The room of checks, with the wall they share with the agent.
    pub checks: Checks,
    /// What travels with the run.
    pub ports: Ports,
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
    pub live: Arc<dyn Fn(LiveUpdate<'_>) + Send + Sync>,
    /// A turn that ended well and waits for space to be stored in.
    pub unspooled: Unspooled,
}

/// What happens while it happens. Shown as live, never as fact.
#[derive(Clone, Copy, Debug)]
pub enum LiveUpdate<'a> {
    /// A turn begins.
    TurnBegins(u32),
    /// The agent printed something.
    Spoke(&'a [u8]),
    /// The agent did something else than print.
    Agent(Happening<'a>),
    /// A set of so many checks begins.
    ChecksBegin {
        /// On which tree.
        tree: &'a TreeId,
        /// How many there are.
        count: usize,
        /// Whether what they left before is there again.
        caches: Caches,
    },
    /// Something of a set of checks.
    Check(CheckProgress<'a>),
    /// Something of checks on sabotaged trees.
    Control(ControlProgress<'a>),
}

impl Local {
    /// Nothing is begun that there is no space for.
    pub(crate) async fn require_space(&self) -> Result<(), EffectFailure> {
        let space = self.checks.space.clone();
        let short = blocking(move || space.before_work()).await;
        short.map_or(Ok(()), |short| Err(EffectFailure::NoSpace(short)))
    }
}
