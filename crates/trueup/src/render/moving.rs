//! The line that moves on a terminal: what goes on, for how long, at what cost,
//! and below it the agent's last words.

use super::{activity::AgentNow, cost, words};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_core::{
    budget::{Budget, Spend},
    criterion::Check,
    evidence::Evidence,
    id::{CheckId, Timestamp},
    run::Run,
    usage::Usage,
};
use trueup_engine::agent::{Happening, fact::Fact};

/// How many cells a bar has.
const CELLS: usize = 10;

/// What goes on now. Nothing of it is a fact.
#[derive(Default)]
pub(crate) enum Moving {
    /// Nothing that anybody waits for.
    #[default]
    Nothing,
    /// A turn of the agent.
    Turn(Box<TurnNow>),
    /// Checks on a tree.
    Checks(ChecksNow),
    /// The world is waited for, until this moment.
    Wait(Timestamp),
}

/// A turn while it lasts.
pub(crate) struct TurnNow {
    name: String,
    begun: Instant,
    limit_ms: u64,
    spent: Spend,
    budget: Budget,
    used: Usage,
    changed: BTreeSet<String>,
    said: String,
    /// What the agent is at.
    pub(crate) agent: AgentNow,
}

/// Checks while they run.
pub(crate) struct ChecksNow {
    name: &'static str,
    begun: Instant,
    count: usize,
    green: usize,
    red: usize,
    running: Vec<(CheckId, String, Instant)>,
}

/// What a turn begins with, as far as it is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnBegins {
    limit_ms: u64,
    spent: Spend,
    budget: Budget,
}

impl TurnBegins {
    /// The next turn of a run.
    pub(crate) fn of(run: &Run) -> Self {
        let (spent, budget) = (*run.spend(), *run.budget());
        Self {
            limit_ms: budget.turn_limit_ms(&spent, run.opening().patience.turn_ms),
            spent,
            budget,
        }
    }
}

impl TurnNow {
    /// A turn of this name begins.
    pub(crate) fn begin(name: String, begins: &TurnBegins) -> Self {
        let TurnBegins {
            limit_ms,
            spent,
            budget,
        } = begins.clone();
        Self {
            name,
            begun: Instant::now(),
            limit_ms,
            spent,
            budget,
            used: Usage::default(),
            changed: BTreeSet::new(),
            said: String::new(),
            agent: AgentNow::begin(),
        }
    }

    /// Something was heard of the agent. What it prints are its words where
    /// nobody understands it better.
    pub(crate) fn hear(&mut self, bytes: &[u8]) {
        self.agent.hear();
        let text = String::from_utf8_lossy(bytes);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        if let Some(last) = last.filter(|last| !self.agent.is_understood() && !last.starts_with('{')) {
            self.say(last);
        }
    }

    /// Takes in what the agent does.
    pub(crate) fn take(&mut self, happening: Happening<'_>) {
        match happening {
            Happening::Did(fact) => self.note(fact),
            Happening::Activity { activity, for_ms } => self.agent.turn_to(activity, for_ms),
            Happening::Printed(_) | Happening::Idle { .. } => {}
        }
    }

    fn note(&mut self, fact: &Fact) {
        self.agent.note(fact);
        match fact {
            Fact::Spoke(said) => self.say(said),
            Fact::Changed(paths) => self.changed.extend(paths.iter().cloned()),
            Fact::Used(used) => self.used = *used,
            Fact::Began(_)
            | Fact::Asked
            | Fact::Streamed
            | Fact::ToolBegan { .. }
            | Fact::ToolEnded { .. }
            | Fact::Denied { .. }
            | Fact::Retries { .. }
            | Fact::Unknown => {}
        }
    }

    /// Keeps what the agent said, without the marks that speak to trueup.
    fn say(&mut self, said: &str) {
        let said = one_line(said.split("<phase_").next().unwrap_or_default());
        if !said.is_empty() {
            self.said = said;
        }
    }

