//! Which lines of a text differ from another, as people are used to see it.

use super::{line, words};
use owo_colors::OwoColorize;

/// How many lines that are the same are shown round those that are not.
const AROUND: usize = 1;

/// The lines of two texts: what is gone begins with `-`, what is new with `+`,
/// and what stands round it with a blank; what is left out between is `…`.
pub(crate) fn changed_lines(before: &str, after: &str) -> Vec<String> {
    let all = aligned(&before.lines().collect::<Vec<_>>(), &after.lines().collect::<Vec<_>>());
    let is_near = |at: usize| {
        let round =
            all.iter()
                .skip(at.saturating_sub(AROUND))
                .take(if at < AROUND { at + AROUND + 1 } else { 2 * AROUND + 1 });
        round.into_iter().any(|(sign, _)| *sign != ' ')
    };
    let mut shown: Vec<String> = Vec::new();
    for (at, (sign, text)) in all.iter().enumerate() {
        if is_near(at) {
            shown.push(format!("{sign} {text}").trim_end().to_owned());
        } else if shown.last().is_some_and(|last| last != "…") {
            shown.push("…".into());
        }
    }
    if shown.last().is_some_and(|last| last == "…") {
        shown.pop();
    }
    shown
}

/// Both texts side by side, by their longest common lines.
fn aligned<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    // `common[i][j]` is how much of what begins there is the same.
    let mut common = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    for (i, old) in before.iter().enumerate().rev() {
        for (j, new) in after.iter().enumerate().rev() {
            let at = |i: usize, j: usize| common.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
            let most = if old == new {
                at(i + 1, j + 1) + 1
            } else {
                at(i + 1, j).max(at(i, j + 1))
            };
            if let Some(cell) = common.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = most;
            }
        }
    }
    let at = |i: usize, j: usize| common.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0);
    let (mut i, mut j, mut all) = (0, 0, Vec::new());
    loop {
        match (before.get(i), after.get(j)) {
            (Some(old), Some(new)) if old == new => {
                all.push((' ', *old));
                (i, j) = (i + 1, j + 1);
            }
            (Some(old), new) if new.is_none() || at(i + 1, j) >= at(i, j + 1) => {
                all.push(('-', *old));
                i += 1;
            }
            (_, Some(new)) => {
                all.push(('+', *new));
                j += 1;
            }
            (_, None) => return all,
        }
    }
}

/// Prints such lines.
pub(crate) fn changes(lines: &[String]) {
    for text in lines {
        let text = words::harmless(text);
        match text.chars().next() {
            Some('-') => line(&format!("  {}", text.red())),
            Some('+') => line(&format!("  {}", text.green())),
            Some(_) | None => line(&format!("  {}", text.dimmed())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[test]
    fn what_differs_is_shown_with_what_stands_round_it() {
        let before = "a\nb\nc\nd\ne\nf\ng\n";
        assert_eq!(
            changed_lines(before, "a\nb\nC\nd\ne\nf\ng\nh\n"),
            ["  b", "- c", "+ C", "  d", "…", "  g", "+ h"]
        );
        assert_eq!(changed_lines(before, before), [""; 0]);
        assert_eq!(changed_lines("", "x\n"), ["+ x"]);
        assert_eq!(changed_lines("x\ny\n", "y\n"), ["- x", "  y"]);
    }
}
