//! What is left out of events and of the configuration. Words stay only where
//! they are known to be ours: everything else could be anything.

use serde_json::{Map, Value, json};
use trueup_core::settings::looks_secret;

/// Keys under which only words of ours, ids and digests stand.
const KEPT: [&str; 29] = [
    "architecture",
    "because",
    "by",
    "check",
    "commit",
    "criterion",
    "definition",
    "digest",
    "ending",
    "id",
    "isolation",
    "key",
    "kind",
    "list",
    "meter",
    "network",
    "phase",
    "protected",
    "reason",
    "role",
    "rule",
    "run",
    "saw",
    "sight",
    "size",
    "tree",
    "turned",
    "type",
    "verdict",
];

/// Keys of maps whose own keys are the person's to choose.
const PERSONAL: [&str; 2] = ["variables", "env"];

/// The longest id or digest.
const LONGEST: usize = 64;

/// An event in its shape: numbers, ids and digests, no text.
pub(super) fn of_event(event: Value) -> Value {
    without_words("", event)
}

fn without_words(key: &str, value: Value) -> Value {
    match value {
        Value::String(word) if KEPT.contains(&key) && is_a_name(&word) => Value::String(word),
        Value::String(word) => json!(format!("[{} characters left out]", word.chars().count())),
        Value::Array(values) => values.into_iter().map(|value| without_words(key, value)).collect(),
        Value::Object(map) if PERSONAL.contains(&key) => json!(format!("[{} left out]", map.len())),
        Value::Object(map) => {
            let each = map.into_iter().map(|(key, value)| {
                let told = without_words(&key, value);
                (key, told)
            });
            Value::Object(each.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn is_a_name(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    word.len() <= LONGEST && word.bytes().all(plain)
}

/// The value of a key, without what is handed to programs: of a command its
/// first word, of a variable nothing but that it is set.
pub(super) fn of_setting(key: &str, value: Value) -> Value {
    let mut parts = key.rsplit('.');
    let last = parts.next().unwrap_or_default();
    if looks_secret(last) || parts.next().is_some_and(|above| PERSONAL.contains(&above)) {
        return json!("[left out]");
    }
    match value {
        Value::Object(map) if PERSONAL.contains(&last) => json!(format!("[{} left out]", map.len())),
        Value::Array(words) if COMMANDS.contains(&last) => {
            let more = words.len().saturating_sub(1);
            let first = words.into_iter().next().unwrap_or_default();
            json!([first, format!("[{more} left out]")])
        }
        Value::String(line) if COMMANDS.contains(&last) => {
            let (first, rest) = line.split_once(' ').unwrap_or((&line, ""));
            json!(format!("{first} [{} characters left out]", rest.chars().count()))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            value
        }
    }
}

/// Keys that hold command lines.
const COMMANDS: [&str; 3] = ["command", "run", "start"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_only_under_keys_of_ours_and_only_if_they_are_names() {
        let event = json!({
            "type": "opened", "title": "hunter2hunter2", "turn": 3,
            "task": { "id": "T-001", "text": "s e c r e t" },
            "argv": ["sh", "-c", "token"], "variables": { "type": "hunter2" },
            "saw": { "failed": { "exit": 1, "why": "hunter2" } }, "tree": "0a1b", "kind": "two words",
        });
        let told = of_event(event);
        assert_eq!(told["type"], "opened");
        assert_eq!(told["title"], "[14 characters left out]");
        assert_eq!(told["turn"], 3);
        assert_eq!(
            told["task"],
            json!({ "id": "T-001", "text": "[11 characters left out]" })
        );
        assert_eq!(told["argv"][2], "[5 characters left out]");
        assert_eq!(told["variables"], "[1 left out]");
        assert_eq!(
            told["saw"]["failed"],
            json!({ "exit": 1, "why": "[7 characters left out]" })
        );
        assert_eq!(
            (&told["tree"], &told["kind"]),
            (&json!("0a1b"), &json!("[9 characters left out]"))
        );
    }

    #[test]
    fn of_a_setting_stays_what_names_a_program_and_no_more() {
        let told = |key, value| of_setting(key, value);
        assert_eq!(
            told("agent.a.command", json!(["x", "--token", "y"])),
            json!(["x", "[2 left out]"])
        );
        assert_eq!(
            told("checks.test.run", json!("make test")),
            json!("make [4 characters left out]")
        );
        assert_eq!(told("agent.a.env.REGION", json!("eu")), json!("[left out]"));
        assert_eq!(told("agent.a.api_key", json!("k")), json!("[left out]"));
        assert_eq!(told("limits.turn", json!("10m")), json!("10m"));
    }
}
