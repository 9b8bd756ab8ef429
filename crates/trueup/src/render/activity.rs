//! What an agent is at in this moment, as the moving line tells it.

use super::{
    fit::{cut, one_line, whole_seconds},
    words,
};
use serde_json::{Value, json as object};
use std::time::{Duration, Instant};
use trueup_core::patience::Patience;
use trueup_engine::agent::{Activity, fact::Fact};

/// How much of a command or a path is shown.
const SHOWN: usize = 60;

/// From how much silence on it is told beside what the agent is at.
const WORTH_TELLING: Duration = Duration::from_secs(10);

/// What the agent is at. Nothing of it is a fact.
pub(crate) struct AgentNow {
    /// When anything was heard of it last, if anything was.
    spoke: Option<Instant>,
    /// What it is at, and since when; nothing where its adapter cannot tell.
    activity: Option<(Activity, Instant)>,
    /// Uses of tools that began and did not end: which, and on what.
    tools: Vec<(String, String)>,
}

impl AgentNow {
    /// Nothing was heard of it yet.
    pub(crate) const fn begin() -> Self {
        Self {
            spoke: None,
            activity: None,
            tools: Vec::new(),
        }
    }

    /// Whether its adapter tells what it is at.
    pub(crate) const fn is_understood(&self) -> bool {
        self.activity.is_some()
    }

    /// Something was heard.
    pub(crate) fn hear(&mut self) {
        self.spoke = Some(Instant::now());
    }

    /// The agent did something.
    pub(crate) fn note(&mut self, fact: &Fact) {
        match fact {
            Fact::ToolBegan { id, name, about } => {
                let about = if about.trim().is_empty() { name } else { about };
                self.tools.push((id.clone(), cut(&one_line(about), SHOWN)));
            }
            Fact::ToolEnded { id, .. } => self.tools.retain(|(began, _)| began != id),
            Fact::Began(_)
            | Fact::Asked
            | Fact::Streamed
            | Fact::Spoke(_)
            | Fact::Changed(_)
            | Fact::Used(_)
            | Fact::Denied { .. }
            | Fact::Retries { .. }
            | Fact::Unknown => {}
        }
    }

    /// The agent turned to something, or has been at it for so long.
    pub(crate) fn turn_to(&mut self, activity: Activity, for_ms: u64) {
        let now = Instant::now();
        let since = now.checked_sub(Duration::from_millis(for_ms)).unwrap_or(now);
        self.activity = Some((activity, since));
    }

    /// What the agent is at, in words.
    pub(crate) fn doing(&self) -> String {
        match self.activity.map(|(activity, _)| activity).unwrap_or_default() {
            Activity::Idle => "starting".into(),
            Activity::WaitingModel => "waiting for the model".into(),
            Activity::Streaming => "the model answers".into(),
            Activity::RunningTool => match self.tools.last() {
                Some((_, about)) => format!("running `{about}`"),
                None => "running a tool".into(),
            },
            Activity::Processing => "working".into(),
        }
    }

    /// What a person is told after a long silence: for how long, and what it leads to.
    pub(crate) fn silence(&self, for_ms: u64, patience: &Patience) -> String {
        let heard = format!("nothing heard for {}", words::took(for_ms));
        let limit = match self.activity.map(|(activity, _)| activity).unwrap_or_default() {
            Activity::RunningTool => {
                let tool = self.doing();
                return format!(
                    "{heard}; it is {tool}, which may last as long as the turn: {}",
                    words::took(patience.turn_ms)
                );
            }
            Activity::WaitingModel | Activity::Streaming => patience.model_ms,
            Activity::Idle | Activity::Processing => patience.silence_ms,
        };
        format!("{heard} ({}); it is ended after {}", self.doing(), words::took(limit))
    }

    /// What the moving line says of it; nothing where nothing is known.
    pub(crate) fn words(&self) -> Option<String> {
        let silent = self.spoke.map(|spoke| spoke.elapsed());
        Some(match (self.activity, silent) {
            (Some((_, since)), Some(silent)) if silent >= WORTH_TELLING && silent + WORTH_TELLING < since.elapsed() => {
                let lasting = whole_seconds(since.elapsed());
                format!(
                    "{} for {lasting}, last heard {} ago",
                    self.doing(),
                    whole_seconds(silent)
                )
            }
            (Some((_, since)), _) => format!("{} for {}", self.doing(), whole_seconds(since.elapsed())),
            (None, Some(silent)) => format!("last heard {} ago", whole_seconds(silent)),
            (None, None) => return None,
        })
    }

    /// The same for programs.
    pub(crate) fn document(&self) -> Value {
        let word = match self.activity.map(|(activity, _)| activity).unwrap_or_default() {
            Activity::Idle => "starting",
            Activity::WaitingModel => "waiting_for_the_model",
            Activity::Streaming => "streaming",
            Activity::RunningTool => "running_a_tool",
            Activity::Processing => "working",
        };
        let about = self.tools.last().map(|(_, about)| about);
        object!({ "activity": word, "about": about })
    }
}

#[cfg(test)]
mod tests {
    use super::AgentNow;
    use trueup_core::patience::Patience;
    use trueup_engine::agent::{
        Activity,
        fact::{Fact, ToolResult},
    };

    fn began(id: &str, about: &str) -> Fact {
        Fact::ToolBegan {
            id: id.into(),
            name: "Bash".into(),
            about: about.into(),
        }
    }

    #[test]
    fn the_tool_that_runs_is_named_by_what_it_is_about_and_obeys_nobody() {
        let mut now = AgentNow::begin();
        now.note(&began("1", "npm\n  test"));
        now.turn_to(Activity::RunningTool, 12_000);
        assert_eq!(now.words().as_deref(), Some("running `npm test` for 12s"));
        now.note(&began("2", "\u{1b}[2Jls"));
        assert_eq!(now.doing(), "running `\\u{1b}[2Jls`");
        now.note(&Fact::ToolEnded {
            id: "2".into(),
            worked: ToolResult::Yes,
        });
        assert_eq!(now.doing(), "running `npm test`");
    }

    #[test]
    fn a_silence_is_told_with_what_it_leads_to() {
        let patience = Patience::default();
        let mut now = AgentNow::begin();
        now.turn_to(Activity::WaitingModel, 0);
        assert_eq!(
            now.silence(120_000, &patience),
            "nothing heard for 2m00s (waiting for the model); it is ended after 3m00s"
        );
        now.note(&began("1", "make"));
        now.turn_to(Activity::RunningTool, 0);
        let told = now.silence(120_000, &patience);
        assert!(told.contains("running `make`") && told.ends_with("10m00s"), "{told}");
    }

    #[test]
    fn an_agent_whose_adapter_tells_nothing_is_known_by_when_it_spoke() {
        let mut now = AgentNow::begin();
        assert_eq!(now.words(), None);
        now.hear();
        assert_eq!(now.words().as_deref(), Some("last heard 0s ago"));
    }
}
