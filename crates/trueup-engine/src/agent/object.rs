//! One line of an agent's output.

use serde::de::DeserializeOwned;

/// Reads a line that is a JSON object. A list would do as well for serde,
/// which takes `["result"]` for an object that has nothing but its type.
pub(super) fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    line.trim_ascii_start().first().filter(|first| **first == b'{')?;
    serde_json::from_slice(line).ok()
}
