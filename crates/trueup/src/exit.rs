//! How the binary ends: a small, documented set of codes, and errors that say
//! what happened, why, and what to type.

use std::process::ExitCode;
use trueup_core::{
    event::Stop,
    run::{Outcome, Position, Reason},
};
use trueup_engine::driver::Rested;

/// How the binary ends. The numbers are documented in `docs/exit-codes.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every criterion has valid evidence on one tree; or a query was answered.
    Verified = 0,
    /// Our bug, or an unexpected error.
    Unexpected = 1,
    /// Wrong usage.
    Usage = 2,
    /// A criterion failed, or the task was refused.
    NotVerified = 3,
    /// A person has to do something first.
    Waiting = 4,
    /// The agent brings nothing new.
    Stuck = 5,
    /// A limit was reached.
    BudgetSpent = 6,
    /// The agent cannot be used.
    AgentUnusable = 7,
    /// Somebody else holds what is needed, or something moved.
    Conflict = 8,
    /// Every criterion is green, and a person accepted that some of it proves too little.
    Waived = 9,
    /// Every goal is green already.
    NothingToDo = 10,
    /// Stopped at the keyboard; can be resumed.
    Interrupted = 130,
    /// Stopped by a request; can be resumed.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl Exit {
    /// How a command ends whose run rests here.
    pub(crate) fn of_rest(rested: &Rested) -> Self {
        match rested.stopped {
            Some(Stop::Keyboard) => Self::Interrupted,
            Some(Stop::Request) => Self::Terminated,
            None => Self::of_position(rested.run.position()),
        }
    }

    fn of_position(position: &Position) -> Self {
        match position {
            Position::Done(Outcome::Verified { .. }) => Self::Verified,
            Position::Done(Outcome::Waived { .. }) => Self::Waived,
            Position::Done(Outcome::Refused(_)) => Self::NotVerified,
            Position::Done(Outcome::NothingToDo) => Self::NothingToDo,
            Position::Paused(_, Reason::Stuck(_)) => Self::Stuck,
            Position::Paused(_, Reason::BudgetSpent(_)) => Self::BudgetSpent,
            Position::Paused(_, Reason::Stopped(Stop::Keyboard)) => Self::Interrupted,
            Position::Paused(_, Reason::Stopped(Stop::Request)) => Self::Terminated,
            Position::Paused(_, Reason::AgentUnusable(_) | Reason::NotSignedIn(_) | Reason::External { .. }) => {
                Self::AgentUnusable
            }
            Position::Paused(_, Reason::BranchConflict(_)) => Self::Conflict,
            Position::Paused(
                _,
                Reason::Trouble(_) | Reason::NoSpace(_) | Reason::Blocked(_) | Reason::Asks(_) | Reason::Flaky(_),
            ) => Self::Waiting,
            Position::Working(_) => Self::Unexpected,
        }
    }

    /// The number.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }
}

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the binary ends.
    pub(crate) exit: Exit,
    /// What happened and why, in sentences.
    pub(crate) what: String,
    /// What to type next, each a whole command.
    pub(crate) next: Vec<String>,
}

impl Failure {
    /// A failure with nothing to type yet.
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self {
            exit,
            what: what.into(),
            next: Vec::new(),
        }
    }

    /// The same, with a command to type.
    #[must_use]
    pub(crate) fn next(mut self, command: impl Into<String>) -> Self {
        self.next.push(command.into());
        self
    }

    /// Something failed that no user can be blamed for.
    pub(crate) fn unexpected(error: impl std::fmt::Display) -> Self {
        Self::new(Exit::Unexpected, error.to_string())
    }
}

impl Failure {
    /// Somebody ended it before its end.
    pub(crate) fn stopped(by: Stop, what: &str) -> Self {
        let exit = match by {
            Stop::Keyboard => Exit::Interrupted,
            Stop::Request => Exit::Terminated,
        };
        Self::new(exit, what)
    }

    /// There is no space for files, and nothing was begun.
    fn no_space(error: impl std::fmt::Display) -> Self {
        Self::new(Exit::Waiting, format!("there is no space for files: {error}")).next("trueup gc")
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if trueup_engine::space::is_full(&error) {
            return Self::no_space(error);
        }
        Self::unexpected(error)
    }
}

