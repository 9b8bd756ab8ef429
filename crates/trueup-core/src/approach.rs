//! Kinds of error, and what somebody experienced tries next for each.

use serde::{Deserialize, Serialize};

/// Which kind of error a red check tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// Something that the code uses is not installed, or not found.
    Import,
    /// A value is not of the type that is asked for.
    Type,
    /// A test expects something else.
    Test,
    /// A file cannot be read as code.
    Syntax,
    /// A linter or a formatter does not like how it is written.
    Lint,
    /// Something took longer than it may.
    Timeout,
    /// The machine lacks or refuses something.
    Environment,
    /// A tool that looks for holes or secrets reports one.
    Security,
    /// A tool says that data would be dropped or overwritten.
    DataLoss,
    /// It is told, and of no kind that is known.
    Unknown,
}

/// One way to go at an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approach {
    /// Its name, which never changes: `import/dependency`.
    pub id: &'static str,
    /// What to do, in a sentence to whoever does the work.
    pub says: &'static str,
    /// How likely it helps, of a hundred.
    pub confidence: u8,
}

const fn approach(confidence: u8, id: &'static str, says: &'static str) -> Approach {
    Approach { id, says, confidence }
}

const IMPORT: &[Approach] = &[
    approach(
        80,
        "import/dependency",
        "Find out whether a dependency is missing: declare it in the manifest, in the version that the lock file or the neighbours use.",
    ),
    approach(
        65,
        "import/name",
        "Compare the imported name and path letter by letter with where it is defined and exported; add the export or correct the import.",
    ),
    approach(
        50,
        "import/layout",
        "Check from which folder the check runs and what it puts on the search path, and place or register the file where that looks.",
    ),
    approach(
        35,
        "import/cycle",
        "Look for two modules that import each other, and move what both need into a third.",
    ),
    approach(
        25,
        "import/without",
        "Do without the missing thing: use the standard library or what the repository already has.",
    ),
];

const TYPE: &[Approach] = &[
    approach(
        70,
        "type/definitions",
        "Review the type definitions on both sides of the error and correct the one that is wrong, not the place that complains.",
    ),
    approach(
        60,
        "type/missing-value",
        "Follow the value back to where it can be missing (None, null, undefined, an empty result) and treat that case there.",
    ),
    approach(
        50,
        "type/signature",
        "Find every caller of the function whose signature changed, and bring all of them in line.",
    ),
    approach(
        40,
        "type/convert",
        "Convert the value once, where it enters, and hand on the converted type from there.",
    ),
    approach(
        25,
        "type/smaller",
        "Take back the last change of types and make it again in smaller steps, with the checker run after each.",
    ),
];

const TEST: &[Approach] = &[
    approach(
        60,
        "test/expectation",
        "Review what the test expects against the criterion, and whether something asynchronous is awaited before it is compared.",
    ),
    approach(
        55,
        "test/trace",
        "Run the one failing test alone, print the values on the way, and find the first place where one is not as it should be.",
    ),
    approach(
        45,
        "test/boundary",
        "Look at the boundaries of the case: empty, zero, one, negative, last, duplicate, another order, another time zone.",
    ),
    approach(
        35,
        "test/shared-state",
        "Look for state that tests share (files, globals, caches, clocks, order of running) and give each test its own.",
    ),
    approach(
        25,
        "test/other-design",
        "Put the present solution aside and write the simplest one that meets the criterion, along another one of the repository.",
    ),
];

const SYNTAX: &[Approach] = &[
    approach(
        85,
        "syntax/place",
        "Open the file at the reported line and the ten above it, and close what was opened: bracket, quote, block, indentation.",
    ),
    approach(
        55,
        "syntax/version",
        "Check which version of the language reads the file, and spell it in what that version knows.",
    ),
    approach(
        45,
        "syntax/leftover",
        "Look for leftovers of editing: conflict markers, a half-applied patch, prose or fences between the code.",
    ),
    approach(
        30,
        "syntax/rewrite",
        "Take the file as it was on the base and make the change anew in small steps.",
    ),
];

const LINT: &[Approach] = &[
    approach(
        85,
        "lint/fix",
        "Run the linter's or formatter's own fix on the changed files, and read what it changed.",
    ),
    approach(
        70,
        "lint/rule",
        "Read what the named rule asks for and restructure the code so that it holds; do not silence it.",
    ),
    approach(
        45,
        "lint/neighbours",
        "See how the neighbouring files are written where the rule applies, and write it alike.",
    ),
    approach(25, "lint/less", "Remove what is reported: unused code needs no repair."),
];

const TIMEOUT: &[Approach] = &[
    approach(
        60,
        "timeout/awaited",
        "Find what is waited for and never comes: a promise, a lock, a channel, a process, an answer that nobody sends.",
    ),
    approach(
        50,
        "timeout/endless",
        "Check that every loop and recursion on the way ends, with the smallest input that hangs.",
    ),
    approach(
        40,
        "timeout/cost",
        "Measure where the time goes, and replace what grows faster than its input.",
    ),
    approach(
        35,
        "timeout/outside",
        "Replace what the test waits for outside (network, sleep, real time) by something that answers at once.",
    ),
];

