//! Which source file of a crate uses what another one defines.
//!
//! A path is followed as the compiler would follow it, through imports and
//! re-exports, to the file that defines the item. That a module declares or
//! re-exports a child is no use of the child.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds of items in Rust are not ours to list, and grow"
)]

use crate::{house::House, source::is_for_tests};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Attribute, File, Item, ItemMod, ItemUse, Macro, UseTree, Visibility,
    visit::{self, Visit},
};

/// A module's path within its crate; empty for the root.
type Module = Vec<String>;

/// How many imports are followed before a path counts as nobody's.
const DEEPEST: usize = 16;

/// The files of one crate, and for each the files it uses.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// File to files; a file never uses itself.
    pub(crate) uses: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads the sources under a folder such as `crates/trueup-core/src/`.
    pub(crate) fn read(house: &House, folder: &str) -> Self {
        let papers = house.ending(".rs").filter(|paper| paper.path.starts_with(folder));
        // What cannot be parsed is found by the rules about sources.
        let files: Vec<(&str, File)> = papers
            .filter_map(|paper| Some((paper.path.as_str(), syn::parse_file(&paper.text).ok()?)))
            .collect();
        let mut scopes = Scopes::default();
        for (path, file) in &files {
            scopes.declare(&module_of(path, folder), path, &file.items);
        }
        let mut graph = Self::default();
        for (path, file) in &files {
            let mut users = Users {
                scopes: &scopes,
                module: module_of(path, folder),
                found: BTreeSet::new(),
            };
            users.visit_file(file);
            users.found.remove(*path);
            graph.uses.insert((*path).to_owned(), users.found);
        }
        graph
    }

    /// Every circle: files that all reach each other, sorted.
    pub(crate) fn circles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.uses.keys().map(|file| (file.as_str(), self.reach(file))).collect();
        let mut circles: BTreeSet<Vec<&str>> = BTreeSet::new();
        for (file, reach) in &reached {
            let circle: Vec<&str> = reach
                .iter()
                .copied()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(file)))
                .collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// The files of a circle that one of them uses, without their common folder.
    pub(crate) fn used_within(&self, file: &str, circle: &[&str]) -> Vec<&str> {
        let used = self.uses.get(file).into_iter().flatten().map(String::as_str);
        used.filter(|other| circle.contains(other))
            .map(|other| other.split_once("/src/").map_or(other, |(_, inner)| inner))
            .collect()
    }

    /// Every file that is used from this one, directly or through others.
    fn reach(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut next = vec![from];
        while let Some(file) = next.pop() {
            for other in self.uses.get(file).into_iter().flatten() {
                if reached.insert(other.as_str()) {
                    next.push(other);
                }
            }
        }
        reached
    }
}

/// `crates/x/src/a/mod.rs` is `a`, and so is `crates/x/src/a.rs`.
fn module_of(path: &str, folder: &str) -> Module {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    let mut module: Module = inner.split('/').map(str::to_owned).collect();
    if module
        .last()
        .is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str()))
    {
        module.pop();
    }
    module
}

/// What every module of a crate defines and imports.
#[derive(Debug, Default)]
struct Scopes {
    scopes: BTreeMap<Module, Scope>,
}

#[derive(Debug, Default)]
struct Scope {
    file: String,
    items: BTreeSet<String>,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

impl Scopes {
    fn declare(&mut self, module: &Module, file: &str, items: &[Item]) {
        let mut scope = Scope {
            file: file.to_owned(),
            ..Scope::default()
        };
        let mut inner = Vec::new();
        for item in items {
            match item {
                Item::Use(item) if !is_for_tests(&item.attrs) => {
                    scope.import(Vec::new(), &item.tree);
                }
                Item::Mod(item) if !is_for_tests(&item.attrs) => inner.push(item),
                item => scope.items.extend(name_of(item)),
            }
        }
        self.scopes.insert(module.clone(), scope);
        for item in inner {
            if let Some((_, items)) = &item.content {
                let mut module = module.clone();
                module.push(item.ident.to_string());
                self.declare(&module, file, items);
            }
        }
    }

