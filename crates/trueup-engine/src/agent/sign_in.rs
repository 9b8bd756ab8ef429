//! A person's sign-in, lent to an agent for a turn.
//!
//! Of the person's home only this enters, as a copy in the agent's own home.
//! Tokens that renew one another can be used once: whoever renews makes every
//! other copy worthless. So a renewed copy is written back to the person's
//! file, and a renewed file is handed on to the copies, while turns go on.
//! Between two writers the person's file decides: it is replaced only while it
//! still is what was copied.
//!
//! The agent can write anything into its copy. Only its tokens are read from
//! there, only where the person's own sign-in has some, and only if they can be
//! its renewal. What they replace is saved first.

use super::{
    home::open_plainly,
    token_redactor::{SeenTokens, TokenRedactor},
    tokens::{self, read_all},
};
use crate::{
    clock::Clock,
    state::make_private,
    write::{write_durably, write_quickly},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use trueup_core::{digest::Digest, ending};

pub use super::tokens::Account;

/// How often a turn under way looks whether anybody renewed the sign-in.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long after a refusal somebody else's renewal may take to arrive.
const RENEWAL_WITHIN: Duration = Duration::from_secs(3);

/// How often a file is looked at again that somebody is just writing.
const TRIES: u32 = 10;

/// How long that is waited for each time.
const TRY_AGAIN: Duration = Duration::from_millis(30);

/// A person's sign-in, lent to one agent.
#[derive(Debug)]
pub struct SignIn {
    account: Account,
    /// The person's file, and the folder it may not lead out of.
    file: PathBuf,
    within: PathBuf,
    /// The agent's copy.
    copy: PathBuf,
    /// Where it is written down what the copy was made from, out of the agent's reach.
    record: PathBuf,
    /// Where that is saved which is about to be replaced, out of its reach too.
    before: PathBuf,
    base: Base,
    /// The person's sign-in when the turn began.
    first: Digest,
    /// What was written to the person's file in this turn.
    ours: BTreeSet<Digest>,
    /// Tokens that came up in this turn.
    seen: SeenTokens,
}

/// What file and copy had in common when they were last brought together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Base {
    /// All of the person's sign-in.
    file: Digest,
    /// The tokens of the copy.
    copy: Digest,
}

/// The person's file, read once.
struct Found {
    path: PathBuf,
    bytes: Vec<u8>,
    whole: Value,
}

impl Account {
    /// Where a person's sign-in lies.
    pub fn file_of(self, home: &Path, environment: &BTreeMap<String, String>) -> PathBuf {
        let (variable, usual) = self.folder();
        let elsewhere = environment.get(variable).filter(|path| !path.is_empty());
        let folder = elsewhere.map_or_else(|| home.join(usual), PathBuf::from);
        folder.join(self.file())
    }

    /// Which of these variables signs the agent in, so that no file is needed.
    pub fn variable_of(self, variables: &BTreeMap<String, String>) -> Option<&'static str> {
        let set = |name: &&str| variables.get(*name).is_some_and(|value| !value.is_empty());
        self.variables().iter().copied().find(set)
    }

    /// Whether one of these variables signs the agent in.
    pub fn signs_in_by(self, variables: &BTreeMap<String, String>) -> bool {
        self.variable_of(variables).is_some()
    }
}

impl SignIn {
    /// Lends the sign-in in this file of a person's to the agent with this
    /// home; nothing where the person has none. What an agent renewed whose
    /// process was killed is written back first.
    pub fn lend(account: Account, file: &Path, person: &Path, home: &Path) -> io::Result<Option<Self>> {
        let folder = file.parent().unwrap_or(person);
        let within = if file.starts_with(person) { person } else { folder };
        let mut sign_in = Self {
            account,
            file: file.to_owned(),
            within: within.to_owned(),
            copy: home.join(account.file()),
            record: home.with_extension("sign-in"),
            before: home.with_extension("sign-ins"),
            base: Base::none(),
            first: Base::none().file,
            ours: BTreeSet::new(),
            seen: SeenTokens::default(),
        };
        let Some(found) = sign_in.find_patiently()? else {
            // Who has signed out is not signed in by an old copy.
            drop(fs::remove_file(&sign_in.copy));
            return Ok(None);
        };
        let left = fs::read(&sign_in.record).ok();
        sign_in.base = left
            .and_then(|left| serde_json::from_slice(&left).ok())
            .unwrap_or_else(Base::none);
        let lock = sign_in.lock(&found)?;
        sign_in.bring_together()?;
        // The agent may have removed its copy, or made it unreadable.
        let Some(found) = sign_in.find_patiently()? else {
            return Ok(None);
        };
        if sign_in.copied_tokens() != account.tokens(&found.whole) {
            sign_in.lay(&found.whole)?;
        }
        drop(lock);
        sign_in.first = sign_in.base.file.clone();
        Ok(Some(sign_in))
    }

