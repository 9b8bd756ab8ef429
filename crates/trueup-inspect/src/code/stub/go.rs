//! Go functions that panic, give zero values, or others.

use tree_sitter::Node;

use super::kind::Stub;
use crate::code::edit::{Edit, quoted};
use crate::code::items::SyntaxItem;
use crate::code::syntax::{Parsed, children, named};

/// Makes up a value that is not zero, as far as others may set it.
const FILL: &str = "\
var trueupFill func(trueupReflect.Value, int); \
trueupFill = func(v trueupReflect.Value, deep int) { \
if deep == 0 || !v.CanSet() { return }; \
switch v.Kind() { \
case trueupReflect.Bool: v.SetBool(true); \
case trueupReflect.String: v.SetString(\"trueup\"); \
case trueupReflect.Int, trueupReflect.Int8, trueupReflect.Int16, trueupReflect.Int32, trueupReflect.Int64: v.SetInt(7); \
case trueupReflect.Uint, trueupReflect.Uint8, trueupReflect.Uint16, trueupReflect.Uint32, trueupReflect.Uint64: v.SetUint(7); \
case trueupReflect.Float32, trueupReflect.Float64: v.SetFloat(7); \
case trueupReflect.Ptr: v.Set(trueupReflect.New(v.Type().Elem())); trueupFill(v.Elem(), deep-1); \
case trueupReflect.Slice: v.Set(trueupReflect.MakeSlice(v.Type(), 1, 1)); trueupFill(v.Index(0), deep-1); \
case trueupReflect.Array: for i := 0; i < v.Len(); i++ { trueupFill(v.Index(i), deep-1) }; \
case trueupReflect.Struct: for i := 0; i < v.NumField(); i++ { trueupFill(v.Field(i), deep-1) }; \
case trueupReflect.Map: \
key, of := trueupReflect.New(v.Type().Key()).Elem(), trueupReflect.New(v.Type().Elem()).Elem(); \
trueupFill(key, deep-1); trueupFill(of, deep-1); \
v.Set(trueupReflect.MakeMap(v.Type())); v.SetMapIndex(key, of); \
case trueupReflect.Interface: \
word, failure := trueupReflect.ValueOf(\"trueup\"), trueupReflect.ValueOf(&trueupReflect.ValueError{Method: \"trueup\"}); \
if word.Type().Implements(v.Type()) { v.Set(word) } else if failure.Type().Implements(v.Type()) { v.Set(failure) } } };";

pub(super) fn edits(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    let statement = match stub {
        Stub::Failing(token) => format!("panic({});", quoted(token)),
        Stub::Defaulting => zero(parsed, found.function),
        Stub::Mistaken => return mistaken(parsed, found),
    };
    Some(vec![first(found, &statement)])
}

fn first(found: &SyntaxItem<'_>, statement: &str) -> Edit {
    Edit::at(found.body.start_byte() + 1, format!(" {statement} "))
}

/// A test that fails; by its own means, since a panic would end the others too.
pub(super) fn broken(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, token: &str) -> Option<Vec<Edit>> {
    let parameters = found.function.child_by_field_name("parameters")?;
    let name = named(parameters)
        .first()
        .map_or("", |parameter| parsed.field(*parameter, "name"));
    if name.is_empty() || name == "_" {
        return edits(parsed, found, Stub::Failing(token));
    }
    let at = found.body.start_byte() + 1;
    let said = quoted(token);
    Some(vec![Edit::at(at, format!(" {name}.Fatal({said}); "))])
}

/// Gives values that nobody asks for; nothing where there is no result. An
/// error beside other results stays away: nobody would look at those.
fn mistaken(parsed: &Parsed<'_>, found: &SyntaxItem<'_>) -> Option<Vec<Edit>> {
    let results = ReturnValues::of(parsed, found.function);
    let filled: Vec<&Declared<'_>> = match results.all.as_slice() {
        [] => return None,
        [one] => vec![one],
        many => many.iter().filter(|one| one.of != "error").collect(),
    };
    let fill: Vec<String> = filled
        .iter()
        .filter(|one| one.name != "_")
        .map(|one| format!("trueupFill(trueupReflect.ValueOf(&{}).Elem(), 4);", one.name))
        .collect();
    if fill.is_empty() {
        return None;
    }
    let statement = format!(
        "{FILL} {} {} {}",
        results.declared(),
        fill.join(" "),
        results.returned()
    );
    let clause = children(parsed.root())
        .into_iter()
        .find(|node| node.kind() == "package_clause")?;
    let import = Edit::at(clause.end_byte(), "; import trueupReflect \"reflect\"");
    Some(vec![import, first(found, &statement)])
}

/// Returns the zero value of every result.
fn zero(parsed: &Parsed<'_>, function: Node<'_>) -> String {
    let results = ReturnValues::of(parsed, function);
    format!("{} {}", results.declared(), results.returned())
        .trim()
        .to_owned()
}

/// A result, and the variable that holds it.
struct Declared<'s> {
    name: String,
    of: &'s str,
}

/// The results of a function.
struct ReturnValues<'s> {
    all: Vec<Declared<'s>>,
    /// Whether the function itself names them; then they are zero when it begins.
    naming: Naming,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Named,
    Unnamed,
}

impl<'s> ReturnValues<'s> {
    fn of(parsed: &Parsed<'s>, function: Node<'_>) -> Self {
        let Some(result) = function.child_by_field_name("result") else {
            return Self {
                all: Vec::new(),
                naming: Naming::Named,
            };
        };
        if result.kind() != "parameter_list" {
            return Self::unnamed(vec![parsed.text(result)]);
        }
        let mut all = Vec::new();
        for result in named(result) {
            let mut cursor = result.walk();
            for name in result.children_by_field_name("name", &mut cursor) {
                all.push(Declared {
                    name: parsed.text(name).to_owned(),
                    of: parsed.field(result, "type"),
                });
            }
        }
        match all.is_empty() {
            true => Self::unnamed(named(result).into_iter().map(|result| parsed.text(result)).collect()),
            false => Self {
                all,
                naming: Naming::Named,
            },
        }
    }

    fn unnamed(types: Vec<&'s str>) -> Self {
        let declared = |(at, of): (usize, &'s str)| Declared {
            name: format!("trueupZero{at}"),
            of,
        };
        Self {
            all: types.into_iter().enumerate().map(declared).collect(),
            naming: Naming::Unnamed,
        }
    }

    /// Declares those that the function does not name.
    fn declared(&self) -> String {
        let unnamed = self.all.iter().filter(|_| self.naming == Naming::Unnamed);
        let declared: Vec<String> = unnamed.map(|one| format!("var {} {};", one.name, one.of)).collect();
        declared.join(" ")
    }

    fn returned(&self) -> String {
        match self.naming {
            Naming::Named => "return;".to_owned(),
            Naming::Unnamed => {
                let names: Vec<&str> = self.all.iter().map(|one| one.name.as_str()).collect();
                format!("return {};", names.join(", "))
            }
        }
    }
}
