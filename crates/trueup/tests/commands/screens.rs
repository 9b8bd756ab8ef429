//! Every screen that a person meets on the way from a task to its proof, whole:
//! on 80 and 120 columns, without colour, and with `--plain`. What stands in
//! `screens/` was looked at; `TRUEUP_BLESS=1` writes it anew.

use crate::terminal::Terminal;
use std::{env, fs, path::PathBuf};
use trueup_testkit::{household::Household, transcript::normalised};

/// Asks about two files before it has done the work, and speaks.
const ASKS: &str = r#"
echo "Reading the tests."
if [ "$TRUEUP_TURN" -eq 1 ]; then sleep 3; fi
echo 'echo "Hello, ${1:-world}"' > greet.sh
if [ "$TRUEUP_TURN" -gt 1 ]; then
    printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
    printf '[pytest]\naddopts = -q\n' > pytest.ini
    printf 'export default {}\n' > vitest.config.ts
fi
"#;

/// Changes nothing, whatever it is told.
const IDLES: &str = "echo 'All done! Every criterion is met.'\n";

/// How a screen is shown.
struct Look {
    name: &'static str,
    columns: u32,
    flag: &'static str,
    variables: &'static [&'static str],
}

const LOOKS: [Look; 4] = [
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
        flag: " --plain",
        variables: &[],
    },
    Look {
        name: "no-colour",
        columns: 80,
        flag: "",
        variables: &["NO_COLOR=1"],
    },
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

/// Words that stand at the end of a full line and go on in the next one.
fn broken(screen: &str, columns: u32) -> Vec<String> {
    let lines: Vec<&str> = screen.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let [line, next] = pair else { return None };
        let is_full = line.chars().count() == columns as usize;
        let is_in_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let goes_on = is_full && is_in_word(line.chars().last()) && is_in_word(next.chars().next());
        goes_on.then(|| format!("{line}|{next}"))
    });
    pairs.collect()
}

fn file(name: &str, look: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/commands/screens/{name}.{look}.txt"))
}

/// What differs from the screens that were looked at.
struct Gallery<'a> {
    household: &'a Household,
    look: &'a Look,
    wrong: Vec<String>,
}

impl Gallery<'_> {
    /// Looks at the screen that this command leaves; `wanted` is what is waited for.
    fn hang(&mut self, name: &str, words: &str, wanted: &[&str]) {
        let terminal = self.open(words);
        self.frame(name, &terminal, wanted);
    }

    fn open(&self, words: &str) -> Terminal {
        let words = format!("{words}{}", self.look.flag);
        Terminal::with(self.household, self.look.columns, &words, self.look.variables)
    }

    fn frame(&mut self, name: &str, terminal: &Terminal, wanted: &[&str]) {
        let seen = terminal.shows(wanted);
        let screen = kept(self.household, &seen);
        let is_coloured = terminal.coloured().contains("\u{1b}[");
        let may_be = matches!(self.look.name, "80" | "120");
        if is_coloured && !may_be {
            self.wrong.push(format!("{name} is coloured"));
        }
        for word in broken(&seen, self.look.columns) {
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

fn screens(look: &Look) -> Vec<String> {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(ASKS);
    let mut gallery = Gallery {
        household: &household,
        look,
        wrong: Vec::new(),
    };
    let ended = ["ended with"];
    // Help ends before any flag is heard; a variable takes its colours.
    if look.name != "plain" {
        gallery.hang("help", "--help", &["Exit codes", "ended with"]);
    }
    gallery.hang("never-run", "show", &ended);
    gallery.hang("check", "check T-001", &ended);
    let run = gallery.open("run T-001");
    if look.name != "plain" {
        gallery.frame("turn", &run, &["turn 1/20", "Reading the tests.", "last heard"]);
    }
    gallery.frame("question", &run, &ended);
    drop(run);
    gallery.hang("status-waiting", "status", &ended);
    gallery.hang("show-waiting", "show T-001", &ended);
    match look.name {
        "plain" => gallery.hang("approve", "approve T-001", &ended),
        _ => gallery.hang("approve", "approve T-001", &["1 of 2", "May it stay?"]),
    }
    gallery.hang("approved", "approve T-001 all", &ended);
    gallery.hang("status-verified", "status", &ended);
    gallery.hang("show-verified", "show T-001", &ended);
    gallery.hang("time", "show T-001 --time", &ended);
    gallery.hang("log", "log T-001", &ended);
    gallery.hang("diff", "diff T-001", &ended);
    household.set_agent(IDLES);
    gallery.hang("stuck", "run T-001 --anew", &ended);
    gallery.hang("rule", "rules explain py/ends-process", &ended);
    gallery.wrong
}

fn look_named(name: &str) -> &'static Look {
    LOOKS.iter().find(|look| look.name == name).expect("a look")
}

#[test]
fn screens_on_80_columns_are_as_they_were_looked_at() {
    assert_eq!(screens(look_named("80")).join("\n\n"), "");
}

#[test]
fn screens_on_120_columns_are_as_they_were_looked_at() {
    assert_eq!(screens(look_named("120")).join("\n\n"), "");
}

#[test]
fn plain_screens_are_as_they_were_looked_at_and_have_neither_colour_nor_marks() {
    let look = look_named("plain");
    assert_eq!(screens(look).join("\n\n"), "");
    let folder = file("check", "plain");
    for entry in fs::read_dir(folder.parent().expect("a folder"))
        .expect("screens")
        .flatten()
    {
        let path = entry.path();
        if path.to_string_lossy().ends_with(".plain.txt") {
            let text = fs::read_to_string(&path).expect("a screen");
            assert!(text.is_ascii(), "{}: {text}", path.display());
        }
    }
}

#[test]
fn without_colour_the_screens_say_the_same() {
    assert_eq!(screens(look_named("no-colour")).join("\n\n"), "");
}

#[test]
fn a_screen_that_differs_is_found() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let mut gallery = Gallery {
        household: &household,
        look: look_named("no-colour"),
        wrong: Vec::new(),
    };
    // Another command than the one whose screen was kept.
    gallery.hang("check", "status", &["ended with"]);
    assert_eq!(gallery.wrong.len(), 1, "{:?}", gallery.wrong);
    let mut coloured = Gallery {
        household: &household,
        look: &Look {
            name: "no-colour",
            columns: 80,
            flag: " --color always",
            variables: &[],
        },
        wrong: Vec::new(),
    };
    coloured.hang("check", "check T-001", &["ended with"]);
    assert_eq!(broken("one two thr\nee four", 11), ["one two thr|ee four"]);
    assert!(
        coloured.wrong.iter().any(|wrong| wrong == "check is coloured"),
        "{:?}",
        coloured.wrong
    );
}
