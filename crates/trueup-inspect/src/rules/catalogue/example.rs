//! What breaks a rule, and what does not.

use serde::Deserialize;

/// A change of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The file, where it is not the usual one of its language.
    pub path: Option<String>,
    /// What it held before; nothing where it was not there.
    pub before: Option<String>,
    /// What it holds now.
    pub after: Option<String>,
    /// Another file that is there.
    pub beside: Option<String>,
}

/// The same as a pack says it: a text alone is what a new file holds.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawExample {
    /// The content, or the path where only paths count.
    Text(String),
    /// Everything by name.
    Named(RawChange),
}

/// A change with everything by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawChange {
    path: Option<String>,
    before: Option<String>,
    after: Option<String>,
    beside: Option<String>,
}

impl RawExample {
    /// An example of what a file holds.
    pub(super) fn of_content(self) -> Example {
        match self {
            Self::Text(after) => Example {
                path: None,
                before: None,
                after: Some(after),
                beside: None,
            },
            Self::Named(change) => change.into(),
        }
    }

    /// An example of where a file lies.
    pub(super) fn of_path(self) -> Example {
        match self {
            Self::Text(path) => Example {
                path: Some(path),
                before: None,
                after: None,
                beside: None,
            },
            Self::Named(change) => change.into(),
        }
    }
}

impl From<RawChange> for Example {
    fn from(change: RawChange) -> Self {
        Self {
            path: change.path,
            before: change.before,
            after: change.after,
            beside: change.beside,
        }
    }
}
