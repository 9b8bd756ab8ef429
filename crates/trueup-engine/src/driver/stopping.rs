//! Who may ask this process to stop, heard from before a run is opened until
//! it rests: a signal that came too early to be heard would kill instead.

use crate::{
    durable::{Desk, Lease, Lost, Renewed},
    stop::{StopSource, StopToken},
};
use std::{fs, io, sync::Arc, time::Duration};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
};
use trueup_core::event::Stop;

/// How often a driver says that it lives, and learns whether it was asked to stop.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// Hears whoever asks this process to stop.
#[derive(Clone, Debug, Default)]
pub struct Stopping {
    source: Arc<StopSource>,
}

/// Says that a driver lives, as long as it does.
#[derive(Debug)]
pub(super) struct Heartbeat(JoinHandle<()>);

impl Stopping {
    /// Begins to hear the signals of the system. The first asks to stop; at a
    /// second one from the keyboard `at_once` ends the process, and everything
    /// it started dies with it. Call it inside a runtime.
    pub fn hear_signals(&self, at_once: fn() -> !) -> io::Result<()> {
        let raised = Arc::clone(&self.source);
        let mut keyboard = heard(SignalKind::interrupt())?;
        let mut terminate = heard(SignalKind::terminate())?;
        let mut hang_up = heard(SignalKind::hangup())?;
        tokio::spawn(async move {
            let mut pressed = 0;
            loop {
                tokio::select! {
                    () = next(&mut keyboard) => {
                        pressed += 1;
                        if pressed > 1 {
                            at_once();
                        }
                        raised.raise(Stop::Keyboard);
                    }
                    () = next(&mut terminate) => raised.raise(Stop::Request),
                    () = next(&mut hang_up) => raised.raise(Stop::Request),
                }
            }
        });
        Ok(())
    }

    /// Says when somebody asked.
    pub fn token(&self) -> StopToken {
        self.source.token()
    }

    /// From here on also hears who asks at the desk, and the loss of the run
    /// to somebody else.
    pub(super) fn follow<D: Desk + Clone + 'static>(&self, desk: &D, lease: &Lease) -> Heartbeat {
        let (raised, desk, lease) = (Arc::clone(&self.source), desk.clone(), lease.clone());
        Heartbeat(tokio::spawn(async move {
            let mut beat = tokio::time::interval(HEARTBEAT);
            loop {
                beat.tick().await;
                match desk.renew(&lease).await {
                    Ok(Renewed::GoOn) => {}
                    // What is full or does not answer is waited for; nobody asked for anything.
                    Err(Lost::Full(_) | Lost::Unreachable(_)) => {}
                    Ok(Renewed::StopAsked) | Err(Lost::Fenced | Lost::Journal(_)) => raised.raise(Stop::Request),
                }
            }
        }))
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A signal, unless whoever started this process had it ignored: a run under
/// `nohup` outlives its terminal.
fn heard(kind: SignalKind) -> io::Result<Option<Signal>> {
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