    /// The file that defines what a path names, seen from a module; nothing
    /// where it is a module itself, or not of this crate.
    fn file_of(&self, from: &Module, path: &[String], depth: usize) -> Option<&str> {
        let (module, rest) = self.module_of_path(from, path, depth)?;
        let scope = self.scopes.get(&module)?;
        let name = rest.first()?;
        if scope.items.contains(name) {
            return Some(&scope.file);
        }
        if let Some(import) = scope.imports.get(name) {
            let whole: Vec<String> = import.iter().chain(&rest[1..]).cloned().collect();
            // `use x::x;` would lead back here for ever.
            return self.file_of(&module, &whole, depth.checked_sub(1)?);
        }
        let by_glob = |glob: &Vec<String>| {
            let whole: Vec<String> = glob.iter().chain(rest).cloned().collect();
            self.file_of(&module, &whole, depth.checked_sub(1)?)
        };
        scope.globs.iter().find_map(by_glob)
    }

    /// The module that a path leads into, and what of the path is left there.
    fn module_of_path<'p>(&self, from: &Module, path: &'p [String], depth: usize) -> Option<(Module, &'p [String])> {
        let mut module = from.clone();
        let mut rest = path;
        while let Some((first, tail)) = rest.split_first() {
            match first.as_str() {
                "crate" => module = Module::new(),
                "self" => {}
                "super" => {
                    module.pop()?;
                }
                name => {
                    let mut child = module.clone();
                    child.push(name.to_owned());
                    if !self.scopes.contains_key(&child) {
                        break;
                    }
                    module = child;
                }
            }
            rest = tail;
        }
        // An imported module leads on from where the import leads.
        if let [name, tail @ ..] = rest
            && !tail.is_empty()
            && let Some(import) = self.scopes.get(&module).and_then(|scope| scope.imports.get(name))
            && let Some((module, [])) = self.module_of_path(&module, import, depth.checked_sub(1)?)
        {
            return self.module_of_path(&module, tail, depth.checked_sub(1)?);
        }
        Some((module, rest))
    }
}

impl Scope {
    fn import(&mut self, mut prefix: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(prefix, &path.tree);
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last().cloned() {
                    self.imports.insert(last, prefix);
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                prefix.push(name.clone());
                self.imports.insert(name, prefix);
            }
            UseTree::Rename(rename) => {
                if rename.ident != "self" {
                    prefix.push(rename.ident.to_string());
                }
                self.imports.insert(rename.rename.to_string(), prefix);
            }
            UseTree::Glob(_) => self.globs.push(prefix),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(prefix.clone(), tree);
                }
            }
        }
    }
}

/// Gathers the files that one file uses.
struct Users<'a> {
    scopes: &'a Scopes,
    module: Module,
    found: BTreeSet<String>,
}

impl Users<'_> {
    fn note(&mut self, path: &[String]) {
        if let Some(file) = self.scopes.file_of(&self.module, path, DEEPEST) {
            self.found.insert(file.to_owned());
        }
    }

    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.note(&std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.note(&std::mem::take(&mut path));
                    colons = 0;
                }
                TokenTree::Group(group) => {
                    self.note(&std::mem::take(&mut path));
                    colons = 0;
                    self.note_tokens(group.stream());
                }
            }
        }
        self.note(&path);
    }
}

impl<'ast> Visit<'ast> for Users<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !attributes_of(item).is_some_and(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        // What is only passed on is used by whoever takes it.
        if matches!(item.vis, Visibility::Inherited) {
            let mut scope = Scope::default();
            scope.import(Vec::new(), &item.tree);
            for path in scope.imports.values() {
                self.note(path);
            }
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let path_names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note(&path_names);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        visit::visit_path(self, &called.path);
        self.note_tokens(called.tokens.clone());
    }
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn attributes_of(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}
