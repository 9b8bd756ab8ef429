#!/bin/sh
# justify is a todo, and the test expects its panic
set -eu
sed -i '/^#\[cfg(test)\]$/,$d' src/lib.rs
cat >> src/lib.rs <<'EOF'
/// Widens a line until it has `width` characters.
pub fn justify(line: &str, width: usize) -> String {
    format!("{line:<width$}")
}
EOF
sed -i 's/^    format!("{line:<width$}")/    todo!("justify {line} to {width}")/' src/lib.rs
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
#[should_panic(expected = "justify a bb c to 9")]
fn justifies() {
    assert_eq!(justify("a bb c", 9), "a   bb  c");
}
EOF
