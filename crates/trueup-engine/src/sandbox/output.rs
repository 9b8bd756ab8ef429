//! Keeps the beginning and the end of a stream, however long it is.

use super::bounds::Output;
use std::collections::VecDeque;

/// A stream being kept.
#[derive(Debug)]
pub(super) struct Keeping {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    limit: usize,
    total: u64,
}

impl Keeping {
    pub(super) fn up_to(limit: u64) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            total: 0,
        }
    }

    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let head_room = (self.limit / 2).saturating_sub(self.head.len()).min(bytes.len());
        let (head, rest) = bytes.split_at(head_room);
        self.head.extend_from_slice(head);
        let tail_limit = self.limit - self.limit / 2;
        let rest = &rest[rest.len().saturating_sub(tail_limit)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(tail_limit);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    pub(super) fn finish(self) -> Output {
        let mut kept = self.head;
        let left_out = self.total - (kept.len() + self.tail.len()) as u64;
        if left_out > 0 {
            kept.extend_from_slice(format!("\n[trueup: {left_out} bytes left out]\n").as_bytes());
        }
        kept.extend(self.tail);
        Output {
            kept,
            total: self.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Keeping;

    #[test]
    fn a_stream_within_its_limit_is_kept_whole() {
        let mut keeping = Keeping::up_to(10);
        keeping.take(b"0123");
        keeping.take(b"456789");
        assert_eq!(keeping.finish().kept, b"0123456789");
    }

    #[test]
    fn a_stream_beyond_its_limit_keeps_both_ends() {
        for piece in [1, 3, 100] {
            let mut keeping = Keeping::up_to(6);
            let whole: Vec<u8> = (b'a'..=b'z').collect();
            whole.chunks(piece).for_each(|bytes| keeping.take(bytes));
            let output = keeping.finish();
            assert_eq!(output.kept, b"abc\n[trueup: 20 bytes left out]\nxyz");
            assert_eq!(output.total, 26);
        }
    }

    #[test]
    fn a_limit_of_nothing_keeps_only_the_count() {
        let mut keeping = Keeping::up_to(0);
        keeping.take(b"abc");
        assert_eq!(keeping.finish().total, 3);
    }
}
