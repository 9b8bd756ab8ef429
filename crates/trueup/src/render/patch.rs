//! Differences, coloured as git colours them.

use super::words;
use owo_colors::OwoColorize;
use std::io::{self, IsTerminal, Write};

/// A difference: raw for programs; harmless, and coloured where colours are
/// wanted, for a terminal.
pub(crate) fn patch(bytes: &[u8]) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return io::stdout().write_all(bytes);
    }
    let text = words::harmless_lines(&String::from_utf8_lossy(bytes));
    let mut out = anstream::stdout();
    for line in text.lines() {
        writeln!(out, "{}", coloured(line))?;
    }
    Ok(())
}

/// One line of a difference.
pub(super) fn coloured(line: &str) -> String {
    let heads = [
        "diff ",
        "index ",
        "--- ",
        "+++ ",
        "new file ",
        "deleted file ",
        "old mode ",
        "new mode ",
    ];
    if heads.iter().any(|head| line.starts_with(head)) {
        return line.bold().to_string();
    }
    match line.chars().next() {
        Some('+') => line.green().to_string(),
        Some('-') => line.red().to_string(),
        Some('@') => line.cyan().to_string(),
        Some(_) | None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::coloured;

    #[test]
    fn every_kind_of_line_has_its_colour() {
        for (line, begins) in [
            ("+new", "\x1b[32m"),
            ("-old", "\x1b[31m"),
            ("@@ -1 +1 @@", "\x1b[36m"),
            ("diff --git a/x b/x", "\x1b[1m"),
            ("--- a/x", "\x1b[1m"),
            (" same", " "),
            ("", ""),
        ] {
            assert!(coloured(line).starts_with(begins), "{line:?}");
        }
    }
}
