//! What Rust source may hold, whatever the compiler would accept.

use crate::{breaks, holds, house::House, keeps};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::{
    Attribute, File, FnArg, GenericArgument, ImplItemFn, ItemFn, ItemTrait, PathArguments, Signature, TraitItem, Type,
    Visibility,
    visit::{self, Visit},
};

/// The first module of the pure crate.
const CORE: &str = "crates/trueup-core/src/lib.rs";

/// Every Rust file, parsed, and what is wrong with those that cannot be.
pub(crate) fn rust(house: &House) -> (Vec<(&str, File)>, Vec<String>) {
    let mut files = Vec::new();
    let mut findings = Vec::new();
    for paper in house.ending(".rs") {
        match syn::parse_file(&paper.text) {
            Ok(file) => files.push((paper.path.as_str(), file)),
            Err(error) => findings.push(format!("{}: {error}", paper.path)),
        }
    }
    (files, findings)
}

/// Nothing is unsafe, not even inside a macro.
fn nothing_is_unsafe(house: &House) -> Vec<String> {
    tokens(house, |trees| {
        let is_unsafe = |tree: &&TokenTree| matches!(tree, TokenTree::Ident(ident) if ident == "unsafe");
        let found = trees.iter().find(is_unsafe)?;
        Some((found.span().start().line, "`unsafe` has no place here"))
    })
}

/// A lint is never allowed away; an expected one is written down with a reason.
fn nothing_is_allowed_away(house: &House) -> Vec<String> {
    tokens(house, |trees| {
        let attributes = trees.windows(2).filter_map(|pair| match pair {
            [TokenTree::Punct(mark), TokenTree::Group(group)]
                if matches!(mark.as_char(), '#' | '!') && group.delimiter() == Delimiter::Bracket =>
            {
                Some(group)
            }
            _ => None,
        });
        let found = attributes.into_iter().find(|group| allows(group))?;
        Some((
            found.span_open().start().line,
            "write `#[expect(…, reason)]`, never `#[allow]`",
        ))
    })
}

fn allows(group: &Group) -> bool {
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let here = trees.windows(2).any(|pair| {
        matches!(pair, [TokenTree::Ident(word), TokenTree::Group(list)]
            if word == "allow" && list.delimiter() == Delimiter::Parenthesis)
    });
    here || trees
        .iter()
        .any(|tree| matches!(tree, TokenTree::Group(inner) if allows(inner)))
}

/// What a rule says of the tokens of one group: a line, and what is wrong there.
type Look = fn(&[TokenTree]) -> Option<(usize, &'static str)>;

/// Looks at the tokens of every file, group by group.
fn tokens(house: &House, look: Look) -> Vec<String> {
    let mut findings = Vec::new();
    for paper in house.ending(".rs") {
        let mut streams = match paper.text.parse::<TokenStream>() {
            Ok(stream) => vec![stream],
            Err(error) => {
                findings.push(format!("{}: {error}", paper.path));
                continue;
            }
        };
        while let Some(stream) = streams.pop() {
            let trees: Vec<TokenTree> = stream.into_iter().collect();
            if let Some((line, what)) = look(&trees) {
                findings.push(format!("{}:{line}: {what}", paper.path));
            }
            streams.extend(trees.into_iter().filter_map(|tree| match tree {
                TokenTree::Group(group) => Some(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
            }));
        }
    }
    findings
}

/// Every module begins by saying what it is.
fn modules_say_what_they_are(house: &House) -> Vec<String> {
    let (files, mut findings) = rust(house);
    for (path, file) in files {
        let says = file.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
        if !says {
            findings.push(format!("{path}: it does not begin with `//!`"));
        }
    }
    findings
}

/// The pure crate has no standard library to open a file with.
fn core_has_no_std(house: &House) -> Vec<String> {
    let Some(paper) = house.paper(CORE) else {
        return vec![format!("{CORE}: it is missing")];
    };
    let file = match syn::parse_file(&paper.text) {
        Ok(file) => file,
        Err(error) => return vec![format!("{CORE}: {error}")],
    };
    let mut findings = Vec::new();
    if !file.attrs.iter().any(|attribute| attribute.path().is_ident("no_std")) {
        findings.push(format!("{CORE}: it is not `#![no_std]`"));
    }
    for paper in house
        .papers
        .iter()
        .filter(|paper| paper.path.starts_with("crates/trueup-core/src/"))
    {
        let items = syn::parse_file(&paper.text).map(|file| file.items).unwrap_or_default();
        let takes_std = |item: &syn::Item| matches!(item, syn::Item::ExternCrate(item) if item.ident == "std" && !is_for_tests(&item.attrs));
        if items.iter().any(takes_std) {
            findings.push(format!("{}: it takes `std` back in", paper.path));
        }
    }
    findings
}

/// Whether an item is compiled for tests alone.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "test")
    })
}

