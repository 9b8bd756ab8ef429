//! By which names a file of JavaScript makes its tests.

use tree_sitter::Node;

use super::syntax::{Parsed, below, named};

/// What makes a test, the customary names first.
const TESTS: [&str; 8] = ["test", "it", "specify", "fit", "xit", "xtest", "ftest", "bench"];

/// What makes a group of tests.
const GROUPS: [&str; 7] = [
    "describe",
    "suite",
    "context",
    "fdescribe",
    "xdescribe",
    "xcontext",
    "xsuite",
];

/// Modules that give such names.
const MODULES: [&str; 7] = [
    "vitest",
    "@jest/globals",
    "node:test",
    "test",
    "mocha",
    "bun:test",
    "vite-plus/test",
];

/// What a call makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallKind {
    Test,
    Group,
}

impl CallKind {
    fn by(name: &str) -> Option<Self> {
        if TESTS.contains(&name) {
            Some(Self::Test)
        } else if GROUPS.contains(&name) {
            Some(Self::Group)
        } else {
            None
        }
    }
}

/// The names a file takes from a runner's module.
#[derive(Default)]
pub(super) struct RunnerImports {
    /// What the module calls it, and what the file calls it.
    named: Vec<(String, String)>,
    /// What stands for the module itself.
    whole: Vec<(Whole, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// It can be called, as Node's can.
    Callable,
    /// It only has members.
    Namespace,
}

impl RunnerImports {
    pub(super) fn read(parsed: &Parsed<'_>) -> Self {
        let mut makers = Self::default();
        for statement in named(parsed.root()) {
            match statement.kind() {
                "import_statement" => makers.note_import(parsed, statement),
                "lexical_declaration" | "variable_declaration" => {
                    for declarator in named(statement) {
                        makers.note_require(parsed, declarator);
                    }
                }
                _ => {}
            }
        }
        makers
    }

    /// What a call of this makes, if it makes a test or a group.
    pub(super) fn made_by(&self, parsed: &Parsed<'_>, callee: Node<'_>) -> Option<CallKind> {
        let chain = chain(parsed, callee);
        let (first, further) = chain.split_first()?;
        if let Some((whole, _)) = self.whole.iter().find(|(_, local)| local == first) {
            let member = further.first().and_then(|name| CallKind::by(name));
            return member.or_else(|| (*whole == Whole::Callable).then_some(CallKind::Test));
        }
        let named = self.named.iter().find(|(_, local)| local == first);
        CallKind::by(named.map_or(first, |(name, _)| name.as_str()))
    }

    /// What to call to make a test: the best name the file imports, or else
    /// the one it uses, wherever that comes from.
    pub(super) fn of_a_test(&self, parsed: &Parsed<'_>) -> Option<String> {
        let rank = |name: &str| TESTS.iter().position(|test| *test == name);
        let named = self
            .named
            .iter()
            .filter_map(|(name, local)| Some((rank(name)?, local)))
            .filter(|(rank, _)| *rank < 3)
            .min()
            .map(|(_, local)| local.clone());
        named
            .or_else(|| {
                let (_, local) = self.whole.first()?;
                Some(format!("{local}.test"))
            })
            .or_else(|| used(parsed))
    }

    fn note_import(&mut self, parsed: &Parsed<'_>, statement: Node<'_>) {
        let from = parsed.field(statement, "source");
        if !is_runner(from) || parsed.text(statement).starts_with("import type") {
            return;
        }
        for node in below(statement, |node| node.kind() == "import_specifier") {
            match node.kind() {
                "import_specifier" if !parsed.text(node).starts_with("type ") => {
                    let name = parsed.field(node, "name").to_owned();
                    let local = match parsed.field(node, "alias") {
                        "" => name.clone(),
                        alias => alias.to_owned(),
                    };
                    self.named.push((name, local));
                }
                "namespace_import" => self.note_whole(parsed, node, Whole::Namespace),
                "import_clause" => self.note_whole(parsed, node, Whole::Callable),
                _ => {}
            }
        }
    }

    fn note_whole(&mut self, parsed: &Parsed<'_>, holder: Node<'_>, whole: Whole) {
        let locals = named(holder)
            .into_iter()
            .filter(|local| local.kind() == "identifier")
            .map(|local| (whole, parsed.text(local).to_owned()));
        self.whole.extend(locals);
    }

    fn note_require(&mut self, parsed: &Parsed<'_>, declarator: Node<'_>) {
        let (Some(name), Some(value)) = (
            declarator.child_by_field_name("name"),
            declarator.child_by_field_name("value"),
        ) else {
            return;
        };
        let from = parsed
            .text(value)
            .strip_prefix("require(")
            .and_then(|rest| rest.strip_suffix(')'));
        if !from.is_some_and(|from| is_runner(from.trim())) {
            return;
        }
        if name.kind() == "identifier" {
            let local = parsed.text(name).to_owned();
            self.whole.push((Whole::Callable, local));
            return;
        }
        for part in named(name) {
            let (name, local) = match part.kind() {
                "pair_pattern" => (parsed.field(part, "key"), parsed.field(part, "value")),
                _ => (parsed.text(part), parsed.text(part)),
            };
            self.named.push((name.to_owned(), local.to_owned()));
        }
    }
}

fn is_runner(quoted: &str) -> bool {
    MODULES.contains(&quoted.trim_matches(['"', '\'', '`']))
}

/// The names a chain of calls and members is made of: `it`, `each` of `it.each(…)(…)`.
fn chain<'s>(parsed: &Parsed<'s>, callee: Node<'_>) -> Vec<&'s str> {
    let mut names = Vec::new();
    let mut node = Some(callee);
    while let Some(at) = node {
        node = match at.kind() {
            "call_expression" => at.child_by_field_name("function"),
            "member_expression" => {
                names.push(parsed.field(at, "property"));
                at.child_by_field_name("object")
            }
            "identifier" => {
                names.push(parsed.text(at));
                names.reverse();
                return names;
            }
            _ => None,
        };
    }
    Vec::new()
}

/// The name by which the file's first test is made.
fn used(parsed: &Parsed<'_>) -> Option<String> {
    below(parsed.root(), |_| false)
        .into_iter()
        .filter(|node| node.kind() == "call_expression")
        .filter_map(|call| call.child_by_field_name("function"))
        .filter_map(|callee| chain(parsed, callee).first().copied())
        .find(|name| TESTS.iter().take(3).any(|test| test == name))
        .map(str::to_owned)
}
