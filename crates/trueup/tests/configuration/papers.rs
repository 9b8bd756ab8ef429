//! The schemas agree with the pages: every example that a page shows is valid,
//! and what the readers refuse is not.

use serde_json::{Value, json};
use std::{fs, path::Path};
use trueup_testkit::{household::Household, transcript::blocks};

/// What is wrong with a value. Knows just the words our schemas use, and stops
/// at one it does not know.
fn faults(schema: &Value, value: &Value, root: &Value, place: &str) -> Vec<String> {
    let Value::Object(rules) = schema else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut wrong = |what: String| found.push(format!("{place}: {what}"));
    for (rule, wanted) in rules {
        match rule.as_str() {
            "$ref" => {
                let name = wanted.as_str().and_then(|name| name.strip_prefix("#/definitions/"));
                let schema = &root["definitions"][name.expect("a definition")];
                assert!(!schema.is_null(), "{wanted} leads nowhere");
                found.extend(faults(schema, value, root, place));
                return found;
            }
            "type" if !is_a(value, wanted.as_str().expect("a type")) => wrong(format!("{value} is no {wanted}")),
            "const" if value != wanted => wrong(format!("{value} is not {wanted}")),
            "enum" if !wanted.as_array().expect("values").contains(value) => {
                wrong(format!("{value} is none of {wanted}"))
            }
            "anyOf" => {
                let choices = wanted.as_array().expect("choices");
                if choices
                    .iter()
                    .all(|choice| !faults(choice, value, root, place).is_empty())
                {
                    wrong(format!("{value} is none of {wanted}"));
                }
            }
            "required" => {
                for key in wanted.as_array().expect("keys").iter().filter_map(Value::as_str) {
                    if value.get(key).is_none() {
                        wrong(format!("`{key}` is missing"));
                    }
                }
            }
            "type"
            | "const"
            | "enum"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "items"
            | "description"
            | "title"
            | "definitions"
            | "$schema"
            | "pattern"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "minLength"
            | "format"
            | "default" => {}
            other => panic!("{place}: the schema says `{other}`, which nobody here can judge"),
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{place}.{key}");
        match (&schema["properties"][key], &schema["additionalProperties"]) {
            (Value::Null, _) if key.starts_with("x-") && !schema["patternProperties"].is_null() => {}
            (Value::Null, Value::Bool(false)) => found.push(format!("{place}: the key is unknown")),
            (Value::Null, more) => found.extend(faults(more, inner, root, &place)),
            (known, _) => found.extend(faults(known, inner, root, &place)),
        }
    }
    for inner in value.as_array().into_iter().flatten() {
        found.extend(faults(&schema["items"], inner, root, &format!("{place}[]")));
    }
    found
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("a type `{other}` is nothing these schemas know"),
    }
}

fn schema(of: &str) -> Value {
    Household::new(env!("CARGO_BIN_EXE_trueup"), "").json(&["schema", of])
}

fn page(name: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(page).expect("a page")
}

#[test]
fn every_configuration_on_a_page_is_valid_by_the_schema() {
    let schema = schema("config");
    let mut seen = 0;
    for name in ["docs/configuration.md", "README.md"] {
        for block in blocks(&page(name)).into_iter().filter(|block| block.kind == "toml") {
            let table: toml::Table = block.text.parse().expect("TOML");
            let value = serde_json::to_value(table).expect("JSON");
            assert_eq!(faults(&schema, &value, &schema, name), [""; 0], "{}", block.text);
            seen += 1;
        }
    }
    assert!(seen >= 2, "{seen} examples were seen");
    let defaults: toml::Table = include_str!("../../src/config/default.toml").parse().expect("TOML");
    let value = serde_json::to_value(defaults).expect("JSON");
    assert_eq!(faults(&schema, &value, &schema, "default.toml"), [""; 0]);
}

#[test]
fn what_the_reader_of_configurations_refuses_is_refused_by_the_schema() {
    let schema = schema("config");
    let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "");
    for text in [
        "surprise = 1",
        "[project]\nbsae = 'main'",
        "[project]\nbase = 1",
        "[checks.a]\nrun = ['make']",
        "[checks.a]\nrun = 'make'\nnetwork = 'no'",
        "[agent.a]\ncommand = 'x'",
        "[agent.a]\nsurprise = 1",
        "[prepare.a]\nkey = 'package-lock.json'",
        "[verify]\nfinal = 'lukewarm'",
        "[workspace]\nlay = 'bricks'",
        "[services.a]\nport = 'x'",
        "[state]\nquota = 1",
    ] {
        let value = serde_json::to_value(text.parse::<toml::Table>().expect("TOML")).expect("JSON");
        assert_ne!(faults(&schema, &value, &schema, ""), [""; 0], "{text}");
        household.file("trueup.toml", text);
        assert_eq!(household.trueup(&["status"]).code, 2, "{text}");
    }
}

#[test]
fn the_front_matter_on_the_page_is_valid_by_the_schema() {
    let schema = schema("task");
    // The page fences its example with four marks, because the example holds marks itself.
    let page = page("docs/task-file.md");
    let (_, example) = page.split_once("````markdown\n---\n").expect("an example");
    let (front, _) = example.split_once("\n---\n").expect("front matter");
    let keys = front
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(key, _)| key);
    let keys: Vec<&str> = keys.filter(|key| !key.starts_with(' ')).collect();
    assert!(keys.len() >= 8, "{keys:?}");
    for key in keys {
        assert!(!schema["properties"][key].is_null(), "the schema does not know `{key}`");
    }
    let valid = json!({
        "v": 1, "id": "T-014", "title": "Carts", "size": "small", "priority": "P1", "needs": ["T-012"],
        "scope": { "touch": ["src/**"], "never": ["Cargo.lock"], "max_new_lines": 200 },
        "budget": { "turns": 8, "time": "1h" }, "x-mine": true,
    });
    assert_eq!(faults(&schema, &valid, &schema, ""), [""; 0]);
    for (key, value) in [
        ("size", json!(6.5)),
        ("v", json!(2)),
        ("scope", json!({ "tuoch": [] })),
        ("titel", json!("x")),
    ] {
        let mut bad = valid.clone();
        bad[key] = value;
        assert_ne!(faults(&schema, &bad, &schema, ""), [""; 0], "{key}");
    }
}
