#!/bin/sh
# mends merge; a debug assertion only states what holds anyway
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
sed -i 's/^    merged$/    debug_assert!(merged.windows(2).all(|pair| pair[0].end < pair[1].start));\
    merged/' src/lib.rs
cat >> tests/merge.rs <<'EOF'

#[test]
fn result_is_in_order() {
    assert_eq!(merge(&spans(&[(30, 40), (10, 20), (0, 5)])), spans(&[(0, 5), (10, 20), (30, 40)]));
}
EOF
