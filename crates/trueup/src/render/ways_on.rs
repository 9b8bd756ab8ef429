//! What became of a run, and what to type about it.

use super::words;
use crate::commands::views::RunView;
use trueup_core::{
    fate::Fate,
    run::{Position, Reason},
};

/// What to type where a run waits for somebody, what does most first; `name`
/// is its task's, or its own.
pub(super) fn ways_on(name: &str, position: &Position, fate: Option<Fate>) -> Vec<String> {
    let resume = format!("trueup resume {name}");
    match (position, fate) {
        (_, Some(Fate::Overtaken)) | (Position::Done(_), _) => Vec::new(),
        (_, Some(Fate::Queued)) => vec!["trueup up".into(), resume],
        (Position::Paused(_, Reason::Asks(_)), _) => vec![
            format!("trueup approve {name}"),
            format!("trueup reject {name} \"why not\""),
        ],
        (Position::Paused(_, Reason::Stuck(_) | Reason::Blocked(_)), _) => {
            vec![format!("trueup answer {name} -m \"how to go on\""), resume]
        }
        (Position::Paused(..) | Position::Working(_), _) => vec![resume],
    }
}

/// What to type about a run: how it goes on, and how to look closer.
pub(super) fn commands(shown: &RunView) -> Vec<String> {
    let (report, name) = (&shown.report, shown.name());
    let mut commands = match shown.is_driven {
        true => Vec::new(),
        false => ways_on(&name, &report.position, shown.fate),
    };
    commands.extend(shown.is_stale().then(|| format!("trueup verify {}", report.task)));
    commands.extend([format!("trueup log {name}"), format!("trueup diff {name}")]);
    if shown.last != report.run {
        commands.push(format!("trueup status {}", report.task));
    }
    commands
}

/// What became of a run, where one word does not say it.
pub(super) fn became(shown: &RunView) -> Option<String> {
    match shown.fate? {
        Fate::Merged => None,
        Fate::Dropped => {
            let commit = shown
                .report
                .commit
                .as_ref()
                .map_or("its commit", |commit| commit.as_str());
            Some(format!("no branch holds {} any more", words::short(commit)))
        }
        Fate::Queued => Some("nobody has worked on it yet; `trueup up` does, or `trueup resume`".into()),
        Fate::Killed => Some("whoever drove it was killed; nothing that was kept is lost".into()),
        Fate::Overtaken => Some(format!("{} took its place", shown.last)),
    }
}
