//! Which item of a file a reported test is.

use super::changed_file::{ChangedFile, Side};
use crate::{
    code::{self, Item},
    report::Test,
    test_id::{block, holds, parts, without_parameters},
};

/// A test of a file, as its text has it.
#[derive(Clone, Debug)]
pub struct TestItem {
    /// The file.
    pub path: String,
    /// The test.
    pub item: Item,
    /// Its body, without what does not matter.
    pub key: String,
}

/// Every test of these files.
pub fn test_items(files: &[ChangedFile], side: Side) -> Vec<TestItem> {
    let texts = files.iter().filter_map(|file| Some((&file.path, file.text(side)?)));
    texts.flat_map(|(path, text)| tests_in(path, text)).collect()
}

/// Every test of a file.
pub fn tests_in(path: &str, text: &str) -> Vec<TestItem> {
    let tests = code::items(path, text).unwrap_or_default().into_iter();
    tests
        .filter(|item| item.sort == code::ItemKind::Test)
        .map(|item| TestItem {
            path: path.to_owned(),
            key: code::body_key(text, &item),
            item,
        })
        .collect()
}

/// The tests that a reported one may be: those of its name, in its file as far
/// as that is known.
pub fn found_in<'a>(test: &Test, all: &'a [TestItem]) -> Vec<&'a TestItem> {
    let named: Vec<&TestItem> = all.iter().filter(|one| is_called(&test.id, &one.item.name)).collect();
    let at_home: Vec<&TestItem> = named.iter().copied().filter(|one| lies_in(test, &one.path)).collect();
    if at_home.is_empty() { named } else { at_home }
}

/// The file that a test stands in: as it is reported, else that of the first of
/// the items that it may be.
pub fn file_of<'a>(test: &'a Test, items: &[&'a TestItem]) -> Option<&'a str> {
    let told = test.file.as_deref();
    told.or_else(|| Some(items.first()?.path.as_str()))
}

/// Whether a test only has another name or place than on the base.
pub fn is_moved(test: &Test, old: &[TestItem], new: &[TestItem]) -> bool {
    let mut found = found_in(test, new).into_iter().peekable();
    found.peek().is_some() && found.all(|one| old.iter().any(|old| old.key == one.key))
}

/// Whether a report's id ends in the name of an item, however either spells
/// what comes before it.
pub fn is_called(id: &str, name: &str) -> bool {
    let plain = |id: &str| parts(without_parameters(id));
    let (id, name) = (plain(id), plain(name));
    let last_is_same = id.ends_with(&name) || (name.ends_with(&id) && !id.is_empty());
    // A case of a test of Go is written inside the test.
    last_is_same || matches!(name.as_slice(), [only] if only.starts_with("Test") && id.contains(only))
}

/// Whether a name that somebody asks for means an item of a file: it is called
/// so, or stands in a block or a file that is.
pub fn is_meant(asked: &str, path: &str, name: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let whole = [parts(stem), parts(without_parameters(name))].concat();
    is_called(asked, name) || holds(&whole, &block(without_parameters(asked))) || path == asked
}

/// Whether a report says, or its id hints, that the test lies in this file.
fn lies_in(test: &Test, path: &str) -> bool {
    if let Some(file) = &test.file {
        return is_path(file, path);
    }
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    test.id.contains(path) || test.id.contains(&stem.replace('/', "."))
}

/// Whether a report says that a test lies in another file than this. Tests of
/// Rust are said to lie where their crate begins.
pub fn lies_elsewhere(test: &Test, path: &str) -> bool {
    let Some(file) = &test.file else {
        return false;
    };
    let root = file.strip_suffix(".rs").and_then(|stem| stem.rsplit_once('/'));
    let below = root.is_some_and(|(folder, _)| path.contains(&format!("{folder}/")));
    !below && !is_path(file, path)
}

/// Whether a tool means this file, wherever it stood when it spoke of it.
fn is_path(said: &str, path: &str) -> bool {
    let ends_in = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let said = said.trim_start_matches("./");
    ends_in(said, path) || ends_in(path, said)
}
