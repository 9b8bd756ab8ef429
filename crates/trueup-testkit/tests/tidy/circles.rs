//! Files that need each other can only be read together.

use crate::{breaks, graph::Graph, holds, house::House, keeps};

/// Where circles are looked for.
const CRATES: [&str; 3] = [
    "crates/trueup-core/src/",
    "crates/trueup-inspect/src/",
    "crates/trueup-engine/src/",
];

/// No file needs one that needs it.
fn nothing_is_circular(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for folder in CRATES {
        let graph = Graph::read(house, folder);
        for circle in graph.circles() {
            let arrows = circle.iter().map(|file| {
                let used = graph.used_within(file, &circle);
                format!("\n  {file} uses {}", used.join(", "))
            });
            findings.push(format!(
                "{}: it is part of a circle of {} files:{}",
                circle.first().copied().unwrap_or(folder),
                circle.len(),
                arrows.collect::<String>()
            ));
        }
    }
    findings
}

#[test]
fn files_use_each_other_in_one_direction() {
    holds(nothing_is_circular);
    let root = ("crates/trueup-core/src/lib.rs", "mod a;\nmod b;\nmod c;");
    let a = "crates/trueup-core/src/a.rs";
    let b = "crates/trueup-core/src/b.rs";
    let c = "crates/trueup-core/src/c.rs";
    let circle = |one: &'static str, two: &'static str| [root, (a, one), (b, two)];
    let bad = [
        // Imports, in every form they have.
        ("use crate::b::B;\npub struct A;", "use crate::a::A;\npub struct B;"),
        (
            "use super::b::{self, B as C};\npub struct A;",
            "use crate::{a::A as D};\npub struct B;",
        ),
        ("use crate::b::*;\npub struct A(B);", "use super::a::A;\npub struct B;"),
        // A path without an import, in a type, in an expression and in a macro.
        (
            "pub struct A(crate::b::B);\npub fn f() {}",
            "pub struct B;\nfn g() { super::a::f() }",
        ),
        (
            "pub fn f() { g!(1, [crate::b::f(2)]); }",
            "use crate::a;\npub fn f() { a::f(); }",
        ),
    ];
    for (one, two) in bad {
        breaks(nothing_is_circular, &circle(one, two), "a circle of 2 files");
    }
    let three = [
        root,
        (a, "use crate::b::B;\npub struct A;"),
        (b, "use crate::c::C;\npub struct B;"),
        (c, "use crate::a::A;\npub struct C;"),
    ];
    breaks(nothing_is_circular, &three, "a circle of 3 files");
}

#[test]
fn a_parent_and_its_child_are_a_circle_only_where_both_use_each_other() {
    let parent = "crates/trueup-core/src/p/mod.rs";
    let child = "crates/trueup-core/src/p/c.rs";
    let other = "crates/trueup-core/src/o.rs";
    let root = ("crates/trueup-core/src/lib.rs", "mod p;\nmod o;");
    let house = |one: &'static str, two: &'static str| [root, (parent, one), (child, two)];
    breaks(
        nothing_is_circular,
        &house("mod c;\nuse c::C;\npub struct P(C);", "use super::P;\npub struct C;"),
        "a circle of 2 files",
    );
    // To declare a child, or to pass on what it defines, is not to use it.
    keeps(
        nothing_is_circular,
        &house("mod c;\npub use c::C;\npub struct P;", "use super::P;\npub struct C;"),
    );
    // Whoever takes a name from where it is passed on uses the file that defines it.
    let passed_on = [
        root,
        (parent, "mod c;\npub use c::C;\npub struct P(crate::o::O);"),
        (child, "pub struct C;"),
        (other, "use crate::p::C;\npub struct O(C);"),
    ];
    keeps(nothing_is_circular, &passed_on);
    let used = [
        root,
        (parent, "mod c;\npub use c::C;\npub struct P(crate::o::O);"),
        (child, "pub struct C;"),
        (other, "use crate::p::{C, P};\npub struct O(C, P);"),
    ];
    breaks(nothing_is_circular, &used, "a circle of 2 files");
    // What only tests use is no part of what is shipped.
    keeps(
        nothing_is_circular,
        &house(
            "mod c;\nuse c::C;\npub struct P(C);",
            "pub struct C;\n#[cfg(test)]\nmod tests { use super::super::P; }",
        ),
    );
}
