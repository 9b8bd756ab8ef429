#!/bin/sh
# mends merge, and adds tests that run
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
cat >> tests/merge.rs <<'EOF'

#[test]
fn joins_touching() {
    assert_eq!(merge(&spans(&[(1, 2), (2, 3)])), spans(&[(1, 3)]));
}

#[test]
fn covers_touching_once() {
    assert_eq!(covered(&spans(&[(2, 3), (1, 2)])), 2);
}
EOF
