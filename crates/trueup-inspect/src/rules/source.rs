//! Source text line by line, code apart from comments and strings.
//!
//! This is no parser: it knows just enough of each family of languages to
//! tell a comment and a string from code. Where it is mistaken, it takes text
//! for code at the latest from the next line on, so that nothing hides for long.

use super::{paths::fits, suspicions::FileRole};
use serde::Deserialize;

/// Languages that spell comments and strings alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Family {
    /// Python.
    Python,
    /// JavaScript and TypeScript.
    #[serde(rename = "javascript")]
    Script,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java and Kotlin.
    Java,
    /// C, C++, Objective-C and C#.
    Native,
}

const FAMILIES: [(Family, &[&str]); 6] = [
    (Family::Python, &["*.py", "*.pyi", "*.pyx"]),
    (
        Family::Script,
        &[
            "*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.mts", "*.cts", "*.vue", "*.svelte",
        ],
    ),
    (Family::Rust, &["*.rs"]),
    (Family::Go, &["*.go"]),
    (Family::Java, &["*.java", "*.kt", "*.kts"]),
    (
        Family::Native,
        &[
            "*.c", "*.h", "*.cc", "*.hh", "*.cpp", "*.hpp", "*.cxx", "*.hxx", "*.inl", "*.m", "*.cs",
        ],
    ),
];

impl Family {
    /// All of them.
    pub(super) const ALL: [Self; 6] = [
        Self::Python,
        Self::Script,
        Self::Rust,
        Self::Go,
        Self::Java,
        Self::Native,
    ];

    /// Where a file of this role usually lies.
    pub(super) const fn usual_path(self, role: FileRole) -> &'static str {
        let is_code = matches!(role, FileRole::Production);
        match (self, role) {
            (Self::Python, FileRole::Production) => "src/price.py",
            (Self::Python, FileRole::Setup) => "conftest.py",
            (Self::Python, FileRole::Tests | FileRole::Shared) => "tests/test_price.py",
            (Self::Script, FileRole::Production) => "src/price.ts",
            (Self::Script, FileRole::Tests) => "tests/price.test.ts",
            (Self::Script, FileRole::Setup) => "tests/setup.ts",
            (Self::Script, FileRole::Shared) => "tests/support.ts",
            (Self::Rust, _) if is_code => "src/price.rs",
            (Self::Rust, _) => "tests/price.rs",
            (Self::Go, _) if is_code => "price.go",
            (Self::Go, _) => "price_test.go",
            (Self::Java, _) if is_code => "src/main/java/Price.java",
            (Self::Java, _) => "src/test/java/PriceTest.java",
            (Self::Native, _) if is_code => "src/price.c",
            (Self::Native, _) => "tests/test_price.c",
        }
    }

    /// The family of a file, by its name.
    pub(super) fn of(path: &str) -> Option<Self> {
        let has = |(_, patterns): &&(Self, &[&str])| patterns.iter().any(|pattern| fits(path, pattern));
        FAMILIES.iter().find(has).map(|(family, _)| *family)
    }
}

/// Which part of a line a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Code alone, what strings hold left out.
    Code,
    /// Code and strings.
    Text,
    /// Comments.
    Comment,
}

impl Look {
    /// The part as a pack of rules calls it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Text => "text",
            Self::Comment => "comment",
        }
    }
}

/// A line of source.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Code, with nothing but blanks inside strings.
    pub(super) code: String,
    /// Code and strings.
    pub(super) text: String,
    /// Comments.
    pub(super) comment: String,
}

impl Line {
    /// The part of the line a rule looks at.
    pub(super) fn part(&self, look: Look) -> &str {
        match look {
            Look::Code => &self.code,
            Look::Text => &self.text,
            Look::Comment => &self.comment,
        }
    }

    /// Whether its code begins at the left margin.
    pub(super) fn is_outermost(&self) -> bool {
        !self.text.starts_with([' ', '\t'])
    }
}

