//! How long files and functions may be: a reader is a person.

use crate::{breaks, holds, house::House, keeps, source::rust};
use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemMod, TraitItemFn,
    spanned::Spanned,
    visit::{self, Visit},
};

/// No Rust file is longer.
const FILE: usize = 600;
/// Most Rust files are shorter.
const MOST_FILES: usize = 400;
/// How many in a hundred may be longer than most.
const LONG_IN_A_HUNDRED: usize = 10;
/// No body of a function is longer.
const FUNCTION: usize = 70;
/// No body of a test is longer.
const TEST: usize = 120;
/// The loop holds no decision, so it has no reason to grow.
const LOOP: (&str, usize) = ("crates/trueup-engine/src/drive.rs", 60);
/// A page that is read whole.
const BIRDS_EYE: (&str, usize) = ("ARCHITECTURE.md", 200);

/// Files are short, and most are shorter.
fn files_are_short(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    let mut long = Vec::new();
    for paper in house.ending(".rs") {
        let lines = paper.text.lines().count();
        if lines > FILE {
            findings.push(format!("{}: {lines} lines, at most {FILE}", paper.path));
        } else if lines > MOST_FILES {
            long.push(paper.path.as_str());
        }
    }
    let all = house.ending(".rs").count();
    if long.len() * 100 > all * LONG_IN_A_HUNDRED {
        findings.push(format!(
            "{} of {all} files are over {MOST_FILES} lines: {}",
            long.len(),
            long.join(", ")
        ));
    }
    findings
}

/// The loop and the bird's eye never grow.
fn some_never_grow(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, most) in [LOOP, BIRDS_EYE] {
        match house.paper(path).map(|paper| paper.text.lines().count()) {
            Some(lines) if lines <= most => {}
            Some(lines) => findings.push(format!("{path}: {lines} lines, at most {most}")),
            None => findings.push(format!("{path}: it is missing")),
        }
    }
    findings
}

/// Functions are short.
fn functions_are_short(house: &House) -> Vec<String> {
    let (files, mut findings) = rust(house);
    for (path, file) in files {
        let in_tests = path.contains("/tests/");
        let mut measure = Measure {
            path,
            in_tests,
            findings: Vec::new(),
        };
        measure.visit_file(&file);
        findings.append(&mut measure.findings);
    }
    findings
}

struct Measure<'a> {
    path: &'a str,
    in_tests: bool,
    findings: Vec<String>,
}

impl Measure<'_> {
    fn body(&mut self, name: &syn::Ident, attributes: &[Attribute], block: &Block) {
        let span = block.span();
        let lines = span.end().line.saturating_sub(span.start().line + 1);
        let is_test = |attribute: &Attribute| {
            let last = attribute.path().segments.last();
            last.is_some_and(|segment| segment.ident == "test")
        };
        let most = if self.in_tests || attributes.iter().any(is_test) {
            TEST
        } else {
            FUNCTION
        };
        if lines > most {
            let line = span.start().line;
            self.findings.push(format!(
                "{}:{line}: `{name}` has {lines} lines, at most {most}",
                self.path
            ));
        }
    }
}

impl<'ast> Visit<'ast> for Measure<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let outer = self.in_tests;
        self.in_tests |= module.ident == "tests";
        visit::visit_item_mod(self, module);
        self.in_tests = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.body(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.body(&item.sig.ident, &item.attrs, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.sig.ident, &item.attrs, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[test]
fn files_are_short_and_most_are_shorter() {
    holds(files_are_short);
    let huge = "//\n".repeat(FILE + 1);
    breaks(files_are_short, &[("a.rs", &huge)], "601 lines");
    let long = "//\n".repeat(MOST_FILES + 1);
    breaks(files_are_short, &[("a.rs", &long), ("b.rs", "")], "1 of 2 files");
    let mut ten = vec![("b.rs", ""); 9];
    ten.push(("a.rs", long.as_str()));
    keeps(files_are_short, &ten);
}

#[test]
fn the_loop_and_the_birds_eye_never_grow() {
    holds(some_never_grow);
    let grown = "//\n".repeat(LOOP.1 + 1);
    breaks(some_never_grow, &[(LOOP.0, &grown), (BIRDS_EYE.0, "")], "61 lines");
    breaks(some_never_grow, &[(LOOP.0, "")], "missing");
}

#[test]
fn functions_are_short_enough_to_see_at_once() {
    holds(functions_are_short);
    let function = |head: &str, lines: usize| format!("{head} {{\n{}}}\n", "x();\n".repeat(lines));
    breaks(
        functions_are_short,
        &[("a.rs", &function("fn f()", FUNCTION + 1))],
        "`f` has 71 lines",
    );
    keeps(functions_are_short, &[("a.rs", &function("fn f()", FUNCTION))]);
    let method = format!("impl A {{ {} }}", function("fn g()", FUNCTION + 1));
    breaks(functions_are_short, &[("a.rs", &method)], "`g` has 71 lines");
    let default = format!("trait A {{ {} }}", function("fn g()", FUNCTION + 1));
    breaks(functions_are_short, &[("a.rs", &default)], "`g` has 71 lines");
    keeps(
        functions_are_short,
        &[("a.rs", &function("#[tokio::test]\nfn t()", TEST))],
    );
    breaks(
        functions_are_short,
        &[("a.rs", &function("#[test]\nfn t()", TEST + 1))],
        "at most 120",
    );
    breaks(functions_are_short, &[("a.rs", "fn (")], "a.rs");
}
