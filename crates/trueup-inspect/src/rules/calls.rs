//! The plain commands a command comes down to, through shells, wrappers,
//! package scripts and recipes.

use super::{Files, make, paths, scripts, scripts::Called, shell};
use std::collections::BTreeSet;

/// How deep scripts that call scripts are followed.
const DEEPEST: usize = 8;

/// How many commands are looked at in all, so that scripts that call
/// themselves many times end soon.
const MOST: usize = 1000;

/// A command with nothing more to follow.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The folder it runs in, as a path of the tree.
    pub(super) folder: String,
    /// Its words; the first is the bare name of the program.
    pub(super) words: Vec<String>,
}

impl Call {
    /// The bare name of its program.
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// What follows the program.
    pub(super) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The first argument that is no flag.
    pub(super) fn verb(&self) -> &str {
        let verb = self.arguments().iter().find(|word| !word.starts_with(['-', '+']));
        verb.map_or("", String::as_str)
    }

    /// Whether a word is among the arguments.
    pub(super) fn says(&self, word: &str) -> bool {
        self.arguments().iter().any(|argument| argument == word)
    }
}

/// A program that runs the command in its arguments.
struct Prefix {
    words: &'static [&'static str],
    /// Flags that are followed by a value.
    valued: &'static [&'static str],
    /// How many arguments stand before the command.
    before: usize,
}

const fn prefix(words: &'static [&'static str], valued: &'static [&'static str], before: usize) -> Prefix {
    Prefix { words, valued, before }
}

const UV: &[&str] = &[
    "--with",
    "--python",
    "-p",
    "--extra",
    "--group",
    "--env-file",
    "--project",
    "--directory",
    "--package",
    "--with-requirements",
    "--only-group",
    "--no-group",
];

const PREFIXES: &[Prefix] = &[
    prefix(&["env"], &["-u", "--unset", "-C", "--chdir"], 0),
    prefix(&["time"], &["-o", "-f"], 0),
    prefix(&["nice"], &["-n"], 0),
    prefix(&["ionice"], &["-c", "-n"], 0),
    prefix(&["nohup"], &[], 0),
    prefix(&["setsid"], &[], 0),
    prefix(&["stdbuf"], &["-o", "-e", "-i"], 0),
    prefix(&["timeout"], &["-s", "-k", "--signal", "--kill-after"], 1),
    prefix(&["command"], &[], 0),
    prefix(&["sudo"], &["-u"], 0),
    prefix(&["xargs"], &["-n", "-P", "-I"], 0),
    prefix(&["xvfb-run"], &["-s", "-n"], 0),
    prefix(&["unbuffer"], &[], 0),
    prefix(&["flock"], &[], 1),
    prefix(&["uv", "run"], UV, 0),
    prefix(&["uvx"], &["--from", "--with", "--python"], 0),
    prefix(&["pipx", "run"], &["--spec"], 0),
    prefix(&["poetry", "run"], &[], 0),
    prefix(&["pipenv", "run"], &[], 0),
    prefix(&["pdm", "run"], &[], 0),
    prefix(&["rye", "run"], &[], 0),
    prefix(&["hatch", "run"], &[], 0),
    prefix(&["conda", "run"], &["-n", "-p"], 0),
    prefix(&["npx"], &["-p", "--package"], 0),
    prefix(&["bunx"], &[], 0),
    prefix(&["npm", "exec"], &["-p", "--package"], 0),
    prefix(&["pnpm", "exec"], &[], 0),
    prefix(&["pnpm", "dlx"], &[], 0),
    prefix(&["yarn", "exec"], &[], 0),
    prefix(&["yarn", "dlx"], &[], 0),
    prefix(&["corepack"], &[], 0),
    prefix(&["cross-env"], &[], 0),
    prefix(&["cross-env-shell"], &[], 0),
    prefix(&["env-cmd"], &["-f"], 0),
    prefix(&["dotenv"], &["-e", "-f"], 0),
    prefix(&["c8"], &["--reporter", "-r", "--reports-dir", "-o"], 0),
    prefix(&["nyc"], &["--reporter", "--report-dir"], 0),
    prefix(&["mise", "exec"], &[], 0),
    prefix(&["direnv", "exec"], &[], 1),
    prefix(&["bundle", "exec"], &[], 0),
];

/// Every plain command a command comes down to, in the order they would run.
pub(super) fn calls(argv: &[String], files: Files<'_>) -> Vec<Call> {
    followed(argv, files).found
}

