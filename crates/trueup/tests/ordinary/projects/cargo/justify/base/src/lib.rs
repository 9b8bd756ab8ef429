//! Text in lines of a given width.

/// Breaks a text into lines of at most `width` characters, where words allow it.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Puts a line in the middle of `width` characters.
pub fn center(line: &str, width: usize) -> String {
    let room = width.saturating_sub(line.chars().count());
    format!("{}{}", " ".repeat(room / 2), line)
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
