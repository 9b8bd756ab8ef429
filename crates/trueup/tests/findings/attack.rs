//! An attack, and the two it is tried on.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};
use trueup_testkit::{
    attacks::Attacks,
    household::{Household, Output, output},
    known_bad::known_bad,
};

/// The folder with the two binaries, for whoever cannot see where they were built.
pub(crate) const BINARIES: &str = "TRUEUP_FINDINGS";

/// A trueup, with or without a fault.
pub(crate) struct Subject {
    binary: PathBuf,
    fault: Option<&'static str>,
}

impl Subject {
    /// An empty repository, and an agent that is this script.
    pub(crate) fn household(&self, agent: &str) -> Household {
        self.faulty(Household::new(&self.binary, agent))
    }

    /// The repository everybody knows.
    pub(crate) fn greeting(&self) -> Household {
        self.faulty(Household::greeting(&self.binary))
    }

    /// A repository whose agent gets through by leaving `done.txt` with `done` in it.
    pub(crate) fn asked_to_finish(&self, agent: &str) -> Household {
        let household = self.household(agent);
        household.file(".gitignore", "hoard/\ntrueup.local.toml\n");
        household.task("T-001", FINISH);
        household.commit("A task");
        household
    }

    fn faulty(&self, household: Household) -> Household {
        match self.fault {
            Some(fault) => household.with_variable("TRUEUP_FAULT", fault),
            None => household,
        }
    }

    /// Where its binary lies.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }
}

/// A task that is done when a file says so.
pub(crate) const FINISH: &str = "---\nv: 1\nid: T-001\ntitle: Finish\nbudget: { turns: 1 }\n---\n\n\
                                 ## Acceptance criteria\n\n- [ ] **AC-1** It is done.\n  - verify: `grep -q done done.txt`\n";

/// Tries an attack, which answers whether it got through and what was seen.
pub(crate) fn holds_now_and_fell_with(fault: &'static str, attack: impl Fn(&Subject) -> (bool, String)) {
    let bad = Subject {
        binary: built("known-bad").unwrap_or_else(known_bad),
        fault: Some(fault),
    };
    let (through, seen) = attack(&bad);
    assert!(
        through,
        "the attack shows nothing, it fails even with `{fault}`: {seen}"
    );
    let today = Subject {
        binary: built("trueup").unwrap_or_else(|| env!("CARGO_BIN_EXE_trueup").into()),
        fault: None,
    };
    let (through, seen) = attack(&today);
    let told = Attacks {
        suite: "findings",
        tried: 1,
        through: usize::from(through),
        twins: 0,
        alarms: 0,
    };
    println!("{told}");
    assert!(!through, "it got through: {seen}");
    // The fault does it, and not the build.
    let sound = Subject {
        binary: bad.binary,
        fault: None,
    };
    let (through, seen) = attack(&sound);
    assert!(!through, "it gets through without `{fault}` as well: {seen}");
}

fn built(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(env::var_os(BINARIES)?).join(name))
}

/// How trueup ends within so many seconds.
pub(crate) fn within(seconds: u32, household: &Household, subject: &Subject, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    household.furnish(&mut command);
    let limit = ["--kill-after", "5", &seconds.to_string()];
    output(command.args(limit).arg(subject.binary()).args(words))
}

/// Both streams, for whoever looks for words.
pub(crate) fn all(output: &Output) -> String {
    format!("{}{}", output.stdout, output.stderr)
}