    fn words(&self) -> String {
        let lasted = clock(self.begun.elapsed());
        let limit = clock(Duration::from_millis(self.limit_ms));
        let files = match self.changed.len() {
            0 => None,
            files => Some(words::count(files, "file")),
        };
        let cost = cost::so_far(&self.spent, &self.used, &self.budget);
        let told = [Some(format!("{lasted} of {limit}")), cost, files, self.agent.words()];
        told.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

impl ChecksNow {
    /// So many checks begin.
    pub(crate) fn begin(name: &'static str, count: usize) -> Self {
        Self {
            name,
            begun: Instant::now(),
            count,
            green: 0,
            red: 0,
            running: Vec::new(),
        }
    }

    /// The program of a check begins to run.
    pub(crate) fn run(&mut self, check: &Check) {
        let source = one_line(&check.source);
        self.running.push((check.id.clone(), source, Instant::now()));
    }

    /// A check was seen.
    pub(crate) fn see(&mut self, evidence: &Evidence) {
        self.running.retain(|(running, ..)| *running != evidence.check);
        match evidence.passed() {
            true => self.green += 1,
            false => self.red += 1,
        }
    }

    fn words(&self) -> String {
        let done = (self.green + self.red).min(self.count);
        let bar = (self.count > 1).then(|| {
            let full = done * CELLS / self.count.max(1);
            format!(
                "{}{} {done} of {}",
                "█".repeat(full),
                "░".repeat(CELLS - full),
                self.count
            )
        });
        let red = (self.red > 0).then(|| format!("{} red", self.red));
        let running = self
            .running
            .first()
            .map(|(check, source, since)| format!("{check} for {}, {source}", whole_seconds(since.elapsed())));
        // What does not tell how far it is tells at least how long it lasts.
        let lasts = (running.is_none() && done == 0).then(|| clock(self.begun.elapsed()));
        let told = [bar, red, running, lasts];
        told.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

impl Moving {
    /// The line, on so many columns.
    pub(crate) fn line(&self, columns: usize) -> String {
        let (name, told) = match self {
            Self::Nothing => return String::new(),
            Self::Turn(turn) => (turn.name.as_str(), turn.words()),
            Self::Checks(checks) => (checks.name, checks.words()),
            Self::Wait(until) => ("waiting", left_words(*until)),
        };
        cut(&format!("{name:<11} {told}"), columns)
    }

    /// All that the agent said last, if it said anything.
    pub(crate) fn last_words(&self) -> Option<String> {
        match self {
            Self::Turn(turn) => (!turn.said.is_empty()).then(|| turn.said.clone()),
            Self::Checks(_) | Self::Wait(_) | Self::Nothing => None,
        }
    }

    /// What the agent said last, for a line of its own.
    pub(crate) fn said(&self, columns: usize) -> Option<String> {
        match self {
            Self::Turn(turn) if !turn.said.is_empty() => Some(cut(&format!("“{}”", turn.said), columns)),
            Self::Turn(_) | Self::Checks(_) | Self::Wait(_) | Self::Nothing => None,
        }
    }
}

/// Words of somebody else, on one line.
pub(super) fn one_line(text: &str) -> String {
    words::harmless(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A text of at most so many letters; `…` stands for what is left out.
pub(super) fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters.saturating_sub(1)) {
        Some((end, _)) if text.chars().nth(letters).is_some() => {
            format!("{}…", text.get(..end).unwrap_or_default().trim_end())
        }
        Some(_) | None => text.to_owned(),
    }
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A time that grows while one looks: tenths would only flicker.
pub(super) fn whole_seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds => words::took(seconds.saturating_mul(1000)),
    }
}

fn left_words(until: Timestamp) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    match u64::try_from(until.0.saturating_sub(now)).unwrap_or(0) {
        0 => "goes on now".into(),
        left => format!("goes on by itself in {}", whole_seconds(Duration::from_millis(left))),
    }
}

#[cfg(test)]
mod tests {
    use super::{ChecksNow, Moving, TurnBegins, TurnNow, cut};
    use trueup_core::{
        budget::{Budget, Spend},
        usage::Usage,
    };
    use trueup_engine::agent::{Happening, fact::Fact};

    fn turn() -> TurnNow {
        let budget = Budget {
            millicents: Some(200_000),
            ..Budget::default()
        };
        let spent = Spend {
            millicents: 9_000,
            ..Spend::default()
        };
        let begins = TurnBegins {
            limit_ms: 600_000,
            spent,
            budget,
        };
        TurnNow::begin("turn 2/8".into(), &begins)
    }

    #[test]
    fn a_turn_tells_its_time_its_limit_its_cost_its_files_and_the_last_words() {
        let mut turn = turn();
        let used = Usage {
            millicents: Some(2_000),
            ..Usage::default()
        };
        let facts = [
            Fact::Used(used),
            Fact::Changed(vec!["cart.py".into(), "cart.py".into()]),
            Fact::Spoke("A test\n was \u{1b}[2Jasked for.".into()),
        ];
        for fact in &facts {
            turn.take(Happening::Did(fact));
        }
        let moving = Moving::Turn(Box::new(turn));
        let line = moving.line(80);
        assert!(
            line.starts_with("turn 2/8    0:00 of 10:00 · $0.11 of $2.00 · 1 file"),
            "{line}"
        );
        assert_eq!(moving.said(80).as_deref(), Some("“A test was \\u{1b}[2Jasked for.”"));
        assert_eq!(moving.said(10).as_deref(), Some("“A test w…"));
    }

    #[test]
    fn checks_tell_how_far_they_are() {
        let mut checks = ChecksNow::begin("checks", 4);
        (checks.green, checks.red) = (1, 1);
        assert_eq!(Moving::Checks(checks).line(80), "checks      █████░░░░░ 2 of 4 · 1 red");
        assert_eq!(
            Moving::Checks(ChecksNow::begin("controls", 1)).line(80),
            "controls    0:00"
        );
    }

    #[test]
    fn a_line_is_never_longer_than_the_terminal() {
        assert_eq!(cut("one two", 7), "one two");
        assert_eq!(cut("one two three", 7), "one tw…");
        assert_eq!(cut("one two three", 5), "one…");
    }
}