    /// What must not be shown of it, by name.
    pub fn secrets(&self) -> Vec<(String, String)> {
        let found = self.find().ok().flatten();
        found
            .map(|found| self.account.secrets(&found.whole))
            .unwrap_or_default()
    }

    /// What looks out for tokens that come up from now on.
    pub(super) fn token_redactor(&self) -> TokenRedactor {
        let file = self.find().ok().flatten().map(|found| found.path);
        let files = file.into_iter().chain([self.copy.clone()]);
        TokenRedactor::over(files.map(|file| (self.account, file)).collect(), self.secrets())
    }

    /// Tokens that came up since it was lent, by name.
    pub(super) fn seen(&self) -> Vec<(String, String)> {
        self.seen.tokens()
    }

    /// Writes back what the agent renewed, and hands on what somebody else did.
    pub fn tend(&mut self) -> io::Result<()> {
        let Some(found) = self.find()? else {
            return Ok(());
        };
        let copied = self.copied_tokens().map(|tokens| Digest::of(&tokens::bytes(&tokens)));
        let same = copied.is_none_or(|copied| copied == self.base.copy);
        if same && self.digest(&found.whole) == self.base.file {
            return Ok(());
        }
        let copied = self.copied().map(|copied| self.account.secrets(&copied));
        self.seen.add(self.account.secrets(&found.whole));
        self.seen.add(copied.unwrap_or_default());
        let lock = self.lock(&found)?;
        self.bring_together()?;
        drop(lock);
        Ok(())
    }

