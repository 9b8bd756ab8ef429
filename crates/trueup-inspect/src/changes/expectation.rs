//! What a test asked for, and what it asks for now.

/// How many characters of a line are shown.
const MOST_CHARACTERS: usize = 100;

/// How alike two lines must be to be taken for one that was changed.
const ALIKE: f64 = 0.5;

/// How many lines are compared with each other.
const MOST_LINES: usize = 200;

/// The first line of a test that was changed, as it was and as it is; nothing
/// where lines were only added or only taken away.
pub fn expectation(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new) = (lines(before), lines(after));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(same..)?, new.get(same..)?);
    let ends = old.iter().rev().zip(new.iter().rev());
    let same = ends.take_while(|(old, new)| old == new).count();
    let between = |lines: &[&str]| -> Vec<String> {
        let lines = lines.iter().take(lines.len().saturating_sub(same)).take(MOST_LINES);
        lines.map(|line| line.chars().take(MOST_CHARACTERS).collect()).collect()
    };
    let (old, new) = (between(old), between(new));
    old.iter().find_map(|was| {
        let likeness = |is: &&String| strsim::normalized_levenshtein(was, is);
        let best = new
            .iter()
            .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))?;
        (likeness(&best) >= ALIKE).then(|| (was.clone(), best.clone()))
    })
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::expectation;

    #[test]
    fn the_first_line_that_was_changed_is_shown_as_it_was_and_as_it_is() {
        let was = "def test_a():\n    x = f()\n    assert x == 1\n    assert y\n";
        let is = "def test_a():\n    x = f()\n\n    assert x == 2\n    assert y\n";
        let shown = Some(("assert x == 1".to_owned(), "assert x == 2".to_owned()));
        assert_eq!(expectation(was, is), shown);
        let with_words = is.replace("    assert x", "    # As the two of us agreed on Monday.\n    assert x");
        assert_eq!(
            expectation(was, &with_words),
            shown,
            "what stands before it is another line"
        );
        assert_eq!(expectation(was, was), None, "nothing differs");
        assert_eq!(
            expectation(was, &was.replace("    assert y\n", "")),
            None,
            "a line is gone"
        );
        assert_eq!(expectation("a\na\n", "a\na\na\n"), None, "a line is there once more");
        assert_eq!(expectation("assert x == 1\n", "import os\n"), None, "nothing alike");
    }
}
