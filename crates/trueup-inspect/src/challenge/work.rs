//! What a run did to code that is no test.

use super::{derived::Work, over_base::tests_over_base, replay::Replay, step::Ask, stubs::Functions};
use crate::{
    changes::{ChangedFile, Side},
    code::{self, Language, TopLevelChange, is_test_path},
};
use std::collections::BTreeSet;
use trueup_core::{control::Reaction, criterion::Check, judge::Trial};

impl<'a> Replay<'a> {
    /// What the run did to code that is no test.
    pub(super) fn work(&self) -> &'a Work {
        let derived = &self.subject.derived;
        derived.work.get_or_init(|| Work::of(&self.trees.files))
    }
}

impl Work {
    fn of(files: &[ChangedFile]) -> Self {
        let mut work = Self {
            functions: Vec::new(),
            elsewhere: TopLevelChange::No,
        };
        for file in files.iter().filter(|file| !is_test_path(&file.path)) {
            let after = file.text(Side::After).filter(|_| Language::of(&file.path).is_some());
            let changed =
                after.and_then(|after| Some((after, code::changed(&file.path, file.text(Side::Before), after)?)));
            match changed {
                Some((text, changed)) => {
                    if changed.elsewhere == TopLevelChange::Yes || lost_functions(file) {
                        work.elsewhere = TopLevelChange::Yes;
                    }
                    if !changed.functions.is_empty() {
                        work.functions.push(Functions {
                            path: file.path.clone(),
                            text: text.to_owned(),
                            names: changed.functions,
                        });
                    }
                }
                // A template, a query, a page of style: it may be what the goal is about.
                None if !is_prose(file) => work.elsewhere = TopLevelChange::Yes,
                None => {}
            }
        }
        work
    }

    /// What a goal did without some functions.
    pub(super) fn missed(&self, replay: &Replay<'_>, check: &Check, trial: &Trial) -> Result<Reaction, Ask> {
        let turned = trial.reaction_of(&check.id);
        let needs_more = turned == Reaction::Green
            && self.elsewhere == TopLevelChange::Yes
            && tests_over_base(replay)?.is_red(&check.id);
        Ok(match needs_more {
            true => Reaction::Nothing {
                why: "it needs what the run changed outside of functions".to_owned(),
            },
            false => turned,
        })
    }
}

/// Whether a function is gone: that can be the work, and no stub takes it away.
fn lost_functions(file: &ChangedFile) -> bool {
    !functions(file, Side::Before).is_subset(&functions(file, Side::After))
}

/// The names of a file's functions.
pub(super) fn functions(file: &ChangedFile, side: Side) -> BTreeSet<String> {
    let items = file.text(side).and_then(|text| code::items(&file.path, text));
    let functions = items.unwrap_or_default().into_iter();
    let functions = functions.filter(|item| item.sort == code::ItemKind::Function);
    functions.map(|item| item.name).collect()
}

/// Whether no program reads it.
fn is_prose(file: &ChangedFile) -> bool {
    let ending = file.name().rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "md" | "rst" | "adoc") || matches!(file.name(), "LICENSE" | ".gitignore" | "CHANGELOG")
}
