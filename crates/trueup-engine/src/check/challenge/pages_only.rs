//! Goals under the pages of the base.
//!
//! A test may read a page: a table of prices, an example. Who changes the page
//! until it says what the code does has done nothing for anybody but its readers.

use super::{
    rules_only::only_with,
    subject::Subject,
    trial::{On, Scene},
};
use crate::check::{
    Checks, Halt,
    files::{File, Side},
    objections::{Allowed, Ran, Ways},
    room::Lay,
};
use trueup_core::{
    criterion::Check,
    objection::{About, Objection},
};
use trueup_inspect::code::is_test_path;

impl Checks {
    /// Goals that turn red as soon as the pages that tests read are as they
    /// were on the base.
    pub(super) async fn pages_only(&self, scene: &Scene, subject: &Subject<'_>) -> Result<Vec<Objection>, Halt> {
        let goals: Vec<&Check> = subject.goals().collect();
        let changed: Vec<&File> = scene.files.iter().filter(|file| is_changed_page(file)).collect();
        if goals.is_empty() || changed.is_empty() {
            return Ok(Vec::new());
        }
        let tests = scene.paths.iter().filter(|path| is_test_path(path)).cloned().collect();
        let tests = self.texts(scene, tests).await?;
        let is_read = |page: &&File| tests.iter().any(|(_, text)| text.contains(name(page)));
        let pages: Vec<&File> = changed.into_iter().filter(is_read).collect();
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let lays: Vec<Lay> = pages.iter().map(|page| Lay::of(page, Side::Before)).collect();
        let seen = self.attempt(scene, subject, On::Tree, &lays).await?;
        let former = Ran::of(seen.tests());
        // A test that holds page and code together, and did so before, must have both changed.
        let misses = |id: &String| former.way(id) == Some(Ways::Failed);
        if subject.now.is_some() && !subject.mended().iter().any(misses) {
            return Ok(Vec::new());
        }
        let about = About::PageOnly;
        let words = pages
            .iter()
            .map(|page| Allowed(&scene.wish.allow).path(about, &page.path));
        let allowed: Option<Vec<String>> = words.collect();
        let red = self.red(scene, goals, &seen)?.into_iter();
        let objections = red.map(|check| Objection {
            allowed: allowed.as_ref().map(|words| words.join(", ")),
            ..only_with(about, check, &pages)
        });
        Ok(objections.collect())
    }
}

/// Whether it is a page for people that was there before and is now another.
fn is_changed_page(file: &File) -> bool {
    let ending = name(file).rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_page = matches!(ending, "md" | "markdown" | "rst" | "adoc" | "txt" | "html" | "htm");
    is_page && file.before.is_some() && !is_test_path(&file.path)
}

fn name(file: &File) -> &str {
    file.path.rsplit('/').next().unwrap_or(&file.path)
}
