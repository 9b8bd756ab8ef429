//! How much of what an agent names is remembered. A program that names things
//! without end must not fill our memory with their names.

use std::collections::{BTreeMap, BTreeSet};

/// So many things of one kind are remembered at a time.
pub(super) const MOST: usize = 10_000;

/// No name of anything is longer.
const LONGEST_NAME: usize = 256;

/// No path is longer.
const LONGEST_PATH: usize = 4096;

/// Whether this is short enough for a name.
pub(super) const fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
}

/// Whether this is short enough for a path.
pub(super) const fn is_path(path: &str) -> bool {
    path.len() <= LONGEST_PATH
}

/// Remembers a thing by its name, if there is room for it.
pub(super) fn remember<T>(known: &mut BTreeMap<String, T>, name: &str, thing: T) {
    if is_name(name) && (known.len() < MOST || known.contains_key(name)) {
        known.insert(name.to_owned(), thing);
    }
}

/// Remembers a name, if there is room for it; answers whether it was known.
pub(super) fn is_known(known: &mut BTreeSet<String>, name: &str) -> bool {
    known.contains(name) || {
        if is_name(name) && known.len() < MOST {
            known.insert(name.to_owned());
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, is_known, remember};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn what_is_named_without_end_is_not_remembered_without_end() {
        let (mut things, mut names) = (BTreeMap::new(), BTreeSet::new());
        for number in 0..MOST + 5 {
            remember(&mut things, &number.to_string(), number);
            assert!(!is_known(&mut names, &number.to_string()));
        }
        assert_eq!((things.len(), names.len()), (MOST, MOST));
        remember(&mut things, "7", 0);
        assert_eq!(things["7"], 0);
        assert!(is_known(&mut names, "7"));
        names.clear();
        assert!(!is_known(&mut names, &"x".repeat(300)) && names.is_empty());
    }
}
