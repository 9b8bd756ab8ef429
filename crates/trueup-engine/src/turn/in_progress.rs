//! What is known of a try at a turn while it is under way, so that whoever
//! finds it broken off knows what it cost.

use crate::{state::StateRoot, transcript::Reader, travel::Spool};
use serde::{Deserialize, Serialize};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use trueup_core::{event::Opening, id::EffectId, usage::Usage};

/// The name under which the spool remembers it.
const NAME: &str = "working";

/// Where a turn's output can be followed while it is printed.
pub fn live_transcript(state: &StateRoot, opening: &Opening, turn: u32) -> PathBuf {
    state.run(&opening.run).join(format!("turn-{turn:03}.live"))
}

/// A try at a turn that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InProgress {
    /// The effect it is a try at.
    pub(super) id: EffectId,
    /// Which turn.
    pub(super) turn: u32,
    /// Where in the turn's live output that of this try begins.
    from: u64,
    /// What the tries before it cost that were broken off as well.
    lost: Usage,
}

impl InProgress {
    /// A try that begins now, with what was lost before it.
    pub(super) fn begin(id: &EffectId, turn: u32, live: &Path, lost: Usage) -> Self {
        Self {
            id: id.clone(),
            turn,
            from: live.metadata().map_or(0, |about| about.len()),
            lost,
        }
    }

    /// What is remembered of the last one, unless it was forgotten.
    pub(super) fn find(spool: &dyn Spool) -> Option<Self> {
        spool.get(NAME)
    }

    /// Has it remembered.
    pub(super) fn note(&self, spool: &dyn Spool) -> io::Result<()> {
        spool.put(NAME, self)
    }

    /// Has none remembered any more.
    pub(super) fn forget(spool: &dyn Spool) -> io::Result<()> {
        spool.remove(NAME)
    }

    /// What was lost with this try, which was broken off, and before it.
    pub(super) fn cost(&self, live: &Path) -> Usage {
        // What cannot be read is not known, as if nothing had been printed.
        let printed = self.printed(live).unwrap_or_default();
        let cost = Reader::default().cost(&printed);
        match cost.tokens {
            Some(_) => cost.with_lost(&self.lost),
            None => self.lost,
        }
    }

    fn printed(&self, live: &Path) -> io::Result<Vec<u8>> {
        let mut file = File::open(live)?;
        file.seek(SeekFrom::Start(self.from))?;
        let mut printed = Vec::new();
        file.read_to_end(&mut printed)?;
        Ok(printed)
    }
}

#[cfg(test)]
mod tests {
    use super::InProgress;
    use std::{fs, path::Path};
    use trueup_core::{id::EffectId, usage::Usage};

    const BEGINS: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;

    fn message(id: &str) -> String {
        let usage = r#"{"input_tokens":100,"output_tokens":20}"#;
        format!(r#"{{"type":"assistant","session_id":"s","message":{{"id":"{id}","content":[],"usage":{usage}}}}}"#)
    }

    fn broken_off(live: &Path, before: &InProgress, printed: &str) -> InProgress {
        let text = fs::read_to_string(live).unwrap_or_default();
        fs::write(live, text + printed).expect("the live output");
        InProgress::begin(&EffectId::new("e"), 1, live, before.cost(live))
    }

    #[test]
    fn every_try_that_was_broken_off_counts_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let live = folder.path().join("turn-001.live");
        // What was printed before is of a try that was counted when it ended.
        fs::write(&live, format!("{BEGINS}\n{}\n", message("counted"))).expect("the live output");
        let first = InProgress::begin(&EffectId::new("e"), 1, &live, Usage::default());
        assert_eq!(first.cost(&live).tokens, None, "nothing was printed yet");
        let printed = format!("{BEGINS}\n{}\n{}\n{{\"ty", message("a"), message("b"));
        let second = broken_off(&live, &first, &printed);
        assert_eq!(second.lost.tokens, Some(240));
        let third = broken_off(&live, &second, &format!("{BEGINS}\n{}\n", message("c")));
        assert_eq!(third.lost.tokens, Some(360));
        // One that said nothing adds nothing and hides nothing.
        assert_eq!(broken_off(&live, &third, "").lost.tokens, Some(360));
    }
}
