//! A run while it runs: one line per event, and on a terminal a last line
//! that moves.

use super::{document, event_line, note, words};
use crate::args::{Global, ShowProgress};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    cell::RefCell,
    io::{IsTerminal, stderr},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use trueup_core::{event::Event, run::Run};
use trueup_engine::{check::Seen, world::Live};

/// How often the moving line moves.
const TICK: Duration = Duration::from_millis(120);

/// Shows a run while it runs.
pub(crate) struct Progress {
    manner: Manner,
    /// What the moving line says, and since when the agent is silent.
    spoke: Arc<Mutex<Option<Instant>>>,
    doing: RefCell<Doing>,
    seq: RefCell<usize>,
    turn_limit: u32,
}

enum Manner {
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
        let progress = Self::of_checks(global, seq, run.turn_limit());
        let opened = Event::Opened(Box::new(run.opening().clone()));
        match progress.manner {
            // A stream that begins with the run begins with its first event.
            Manner::Json if seq == 1 => super::line(&document::event(0, &opened).to_string()),
            Manner::Json | Manner::Silent => {}
            Manner::Live(_) | Manner::Lines => progress.show(&event_line(run, &opened)),
        }
        progress
    }

    /// Begins to show checks that belong to no run.
    pub(crate) fn looking(global: &Global) -> Self {
        Self::of_checks(global, 0, 0)
    }

    fn of_checks(global: &Global, seq: usize, turn_limit: u32) -> Self {
        let spoke = Arc::new(Mutex::new(None));
        let live = global.progress == ShowProgress::Auto && stderr().is_terminal();
        let manner = match (global.json, global.progress) {
            (true, _) => Manner::Json,
            (false, ShowProgress::None) => Manner::Silent,
            (false, ShowProgress::Auto | ShowProgress::Lines) if live => Manner::Live(bar(&spoke)),
            (false, ShowProgress::Auto | ShowProgress::Lines) => Manner::Lines,
        };
        Self {
            manner,
            spoke,
            doing: RefCell::default(),
            seq: RefCell::new(seq),
            turn_limit,
        }
    }

    /// Shows a kept event.
    pub(crate) fn event(&self, run: &Run, event: &Event) {
        let seq = *self.seq.borrow();
        self.seq.replace(seq + 1);
        if let Manner::Json = self.manner {
            super::line(&document::event(seq, event).to_string());
        } else {
            self.show(&event_line(run, event));
        }
        self.doing.replace(Doing::default());
        self.restate();
    }

    /// Shows what happens while it happens; none of it is a fact.
    pub(crate) fn live(&self, happening: Live<'_>) {
        match happening {
            Live::TurnBegins(turn) => {
                self.set_spoke(Some(Instant::now()));
                self.doing.replace(Doing {
                    what: format!("turn {turn}/{}", self.turn_limit),
                    seen: Vec::new(),
                });
            }
            Live::Spoke(_) => self.set_spoke(Some(Instant::now())),
            Live::Agent(_) => {}
            Live::ChecksBegin(_) => {
                self.set_spoke(None);
                self.doing.replace(Doing {
                    what: "checks".into(),
                    seen: Vec::new(),
                });
            }
            Live::Seen(Seen::Prepares(name)) => self.show(&words::prepares(name)),
            Live::Seen(Seen::Saw(check, saw)) => {
                let seen = format!("{check} {}", words::colour(saw));
                self.doing.borrow_mut().seen.push(seen);
            }
        }
        self.restate();
    }

    /// Takes the moving line away.
    pub(crate) fn finish(&self) {
        if let Manner::Live(bar) = &self.manner {
            bar.finish_and_clear();
        }
    }

    fn show(&self, text: &str) {
        match &self.manner {
            Manner::Live(bar) => bar.suspend(|| note(text)),
            Manner::Lines => note(text),
            Manner::Json | Manner::Silent => {}
        }
    }

    fn restate(&self) {
        if let Manner::Live(bar) = &self.manner {
            let doing = self.doing.borrow();
            bar.set_message(
                format!("{:<11} {}", doing.what, doing.seen.join(" · "))
                    .trim_end()
                    .to_owned(),
            );
        }
    }

    fn set_spoke(&self, when: Option<Instant>) {
        if let Ok(mut spoke) = self.spoke.lock() {
            *spoke = when;
        }
    }
}

fn bar(spoke: &Arc<Mutex<Option<Instant>>>) -> ProgressBar {
    let spoke = Arc::clone(spoke);
    let silence = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
        let since = spoke.lock().ok().and_then(|spoke| *spoke);
        if let Some(since) = since {
            let drawn = write!(out, "agent last spoke {}s ago", since.elapsed().as_secs());
            // The line is drawn again in a moment; there is nobody to tell of a failed write.
            drawn.unwrap_or_default();
        }
    };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg} {silence:.dim}") {
        bar.set_style(style.with_key("silence", silence));
    }
    bar.enable_steady_tick(TICK);
    bar
}
