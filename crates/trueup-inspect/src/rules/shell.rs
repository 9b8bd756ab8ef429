//! Shell text as the commands in it.
//!
//! This reads what a shell would run, not how: chains, pipes, subshells and
//! substitutions all come down to a list of commands, redirections are left
//! out. Text that no shell would accept still gives some list.

/// Words that stand before a command without being one.
const KEYWORDS: [&str; 16] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time", "done", "fi", "esac", "eval", "exec",
];

/// The commands in shell text, each as its words.
pub(super) fn commands(text: &str) -> Vec<Vec<String>> {
    let mut reader = Reader::default();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match reader.now.quote {
            Some(quote) => reader.quoted(quote, character, &mut characters),
            None => reader.plain(character, &mut characters),
        }
    }
    // What was left open is read as if it had been closed.
    reader.end_command();
    while reader.close() {
        reader.end_command();
    }
    reader.commands
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

#[derive(Default)]
struct Reader {
    commands: Vec<Vec<String>>,
    now: Frame,
    /// What goes on after the substitutions and subshells now open.
    outer: Vec<Frame>,
}

#[derive(Default)]
struct Frame {
    quote: Option<char>,
    words: Vec<String>,
    word: Option<String>,
    /// The next word is where something is redirected to.
    redirects: bool,
}

impl Reader {
    fn push(&mut self, character: char) {
        self.now.word.get_or_insert_default().push(character);
    }

    fn quoted(&mut self, quote: char, character: char, characters: &mut Characters<'_>) {
        match character {
            _ if character == quote => self.now.quote = None,
            '\\' if quote == '"' => {
                if let Some(next) = characters.next() {
                    self.push(next);
                }
            }
            '$' if quote == '"' && characters.next_if_eq(&'(').is_some() => self.open(),
            _ => self.push(character),
        }
    }

    fn plain(&mut self, character: char, characters: &mut Characters<'_>) {
        match character {
            '\\' => {
                if let Some(next) = characters.next().filter(|next| *next != '\n') {
                    self.push(next);
                }
            }
            '\'' | '"' => {
                self.now.word.get_or_insert_default();
                self.now.quote = Some(character);
            }
            '#' if self.now.word.is_none() => while characters.next_if(|c| *c != '\n').is_some() {},
            '$' if characters.next_if_eq(&'(').is_some() => self.open(),
            '(' => {
                self.end_command();
                self.open();
            }
            ')' => {
                self.end_command();
                self.close();
            }
            ';' | '&' | '|' | '\n' | '`' => self.end_command(),
            '>' | '<' => self.redirect(characters),
            ' ' | '\t' | '\r' => self.end_word(),
            _ => self.push(character),
        }
    }

    fn open(&mut self) {
        self.outer.push(std::mem::take(&mut self.now));
    }

    fn close(&mut self) -> bool {
        let Some(outer) = self.outer.pop() else { return false };
        self.now = outer;
        true
    }

    fn redirect(&mut self, characters: &mut Characters<'_>) {
        // The digits before an arrow name a stream, they are no word.
        let is_stream = |word: &String| word.chars().all(|c| c.is_ascii_digit());
        if self.now.word.as_ref().is_some_and(is_stream) {
            self.now.word = None;
        }
        self.end_word();
        while characters.next_if(|c| matches!(c, '>' | '<' | '&' | '|')).is_some() {}
        self.now.redirects = true;
    }

    fn end_word(&mut self) {
        if let Some(word) = self.now.word.take()
            && !std::mem::take(&mut self.now.redirects)
        {
            self.now.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.now.redirects = false;
        let words = std::mem::take(&mut self.now.words);
        let words: Vec<String> = words
            .into_iter()
            .skip_while(|word| KEYWORDS.contains(&word.as_str()))
            .collect();
        if !words.is_empty() {
            self.commands.push(words);
        }
    }
}
