//! What was found in a repository.

use super::folder::Folder;
use std::collections::BTreeMap;

/// Everything found, in the order a person would expect it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The tools, with the file each was recognised by.
    pub tools: Vec<Tool>,
    /// Commands that check something.
    pub commands: Vec<Command>,
    /// What must be laid ready before them.
    pub preparations: Vec<Preparation>,
    /// What is not sure, and is therefore only told.
    pub doubts: Vec<Doubt>,
}

/// A tool a project is built with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name for people: `Node with pnpm`.
    pub name: &'static str,
    /// The file that gave it away.
    pub origin: String,
}

/// What a command is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// It runs tests.
    Test,
    /// It finds faults of style.
    Lint,
    /// It checks types.
    Types,
    /// It builds.
    Build,
    /// It measures what tests reach.
    Coverage,
}

impl Purpose {
    /// The word for it, which also names the check.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Lint => "lint",
            Self::Types => "types",
            Self::Build => "build",
            Self::Coverage => "coverage",
        }
    }
}

/// A runner that a script of a package calls, and that takes the flags which
/// are typed behind the script's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptRunner {
    /// vitest.
    Vitest,
    /// jest.
    Jest,
    /// Node's own.
    Node,
    /// Mocha.
    Mocha,
    /// Bun's own.
    Bun,
}

/// A command that checks something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name among checks, `web-test`.
    pub name: String,
    /// What it is good for.
    pub purpose: Purpose,
    /// Program and arguments, typed at the tree's root.
    pub words: Vec<String>,
    /// Folders of the tree whose content makes the next time faster.
    pub cache: Vec<String>,
    /// Where it was found.
    pub origin: String,
    /// The runner its script calls last, where that takes more flags.
    pub script: Option<ScriptRunner>,
    /// How its one runner is asked for a report where flags behind the command
    /// would not reach it.
    pub reporting: Option<Reporting>,
}

/// A command that also writes a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reporting {
    /// Program and arguments, typed at the tree's root.
    pub words: Vec<String>,
    /// What the report is read as.
    pub parse: &'static str,
}

/// What must be laid ready before checks can run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preparation {
    /// Its name, `node` or `web-node`.
    pub name: String,
    /// Program and arguments, typed at the tree's root.
    pub words: Vec<String>,
    /// Files whose bytes decide whether it must run again.
    pub key: Vec<String>,
    /// What is kept of it: paths of the tree, or below the home.
    pub keep: Vec<String>,
    /// Variables it is given.
    pub env: BTreeMap<String, String>,
    /// Where it was found.
    pub origin: String,
}

/// Something that may be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The file or folder it is about.
    pub origin: String,
    /// What may be true of it, and why it is not sure.
    pub what: String,
    /// The command it would be, where it would be one.
    pub command: Option<Command>,
}

/// A tool's own way to speak of a command it found.
pub(super) struct FoundCommand<'a> {
    /// The tool's short name, for a second check of the same purpose.
    pub(super) tool: &'a str,
    pub(super) purpose: Purpose,
    pub(super) words: Vec<String>,
    pub(super) cache: Vec<String>,
    pub(super) origin: String,
}

impl Survey {
    pub(super) fn tool(&mut self, name: &'static str, origin: String) {
        self.tools.push(Tool { name, origin });
    }

    /// How much is known beyond the tools' names.
    pub(super) fn size(&self) -> usize {
        self.commands.len() + self.preparations.len() + self.doubts.len()
    }

    /// Whether it has commands that it had not before, sure or not.
    pub(super) fn offers_more_than(&self, before: &Self) -> bool {
        let maybe = |survey: &Self| survey.doubts.iter().filter(|doubt| doubt.command.is_some()).count();
        self.commands.len() > before.commands.len() || maybe(self) > maybe(before)
    }

    /// Adds a command under the first name that is free.
    pub(super) fn add(&mut self, here: &Folder<'_>, found: FoundCommand<'_>) {
        let command = self.named(here, found);
        self.commands.push(command);
    }

    /// Adds a command that is only told.
    pub(super) fn maybe(&mut self, here: &Folder<'_>, found: FoundCommand<'_>, why: &str) {
        let command = self.named(here, found);
        self.doubts.push(Doubt {
            origin: command.origin.clone(),
            what: why.to_owned(),
            command: Some(command),
        });
    }

    pub(super) fn doubt(&mut self, origin: &str, what: impl Into<String>) {
        self.doubts.push(Doubt {
            origin: origin.to_owned(),
            what: what.into(),
            command: None,
        });
    }

    /// Whether a command of this purpose was found in this folder.
    pub(super) fn has(&self, here: &Folder<'_>, purpose: Purpose) -> bool {
        let start = prefix(here);
        let name = purpose.word();
        self.commands
            .iter()
            .any(|command| command.purpose == purpose && command.name == format!("{start}{name}"))
    }

    fn named(&self, here: &Folder<'_>, found: FoundCommand<'_>) -> Command {
        let (start, word) = (prefix(here), found.purpose.word());
        let plain = format!("{start}{word}");
        let by_tool = format!("{start}{}-{word}", found.tool);
        let free = |name: &String| self.commands.iter().all(|command| command.name != *name);
        let counted = (2..).map(|number| format!("{by_tool}-{number}"));
        let name = [plain, by_tool.clone()].into_iter().chain(counted).find(free);
        Command {
            name: name.unwrap_or_default(),
            purpose: found.purpose,
            words: found.words,
            cache: found.cache,
            origin: found.origin,
            script: None,
            reporting: None,
        }
    }

    pub(super) fn prepare(&mut self, here: &Folder<'_>, preparation: Preparation) {
        self.preparations.push(Preparation {
            name: format!("{}{}", prefix(here), preparation.name),
            ..preparation
        });
    }
}

/// A folder's name as the beginning of a check's: `apps/web` is `apps-web-`.
fn prefix(here: &Folder<'_>) -> String {
    if here.is_root() {
        return String::new();
    }
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = here.folder.chars().map(letter).collect();
    format!("{name}-")
}