/// No public function takes a bool: at the call nobody knows what `true` means.
fn no_public_bools(house: &House) -> Vec<String> {
    let (files, mut findings) = rust(house);
    for (path, file) in files {
        let mut parameters = Parameters {
            path,
            findings: Vec::new(),
        };
        parameters.visit_file(&file);
        findings.append(&mut parameters.findings);
    }
    findings
}

struct Parameters<'a> {
    path: &'a str,
    findings: Vec<String>,
}

impl Parameters<'_> {
    fn look(&mut self, signature: &Signature) {
        for input in &signature.inputs {
            if let FnArg::Typed(input) = input
                && is_bool(&input.ty)
            {
                let line = signature.ident.span().start().line;
                let name = &signature.ident;
                self.findings.push(format!(
                    "{}:{line}: `{name}` takes a bool; name the two cases",
                    self.path
                ));
            }
        }
    }
}

/// A bool, one that may be absent, or one borrowed.
fn is_bool(of: &Type) -> bool {
    if let Type::Reference(inner) = of {
        return is_bool(&inner.elem);
    }
    let Type::Path(path) = of else { return false };
    path.path.segments.last().is_some_and(|last| {
        let inner = match &last.arguments {
            PathArguments::AngleBracketed(inner) if last.ident == "Option" => inner.args.first(),
            PathArguments::AngleBracketed(_) | PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        last.ident == "bool" || matches!(inner, Some(GenericArgument::Type(inner)) if is_bool(inner))
    })
}

impl<'ast> Visit<'ast> for Parameters<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.look(&item.sig);
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.look(&item.sig);
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        for method in &item.items {
            if let TraitItem::Fn(method) = method
                && matches!(item.vis, Visibility::Public(_))
            {
                self.look(&method.sig);
            }
        }
        visit::visit_item_trait(self, item);
    }
}

#[test]
fn unsafe_code_is_nowhere() {
    holds(nothing_is_unsafe);
    breaks(
        nothing_is_unsafe,
        &[("a.rs", "fn f() {\n unsafe { g() } }")],
        "a.rs:2: `unsafe`",
    );
    breaks(
        nothing_is_unsafe,
        &[("a.rs", "m! { fn f() { unsafe { g() } } }")],
        "`unsafe`",
    );
    breaks(
        nothing_is_unsafe,
        &[("a.rs", "#[unsafe(no_mangle)] fn f() {}")],
        "`unsafe`",
    );
    keeps(
        nothing_is_unsafe,
        &[("a.rs", "//! Not unsafe.\nconst A: &str = \"unsafe\";")],
    );
}

#[test]
fn lints_are_expected_never_allowed() {
    holds(nothing_is_allowed_away);
    breaks(
        nothing_is_allowed_away,
        &[("a.rs", "#[allow(dead_code)] fn f() {}")],
        "expect",
    );
    breaks(nothing_is_allowed_away, &[("a.rs", "#![allow(dead_code)]")], "expect");
    breaks(
        nothing_is_allowed_away,
        &[("a.rs", "#[cfg_attr(test, allow(dead_code))] fn f() {}")],
        "expect",
    );
    breaks(
        nothing_is_allowed_away,
        &[("a.rs", "fn f() { #[allow(unused)] let x = 1; }")],
        "expect",
    );
    keeps(
        nothing_is_allowed_away,
        &[("a.rs", "/// #[allow(x)]\nfn f() { allow(1); [allow(1)]; }")],
    );
}

#[test]
fn every_module_says_what_it_is() {
    holds(modules_say_what_they_are);
    breaks(
        modules_say_what_they_are,
        &[("a.rs", "/// Not the module.\nfn f() {}")],
        "`//!`",
    );
}

#[test]
fn the_pure_crate_is_without_the_standard_library() {
    holds(core_has_no_std);
    breaks(core_has_no_std, &[], "missing");
    breaks(core_has_no_std, &[(CORE, "//! Pure.")], "no_std");
    let module = "crates/trueup-core/src/clock.rs";
    let taken = [(CORE, "#![no_std]"), (module, "extern crate std;")];
    breaks(core_has_no_std, &taken, "takes `std` back");
    keeps(
        core_has_no_std,
        &[(CORE, "#![no_std]"), (module, "#[cfg(test)] extern crate std;")],
    );
}

#[test]
fn no_public_function_takes_a_bool() {
    holds(no_public_bools);
    breaks(
        no_public_bools,
        &[("a.rs", "pub fn f(force: bool) {}")],
        "`f` takes a bool",
    );
    breaks(
        no_public_bools,
        &[("a.rs", "impl A { pub fn g(&self, x: Option<bool>) {} }")],
        "`g`",
    );
    breaks(
        no_public_bools,
        &[("a.rs", "pub trait A { fn h(&self, x: &bool); }")],
        "`h`",
    );
    keeps(
        no_public_bools,
        &[("a.rs", "fn f(force: bool) {}\npub fn g(x: u8) -> bool { true }")],
    );
}
