//! The private line between this process and the first program inside.
//!
//! It is one socket, the entry's standard input, and the program inside never
//! holds it: what comes over it cannot be forged from there.
//!
//! Inwards: `G`, four bytes of length, that many bytes of variables as
//! `NAME=value\0`, four bytes of length, that many bytes of services as JSON,
//! then the program's standard input, piece by piece, until we stop writing.
//! Outwards: lines, `ready` (with the sandbox's door, where it has one), then `started`, `failed <why>` or `unserved <why>`;
//! the last of them, as a JSON text, may also come after `started`.

use super::door::Receiving;
use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Write},
    net::{Shutdown, TcpListener},
    os::{fd::OwnedFd, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use trueup_core::criterion::Service;

pub(super) const GO: u8 = b'G';
pub(super) const READY: &str = "ready";
pub(super) const STARTED: &str = "started";
pub(super) const FAILED: &str = "failed ";
pub(super) const UNSERVED: &str = "unserved ";

/// What the entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryMessage {
    Ready,
    Started,
    Failed(String),
    Unserved(String),
}

/// Our end of the line. Dropping it hangs up, which ends everything inside.
#[derive(Debug)]
pub(super) struct Control {
    line: UnixStream,
    messages: UnboundedReceiver<(EntryMessage, Option<OwnedFd>)>,
    /// The socket that was handed over, until somebody takes it.
    door: Option<OwnedFd>,
    /// What the program is told goes in here; closed, it is told no more.
    voice: Option<Sender<Vec<u8>>>,
    /// How many bytes of that it has not taken yet.
    unsaid: Arc<AtomicUsize>,
}

impl Control {
    pub(super) fn over(line: UnixStream) -> io::Result<Self> {
        let (sender, messages) = unbounded_channel();
        let mut reader = BufReader::new(Receiving::over(line.try_clone()?));
        // The thread ends when either end hangs up, which `Drop` sees to.
        thread::Builder::new()
            .name("sandbox-control".to_owned())
            .spawn(move || {
                while let Some(message) = next(&mut reader) {
                    if sender.send((message, reader.get_mut().take())).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            line,
            messages,
            door: None,
            voice: None,
            unsaid: Arc::default(),
        })
    }

    /// The next message, or nothing once the entry is gone.
    pub(super) async fn hear(&mut self) -> Option<EntryMessage> {
        let (message, handed) = self.messages.recv().await?;
        self.door = handed.or(self.door.take());
        Some(message)
    }

    /// The socket that leads out of the sandbox, if the entry handed one over.
    pub(super) fn door(&mut self) -> Option<TcpListener> {
        self.door.take().map(TcpListener::from)
    }

    /// Lets the program start once its services can be used, and tells it the
    /// first of what it is told.
    pub(super) fn go(
        &mut self,
        variables: &BTreeMap<String, String>,
        services: &[Service],
        stdin: &[u8],
    ) -> io::Result<()> {
        let line = self.line.try_clone()?;
        let mut message = vec![GO];
        for packet in [pack(variables), serde_json::to_vec(services)?] {
            let length = u32::try_from(packet.len()).map_err(io::Error::other)?;
            message.extend(length.to_le_bytes());
            message.extend(packet);
        }
        message.extend(stdin);
        let (voice, pieces) = channel();
        let unsaid = Arc::clone(&self.unsaid);
        thread::Builder::new()
            .name("sandbox-stdin".to_owned())
            .spawn(move || speak(line, message, &pieces, &unsaid))?;
        self.voice = Some(voice);
        Ok(())
    }

    /// Tells the program something more. Nobody waits until it reads it;
    /// answers how much of what it was told before it has not read.
    pub(super) fn say(&self, bytes: Vec<u8>) -> usize {
        let length = bytes.len();
        // Before it is sent, so that nothing is taken off that is not there.
        let before = self.unsaid.fetch_add(length, Ordering::SeqCst);
        let told = self.voice.as_ref().map(|voice| voice.send(bytes));
        if let Some(Ok(())) = told {
            return before;
        }
        // Who is gone hears no more, and owes nothing.
        self.unsaid.fetch_sub(length, Ordering::SeqCst);
        0
    }

    /// Closes the program's standard input once it was told everything.
    pub(super) fn fall_silent(&mut self) {
        self.voice = None;
    }

    /// Ends everything inside: the entry notices, kills what lives, and exits.
    pub(super) fn hang_up(&self) {
        // Already hung up is as good.
        drop(self.line.shutdown(Shutdown::Both));
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.hang_up();
    }
}

/// Writes what the program is told, at its own pace. A program need not read
/// its input, and may end before it has: only this thread waits for it.
fn speak(mut line: UnixStream, first: Vec<u8>, pieces: &Receiver<Vec<u8>>, unsaid: &AtomicUsize) {
    unsaid.fetch_add(first.len(), Ordering::SeqCst);
    let mut next = Some(first);
    while let Some(piece) = next {
        if line.write_all(&piece).is_err() {
            return;
        }
        unsaid.fetch_sub(piece.len(), Ordering::SeqCst);
        next = pieces.recv().ok();
    }
    drop(line.shutdown(Shutdown::Write));
}

/// The next message on the line; nothing once it ends or says no more words.
fn next(reader: &mut BufReader<Receiving>) -> Option<EntryMessage> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    if read == 0 {
        return None;
    }
    message(line.strip_suffix('\n').unwrap_or(&line))
}

fn message(line: &str) -> Option<EntryMessage> {
    match line {
        READY => Some(EntryMessage::Ready),
        STARTED => Some(EntryMessage::Started),
        other => {
            let failed = other
                .strip_prefix(FAILED)
                .map(|why| EntryMessage::Failed(why.to_owned()));
            failed.or_else(|| {
                let why = serde_json::from_str(other.strip_prefix(UNSERVED)?).ok()?;
                Some(EntryMessage::Unserved(why))
            })
        }
    }
}

fn pack(variables: &BTreeMap<String, String>) -> Vec<u8> {
    let mut packed = Vec::new();
    for (name, value) in variables {
        packed.extend(format!("{name}={value}\0").as_bytes());
    }
    packed
}

/// Reads what [`Control::go`] packed.
pub(super) fn unpack(packed: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    packed.split(|byte| *byte == 0).filter_map(|pair| {
        let middle = pair.iter().position(|byte| *byte == b'=')?;
        Some((&pair[..middle], &pair[middle + 1..]))
    })
}

#[cfg(test)]
mod tests {
    use super::{EntryMessage, message, pack, unpack};
    use std::collections::BTreeMap;

    #[test]
    fn variables_come_out_as_they_went_in() {
        let variables = BTreeMap::from([
            ("A".to_owned(), "x=y".to_owned()),
            ("B".to_owned(), String::new()),
            ("C".to_owned(), "two\nlines".to_owned()),
        ]);
        let packed = pack(&variables);
        let out: BTreeMap<String, String> = unpack(&packed).map(|(name, value)| (text(name), text(value))).collect();
        assert_eq!(out, variables);
    }

    #[test]
    fn a_line_that_is_no_word_is_not_heard() {
        assert_eq!(
            message("failed because"),
            Some(EntryMessage::Failed("because".to_owned()))
        );
        assert_eq!(
            message("unserved \"two\\nlines\""),
            Some(EntryMessage::Unserved("two\nlines".to_owned()))
        );
        for nothing in ["verified", "unserved", "unserved bare"] {
            assert_eq!(message(nothing), None);
        }
    }

    fn text(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).expect("text")
    }
}
