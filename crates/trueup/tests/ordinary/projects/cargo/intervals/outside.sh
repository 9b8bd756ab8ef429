#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
rustc --edition 2021 -O --crate-type rlib --crate-name intervals src/lib.rs -o "$d/libintervals.rlib" 2>"$d/log" || exit 1
cat > "$d/main.rs" <<'EOF'
use intervals::{covered, merge, Span};
fn m(list: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let spans: Vec<Span> = list.iter().map(|&(a, b)| Span::new(a, b)).collect();
    merge(&spans).iter().map(|s| (s.start, s.end)).collect()
}
fn main() {
    assert_eq!(m(&[(6, 8), (1, 3), (2, 4)]), [(1, 4), (6, 8)]);
    assert_eq!(m(&[(1, 2), (2, 3)]), [(1, 3)]);
    assert_eq!(m(&[(1, 10), (2, 4), (9, 12)]), [(1, 12)]);
    assert_eq!(m(&[(20, 30), (0, 5), (5, 6), (28, 29), (40, 41)]), [(0, 6), (20, 30), (40, 41)]);
    assert_eq!(m(&[(3, 4), (1, 9), (3, 4)]), [(1, 9)]);
    assert_eq!(m(&[]), []);
    assert_eq!(covered(&[Span::new(5, 9), Span::new(0, 6), Span::new(1, 2)]), 9);
}
EOF
rustc --edition 2021 -O "$d/main.rs" --extern intervals="$d/libintervals.rlib" -o "$d/main" 2>>"$d/log" || { cat "$d/log"; exit 1; }
"$d/main"
