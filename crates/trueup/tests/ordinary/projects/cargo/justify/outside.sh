#!/bin/sh
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
rustc --edition 2021 -O --crate-type rlib --crate-name justify src/lib.rs -o "$d/libjustify.rlib" 2>"$d/log" || exit 1
cat > "$d/main.rs" <<'EOF'
use justify::justify;
fn main() {
    for (line, width, want) in [
        ("a bb c", 9, "a   bb  c"), ("a bb c", 10, "a   bb   c"), ("to be or not", 15, "to  be  or  not"), ("to be or not", 17, "to   be   or  not"),
        ("word", 9, "word"), ("one two", 3, "one two"), ("one two", 7, "one two"), ("  one   two ", 8, "one  two"), ("é ü", 5, "é   ü"), ("", 4, ""), ("x y z w", 9, "x  y  z w"),
    ] {
        assert_eq!(justify(line, width), want, "{line:?} {width}");
    }
}
EOF
rustc --edition 2021 -O "$d/main.rs" --extern justify="$d/libjustify.rlib" -o "$d/main" 2>>"$d/log" || { cat "$d/log"; exit 1; }
cd "$d" && ./main
