//! Who watches over a turn: what the agent is at, and when its silence has
//! lasted too long. Pure: it is told facts and times, and has no clock.
//!
//! Silence is judged by what is awaited. A model that was asked owes an
//! answer, whatever else the program prints meanwhile; a tool owes nothing,
//! and only the turn's own limit ends it.

use super::{bound, fact::Fact};
use std::{collections::BTreeSet, time::Duration};
use trueup_core::patience::Patience;

/// How much of the time between two looks counts. A machine that slept, or a
/// process that was stopped, watched nobody: the agent slept as well.
const MOST_AT_ONCE: Duration = Duration::from_secs(5);

/// What an agent is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// It has not begun.
    #[default]
    Idle,
    /// It asked the model and awaits the beginning of an answer.
    WaitingModel,
    /// The model's answer comes in.
    Streaming,
    /// One of its tools runs.
    RunningTool,
    /// It does something of its own.
    Processing,
}

/// Something a person is told of a turn under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// It still goes on.
    Heartbeat {
        /// What it is at.
        activity: Activity,
        /// For how long.
        lasting: Duration,
    },
    /// Nothing was heard for long; told once in each silence.
    Idle {
        /// For how long.
        lasting: Duration,
    },
}

/// Why a turn is not waited for any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The model was asked, and was silent for so long.
    Hung(Duration),
    /// The agent awaited nothing, and was silent for so long.
    Silent(Duration),
}

/// The watch over one turn.
#[derive(Clone, Debug)]
pub struct Watch {
    patience: Patience,
    activity: Activity,
    /// Uses of tools that began and did not end.
    tools: BTreeSet<String>,
    /// How often a piece of an answer came.
    chunks: u64,
    /// When somebody looked last, by the clock outside.
    looked: Duration,
    /// Time that was really watched. All of the following are moments of it.
    now: Duration,
    /// When anything at all was heard last.
    heard: Duration,
    /// When the model was asked, or was heard, last.
    model: Duration,
    /// When the activity began.
    since: Duration,
    beat: Duration,
    warned: bool,
}

impl Watch {
    /// The watch over a turn that begins now, at a time of nothing.
    pub fn new(patience: Patience) -> Self {
        Self {
            patience,
            activity: Activity::Idle,
            tools: BTreeSet::new(),
            chunks: 0,
            looked: Duration::ZERO,
            now: Duration::ZERO,
            heard: Duration::ZERO,
            model: Duration::ZERO,
            since: Duration::ZERO,
            beat: Duration::ZERO,
            warned: false,
        }
    }

    /// Something was printed, whatever it means.
    pub fn hear(&mut self, at: Duration) {
        self.advance(at);
        self.heard = self.now;
        self.warned = false;
    }

    /// A fact was heard; answers what the agent is at, where that changed.
    pub fn note(&mut self, fact: &Fact, at: Duration) -> Option<Activity> {
        self.hear(at);
        let turned = self.turned_by(fact);
        if let Fact::Asked | Fact::Streamed | Fact::Retries { .. } = fact {
            self.model = self.now;
        }
        let activity = if self.tools.is_empty() {
            turned
        } else {
            Activity::RunningTool
        };
        if activity == self.activity {
            return None;
        }
        self.activity = activity;
        self.since = self.now;
        Some(activity)
    }

    /// What the agent is at after a fact, tools aside.
    fn turned_by(&mut self, fact: &Fact) -> Activity {
        match fact {
            // Trying again is asking again.
            Fact::Asked | Fact::Retries { .. } => Activity::WaitingModel,
            Fact::Streamed => {
                self.chunks = self.chunks.saturating_add(1);
                Activity::Streaming
            }
            Fact::ToolBegan { id, .. } => {
                bound::is_known(&mut self.tools, id);
                Activity::RunningTool
            }
            Fact::ToolEnded { id, .. } => {
                self.tools.remove(id);
                Activity::Processing
            }
            Fact::Began(_) | Fact::Spoke(_) => Activity::Processing,
            Fact::Changed(_) | Fact::Used(_) | Fact::Denied { .. } | Fact::Unknown => self.activity,
        }
    }

