//! The limits of every reader, and a source that keeps them.

use std::io::{self, BufRead, Read};
use thiserror::Error;

const MIB: u64 = 1024 * 1024;

/// No report that is read piece by piece is longer, in bytes.
pub const MOST_BYTES: u64 = 256 * MIB;
/// No report that is one JSON document is longer, in bytes.
pub const MOST_JSON_BYTES: u64 = 64 * MIB;
/// No single text, tag or line of a report is longer, in bytes.
pub(super) const MOST_PIECE: u64 = 8 * MIB;
/// No XML element stands deeper than this; JSON has the limit of its reader.
pub const MOST_DEPTH: usize = 64;
/// No report tells of more tests.
pub const MOST_TESTS: usize = 500_000;
/// No report tells of more findings.
pub const MOST_FINDINGS: usize = 100_000;
/// No report tells of more lines reached.
pub const MOST_LINES: usize = 4_000_000;
/// A longer id ends in a digest of what was cut, so that it stays one of a kind.
pub const MOST_ID: usize = 2048;
/// A longer message is cut, between two characters.
pub const MOST_MESSAGE: usize = 4096;
/// All ids and paths of a report together are no longer, in bytes.
pub(super) const MOST_IDS: usize = 64 * MIB as usize;
/// When all messages together are longer, in bytes, later tests have none.
pub(super) const MOST_MESSAGES: usize = 8 * MIB as usize;

/// A report that cannot be understood, and therefore proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct Unreadable {
    /// Why not, in a sentence without a capital or a full stop.
    pub why: String,
}

impl Unreadable {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

/// A source that ends with an error where a limit is passed.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    piece_left: u64,
    most: u64,
}

impl<R: BufRead> Bounded<R> {
    /// A source of pieces.
    pub(super) fn of_pieces(inner: R) -> Self {
        Self {
            inner,
            left: MOST_BYTES,
            piece_left: MOST_PIECE,
            most: MOST_BYTES,
        }
    }

    /// A source of one JSON document, whose reader counts for itself.
    pub(super) fn of_one(inner: R) -> Self {
        Self {
            inner,
            left: MOST_JSON_BYTES,
            piece_left: u64::MAX,
            most: MOST_JSON_BYTES,
        }
    }

    /// From here on a new piece begins.
    pub(super) const fn next_piece(&mut self) {
        self.piece_left = MOST_PIECE;
    }

    /// The next line without its end, or nothing where the source ends.
    pub(super) fn line<'b>(&mut self, buffer: &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Unreadable> {
        self.next_piece();
        buffer.clear();
        let read = self.read_until(b'\n', buffer);
        if read.map_err(|error| Unreadable::because(error.to_string()))? == 0 {
            return Ok(None);
        }
        let line = buffer.strip_suffix(b"\n").unwrap_or(buffer);
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let room = self.left.min(self.piece_left);
        let there = self.inner.fill_buf()?;
        if there.is_empty() {
            return Ok(there);
        }
        if room == 0 {
            let (what, most) = match self.left {
                0 => ("it", self.most),
                _ => ("one piece of it", MOST_PIECE),
            };
            return Err(io::Error::other(format!("{what} is longer than {} MiB", most / MIB)));
        }
        let room = usize::try_from(room).unwrap_or(usize::MAX).min(there.len());
        Ok(there.get(..room).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        let amount = u64::try_from(amount).unwrap_or(u64::MAX);
        self.left = self.left.saturating_sub(amount);
        self.piece_left = self.piece_left.saturating_sub(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_ends_with_an_error_where_it_is_longer_than_its_limit() {
        let of = |bytes: &'static [u8]| Bounded {
            left: 4,
            piece_left: u64::MAX,
            most: 4 * MIB,
            inner: bytes,
        };
        let mut read = String::new();
        assert!(of(b"1234").read_to_string(&mut read).is_ok());
        let error = of(b"12345").read_to_string(&mut read).expect_err("too long");
        assert_eq!(error.to_string(), "it is longer than 4 MiB");
    }

    #[test]
    fn every_line_has_a_limit_of_its_own() {
        let mut source = Bounded {
            left: 100,
            piece_left: 0,
            most: 100,
            inner: b"one\ntwo\r\nthree".as_slice(),
        };
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        while let Some(line) = source.line(&mut buffer).expect("a line") {
            lines.push(line.to_vec());
        }
        assert_eq!(lines, [b"one".as_slice(), b"two", b"three"]);
    }
}
