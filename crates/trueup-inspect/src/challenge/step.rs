//! What a plan is made from, and what it asks for.

use crate::{
    changes::{ChangedFile, Side},
    rules::Equipped,
};
use std::collections::BTreeMap;
use trueup_core::judge::Trial;

/// What a plan has to know before it can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// What these files of the tree hold.
    Read(Vec<String>),
    /// What the check does on each of these trees.
    Run(Vec<Layout>),
}

/// What several parts of a plan ask for, so that it is done at once.
#[derive(Debug, Default)]
pub(super) struct Asked(Option<Ask>);

impl Asked {
    /// What a part came to; what it asks for instead is noted.
    pub(super) fn note<T>(&mut self, part: Result<T, Ask>) -> Option<T> {
        part.map_err(|ask| self.add(ask)).ok()
    }

    fn add(&mut self, ask: Ask) {
        match (&mut self.0, ask) {
            (Some(Ask::Read(paths)), Ask::Read(more)) => paths.extend(more),
            (Some(Ask::Run(layouts)), Ask::Run(more)) => {
                for layout in more {
                    if !layouts.iter().any(|known| known.name == layout.name) {
                        layouts.push(layout);
                    }
                }
            }
            // What files hold may change what is tried.
            (Some(Ask::Read(_)), Ask::Run(_)) => {}
            (none_or_run, ask) => *none_or_run = Some(ask),
        }
    }

    /// An end of the plan for now, where anything was asked for.
    pub(super) fn all_known(self) -> Result<(), Ask> {
        self.0.map_or(Ok(()), Err)
    }
}

/// A sabotaged tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// By which name the trial is found again.
    pub name: String,
    /// The tree that is laid first.
    pub on: On,
    /// What is laid over it.
    pub files: Vec<Overlay>,
    /// What is looked for in what the program prints; nothing where it is empty.
    pub token: String,
    /// To what it was done: tests, functions.
    pub about: Vec<String>,
    /// The command that is run in the place of the check's own: the same, for
    /// some of its tests.
    pub argv: Option<Vec<String>>,
    /// Variables that it finds besides those of every check; they win over those.
    pub variables: BTreeMap<String, String>,
    /// How long it may take, where that is known to be many times what the same
    /// command takes on the tree. What takes longer does not end.
    pub patience_ms: Option<u64>,
}

impl Layout {
    /// A tree with these files laid over it.
    pub(super) const fn of(on: On, files: Vec<Overlay>) -> Self {
        Self {
            name: String::new(),
            on,
            files,
            token: String::new(),
            about: Vec::new(),
            argv: None,
            variables: BTreeMap::new(),
            patience_ms: None,
        }
    }

    /// Has this command run, with what it needs.
    pub(super) fn equip(&mut self, command: Equipped) {
        self.argv = Some(command.argv);
        self.variables.extend(command.variable);
        let file = command.file.map(|(path, text)| Overlay::text(&path, text));
        self.files.extend(file);
    }
}

/// Which tree is laid first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The one that will be delivered.
    Tree,
    /// The one the work started from.
    Base,
}

/// A file that is laid over a tree's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Where.
    pub path: String,
    /// What it holds; nothing where it is taken away.
    pub bytes: Option<Vec<u8>>,
}

impl Overlay {
    /// A file with this text.
    pub fn text(path: &str, text: String) -> Self {
        Self {
            path: path.to_owned(),
            bytes: Some(text.into_bytes()),
        }
    }

    /// A file as it is in one of two trees; where it is not there, it is taken away.
    pub fn of(file: &ChangedFile, side: Side) -> Self {
        Self {
            path: file.path.clone(),
            bytes: file.bytes(side).map(<[u8]>::to_vec),
        }
    }
}

/// A sabotaged tree, and what the check did on it.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The tree.
    pub layout: Layout,
    /// What was seen.
    pub trial: Trial,
}

/// What was learnt so far for one probe.
#[derive(Debug, Default)]
pub struct ProbeFindings {
    /// A word of letters and digits that nobody can guess, another one each
    /// time a plan is made.
    pub word: String,
    /// What files of the tree hold; nothing of those that are no text.
    pub texts: BTreeMap<String, Option<String>>,
    /// What was tried, by the names of the layouts.
    pub attempts: BTreeMap<String, Attempt>,
}
