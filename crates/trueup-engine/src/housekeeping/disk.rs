//! What a state root takes, by kind.

use super::below;
use crate::{space::size_of, state::StateRoot};

/// What one kind of thing takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskUse {
    /// Its name in the state root.
    pub name: String,
    /// How many entries it has; 1 for a file.
    pub count: u64,
    /// How many bytes of disk it takes.
    pub bytes: u64,
}

/// Everything at the root, the largest first.
pub fn by_kind(state: &StateRoot) -> Vec<DiskUse> {
    let mut all: Vec<DiskUse> = below(state.path())
        .iter()
        .map(|entry| DiskUse {
            name: entry.file_name().to_string_lossy().into_owned(),
            count: below(&entry.path()).len().max(1) as u64,
            bytes: size_of(&entry.path()),
        })
        .collect();
    all.sort_by(|one, other| other.bytes.cmp(&one.bytes).then(one.name.cmp(&other.name)));
    all
}

/// The largest things one level below the root, at most so many.
pub fn biggest(state: &StateRoot, most: usize) -> Vec<DiskUse> {
    let mut all: Vec<DiskUse> = Vec::new();
    for folder in below(state.path()) {
        for entry in below(&folder.path()) {
            all.push(DiskUse {
                name: format!(
                    "{}/{}",
                    folder.file_name().to_string_lossy(),
                    entry.file_name().to_string_lossy()
                ),
                count: 1,
                bytes: size_of(&entry.path()),
            });
        }
    }
    all.sort_by(|one, other| other.bytes.cmp(&one.bytes).then(one.name.cmp(&other.name)));
    all.truncate(most);
    all
}
