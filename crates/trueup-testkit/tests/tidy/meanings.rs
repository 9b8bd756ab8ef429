//! One meaning per name: whoever reads a type's name in one file must not
//! have to ask which of several is meant.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds of items in Rust are not ours to list, and grow"
)]

use crate::{breaks, holds, house::House, keeps, source::is_for_tests};
use std::collections::BTreeMap;
use syn::{Item, Visibility};

/// Types that share a name within a crate, and why. The list only ever gets
/// shorter.
const SHARED: &[(&str, &str, &str)] = &[
    (
        "trueup-engine",
        "Error",
        "each of the two rooms has one error, always named with its room",
    ),
    (
        "trueup-engine",
        "Journal",
        "SQLite and its twin in memory are named alike",
    ),
    ("trueup-engine", "Meter", "each agent language has one, named alike"),
];

/// Where each type is declared that other files see, by crate and name.
fn declarations(house: &House) -> BTreeMap<(&str, String), Vec<&str>> {
    let mut places: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for paper in house.ending(".rs") {
        let Some((folder, _)) = paper.path.split_once("/src/") else {
            continue;
        };
        let Some(name) = folder.strip_prefix("crates/").filter(|name| !name.contains('/')) else {
            continue;
        };
        // What cannot be parsed is found by the rules about sources.
        let Ok(file) = syn::parse_file(&paper.text) else {
            continue;
        };
        for declared in visible_types(&file.items) {
            places.entry((name, declared)).or_default().push(&paper.path);
        }
    }
    places
}

/// No two types that other files see have the same name in one crate.
fn names_mean_one_thing(house: &House) -> Vec<String> {
    let is_shared = |key: &(&str, String)| {
        SHARED
            .iter()
            .any(|(name, shared, _)| (*name, *shared) == (key.0, &key.1))
    };
    declarations(house)
        .into_iter()
        .filter(|(key, files)| files.len() > 1 && !is_shared(key))
        .map(|((name, declared), files)| {
            format!(
                "{name}: `{declared}` means {} things: {}",
                files.len(),
                files.join(", ")
            )
        })
        .collect()
}

/// What is listed as shared is shared: a name that means one thing by now
/// leaves the list.
fn the_list_is_needed(house: &House) -> Vec<String> {
    let declared = declarations(house);
    let is_single = |(name, shared, _): &&(&'static str, &str, &str)| {
        let files = declared.get(&(*name, (*shared).to_owned()));
        files.is_none_or(|files| files.len() < 2)
    };
    let single = SHARED.iter().filter(is_single);
    single
        .map(|(name, shared, _)| format!("{name}: `{shared}` means one thing, and is listed as shared"))
        .collect()
}

/// The types among these items that other files can name.
fn visible_types(items: &[Item]) -> Vec<String> {
    let mut types = Vec::new();
    for item in items {
        let (visibility, ident) = match item {
            Item::Struct(item) => (&item.vis, &item.ident),
            Item::Enum(item) => (&item.vis, &item.ident),
            Item::Trait(item) => (&item.vis, &item.ident),
            Item::Type(item) => (&item.vis, &item.ident),
            Item::Mod(item) if !is_for_tests(&item.attrs) => {
                let inner = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                types.extend(visible_types(inner));
                continue;
            }
            _ => continue,
        };
        if !matches!(visibility, Visibility::Inherited) {
            types.push(ident.to_string());
        }
    }
    types
}

#[test]
fn a_name_means_one_thing_in_a_crate() {
    holds(names_mean_one_thing);
    holds(the_list_is_needed);
    let shared = "pub struct Error;\npub struct Journal;";
    let (here, there) = ("crates/trueup-engine/src/a.rs", "crates/trueup-engine/src/b.rs");
    breaks(
        the_list_is_needed,
        &[(here, shared), (there, &format!("{shared}\npub struct Meter;"))],
        "`Meter` means one thing",
    );
    let one = "crates/trueup-core/src/a.rs";
    let two = "crates/trueup-core/src/b.rs";
    breaks(
        names_mean_one_thing,
        &[(one, "pub struct Place;"), (two, "pub(crate) enum Place {}")],
        "trueup-core: `Place` means 2 things",
    );
    breaks(
        names_mean_one_thing,
        &[(one, "pub trait Place {}\nmod inner { pub(super) type Place = u8; }")],
        "means 2 things",
    );
    // A private type is read together with its file; another crate is another context.
    keeps(
        names_mean_one_thing,
        &[(one, "pub struct Place;"), (two, "struct Place;")],
    );
    keeps(
        names_mean_one_thing,
        &[
            (one, "pub struct Place;"),
            ("crates/trueup-engine/src/a.rs", "pub struct Place;"),
        ],
    );
    keeps(
        names_mean_one_thing,
        &[(one, "pub struct Place;\n#[cfg(test)]\nmod tests { pub struct Place; }")],
    );
}
