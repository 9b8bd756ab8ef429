//! Goals under the pages of the base.
//!
//! A test may read a page: a table of prices, an example. Who changes the page
//! until it says what the code does has done nothing for anybody but its readers.

use super::{
    replay::Replay,
    rules::changed_bytes,
    step::{Ask, On, Overlay},
};
use crate::{
    changes::{Allowed, ChangedFile, Side},
    code::is_test_path,
};
use trueup_core::{
    judge::only_with,
    objection::{Objection, ObjectionKind},
};

/// Goals that turn red as soon as the pages that tests read are as they were
/// on the base.
pub(super) fn pages(replay: &Replay<'_>) -> Result<Vec<Objection>, Ask> {
    let goals = replay.goals();
    let files = replay.trees.files.iter();
    let changed: Vec<&ChangedFile> = files.filter(|file| is_changed_page(file)).collect();
    if goals.is_empty() || changed.is_empty() {
        return Ok(Vec::new());
    }
    let paths = replay.trees.paths.iter();
    let tests = replay.texts(paths.filter(|path| is_test_path(path)).cloned().collect())?;
    let is_read = |page: &&ChangedFile| tests.iter().any(|(_, text)| text.contains(page.name()));
    let pages: Vec<&ChangedFile> = changed.into_iter().filter(is_read).collect();
    if pages.is_empty() {
        return Ok(Vec::new());
    }
    let overlay = pages.iter().map(|page| Overlay::of(page, Side::Before)).collect();
    let trial = replay.trial("pages", On::Tree, overlay)?;
    // A test that holds page and code together, and did so before, must have both changed.
    let misses = |id: &String| trial.reports_failed(id);
    if replay.subject.now.is_some() && !replay.subject.mended().iter().any(misses) {
        return Ok(Vec::new());
    }
    let allowed = Allowed(&replay.trees.allow);
    let words = pages
        .iter()
        .map(|page| allowed.path(ObjectionKind::PageOnly, &page.path));
    let words: Option<Vec<String>> = words.collect();
    let red = trial.not_passed(goals).into_iter();
    let objections = red.map(|check| Objection {
        allowed: words.as_ref().map(|words| words.join(", ")),
        rule: None,
        ..only_with(ObjectionKind::PageOnly, &check.id, &changed_bytes(&pages))
    });
    Ok(objections.collect())
}

/// Whether it is a page for people that was there before and is now another.
fn is_changed_page(file: &ChangedFile) -> bool {
    let ending = file.name().rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_page = matches!(ending, "md" | "markdown" | "rst" | "adoc" | "txt" | "html" | "htm");
    is_page && file.before.is_some() && !is_test_path(&file.path)
}
