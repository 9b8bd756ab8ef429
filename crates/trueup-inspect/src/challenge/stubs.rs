//! Functions of a tree that are taken away.

use super::step::{Layout, On, Overlay};
use crate::code::{self, Stub};
use std::collections::BTreeSet;

/// A file, its text, and some of its functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Functions {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) names: Vec<String>,
}

impl Functions {
    /// Each of them, with the file that it lies in.
    pub(super) fn located(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| format!("{name} in {}", self.path))
    }

    /// Those that are called by one of these names, each alone.
    pub(super) fn called_alone(&self, calls: &BTreeSet<String>) -> impl Iterator<Item = Self> {
        let called = self.names.iter().filter(|name| is_called_by(name, calls));
        called.map(|name| Self {
            path: self.path.clone(),
            text: self.text.clone(),
            names: vec![name.clone()],
        })
    }
}

/// What becomes of functions that are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss<'a> {
    /// They fail, and this word appears in the failure.
    Fails(&'a str),
    /// They give a default value.
    Defaults,
    /// They give a value that nobody asks for.
    Mistakes,
}

/// The tree with these functions taken away; nothing where none can be.
pub(super) fn stubs(functions: &[Functions], loss: Loss<'_>) -> Option<Layout> {
    let token;
    let stub = match loss {
        Loss::Fails(word) => {
            token = format!("trueup_stub_{word}");
            Stub::Failing(&token)
        }
        Loss::Defaults => Stub::Defaulting,
        Loss::Mistakes => Stub::Mistaken,
    };
    let (mut files, mut about) = (Vec::new(), Vec::new());
    for Functions { path, text, names } in functions {
        let stubbed = code::stub(path, text, names, stub);
        if let Some(stubbed) = stubbed.filter(|stubbed| !stubbed.functions.is_empty()) {
            about.extend(stubbed.functions.iter().map(|name| format!("{name} in {path}")));
            files.push(Overlay::text(path, stubbed.source));
        }
    }
    let layout = Layout {
        about,
        ..Layout::of(On::Tree, files)
    };
    (!layout.files.is_empty()).then_some(layout)
}

/// Whether one of these names calls a function: its own, or that of the class
/// that it makes.
pub(super) fn is_called_by(function: &str, calls: &BTreeSet<String>) -> bool {
    let mut parts = function.rsplit(['.', ':']).filter(|part| !part.is_empty());
    let (last, class) = (parts.next().unwrap_or_default(), parts.next());
    let makes = matches!(last, "__init__" | "__new__" | "constructor" | "new");
    calls.contains(last) || (makes && class.is_some_and(|class| calls.contains(class)))
}
