//! Conversations of agents.

use super::{PortRule, PortSubject, fresh, same};
use crate::conformance::Found;
use trueup_core::id::SessionId;
use trueup_engine::travel::{SessionFiles, Sessions};

/// Every rule by name.
pub fn rules<S: PortSubject<Port = dyn Sessions>>() -> Vec<PortRule> {
    crate::travelling_rules!(sessions, listed_travelling_rules, S)
}

fn files(all: &[(&str, &[u8])]) -> SessionFiles {
    let owned = |(name, bytes): &(&str, &[u8])| ((*name).to_owned(), bytes.to_vec());
    SessionFiles {
        files: all.iter().map(owned).collect(),
    }
}

/// Names and bytes, whatever the bytes are.
pub fn a_conversation_comes_back_as_it_was_kept<S: PortSubject<Port = dyn Sessions>>() -> Found {
    let (_store, sessions) = fresh::<S>();
    let session = SessionId::new("s-1");
    same("a session that was never kept", &sessions.get(&session)?, &None)?;
    let said = files(&[
        ("projects/-trueup/s-1.jsonl", b"{}\n{}\n"),
        ("projects/-trueup/s-1/agents/a.jsonl", b"\n\0\xff"),
        ("projects/-trueup/s-1/empty \"name\"\n", b""),
    ]);
    sessions.keep(&session, &said)?;
    same("the conversation", &sessions.get(&session)?, &Some(said))
}

/// A turn that is redone goes on from the one before it, not from itself.
pub fn a_later_turn_leaves_the_conversation_of_an_earlier_one_as_it_was<S: PortSubject<Port = dyn Sessions>>() -> Found
{
    let (_store, sessions) = fresh::<S>();
    let (first, second) = (SessionId::new("s-1"), SessionId::new("s-2"));
    let (then, later) = (files(&[("s", b"one")]), files(&[("s", b"one two")]));
    sessions.keep(&first, &then)?;
    sessions.keep(&second, &later)?;
    same("the earlier one", &sessions.get(&first)?, &Some(then))?;
    same("the later one", &sessions.get(&second)?, &Some(later))
}

/// Nothing of what it was before shows in it.
pub fn a_conversation_that_is_kept_again_is_the_newer_one_whole<S: PortSubject<Port = dyn Sessions>>() -> Found {
    let (_store, sessions) = fresh::<S>();
    let session = SessionId::new("s-1");
    sessions.keep(&session, &files(&[("a", b"long ago"), ("b", b"")]))?;
    let newer = files(&[("a", b"now")]);
    sessions.keep(&session, &newer)?;
    same("the conversation", &sessions.get(&session)?, &Some(newer))
}

/// It tells the name itself, and nothing outside may come of it.
pub fn an_agent_may_give_its_session_any_name<S: PortSubject<Port = dyn Sessions>>() -> Found {
    let (_store, sessions) = fresh::<S>();
    let long = "n".repeat(4000);
    for name in ["../../outside", "/etc/passwd", "a/b", "", ".", "\0", &long] {
        let said = files(&[("s", name.as_bytes())]);
        sessions.keep(&SessionId::new(name), &said)?;
        same("the conversation", &sessions.get(&SessionId::new(name))?, &Some(said))?;
    }
    Ok(())
}

/// Another machine goes on from them.
pub fn conversations_survive_a_reopen<S: PortSubject<Port = dyn Sessions>>() -> Found {
    let store = S::fresh();
    let (session, said) = (SessionId::new("s-1"), files(&[("s", b"one")]));
    store.open().keep(&session, &said)?;
    same("the conversation", &store.open().get(&session)?, &Some(said))
}
