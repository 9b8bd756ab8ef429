//! Tokens that come up while a turn goes on, kept out of what is shown of it.
//!
//! What a person's sign-in held when the turn began is kept back by the
//! sandbox. An agent that renews it, or is handed somebody else's renewal, has
//! others soon after, and may print them at once.

use super::{
    home::open_plainly,
    tokens::{Account, LONGEST_TOKEN, read_all},
};
use crate::{
    redact::{Redactor, Secrets},
    sandbox::Stream,
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// How many tokens are kept back in a turn. Nobody renews so often; an agent
/// that writes down others for ever is not followed for ever.
const MOST: usize = 32;

/// A file that was changed so shortly ago may be changed once more without
/// its time telling.
const SETTLED_AFTER: Duration = Duration::from_millis(100);

/// Tokens, each with its name.
#[derive(Debug, Default)]
pub(super) struct SeenTokens {
    names: BTreeMap<String, String>,
}

/// Looks at a sign-in whenever something was printed, before it is shown.
#[derive(Debug)]
pub(super) struct TokenRedactor {
    files: Vec<WatchedFile>,
    /// What the sandbox keeps back already.
    known: Vec<(String, String)>,
    seen: SeenTokens,
    secrets: Secrets,
    redactors: (Redactor, Redactor),
}

/// A file with tokens in it.
#[derive(Debug)]
struct WatchedFile {
    account: Account,
    path: PathBuf,
    /// What told it from others when it was last read.
    last: Option<Stamp>,
}

/// What changes with a file. An agent can set every time of it but this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: (u64, u64),
    length: u64,
    changed: (i64, i64),
}

impl SeenTokens {
    /// Adds tokens, and answers whether any was new.
    pub(super) fn add(&mut self, tokens: impl IntoIterator<Item = (String, String)>) -> bool {
        let before = self.names.len();
        for (name, token) in tokens {
            if self.names.len() < MOST && token.len() < LONGEST_TOKEN {
                self.names.entry(token).or_insert(name);
            }
        }
        self.names.len() > before
    }

    /// All of them, by name.
    pub(super) fn tokens(&self) -> Vec<(String, String)> {
        let swapped = |(token, name): (&String, &String)| (name.clone(), token.clone());
        self.names.iter().map(swapped).collect()
    }
}

impl TokenRedactor {
    /// Looks at these files, beyond tokens that are known.
    pub(super) fn over(files: Vec<(Account, PathBuf)>, known: Vec<(String, String)>) -> Self {
        let watched = |(account, path)| WatchedFile {
            account,
            path,
            last: None,
        };
        let secrets = Secrets::default();
        Self {
            files: files.into_iter().map(watched).collect(),
            known,
            seen: SeenTokens::default(),
            redactors: (secrets.stream(), secrets.stream()),
            secrets,
        }
    }

    /// What may be shown by now of a stream, given the next piece.
    pub(super) fn pass(&mut self, stream: Stream, piece: &[u8]) -> Vec<u8> {
        self.look();
        match stream {
            Stream::Stdout => self.redactors.0.pass(piece),
            Stream::Stderr => self.redactors.1.pass(piece),
        }
    }

    /// What was held back of both streams, at their end.
    pub(super) fn rest(&mut self) -> [(Stream, Vec<u8>); 2] {
        self.look();
        let (out, err) = (self.redactors.0.finish(), self.redactors.1.finish());
        [(Stream::Stdout, out), (Stream::Stderr, err)]
    }

    /// What came up so far.
    pub(super) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Keeps these back from now on.
    pub(super) fn learn(&mut self, tokens: Vec<(String, String)>) {
        let new = tokens.into_iter().filter(|token| !self.known.contains(token));
        if self.seen.add(new) {
            self.secrets = self.secrets.and(self.seen.tokens());
            self.redactors.0.learn(&self.secrets);
            self.redactors.1.learn(&self.secrets);
        }
    }

