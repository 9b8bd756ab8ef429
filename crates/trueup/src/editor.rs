//! The person's own editor, where somebody sits at a terminal.

use crate::{args::Global, project::Project, render, task::TaskFile};
use std::{
    io::{self, IsTerminal},
    process::Command,
};
use trueup_inspect::argv;

/// Where people say which editor they use, the first that is set.
const VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];

/// An editor that can be opened now.
pub(crate) struct Editor {
    /// The program, with the arguments it is always given.
    words: Vec<String>,
}

/// Whether a person is here to read, write and answer.
pub(crate) fn somebody_is_here(global: &Global) -> bool {
    !global.json && io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

impl Editor {
    /// The editor of whoever sits here; none where nobody does, or where none
    /// is named. No shell is asked what its name means.
    pub(crate) fn here(project: &Project, global: &Global) -> Option<Self> {
        if !somebody_is_here(global) {
            return None;
        }
        let mut set = VARIABLES.into_iter().filter_map(|name| project.environment.get(name));
        let line = set.find(|line| !line.trim().is_empty())?;
        match argv::words(line) {
            Ok(words) => Some(Self { words }),
            Err(problem) => {
                render::note(&format!("`{line}` cannot be called as an editor: {problem}"));
                None
            }
        }
    }

    /// Opens a file, and waits until the person is done with it.
    pub(crate) fn open(&self, project: &Project, file: &TaskFile) {
        let (program, arguments) = self.words.split_first().unzip();
        let mut editor = Command::new(program.map_or("", String::as_str));
        editor.args(arguments.unwrap_or_default()).arg(&file.path);
        let what = match editor.current_dir(&project.checkout).status() {
            Ok(status) if status.success() => return,
            Ok(status) => format!("The editor ended with {status}."),
            Err(error) => format!("The editor `{}` cannot be started: {error}.", argv::line(&self.words)),
        };
        render::note(&what);
    }

    /// What a person types to open the file again.
    pub(crate) fn typed(&self, file: &TaskFile) -> String {
        let words = [self.words.as_slice(), std::slice::from_ref(&file.name)].concat();
        argv::line(&words)
    }
}
