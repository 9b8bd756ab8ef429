//! What the same check answered on the same tree, in this run and in all
//! before it. Two different answers make it flaky, for good.

use crate::{
    spool::write_durably,
    state::{lock_file, make_private},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};
use trueup_core::{
    digest::Digest,
    evidence::{Runs, Saw},
};

/// How long a red answer is doubted beyond the first repeat: little beside the
/// minutes of the turn that a wrong one would cost.
const DOUBTED_FOR: Duration = Duration::from_secs(20);

/// Every answer that was ever kept, by the key of what was asked.
pub(super) struct Answers {
    folder: PathBuf,
}

impl Answers {
    pub(super) const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// What was answered so far. What cannot be read counts for nothing kept:
    /// it is then found flaky anew.
    pub(super) fn of(&self, key: &Digest) -> Runs {
        let kept = fs::read(self.path(key)).ok();
        kept.and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// Keeps what was answered beside what was kept; durable when this returns.
    pub(super) fn keep(&self, key: &Digest, now: Runs) -> io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(Path::new("/"));
        make_private(folder)?;
        // Two runs may keep at once, and neither answer may be lost.
        let lock = lock_file(&folder.join(".lock"))?;
        lock.lock()?;
        let kept = self.of(key);
        let sum = Runs {
            green: kept.green.saturating_add(now.green),
            red: kept.red.saturating_add(now.red),
        };
        write_durably(&path, &serde_json::to_vec(&sum)?)
    }

    fn path(&self, key: &Digest) -> PathBuf {
        let first = key.as_str().get(..2).unwrap_or("xx");
        self.folder.join(first).join(key.as_str())
    }
}

/// One check on one tree, executed until its answer can be believed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// What was answered before.
    kept: Runs,
    /// What was answered now.
    now: Runs,
    /// How many greens came in a row since it is known to be flaky.
    row: u32,
    steady: u32,
    /// How often it is asked again after a red answer.
    doubt: u32,
    /// How long the repeats took.
    repeated_for: Duration,
}

/// What is done after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is executed again.
    Again,
    /// The last answer counts.
    Enough,
    /// It failed, and did not always.
    Flaky,
}

impl Trial {
    /// A trial of what gave these answers before: on this tree, and on the base.
    pub(super) fn new((own, base): (Runs, Runs), steady: u32, doubt: u32) -> Self {
        // What is flaky on the base is so on what was made of it.
        let kept = match !own.is_flaky() && base.is_flaky() {
            true => Runs {
                green: own.green.saturating_add(base.green),
                red: own.red.saturating_add(base.red),
            },
            false => own,
        };
        Self {
            kept,
            now: Runs::default(),
            row: 0,
            steady: steady.max(1),
            doubt,
            repeated_for: Duration::ZERO,
        }
    }

    /// Takes an answer, and how long it took to give.
    pub(super) fn take(&mut self, saw: &Saw, took: Duration) -> Next {
        let was_flaky = self.all().is_flaky();
        if !self.now.is_one() {
            self.repeated_for += took;
        }
        match saw {
            Saw::Passed => {
                self.now.green += 1;
                self.row += 1;
                match self.all().is_flaky() && self.row < self.steady {
                    true => Next::Again,
                    false => Next::Enough,
                }
            }
            Saw::Failed { .. } | Saw::TimedOut => {
                self.now.red += 1;
                self.row = 0;
                if was_flaky {
                    Next::Flaky
                } else if self.all().is_flaky() || self.is_doubted(took) {
                    // Where green was kept, this is the second answer.
                    Next::Again
                } else {
                    Next::Enough
                }
            }
            // Nothing was seen, and nothing is gained by looking again.
            Saw::CannotRun { .. } => Next::Enough,
        }
    }

    /// Whether red is asked for once more: always the first time, later while
    /// that is cheap. What was red in earlier runs need not be asked as often.
    fn is_doubted(&self, took: Duration) -> bool {
        let is_cheap = || self.repeated_for + took <= DOUBTED_FOR;
        self.now.red == 1 || (self.all().red <= self.doubt && is_cheap())
    }

    /// What was answered now.
    pub(super) const fn now(&self) -> Runs {
        self.now
    }

    /// What is told of it: nothing, where it never gave another answer. How often
    /// it gave that one depends on how often trueup was killed meanwhile.
    pub(super) fn told(&self) -> Runs {
        let all = self.all();
        match all.is_flaky() {
            true => all,
            false => Runs::default(),
        }
    }

