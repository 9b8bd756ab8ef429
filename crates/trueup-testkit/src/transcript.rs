//! Blocks of a Markdown page that a reader would type or expect to see, and
//! texts made comparable: without ids, times and places of one machine.

use std::path::Path;

/// A fenced block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The words behind the opening fence.
    pub kind: String,
    /// What stands between the fences.
    pub text: String,
}

/// One command of a `console` block, and all that it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// What is typed behind `$ `.
    pub command: String,
    /// What is printed until the next one.
    pub output: String,
}

/// The fenced blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                open = Some(Block {
                    kind: kind.to_owned(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a `console` block.
pub fn typed(text: &str) -> Vec<Typed> {
    let mut all: Vec<Typed> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Typed {
                command: command.to_owned(),
                output: String::new(),
            });
        } else if let Some(last) = all.last_mut() {
            last.output += &format!("{line}\n");
        }
    }
    all
}

/// A text in which object ids, digests, durations, versions and the household's
/// folder are the same on every machine.
pub fn normalised(text: &str, folder: &Path) -> String {
    let text = text.replace(&folder.display().to_string(), "/home/ada");
    let mut result = String::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() || letter == '.' {
            word.push(letter);
        } else {
            end_word(&mut word, &mut result);
            result.push(letter);
        }
    }
    end_word(&mut word, &mut result);
    result
}

fn end_word(word: &mut String, result: &mut String) {
    if is_duration(word) {
        // Columns are aligned by the width of a duration, which is not ours to fix.
        let trimmed = result.trim_end_matches(' ').len();
        if trimmed < result.len() {
            result.truncate(trimmed + 1);
        }
        result.push_str("<time>");
    } else if ["B", "kB", "MB", "GB"].contains(&word.trim_end_matches('.')) && ends_in_number(result) {
        let number = result.trim_end().len() - last_word(result).len();
        let trimmed = result.get(..number).unwrap_or_default().trim_end_matches(' ').len();
        result.truncate((trimmed + 1).min(number));
        result.push_str("<size>");
        result.push_str(if word.ends_with('.') { "." } else { "" });
    } else if is_version(word) && !is_named(result) {
        result.push_str("<version>");
    } else if is_id(word) {
        result.push_str("<id>");
    } else {
        result.push_str(word);
    }
    word.clear();
}

/// What stands last in a line, before the space behind it.
fn last_word(text: &str) -> &str {
    text.trim_end().rsplit([' ', '\n']).next().unwrap_or_default()
}

fn ends_in_number(text: &str) -> bool {
    let last = last_word(text);
    let is_number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    text.ends_with(' ') && (is_number || last == "<version>")
}

fn is_duration(word: &str) -> bool {
    let number = word.strip_suffix('s').unwrap_or_default();
    !number.is_empty()
        && number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'm')
}

fn is_version(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() > 1 && parts.iter().all(number)
}

/// Whether what comes next is a part of a name: `AC-1.1`, `T-001.2`. Those are
/// the same everywhere.
fn is_named(before: &str) -> bool {
    let mut letters = before.chars().rev();
    letters.next() == Some('-') && letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
}

/// Git shortens ids to seven letters in patches, and joins two by dots.
fn is_id(word: &str) -> bool {
    let hex = |part: &str| part.len() >= 7 && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    word.split("..").all(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_between_machines_is_replaced() {
        assert_eq!(
            normalised(
                "  12.5 kB  x\n     0 B of 3.1 GB, plan B\nleft 2.5 MB.",
                Path::new("/tmp/x")
            ),
            " <size>  x\n <size> of <size>, plan B\nleft <size>."
        );
        let text = "tree 3c1f77e0 after   0.1s (12s, 1m02s) in /tmp/x/checkout\nindex 2364582..6c33a50 facade s 2.47.3 T-001.2 AC-1.1";
        assert_eq!(
            normalised(text, Path::new("/tmp/x")),
            "tree <id> after <time> (<time>, <time>) in /home/ada/checkout\nindex <id> facade s <version> T-001.2 AC-1.1"
        );
    }

    #[test]
    fn a_page_gives_its_blocks_and_a_block_its_commands() {
        let page = "text\n```console\n$ a b\none\n\ntwo\n$ c\n```\n```sh\nd\n```\n";
        let found = blocks(page);
        assert_eq!(
            found.iter().map(|block| block.kind.as_str()).collect::<Vec<_>>(),
            ["console", "sh"]
        );
        let commands = typed(&found[0].text);
        assert_eq!(commands.len(), 2);
        assert_eq!(commands[0].command, "a b");
        assert_eq!(commands[0].output, "one\n\ntwo\n");
        assert_eq!(commands[1].output, "");
    }
}