const ENVIRONMENT: &[Approach] = &[
    approach(
        60,
        "environment/declared",
        "Declare what is missing where the project declares its tools and preparations, instead of relying on the machine.",
    ),
    approach(
        50,
        "environment/inside",
        "Keep to what a check may use: files below its own tree and temporary folder, a free port, no network.",
    ),
    approach(
        40,
        "environment/other-tool",
        "Reach the same with a tool that is there.",
    ),
    approach(
        25,
        "environment/smaller",
        "Use less of the machine: smaller data, fewer processes at once, files closed as soon as they are read.",
    ),
];

const SECURITY: &[Approach] = &[
    approach(
        60,
        "security/upgrade",
        "Raise the named dependency to the first version without the hole, and nothing else.",
    ),
    approach(
        50,
        "security/remove",
        "Take the secret or the dangerous call out, and read the value from where the project keeps its secrets.",
    ),
    approach(
        30,
        "security/person",
        "Leave it as it is and have a person weigh the finding: whether it applies here, and whether a secret must be revoked.",
    ),
];

const DATA_LOSS: &[Approach] = &[
    approach(
        50,
        "data-loss/additive",
        "Change the plan so that it only adds: a new column or file beside the old, data copied over, nothing dropped.",
    ),
    approach(
        40,
        "data-loss/steps",
        "Split it into steps of which each can be taken back, with the dropping step last and left to a person.",
    ),
    approach(
        30,
        "data-loss/person",
        "Leave the data alone and have a person say whether it may go, and where its backup is.",
    ),
];

const UNKNOWN: &[Approach] = &[
    approach(
        40,
        "unknown/read",
        "Run the failing check yourself, read all that it prints from the first error on, and look each message up in the sources that print it.",
    ),
    approach(
        35,
        "unknown/smallest",
        "Make the failure as small as possible: leave things out until it is gone, and look at what was left out last.",
    ),
    approach(
        30,
        "unknown/difference",
        "Compare with the base, where this check did something else: take the change back half by half until the error turns.",
    ),
];

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Import,
        Self::Type,
        Self::Test,
        Self::Syntax,
        Self::Lint,
        Self::Timeout,
        Self::Environment,
        Self::Security,
        Self::DataLoss,
        Self::Unknown,
    ];

    /// What is tried for it, the likeliest first.
    pub const fn approaches(self) -> &'static [Approach] {
        match self {
            Self::Import => IMPORT,
            Self::Type => TYPE,
            Self::Test => TEST,
            Self::Syntax => SYNTAX,
            Self::Lint => LINT,
            Self::Timeout => TIMEOUT,
            Self::Environment => ENVIRONMENT,
            Self::Security => SECURITY,
            Self::DataLoss => DATA_LOSS,
            Self::Unknown => UNKNOWN,
        }
    }

    /// The kind in words, as a sentence for a person needs it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Import => "something that is used is not installed or not found",
            Self::Type => "a value is not of the type that is asked for",
            Self::Test => "a test expects something else",
            Self::Syntax => "a file cannot be read as code",
            Self::Lint => "a linter or formatter objects",
            Self::Timeout => "something took longer than it may",
            Self::Environment => "the machine lacks or refuses something",
            Self::Security => "a tool reports a security hole or a secret",
            Self::DataLoss => "a tool says that data would be lost",
            Self::Unknown => "the error is of no known kind",
        }
    }
}

impl Approach {
    /// The approach that is called so.
    pub fn called(id: &str) -> Option<&'static Self> {
        let all = ErrorKind::ALL.into_iter().flat_map(ErrorKind::approaches);
        all.into_iter().find(|approach| approach.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::{Approach, ErrorKind};
    use alloc::{collections::BTreeSet, format, string::String};

    #[test]
    fn every_kind_has_at_least_three_approaches_the_likeliest_first_each_with_its_own_id() {
        let mut ids = BTreeSet::new();
        for kind in ErrorKind::ALL {
            let approaches = kind.approaches();
            assert!(approaches.len() >= 3, "{kind:?}");
            assert!(
                approaches.is_sorted_by(|one, next| one.confidence > next.confidence),
                "{kind:?}"
            );
            let name: String = serde_json::to_string(&kind).expect("JSON");
            let begin = format!("{}/", name.trim_matches('"').replace('_', "-"));
            for approach in approaches {
                assert!(approach.id.starts_with(&begin), "{}", approach.id);
                assert!(
                    approach.confidence <= 100 && approach.says.ends_with('.'),
                    "{}",
                    approach.id
                );
                assert!(ids.insert(approach.id), "{}", approach.id);
                assert_eq!(Approach::called(approach.id), Some(approach));
            }
        }
        assert_eq!(Approach::called("import/nothing"), None);
    }

    #[test]
    fn the_first_approaches_are_those_that_are_known_to_help_most_often() {
        let first = |kind: ErrorKind| kind.approaches().first().map(|first| (first.id, first.confidence));
        assert_eq!(first(ErrorKind::Import), Some(("import/dependency", 80)));
        assert_eq!(first(ErrorKind::Type), Some(("type/definitions", 70)));
        assert_eq!(first(ErrorKind::Test), Some(("test/expectation", 60)));
    }
}
