//! A screen beside the one that was looked at, and what differs.

use crate::terminal::Terminal;
use std::{env, fs, path::PathBuf};
use trueup_testkit::{household::Household, transcript::normalised};

const PLAIN: &str = " --plain";

/// What stands below the screen of a command that ended.
pub(super) const ENDED: &str = "\nended with ";

/// How a screen is shown.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) name: &'static str,
    pub(super) columns: u32,
    pub(super) flag: &'static str,
    pub(super) variables: &'static [&'static str],
}

pub(super) const LOOKS: [Look; 4] = [
    Look {
        name: "80",
        columns: 80,
        flag: "",
        variables: &[],
    },
    Look {
        name: "120",
        columns: 120,
        flag: "",
        variables: &[],
    },
    Look {
        name: "plain",
        columns: 80,
        flag: PLAIN,
        variables: &[],
    },
    Look {
        name: "no-colour",
        columns: 80,
        flag: "",
        variables: &["NO_COLOR=1"],
    },
];

/// The same in fewer: no screen says anything else on 120 columns for lack of
/// colour.
pub(super) const FEWER_LOOKS: [Look; 3] = [
    LOOKS[0],
    Look {
        variables: &["NO_COLOR=1"],
        ..LOOKS[1]
    },
    LOOKS[2],
];

/// A screen as it is kept: without what differs from run to run.
fn kept(household: &Household, screen: &str) -> String {
    let screen = normalised(screen, household.folder());
    // A clock that moves while one looks.
    let mut text = String::new();
    for line in screen.trim_end().lines() {
        let line = match line.split_once(" of 10:00") {
            Some((before, after)) => {
                let (name, _) = before.rsplit_once(' ').unwrap_or_default();
                // What turns round stands before it.
                let name = name.trim_start_matches(|letter: char| !letter.is_ascii_alphabetic());
                format!("  * {} <time> of 10:00{after}", name.trim_end())
            }
            None => line.to_owned(),
        };
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Words that the terminal itself broke: it goes on in the next line where ours
/// is too long.
pub(super) fn broken(screen: &str, joined: &str) -> Vec<String> {
    let lines: Vec<&str> = screen.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let [line, next] = pair else { return None };
        let is_in_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let is_word = is_in_word(line.chars().last()) && is_in_word(next.chars().next());
        let goes_on = is_word && joined.contains(&format!("{line}{next}"));
        goes_on.then(|| format!("{line}|{next}"))
    });
    pairs.collect()
}

pub(super) fn file(name: &str, look: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/commands/screens/{name}.{look}.txt"))
}

/// What differs from the screens that were looked at.
pub(super) struct Gallery<'a> {
    pub(super) household: &'a Household,
    pub(super) look: &'a Look,
    /// Variables that these screens are seen with, beside those of the look.
    pub(super) variables: Vec<String>,
    pub(super) wrong: Vec<String>,
}

impl<'a> Gallery<'a> {
    pub(super) const fn new(household: &'a Household, look: &'a Look) -> Self {
        Self {
            household,
            look,
            variables: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Looks at the screen that this command leaves in the end.
    pub(super) fn ends(&mut self, name: &str, words: &str) {
        self.hang(name, words, &[ENDED]);
    }

    /// Looks at the screen that this command leaves; `wanted` is what is waited for.
    pub(super) fn hang(&mut self, name: &str, words: &str, wanted: &[&str]) {
        let terminal = self.open(words);
        self.frame(name, &terminal, wanted);
    }

    pub(super) fn open(&self, words: &str) -> Terminal {
        let words = format!("{words}{}", self.look.flag);
        let own = self.variables.iter().map(String::as_str);
        let variables: Vec<&str> = self.look.variables.iter().copied().chain(own).collect();
        Terminal::with(self.household, self.look.columns, &words, &variables)
    }

    pub(super) fn frame(&mut self, name: &str, terminal: &Terminal, wanted: &[&str]) {
        let seen = terminal.shows(wanted);
        let screen = kept(self.household, &seen);
        let is_coloured = terminal.coloured().contains("\u{1b}[");
        let may_be = self.look.flag != PLAIN && self.look.variables.is_empty();
        if is_coloured && !may_be {
            self.wrong.push(format!("{name} is coloured"));
        }
        for word in broken(&seen, &terminal.joined()) {
            self.wrong.push(format!("{name} breaks a word: {word}"));
        }
        // Without colour a screen says the same.
        let look = match self.look.name {
            "no-colour" => "80",
            other => other,
        };
        let file = file(name, look);
        if env::var_os("TRUEUP_BLESS").is_some() && look == self.look.name {
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, &screen).expect("a screen");
        }
        let known = fs::read_to_string(&file).unwrap_or_default();
        if known != screen {
            let look = self.look.name;
            self.wrong
                .push(format!("{name} ({look}) was\n{known}\nand is\n{screen}"));
        }
    }
}
