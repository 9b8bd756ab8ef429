//! A run while it runs: one line per event, and on a terminal a last line
//! that moves.

use super::{
    checks_now::ChecksNow,
    document, event_line,
    moving::{Moving, TurnBegins, TurnNow},
    note,
    turn::{self, Watched},
    width, words,
};
use crate::args::{Global, ShowProgress};
use anstream::{AutoStream, ColorChoice};
use indicatif::{ProgressBar, ProgressState, ProgressStyle, WeakProgressBar};
use serde_json::{Value, json as object};
use std::{
    fmt::Write,
    io::{IsTerminal, stderr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};
use trueup_core::{
    event::Event,
    evidence::Evidence,
    id::TreeId,
    patience::Patience,
    run::{Position, Reason, Run},
};
use trueup_engine::{
    agent::{Happening, fact::Fact},
    check::{CheckProgress, ControlProgress},
    local::LiveUpdate,
    workspace::Change,
};

/// How often the moving line moves.
const TICK: Duration = Duration::from_millis(120);

/// Shows a run while it runs.
pub(crate) struct Progress {
    manner: LineStyle,
    /// What the moving line says, which another thread draws.
    now: Arc<Mutex<Moving>>,
    seq: AtomicUsize,
    turn: AtomicU32,
    turn_limit: AtomicU32,
    patience: Patience,
    /// The tree on which goals have to be red, if there is one.
    base: Option<TreeId>,
    /// What the next turn begins with.
    begins: Mutex<TurnBegins>,
    is_on_base: AtomicBool,
}

enum LineStyle {
    Live(ProgressBar),
    Plain,
    Lines,
    Json,
    Silent,
}

impl Progress {
    /// Begins to show a run with its opening line; `seq` events were kept before.
    pub(crate) fn new(global: &Global, run: &Run, seq: usize) -> Self {
        let mut progress = Self::looking(global);
        progress.seq = seq.into();
        progress.turn_limit = run.turn_limit().into();
        progress.patience = run.opening().patience;
        progress.base = Some(run.opening().base.tree.clone());
        progress.begins = Mutex::new(TurnBegins::of(run));
        let opened = Event::Opened(Box::new(run.opening().clone()));
        match progress.manner {
            // A stream that begins with the run begins with its first event.
            LineStyle::Json if seq == 1 => super::as_it_is(&document::event(0, &opened).to_string()),
            LineStyle::Json | LineStyle::Silent => {}
            LineStyle::Live(_) | LineStyle::Plain | LineStyle::Lines => progress.show(&event_line(run, &opened)),
        }
        progress
    }

    /// Begins to show checks that belong to no run.
    pub(crate) fn looking(global: &Global) -> Self {
        let now = Arc::new(Mutex::new(Moving::default()));
        let live = global.progress == ShowProgress::Auto && !global.plain && stderr().is_terminal();
        let manner = match (global.json, global.progress) {
            (true, _) => LineStyle::Json,
            (false, ShowProgress::None) => LineStyle::Silent,
            (false, ShowProgress::Auto | ShowProgress::Lines) if live => LineStyle::Live(bar(&now)),
            (false, ShowProgress::Auto | ShowProgress::Lines) if global.plain => LineStyle::Plain,
            (false, ShowProgress::Auto | ShowProgress::Lines) => LineStyle::Lines,
        };
        Self {
            manner,
            now,
            seq: AtomicUsize::default(),
            turn: AtomicU32::default(),
            turn_limit: AtomicU32::default(),
            patience: Patience::default(),
            base: None,
            begins: Mutex::default(),
            is_on_base: AtomicBool::new(false),
        }
    }

    /// Whether a person looks on, for whom more is looked up than a log needs.
    pub(crate) const fn is_watched(&self) -> bool {
        matches!(self.manner, LineStyle::Live(_) | LineStyle::Plain)
    }

    /// Shows a kept event; of a turn, with what it changed.
    pub(crate) fn event(&self, run: &Run, event: &Event, changed: Vec<Change>) {
        let seq = self.seq.fetch_add(1, Ordering::Relaxed);
        if let LineStyle::Json = self.manner {
            super::as_it_is(&document::event(seq, event).to_string());
        } else {
            self.show(&match event.as_turn_ended() {
                Some(ended) => {
                    let said = self.with(|now| now.last_words()).flatten();
                    turn::line(run, ended, &Watched { changed, said })
                }
                None => event_line(run, event),
            });
        }
        // A person may raise it while the run goes on.
        self.turn_limit.store(run.turn_limit(), Ordering::Relaxed);
        if let Ok(mut begins) = self.begins.lock() {
            *begins = TurnBegins::of(run);
        }
        self.set(match run.position() {
            Position::Paused(_, Reason::External { until, .. }) => Moving::Wait(*until),
            Position::Working(_) | Position::Paused(..) | Position::Done(_) => Moving::Nothing,
        });
    }

    /// Shows what happens while it happens; none of it is a fact. A check that
    /// is red is told at once, with what `why` finds in what it printed.
    pub(crate) fn live(&self, happening: LiveUpdate<'_>, why: &dyn Fn(&Evidence) -> Option<String>) {
        match happening {
            LiveUpdate::TurnBegins(turn) => {
                self.turn.store(turn, Ordering::Relaxed);
                let begins = self.begins.lock().map(|begins| begins.clone()).unwrap_or_default();
                let name = self.name_of(turn);
                if let Some(why) = &begins.why {
                    self.tell("ladder", why);
                }
                self.set(Moving::Turn(Box::new(TurnNow::begin(name, &begins))));
            }
            LiveUpdate::Spoke(bytes) => self.in_turn(|turn| turn.hear(bytes)).unwrap_or_default(),
            LiveUpdate::Agent(happening) => self.agent(happening),
            LiveUpdate::ChecksBegin { tree, count, caches } => {
                let is_on_base = self.base.as_ref().is_none_or(|base| base == tree);
                self.is_on_base.store(is_on_base, Ordering::Relaxed);
                self.set(Moving::Checks(ChecksNow::checks(count, caches)));
            }
            LiveUpdate::Control(happening) => self.control(happening),
            LiveUpdate::Check(CheckProgress::Prepares(name)) => self.prepares(name),
            LiveUpdate::Check(CheckProgress::Begins(check)) => {
                self.in_checks(|checks| checks.run(check)).unwrap_or_default();
            }
            LiveUpdate::Check(CheckProgress::Saw(evidence)) => {
                self.in_checks(|checks| checks.see(evidence)).unwrap_or_default();
                // On the base a goal is red because the work is not done, which everybody knows.
                if !evidence.passed() && !self.is_on_base.load(Ordering::Relaxed) {
                    self.show(&words::red(evidence, why(evidence).as_deref()));
                }
            }
        }
    }

    /// Shows what checks are tried with on sabotaged trees.
    fn control(&self, happening: ControlProgress<'_>) {
        let is_begun = self.in_checks(|checks| checks.is_of_controls()) == Some(true);
        if !is_begun {
            self.set(Moving::Checks(ChecksNow::controls()));
        }
        match happening {
            ControlProgress::Prepares(name) => self.prepares(name),
            ControlProgress::Begin(count) => self.in_checks(|checks| checks.expect(count)).unwrap_or_default(),
            ControlProgress::Tries(check, probe) => {
                self.in_checks(|checks| checks.attempt(check, probe))
                    .unwrap_or_default();
            }
            ControlProgress::Tried(check, probe) => {
                self.in_checks(|checks| checks.attempted(check, probe))
                    .unwrap_or_default();
            }
            ControlProgress::Done => self.in_checks(ChecksNow::done).unwrap_or_default(),
        }
    }

    /// Says what is prepared, and goes on saying it where a line moves.
    fn prepares(&self, name: &str) {
        self.in_checks(|checks| checks.prepare(name)).unwrap_or_default();
        self.show(&words::prepares(name));
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
            LineStyle::Plain | LineStyle::Lines => note(text),
            LineStyle::Json | LineStyle::Silent => {}
        }
    }

    /// Shows what an agent does, as far as its adapter understands it.
    fn agent(&self, happening: Happening<'_>) {
        self.in_turn(|turn| turn.take(happening)).unwrap_or_default();
        match happening {
            Happening::Did(Fact::Denied { what }) => {
                self.tell("denied", &format!("was denied: {}", words::harmless(what)));
            }
            Happening::Did(Fact::Retries { why, .. }) => {
                self.tell("retries", &format!("tries again: {}", words::harmless(why)));
            }
            Happening::Activity { for_ms, .. } => self.beat(for_ms),
            Happening::Idle { for_ms } => {
                let told = self.in_turn(|turn| turn.agent.silence(for_ms, &self.patience));
                self.tell("idle", &told.unwrap_or_default());
            }
            Happening::Printed(_) | Happening::Did(_) => {}
        }
    }

    /// Says what the agent is at: to programs whenever that changes, and to
    /// people without a moving line when it has lasted.
    fn beat(&self, for_ms: u64) {
        match &self.manner {
            LineStyle::Json => {
                let mut said = self.in_turn(|turn| turn.agent.document()).unwrap_or_default();
                if let Value::Object(said) = &mut said {
                    said.insert("for_ms".into(), for_ms.into());
                }
                self.line(said);
            }
            LineStyle::Plain | LineStyle::Lines if for_ms > 0 => {
                let doing = self.in_turn(|turn| turn.agent.doing()).unwrap_or_default();
                note(&self.happens(&format!("{doing} for {}", words::took(for_ms))));
            }
            LineStyle::Plain | LineStyle::Lines | LineStyle::Live(_) | LineStyle::Silent => {}
        }
    }

    /// Tells something that people and programs should know at once.
    fn tell(&self, key: &str, text: &str) {
        match &self.manner {
            LineStyle::Json => self.line(object!({ key: text })),
            LineStyle::Plain | LineStyle::Lines | LineStyle::Live(_) | LineStyle::Silent => {
                self.show(&self.happens(text))
            }
        }
    }

    fn happens(&self, text: &str) -> String {
        words::happens(&self.name_of(self.turn.load(Ordering::Relaxed)), text)
    }

    fn name_of(&self, turn: u32) -> String {
        format!("turn {turn}/{}", self.turn_limit.load(Ordering::Relaxed))
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
        super::as_it_is(&said.to_string());
    }

    fn set(&self, fresh: Moving) {
        self.with(|now| *now = fresh).unwrap_or_default();
        if let LineStyle::Live(bar) = &self.manner {
            bar.tick();
        }
    }

    fn in_turn<T>(&self, work: impl FnOnce(&mut TurnNow) -> T) -> Option<T> {
        self.with(|now| match now {
            Moving::Turn(turn) => Some(work(turn)),
            Moving::Checks(_) | Moving::Wait(_) | Moving::Nothing => None,
        })?
    }

    fn in_checks<T>(&self, work: impl FnOnce(&mut ChecksNow) -> T) -> Option<T> {
        self.with(|now| match now {
            Moving::Checks(checks) => Some(work(checks)),
            Moving::Turn(_) | Moving::Wait(_) | Moving::Nothing => None,
        })?
    }

    /// Does something with what goes on now; nothing where the thread that
    /// draws has failed, for there is nobody left to show it to.
    fn with<T>(&self, work: impl FnOnce(&mut Moving) -> T) -> Option<T> {
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

/// What stands before the moving line and before the words below it.
const INDENT: usize = 4;

fn bar(now: &Arc<Mutex<Moving>>) -> ProgressBar {
    let columns = || width::width_beside().unwrap_or(80).saturating_sub(INDENT + 1);
    let (above, below) = (Arc::clone(now), Arc::clone(now));
    // The line is drawn again in a moment; there is nobody to tell of a failed write.
    let line = move |_: &ProgressState, out: &mut dyn Write| {
        let line = above.lock().map(|now| now.line(columns())).unwrap_or_default();
        out.write_str(&line).unwrap_or_default();
    };
    let said = move |_: &ProgressState, out: &mut dyn Write| {
        let said = below.lock().ok().and_then(|now| now.said(columns()));
        let said = said.map(|said| format!("\n{}{said}", " ".repeat(INDENT)));
        out.write_str(&said.unwrap_or_default()).unwrap_or_default();
    };
    let bar = ProgressBar::new_spinner();
    let is_coloured = AutoStream::choice(&stderr()) != ColorChoice::Never;
    let template = match is_coloured {
        true => "  {spinner} {line}{said:.dim}",
        false => "  {spinner} {line}{said}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("line", line).with_key("said", said));
    }
    bar.enable_steady_tick(TICK);
    if let Ok(mut moving) = MOVING.lock() {
        *moving = Some(bar.downgrade());
    }
    bar
}
