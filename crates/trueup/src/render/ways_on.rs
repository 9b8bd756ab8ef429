//! What to type about a run that nobody drives.

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
