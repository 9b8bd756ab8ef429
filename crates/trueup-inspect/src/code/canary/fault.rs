//! The ways in which a laid test fails.

use trueup_core::kind::Runner;

/// Why a test that is laid fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The runner's own assertion says that two numbers are not equal.
    Unequal,
    /// The runner's own assertion says that two objects are not alike.
    Unlike,
    /// It ends by a failure of its own.
    Thrown,
}

impl Fault {
    /// Every way in which tests of a runner commonly fail, the most telling
    /// first: what only throws tells nothing of assertions.
    pub const fn of(runner: Runner) -> &'static [Self] {
        match runner {
            Runner::Vitest | Runner::Jest | Runner::Mocha | Runner::NodeTest => {
                &[Self::Unequal, Self::Unlike, Self::Thrown]
            }
            Runner::Pytest
            | Runner::Unittest
            | Runner::CargoTest
            | Runner::Nextest
            | Runner::GoTest
            | Runner::Maven
            | Runner::Gradle
            | Runner::Other => &[Self::Unequal, Self::Thrown],
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Unequal => "Unequal",
            Self::Unlike => "Unlike",
            Self::Thrown => "Thrown",
        }
    }
}
