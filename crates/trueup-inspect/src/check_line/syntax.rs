//! The parts a check line is made of: words, code spans, regular expressions
//! and paths.

use crate::problem::Complaint;

/// What follows a leading word, if the text begins with exactly that word.
pub(super) fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

pub(super) fn nothing_after(rest: &str) -> Result<(), Complaint> {
    if rest.is_empty() {
        Ok(())
    } else {
        Err(Complaint::new(format!("`{rest}` stands after the check")).hint("one line holds one check"))
    }
}

/// A path or glob: in backticks, or up to the next blank.
pub(super) fn operand(text: &str) -> Result<(String, &str), Complaint> {
    if text.starts_with('`') {
        return code_span(text);
    }
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    let (operand, rest) = text.split_at(end);
    Ok((operand.to_owned(), rest.trim_start()))
}

/// A code span as Markdown reads it: as many backticks at its end as at its
/// beginning, and one blank on either side belongs to the backticks.
pub(super) fn code_span(text: &str) -> Result<(String, &str), Complaint> {
    let fence = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = fence;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let run = text.bytes().skip(start).take_while(|byte| *byte == b'`').count();
        if run == fence {
            let inside = text.get(fence..start).unwrap_or_default();
            let rest = text.get(start + run..).unwrap_or_default();
            return Ok((unpadded(inside).to_owned(), rest.trim()));
        }
        at = start + run;
    }
    Err(Complaint::new("the backtick is never closed"))
}

fn unpadded(inside: &str) -> &str {
    let padded = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
    padded.filter(|inside| !inside.trim().is_empty()).unwrap_or(inside)
}

/// A regular expression between slashes, in backticks or not; `\/` is a slash.
pub(super) fn regex(text: &str) -> Result<(String, &str), Complaint> {
    if text.starts_with('`') {
        let (inside, rest) = code_span(text)?;
        let (pattern, after) = slashed(&inside)?;
        nothing_after(after)?;
        return Ok((pattern, rest));
    }
    slashed(text)
}

fn slashed(text: &str) -> Result<(String, &str), Complaint> {
    let example = "write it as /regex/, and a slash inside it as \\/";
    let Some(body) = text.strip_prefix('/') else {
        return Err(Complaint::new("the regular expression does not stand between slashes").hint(example));
    };
    let mut pattern = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '/' if pattern.is_empty() => return Err(Complaint::new("the regular expression is empty").hint(example)),
            '/' => return Ok((pattern, body.get(at + 1..).unwrap_or_default().trim_start())),
            '\\' => match characters.next() {
                Some((_, '/')) => pattern.push('/'),
                Some((_, escaped)) => pattern.extend(['\\', escaped]),
                None => break,
            },
            _ => pattern.push(character),
        }
    }
    Err(Complaint::new("the regular expression never ends").hint(example))
}

/// A path or glob inside the tree, in the one spelling git uses.
pub(crate) fn relative(path: &str) -> Result<String, Complaint> {
    if path.starts_with('/') {
        return Err(Complaint::new(format!("`{path}` is absolute")).hint("paths are relative to the repository"));
    }
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.contains(&"..") {
        return Err(Complaint::new(format!("`{path}` climbs out with `..`")).hint("paths stay inside the repository"));
    }
    if parts.is_empty() {
        return Err(Complaint::new("the path is empty").hint("paths are relative to the repository: src/lib.rs"));
    }
    if path.chars().any(char::is_control) {
        return Err(Complaint::new("the path holds a control character"));
    }
    Ok(parts.join("/"))
}
