//! What a test asked for, and what it asks for now.

/// How many characters of a line are shown.
const MOST_CHARACTERS: usize = 100;

/// The first line of a test that differs, as it was and as it is; nothing where
/// lines were only added or only taken away.
pub fn expectation(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new) = (lines(before), lines(after));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(same..)?, new.get(same..)?);
    let ends = old.iter().rev().zip(new.iter().rev());
    let same = ends.take_while(|(old, new)| old == new).count();
    let first = |lines: &[&str]| {
        let line = lines.get(..lines.len().saturating_sub(same))?.first()?;
        Some(line.chars().take(MOST_CHARACTERS).collect::<String>())
    };
    Some((first(old)?, first(new)?))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::expectation;

    #[test]
    fn the_first_line_that_differs_is_shown_as_it_was_and_as_it_is() {
        let was = "def test_a():\n    x = f()\n    assert x == 1\n    assert y\n";
        let is = "def test_a():\n    x = f()\n\n    assert x == 2\n    assert y\n";
        let told = expectation(was, is).expect("a difference");
        assert_eq!(told, ("assert x == 1".to_owned(), "assert x == 2".to_owned()));
        assert_eq!(expectation(was, was), None, "nothing differs");
        assert_eq!(
            expectation(was, &was.replace("    assert y\n", "")),
            None,
            "a line is gone"
        );
        let repeated = expectation("a\na\n", "a\na\na\n");
        assert_eq!(
            repeated, None,
            "a line that is there twice is not counted from both ends"
        );
    }
}
