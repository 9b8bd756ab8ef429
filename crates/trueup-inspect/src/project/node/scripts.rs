//! What a script of a package calls in the end.

use crate::project::survey::ScriptRunner;
use serde_json::Value;

/// How deep scripts that call scripts are followed.
const DEEPEST: usize = 4;

/// What a script calls, one after the other, with those scripts spelled out that
/// it calls; nothing where a shell is needed to know.
pub(super) fn steps(scripts: &Value, name: &str) -> Option<Vec<String>> {
    followed(scripts, name, DEEPEST)
}

fn followed(scripts: &Value, name: &str, depth: usize) -> Option<Vec<String>> {
    let text = scripts.get(name)?.as_str()?;
    if !is_plain(text) || depth == 0 {
        return None;
    }
    let mut steps = Vec::new();
    for step in text.split("&&").map(str::trim) {
        let words: Vec<&str> = step.split_whitespace().collect();
        let called = called(scripts, &words);
        let before = called.map(|called| format!("pre{called}"));
        for called in [before.as_deref(), called].into_iter().flatten() {
            if scripts.get(called).is_some() {
                steps.extend(followed(scripts, called, depth - 1)?);
            }
        }
        if called.is_none() {
            steps.push(step.to_owned());
        }
    }
    Some(steps)
}

/// A chain of programs, one of which is a runner that takes more flags.
pub(super) struct Chain {
    before: Vec<String>,
    step: String,
    after: Vec<String>,
    pub(super) runner: ScriptRunner,
}

impl Chain {
    /// The whole chain on one line, with these flags for its runner.
    pub(super) fn line(&self, flags: &str) -> String {
        let step = format!("{} {flags}", self.step);
        let all = self.before.iter().chain([&step]).chain(&self.after);
        all.map(String::as_str).collect::<Vec<_>>().join(" && ")
    }
}

/// A script as such a chain, whose scripts this program calls. They stay calls,
/// but for those on the way to the runner; nothing where a shell is needed to
/// know, or where there is another runner.
pub(super) fn chain(scripts: &Value, name: &str, program: &str) -> Option<Chain> {
    let steps = spelled(scripts, (name, program), DEEPEST)?;
    let mut runners = steps
        .iter()
        .enumerate()
        .filter_map(|(at, step)| Some((at, runner(step)?)));
    let (Some((at, runner)), None) = (runners.next(), runners.next()) else {
        return None;
    };
    let (before, rest) = steps.split_at_checked(at)?;
    let (step, after) = rest.split_first()?;
    let is_closed = |quote: char| step.matches(quote).count() % 2 == 0;
    (is_closed('"') && is_closed('\'')).then(|| Chain {
        before: before.to_vec(),
        step: step.clone(),
        after: after.to_vec(),
        runner,
    })
}

/// The steps of a script, with what is called before and after it by its name.
fn spelled(scripts: &Value, (name, program): (&str, &str), depth: usize) -> Option<Vec<String>> {
    let text = scripts.get(name)?.as_str()?;
    if !is_plain(text) || depth == 0 {
        return None;
    }
    let around = |when: &str| {
        let name = format!("{when}{name}");
        scripts.get(&name).map(|_| format!("{program} run {name}"))
    };
    // In another folder, a name means the script of another package.
    let stays = text.split("&&").all(|step| !step.trim().starts_with("cd "));
    let mut steps: Vec<String> = around("pre").into_iter().collect();
    for step in text.split("&&").map(str::trim) {
        let words: Vec<&str> = step.split_whitespace().collect();
        let called = called(scripts, &words).filter(|called| stays && tests(scripts, called, depth - 1));
        match called {
            Some(called) => steps.extend(spelled(scripts, (called, program), depth - 1)?),
            None => steps.push(step.to_owned()),
        }
    }
    steps.extend(around("post"));
    Some(steps)
}

/// Whether a script calls a runner in the end.
fn tests(scripts: &Value, name: &str, depth: usize) -> bool {
    let steps = followed(scripts, name, depth);
    steps.is_some_and(|steps| steps.iter().any(|step| runner(step).is_some()))
}

/// The script of the same package that these words call.
fn called<'a>(scripts: &Value, words: &[&'a str]) -> Option<&'a str> {
    match words {
        ["npm", "test" | "t"] => Some("test"),
        ["npm" | "pnpm" | "yarn" | "bun", "run", called] => Some(called),
        ["pnpm" | "yarn", called] if scripts.get(called).is_some() => Some(called),
        _ => None,
    }
}

/// Whether a line is a chain of commands and nothing more.
fn is_plain(line: &str) -> bool {
    let chained = line.replace("&&", "");
    !chained.contains(['&', '|', ';', '<', '>', '$', '`', '('])
}

/// Whether a step installs something.
pub(super) fn asks_network(step: &str) -> bool {
    let words: Vec<&str> = step.split_whitespace().collect();
    match words.as_slice() {
        ["npm" | "pnpm" | "yarn" | "bun", verb, ..] => ["install", "i", "ci", "add", "dlx"].contains(verb),
        ["playwright", "install", ..] | ["npx", "playwright", "install", ..] | ["curl" | "wget", ..] => true,
        _ => false,
    }
}

/// The runner that a script calls last, which is given what is typed behind the
/// script's name.
pub(super) fn runner(script: &str) -> Option<ScriptRunner> {
    let last = script.split("&&").last()?;
    if !is_plain(script) {
        return None;
    }
    let words: Vec<&str> = last.split_whitespace().collect();
    let words = unwrapped(&words);
    let has_own = words
        .iter()
        .any(|word| word.contains("report") || word.contains("output") || *word == "-R");
    let are_flags = |words: &[&str]| words.iter().all(|word| word.starts_with("--"));
    match words {
        _ if has_own => None,
        ["vitest", rest @ ..] => {
            let more: Vec<&str> = rest.iter().copied().filter(|word| *word != "run").collect();
            let stays = more.iter().any(|word| ["--ui", "--watch"].contains(word));
            (are_flags(&more) && !stays).then_some(ScriptRunner::Vitest)
        }
        ["jest", more @ ..] => (!more.contains(&"--json") && !more.contains(&"--")).then_some(ScriptRunner::Jest),
        // Behind the name of a file, flags would be the file's.
        ["node", flags @ ..] if flags.contains(&"--test") && are_flags(flags) => Some(ScriptRunner::Node),
        ["mocha", ..] => Some(ScriptRunner::Mocha),
        ["bun", "test", flags @ ..] if are_flags(flags) => Some(ScriptRunner::Bun),
        _ => None,
    }
}

/// The words behind variables that are set, and behind what only measures.
fn unwrapped<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    match words {
        ["cross-env", rest @ ..] => unwrapped(rest),
        ["c8" | "nyc", rest @ ..] => {
            let flags = rest.iter().take_while(|word| word.starts_with("--")).count();
            unwrapped(rest.get(flags..).unwrap_or_default())
        }
        [set, rest @ ..] if set.contains('=') && !set.starts_with('-') => unwrapped(rest),
        words => words,
    }
}
