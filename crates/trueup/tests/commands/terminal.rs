//! What a person sees on a real terminal, and what an agent cannot make that
//! terminal do.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::household::{Household, output};

/// Everything a terminal would obey: colours, a title, a cursor, a clipboard,
/// a query it answers by typing, and letters that turn the line round.
const HOSTILE: &str = r"\033[31mred\033]0;title\007\033[2J\033]52;c;ZXZpbA==\007\033[6n\233\342\200\256backwards\r";

fn hostile() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(&format!(
        "printf '{HOSTILE}'\n\
         printf '{HOSTILE}' >&2\n\
         printf 'echo \"Hello, ${{1:-world}}\"\\n# {HOSTILE}\\n' > greet.sh\n\
         printf '# greet\\n\\nRun `sh greet.sh NAME`.\\n' > README.md\n\
         mkdir \"$(printf 'nested{HOSTILE}')\" && cd \"$(printf 'nested{HOSTILE}')\" && git init -q\n"
    ));
    household
}

/// The bytes a terminal receives while this is run on it.
fn on_a_terminal(household: &Household, arguments: &[&str]) -> String {
    let log = household.folder().join("typescript");
    let binary = env!("CARGO_BIN_EXE_trueup");
    let mut script = Command::new("script");
    household.furnish(&mut script);
    script.env("TERM", "xterm-256color");
    script
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{binary} {}", arguments.join(" ")))
        .arg(&log);
    let ended = output(&mut script);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let bytes = fs::read(&log).expect("a typescript");
    // The first and the last line are script's own.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (_, text) = text.split_once('\n').expect("a first line");
    text.rsplit_once("\nScript done")
        .map_or(text, |(text, _)| text)
        .to_owned()
}

/// What in these bytes a terminal would obey, beyond colours, the moving of a
/// progress line and the hiding of a cursor, which are ours.
fn obeyed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_control() || letter == '\u{202e}') {
        let (_, from) = rest.split_at(at);
        let letter = from.chars().next().unwrap_or_default();
        rest = &from[letter.len_utf8()..];
        if matches!(letter, '\n' | '\r' | '\t') {
            continue;
        }
        let ours = letter == '\u{1b}' && rest.starts_with('[') && {
            let end = rest[1..].find(|letter: char| letter.is_ascii_alphabetic());
            let (sequence, last) = match end {
                Some(end) => (&rest[1..=end], &rest[end + 1..end + 2]),
                None => ("", ""),
            };
            let number = sequence.bytes().all(|byte| byte.is_ascii_digit() || byte == b';');
            (number && matches!(last, "m" | "A" | "B") || matches!(last, "K"))
                || matches!(sequence, "?25") && matches!(last, "l" | "h")
        };
        if !ours {
            found.push(format!(
                "{letter:?} before {:?}",
                rest.chars().take(12).collect::<String>()
            ));
        }
    }
    found
}

#[test]
fn what_an_agent_prints_never_reaches_a_terminal_as_more_than_letters() {
    let household = hostile();
    let run = on_a_terminal(&household, &["run", "T-001"]);
    assert!(
        run.contains("nested"),
        "the finding is not shown, so nothing was tried: {run:?}"
    );
    let views: [&[&str]; 5] = [
        &["log", "T-001"],
        &["log", "T-001", "--turn", "1"],
        &["diff", "T-001"],
        &["show", "T-001"],
        &["status"],
    ];
    let mut all = vec![run];
    all.extend(views.iter().map(|view| on_a_terminal(&household, view)));
    assert!(all[2].contains("backwards") && all[3].contains("backwards"), "{all:?}");
    for text in &all {
        assert!(!text.contains("\u{1b}[31mred"), "a colour of the agent's: {text:?}");
        assert_eq!(obeyed(text), Vec::<String>::new(), "{text:?}");
    }
    let raw = household.trueup(&["log", "T-001", "--turn", "1"]).stdout;
    assert!(
        raw.contains("\u{1b}[31mred"),
        "a program that asks gets the bytes as they are"
    );
}

