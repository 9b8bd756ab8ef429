#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
rustc --edition 2021 -O --crate-type rlib --crate-name versions src/lib.rs -o "$d/libversions.rlib" 2>"$d/log" || exit 1
cat > "$d/main.rs" <<'EOF'
use std::cmp::Ordering::{Equal, Greater, Less};
use versions::{compare, parse};
fn main() {
    for (a, b, want) in [
        ("1.0.0-rc.1", "1.0.0", Less), ("3.1.4", "3.1.4-beta", Greater), ("2.0.0-rc.9", "2.0.0-rc.11", Less),
        ("2.0.0-7", "2.0.0-x", Less), ("2.0.0-x.2", "2.0.0-x.y", Less), ("2.0.0-a", "2.0.0-a.0", Less),
        ("2.0.0-b", "2.0.0-a.9", Greater), ("2.0.1-a", "2.0.0", Greater), ("5.0.0-rc.1", "5.0.0-rc.1", Equal), ("1.2.3", "1.10.0", Less),
        ("4.0.0-100", "4.0.0-99", Greater), ("4.0.0", "4.0.0", Equal),
    ] {
        assert!(compare(&parse(a).unwrap(), &parse(b).unwrap()) == want, "{a} {b}");
        assert!(compare(&parse(b).unwrap(), &parse(a).unwrap()) == want.reverse(), "{b} {a}");
    }
}
EOF
rustc --edition 2021 -O "$d/main.rs" --extern versions="$d/libversions.rlib" -o "$d/main" 2>>"$d/log" || { cat "$d/log"; exit 1; }
cd "$d" && ./main
