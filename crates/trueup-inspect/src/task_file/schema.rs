//! The JSON Schema of a task's front matter. Its keys are the very lists the
//! reader knows; what a key may hold is told beside it.

use super::front_matter::{ALLOW, BUDGET, KEYS, PRIORITIES, SCOPE, SIZES};
use serde_json::{Map, Value, json};

/// The whole schema.
pub fn document() -> Value {
    let mut schema = group(KEYS, key);
    let more = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Front matter of a trueup task",
        "required": ["title"],
    });
    if let (Value::Object(schema), Value::Object(more)) = (&mut schema, more) {
        schema.extend(more);
    }
    schema
}

/// A group of known keys; those that begin with `x-` are the author's own.
fn group(keys: &[&str], of: fn(&str) -> Value) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), of(key))).collect();
    json!({
        "type": "object",
        "properties": properties,
        "patternProperties": { "^x-": {} },
        "additionalProperties": false,
    })
}

fn key(name: &str) -> Value {
    let priorities: Vec<&str> = PRIORITIES.iter().map(|(name, _)| *name).collect();
    match name {
        "v" => told("the version of this format", json!({ "const": 1 })),
        "id" => told("the task's id", id()),
        "title" => told(
            "one line for people; becomes the commit's subject",
            json!({ "type": "string" }),
        ),
        "size" => {
            let number = json!({ "type": "integer", "minimum": 1, "maximum": SIZES.len() });
            let size = json!({ "anyOf": [{ "enum": SIZES }, number] });
            told("how large it is; decides the plan and its limits", size)
        }
        "priority" => told("how urgent it is", json!({ "enum": priorities })),
        "needs" => told("tasks that must be verified first", list(id())),
        "base" => told("the revision it starts from", json!({ "type": "string" })),
        "agent" => told(
            "the agent it wants, by its name in the configuration",
            json!({ "type": "string" }),
        ),
        "scope" => told("where the change may reach", group(SCOPE, scope)),
        "budget" => told("what it may cost", group(BUDGET, budget)),
        "allow" => told("approvals a person gave in advance", group(ALLOW, allow)),
        _ => Value::Bool(true),
    }
}

fn scope(name: &str) -> Value {
    match name {
        "touch" => told("every changed path must match one of these", globs()),
        "never" => told("no changed path may match any of these", globs()),
        "max_new_lines" => told(
            "how many lines the change may add",
            json!({ "type": "integer", "minimum": 0 }),
        ),
        _ => Value::Bool(true),
    }
}

fn budget(name: &str) -> Value {
    match name {
        "turns" => told("turns in all", json!({ "type": "integer", "minimum": 1 })),
        "time" => told(
            "how long agents may work, in all",
            json!({ "type": "string", "pattern": "^([0-9]+[hms])+$" }),
        ),
        "tokens" => told("tokens in all", json!({ "type": "integer", "minimum": 1 })),
        "usd" => told("money in all", json!({ "type": "number", "exclusiveMinimum": 0 })),
        _ => Value::Bool(true),
    }
}

fn allow(name: &str) -> Value {
    match name {
        "change" => told("protected paths the change may touch", globs()),
        "remove_tests" => told("tests the change may remove", list(json!({ "type": "string" }))),
        "lockfiles" => told("lock files the change may touch", globs()),
        "rules" => told(
            "rules the change may break, by id, or `ID@GLOB` in some files",
            list(json!({ "type": "string", "pattern": "^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*(@.+)?$" })),
        ),
        "self_tested" => told(
            "whether the run's own tests may be all that proves a criterion",
            json!({ "type": "boolean" }),
        ),
        _ => Value::Bool(true),
    }
}

fn id() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$" })
}

fn globs() -> Value {
    list(json!({ "type": "string", "minLength": 1 }))
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn told(what: &str, mut schema: Value) -> Value {
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".into(), what.into());
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::{ALLOW, BUDGET, KEYS, SCOPE, allow, budget, key, scope};

    /// A key the reader learns and the schema does not would be described as
    /// anything at all.
    #[test]
    fn every_key_of_the_reader_is_described() {
        type Group = (&'static [&'static str], fn(&str) -> serde_json::Value);
        let groups: [Group; 4] = [(KEYS, key), (SCOPE, scope), (BUDGET, budget), (ALLOW, allow)];
        for (keys, of) in groups {
            for name in keys {
                assert!(of(name).get("description").is_some(), "{name}");
            }
            assert!(of("no-such-key").get("description").is_none());
        }
    }
}
