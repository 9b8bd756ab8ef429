//! What a test asked for, and what it asks for now.

/// How many characters of a line are shown.
const MOST_CHARACTERS: usize = 100;

/// How alike two lines must be to be taken for one that was changed.
const ALIKE: f64 = 0.5;

/// How many lines are compared with each other.
const MOST_LINES: usize = 60;

/// A line of a test that was changed, as it was and as it is: one that asks for
/// something, else the first; nothing where lines were only added or only taken
/// away.
pub fn expectation(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new) = (lines(before), lines(after));
    let only_in = |these: &[&str], others: &[&str]| -> Vec<String> {
        let differ = these.iter().filter(|line| !others.contains(line)).take(MOST_LINES);
        differ
            .map(|line| line.chars().take(MOST_CHARACTERS).collect())
            .collect()
    };
    let (old, new) = (only_in(&old, &new), only_in(&new, &old));
    let changed = |was: &&String| {
        let likeness = |is: &String| strsim::normalized_levenshtein(was, is);
        let alike = new.iter().map(|is| (likeness(is), is));
        let (best, is) = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        (best >= ALIKE).then(|| ((*was).clone(), is.clone()))
    };
    let (asking, others): (Vec<&String>, Vec<&String>) = old.iter().partition(|line| asks(line));
    asking.iter().chain(&others).find_map(changed)
}

/// Whether a line says what is asked for, in the words of most languages.
fn asks(line: &str) -> bool {
    let words = line.to_lowercase();
    !words.starts_with(['#', '/', '*', '"'])
        && ["assert", "expect", "should", "want"]
            .iter()
            .any(|word| words.contains(word))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::expectation;

    #[test]
    fn a_line_that_was_changed_is_shown_as_it_was_and_as_it_is() {
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
        let told = |text: &str, value: &str, asked: &str| {
            format!("{text}\n    stream.color = {value}\n    # We expect {value}.\n    self.calls = 0\n    {asked}\n")
        };
        let was = told(
            "\"\"\"The fallback should keep it.\"\"\"",
            "None",
            "assert value == styled",
        );
        let is = told("\"\"\"The fallback keeps it.\"\"\"", "0", "assert value == \"hello\"");
        let shown = (
            "assert value == styled".to_owned(),
            "assert value == \"hello\"".to_owned(),
        );
        assert_eq!(
            expectation(&was, &is),
            Some(shown),
            "what asks for something comes first"
        );
        assert_eq!(expectation("a\na\n", "a\na\na\n"), None, "a line is there once more");
        assert_eq!(expectation("assert x == 1\n", "import os\n"), None, "nothing alike");
    }
}
