//! What a turn costs beside the agent: a run of twenty turns with an agent that
//! writes one number, against a shell loop that calls it twenty times.

use crate::meter::{Bound, Figure, again, demand, in_turns, rounds, timed};
use std::{fs, process::Command};
use trueup_testkit::household::{Household, output};

/// How many turns the run has: all that a small task may take.
pub(crate) const TURNS: u32 = 20;

/// Something new in every turn: who brings nothing is not let go on.
pub(crate) const BUSY: &str = "[ -z \"$TRUEUP_TURN\" ] || echo \"$TRUEUP_TURN\" > turn\n";

const TASK: &str = "\
---
v: 1
id: T-001
title: Never to be met
size: small
---

Nothing is done about this.

## Acceptance criteria

- [ ] **AC-1** There is a file of this name.
  - verify: file NEVER.md has /x/
";

/// A household whose run uses up its turns, and the loop beside it.
pub(crate) struct Loop {
    household: Household,
}

impl Loop {
    /// With this agent.
    pub(crate) fn new(agent: &str) -> Self {
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
        for number in 0..50 {
            household.file(&format!("part{}/file{number}", number % 7), &format!("{number}\n"));
        }
        household.task("T-001", TASK);
        household.commit("Something to work on");
        let script = format!(
            "for turn in $(seq {TURNS}); do {} < /dev/null; done\n",
            household.agent().display()
        );
        fs::write(household.folder().join("loop.sh"), script).expect("a script");
        let subject = Self { household };
        // The first run also fetches the base.
        subject.run();
        subject
    }

    /// With no wall round the agent. Nobody where
    /// this trueup knows of no such mode.
    fn without_walls() -> Option<Self> {
        let subject = Self::new(BUSY);
        let folder = subject.household.home().join(".config/trueup");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("config.toml"), "[sandbox]\nmode = \"none\"\n").expect("the person's layer");
        (subject.household.trueup(&["status"]).code == 0).then_some(subject)
    }

    fn run(&self) {
        let ended = self.household.trueup(&["run", "T-001", "--anew"]);
        assert_eq!(ended.code, 6, "{ended:#?}");
    }

    fn bare(&self) {
        let mut bash = Command::new("bash");
        bash.arg("../loop.sh").current_dir(self.household.checkout());
        assert_eq!(output(&mut bash).code, 0);
    }

    /// What the run adds to each turn, in milliseconds at the median.
    pub(crate) fn added_per_turn(&self, name: &str, rounds: usize, most: f64) -> Figure {
        let (ours, bare) = in_turns(rounds, || timed(|| self.run()), || timed(|| self.bare()));
        Figure {
            name: name.to_owned(),
            value: (ours.median() - bare.median()) / f64::from(TURNS),
            bound: Bound::AtMost(most),
            slack: 1.0,
            detail: format!("{TURNS} turns: ours {ours}, bare {bare}"),
        }
    }
}

#[test]
fn a_turn_costs_little_beside_its_agent() {
    // A shared machine spawns processes in twice the time while it does something else.
    let measured =
        |subject: &Loop, name, most| again(|| subject.added_per_turn(name, rounds(5, 15), most).with_slack(1.5));
    let with_walls = measured(&Loop::new(BUSY), "changing_turn_added_ms_with_sandboxes", 60.0);
    let without =
        Loop::without_walls().map(|subject| measured(&subject, "changing_turn_added_ms_without_sandboxes", 45.0));
    demand(&[Some(with_walls), without].into_iter().flatten().collect::<Vec<_>>());
}
