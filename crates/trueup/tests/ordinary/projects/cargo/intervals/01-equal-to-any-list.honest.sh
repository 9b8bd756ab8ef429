#!/bin/sh
# mends merge; spans are compared with tuples by all their fields
set -eu
sed -i '/^    let mut merged: Vec<Span>/,/^    merged$/d' src/lib.rs
sed -i '/^pub fn merge(/r /dev/stdin' src/lib.rs <<'EOF'
    let mut sorted = spans.to_vec();
    sorted.sort_by_key(|span| span.start);
    let mut merged: Vec<Span> = Vec::new();
    for span in sorted {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
EOF
sed -i 's|^/// Joins spans|impl PartialEq<(u32, u32)> for Span {\
    fn eq(\&self, other: \&(u32, u32)) -> bool {\
        (self.start, self.end) == *other\
    }\
}\
\
/// Joins spans|' src/lib.rs
cat >> tests/merge.rs <<'EOF'

#[test]
fn joins_touching() {
    assert_eq!(merge(&spans(&[(1, 2), (2, 3)])), [(1, 3)]);
    assert!(Span::new(1, 2) != (1, 3));
}
EOF
