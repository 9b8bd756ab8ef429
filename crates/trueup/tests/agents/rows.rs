//! One way in which a real agent can fail, and how it is looked at.

use super::{
    running::{kind, wait_until},
    scene::{DESCRIBE, GREET, Scene, Who},
};
use rustix::process::Signal;
use std::{
    panic,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::model_server::{Reply, Script, Scripts};

/// What the second turn's prompt is known by.
pub(crate) const SECOND_TURN: &str = "This is turn 2 of";

/// One way to fail.
pub(crate) struct Row {
    name: &'static str,
    who: Who,
    scripts: Scripts,
    /// What is added to the configuration.
    settings: &'static str,
    /// What the agent may do unasked.
    permission: &'static str,
    blow: Blow,
    then: Then,
    /// What its model must be told.
    told: Option<&'static str>,
    /// How long the provider says that its limit lasts.
    lasts: Option<Duration>,
}

/// What is done to the agent from outside.
#[derive(Clone, Copy)]
pub(crate) enum Blow {
    None,
    /// This signal while its model answers.
    InAnAnswer(Signal),
    /// This signal while a tool of its own runs.
    InATool(Signal),
}

/// What must come of it.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    /// The world failed: the run waits, and no turn is spent.
    Waits(&'static str),
    /// The same, and goes on by itself once the world is well again.
    WaitsAndGoesOn(&'static str),
    /// The turns end like this, so many of them count, and the run like this.
    Comes {
        endings: &'static [&'static str],
        turns: u64,
        code: i32,
    },
}

/// A tool that runs for long, by which its process is known. (A plain `sleep`
/// is refused by newer versions of Claude Code.)
const LONG: &str = "tail --sleep-interval=61 -f greet.sh";

/// Has a tool run for long.
pub(crate) fn long_tool(who: Who) -> Reply {
    who.shell(LONG)
}

/// One turn that does everything.
pub(crate) fn work(who: Who) -> Script {
    let both = format!("{GREET} && {DESCRIBE}");
    Script::new([who.shell(&both), Reply::text("Both are done.")])
}

impl Row {
    pub(crate) fn new(name: &'static str, who: Who, scripts: impl Into<Scripts>, then: Then) -> Self {
        Self {
            name,
            who,
            scripts: scripts.into(),
            settings: "",
            permission: "everything",
            blow: Blow::None,
            then,
            told: None,
            lasts: None,
        }
    }

    pub(crate) const fn set(mut self, settings: &'static str) -> Self {
        self.settings = settings;
        self
    }

    pub(crate) const fn struck(mut self, blow: Blow) -> Self {
        self.blow = blow;
        self
    }

    pub(crate) const fn permitted(mut self, permission: &'static str) -> Self {
        self.permission = permission;
        self
    }

    pub(crate) const fn told(mut self, words: &'static str) -> Self {
        self.told = Some(words);
        self
    }

    pub(crate) const fn lasting(mut self, lasts: Duration) -> Self {
        self.lasts = Some(lasts);
        self
    }

    /// What it is called where it is looked for.
    pub(crate) fn title(&self) -> String {
        format!("{} of {:?}", self.name, self.who)
    }

    fn play(self) {
        let scene = Scene::new(self.who, self.scripts);
        // The agent's own table is the last one.
        scene.configure(&format!("permission = {:?}\n{}", self.permission, self.settings));
        let mut run = scene.start("run");
        match self.blow {
            Blow::None => {}
            Blow::InAnAnswer(signal) => {
                wait_until("a request", || !scene.asked().is_empty());
                // So that the first half of the answer has come.
                thread::sleep(Duration::from_millis(300));
                scene.strike_down(self.who, signal);
            }
            Blow::InATool(signal) => {
                scene.living(|process| process.words.starts_with(LONG));
                scene.strike_down(self.who, signal);
            }
        }
        let (endings, turns, code) = match self.then {
            Then::Waits(ending) => {
                run.wait_for_endings(1);
                // The agent is gone while the run waits.
                let program = self.who.program().display().to_string();
                let living = trueup_testkit::processes::of(scene.household.folder());
                assert!(!living.iter().any(|one| one.words.contains(&program)), "{living:#?}");
                run.signal(Signal::TERM);
                (vec![ending], 0, 143)
            }
            Then::WaitsAndGoesOn(ending) => {
                run.wait_for_endings(1);
                assert_eq!(scene.household.show("T-001")["turns"], 0);
                scene.model.replace(work(self.who));
                (vec![ending, "finished"], 1, 0)
            }
            Then::Comes { endings, turns, code } => (endings.to_vec(), turns, code),
        };
        let ended = run.wait();
        let told = scene.endings();
        let kinds: Vec<String> = told.iter().map(kind).collect();
        let all = format!("{told:#?}\n{}", run.printed());
        assert_eq!(
            (kinds, ended),
            (endings.iter().map(ToString::to_string).collect(), code),
            "{all}"
        );
        assert_eq!(scene.household.show("T-001")["turns"], turns, "{all}");
        if let Some(words) = self.told {
            let asked = scene.asked();
            assert!(asked.iter().any(|request| request.mentions(words)), "{asked:#?}");
        }
        if let Some(lasts) = self.lasts {
            assert_waits_for(&scene, lasts);
        }
        scene.left_nothing_alive();
    }
}

/// Asserts that the last turn ended with a limit that lasts so long from then on.
fn assert_waits_for(scene: &Scene, lasts: Duration) {
    let events = scene.household.events("T-001");
    let ended = events.iter().rfind(|event| event["type"] == "turn_ended");
    let ended = ended.expect("a turn that ended");
    let until = ended["outcome"]["ending"]["limited"]["until"].as_u64();
    let at = ended["at"].as_u64().expect("a time");
    let left = until.map(|until| Duration::from_millis(until.saturating_sub(at)));
    let near = lasts.saturating_sub(Duration::from_secs(30))..=lasts;
    assert!(left.is_some_and(|left| near.contains(&left)), "{ended}");
}

/// Plays every row, two at a time, and answers what went wrong with which.
pub(crate) fn play_all(rows: Vec<Row>) -> Vec<String> {
    let (rows, wrong) = (Mutex::new(rows.into_iter()), Mutex::new(Vec::new()));
    let worker = || {
        loop {
            let Some(row) = rows.lock().expect("the rows").next() else {
                return;
            };
            let (name, began) = (row.title(), Instant::now());
            let played = panic::catch_unwind(panic::AssertUnwindSafe(|| row.play()));
            println!("row {name}: {:.1} s", began.elapsed().as_secs_f64());
            if let Err(why) = played {
                let words = why.downcast_ref::<String>().cloned();
                let words = words.or_else(|| why.downcast_ref::<&str>().map(ToString::to_string));
                wrong.lock().expect("what is wrong").push(format!("{name}: {words:?}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(worker);
        }
    });
    wrong.into_inner().expect("what is wrong")
}
