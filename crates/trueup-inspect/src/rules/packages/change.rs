//! How two contents of a file differ in the packages they name.

use super::listed::{PackageVersions, Versions, listed};
use std::collections::BTreeSet;

/// How many packages are named one by one.
const MOST: usize = 8;

/// How much is shown of where a package comes from.
const SHOWN: usize = 100;

/// The packages that come, go, or change their version, as people read it.
/// Nothing where the file says no packages, or the same ones.
pub fn change(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Option<String> {
    let read = |bytes: Option<&[u8]>| match bytes {
        Some(bytes) => listed(path, bytes),
        None => Some(PackageVersions::new()),
    };
    let (before, after) = (read(before)?, read(after)?);
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let nothing = Versions::new();
    let both = |name| {
        let (old, new) = (before.get(name), after.get(name));
        (name, old.unwrap_or(&nothing), new.unwrap_or(&nothing))
    };
    let both: Vec<(&String, &Versions, &Versions)> = names.into_iter().map(both).collect();
    // The same version from elsewhere is what nobody expects, so it stands first.
    let elsewhere = both.iter().filter_map(|(name, old, new)| elsewhere(name, old, new));
    let moved = both.iter().filter_map(|(name, old, new)| moved(name, old, new));
    let told: Vec<String> = elsewhere.chain(moved).collect();
    let rest = told.len().saturating_sub(MOST);
    let mut text = told.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    if rest > 0 {
        text.push_str(&format!(", and {rest} more"));
    }
    (!told.is_empty()).then_some(text)
}

/// A version that stays and comes from elsewhere, or with other contents.
fn elsewhere(name: &str, old: &Versions, new: &Versions) -> Option<String> {
    let added = |(version, origins): (&String, &BTreeSet<String>)| {
        let was = old.get(version)?;
        Some((version.clone(), origins.difference(was).next()?.clone()))
    };
    let (version, origin) = new.iter().find_map(added)?;
    let origin: String = origin.chars().take(SHOWN).collect();
    Some(format!("{name} {version} from elsewhere ({origin})"))
}

/// The versions that differ: of a package that is there several times, some may stay.
fn moved(name: &str, old: &Versions, new: &Versions) -> Option<String> {
    let gone: Vec<&str> = old
        .keys()
        .filter(|version| !new.contains_key(*version))
        .map(String::as_str)
        .collect();
    let came: Vec<&str> = new
        .keys()
        .filter(|version| !old.contains_key(*version))
        .map(String::as_str)
        .collect();
    let one = |versions: &[&str]| format!("{name} {}", versions.join(" and ")).trim_end().to_owned();
    match (gone.is_empty(), came.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("+ {}", one(&came))),
        (false, true) => Some(format!("- {}", one(&gone))),
        (false, false) => Some(format!("{} → {}", one(&gone), came.join(" and "))),
    }
}
