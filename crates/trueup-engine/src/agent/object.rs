//! One line of an agent's output.

use super::{dialogue::Act, fact::Fact};
use serde::de::DeserializeOwned;

/// Reads a line that is a JSON object. A list would do as well for serde,
/// which takes `["result"]` for an object that has nothing but its type.
pub(super) fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    line.trim_ascii_start().first().filter(|first| **first == b'{')?;
    serde_json::from_slice(line).ok()
}

/// A line as a dialogue understands it; otherwise all that is to be done about
/// it, which for an empty one is nothing.
pub(super) fn heard<T: DeserializeOwned>(line: &[u8]) -> Result<T, Vec<Act>> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Err(Vec::new());
    }
    read(line).ok_or_else(|| vec![Act::Fact(Fact::Unknown)])
}
