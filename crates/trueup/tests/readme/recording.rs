//! The recording in the README: the first proof on a real terminal, one picture
//! after each command.

use crate::newcomer::Newcomer;
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{household::output, transcript::normalised};

const COLUMNS: usize = 92;
const ROWS: usize = 27;

/// What stands before anything is typed.
const BEFORE: &str = "\
mkdir greet && cd greet && git init --quiet
echo 'echo \"Hello, world\"' > greet.sh
printf 'test:\\n\\tsh greet.sh | grep \"Hello, world\"\\n' > Makefile
git add --all && git commit --quiet --message 'A greeting'
";

/// What is typed, a picture each.
const TYPED: [&str; 4] = [
    "trueup init --yes",
    "trueup run T-001",
    "trueup show T-001",
    "git merge --quiet trueup/T-001 && ls",
];

/// The picture that is seen where nothing moves.
const STILL: usize = 1;

/// How long each picture is seen.
const SECONDS: usize = 4;

/// A real terminal with a shell in it, ended with the test.
struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    fn open(newcomer: &Newcomer, folder: &Path) -> Self {
        let terminal = Self {
            socket: newcomer.home().join("../tmux"),
        };
        let (columns, rows) = (COLUMNS.to_string(), ROWS.to_string());
        let size = ["new-session", "-d", "-x", &columns, "-y", &rows, "-c"];
        let folder = folder.to_str().expect("text");
        let home = newcomer.home();
        let path = newcomer.path();
        let shell = format!(
            "env -i HOME='{}' PATH='{path}' TERM=screen-256color LANG=C.UTF-8 PS1='$ ' sh",
            home.display()
        );
        terminal.tmux(&[&size[..], &[folder, &shell]].concat());
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.arg("-u").arg("-S").arg(&self.socket).args(["-f", "/dev/null"]);
        output(tmux.args(arguments)).stdout
    }

    /// Types a command on an empty screen; answers the screen when it has ended.
    fn after(&self, command: &str) -> String {
        self.tmux(&["send-keys", "-l", "clear"]);
        self.tmux(&["send-keys", "Enter"]);
        self.until(|screen| screen.trim_end() == "$");
        self.tmux(&["send-keys", "-l", command]);
        self.tmux(&["send-keys", "Enter"]);
        self.until(|screen| screen.lines().count() > 2 && screen.ends_with("\n$"));
        let screen = self.tmux(&["capture-pane", "-p", "-e"]);
        screen.trim_end().trim_end_matches('$').trim_end().to_owned()
    }

    fn until(&self, holds: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if holds(screen.trim_end()) {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "it never came:\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// What the terminal shows after each command.
fn session() -> Vec<String> {
    let newcomer = Newcomer::new();
    let (laid, folder) = newcomer.types(BEFORE, &newcomer.home());
    assert_eq!(laid.code, 0, "{laid:#?}");
    let terminal = Terminal::open(&newcomer, &folder);
    TYPED.iter().map(|command| terminal.after(command)).collect()
}

/// A line of a terminal, in pieces of one colour each.
fn pieces(line: &str) -> Vec<(String, &'static str)> {
    let mut pieces = vec![(String::new(), "")];
    let mut rest = line;
    while let Some((text, from)) = rest.split_once("\u{1b}[") {
        pieces.last_mut().expect("one").0.push_str(text);
        let (codes, behind) = from.split_once('m').unwrap_or((from, ""));
        let mut class = pieces.last().expect("one").1;
        for code in codes.split(';') {
            class = match code {
                "1" => "b",
                "2" => "d",
                "31" => "r",
                "32" => "g",
                "33" => "y",
                "" | "0" | "22" | "39" => "",
                _ => class,
            };
        }
        pieces.push((String::new(), class));
        rest = behind;
    }
    pieces.last_mut().expect("one").0.push_str(rest);
    pieces.retain(|(text, _)| !text.is_empty());
    pieces
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The pictures as one that moves; without moving, it is the still one.
fn svg(screens: &[String]) -> String {
    let rows = screens
        .iter()
        .map(|screen| screen.lines().count())
        .max()
        .unwrap_or_default();
    let (width, height) = (COLUMNS * 8 + 32, rows * 18 + 32);
    let all = screens.len() * SECONDS;
    let share = 100 / screens.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>The first proof: init, run, show, merge</title>\n\
         <style>\n\
         text {{ font: 13.3px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d6d9de; white-space: pre }}\n\
         .b {{ font-weight: bold }} .d {{ fill: #8b919a }} .r {{ fill: #ff7b72 }} .g {{ fill: #56d364 }} .y {{ fill: #e3b341 }}\n\
         g {{ visibility: hidden; animation: shown {all}s step-end infinite }}\n\
         #p{STILL} {{ visibility: visible }}\n\
         @keyframes shown {{ 0% {{ visibility: visible }} {share}%, 100% {{ visibility: hidden }} }}\n\
         @media (prefers-reduced-motion) {{ g {{ animation: none }} }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16191d\"/>\n"
    );
    for (at, screen) in screens.iter().enumerate() {
        let begins = at * SECONDS;
        writeln!(svg, "<g id=\"p{at}\" style=\"animation-delay: {begins}s\">").expect("text");
        for (row, line) in screen.lines().enumerate() {
            let spans = pieces(line).into_iter().map(|(text, class)| match class {
                "" => escaped(&text),
                class => format!("<tspan class=\"{class}\">{}</tspan>", escaped(&text)),
            });
            let spans: String = spans.collect();
            if spans.trim().is_empty() {
                continue;
            }
            writeln!(
                svg,
                "<text x=\"16\" y=\"{}\" xml:space=\"preserve\">{spans}</text>",
                28 + row * 18
            )
            .expect("text");
        }
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// What a recording is about: what is typed, and the verdict.
fn landmarks(svg: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = svg;
    while let Some((text, tag)) = rest.split_once('<') {
        plain.push_str(text);
        rest = tag.split_once('>').map_or("", |(_, behind)| behind);
    }
    let plain = normalised(&plain, Path::new("/nowhere"));
    let lines = plain
        .lines()
        .filter(|line| line.starts_with("$ ") || line.starts_with("verified: "));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_recording_shows_what_a_terminal_shows() {
    let made = svg(&session());
    let seen = landmarks(&made);
    assert_eq!(seen.len(), TYPED.len() + 1, "{seen:#?}");
    let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first-proof.svg");
    fs::write(&fresh, &made).expect("the recording");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/first-proof.svg");
    let kept = fs::read_to_string(kept).unwrap_or_default();
    assert_eq!(
        landmarks(&kept),
        seen,
        "docs/first-proof.svg shows something else; this test made a new one: {}",
        fresh.display()
    );
}

#[test]
fn a_recording_keeps_colours_and_shows_no_sequence() {
    let made = svg(&["$ a\n  \u{1b}[32m✓\u{1b}[39m <b>\u{1b}[1mc\u{1b}[0m".to_owned()]);
    assert!(
        made.contains("<tspan class=\"g\">✓</tspan> &lt;b&gt;<tspan class=\"b\">c</tspan>"),
        "{made}"
    );
    assert!(!made.contains('\u{1b}'), "{made}");
    assert_eq!(landmarks(&made), ["$ a"]);
}
