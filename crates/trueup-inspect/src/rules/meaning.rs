//! What a configuration file says, whatever way it is spelled.

use super::paths::fits;
use serde_json::{Map, Value};

/// How a file is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// JSON, with comments and trailing commas.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// Sections of `key = value`.
    Ini,
    /// A `go.mod`.
    GoMod,
    /// A `pom.xml`, of which dependencies do not count.
    Maven,
    /// A Gradle script, of which dependencies do not count.
    Gradle,
}

/// Spellings by name, the first that fits counts.
const SYNTAXES: [(&str, Syntax); 24] = [
    ("*.json", Syntax::Json),
    ("*.jsonc", Syntax::Json),
    (".eslintrc", Syntax::Json),
    (".babelrc", Syntax::Json),
    (".swcrc", Syntax::Json),
    (".nycrc", Syntax::Json),
    (".c8rc", Syntax::Json),
    (".prettierrc", Syntax::Json),
    (".mocharc", Syntax::Json),
    ("*.toml", Syntax::Toml),
    (".cargo/config", Syntax::Toml),
    ("*.yml", Syntax::Yaml),
    ("*.yaml", Syntax::Yaml),
    ("*.ini", Syntax::Ini),
    ("*.cfg", Syntax::Ini),
    (".flake8", Syntax::Ini),
    (".coveragerc", Syntax::Ini),
    (".pylintrc", Syntax::Ini),
    (".npmrc", Syntax::Ini),
    (".env*", Syntax::Ini),
    ("go.mod", Syntax::GoMod),
    ("pom.xml", Syntax::Maven),
    ("build.gradle", Syntax::Gradle),
    ("build.gradle.kts", Syntax::Gradle),
];

/// Whether the spelling of a file is known.
pub(super) fn is_read(path: &str) -> bool {
    SYNTAXES.iter().any(|(pattern, _)| fits(path, pattern))
}

/// What a file says, if its spelling is known and it can be read.
pub(super) fn meaning(path: &str, bytes: &[u8]) -> Option<Value> {
    let (_, syntax) = SYNTAXES.iter().find(|(pattern, _)| fits(path, pattern))?;
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match syntax {
        Syntax::Json => serde_json::from_str(&plain_json(text)).ok(),
        Syntax::Toml => toml::from_str(text).ok(),
        Syntax::Yaml => serde_saphyr::from_str(text).ok(),
        Syntax::Ini => Some(ini(text)),
        Syntax::GoMod => Some(go_mod(text)),
        Syntax::Maven => Some(Value::String(maven(text))),
        Syntax::Gradle => Some(Value::String(gradle(text))),
    }
}

/// JSON without comments and trailing commas.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('"', _) => {
                plain.push('"');
                while let Some(inside) = characters.next() {
                    plain.push(inside);
                    match inside {
                        '\\' => plain.extend(characters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while characters.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                characters.next();
                let mut last = ' ';
                for inside in characters.by_ref() {
                    if last == '*' && inside == '/' {
                        break;
                    }
                    last = inside;
                }
            }
            ('}' | ']', _) => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
                plain.push(character);
            }
            _ => plain.push(character),
        }
    }
    plain
}

/// Sections of keys. Indented lines go on with the value above them.
fn ini(text: &str) -> Value {
    let mut sections: Map<String, Value> = Map::new();
    let (mut section, mut key) = (String::new(), String::new());
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let header = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(header) = header.filter(|_| !line.starts_with([' ', '\t'])) {
            section = header.trim().to_owned();
            key.clear();
            continue;
        }
        let is_more = line.starts_with([' ', '\t']) && !key.is_empty();
        let (name, value) = trimmed.split_once(['=', ':']).unwrap_or((trimmed, ""));
        let name = name.trim().trim_start_matches("export ").trim();
        if !is_more {
            key = name.to_owned();
        }
        let table = sections
            .entry(section.clone())
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(table) = table {
            let old = table.get(&key).and_then(Value::as_str).unwrap_or_default();
            let new = if is_more {
                format!("{old}\n{trimmed}")
            } else {
                value.trim().to_owned()
            };
            table.insert(key.clone(), Value::String(new));
        }
    }
    Value::Object(sections)
}

/// The directives of a `go.mod`, each with its lines in a fixed order.
fn go_mod(text: &str) -> Value {
    let mut directives: Map<String, Value> = Map::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, rest) = match (words.as_slice(), &open) {
            ([], _) => continue,
            ([")"], _) => {
                open = None;
                continue;
            }
            (words, Some(open)) => (open.clone(), words.join(" ")),
            ([name, "("], None) => {
                open = Some((*name).to_owned());
                continue;
            }
            ([name, rest @ ..], None) => ((*name).to_owned(), rest.join(" ")),
        };
        let lines = directives.entry(name).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(lines) = lines {
            lines.insert(rest, Value::Null);
        }
    }
    Value::Object(directives)
}

/// A `pom.xml` without its dependencies; those of plugins stay, for they run.
fn maven(text: &str) -> String {
    let text = without(text, "<!--", "-->");
    let (before, rest) = text.split_once("<build>").unwrap_or((&text, ""));
    let (build, after) = rest.split_once("</build>").unwrap_or((rest, ""));
    let outside = |text: &str| {
        without(
            &without(text, "<dependencyManagement>", "</dependencyManagement>"),
            "<dependencies>",
            "</dependencies>",
        )
    };
    let kept = [outside(before), build.to_owned(), outside(after)].join(" ");
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text without everything between two marks.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        kept.push_str(before);
        // A mark that is never closed takes nothing away.
        let Some((_, after)) = after.split_once(to) else {
            kept.push_str(from);
            kept.push_str(after);
            return kept;
        };
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// A Gradle script without its blocks of dependencies.
fn gradle(text: &str) -> String {
    let mut kept = Vec::new();
    let mut depth: Option<i64> = None;
    for line in text.lines() {
        let line = line.trim();
        let opened = line.matches('{').count() as i64 - line.matches('}').count() as i64;
        match depth {
            Some(open) if open + opened <= 0 => depth = None,
            Some(open) => depth = Some(open + opened),
            None if line.starts_with("dependencies") && line.ends_with('{') => depth = Some(opened),
            None if line.is_empty() || line.starts_with("//") => {}
            None => kept.push(line),
        }
    }
    kept.join("\n")
}