#[test]
fn the_watch_on_the_terminal_catches_what_an_agent_would_send() {
    let sent = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{1b}[2J\u{1b}[6n\u{9b}\u{202e}";
    assert_eq!(obeyed(sent).len(), 6, "{:?}", obeyed(sent));
    assert!(obeyed("\u{1b}[32m✓\u{1b}[39m\r\u{1b}[2K\u{1b}[1A").is_empty());
}

/// How many terminals were opened so far.
static OPENED: AtomicU32 = AtomicU32::new(0);

/// A terminal of its own, ended with the test.
pub(crate) struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Runs this in a terminal of so many columns, and says how it ended.
    pub(crate) fn open(household: &Household, columns: u32, words: &str) -> Self {
        Self::with(household, columns, words, &[])
    }

    /// The same, with variables of its own.
    pub(crate) fn with(household: &Household, columns: u32, words: &str, variables: &[&str]) -> Self {
        let terminal = Self {
            // A server that is going down would take another session with it.
            socket: household
                .folder()
                .join(format!("tmux-{}", OPENED.fetch_add(1, Ordering::Relaxed))),
        };
        let environment = [
            format!("HOME={}", household.home().display()),
            format!("TRUEUP_STATE={}", household.state().display()),
        ];
        let [home, state] = environment.each_ref().map(String::as_str);
        let (checkout, columns) = (household.checkout(), columns.to_string());
        // Of a PATH that is set for a session, tmux keeps its own.
        let own = variables.join(" ");
        let binary = env!("CARGO_BIN_EXE_trueup");
        let run = format!("env {own} {binary} {words}; echo ended with $?; sleep 60");
        let mut tmux = vec!["new-session", "-d", "-x", &columns, "-y", "140"];
        tmux.extend(["-c", checkout.to_str().expect("text")]);
        tmux.extend(["-e", home, "-e", state, "-e", "TRUEUP_TRUST=1"]);
        tmux.push(&run);
        terminal.tmux(&tmux);
        terminal
    }

    /// Types these keys.
    pub(crate) fn types(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        // Nothing of whoever runs the tests reaches a screen but where programs lie.
        tmux.env_clear()
            .env("PATH", std::env::var("PATH").expect("a PATH"))
            .env("SHELL", "/bin/sh")
            .arg("-u")
            .arg("-S")
            .arg(&self.socket)
            .args(["-f", "/dev/null"])
            .args(arguments);
        output(&mut tmux).stdout
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The screen with every line whole that the terminal itself broke.
    pub(crate) fn joined(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J"])
    }

    /// The screen with the sequences that colour it.
    pub(crate) fn coloured(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e"])
    }

    /// Waits until the screen shows this.
    pub(crate) fn shows(&self, wanted: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if wanted.iter().all(|wanted| screen.contains(wanted)) {
                return screen;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{wanted:?} never came:\n{screen}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn a_terminal_shows_the_turn_and_since_when_the_agent_is_silent() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let honest = fs::read_to_string(household.agent()).expect("the agent");
    household.set_agent(&format!("echo working\nsleep 3\n{honest}"));
    let terminal = Terminal::open(&household, 110, "run T-001");
    terminal.shows(&[
        "baseline    AC-1.1 red · AC-2.1 green · AC-3.1 red",
        "turn 1/20   0:0",
        " of 10:00 · last heard 2s ago",
        "“working”",
    ]);
    let screen = terminal.shows(&["ended with"]);
    let lines: Vec<&str> = screen
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    assert!(
        lines[0].starts_with("  ✓ T-001.1     Greet by name · agent script · base "),
        "{screen}"
    );
    assert!(
        screen.contains("  ✗ verify      AC-1 ✓   AC-2 ✓   AC-3 ✗ does not hold\n"),
        "{screen}"
    );
    assert!(
        screen.contains("verified: 3 of 3 criteria, each executed on tree "),
        "{screen}"
    );
    assert!(
        !screen.contains("last heard"),
        "the moving line is still there:\n{screen}"
    );
    assert_eq!(lines.last(), Some(&"ended with 0"), "{screen}");
}
