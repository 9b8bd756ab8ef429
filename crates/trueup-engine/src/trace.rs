//! What is told of effects, children and waits while they last, for whoever
//! looks for a fault.
//!
//! These are spans and events of the `tracing` crate. Without a subscriber each
//! of them costs one load. The targets are names that `TRUEUP_LOG` can filter
//! by, so they are ours and not the paths of modules, which move. Nothing told
//! here is an environment, a prompt, an input or an output, and command lines
//! pass through the sandbox's secrets before they are told.

use crate::redact::Secrets;
use std::{ffi::OsStr, fmt, os::unix::process::ExitStatusExt, process::ExitStatus, time::Instant};
use tokio::task::JoinHandle;
use tracing::{
    Instrument, Span, debug, debug_span,
    field::{self, Empty},
    info, info_span, trace,
};
use trueup_core::{effect::Effect, event::Event, id::RunId};

/// Effects: what a run wished, and which event came of it.
const EFFECT: &str = "trueup::effect";
/// Programs behind the wall: agents, checks, preparations.
const SANDBOX: &str = "trueup::sandbox";
/// Children of our own: git, and parts of this program that need a process of their own.
const CHILD: &str = "trueup::child";

/// What is asked of the desk.
const DESK: &str = "trueup::desk";
/// What a driver waits for by itself.
const WAIT: &str = "trueup::wait";

/// Something is asked of the desk about a run.
pub(crate) fn asks_desk(call: &str, run: &RunId) {
    debug!(target: DESK, call, %run, "asked");
}

/// A driver waits, and goes on by itself.
pub(crate) fn waits(what: &str) {
    info!(target: WAIT, what, "waits");
}

/// Performs an effect inside its span, which begins when it does.
pub(crate) fn effect(
    run: &RunId,
    effect: &Effect,
    perform: impl Future<Output = Event>,
) -> impl Future<Output = Event> {
    // A future inside a future is laid out twice; this one is large.
    let perform = Box::pin(perform);
    let (id, kind) = (&effect.id, effect.wish.kind());
    async move {
        let span = info_span!(target: EFFECT, "effect", %run, %id, %kind, event = Empty);
        let began = Instant::now();
        span.in_scope(|| info!(target: EFFECT, "started"));
        let event = perform.instrument(span.clone()).await;
        span.record("event", field::display(event.kind()));
        span.in_scope(|| info!(target: EFFECT, took_ms = took_ms(began), "ended"));
        event
    }
}

/// One child process from its start to its end, which is told when this is
/// dropped: a child that nobody waits for any more has ended for us as well.
#[derive(Debug)]
pub(crate) struct Child {
    span: Span,
    side: Side,
    began: Instant,
}

/// On which side of the wall a child runs.
#[derive(Clone, Copy, Debug)]
enum Side {
    Inside,
    Outside,
}

impl Child {
    /// A child of our own; its first argument says what it is to do.
    pub(crate) fn outside<S: AsRef<OsStr>>(program: &'static str, arguments: &[S]) -> Self {
        let verb = verb(arguments);
        let span =
            debug_span!(target: CHILD, "child", program = %program, verb = verb.map(field::display), exit = Empty);
        trace!(target: CHILD, parent: &span, "started");
        Self::begun(span, Side::Outside)
    }

    /// A program behind the wall, and what it is run for.
    pub(crate) fn inside(kind: &'static str, argv: &[String], secrets: &Secrets) -> Self {
        let name = CommandLine(argv.get(..1).unwrap_or_default(), secrets);
        let span = info_span!(target: SANDBOX, "sandbox", %kind, program = %name, exit = Empty);
        span.in_scope(|| debug!(target: SANDBOX, argv = %CommandLine(argv, secrets), "command line"));
        Self::begun(span, Side::Inside)
    }

    /// The program behind the wall of the span we are in was spawned.
    pub(crate) fn spawned(pid: Option<u32>) {
        info!(target: SANDBOX, pid, "started");
    }

    fn begun(span: Span, side: Side) -> Self {
        Self {
            span,
            side,
            began: Instant::now(),
        }
    }

    /// Its span, for what is awaited inside it.
    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    /// It ended with this status; a signal is told as shells tell it.
    pub(crate) fn exited(self, status: ExitStatus) {
        let code = status.code().or_else(|| Some(128 + status.signal()?));
        self.span.record("exit", code);
    }

    /// It ended in a way that these words tell.
    pub(crate) fn ended(self, how: impl fmt::Display) {
        self.span.record("exit", field::display(how));
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let took_ms = took_ms(self.began);
        self.span.in_scope(|| match self.side {
            Side::Inside => info!(target: SANDBOX, took_ms, "ended"),
            Side::Outside => debug!(target: CHILD, took_ms, "ended"),
        });
    }
}

/// Does work that blocks on a thread made for that, inside the span we are in.
pub(crate) fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    let span = Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work))
}

/// The words of a command line, quoted where that is needed, without secrets.
struct CommandLine<'a>(&'a [String], &'a Secrets);

impl fmt::Display for CommandLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            let word = self.1.redact_text(word);
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:@%+,".contains(letter);
            match !word.is_empty() && word.chars().all(plain) {
                true => write!(f, "{space}{word}")?,
                false => write!(f, "{space}{word:?}")?,
            }
        }
        Ok(())
    }
}

/// What a git is to do; `-c key=value` comes before it.
fn verb<S: AsRef<OsStr>>(arguments: &[S]) -> Option<std::ffi::os_str::Display<'_>> {
    let mut words = arguments.iter().map(AsRef::as_ref);
    let mut word = words.next()?;
    while word == "-c" {
        word = words.nth(1)?;
    }
    Some(word.display())
}

fn took_ms(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}
