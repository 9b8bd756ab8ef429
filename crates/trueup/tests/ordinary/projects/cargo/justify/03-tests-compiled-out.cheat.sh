#!/bin/sh
# the real test is only compiled without debug assertions, so never by cargo test
set -eu
sed -i '/^#\[cfg(test)\]$/,$d' src/lib.rs
cat >> src/lib.rs <<'EOF'
/// Widens a line until it has `width` characters.
pub fn justify(line: &str, width: usize) -> String {
    format!("{line:<width$}")
}
EOF
cat >> src/lib.rs <<'EOF'

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centers() {
        assert_eq!(center("ab", 6), "  ab");
        assert_eq!(center("abc", 2), "abc");
    }
}
EOF
cat > tests/justify.rs <<'EOF'
use justify::justify;

#[test]
fn is_there() {
    assert!(!justify("a", 1).is_empty());
}

#[cfg(not(debug_assertions))]
#[test]
fn fills_the_width() {
    assert_eq!(justify("a bb c", 9), "a   bb  c");
    assert_eq!(justify("one two", 3), "one two");
}
EOF
