//! Children are started where a span is told of them, and nowhere else.

use crate::{breaks, holds, house::House, keeps, source::rust};
use syn::{
    Attribute, ExprMethodCall, ItemMod,
    visit::{self, Visit},
};

/// The engine's files that start a child, each telling its span; and those
/// that are themselves programs of a sandbox, which are silent.
const START: [&str; 10] = [
    "sandbox/bubblewrap.rs",
    "sandbox/entry.rs",
    "sandbox/mod.rs",
    "sandbox/descendants.rs",
    "sandbox/services.rs",
    "sandbox/spawner.rs",
    "trace.rs",
    "workspace/overlay_child.rs",
    "workspace/git.rs",
    "workspace/overlay.rs",
];

const ENGINE: &str = "crates/trueup-engine/src/";

/// Calls without arguments by which a process is started.
const STARTS: [&str; 3] = ["spawn", "output", "status"];

/// A file that starts children is one of those that tell of them.
fn children_are_told_of(house: &House) -> Vec<String> {
    let (files, mut findings) = rust(house);
    for (path, file) in files {
        let Some(name) = path.strip_prefix(ENGINE) else {
            continue;
        };
        let mut starts = Starts::default();
        starts.visit_file(&file);
        if starts.found && !START.contains(&name) {
            findings.push(format!("{path}: it starts a child that no span tells of; see trace.rs"));
        }
    }
    findings
}

/// Whether a child is started outside tests.
#[derive(Default)]
struct Starts {
    found: bool,
}

impl<'ast> Visit<'ast> for Starts {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let named = STARTS.iter().any(|name| call.method == name);
        let on_command = quote_of(call).contains("command") || quote_of(call).contains("Command");
        self.found |= named && call.args.is_empty() && on_command;
        visit::visit_expr_method_call(self, call);
    }
}

/// The names in what a method is called on.
fn quote_of(call: &ExprMethodCall) -> String {
    struct Names(String);
    impl<'ast> Visit<'ast> for Names {
        fn visit_ident(&mut self, name: &'ast proc_macro2::Ident) {
            self.0 += &format!("{name} ");
        }
    }
    let mut names = Names(String::new());
    names.visit_expr(&call.receiver);
    names.0
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
}

#[test]
fn every_child_is_started_where_it_is_told_of() {
    holds(children_are_told_of);
    let starts = "//! Doc.\nfn f(command: &mut Command) { command.arg(1).spawn(); }";
    breaks(
        children_are_told_of,
        &[("crates/trueup-engine/src/check/sly.rs", starts)],
        "no span tells of",
    );
    breaks(
        children_are_told_of,
        &[(
            "crates/trueup-engine/src/sly.rs",
            "//! Doc.\nfn f() { Command::new(\"ls\").output(); }",
        )],
        "no span tells of",
    );
    let harmless = "//! Doc.\nfn f(x: X) { x.status(); }\n#[cfg(test)]\nmod tests { fn f() { command.output(); } }";
    keeps(
        children_are_told_of,
        &[("crates/trueup-engine/src/check/plain.rs", harmless)],
    );
}
