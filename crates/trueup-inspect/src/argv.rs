//! A command line as words, split the way a shell would without expanding.
//!
//! Commands are executed without a shell. A line that would mean something
//! else in a shell is therefore refused, never run with a different meaning.

/// Why a line is no plain command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordProblem {
    /// There is no word at all.
    #[error("the command is empty")]
    Empty,
    /// A quote is opened and never closed.
    #[error("the quote {0} is never closed")]
    Unbalanced(char),
    /// The line ends with a backslash that escapes nothing.
    #[error("the line ends with a lone backslash")]
    LoneBackslash,
    /// A character means something to a shell, and there is none.
    #[error("the unquoted {} means something only to a shell, and commands run without one", spelled(*.0))]
    Shell(char),
    /// The line begins by setting a variable.
    #[error("`{0}=` before the command means something only to a shell, and commands run without one")]
    Assignment(String),
    /// No program can be given this character.
    #[error("the character {} cannot be part of a command", spelled(*.0))]
    Unprintable(char),
}

impl WordProblem {
    /// What to write instead.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Shell(_) => {
                Some("write `bash -o pipefail -c '…'`, or quote the character if it is meant literally".into())
            }
            Self::Assignment(name) => Some(format!("write `env {name}=… command`, or `bash -o pipefail -c '…'`")),
            Self::Empty => Some("write a program and its arguments".into()),
            Self::Unbalanced(_) | Self::LoneBackslash | Self::Unprintable(_) => None,
        }
    }
}

fn spelled(character: char) -> String {
    if character.is_control() {
        format!("{}", character.escape_default())
    } else {
        format!("`{character}`")
    }
}

/// A line that [`words`] reads as just these words.
pub fn line(words: &[String]) -> String {
    let quoted = words.iter().enumerate().map(|(at, word)| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@%".contains(c) || c == '=' && at > 0;
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The words of a command line. Quotes and backslashes work as in a POSIX
/// shell; everything a shell would expand, redirect or chain is refused.
pub fn words(line: &str) -> Result<Vec<String>, WordProblem> {
    let mut characters = line.chars().peekable();
    let mut words: Vec<String> = Vec::new();
    loop {
        while characters.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        if characters.peek().is_none() {
            break;
        }
        let word = Word::read(&mut characters)?;
        if words.is_empty()
            && let Some(name) = word.assignment()
        {
            return Err(WordProblem::Assignment(name.to_owned()));
        }
        words.push(word.text);
    }
    // A program without a name cannot be meant either.
    if words.first().is_none_or(String::is_empty) {
        return Err(WordProblem::Empty);
    }
    Ok(words)
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// One word, with what its unquoted part would mean to a shell.
#[derive(Default)]
struct Word {
    text: String,
    /// How many bytes at its beginning were neither quoted nor escaped.
    plain_prefix: Option<usize>,
    /// The unquoted characters alone, for judging braces and lone marks.
    bare: String,
}

impl Word {
    fn read(characters: &mut Characters<'_>) -> Result<Self, WordProblem> {
        let mut word = Self::default();
        while let Some(character) = characters.next_if(|c| !matches!(c, ' ' | '\t')) {
            match character {
                '\'' => word.single_quoted(characters)?,
                '"' => word.double_quoted(characters)?,
                '\\' => word.escaped(characters)?,
                _ => word.plain(character)?,
            }
        }
        word.judge()?;
        Ok(word)
    }

    fn plain(&mut self, character: char) -> Result<(), WordProblem> {
        let begins = self.text.is_empty() && self.plain_prefix.is_none();
        match character {
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' | '\n' => {
                Err(WordProblem::Shell(character))
            }
            '~' | '#' if begins => Err(WordProblem::Shell(character)),
            _ if character.is_control() => Err(WordProblem::Unprintable(character)),
            _ => {
                self.bare.push(character);
                self.push(character)
            }
        }
    }

    fn single_quoted(&mut self, characters: &mut Characters<'_>) -> Result<(), WordProblem> {
        self.end_plain_prefix();
        loop {
            match characters.next().ok_or(WordProblem::Unbalanced('\''))? {
                '\'' => return Ok(()),
                character => self.push(character)?,
            }
        }
    }

    fn double_quoted(&mut self, characters: &mut Characters<'_>) -> Result<(), WordProblem> {
        self.end_plain_prefix();
        loop {
            match characters.next().ok_or(WordProblem::Unbalanced('"'))? {
                '"' => return Ok(()),
                character @ ('$' | '`') => return Err(WordProblem::Shell(character)),
                '\\' => match characters.next().ok_or(WordProblem::Unbalanced('"'))? {
                    '\n' => {}
                    escaped @ ('$' | '`' | '"' | '\\') => self.push(escaped)?,
                    // Before any other character the backslash stands for itself.
                    other => {
                        self.push('\\')?;
                        self.push(other)?;
                    }
                },
                character => self.push(character)?,
            }
        }
    }

    fn escaped(&mut self, characters: &mut Characters<'_>) -> Result<(), WordProblem> {
        self.end_plain_prefix();
        match characters.next().ok_or(WordProblem::LoneBackslash)? {
            '\n' => Ok(()),
            character => self.push(character),
        }
    }

    fn push(&mut self, character: char) -> Result<(), WordProblem> {
        if character == '\0' {
            return Err(WordProblem::Unprintable(character));
        }
        self.text.push(character);
        Ok(())
    }

    fn end_plain_prefix(&mut self) {
        if self.plain_prefix.is_none() {
            self.plain_prefix = Some(self.text.len());
        }
    }

    /// What only the whole word shows: a negation, or braces that would expand.
    fn judge(&self) -> Result<(), WordProblem> {
        if self.text == "!" && self.bare == "!" {
            return Err(WordProblem::Shell('!'));
        }
        let inside = self.bare.find('{').and_then(|open| {
            let rest = self.bare.get(open + 1..)?;
            rest.get(..rest.rfind('}')?)
        });
        match inside {
            Some(inside) if inside.contains(',') || inside.contains("..") => Err(WordProblem::Shell('{')),
            Some(_) | None => Ok(()),
        }
    }

    /// The variable this word would set if it stood before a command.
    fn assignment(&self) -> Option<&str> {
        let plain = self.text.get(..self.plain_prefix.unwrap_or(self.text.len()))?;
        let (name, _) = plain.split_once('=')?;
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let named = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (begins && named).then_some(name)
    }
}
