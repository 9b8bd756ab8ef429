//! Rust functions that panic or give a default value.
//!
//! The libraries get names of our own: the edition of 2015 reads `::core` as a
//! module of the crate, and in any other `core` may be one, so that a stub would
//! not compile, and be red for nothing.

use tree_sitter::Node;

use super::kind::Stub;
use crate::code::edit::{Edit, quoted};
use crate::code::items::{SyntaxItem, attributes_of};
use crate::code::syntax::{Parsed, below, children, is_comment};

/// Behind this condition, which is not decided while types are, the rest of
/// the body stays reachable and its types stay inferred.
const ALWAYS: &str = "if \"\".is_empty()";

/// Gives `Ok` of a default, or a default, or panics where there is none:
/// whether a type has a default value is known to the compiler alone, so it
/// is asked, by how many references deep it finds the method.
const DEFAULT: &str = "\
extern crate core as trueup_core; \
#[allow(dead_code)] struct TrueupOf<T>(trueup_core::marker::PhantomData<T>); \
#[allow(dead_code)] trait TrueupFine<T> { fn trueup(&self) -> T; } \
impl<T: trueup_core::default::Default, E> TrueupFine<trueup_core::result::Result<T, E>> for &&TrueupOf<trueup_core::result::Result<T, E>> \
{ fn trueup(&self) -> trueup_core::result::Result<T, E> { trueup_core::result::Result::Ok(<T as trueup_core::default::Default>::default()) } } \
#[allow(dead_code)] trait TrueupPlain<T> { fn trueup(&self) -> T; } \
impl<T: trueup_core::default::Default> TrueupPlain<T> for &TrueupOf<T> \
{ fn trueup(&self) -> T { <T as trueup_core::default::Default>::default() } } \
#[allow(dead_code)] trait TrueupNone<T> { fn trueup(&self) -> T; } \
impl<T> TrueupNone<T> for TrueupOf<T> { fn trueup(&self) -> T { trueup_core::panic!(\"this type has no default value\") } }";

pub(super) fn edits(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, stub: Stub<'_>) -> Option<Vec<Edit>> {
    if is_fixed(found.function) {
        return None;
    }
    let then = match stub {
        Stub::Failing(token) => failure(token),
        Stub::Defaulting => default(parsed, found.function)?,
        // A value of a type that only the compiler knows cannot be made up.
        Stub::Mistaken => return None,
    };
    Some(vec![first(found.body, &then)])
}

/// A test that fails: one that must panic fails by not panicking.
pub(super) fn broken(parsed: &Parsed<'_>, found: &SyntaxItem<'_>, token: &str) -> Option<Vec<Edit>> {
    let must_panic = attributes_of(found.whole)
        .into_iter()
        .any(|attribute| parsed.text(attribute).contains("should_panic"));
    let then = if must_panic {
        format!(
            "extern crate std as trueup_std; trueup_std::eprintln!({}); return;",
            quoted(token)
        )
    } else {
        failure(token)
    };
    Some(vec![first(found.body, &then)])
}

fn failure(token: &str) -> String {
    format!(
        "extern crate core as trueup_core; trueup_core::panic!({});",
        quoted(token)
    )
}

/// Whether it is computed while compiling, or called from another language.
fn is_fixed(function: Node<'_>) -> bool {
    children(function)
        .into_iter()
        .filter(|child| child.kind() == "function_modifiers")
        .flat_map(children)
        .any(|word| matches!(word.kind(), "const" | "extern_modifier"))
}

fn default(parsed: &Parsed<'_>, function: Node<'_>) -> Option<String> {
    let Some(result) = function.child_by_field_name("return_type") else {
        return Some("return;".to_owned());
    };
    let is_unnameable = below(result, |_| false)
        .into_iter()
        .any(|node| matches!(node.kind(), "abstract_type" | "never_type"));
    if is_unnameable {
        return None;
    }
    let result = parsed.text(result);
    Some(format!(
        "{DEFAULT} return (&&&TrueupOf::<{result}>(trueup_core::marker::PhantomData)).trueup();"
    ))
}

/// Put first into a body, after the attributes of the body itself.
fn first(body: Node<'_>, then: &str) -> Edit {
    let at = children(body)
        .into_iter()
        .take_while(|child| child.kind() == "{" || child.kind() == "inner_attribute_item" || is_comment(*child))
        .filter(|child| !is_comment(*child))
        .last()
        .map_or(body.start_byte() + 1, |child| child.end_byte());
    Edit::at(at, format!(" {ALWAYS} {{ {then} }}"))
}
