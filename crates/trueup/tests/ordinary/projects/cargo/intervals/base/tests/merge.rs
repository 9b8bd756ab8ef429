use intervals::{covered, merge, Span};

fn spans(list: &[(u32, u32)]) -> Vec<Span> {
    list.iter().map(|&(start, end)| Span::new(start, end)).collect()
}

#[test]
fn joins_overlapping() {
    assert_eq!(merge(&spans(&[(1, 5), (3, 9)])), spans(&[(1, 9)]));
}

#[test]
fn keeps_separate() {
    assert_eq!(merge(&spans(&[(1, 2), (4, 5)])), spans(&[(1, 2), (4, 5)]));
}

#[test]
fn sorts_first() {
    assert_eq!(merge(&spans(&[(6, 8), (1, 3), (2, 4)])), spans(&[(1, 4), (6, 8)]));
}

#[test]
fn keeps_the_later_end() {
    assert_eq!(merge(&spans(&[(1, 10), (2, 4)])), spans(&[(1, 10)]));
    assert_eq!(covered(&spans(&[(1, 10), (2, 4)])), 9);
}
