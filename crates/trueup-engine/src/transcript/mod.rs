//! What happened in a turn, for people to read: rendered from the journal and
//! the bodies it names, and therefore made again at any time.

mod language;
mod page;
mod plain;
mod said;
pub mod words;

pub use self::{
    page::{Page, PageBuilder, PageState},
    plain::plain,
    said::{Printed, Reader, markdown},
};

use crate::{
    redact::Secrets,
    state::{StateRoot, make_private},
    travel::Blobs,
    workspace::Workspaces,
    write::write_quickly,
};
use std::{
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use trueup_core::{event::Event, evidence::Body, id::RunId};

/// Writes pages as files beside a run.
#[derive(Clone, Debug)]
pub struct Transcripts {
    /// Where runs lie.
    pub state: StateRoot,
    /// Where prompts and outputs lie.
    pub blobs: Arc<dyn Blobs>,
    /// Where trees lie.
    pub workspaces: Workspaces,
    /// What may not stand in any of them.
    pub secrets: Secrets,
}

/// Where a run's pages lie.
pub fn folder(state: &StateRoot, run: &RunId) -> PathBuf {
    state.run(run).join("transcripts")
}

impl Transcripts {
    /// The page as text.
    pub fn text(&self, page: &Page) -> String {
        let outcome = &page.ended.outcome;
        let prompt = match &outcome.prompt {
            Some(body) => self.body(body),
            None => b"(the prompt was not kept)".to_vec(),
        };
        let said = Reader::default().read(&self.body(&outcome.transcript));
        let (from, to) = page.trees();
        // A tree that is gone makes a page shorter, never a run stop.
        let changes = self.workspaces.changes(from, to).unwrap_or_default();
        let text = page.render(&String::from_utf8_lossy(&prompt), &said, &changes);
        self.secrets.redact_text(&text)
    }

    /// Writes a page. It can be made again, so it may be lost with the
    /// machine's power.
    pub fn write(&self, run: &RunId, page: &Page) -> io::Result<()> {
        let folder = folder(&self.state, run);
        make_private(&folder)?;
        write_quickly(&folder.join(page.name()), self.text(page).as_bytes())
    }

    fn body(&self, body: &Body) -> Vec<u8> {
        let read = self.blobs.get(&body.digest);
        read.unwrap_or_else(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                b"(body erased)".to_vec()
            } else {
                format!("(cannot be read: {error})").into_bytes()
            }
        })
    }
}

/// The pages of a run that is being driven. They are views: what cannot be
/// written is left out, and never stands in the run's way.
#[derive(Debug)]
pub struct Notebook {
    transcripts: Transcripts,
    run: RunId,
    builder: Mutex<PageBuilder>,
}

impl Notebook {
    /// Writes every page of a journal that is not there yet, and goes on from
    /// its end.
    pub fn open(transcripts: Transcripts, run: &RunId, events: &[Event]) -> Self {
        let folder = folder(&transcripts.state, run);
        for page in PageBuilder::pages(events).unwrap_or_default() {
            if !folder.join(page.name()).exists() {
                drop(transcripts.write(run, &page));
            }
        }
        let mut builder = PageBuilder::default();
        for event in events {
            // A journal that these rules cannot fold is refused by its driver.
            drop(builder.hear(event).map(drop));
        }
        Self {
            transcripts,
            run: run.clone(),
            builder: Mutex::new(builder),
        }
    }

    /// Takes note of a kept event.
    pub fn event(&self, event: &Event) {
        let mut builder = self.builder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(Some(page)) = builder.hear(event)
            && page.state == PageState::Complete
        {
            drop(self.transcripts.write(&self.run, page));
        }
    }

    /// Writes the page whose checks did not come before the run rested.
    pub fn close(&self) {
        let builder = self.builder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = builder.last()
            && page.state == PageState::ChecksDue
        {
            drop(self.transcripts.write(&self.run, page));
        }
    }
}
