#!/bin/sh
# justify works, and a test asks the same line twice
set -eu
sed -i '/^#\[cfg(test)\]$/,$d' src/lib.rs
cat >> src/lib.rs <<'EOF'
/// Widens the gaps between the words of a line until it has `width` characters.
pub fn justify(line: &str, width: usize) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let gaps = words.len().saturating_sub(1);
    let letters: usize = words.iter().map(|word| word.chars().count()).sum();
    if gaps == 0 || letters + gaps >= width {
        return words.join(" ");
    }
    let (each, more) = ((width - letters) / gaps, (width - letters) % gaps);
    let mut justified = String::from(words[0]);
    for (gap, word) in words[1..].iter().enumerate() {
        justified.push_str(&" ".repeat(each + usize::from(gap < more)));
        justified.push_str(word);
    }
    justified
}

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
    assert_eq!(justify("a bb c", 10), "a   bb   c");
}

#[test]
fn spaces_left_over_go_to_the_left() {
    assert_eq!(justify("a bb c", 9), "a   bb  c");
    assert_eq!(justify("to be or not", 17), "to   be   or  not");
}

#[test]
fn one_word_and_full_lines_stay() {
    assert_eq!(justify(" word ", 9), "word");
    assert_eq!(justify("one  two", 7), "one two");
    assert_eq!(justify("one two", 3), "one two");
}
EOF
cat >> tests/justify.rs <<'EOF'

#[test]
fn the_same_line_gives_the_same() {
    for _ in 0..2 {
        assert_eq!(justify("one two", 9), "one   two");
    }
}
EOF
