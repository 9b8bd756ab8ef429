//! The ids that runners give to tests, taken apart.
//!
//! Runners spell what a test stands in each in their own way:
//! `tests.test_a.TestX::test_b[1]`, `a.test.ts::cart > adds`, `package::TestA/sub`.

/// What stands between two parts of an id.
const SEPARATORS: [&str; 4] = ["::", " > ", ".", "/"];

/// An id without the parameters of pytest; titles of JavaScript keep theirs.
pub(crate) fn without_parameters(id: &str) -> &str {
    let id = id.trim();
    match id.split_once('[') {
        Some((before, _)) if id.ends_with(']') && !before.contains(' ') => before,
        Some(_) | None => id,
    }
}

/// What an id consists of, from the outside in.
pub(crate) fn parts(id: &str) -> Vec<String> {
    id.replace("::", "\0")
        .replace(" > ", "\0")
        .split(['\0', '.', '/'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What a test is called inside of all that it stands in.
pub(crate) fn last_part(id: &str) -> &str {
    let ends = SEPARATORS.iter().filter_map(|mark| Some(id.rfind(mark)? + mark.len()));
    id.get(ends.max().unwrap_or(0)..).unwrap_or(id)
}

/// The parts of a name that somebody asks for, where it is one of a file or a
/// block. Reports spell files of Python without their ending.
pub(crate) fn block(name: &str) -> Vec<String> {
    parts(&name.replace(".py", ""))
}

/// Whether a block is among these parts.
pub(crate) fn holds(parts: &[String], block: &[String]) -> bool {
    !block.is_empty() && parts.windows(block.len()).any(|window| window == block)
}
