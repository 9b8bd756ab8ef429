//! The word that asks work under way to end early.

use tokio::sync::watch;
use trueup_core::event::Stop;

/// Raises the word; every [`StopToken`] made from it hears.
#[derive(Debug)]
pub struct StopSource {
    sender: watch::Sender<Option<Stop>>,
}

/// Hears the word.
#[derive(Clone, Debug)]
pub struct StopToken {
    receiver: watch::Receiver<Option<Stop>>,
}

impl Default for StopSource {
    fn default() -> Self {
        Self {
            sender: watch::Sender::new(None),
        }
    }
}

impl StopSource {
    /// A token that hears this source.
    pub fn token(&self) -> StopToken {
        StopToken {
            receiver: self.sender.subscribe(),
        }
    }

    /// Asks all work under way to end early. The first word counts.
    pub fn raise(&self, stop: Stop) {
        self.sender.send_if_modified(|held| {
            let first = held.is_none();
            if first {
                *held = Some(stop);
            }
            first
        });
    }
}

impl StopToken {
    /// Who asked, if somebody did.
    pub fn raised(&self) -> Option<Stop> {
        *self.receiver.borrow()
    }

    /// Waits until somebody asks; for ever if nobody can any more.
    pub async fn wait(&self) -> Stop {
        let mut receiver = self.receiver.clone();
        match receiver.wait_for(Option::is_some).await.map(|held| *held) {
            Ok(Some(stop)) => stop,
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }
}
