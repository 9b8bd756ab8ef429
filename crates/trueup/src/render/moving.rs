//! The line that moves on a terminal: what goes on, for how long, at what cost,
//! and below it the agent's last words.

use super::{
    activity::AgentNow,
    checks_now::ChecksNow,
    cost,
    fit::{clock, cut, one_line, whole_seconds},
    words,
};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use trueup_core::{
    budget::{Budget, Spend},
    id::Timestamp,
    run::Run,
    usage::Usage,
};
use trueup_engine::agent::{Happening, fact::Fact};

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

/// What a turn begins with, as far as it is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnBegins {
    limit_ms: u64,
    spent: Spend,
    budget: Budget,
    /// Why it is not just one more try, where it is not.
    pub(super) why: Option<String>,
}

impl TurnBegins {
    /// The next turn of a run.
    pub(crate) fn of(run: &Run) -> Self {
        let (spent, budget) = (*run.spend(), *run.budget());
        Self {
            limit_ms: budget.turn_limit_ms(&spent, run.opening().patience.turn_ms),
            spent,
            budget,
            why: words::rung(run),
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
            why: _,
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

impl Moving {
    /// The line, on so many columns.
    pub(crate) fn line(&self, columns: usize) -> String {
        let (name, told) = match self {
            Self::Nothing => return String::new(),
            Self::Turn(turn) => (turn.name.as_str(), turn.words()),
            Self::Checks(checks) => (checks.name(), checks.words()),
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
    use super::{Moving, TurnBegins, TurnNow};
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
            why: None,
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
}
