//! What red checks printed: the name of an error, and its kind.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod kinds;
mod signatures;

use std::{fs, path::PathBuf};

/// What one tool printed for one fault, twice: at another time, in another
/// folder, and with the fault on other lines.
struct Real {
    name: String,
    first: String,
    again: String,
}

fn all() -> Vec<Real> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/errors/real");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        let (first, again) = text.split_once("===== again =====\n").expect("two outputs");
        Real {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            first: first.to_owned(),
            again: again.to_owned(),
        }
    };
    let mut all: Vec<Real> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| read(entry.expect("an entry").path()))
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}
