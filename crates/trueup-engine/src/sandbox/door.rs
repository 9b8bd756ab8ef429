//! The way a listening socket takes from inside a sandbox to us.
//!
//! A socket belongs to the network it was made in, whoever holds it. The entry
//! makes one in the sandbox's own network and hands it over with its first
//! word; who then listens on it lives outside, and nothing else leads out.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use std::{
    io::{self, IoSlice, IoSliceMut, Read},
    mem::MaybeUninit,
    net::TcpListener,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
};

/// The port on a sandbox's loopback that leads out.
pub const PORT: u16 = 4788;

/// Nobody hands over more at a time.
const ONE: usize = 1;

#[cfg(target_os = "linux")]
const FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const FLAGS: RecvFlags = RecvFlags::empty();

/// Says something over the line, and hands the listener over with it.
pub(super) fn hand_over(line: &UnixStream, word: &[u8], listener: &TcpListener) -> io::Result<()> {
    let handed = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(ONE))];
    let mut with = SendAncillaryBuffer::new(&mut space);
    if !with.push(SendAncillaryMessage::ScmRights(&handed)) {
        return Err(io::Error::other("a socket cannot be handed over"));
    }
    let sent = sendmsg(line, &[IoSlice::new(word)], &mut with, SendFlags::empty())?;
    match sent == word.len() {
        true => Ok(()),
        false => Err(io::Error::other("a word was cut short")),
    }
}

/// What is read from the line, and what was handed over with it.
pub(super) struct Receiving {
    line: UnixStream,
    handed: Option<OwnedFd>,
}

impl Receiving {
    pub(super) const fn over(line: UnixStream) -> Self {
        Self { line, handed: None }
    }

    /// What was handed over last, if it was not taken yet.
    pub(super) const fn take(&mut self) -> Option<OwnedFd> {
        self.handed.take()
    }
}

impl Read for Receiving {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(ONE))];
        let mut with = RecvAncillaryBuffer::new(&mut space);
        let read = recvmsg(&self.line, &mut [IoSliceMut::new(buffer)], &mut with, FLAGS)?;
        for message in with.drain() {
            if let RecvAncillaryMessage::ScmRights(handed) = message {
                self.handed = handed.last().or(self.handed.take());
            }
        }
        Ok(read.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Receiving, hand_over};
    use std::{
        io::{BufRead, BufReader, Read},
        net::{TcpListener, TcpStream},
        os::unix::net::UnixStream,
    };

    #[test]
    fn a_listener_arrives_with_the_word_it_was_sent_with() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        hand_over(&theirs, b"ready\n", &listener).unwrap();
        drop((listener, theirs));
        let mut reader = BufReader::new(Receiving::over(ours));
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        let arrived = TcpListener::from(reader.get_mut().take().unwrap());
        assert_eq!(arrived.local_addr().unwrap(), address);
        drop(TcpStream::connect(address).unwrap());
        assert!(arrived.accept().is_ok());
        assert!(reader.get_mut().take().is_none());
        assert_eq!(reader.read_to_string(&mut line).unwrap(), 0);
    }
}