/// The lines of a text.
pub(super) fn lines(family: Family, text: &str) -> Vec<Line> {
    let mut reader = Reader {
        family,
        rest: text,
        lines: Vec::new(),
        line: Line::default(),
        within: Within::Code,
        depth: 0,
    };
    reader.line.number = 1;
    while let Some(character) = reader.rest.chars().next() {
        if character == '\n' {
            reader.advance(1);
            reader.end_line();
            continue;
        }
        match reader.within.clone() {
            Within::Code => reader.code(character),
            Within::LineComment => reader.take(1, Look::Comment),
            Within::Comment { depth } => reader.comment(depth),
            Within::Quoted(quoted) => reader.quoted(&quoted, character),
        }
    }
    reader.end_line();
    reader.lines
}

#[derive(Clone, Debug)]
enum Within {
    Code,
    LineComment,
    Comment { depth: usize },
    Quoted(Quoted),
}

#[derive(Clone, Debug)]
struct Quoted {
    /// What ends it.
    end: String,
    /// What its characters count as.
    holds: Look,
    /// Whether a backslash takes the next character with it.
    escapes: bool,
    /// Whether it may go on over the end of a line.
    long: bool,
}

struct Reader<'a> {
    family: Family,
    rest: &'a str,
    lines: Vec<Line>,
    line: Line,
    within: Within,
    /// How many brackets are open.
    depth: usize,
}