    fn look(&mut self) {
        let found: Vec<_> = self.files.iter_mut().filter_map(WatchedFile::news).flatten().collect();
        if !found.is_empty() {
            self.learn(found);
        }
    }
}

impl WatchedFile {
    /// The tokens in it, if it may have changed since they were last read.
    fn news(&mut self) -> Option<Vec<(String, String)>> {
        let stamp = Stamp::of(&self.path)?;
        if self.last == Some(stamp) {
            return None;
        }
        // One that cannot be read yet is read the next time.
        self.last = None;
        let bytes = read_all(open_plainly(&self.path).ok()?).ok()?;
        let whole = serde_json::from_slice(&bytes).ok()?;
        self.last = Some(stamp).filter(Stamp::is_settled);
        Some(self.account.secrets(&whole))
    }
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let there = fs::symlink_metadata(path).ok()?;
        Some(Self {
            inode: (there.dev(), there.ino()),
            length: there.len(),
            changed: (there.ctime(), there.ctime_nsec()),
        })
    }

    fn is_settled(&self) -> bool {
        let (seconds, nanos) = self.changed;
        let whole = u64::try_from(seconds).unwrap_or_default();
        let changed = Duration::from_secs(whole) + Duration::from_nanos(u64::try_from(nanos).unwrap_or_default());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.checked_sub(changed).is_some_and(|since| since >= SETTLED_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, LONGEST_TOKEN, MOST, SETTLED_AFTER, SeenTokens, Stream, TokenRedactor};
    use serde_json::json;
    use std::{fs, path::Path, thread};

    fn renew(copy: &Path, token: &str) {
        let text = json!({"claudeAiOauth": {"accessToken": token, "refreshToken": "refresh-one"}});
        fs::write(copy, text.to_string()).expect("a copy");
    }

    #[test]
    fn a_token_is_kept_back_from_the_moment_it_is_in_the_copy() {
        let folder = tempfile::tempdir().expect("folder");
        let copy = folder.path().join("copy");
        renew(&copy, "access-000");
        let known = vec![("accessToken".to_owned(), "access-000".to_owned())];
        let mut token_redactor = TokenRedactor::over(vec![(Account::Claude, copy.clone())], known);
        assert_eq!(
            token_redactor.pass(Stream::Stdout, b"access-000 access-100\n"),
            b"access-000 access-100\n",
            "what is known is kept back elsewhere, what is not cannot be"
        );
        // In the same moment, of the same length, and again once all is settled.
        for (number, wait) in [(100, false), (101, false), (102, true), (103, true), (104, false)] {
            if wait {
                thread::sleep(SETTLED_AFTER * 2);
                token_redactor.pass(Stream::Stdout, b"");
            }
            let token = format!("access-{number}");
            renew(&copy, &token);
            for stream in [Stream::Stdout, Stream::Stderr] {
                let line = format!("{token}\n");
                let (half, rest) = line.split_at(5);
                let shown = [
                    token_redactor.pass(stream, half.as_bytes()),
                    token_redactor.pass(stream, rest.as_bytes()),
                ]
                .concat();
                assert_eq!(shown, b"[accessToken redacted]\n", "{token}");
            }
        }
        // An older one is still kept back, and what is held back comes at last.
        let shown = token_redactor.pass(Stream::Stdout, b"access-100 refresh-one acc");
        assert_eq!(shown, b"[accessToken redacted] [refreshToken redacted] ");
        assert_eq!(
            token_redactor.rest(),
            [(Stream::Stdout, b"acc".to_vec()), (Stream::Stderr, Vec::new())]
        );
    }

    #[test]
    fn tokens_without_end_are_not_followed_without_end() {
        let mut seen = SeenTokens::default();
        let token = |number: usize| ("accessToken".to_owned(), format!("access-{number}"));
        assert!(seen.add((0..MOST * 2).map(token)));
        assert_eq!(seen.tokens().len(), MOST);
        assert!(!seen.add([token(MOST * 3)]));
        assert!(!SeenTokens::default().add([("accessToken".to_owned(), "a".repeat(LONGEST_TOKEN))]));
    }
}
