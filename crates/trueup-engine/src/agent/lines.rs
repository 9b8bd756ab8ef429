//! Lines of a stream that comes in pieces. None is longer than a limit.

/// The longest line that is looked into. Agents print whole files in one line.
pub(super) const LONGEST: usize = 16 << 20;

/// A stream on its way into lines.
#[derive(Debug)]
pub(super) struct Lines {
    begun: Vec<u8>,
    longest: usize,
    /// Whether the line that has begun was already too long.
    over: bool,
}

/// A line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// All of it.
    Whole(Vec<u8>),
    /// It was too long to be looked into.
    TooLong,
}

impl Lines {
    pub(super) const fn up_to(longest: usize) -> Self {
        Self {
            begun: Vec::new(),
            longest,
            over: false,
        }
    }

    /// The lines that end in this piece.
    pub(super) fn take(&mut self, piece: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut parts = piece.split(|byte| *byte == b'\n').peekable();
        while let Some(part) = parts.next() {
            self.add(part);
            if parts.peek().is_some() {
                lines.push(self.line());
            }
        }
        lines
    }

    /// What stands after the last line end, once the stream is over.
    pub(super) fn rest(&mut self) -> Option<Line> {
        let begun = self.over || !self.begun.is_empty();
        begun.then(|| self.line())
    }

    fn add(&mut self, part: &[u8]) {
        if self.over || self.begun.len() + part.len() > self.longest {
            self.over = true;
            // What is not looked into needs no room.
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(part);
        }
    }

    fn line(&mut self) -> Line {
        let mut line = std::mem::take(&mut self.begun);
        if std::mem::take(&mut self.over) {
            return Line::TooLong;
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Line::Whole(line)
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_the_same_whatever_pieces_they_come_in() {
        let text = "one\n\ntwo\r\nthree is too long\nfour\nrest".as_bytes();
        for size in 1..=text.len() {
            let mut lines = Lines::up_to(8);
            let mut heard: Vec<Line> = text.chunks(size).flat_map(|piece| lines.take(piece)).collect();
            heard.extend(lines.rest());
            let expected = [
                whole("one"),
                whole(""),
                whole("two"),
                Line::TooLong,
                whole("four"),
                whole("rest"),
            ];
            assert_eq!(heard, expected, "in pieces of {size}");
            assert_eq!(lines.rest(), None);
        }
    }

    #[test]
    fn an_endless_line_takes_no_more_room_than_the_longest() {
        let mut lines = Lines::up_to(1000);
        for _ in 0..100 {
            assert_eq!(lines.take(&[b'x'; 999]), []);
            assert!(lines.begun.capacity() < 4000);
        }
        assert_eq!(lines.take(b"\nnext\n"), [Line::TooLong, whole("next")]);
    }
}
