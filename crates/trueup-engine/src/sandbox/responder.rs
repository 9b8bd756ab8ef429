//! Whom a program inside talks with. A responder never waits: it hears, and
//! answers what is to be done.

use super::bounds::Stream;
use std::time::Duration;

/// The other end of a program's three streams.
pub trait Responder: Send {
    /// What is said once the program may start, before anything was heard.
    fn open(&mut self) -> Vec<Reply>;

    /// What is answered to a piece of what the program wrote. No secret is in it.
    fn hear(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Reply>;

    /// How often it wants to be told that time passes; never, if nothing is said.
    fn pulse(&self) -> Option<Duration> {
        None
    }

    /// What is done now that some time has passed.
    fn beat(&mut self) -> Vec<Reply> {
        Vec::new()
    }

    /// What is done now that the program has left so much of what it was told
    /// unread that more would only fill our memory.
    fn unheard(&mut self) -> Vec<Reply> {
        Vec::new()
    }

    /// Asks the program to break off kindly. It has a moment for it; a responder
    /// that knows no kind way ends it at once.
    fn interrupt(&mut self) -> Vec<Reply> {
        vec![Reply::End]
    }
}

/// What a responder wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Write this to the program's standard input, as it reads.
    Say(Vec<u8>),
    /// Close its standard input once all was said.
    HangUp,
    /// End the program and everything it started.
    End,
}

/// A responder that has said everything beforehand and only listens.
pub(super) struct Listener<'a>(pub(super) &'a mut (dyn FnMut(Stream, &[u8]) + Send));

impl Responder for Listener<'_> {
    fn open(&mut self) -> Vec<Reply> {
        vec![Reply::HangUp]
    }

    fn hear(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Reply> {
        (self.0)(stream, bytes);
        Vec::new()
    }
}