    /// What is told now that some time has passed.
    pub fn notices(&mut self, at: Duration) -> Vec<Notice> {
        self.advance(at);
        let mut notices = Vec::new();
        if self.now.saturating_sub(self.beat) >= millis(self.patience.heartbeat_ms) {
            self.beat = self.now;
            notices.push(Notice::Heartbeat {
                activity: self.activity,
                lasting: self.now.saturating_sub(self.since),
            });
        }
        let lasting = self.idle_for();
        if !self.warned && lasting >= millis(self.patience.warn_ms) {
            self.warned = true;
            notices.push(Notice::Idle { lasting });
        }
        notices
    }

    /// Whether the turn is still waited for. The turn's own limit is not
    /// judged here.
    pub fn verdict(&mut self, at: Duration) -> Option<Verdict> {
        self.advance(at);
        match self.activity {
            Activity::RunningTool => None,
            Activity::WaitingModel | Activity::Streaming => {
                let silent = self.now.saturating_sub(self.model);
                (silent >= millis(self.patience.model_ms)).then_some(Verdict::Hung(silent))
            }
            Activity::Idle | Activity::Processing => {
                let silent = self.idle_for();
                (silent >= millis(self.patience.silence_ms)).then_some(Verdict::Silent(silent))
            }
        }
    }

    /// What the agent is at.
    pub const fn activity(&self) -> Activity {
        self.activity
    }

    /// For how long the turn has been under way.
    pub const fn turn_for(&self) -> Duration {
        self.looked
    }

    /// For how long nothing was heard.
    pub const fn idle_for(&self) -> Duration {
        self.now.saturating_sub(self.heard)
    }

    /// How many pieces of the model's answers came.
    pub const fn chunks(&self) -> u64 {
        self.chunks
    }

    /// A clock that was set back is one that stands still.
    fn advance(&mut self, at: Duration) {
        self.now += at.saturating_sub(self.looked).min(MOST_AT_ONCE);
        self.looked = self.looked.max(at);
    }
}

/// A limit of nothing would be reached before anything began.
fn millis(limit: u64) -> Duration {
    Duration::from_millis(limit.max(1))
}

#[cfg(test)]
mod tests {
    use super::{Activity, Notice, Verdict, Watch};
    use crate::agent::fact::{Began, Fact, ToolResult};
    use std::time::Duration;
    use trueup_core::patience::Patience;

    /// What stands for the clock: seconds that pass while somebody looks.
    struct Turn {
        watch: Watch,
        at: u64,
        notices: Vec<(u64, Notice)>,
        /// When the bytes came that a watch of the naive kind goes by.
        byte: u64,
        naive: bool,
    }

    impl Turn {
        fn new() -> Self {
            Self {
                watch: Watch::new(Patience::default()),
                at: 0,
                notices: Vec::new(),
                byte: 0,
                naive: false,
            }
        }

        fn heard(&mut self, fact: Fact) -> Option<Activity> {
            self.byte = self.at;
            self.watch.note(&fact, Duration::from_secs(self.at))
        }

        /// Lets seconds pass; stops at the first verdict.
        fn pass(&mut self, seconds: u64) -> Option<Verdict> {
            (0..seconds).find_map(|_| {
                self.at += 1;
                self.naive |= self.at - self.byte >= Patience::default().silence_ms / 1000;
                let at = Duration::from_secs(self.at);
                let told = self.watch.notices(at);
                self.notices.extend(told.into_iter().map(|notice| (self.at, notice)));
                self.watch.verdict(at)
            })
        }

        fn idle_warnings(&self) -> Vec<u64> {
            let idle = |(at, notice): &(u64, Notice)| matches!(notice, Notice::Idle { .. }).then_some(*at);
            self.notices.iter().filter_map(idle).collect()
        }
    }

    fn began_tool(id: &str) -> Fact {
        Fact::ToolBegan {
            id: id.to_owned(),
            name: "Bash".to_owned(),
            about: "make".to_owned(),
        }
    }

    fn ended_tool(id: &str) -> Fact {
        Fact::ToolEnded {
            id: id.to_owned(),
            worked: ToolResult::Yes,
        }
    }

    #[test]
    fn a_healthy_slow_tool_is_never_ended_for_its_silence() {
        let mut turn = Turn::new();
        turn.heard(began_tool("1"));
        turn.heard(began_tool("2"));
        assert_eq!(turn.pass(3600), None);
        assert!(turn.naive, "a watch that goes by bytes alone would have ended it");
        turn.heard(ended_tool("1"));
        assert_eq!(turn.pass(3600), None, "the other one still runs");
        turn.heard(ended_tool("2"));
        assert_eq!(turn.pass(3600), Some(Verdict::Silent(Duration::from_secs(300))));
    }

