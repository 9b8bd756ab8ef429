//! Spans of minutes within a day.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    pub fn minutes(&self) -> u32 {
        self.end - self.start
    }
}

/// Joins spans that overlap or touch; the result is in order.
pub fn merge(spans: &[Span]) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = span.end,
            _ => merged.push(*span),
        }
    }
    merged
}

/// How many minutes the spans cover.
pub fn covered(spans: &[Span]) -> u32 {
    merge(spans).iter().map(Span::minutes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_of_a_span() {
        assert_eq!(Span::new(60, 90).minutes(), 30);
    }

    #[test]
    fn covers_nothing() {
        assert_eq!(covered(&[]), 0);
    }
}
