//! Ports are ports: what is behind one can be on another machine.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds of items in Rust are not ours to list, and grow"
)]

use crate::{breaks, holds, house::House, keeps};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{
    Item, ItemTrait, TraitItem,
    visit::{self, Visit},
};

/// Where ports are defined.
const ENGINE: &str = "crates/trueup-engine/src/";

/// The ports that a driver on another machine needs.
const PORTS: [&str; 7] = ["Durable", "Desk", "Blobs", "Spool", "Memo", "Sessions", "Trees"];

/// Types that mean something on one machine alone: its files, its locks, its processes.
const LOCAL: [&str; 17] = [
    "Path",
    "PathBuf",
    "OsStr",
    "OsString",
    "File",
    "DirEntry",
    "OwnedFd",
    "BorrowedFd",
    "RawFd",
    "Mutex",
    "MutexGuard",
    "RwLock",
    "Flock",
    "Lock",
    "Child",
    "Command",
    "Pid",
];

/// The crates that are shipped.
const SHIPPED: [&str; 4] = [
    "crates/trueup-core/src/",
    "crates/trueup-inspect/src/",
    ENGINE,
    "crates/trueup/src/",
];

/// Where the journal and the desk are kept in SQLite.
const SQLITE: &str = "crates/trueup-engine/src/durable/sqlite";

/// The one file that chooses SQLite.
const CONSTRUCTION: &str = "crates/trueup-engine/src/durable/local.rs";

/// Outside its own room and one construction site nobody knows that there is
/// SQLite. Comments may speak of it, code may not name it.
fn sqlite_is_behind_its_port(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    for paper in house.ending(".rs") {
        let is_shipped = SHIPPED.iter().any(|folder| paper.path.starts_with(folder));
        let may_name = paper.path.starts_with(SQLITE) || paper.path == CONSTRUCTION;
        if !is_shipped || may_name {
            continue;
        }
        // What cannot be parsed is found by the rules about sources.
        let Ok(tokens) = paper.text.parse::<TokenStream>() else {
            continue;
        };
        let named = naming(tokens);
        findings.extend(named.map(|line| format!("{}:{line}: it names SQLite", paper.path)));
    }
    findings
}

/// The first line that names SQLite. To declare its room is not to use it.
fn naming(tokens: TokenStream) -> Option<usize> {
    let mut is_declared = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(word) => {
                if !is_declared && word.to_string().to_lowercase().contains("sqlite") {
                    return Some(word.span().start().line);
                }
                is_declared = word == "mod";
            }
            TokenTree::Group(group) => {
                if let Some(line) = naming(group.stream()) {
                    return Some(line);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}

/// No port has a path, a lock or a process in its signatures.
fn ports_are_local_to_nothing(house: &House) -> Vec<String> {
    let mut findings = Vec::new();
    let mut defined = BTreeSet::new();
    for paper in house.ending(".rs").filter(|paper| paper.path.starts_with(ENGINE)) {
        // What cannot be parsed is found by the rules about sources.
        let Ok(file) = syn::parse_file(&paper.text) else {
            continue;
        };
        for item in &file.items {
            let Item::Trait(port) = item else { continue };
            let Some(name) = PORTS.iter().find(|name| port.ident == **name) else {
                continue;
            };
            defined.insert(*name);
            let local = local_types(port);
            findings.extend(
                local
                    .into_iter()
                    .map(|found| format!("{}: the port `{name}` names `{found}`", paper.path)),
            );
        }
    }
    let missing = PORTS.iter().filter(|name| !defined.contains(*name));
    findings.extend(missing.map(|name| format!("{ENGINE}: there is no port `{name}`")));
    findings
}

/// The types of one machine that a port's signatures name. What a default
/// body does with the port's own functions is nobody's signature.
fn local_types(port: &ItemTrait) -> Vec<String> {
    let mut named = Named { names: Vec::new() };
    for bound in &port.supertraits {
        named.visit_type_param_bound(bound);
    }
    named.visit_generics(&port.generics);
    for item in &port.items {
        match item {
            TraitItem::Fn(function) => named.visit_signature(&function.sig),
            TraitItem::Type(item) => named.visit_trait_item_type(item),
            TraitItem::Const(item) => named.visit_type(&item.ty),
            _ => {}
        }
    }
    named.names.retain(|name| LOCAL.contains(&name.as_str()));
    named.names
}

struct Named {
    names: Vec<String>,
}

impl<'ast> Visit<'ast> for Named {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        self.names.push(segment.ident.to_string());
        visit::visit_path_segment(self, segment);
    }
}

#[test]
fn no_port_names_what_one_machine_alone_has() {
    holds(ports_are_local_to_nothing);
    let path = "crates/trueup-engine/src/ports.rs";
    let others = "pub trait Blobs {} pub trait Spool {} pub trait Memo {} pub trait Sessions {} pub trait Trees {}";
    let with = |inner: &str| format!("{others}\npub trait Durable {{}}\npub trait Desk {{ {inner} }}");
    for (inner, word) in [
        ("fn open(&self, at: &Path);", "`Path`"),
        ("fn open(&self) -> Result<Vec<std::path::PathBuf>, E>;", "`PathBuf`"),
        ("async fn claim(&self) -> Option<(Self::Journal, File)>;", "`File`"),
        ("type Guard: Deref<Target = MutexGuard<u8>>;", "`MutexGuard`"),
        ("fn run(&self, each: impl Fn(&mut Child));", "`Child`"),
        ("fn held(&self) -> rustix::process::Pid;", "`Pid`"),
    ] {
        breaks(ports_are_local_to_nothing, &[(path, &with(inner))], word);
    }
    breaks(
        ports_are_local_to_nothing,
        &[(
            path,
            &format!("{others}\npub trait Durable: AsRef<Path> {{}}\npub trait Desk {{}}"),
        )],
        "`Durable` names `Path`",
    );
    breaks(
        ports_are_local_to_nothing,
        &[(path, &format!("{others}\npub trait Durable {{}}"))],
        "no port `Desk`",
    );
    let other = format!(
        "{}\npub trait Local {{ fn at(&self) -> &Path; }}",
        with("fn open(&self);")
    );
    keeps(ports_are_local_to_nothing, &[(path, &other)]);
}

#[test]
fn sqlite_is_named_in_its_room_and_where_it_is_chosen() {
    holds(sqlite_is_behind_its_port);
    let path = "crates/trueup/src/commands/status.rs";
    for bad in [
        "use trueup_engine::durable::sqlite::Desk;",
        "fn f(desk: &Sqlite) {}",
        "fn f() {\n    rusqlite::Connection::open(x);\n}",
        "fn f() { m!(a, [Sqlite::open(x)]); }",
    ] {
        breaks(sqlite_is_behind_its_port, &[(path, bad)], "it names SQLite");
    }
    keeps(
        sqlite_is_behind_its_port,
        &[
            (path, "//! Not of SQLite.\n/// Nor Sqlite.\nconst A: &str = \"sqlite\";"),
            (
                "crates/trueup-engine/src/durable/sqlite/mod.rs",
                "use rusqlite::Connection;",
            ),
            ("crates/trueup-engine/src/durable/mod.rs", "pub mod sqlite;"),
            (CONSTRUCTION, "fn desk() -> Sqlite { Sqlite::open() }"),
            ("crates/trueup-testkit/src/a.rs", "fn f(desk: &Sqlite) {}"),
        ],
    );
}
