//! The JSON Schema of a configuration file, from the types that read it.

use super::layer::{Raw, RawAgent, RawAgents};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::Value;
use std::borrow::Cow;
use trueup_core::kind::Format;

/// The schema of every layer: a layer may leave out whatever it likes.
pub(crate) fn schema() -> Value {
    let generator: SchemaGenerator = SchemaSettings::draft07().into_generator();
    let mut schema = generator.into_root_schema_for::<Raw>();
    schema.insert("title".into(), "trueup.toml".into());
    tidied(schema.to_value())
}

/// The schema as people read it: without the null that TOML does not have, and
/// with tables called by their own names.
fn tidied(value: Value) -> Value {
    match value {
        Value::Object(mut table) => {
            if let Some(Value::Array(kinds)) = table.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [kind] = kinds.as_slice() {
                    let kind = kind.clone();
                    table.insert("type".into(), kind);
                }
            }
            if let Some(Value::Array(choices)) = table.get_mut("anyOf") {
                choices.retain(|choice| choice["type"] != "null");
            }
            let named = |name: String| name.strip_prefix("Raw").map(str::to_owned).unwrap_or(name);
            let entries = table.into_iter().map(|(name, value)| (named(name), tidied(value)));
            Value::Object(entries.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(tidied).collect()),
        Value::String(text) => Value::String(text.replace("#/definitions/Raw", "#/definitions/")),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// Read by hand, so described by hand; what an agent is comes from its type.
impl JsonSchema for RawAgents {
    fn schema_name() -> Cow<'static, str> {
        "Agents".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let agent = generator.subschema_for::<RawAgent>();
        json_schema!({
            "type": "object",
            "properties": {
                "default": {
                    "description": "Which `[agent.NAME]` works unless the task or `--agent` names one.",
                    "type": "string",
                },
            },
            "additionalProperties": agent,
        })
    }
}

/// The words for [`trueup_core::ground::Warmth`], which knows no schemas.
pub(super) fn warmth(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["cold", "warm"] })
}

/// The words for [`super::network::AgentNetwork`], which are read by hand.
pub(super) fn network(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": [true, false, "model"] })
}

/// The words for [`trueup_core::kind::Format`], which knows no schemas.
pub(super) fn parse(_: &mut SchemaGenerator) -> Schema {
    let words = Format::ALL.map(|(word, _)| word);
    json_schema!({ "enum": words })
}

/// The words for [`trueup_core::kind::Ratchet`], which knows no schemas.
pub(super) fn baseline(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["none", "no-new"] })
}

/// The words for [`trueup_engine::sandbox::Laying`], which knows no schemas.
pub(super) fn laying(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["auto", "overlay", "copy"] })
}

/// The words for [`trueup_core::ladder::Ladder`], which knows no schemas.
pub(super) fn ladder(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["standard", "patient"] })
}

/// The levels of rules by their ids, and the profile and packs beside them.
pub(super) fn rules(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": {
            "profile": { "enum": ["standard", "strict"] },
            "packs": {
                "description": "Files with rules of your own.",
                "type": "array",
                "items": { "type": "string" },
            },
        },
        "additionalProperties": { "enum": ["ask", "note"] },
    })
}

/// The words for [`super::Kind`].
pub(super) fn kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["command", "claude-code", "codex"] })
}

/// The words for [`trueup_core::turn::Permission`], which knows no schemas.
pub(super) fn permission(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": ["everything", "edits", "nothing"] })
}

#[cfg(test)]
mod tests {
    use crate::config::layer::Layer;

    /// What a reader says it expects, when it is given something else.
    fn expected(text: &str) -> Vec<String> {
        let refused = Layer::parse(text, "a.toml").map(drop).expect_err("a refusal").what;
        let (_, expected) = refused.split_once("expected ").expect("what was expected");
        expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn words_that_are_listed_by_hand_are_those_the_reader_expects() {
        let schema = super::schema();
        for (table, key) in [
            ("verify", "final"),
            ("ladder", "profile"),
            ("workspace", "lay"),
            ("checks.a", "baseline"),
            ("agent.a", "kind"),
            ("agent.a", "permission"),
        ] {
            let found = schema["definitions"].as_object().expect("definitions").values();
            let listed = found.filter_map(|table| table["properties"][key]["enum"].as_array());
            let listed: Vec<&str> = listed.flatten().filter_map(serde_json::Value::as_str).collect();
            let mut known = expected(&format!("[{table}]\n{key} = \"nothing-such\"\n"));
            known.truncate(listed.len().max(1));
            assert!(!listed.is_empty(), "{key}");
            assert_eq!(known, listed, "{key}");
        }
    }
}
