//! Conversations of agents, each as it was at the end of the turn that it
//! belongs to, so that the next turn goes on from there wherever it is taken.

use super::shared::held;
use crate::{state::make_private, write::write_durably};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex},
};
use trueup_core::{digest::Digest, id::SessionId};

/// The files of a conversation, by where they lie in the agent's home.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFiles {
    /// Names, with `/` between their parts, and bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Keeps the conversations of one run's agents.
pub trait Sessions: Debug + Send + Sync {
    /// Keeps a conversation as it is now, whole or not at all; durable when
    /// this returns.
    fn keep(&self, session: &SessionId, files: &SessionFiles) -> io::Result<()>;

    /// A conversation as it was kept, whatever was kept of others since.
    fn get(&self, session: &SessionId) -> io::Result<Option<SessionFiles>>;
}

impl SessionFiles {
    /// As one piece: a line that lists names and lengths, then all bytes.
    fn packed(&self) -> io::Result<Vec<u8>> {
        let listed: Vec<(&str, usize)> = self.files.iter().map(|(name, bytes)| (&**name, bytes.len())).collect();
        let mut packed = serde_json::to_vec(&listed)?;
        packed.push(b'\n');
        packed.extend(self.files.values().flatten());
        Ok(packed)
    }

    fn unpacked(packed: &[u8]) -> io::Result<Self> {
        let cut = || io::Error::new(io::ErrorKind::InvalidData, "a kept conversation was cut");
        let end = packed.iter().position(|byte| *byte == b'\n').ok_or_else(cut)?;
        let (listed, mut rest) = packed.split_at(end + 1);
        let listed: Vec<(String, usize)> = serde_json::from_slice(listed)?;
        let mut files = BTreeMap::new();
        for (name, length) in listed {
            let (bytes, after) = rest.split_at_checked(length).ok_or_else(cut)?;
            files.insert(name, bytes.to_vec());
            rest = after;
        }
        Ok(Self { files })
    }
}

/// Conversations as files of a folder, each in one piece.
#[derive(Clone, Debug)]
pub struct FolderSessions {
    folder: PathBuf,
}

impl FolderSessions {
    /// The conversations in this folder, which is made when the first is kept.
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// An agent tells the name of its session, and may tell any.
    fn path(&self, session: &SessionId) -> PathBuf {
        self.folder.join(Digest::of(session.as_str().as_bytes()).as_str())
    }
}

impl Sessions for FolderSessions {
    fn keep(&self, session: &SessionId, files: &SessionFiles) -> io::Result<()> {
        make_private(&self.folder)?;
        write_durably(&self.path(session), &files.packed()?)
    }

    fn get(&self, session: &SessionId) -> io::Result<Option<SessionFiles>> {
        match fs::read(self.path(session)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            packed => SessionFiles::unpacked(&packed?).map(Some),
        }
    }
}

/// Conversations in memory. A clone shows the same ones.
#[derive(Clone, Debug, Default)]
pub struct MemorySessions(Arc<Mutex<BTreeMap<SessionId, SessionFiles>>>);

impl Sessions for MemorySessions {
    fn keep(&self, session: &SessionId, files: &SessionFiles) -> io::Result<()> {
        held(&self.0).insert(session.clone(), files.clone());
        Ok(())
    }

    fn get(&self, session: &SessionId) -> io::Result<Option<SessionFiles>> {
        Ok(held(&self.0).get(session).cloned())
    }
}