/// Every word of a command, and of all that is followed from it.
pub(super) fn said(argv: &[String], files: Files<'_>) -> BTreeSet<String> {
    followed(argv, files).said
}

fn followed<'a>(argv: &[String], files: Files<'a>) -> Walk<'a> {
    let mut walk = Walk {
        files,
        found: Vec::new(),
        said: BTreeSet::new(),
        left: MOST,
    };
    walk.follow("", argv.to_vec(), 0);
    walk
}

struct Walk<'a> {
    files: Files<'a>,
    found: Vec<Call>,
    said: BTreeSet<String>,
    /// How many commands may still be looked at.
    left: usize,
}

impl Walk<'_> {
    fn follow(&mut self, folder: &str, words: Vec<String>, depth: usize) {
        let Some(words) = bare(words) else { return };
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        self.said.extend(words.iter().cloned());
        let call = Call {
            folder: folder.to_owned(),
            words,
        };
        if depth >= DEEPEST || !self.follows(&call, depth) {
            self.found.push(call);
        }
    }

    /// Follows what a call runs; says whether there was something to follow.
    fn follows(&mut self, call: &Call, depth: usize) -> bool {
        match call.program() {
            "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" => self.shell(call, depth),
            "npm" | "pnpm" | "yarn" => self.script(call, depth),
            "bun" if call.verb() != "test" => self.script(call, depth),
            "run-s" | "run-p" | "npm-run-all" => {
                for name in call.arguments().iter().filter(|word| !word.starts_with('-')) {
                    let words = ["npm", "run", name].map(str::to_owned);
                    self.follow(&call.folder, words.to_vec(), depth + 1);
                }
                true
            }
            "make" | "gmake" => self.recipe(call, depth),
            "just" => self.recipe(call, depth),
            "tox" => {
                let text = self.read(&call.folder, "tox.ini").unwrap_or_default();
                let commands: String = tox(&text);
                self.text(&call.folder, &commands, depth);
                true
            }
            _ => self.file(call, call.words.first(), depth),
        }
    }

    fn read(&self, folder: &str, path: &str) -> Option<String> {
        let bytes = (self.files)(&paths::join(folder, path))?;
        String::from_utf8(bytes).ok()
    }

    /// Follows shell text. A change of folder holds for what comes after it.
    fn text(&mut self, folder: &str, text: &str, depth: usize) {
        let mut folder = folder.to_owned();
        for words in shell::commands(text) {
            match words.as_slice() {
                [cd, to] if cd == "cd" => folder = paths::join(&folder, to),
                _ => self.follow(&folder, words, depth + 1),
            }
        }
    }

    fn shell(&mut self, call: &Call, depth: usize) -> bool {
        let mut arguments = call.arguments().iter();
        while let Some(argument) = arguments.next() {
            let short = argument.starts_with('-') && !argument.starts_with("--");
            if short && argument.ends_with('c') {
                let text = arguments.find(|word| !word.starts_with(['-', '+']) && *word != "pipefail");
                self.text(&call.folder, text.map_or("", String::as_str), depth);
                return true;
            } else if argument == "-o" || short && argument.ends_with('o') {
                arguments.next();
            } else if !argument.starts_with('-') {
                return self.file(call, Some(argument), depth);
            }
        }
        false
    }

    /// Follows a shell script that lies in the tree.
    fn file(&mut self, call: &Call, path: Option<&String>, depth: usize) -> bool {
        let Some(text) = path.and_then(|path| self.read(&call.folder, path)) else {
            return false;
        };
        let first = text.lines().next().unwrap_or_default();
        let is_shell =
            first.starts_with("#!") && first.contains("sh") || path.is_some_and(|path| path.ends_with(".sh"));
        if is_shell {
            self.text(&call.folder, &text, depth);
        }
        is_shell
    }

    fn script(&mut self, call: &Call, depth: usize) -> bool {
        match scripts::called(&call.folder, &call.words, self.files) {
            Called::Text(text, folder) => self.text(&folder, &text, depth),
            Called::Program(words, folder) => self.follow(&folder, words, depth + 1),
            Called::Unknown => return false,
        }
        true
    }

    fn recipe(&mut self, call: &Call, depth: usize) -> bool {
        let is_just = call.program() == "just";
        let mut folder = call.folder.clone();
        let (mut named, mut words) = (None, Vec::new());
        let mut arguments = call.arguments().iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-C" | "--directory" | "-d" | "--working-directory" => {
                    folder = paths::join(&folder, arguments.next().map_or("", String::as_str));
                }
                "-f" | "--file" | "--makefile" | "--justfile" => named = arguments.next().cloned(),
                _ => words.push(argument.clone()),
            }
        }
        let usual: &[&str] = if is_just {
            &["justfile", "Justfile", ".justfile"]
        } else {
            &["GNUmakefile", "makefile", "Makefile"]
        };
        let text = match named {
            Some(named) => self.read(&call.folder, &named).or_else(|| self.read(&folder, &named)),
            None => usual.iter().find_map(|name| self.read(&folder, name)),
        };
        let read = if is_just { make::just } else { make::make };
        let Some(lines) = text.and_then(|text| read(&text, &words)) else {
            return false;
        };
        for line in lines {
            self.text(&folder, &line, depth);
        }
        true
    }
}