impl From<trueup_engine::workspace::Error> for Failure {
    fn from(error: trueup_engine::workspace::Error) -> Self {
        use trueup_engine::workspace::Error;
        if error.is_full() {
            return Self::no_space(error);
        }
        let exit = match &error {
            Error::NoRepository { .. }
            | Error::UnknownRevision(_)
            | Error::NoIdentity
            | Error::NoCheckout
            | Error::Bare { .. }
            | Error::NoContent { .. }
            | Error::Damaged { .. }
            | Error::NotOnHead(_)
            | Error::NotTakeable { .. } => Exit::Usage,
            Error::Locked { .. } => Exit::Conflict,
            Error::NoGit | Error::ObjectFormat { .. } | Error::Git { .. } | Error::Io { .. } => Exit::Unexpected,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<trueup_engine::halt::Halt> for Failure {
    fn from(halt: trueup_engine::halt::Halt) -> Self {
        use trueup_engine::halt::Halt;
        match halt {
            Halt::Workspace(error) => error.into(),
            Halt::File(error) => error.into(),
            Halt::NoSpace(_) => Self::no_space("it ran out while a check ran, so nothing was seen"),
            Halt::Stopped(by) => Self::stopped(by, "stopped before every check was tried; nothing was changed"),
        }
    }
}

impl From<trueup_engine::durable::DeskError> for Failure {
    fn from(error: trueup_engine::durable::DeskError) -> Self {
        use trueup_engine::durable::DeskError;
        let exit = match &error {
            DeskError::Unknown(_) => Exit::Usage,
            DeskError::Exists(_) | DeskError::Driven(_) | DeskError::StillAlive(_) | DeskError::Newer { .. } => {
                Exit::Conflict
            }
            DeskError::Full(why) => return Self::no_space(why),
            DeskError::Damaged { .. } | DeskError::Unreadable(_) => {
                return Self::new(Exit::Unexpected, error.to_string()).next("trueup doctor --repair");
            }
            DeskError::Journal(_) | DeskError::Unreachable(_) => Exit::Unexpected,
        };
        Self::new(exit, error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::unexpected(error)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;
    use std::collections::BTreeMap;
    use trueup_core::{
        budget::Limit,
        event::Stop,
        id::Timestamp,
        run::{Position, Reason, Work},
    };

    const PAGE: &str = include_str!("../../../docs/exit-codes.md");

    /// Every code, each found from the one before it.
    fn all() -> Vec<Exit> {
        let next = |exit: &Exit| match exit {
            Exit::Verified => Some(Exit::Unexpected),
            Exit::Unexpected => Some(Exit::Usage),
            Exit::Usage => Some(Exit::NotVerified),
            Exit::NotVerified => Some(Exit::Waiting),
            Exit::Waiting => Some(Exit::Stuck),
            Exit::Stuck => Some(Exit::BudgetSpent),
            Exit::BudgetSpent => Some(Exit::AgentUnusable),
            Exit::AgentUnusable => Some(Exit::Conflict),
            Exit::Conflict => Some(Exit::Waived),
            Exit::Waived => Some(Exit::NothingToDo),
            Exit::NothingToDo => Some(Exit::Interrupted),
            Exit::Interrupted => Some(Exit::Terminated),
            Exit::Terminated => None,
        };
        std::iter::successors(Some(Exit::Verified), next).collect()
    }

    /// The rows of the page: what a code means.
    fn rows() -> BTreeMap<u8, &'static str> {
        let rows = PAGE.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?.parse().ok()?, cells.next()?))
        });
        rows.collect()
    }

    #[test]
    fn the_page_of_exit_codes_has_a_row_for_each_and_for_no_other() {
        let codes: Vec<u8> = all().into_iter().map(Exit::code).collect();
        assert_eq!(rows().into_keys().collect::<Vec<_>>(), codes);
    }

    #[test]
    fn the_page_says_of_each_pause_with_which_code_it_ends() {
        let agent = || String::from("it");
        for (reason, word) in [
            (Reason::Trouble(agent()), "trouble only a person can mend"),
            (Reason::Blocked(agent()), "an agent that cannot go on without an answer"),
            (Reason::Asks(Vec::new()), "asks whether a change may stay"),
            (Reason::Flaky(Vec::new()), "a flaky check"),
            (Reason::BudgetSpent(Limit::Turns), "the budget is spent"),
            (Reason::AgentUnusable(agent()), "not startable"),
            (Reason::NotSignedIn(agent()), "not signed in"),
            (
                Reason::External {
                    until: Timestamp(0),
                    why: agent(),
                },
                "out of reach or over its limit",
            ),
            (Reason::BranchConflict(agent()), "a branch that moved"),
            (Reason::Stopped(Stop::Keyboard), "interrupted by Ctrl-C"),
            (Reason::Stopped(Stop::Request), "by `trueup stop`"),
        ] {
            let code = Exit::of_position(&Position::Paused(Work::Turn, reason)).code();
            let row = rows().get(&code).copied().unwrap_or_default();
            assert!(row.contains(word), "{code} is said to mean {row}, and not: {word}");
        }
    }
}
