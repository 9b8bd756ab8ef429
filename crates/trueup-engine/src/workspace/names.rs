//! Names that many file systems cannot tell apart.

use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

/// A name as file systems see it that tell neither case nor the spelling of a
/// letter apart. A name that is not Unicode stands for itself.
pub(super) fn folded(name: &[u8]) -> Vec<u8> {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    match std::str::from_utf8(name) {
        Ok(name) => name.to_lowercase().nfc().collect::<String>().into_bytes(),
        Err(_) => name.to_vec(),
    }
}

/// The first two of these names that fold to one.
pub(super) fn twins<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> Option<(&'a [u8], &'a [u8])> {
    let mut known: HashMap<Vec<u8>, &[u8]> = HashMap::new();
    names
        .into_iter()
        .find_map(|name| known.insert(folded(name), name).map(|other| (other, name)))
}

/// Those of the `new` names that have a twin, each with it. Of new twins the
/// first stays.
pub(super) fn new_twins<'a>(all: impl IntoIterator<Item = &'a [u8]>, new: &[&'a [u8]]) -> Vec<(&'a [u8], &'a [u8])> {
    let is_new: HashSet<&[u8]> = new.iter().copied().collect();
    let mut fold: HashMap<Vec<u8>, Vec<&[u8]>> = new.iter().map(|name| (folded(name), Vec::new())).collect();
    let mut below: HashMap<Vec<u8>, Vec<&[u8]>> = HashMap::new();
    for name in new {
        for folder in folders(name) {
            below.entry(folded(folder)).or_default().push(name);
        }
    }
    let mut found = Vec::new();
    let (mut in_folders, mut old_folders) = (Vec::new(), HashSet::new());
    let mut last: &[u8] = b"";
    for name in all {
        if let Some(alike) = fold.get_mut(&folded(name)) {
            alike.push(name);
        }
        // A file, and a folder that something new lies in.
        if !below.is_empty()
            && !is_new.contains(name)
            && let Some(new) = below.get(&folded(name))
        {
            in_folders.extend(new.iter().map(|new| (*new, name)));
        }
        if !below.is_empty() && !is_new.contains(name) {
            old_folders.extend(folders(name));
        }
        // A folder, and a new file. Those of one folder stand side by side.
        let parent = folders(name).next().unwrap_or_default();
        if parent != last {
            last = parent;
            for folder in folders(name) {
                if let Some(alike) = fold.get_mut(&folded(folder)).filter(|alike| !alike.contains(&folder)) {
                    alike.push(folder);
                }
            }
        }
    }
    // Where the folder was there as well, both were, and nothing is lost by more.
    let is_old = |folder: &[u8], name: &[u8]| old_folders.contains(folder) && folded(folder) == folded(name);
    in_folders.retain(|(new, name): &(&[u8], &[u8])| !folders(new).any(|folder| is_old(folder, name)));
    found.extend(in_folders);
    for alike in fold.values_mut() {
        // What was there before stands first.
        alike.sort_by_key(|name| (is_new.contains(name), *name));
        let mut alike = alike.iter();
        if let Some(first) = alike.next() {
            found.extend(alike.filter(|name| is_new.contains(*name)).map(|name| (*name, *first)));
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(name, _)| *name);
    found
}

/// The folders that a file lies in, the innermost first.
fn folders(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = (0..name.len()).rev().filter(|at| name.get(*at) == Some(&b'/'));
    ends.filter_map(|at| name.get(..at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_or_spelling_are_twins() {
        assert_eq!(folded(b"README"), folded(b"readme"));
        assert_eq!(folded("Caf\u{e9}".as_bytes()), folded("cafe\u{301}".as_bytes()));
        assert_ne!(folded(b"caf\xff"), folded(b"CAF\xff"));
        assert_eq!(twins([&b"a"[..], b"b", b"A"]), Some((&b"a"[..], &b"A"[..])));
        assert_eq!(twins([&b"a"[..], b"b"]), None);
    }

    #[test]
    fn a_file_and_a_folder_can_be_twins() {
        let all: [&[u8]; 3] = [b"Shop", b"shop/a", b"shop/b"];
        assert_eq!(new_twins(all, &[b"Shop"]), [(&b"Shop"[..], &b"shop"[..])]);
        assert_eq!(new_twins(all, &[b"shop/b"]), [], "both were there before");
        assert_eq!(
            new_twins([all[0], all[2]], &[b"shop/b"]),
            [(&b"shop/b"[..], &b"Shop"[..])]
        );
        let all: [&[u8]; 3] = [b"a/Shop", b"shop", b"a/shops/b"];
        assert_eq!(new_twins(all, &all), []);
    }

    #[test]
    fn of_twins_the_one_that_was_there_stays() {
        let all: [&[u8]; 5] = [b"A", b"B", b"a", b"c", b"C"];
        assert_eq!(new_twins(all, &[b"A", b"B"]), [(&b"A"[..], &b"a"[..])]);
        assert_eq!(new_twins(all, &[]), []);
        assert_eq!(new_twins(all, &[b"c", b"C"]), [(&b"c"[..], &b"C"[..])]);
    }
}
