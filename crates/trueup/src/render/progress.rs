//! A run while it runs: one line per event, and on a terminal a last line
//! that moves.

use super::{activity::Now, document, event_line, note, words};
use crate::args::{Global, ShowProgress};
use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};
use serde_json::{Value, json as object};
use std::{
    io::{IsTerminal, stderr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};
use trueup_core::{
    event::Event,
    patience::Patience,
    run::{Position, Reason, Run},
};
use trueup_engine::{
    agent::{Happening, fact::Fact},
    check::CheckProgress,
    local::LiveUpdate,
};

/// How often the moving line moves.
const TICK: Duration = Duration::from_millis(120);

/// Shows a run while it runs.
pub(crate) struct Progress {
    manner: LineStyle,
    /// What the end of the moving line says, which another thread draws.
    now: Arc<Mutex<Now>>,
    doing: Mutex<Doing>,
    seq: AtomicUsize,
    turn: AtomicU32,
    turn_limit: u32,
    patience: Patience,
}

enum LineStyle {
    Live(ProgressBar),
    Lines,
    Json,
    Silent,
}

#[derive(Default)]
struct Doing {
    what: String,
    seen: Vec<String>,
}

impl Progress {
    /// Begins to show a run with its opening line; `seq` events were kept before.
    pub(crate) fn new(global: &Global, run: &Run, seq: usize) -> Self {
        let mut progress = Self::looking(global);
        progress.seq = seq.into();
        progress.turn_limit = run.turn_limit();
        progress.patience = run.opening().patience;
        let opened = Event::Opened(Box::new(run.opening().clone()));
        match progress.manner {
            // A stream that begins with the run begins with its first event.
            LineStyle::Json if seq == 1 => super::line(&document::event(0, &opened).to_string()),
            LineStyle::Json | LineStyle::Silent => {}
            LineStyle::Live(_) | LineStyle::Lines => progress.show(&event_line(run, &opened)),
        }
        progress
    }

    /// Begins to show checks that belong to no run.
    pub(crate) fn looking(global: &Global) -> Self {
        let now = Arc::new(Mutex::new(Now::default()));
        let live = global.progress == ShowProgress::Auto && stderr().is_terminal();
        let manner = match (global.json, global.progress) {
            (true, _) => LineStyle::Json,
            (false, ShowProgress::None) => LineStyle::Silent,
            (false, ShowProgress::Auto | ShowProgress::Lines) if live => LineStyle::Live(bar(&now)),
            (false, ShowProgress::Auto | ShowProgress::Lines) => LineStyle::Lines,
        };
        Self {
            manner,
            now,
            doing: Mutex::default(),
            seq: AtomicUsize::default(),
            turn: AtomicU32::default(),
            turn_limit: 0,
            patience: Patience::default(),
        }
    }

    /// Shows a kept event.
    pub(crate) fn event(&self, run: &Run, event: &Event) {
        let seq = self.seq.fetch_add(1, Ordering::Relaxed);
        if let LineStyle::Json = self.manner {
            super::line(&document::event(seq, event).to_string());
        } else {
            self.show(&event_line(run, event));
        }
        let (what, now) = match run.position() {
            Position::Paused(_, Reason::External { until, .. }) => ("waiting", Now::wait(*until)),
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => ("", Now::default()),
        };
        *self.doing() = Doing {
            what: what.into(),
            seen: Vec::new(),
        };
        self.set(now);
        self.restate();
    }

    /// Shows what happens while it happens; none of it is a fact.
    pub(crate) fn live(&self, happening: LiveUpdate<'_>) {
        match happening {
            LiveUpdate::TurnBegins(turn) => {
                self.turn.store(turn, Ordering::Relaxed);
                self.set(Now::turn());
                *self.doing() = Doing {
                    what: format!("turn {turn}/{}", self.turn_limit),
                    seen: Vec::new(),
                };
            }
            LiveUpdate::Spoke(_) => self.with(Now::hear).unwrap_or_default(),
            LiveUpdate::Agent(happening) => self.agent(happening),
            LiveUpdate::ChecksBegin(_) => {
                self.set(Now::default());
                *self.doing() = Doing {
                    what: "checks".into(),
                    seen: Vec::new(),
                };
            }
            LiveUpdate::Check(CheckProgress::Prepares(name)) => self.show(&words::prepares(name)),
            LiveUpdate::Check(CheckProgress::Saw(check, saw)) => {
                let seen = format!("{check} {}", words::colour(saw));
                self.doing().seen.push(seen);
            }
        }
        self.restate();
    }

    /// Takes the moving line away.
    pub(crate) fn finish(&self) {
        if let LineStyle::Live(bar) = &self.manner {
            bar.finish_and_clear();
        }
    }

    fn show(&self, text: &str) {
        match &self.manner {
            LineStyle::Live(bar) => bar.suspend(|| note(text)),
            LineStyle::Lines => note(text),
            LineStyle::Json | LineStyle::Silent => {}
        }
    }

    fn restate(&self) {
        if let LineStyle::Live(bar) = &self.manner {
            let doing = self.doing();
            bar.set_message(format!("{:<11} {}", doing.what, doing.seen.join(" · ")));
        }
    }

    /// Shows what an agent does, as far as its adapter understands it.
    fn agent(&self, happening: Happening<'_>) {
        match happening {
            Happening::Printed(_) => {}
            Happening::Did(fact) => {
                self.with(|now| now.note(fact)).unwrap_or_default();
                match fact {
                    Fact::Denied { what } => self.tell("denied", &format!("was denied: {}", words::harmless(what))),
                    Fact::Retries { why, .. } => {
                        self.tell("retries", &format!("tries again: {}", words::harmless(why)));
                    }
                    Fact::Began(_)
                    | Fact::Asked
                    | Fact::Streamed
                    | Fact::Spoke(_)
                    | Fact::ToolBegan { .. }
                    | Fact::ToolEnded { .. }
                    | Fact::Changed(_)
                    | Fact::Used(_)
                    | Fact::Unknown => {}
                }
            }
            Happening::Activity { activity, for_ms } => {
                self.with(|now| now.turn_to(activity, for_ms)).unwrap_or_default();
                self.beat(for_ms);
            }
            Happening::Idle { for_ms } => {
                let told = self.with(|now| now.silence(for_ms, &self.patience));
                self.tell("idle", &told.unwrap_or_default());
            }
        }
    }

    /// Says what the agent is at: to programs whenever that changes, and to
    /// people without a moving line when it has lasted.
    fn beat(&self, for_ms: u64) {
        match &self.manner {
            LineStyle::Json => {
                let mut said = self.with(|now| now.document()).unwrap_or_default();
                if let Value::Object(said) = &mut said {
                    said.insert("for_ms".into(), for_ms.into());
                }
                self.line(said);
            }
            LineStyle::Lines if for_ms > 0 => {
                let doing = self.with(|now| now.doing()).unwrap_or_default();
                note(&self.happens(&format!("{doing} for {}", words::took(for_ms))));
            }
            LineStyle::Lines | LineStyle::Live(_) | LineStyle::Silent => {}
        }
    }

    /// Tells something that people and programs should know at once.
    fn tell(&self, key: &str, text: &str) {
        match &self.manner {
            LineStyle::Json => self.line(object!({ key: text })),
            LineStyle::Lines | LineStyle::Live(_) | LineStyle::Silent => self.show(&self.happens(text)),
        }
    }

    fn happens(&self, text: &str) -> String {
        words::happens(
            &format!("turn {}/{}", self.turn.load(Ordering::Relaxed), self.turn_limit),
            text,
        )
    }

    /// A line of what is no fact, as `log -f --json` prints it.
    fn line(&self, mut said: Value) {
        if let Value::Object(said) = &mut said {
            said.extend([
                ("v".to_owned(), 1.into()),
                ("type".to_owned(), "live".into()),
                ("turn".to_owned(), self.turn.load(Ordering::Relaxed).into()),
            ]);
        }
        super::line(&said.to_string());
    }

    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, fresh: Now) {
        self.with(|now| *now = fresh).unwrap_or_default();
    }

    /// Does something with what goes on now; nothing where the thread that
    /// draws has failed, for there is nobody left to show it to.
    fn with<T>(&self, work: impl FnOnce(&mut Now) -> T) -> Option<T> {
        self.now.lock().ok().map(|mut now| work(&mut now))
    }
}

/// The line that moves now, if one does.
static MOVING: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Writes to standard error without tearing the moving line apart.
pub(crate) fn beside<T>(write: impl FnOnce() -> T) -> T {
    let moving = MOVING.lock().ok().and_then(|moving| moving.as_ref()?.upgrade());
    match moving {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn bar(now: &Arc<Mutex<Now>>) -> ProgressBar {
    let now = Arc::clone(now);
    let silence = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
        let words = now.lock().map(|now| now.words()).unwrap_or_default();
        // The line is drawn again in a moment; there is nobody to tell of a failed write.
        out.write_str(&words).unwrap_or_default();
    };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg}{silence:.dim}") {
        bar.set_style(style.with_key("silence", silence));
    }
    bar.enable_steady_tick(TICK);
    if let Ok(mut moving) = MOVING.lock() {
        *moving = Some(bar.downgrade());
    }
    bar
}