    fn all(&self) -> Runs {
        Runs {
            green: self.kept.green.saturating_add(self.now.green),
            red: self.kept.red.saturating_add(self.now.red),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, DOUBTED_FOR, Next, Trial};
    use std::time::Duration;
    use trueup_core::{
        digest::Digest,
        evidence::{Runs, Saw},
        task::DOUBT,
    };

    const NEVER: Runs = Runs { green: 0, red: 0 };
    const BOTH: Runs = Runs { green: 1, red: 1 };

    /// What follows each of these answers: `g`reen, `r`ed.
    fn follows(kept: (Runs, Runs), answers: &str) -> Vec<Next> {
        follows_slowly(kept, answers, Duration::ZERO)
    }

    /// The same, where each answer takes so long to give.
    fn follows_slowly(kept: (Runs, Runs), answers: &str, took: Duration) -> Vec<Next> {
        let mut trial = Trial::new(kept, 3, DOUBT);
        let answers = answers.chars().map(|answer| match answer {
            'g' => Saw::Passed,
            _ => Saw::red(Some(1)),
        });
        answers.map(|saw| trial.take(&saw, took)).collect()
    }

    /// How often red is asked for again where nothing else is ever answered.
    fn repeats(kept: Runs, took: Duration) -> usize {
        let follows = follows_slowly((kept, NEVER), "rrrrrrrrrrrr", took);
        let last = follows.iter().position(|next| *next == Next::Enough);
        last.expect("red is believed in the end")
    }

    #[test]
    fn green_is_believed_at_once_and_red_the_eighth_time() {
        assert_eq!(follows((NEVER, NEVER), "g"), [Next::Enough]);
        assert_eq!(repeats(NEVER, Duration::ZERO), 7);
    }

    #[test]
    fn red_is_asked_for_once_more_always_and_oftener_only_while_that_is_cheap() {
        let part = |of: u32| DOUBTED_FOR / of;
        let most = [(7, 7), (4, 4), (2, 2), (1, 1)];
        for (of, wanted) in most {
            assert_eq!(repeats(NEVER, part(of)), wanted, "each took a part of {of}");
        }
        assert_eq!(repeats(NEVER, DOUBTED_FOR * 30), 1);
    }

    #[test]
    fn what_was_red_in_earlier_runs_is_asked_for_less_often_and_at_least_once() {
        for (red, wanted) in [(1, 6), (5, 2), (6, 1), (7, 1), (100, 1)] {
            assert_eq!(repeats(Runs { green: 0, red }, Duration::ZERO), wanted, "{red}");
        }
    }

    #[test]
    fn two_answers_ask_for_greens_in_a_row_and_any_red_ends_it() {
        use Next::{Again, Enough, Flaky};
        assert_eq!(follows((NEVER, NEVER), "rggg"), [Again, Again, Again, Enough]);
        assert_eq!(follows((NEVER, NEVER), "rgr"), [Again, Again, Flaky]);
        let late = follows((NEVER, NEVER), "rrrrrrrgr");
        assert_eq!(late.last(), Some(&Flaky), "{late:?}");
        for known in [(BOTH, NEVER), (NEVER, BOTH)] {
            assert_eq!(follows(known, "ggg"), [Again, Again, Enough]);
            assert_eq!(follows(known, "r"), [Flaky]);
            assert_eq!(follows(known, "gr"), [Again, Flaky]);
        }
        let green = Runs { green: 4, red: 0 };
        let slowly = follows_slowly((green, NEVER), "rgr", DOUBTED_FOR);
        assert_eq!(slowly, [Again, Again, Flaky], "green in an earlier run");
        let red = Runs { green: 0, red: 1 };
        let slowly = follows_slowly((red, NEVER), "ggg", DOUBTED_FOR);
        assert_eq!(slowly, [Again, Again, Enough], "red in an earlier run");
    }

    #[test]
    fn what_is_told_says_that_it_is_flaky_whoever_saw_the_other_answer() {
        for known in [(BOTH, NEVER), (NEVER, BOTH)] {
            let mut trial = Trial::new(known, 3, DOUBT);
            trial.take(&Saw::red(Some(1)), Duration::ZERO);
            assert!(trial.told().is_flaky());
        }
        let mut trial = Trial::new((NEVER, NEVER), 3, DOUBT);
        trial.take(&Saw::Passed, Duration::ZERO);
        assert!(trial.told().is_one());
    }

    #[test]
    fn answers_of_all_runs_are_kept_and_are_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let answers = Answers::at(folder.path().join("answers"));
        let (key, other) = (Digest::of(b"a"), Digest::of(b"b"));
        answers.keep(&key, Runs { green: 1, red: 0 }).expect("kept");
        answers.keep(&key, Runs { green: 0, red: 2 }).expect("kept");
        assert_eq!(answers.of(&key), Runs { green: 1, red: 2 });
        assert_eq!(answers.of(&other), Runs::default());
        let mode = std::fs::metadata(answers.path(&key))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