    /// Tends it from now on, on a thread of its own.
    pub fn tend_meanwhile(mut self) -> io::Result<TendedSignIn> {
        let (end, ended) = channel();
        let thread = thread::Builder::new().name("sign-in".to_owned()).spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK_EVERY) {
                // What cannot be written now is tried again, and at the end.
                drop(self.tend());
            }
            self
        })?;
        Ok(TendedSignIn { end, thread })
    }

    /// Takes the copy back at the end of a turn. One that could not be written
    /// back stays, and is when the next turn begins.
    pub fn take_back(&mut self) -> io::Result<()> {
        self.tend()?;
        let unsaved = match (self.find()?, self.copied_tokens()) {
            (Some(found), Some(copied)) => {
                let renewed = self.account.tokens(&found.whole).as_ref() != Some(&copied);
                renewed && self.renewal(&found, &copied).is_some()
            }
            (_, _) => false,
        };
        if !unsaved {
            drop(fs::remove_file(&self.copy));
            drop(fs::remove_file(&self.record));
        }
        Ok(())
    }

    /// Whether somebody else renewed it since the turn began. To be asked after
    /// the agent was refused; whoever renewed it may need a moment to say so.
    /// What the agent itself wrote is nobody's renewal: it could write for ever.
    pub fn since_the_turn_began(&self) -> ending::SignIn {
        let began = Instant::now();
        loop {
            let now = self.find().ok().flatten().map(|found| self.digest(&found.whole));
            if now.is_some_and(|now| now != self.first && !self.ours.contains(&now)) {
                return ending::SignIn::Renewed;
            }
            if began.elapsed() >= RENEWAL_WITHIN {
                return ending::SignIn::Same;
            }
            thread::sleep(TRY_AGAIN);
        }
    }

    /// Held while the file is compared and replaced. It is the folder that is
    /// locked: nothing of ours is left in a person's home.
    fn lock(&self, found: &Found) -> io::Result<File> {
        let folder = File::open(found.path.parent().unwrap_or(&self.within))?;
        folder.lock()?;
        Ok(folder)
    }

    /// Brings file and copy together, under the lock.
    fn bring_together(&mut self) -> io::Result<()> {
        let Some(found) = self.find()? else {
            return Ok(());
        };
        if self.digest(&found.whole) != self.base.file {
            // Theirs wins, whatever the agent did meanwhile.
            return self.lay(&found.whole);
        }
        let Some(copied) = self.copied_tokens() else {
            return Ok(());
        };
        if Digest::of(&tokens::bytes(&copied)) == self.base.copy {
            return Ok(());
        }
        let Some(renewed) = self.renewal(&found, &copied) else {
            return Ok(());
        };
        self.save(&found)?;
        // Not everybody knows our lock: looked at once more, right before.
        if fs::read(&found.path)? != found.bytes {
            return Ok(());
        }
        self.ours.insert(self.digest(&renewed));
        write_durably(&found.path, &tokens::bytes(&renewed))?;
        self.remember(&renewed, &copied)
    }

    /// The person's file as it is after this renewal, if it can be one.
    fn renewal(&self, found: &Found, copied: &Value) -> Option<Value> {
        self.account.renew(&found.whole, copied, Clock::System.now())
    }

    /// Saves what is replaced next, unless it is our own. Nobody can tell a
    /// forged token from a good one, so that what it replaces has to last.
    fn save(&self, found: &Found) -> io::Result<()> {
        let saved = self.before.join(format!("{}.json", Digest::of(&found.bytes)));
        if self.ours.contains(&self.digest(&found.whole)) || saved.exists() {
            return Ok(());
        }
        make_private(&self.before)?;
        write_durably(&saved, &found.bytes)
    }

    /// Gives the agent the person's sign-in, and nothing else of that file.
    fn lay(&mut self, whole: &Value) -> io::Result<()> {
        // Written where the agent cannot write, then moved over whatever the
        // agent made of its copy: a link there is replaced, not followed.
        let aside = self.record.with_extension("sign-in.tmp");
        drop(fs::remove_file(&aside));
        write_quickly(&aside, &tokens::bytes(&self.account.part(whole)))?;
        clear(&self.copy)?;
        fs::rename(&aside, &self.copy)?;
        let laid = self.account.tokens(whole).unwrap_or(Value::Null);
        self.remember(whole, &laid)
    }

    fn remember(&mut self, whole: &Value, copied: &Value) -> io::Result<()> {
        self.base = Base {
            file: self.digest(whole),
            copy: Digest::of(&tokens::bytes(copied)),
        };
        write_durably(&self.record, &serde_json::to_vec(&self.base)?)
    }

    fn digest(&self, whole: &Value) -> Digest {
        Digest::of(&tokens::bytes(&self.account.part(whole)))
    }

    /// The tokens in the agent's copy, if it can be read at this moment.
    fn copied_tokens(&self) -> Option<Value> {
        self.account.tokens(&self.copied()?)
    }

    fn copied(&self) -> Option<Value> {
        serde_json::from_slice(&read_all(open_plainly(&self.copy).ok()?).ok()?).ok()
    }

    /// The person's sign-in as it is now; nothing if there is none, or while
    /// somebody writes it.
    fn find(&self) -> io::Result<Option<Found>> {
        let path = match self.file.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        if !path.starts_with(self.within.canonicalize()?) {
            let why = format!("{} leads out of the home", self.file.display());
            return Err(io::Error::other(why));
        }
        let bytes = read_all(open_plainly(&path)?)?;
        let whole: Option<Value> = serde_json::from_slice(&bytes).ok();
        let whole = whole.filter(|whole| !self.account.part(whole).is_null());
        Ok(whole.map(|whole| Found { path, bytes, whole }))
    }

    fn find_patiently(&self) -> io::Result<Option<Found>> {
        for _ in 0..TRIES {
            match self.find()? {
                None if self.file.exists() => thread::sleep(TRY_AGAIN),
                found => return Ok(found),
            }
        }
        Ok(None)
    }
}

/// A sign-in that is tended while a turn goes on.
#[derive(Debug)]
pub struct TendedSignIn {
    end: Sender<()>,
    thread: JoinHandle<SignIn>,
}

impl TendedSignIn {
    /// Ends the tending once the agent is gone.
    pub fn end(self) -> io::Result<SignIn> {
        drop(self.end);
        let gone = |_| io::Error::other("the thread that tends a sign-in is not there");
        self.thread.join().map_err(gone)
    }
}

impl Base {
    /// What nothing was made from.
    fn none() -> Self {
        Self {
            file: Digest::of(b""),
            copy: Digest::of(b""),
        }
    }
}

/// Makes a place free that nothing can be moved to if it is a folder. One that
/// cannot be removed is set aside, in the home that is its maker's. Its rights
/// are not changed: by then it could be a link.
fn clear(copy: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(copy).is_ok_and(|there| there.is_dir()) || fs::remove_dir_all(copy).is_ok() {
        return Ok(());
    }
    let at = Clock::System.now().0;
    fs::rename(copy, copy.with_extension(format!("set-aside-{at}")))
}
