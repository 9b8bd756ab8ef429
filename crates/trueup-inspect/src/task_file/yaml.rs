//! The one position that knows the YAML library: text in, nodes with places out.
//!
//! Nodes rather than typed structs, because a typed reader stops at its first
//! error and a person wants to hear all of them at once.

use crate::problem::{Complaint, Position, Problem};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    Spanned,
    options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy},
};
use std::fmt;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) value: Value,
}

/// What YAML knows.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Truth(bool),
    Whole(i128),
    Fraction(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One key of a mapping with its value.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) position: Position,
    pub(super) node: Node,
}

/// Reads a YAML text whose first line is that line of the file. The node is
/// absent where the text is no YAML; a key that stands twice is a problem
/// beside which the rest is still read.
pub(super) fn read(text: &str, first_line: u32) -> (Option<Node>, Vec<Problem>) {
    match parse(text, first_line, DuplicateKeyPolicy::Error) {
        Ok(node) => (Some(node), Vec::new()),
        Err(error) => {
            let problem = problem(&error, first_line);
            let again = matches!(error, serde_saphyr::Error::DuplicateMappingKey { .. });
            let node = again.then(|| parse(text, first_line, DuplicateKeyPolicy::FirstWins).ok());
            (node.flatten(), vec![problem])
        }
    }
}

fn parse(text: &str, first_line: u32, duplicate_keys: DuplicateKeyPolicy) -> Result<Node, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: 8,
            flow_nesting_limit: 8,
            max_aliases: 0,
            max_anchors: 0,
            max_documents: 1,
            max_nodes: 20_000,
        },
        duplicate_keys: duplicate_keys,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    let spanned: Spanned<Value> = serde_saphyr::from_str_with_options(text, options)?;
    let mut node = Node::from(spanned);
    node.shift(first_line - 1);
    Ok(node)
}

fn problem(error: &serde_saphyr::Error, first_line: u32) -> Problem {
    let position = error.location().map_or(
        Position {
            line: first_line,
            column: 1,
        },
        |location| {
            let position = position(location);
            Position {
                line: position.line.saturating_add(first_line - 1),
                ..position
            }
        },
    );
    complaint(error).at(position)
}

fn complaint(error: &serde_saphyr::Error) -> Complaint {
    if let serde_saphyr::Error::DuplicateMappingKey { key, .. } = error {
        let key = key.as_deref().unwrap_or("a key");
        return Complaint::new(format!("`{key}` stands here twice")).hint("keep one of the two");
    }
    if matches!(error, serde_saphyr::Error::Budget { .. }) {
        return Complaint::new("the front matter is too deep, too large, or uses anchors and aliases")
            .hint("write plain keys and values");
    }
    let text = error.to_string();
    // The library appends its own position, which counts from the front matter's first line.
    let what = text.split(" at line ").next().unwrap_or(&text);
    Complaint::new(format!("this is not valid YAML: {}", what.trim_end_matches(',')))
}

fn position(location: serde_saphyr::Location) -> Position {
    let number = |value: u64| u32::try_from(value.max(1)).unwrap_or(u32::MAX);
    Position {
        line: number(location.line()),
        column: number(location.column()),
    }
}

impl Node {
    /// Moves the places of a node and all below it down by some lines. The
    /// depth limit of the parser bounds the recursion.
    fn shift(&mut self, lines: u32) {
        self.position.line = self.position.line.saturating_add(lines);
        match &mut self.value {
            Value::List(nodes) => nodes.iter_mut().for_each(|node| node.shift(lines)),
            Value::Map(entries) => entries.iter_mut().for_each(|entry| {
                entry.position.line = entry.position.line.saturating_add(lines);
                entry.node.shift(lines);
            }),
            Value::Null | Value::Truth(_) | Value::Whole(_) | Value::Fraction(_) | Value::Text(_) => {}
        }
    }
}

impl From<Spanned<Value>> for Node {
    fn from(spanned: Spanned<Value>) -> Self {
        Self {
            position: position(spanned.referenced),
            value: spanned.value,
        }
    }
}

impl Value {
    /// What it is, in a person's words.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Truth(_) => "true or false",
            Self::Whole(_) | Self::Fraction(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a group of keys",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Fraction(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = sequence.next_element::<Spanned<Value>>()? {
            nodes.push(node.into());
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, node)) = map.next_entry::<Spanned<String>, Spanned<Value>>()? {
            entries.push(Entry {
                position: position(key.referenced),
                key: key.value,
                node: node.into(),
            });
        }
        Ok(Value::Map(entries))
    }
}