    #[test]
    fn a_model_that_never_answers_is_found_behind_other_noise() {
        let mut turn = Turn::new();
        turn.heard(Fact::Asked);
        let mut verdict = None;
        for _ in 0..60 {
            verdict = verdict.or(turn.pass(10));
            // A status line, a warning: bytes, and no answer.
            turn.heard(Fact::Unknown);
        }
        assert_eq!(verdict, Some(Verdict::Hung(Duration::from_secs(180))));
        assert!(!turn.naive, "a watch that goes by bytes alone would wait for ever");
    }

    #[test]
    fn an_answer_that_stalls_half_way_is_hung_and_one_that_trickles_is_not() {
        let mut turn = Turn::new();
        turn.heard(Fact::Asked);
        for _ in 0..50 {
            assert_eq!(turn.pass(170), None);
            turn.heard(Fact::Streamed);
        }
        assert_eq!((turn.watch.activity(), turn.watch.chunks()), (Activity::Streaming, 50));
        assert_eq!(turn.pass(600), Some(Verdict::Hung(Duration::from_secs(180))));
    }

    #[test]
    fn an_agent_that_awaits_nothing_is_silent_and_not_hung() {
        let mut turn = Turn::new();
        assert_eq!(turn.pass(299), None, "it may take its time to begin");
        turn.heard(Fact::Began(Began::default()));
        assert_eq!(turn.pass(600), Some(Verdict::Silent(Duration::from_secs(300))));
        assert_eq!(turn.at, 599);
    }

    #[test]
    fn a_person_is_warned_once_in_each_silence_also_while_a_tool_runs() {
        let mut turn = Turn::new();
        turn.heard(began_tool("1"));
        turn.pass(1000);
        assert_eq!(turn.idle_warnings(), [120]);
        turn.heard(Fact::Unknown);
        turn.pass(1000);
        assert_eq!(turn.idle_warnings(), [120, 1120]);
    }

    #[test]
    fn a_heartbeat_comes_every_thirty_seconds_and_says_what_the_agent_is_at() {
        let mut turn = Turn::new();
        turn.heard(Fact::Asked);
        turn.pass(15);
        turn.heard(began_tool("1"));
        turn.pass(50);
        let beat = |at: u64, lasting: u64| {
            let lasting = Duration::from_secs(lasting);
            let activity = Activity::RunningTool;
            (at, Notice::Heartbeat { activity, lasting })
        };
        assert_eq!(turn.notices, [beat(30, 15), beat(60, 45)]);
        assert_eq!(turn.watch.turn_for(), Duration::from_secs(65));
        assert_eq!(turn.watch.idle_for(), Duration::from_secs(50));
    }

    #[test]
    fn each_fact_leads_to_its_activity_and_a_running_tool_outweighs_it() {
        let mut turn = Turn::new();
        let retries = Fact::Retries {
            why: "overloaded".to_owned(),
            status: Some(529),
            after_ms: None,
        };
        for (fact, activity) in [
            (Fact::Began(Began::default()), Some(Activity::Processing)),
            (Fact::Asked, Some(Activity::WaitingModel)),
            (retries, None),
            (Fact::Streamed, Some(Activity::Streaming)),
            (Fact::Unknown, None),
            (Fact::Spoke("hello".to_owned()), Some(Activity::Processing)),
            (began_tool("1"), Some(Activity::RunningTool)),
            (Fact::Asked, None),
            (ended_tool("never began"), None),
            (ended_tool("1"), Some(Activity::Processing)),
        ] {
            assert_eq!(turn.heard(fact.clone()), activity, "{fact:?}");
        }
    }

    #[test]
    fn time_in_which_nobody_watched_ends_nobody() {
        let mut turn = Turn::new();
        turn.heard(Fact::Asked);
        turn.pass(10);
        turn.at += 8 * 3600;
        assert_eq!(turn.pass(60), None, "the machine slept, and the agent with it");
        assert_eq!(turn.pass(600), Some(Verdict::Hung(Duration::from_secs(180))));
    }
}
