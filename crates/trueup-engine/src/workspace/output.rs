//! What git said, and how its lists are read and written.

/// What git said.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

impl GitOutput {
    /// Whether git was content.
    pub(super) fn succeeded(&self) -> bool {
        self.code == Some(0)
    }
}

/// Bytes as text, without the space round them.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_string()
}

/// The records of an output that ends each of them with a NUL.
pub(super) fn records(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == 0).filter(|record| !record.is_empty())
}

/// A list of names as git reads it with `-z`.
pub(super) fn joined<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    names.into_iter().fold(Vec::new(), |mut all, name| {
        all.extend_from_slice(name);
        all.push(0);
        all
    })
}
