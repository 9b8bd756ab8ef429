//! Recipes of a Makefile and of a justfile, as the shell lines they run.

use std::collections::{BTreeMap, BTreeSet};

/// How many recipes are followed from one goal.
const MOST: usize = 100;

/// The lines `make` runs for these goals, those they depend on first. Nothing
/// where the file knows none of them.
pub(super) fn make(text: &str, words: &[String]) -> Option<Vec<String>> {
    let text = text.replace("\\\n", " ");
    let mut rules = Rules::default();
    let mut open: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix('\t') {
            rules.add(&open, command);
        } else if let Some((name, value)) = assigned(line) {
            rules.values.entry(name).or_insert(value);
        } else if let Some((targets, rest)) = line.split_once(':').filter(|_| !line.trim_start().starts_with('#')) {
            open = targets.split_whitespace().map(str::to_owned).collect();
            let (needs, command) = rest.split_once(';').unwrap_or((rest, ""));
            rules.declare(&open, needs.trim_start_matches(':'));
            rules.add(&open, command);
        }
    }
    for word in words {
        if let Some((name, value)) = word.split_once('=') {
            rules.values.insert(name.to_owned(), value.to_owned());
        }
    }
    rules.values.insert("MAKE".into(), "make".into());
    let lines = rules.lines(words)?;
    Some(lines.iter().map(|line| expand(line, &rules.values, 0)).collect())
}

/// The lines `just` runs for these recipes. Nothing where the file knows none
/// of them.
pub(super) fn just(text: &str, words: &[String]) -> Option<Vec<String>> {
    let mut rules = Rules::default();
    let mut open: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            rules.add(&open, line);
        } else if let Some((name, value)) = line.split_once(":=") {
            let value = value.trim().trim_matches(['"', '\'']).to_owned();
            rules.values.insert(name.trim().to_owned(), value);
        } else if let Some((head, needs)) = line.split_once(':').filter(|_| !line.starts_with(['#', '['])) {
            let name = head.split_whitespace().next().unwrap_or_default();
            open = vec![name.trim_start_matches('@').to_owned()];
            rules.declare(&open, &needs.replace("&&", " "));
        }
    }
    let lines = rules.lines(words)?;
    let told = |line: &String| {
        let mut line = line.clone();
        for (name, value) in &rules.values {
            line = line.replace(&format!("{{{{{name}}}}}"), value);
            line = line.replace(&format!("{{{{ {name} }}}}"), value);
        }
        line
    };
    Some(lines.iter().map(told).collect())
}

/// A variable a line of a Makefile gives a value.
fn assigned(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let name = name.strip_prefix("export ").unwrap_or(name).trim();
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    plain.then(|| (name.to_owned(), value.trim().to_owned()))
}

/// A line with the values of its variables.
fn expand(line: &str, values: &BTreeMap<String, String>, depth: usize) -> String {
    // A variable that names itself, or grows with each step, is left alone.
    if depth > 4 || line.len() > 10_000 || !line.contains('$') {
        return line.replace("$$", "$");
    }
    let mut line = line.to_owned();
    for (name, value) in values {
        for spelled in [format!("$({name})"), format!("${{{name}}}")] {
            if line.contains(&spelled) && line.len() < 10_000 {
                line = line.replace(&spelled, value);
            }
        }
    }
    expand(&line, values, depth + 1)
}

/// What a file of recipes declares.
#[derive(Default)]
struct Rules {
    first: Option<String>,
    needs: BTreeMap<String, Vec<String>>,
    lines: BTreeMap<String, Vec<String>>,
    values: BTreeMap<String, String>,
}

impl Rules {
    fn declare(&mut self, names: &[String], needs: &str) {
        for name in names {
            if self.first.is_none() && !name.starts_with('.') {
                self.first = Some(name.clone());
            }
            let needs = needs
                .split_whitespace()
                .map(|need| need.trim_matches(['(', ')']).to_owned());
            self.needs.entry(name.clone()).or_default().extend(needs);
        }
    }

    fn add(&mut self, names: &[String], line: &str) {
        let line = line.trim().trim_start_matches(['@', '-', '+']).trim();
        if line.is_empty() {
            return;
        }
        for name in names {
            self.lines.entry(name.clone()).or_default().push(line.to_owned());
        }
    }

    /// The lines of these goals, or of the first one where none is named.
    fn lines(&self, words: &[String]) -> Option<Vec<String>> {
        let named = words
            .iter()
            .filter(|word| !word.contains('=') && !word.starts_with('-'));
        let mut goals: Vec<&String> = named.filter(|word| self.needs.contains_key(*word)).collect();
        if words.iter().all(|word| word.contains('=') || word.starts_with('-')) {
            goals.extend(&self.first);
        }
        if goals.is_empty() {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut lines = Vec::new();
        for goal in goals {
            self.visit(goal, &mut seen, &mut lines);
        }
        Some(lines)
    }

    fn visit<'a>(&'a self, goal: &'a str, seen: &mut BTreeSet<&'a str>, lines: &mut Vec<String>) {
        if seen.len() >= MOST || !seen.insert(goal) {
            return;
        }
        for need in self.needs.get(goal).into_iter().flatten() {
            self.visit(need, seen, lines);
        }
        lines.extend(self.lines.get(goal).into_iter().flatten().cloned());
    }
}
