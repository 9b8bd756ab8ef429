//! Words that nobody can guess.

use std::{
    fs::File,
    io::{self, Read},
};

/// A word of letters and digits that nobody can guess.
pub(super) fn unguessable() -> io::Result<String> {
    let mut bytes = [0; 12];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