impl Reader<'_> {
    fn advance(&mut self, characters: usize) {
        let end = self
            .rest
            .char_indices()
            .nth(characters)
            .map_or(self.rest.len(), |(at, _)| at);
        self.rest = self.rest.get(end..).unwrap_or_default();
    }

    /// Moves characters over to the parts of the line they count as.
    fn take(&mut self, characters: usize, holds: Look) {
        let taken: String = self.rest.chars().take(characters).take_while(|c| *c != '\n').collect();
        let count = taken.chars().count();
        match holds {
            Look::Code => {
                self.line.code.push_str(&taken);
                self.line.text.push_str(&taken);
            }
            Look::Text => {
                self.line.code.extend(std::iter::repeat_n(' ', count));
                self.line.text.push_str(&taken);
            }
            Look::Comment => self.line.comment.push_str(&taken),
        }
        self.advance(count);
    }

    fn end_line(&mut self) {
        let number = self.line.number.saturating_add(1);
        let line = std::mem::replace(
            &mut self.line,
            Line {
                number,
                ..Line::default()
            },
        );
        self.lines.push(line);
        match &self.within {
            Within::LineComment => self.within = Within::Code,
            Within::Quoted(quoted) if !quoted.long => self.within = Within::Code,
            Within::Code | Within::Comment { .. } | Within::Quoted(_) => {}
        }
    }

    fn code(&mut self, character: char) {
        let comments = if self.family == Family::Python { "#" } else { "//" };
        if self.rest.starts_with(comments) {
            self.within = Within::LineComment;
        } else if self.family != Family::Python && self.rest.starts_with("/*") {
            self.take(2, Look::Comment);
            self.within = Within::Comment { depth: 1 };
        } else if let Some((opening, quoted)) = self.opens(character) {
            let holds = if quoted.holds == Look::Comment {
                Look::Comment
            } else {
                Look::Code
            };
            self.take(opening, holds);
            self.within = Within::Quoted(quoted);
        } else {
            match character {
                '(' | '[' | '{' => self.depth += 1,
                ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.take(1, Look::Code);
        }
    }

    fn comment(&mut self, depth: usize) {
        if self.rest.starts_with("*/") {
            self.take(2, Look::Comment);
            self.within = if depth > 1 {
                Within::Comment { depth: depth - 1 }
            } else {
                Within::Code
            };
        } else if self.family == Family::Rust && self.rest.starts_with("/*") {
            self.take(2, Look::Comment);
            self.within = Within::Comment { depth: depth + 1 };
        } else {
            self.take(1, Look::Comment);
        }
    }

    fn quoted(&mut self, quoted: &Quoted, character: char) {
        if self.rest.starts_with(&quoted.end) {
            let holds = if quoted.holds == Look::Comment {
                Look::Comment
            } else {
                Look::Code
            };
            self.take(quoted.end.chars().count(), holds);
            self.within = Within::Code;
        } else if quoted.escapes && character == '\\' {
            self.take(2, quoted.holds);
        } else {
            self.take(1, quoted.holds);
        }
    }

    /// The string that begins here, with the length of its opening.
    fn opens(&self, character: char) -> Option<(usize, Quoted)> {
        let plain = |end: &str| Quoted {
            end: end.to_owned(),
            holds: Look::Text,
            escapes: true,
            long: false,
        };
        match (self.family, character) {
            (Family::Python, '"' | '\'') => Some(self.python(character)),
            (Family::Script, '/') if self.is_regex() => {
                // All of it is taken as its opening: only its end is left.
                regex(self.rest).map(|length| (length, plain("/")))
            }
            // What stands in braces inside a template is code.
            (Family::Script, '`') => Some((
                1,
                Quoted {
                    holds: Look::Code,
                    long: true,
                    ..plain("`")
                },
            )),
            (Family::Go, '`') => Some((
                1,
                Quoted {
                    escapes: false,
                    long: true,
                    ..plain("`")
                },
            )),
            (Family::Rust, '"') => Some(self.rust()),
            (Family::Rust, '\'') => {
                let mut ahead = self.rest.chars().skip(1);
                let is_char = matches!((ahead.next(), ahead.next()), (Some('\\'), _) | (_, Some('\'')));
                is_char.then(|| (1, plain("'")))
            }
            (Family::Java, '"') if self.rest.starts_with("\"\"\"") => Some((
                3,
                Quoted {
                    long: true,
                    ..plain("\"\"\"")
                },
            )),
            (Family::Script | Family::Go | Family::Java | Family::Native, '"' | '\'') => {
                Some((1, plain(&character.to_string())))
            }
            _ => None,
        }
    }

    fn python(&self, character: char) -> (usize, Quoted) {
        let prefix: String = self
            .line
            .code
            .chars()
            .rev()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        let has = |letter: char| prefix.len() <= 2 && prefix.to_ascii_lowercase().contains(letter);
        let triple = character.to_string().repeat(3);
        let is_triple = self.rest.starts_with(&triple);
        // A string that stands alone is there to be read by people.
        let stands_alone = is_triple && self.depth == 0 && self.line.code.trim().len() == prefix.len() && !has('f');
        let holds = match (stands_alone, has('f')) {
            (true, _) => Look::Comment,
            (false, true) => Look::Code,
            (false, false) => Look::Text,
        };
        let end = if is_triple { triple } else { character.to_string() };
        let opening = end.len();
        // A raw string's backslash takes a quote with it too.
        (
            opening,
            Quoted {
                end,
                holds,
                escapes: true,
                long: is_triple,
            },
        )
    }

    fn rust(&self) -> (usize, Quoted) {
        let before = self.line.code.trim_end_matches('#');
        let marks = self.line.code.len() - before.len();
        let is_raw = before.ends_with('r') && !before.ends_with("for") || before.ends_with("br");
        let end = if is_raw {
            format!("\"{}", "#".repeat(marks))
        } else {
            "\"".to_owned()
        };
        (
            1,
            Quoted {
                end,
                holds: Look::Text,
                escapes: !is_raw,
                long: true,
            },
        )
    }

    /// Whether a slash can only begin a regular expression: no value stands
    /// before it that it could divide.
    fn is_regex(&self) -> bool {
        let before = self.line.code.trim_end();
        let after_word = before.ends_with("return") || before.ends_with("typeof");
        let opens = before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '>']);
        before.is_empty() || after_word || opens
    }
}

/// How many characters of a regular expression stand before the slash that
/// ends it. A slash inside brackets ends nothing.
fn regex(rest: &str) -> Option<usize> {
    let (mut escaped, mut bracket) = (false, false);
    let line = rest.chars().take_while(|c| *c != '\n').enumerate().skip(1);
    for (at, character) in line {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => bracket = true,
            ']' => bracket = false,
            '/' if !bracket => return Some(at),
            _ => {}
        }
    }
    None
}
