//! Who may ask this process to stop, heard from before a run is opened until
//! it rests: a signal that came too early to be heard would kill instead.

use crate::exit::{Exit, Failure};
use std::{fs, sync::Arc, time::Duration};
use tokio::{
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
};
use trueup_core::event::Stop;
use trueup_engine::{
    durable::{Lost, sqlite::StopWatch},
    stop::{StopSource, StopToken},
};

/// How often a driving process looks whether it was asked to stop.
const STOP_POLL: Duration = Duration::from_millis(200);

/// Hears whoever asks this process to stop.
pub(crate) struct Stopping {
    runtime: Runtime,
    source: Arc<StopSource>,
}

impl Stopping {
    /// Begins to hear signals. The first asks the run to stop; a second at the
    /// keyboard ends this process at once, and everything it started dies with it.
    pub(crate) fn begin() -> Result<Self, Failure> {
        let runtime = crate::session::runtime()?;
        let source = Arc::new(StopSource::default());
        let raised = Arc::clone(&source);
        let entered = runtime.enter();
        let mut keyboard = heard(SignalKind::interrupt())?;
        let mut terminate = heard(SignalKind::terminate())?;
        let mut hang_up = heard(SignalKind::hangup())?;
        drop(entered);
        runtime.spawn(async move {
            let mut pressed = 0;
            loop {
                tokio::select! {
                    () = next(&mut keyboard) => {
                        pressed += 1;
                        if pressed > 1 {
                            std::process::exit(i32::from(Exit::Interrupted.code()));
                        }
                        raised.raise(Stop::Keyboard);
                    }
                    () = next(&mut terminate) => raised.raise(Stop::Request),
                    () = next(&mut hang_up) => raised.raise(Stop::Request),
                }
            }
        });
        Ok(Self { runtime, source })
    }

    /// The runtime whose workers hear.
    pub(crate) const fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Says when somebody asked.
    pub(crate) fn token(&self) -> StopToken {
        self.source.token()
    }

    /// From here on also hears `trueup stop`, and the loss of the run to
    /// somebody else.
    pub(crate) fn watch(&self, watch: StopWatch) {
        let raised = Arc::clone(&self.source);
        self.runtime.spawn(async move {
            let mut poll = tokio::time::interval(STOP_POLL);
            loop {
                poll.tick().await;
                let asked = match watch.stop_requested() {
                    Ok(asked) => asked,
                    // A full disk is waited for; nobody asked for anything.
                    Err(Lost::Full(_)) => false,
                    Err(Lost::Fenced | Lost::Journal(_)) => true,
                };
                if asked {
                    raised.raise(Stop::Request);
                }
            }
        });
    }

    /// Fails if somebody asked already. For the last moment before a run is
    /// opened: there is nothing to resume yet, so `again` is what to type.
    pub(crate) fn refuse_if_asked(&self, again: &str) -> Result<(), Failure> {
        let exit = match self.token().raised() {
            None => return Ok(()),
            Some(Stop::Keyboard) => Exit::Interrupted,
            Some(Stop::Request) => Exit::Terminated,
        };
        Err(Failure::new(exit, "stopped before the run was opened; nothing was begun").next(again))
    }
}

/// A signal, unless whoever started this process had it ignored: a run under
/// `nohup` outlives its terminal.
fn heard(kind: SignalKind) -> Result<Option<Signal>, Failure> {
    if is_ignored(kind) {
        return Ok(None);
    }
    Ok(Some(signal(kind)?))
}

fn is_ignored(kind: SignalKind) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
}

async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
