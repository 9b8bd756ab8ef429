//! What an agent printed, read line by line: for a page, and for whoever
//! watches.

use super::{
    plain,
    words::{fence, first_characters, one_line},
};
use crate::{
    agent::{
        dialogue::{Act, Dialogue},
        fact::{Fact, ToolResult},
    },
    sandbox::HowEnded,
};
use serde_json::Value;
use std::fmt::{self, Write};
use trueup_core::usage::Usage;

/// How many characters of one thing are shown in one line.
const IN_A_LINE: usize = 300;

/// Something an agent printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// What a line of a known language means.
    Fact(Fact),
    /// What a tool returned to it, in the same languages.
    Returned {
        /// Which use of a tool.
        id: String,
        /// All of it.
        text: String,
    },
    /// A line of no known language.
    Printed(String),
}

/// Reads what an agent prints. Agents of a known kind print JSON lines; what
/// is no JSON object is shown as it is, whoever printed it.
#[derive(Default)]
pub struct Reader {
    dialogue: Option<Box<dyn Dialogue>>,
    /// The beginning of a line that has not ended yet.
    rest: Vec<u8>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("rest", &self.rest.len())
            .finish_non_exhaustive()
    }
}

impl Reader {
    /// A reader of what is said in this dialogue.
    pub fn of(dialogue: Box<dyn Dialogue>) -> Self {
        Self {
            dialogue: Some(dialogue),
            rest: Vec::new(),
        }
    }

    /// Everything in these bytes, whose last line may have no end.
    pub fn read(mut self, bytes: &[u8]) -> Vec<Printed> {
        let mut said = self.hear(bytes);
        said.extend(self.finish());
        said
    }

    /// What the call that printed these bytes cost, as far as it told, also
    /// where it was killed in the middle of a line.
    pub fn cost(mut self, bytes: &[u8]) -> Usage {
        drop(self.hear(bytes));
        drop(self.finish());
        let finished = self
            .dialogue
            .map(|mut dialogue| dialogue.finish(&HowEnded::Dismissed, b""));
        finished.map(|finish| finish.usage).unwrap_or_default()
    }

    /// The line that has not ended, where nothing more will come.
    pub fn finish(&mut self) -> Vec<Printed> {
        let rest = std::mem::take(&mut self.rest);
        if rest.is_empty() {
            return Vec::new();
        }
        self.line(&rest)
    }

    /// The lines that these bytes complete.
    pub fn hear(&mut self, bytes: &[u8]) -> Vec<Printed> {
        self.rest.extend_from_slice(bytes);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Vec::new();
        };
        let after = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, after);
        let lines = whole.strip_suffix(b"\n").unwrap_or(&whole);
        lines
            .split(|byte| *byte == b'\n')
            .flat_map(|line| self.line(line))
            .collect()
    }

    fn line(&mut self, line: &[u8]) -> Vec<Printed> {
        let printed = || vec![Printed::Printed(plain(line))];
        let Ok(value @ Value::Object(_)) = serde_json::from_slice(line) else {
            return printed();
        };
        if self.dialogue.is_none() {
            self.dialogue = super::language::dialogue_of(&value);
        }
        let Some(dialogue) = &mut self.dialogue else {
            return printed();
        };
        let returned = super::language::returned(&value).into_iter();
        let returned = returned.map(|(id, text)| Printed::Returned { id, text });
        let facts = dialogue.hear(line).into_iter().filter_map(|act| match act {
            Act::Fact(fact) => Some(Printed::Fact(fact)),
            Act::Say(_) | Act::HangUp | Act::End => None,
        });
        facts.chain(returned).collect()
    }
}