/// The commands of a `tox.ini`.
fn tox(text: &str) -> String {
    let mut inside = false;
    let mut commands = String::new();
    for line in text.lines() {
        let is_more = line.starts_with([' ', '\t']);
        let command = match line.split_once('=') {
            Some((key, value)) if !is_more => {
                inside = key.trim().starts_with("commands");
                value
            }
            Some(_) | None => line,
        };
        inside &= is_more || line.contains('=');
        if inside {
            commands.push_str(command.trim().trim_start_matches("- "));
            commands.push('\n');
        }
    }
    commands
}

/// A command without what only wraps it, its program by its bare name.
fn bare(mut words: Vec<String>) -> Option<Vec<String>> {
    // Each round takes at least one word away.
    loop {
        let set = words.iter().take_while(|word| is_assignment(word)).count();
        words.drain(..set);
        let first = words.first_mut()?;
        *first = program(first);
        let next = unwrapped(&words).or_else(|| interpreted(&words));
        match next {
            Some(next) if next.len() < words.len() => words = next,
            Some(_) | None => return Some(words),
        }
    }
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The bare name of a program. A script of the tree keeps its path.
fn program(word: &str) -> String {
    let name = paths::name(word);
    let name = name
        .strip_suffix(".exe")
        .or_else(|| name.strip_suffix(".cmd"))
        .unwrap_or(name);
    if name.ends_with(".sh") || name.ends_with(".py") {
        return word.to_owned();
    }
    if name.starts_with("python") || name.starts_with("pypy") {
        return "python".into();
    }
    let is_installed = word.contains("/bin/") || word.contains(".bin/") || !word.contains('/');
    let is_project_own = matches!(name, "mvnw" | "gradlew");
    if is_installed || is_project_own {
        name.to_owned()
    } else {
        word.to_owned()
    }
}

fn unwrapped(words: &[String]) -> Option<Vec<String>> {
    let starts = |prefix: &&Prefix| {
        words.len() > prefix.words.len() && prefix.words.iter().zip(words).all(|(wanted, word)| wanted == word)
    };
    let prefix = PREFIXES.iter().find(starts)?;
    let mut rest = words.iter().skip(prefix.words.len()).peekable();
    let mut before = prefix.before;
    while let Some(word) = rest.peek() {
        if prefix.valued.contains(&word.as_str()) {
            rest.next();
        } else if word.starts_with('-') {
        } else if before > 0 {
            before -= 1;
        } else {
            break;
        }
        rest.next();
    }
    let rest: Vec<String> = rest.cloned().collect();
    (!rest.is_empty()).then_some(rest)
}

/// What an interpreter is told to run: `python -m X`, `coverage run -m X`,
/// `node node_modules/X/…`.
fn interpreted(words: &[String]) -> Option<Vec<String>> {
    let (program, arguments) = words.split_first()?;
    match program.as_str() {
        "coverage" if arguments.first().is_some_and(|verb| verb == "run") => {
            let module = arguments.iter().position(|word| word == "-m")?;
            arguments.get(module + 1..).map(<[String]>::to_vec)
        }
        "python" => {
            let module = arguments.iter().position(|word| word == "-m")?;
            let flags_only = arguments.iter().take(module).all(|word| word.starts_with('-'));
            let rest = arguments.get(module + 1..).filter(|_| flags_only)?;
            Some(rest.to_vec())
        }
        "node" | "tsx" => {
            let at = arguments.iter().position(|word| !word.starts_with('-'))?;
            let script = arguments.get(at).filter(|script| script.contains("node_modules/"))?;
            let name = paths::name(script).split('.').next().unwrap_or_default().to_owned();
            let rest = arguments.iter().skip(at + 1).cloned();
            Some(std::iter::once(name).chain(rest).collect())
        }
        _ => None,
    }
}
