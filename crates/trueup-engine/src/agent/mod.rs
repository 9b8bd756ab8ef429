//! Who does the work. An agent is told something, works in its clone behind
//! the wall, and ends; what it says of its own work decides nothing.

mod bound;
mod call;
pub mod claim;
pub mod claude_code;
pub mod codex;
pub mod command;
pub mod converse;
pub mod dialogue;
pub mod fact;
pub mod home;
mod lines;
pub mod model_network;
mod object;
pub mod probe;
pub mod prompt;
pub mod question;
pub mod sign_in;
pub mod spec;
pub mod interactive;
mod token_redactor;
mod tokens;
mod transcript;
mod trouble;
pub mod watch;

pub use call::{Answer, Call, Happening};
pub use watch::Activity;

use crate::{sandbox::Sandbox, stop::StopToken};
use model_network::ModelNetwork;

/// An agent, ready to be called.
#[derive(Clone, Debug)]
pub enum Agent {
    /// Any executable.
    Command(command::Command),
    /// One that is spoken with.
    Interactive(interactive::InteractiveAgent),
}

impl Agent {
    /// Calls the agent once. Whatever it prints and does is also handed to
    /// `live`, which shows it and decides nothing.
    pub async fn call(
        &self,
        sandbox: &Sandbox,
        call: &Call,
        stop: &StopToken,
        live: &mut (dyn FnMut(Happening<'_>) + Send),
    ) -> Answer {
        let mut answer = match self {
            Self::Command(command) => command.call(sandbox, call, stop, live).await,
            Self::Interactive(spoken) => spoken.call(sandbox, call, stop, live).await,
        };
        if let Some(network) = self.network() {
            answer.add(&network.refusals());
        }
        answer
    }

    /// What it reaches its model through, where it has a network of its own.
    const fn network(&self) -> Option<&ModelNetwork> {
        match self {
            Self::Command(command) => command.network.as_ref(),
            Self::Interactive(spoken) => spoken.network.as_ref(),
        }
    }
}
