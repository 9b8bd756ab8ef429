//! How two contents of a file differ in the packages they name.

use super::listed::{PackageVersions, listed};
use std::collections::BTreeSet;

/// How many packages are named one by one.
const MOST: usize = 8;

/// The packages that come, go, or change their version, as people read it.
/// Nothing where the file says no packages, or the same ones.
pub fn change(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<String> {
    let read = |bytes: Option<&[u8]>| match bytes {
        Some(bytes) => listed(path, bytes),
        None => Some(PackageVersions::new()),
    };
    let (before, after) = (read(before)?, read(after)?);
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let told = names
        .into_iter()
        .filter_map(|name| match (before.get(name), after.get(name)) {
            (Some(old), Some(new)) if old == new => None,
            (Some(old), Some(new)) => Some(format!("{} → {}", one(name, old), versions(new))),
            (None, Some(new)) => Some(format!("+ {}", one(name, new))),
            (Some(old), None) => Some(format!("- {}", one(name, old))),
            (None, None) => None,
        });
    let told: Vec<String> = told.collect();
    let rest = told.len().saturating_sub(MOST);
    let mut text = told.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if rest > 0 {
        text.push_str(&format!(", and {rest} more"));
    }
    (!told.is_empty()).then_some(text)
}

fn one(name: &str, found: &BTreeSet<String>) -> String {
    format!("{name} {}", versions(found)).trim_end().to_owned()
}

fn versions(found: &BTreeSet<String>) -> String {
    found.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
}