impl Printed {
    /// It as one line for whoever watches; nothing where it says nothing.
    pub fn line(&self) -> Option<String> {
        let cut = |text: &str| first_characters(&one_line(&plain(text.as_bytes())), IN_A_LINE);
        let line = match self {
            Self::Printed(text) => plain(text.as_bytes()),
            Self::Returned { text, .. } => format!("    {}", cut(text)),
            Self::Fact(Fact::Began(began)) => {
                let known = [&began.model, &began.version];
                let known: Vec<String> = known.into_iter().flatten().map(|word| cut(word)).collect();
                format!("began {}", known.join(" · ")).trim_end().to_owned()
            }
            Self::Fact(Fact::Spoke(text)) => plain(text.as_bytes()),
            Self::Fact(Fact::ToolBegan { name, about, .. }) => format!("→ {} {}", cut(name), cut(about)),
            Self::Fact(Fact::ToolEnded {
                worked: ToolResult::No, ..
            }) => "← did not work".into(),
            Self::Fact(Fact::Denied { what }) => format!("denied: {}", cut(what)),
            Self::Fact(Fact::Retries { why, status, .. }) => {
                let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
                format!("tries again: {}{status}", cut(why))
            }
            Self::Fact(
                Fact::Asked
                | Fact::Streamed
                | Fact::ToolEnded {
                    worked: ToolResult::Yes,
                    ..
                }
                | Fact::Changed(_)
                | Fact::Used(_)
                | Fact::Unknown,
            ) => return None,
        };
        (!line.trim().is_empty()).then_some(line)
    }
}

/// All of it as Markdown. Whatever an agent says is quoted, so that none of
/// its lines can pass for one of ours.
pub fn markdown(said: &[Printed]) -> String {
    let mut text = String::new();
    let mut printed = String::new();
    for said in said {
        if let Printed::Printed(line) = said {
            printed.push_str(line);
            printed.push('\n');
            continue;
        }
        push_fenced(&mut text, &std::mem::take(&mut printed));
        push(&mut text, said);
    }
    push_fenced(&mut text, &printed);
    text
}

fn push(text: &mut String, said: &Printed) {
    // Writing to a String cannot fail; the result is the trait's, not ours.
    let written = match said {
        Printed::Printed(_) => Ok(()),
        Printed::Returned { text: returned, .. } => {
            push_fenced(text, &plain(returned.as_bytes()));
            Ok(())
        }
        Printed::Fact(Fact::Spoke(spoken)) => {
            let spoken = plain(spoken.as_bytes());
            let quoted: Vec<String> = spoken.lines().map(|line| format!("> {line}")).collect();
            writeln!(text, "{}\n", quoted.join("\n"))
        }
        Printed::Fact(Fact::ToolBegan { name, about, .. }) => {
            writeln!(text, "**{}** {}\n", word(name), code(about))
        }
        Printed::Fact(Fact::ToolEnded {
            worked: ToolResult::No, ..
        }) => writeln!(text, "*It did not work.*\n"),
        Printed::Fact(Fact::Denied { what }) => writeln!(text, "*Denied:* {}\n", code(what)),
        Printed::Fact(Fact::Retries { why, .. }) => writeln!(text, "*Tries again:* {}\n", code(why)),
        Printed::Fact(
            Fact::Began(_)
            | Fact::Asked
            | Fact::Streamed
            | Fact::ToolEnded {
                worked: ToolResult::Yes,
                ..
            }
            | Fact::Changed(_)
            | Fact::Used(_)
            | Fact::Unknown,
        ) => Ok(()),
    };
    written.unwrap_or_default();
}

/// A quotation that nothing in it can end.
pub(super) fn push_fenced(text: &mut String, quoted: &str) {
    let quoted = quoted.trim_end();
    if !quoted.is_empty() {
        let fence = fence(quoted);
        text.push_str(&format!("{fence}\n{quoted}\n{fence}\n\n"));
    }
}

/// A word without any meaning to Markdown.
fn word(text: &str) -> String {
    let text = one_line(&plain(text.as_bytes()));
    text.replace(|c: char| !(c.is_alphanumeric() || "_-.:/ ".contains(c)), "")
}

/// A line as code that nothing in it can end.
pub(super) fn code(text: &str) -> String {
    let text = one_line(&plain(text.as_bytes()));
    if text.is_empty() {
        return text;
    }
    match text.contains('`') {
        true => format!("{0} {text} {0}", fence(&text)),
        false => format!("`{text}`"),
    }
}
