//! What the run changed since its base, file by file.

use super::{
    super::words::count,
    file_patch::{FilePatch, files},
    text,
    turns::counts,
};
use crate::commands::views::RunPage;
use maud::{Markup, html};

/// How many lines of one file are on the page.
const OF_ONE: usize = 1500;

/// How many lines are on the page in all.
const OF_ALL: usize = 12_000;

/// So many lines are shown unasked.
const UNASKED: usize = 300;

/// Whether lines are shown unasked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Open,
    Closed,
}

/// The whole difference.
pub(super) fn section(view: &RunPage) -> Markup {
    let patch = view.patch.as_ref().map(|patch| String::from_utf8_lossy(patch));
    let files = patch.as_ref().map(|patch| files(patch));
    html! {
        @if !view.turns.is_empty() {
            section #difference aria-labelledby="difference-head" {
                h2 #difference-head { "Difference to the base" }
                @match &files {
                    None => p { "It cannot be told any more: the files were cleared away." },
                    Some(files) if files.is_empty() => p { "Nothing differs." },
                    Some(files) => (all(files, view)),
                }
            }
        }
    }
}

fn all(files: &[FilePatch<'_>], view: &RunPage) -> Markup {
    let (added, removed) = files
        .iter()
        .fold((0, 0), |sum, file| (sum.0 + file.added, sum.1 + file.removed));
    let lines: usize = files.iter().map(|file| file.lines.len()).sum();
    let fold = match lines > UNASKED {
        true => Fold::Closed,
        false => Fold::Open,
    };
    let mut left = OF_ALL;
    let shown = files.iter().map(|file| {
        let most = left.min(OF_ONE);
        left -= file.lines.len().min(most);
        (file, most)
    });
    let shown: Vec<(&FilePatch<'_>, usize)> = shown.collect();
    html! {
        p {
            (count(files.len(), "file")) ": " (count(added, "line")) " came, " (count(removed, "line")) " went. "
            @if fold == Fold::Closed { "Open a file to see them." }
        }
        @for (file, most) in shown { (one(file, most, fold, view)) }
    }
}

fn one(file: &FilePatch<'_>, most: usize, fold: Fold, view: &RunPage) -> Markup {
    let hidden = file.lines.len().saturating_sub(most);
    html! {
        details.file open[fold == Fold::Open] {
            summary { code { (text::line(&file.name)) } " " (counts(file)) }
            @for note in &file.notes { p { (text::line(note)) } }
            @if !file.lines.is_empty() {
                pre.patch { @for line in file.lines.iter().take(most) { (patch_line(line)) } }
            }
            @if hidden > 0 {
                p { "And " (count(hidden, "line")) " more: " code { "trueup diff " (view.shown.name()) } }
            }
        }
    }
}

/// One line of a difference: its sign stands in it, and its colour only repeats that.
fn patch_line(line: &str) -> Markup {
    let shown = text::line(line);
    match line.chars().next() {
        Some('+') => html! { ins { (shown) "\n" } },
        Some('-') => html! { del { (shown) "\n" } },
        Some('@') => html! { span.at { (shown) "\n" } },
        Some(_) | None => html! { span { (shown) "\n" } },
    }
}
