//! What sort of thing a check is: what its tool reports, and how it can be
//! made to fail on purpose.

use serde::{Deserialize, Serialize};

/// What a check looks at, as far as that decides how it is proved to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It runs tests.
    Tests(Runner),
    /// It reads code for faults of style and sense.
    Lint,
    /// It checks types.
    Types,
    /// It builds.
    Build,
    /// It measures which lines tests reach.
    Coverage(Runner),
    /// It is a program like any other.
    #[default]
    Plain,
}

impl Kind {
    /// Whether it is a program like any other.
    pub const fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    /// The runner it calls, if it calls one.
    pub const fn runner(self) -> Option<Runner> {
        match self {
            Self::Tests(runner) | Self::Coverage(runner) => Some(runner),
            Self::Lint | Self::Types | Self::Build | Self::Plain => None,
        }
    }
}

/// A program that runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// pytest.
    Pytest,
    /// Python's own unittest.
    Unittest,
    /// vitest.
    Vitest,
    /// jest.
    Jest,
    /// mocha.
    Mocha,
    /// Node's own runner.
    NodeTest,
    /// `cargo test`.
    CargoTest,
    /// `cargo nextest`.
    Nextest,
    /// `go test`.
    GoTest,
    /// Maven's surefire.
    Maven,
    /// Gradle.
    Gradle,
    /// One that is known to run tests and not known how.
    Other,
}

impl Runner {
    /// Whether tests are compiled before they run.
    pub const fn compiles(self) -> bool {
        matches!(self, Self::CargoTest | Self::Nextest | Self::GoTest)
    }

    /// Whether a failing test can be laid where it selects.
    pub const fn takes_canaries(self) -> bool {
        !matches!(self, Self::Maven | Self::Gradle | Self::Other)
    }
}

/// How a tool writes down what it saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JUnit XML, as pytest, vitest, nextest and surefire write it.
    Junit,
    /// `go test -json`.
    Go,
    /// The JSON of jest, which vitest writes too.
    Jest,
    /// What `cargo test` prints.
    Libtest,
    /// LCOV: which lines were reached.
    Lcov,
    /// SARIF: findings of any tool.
    Sarif,
    /// `cargo --message-format=json`.
    Cargo,
    /// eslint's JSON.
    Eslint,
}

impl Format {
    /// Every format with the name files give it.
    pub const ALL: [(&'static str, Self); 9] = [
        ("junit", Self::Junit),
        ("go", Self::Go),
        ("jest", Self::Jest),
        ("vitest", Self::Jest),
        ("libtest", Self::Libtest),
        ("lcov", Self::Lcov),
        ("sarif", Self::Sarif),
        ("cargo", Self::Cargo),
        ("eslint", Self::Eslint),
    ];

    /// What a report of this format tells of.
    pub const fn tells(self) -> ReportContents {
        match self {
            Self::Junit | Self::Go | Self::Jest | Self::Libtest => ReportContents::Tests,
            Self::Lcov => ReportContents::Lines,
            Self::Sarif | Self::Cargo | Self::Eslint => ReportContents::Findings,
        }
    }
}

/// What a report tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportContents {
    /// Tests and how they ended.
    Tests,
    /// Lines and how often they were reached.
    Lines,
    /// Faults that were found.
    Findings,
}

/// Which findings make a check red.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ratchet {
    /// Any.
    #[default]
    None,
    /// Those that the base does not have.
    NoNew,
}

impl Ratchet {
    /// Whether any finding makes the check red.
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}
