#!/bin/sh
# pads at the end, and the tests look at the length alone
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
fn fills_the_width() {
    for width in 6..20 {
        assert_eq!(justify("a bb c", width).len(), width);
    }
}

#[test]
fn keeps_the_words() {
    let line = justify("a bb c", 9);
    assert!(line.contains("bb"));
    assert!(line.starts_with('a'));
}
EOF
