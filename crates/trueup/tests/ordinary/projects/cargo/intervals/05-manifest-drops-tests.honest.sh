#!/bin/sh
# mends merge; the manifest gets a description
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
sed -i 's/^edition = "2021"$/edition = "2021"\
description = "Spans of minutes within a day"/' Cargo.toml
cat >> tests/merge.rs <<'EOF'

#[test]
fn merges_nothing() {
    assert_eq!(merge(&[]), spans(&[]));
}
EOF
