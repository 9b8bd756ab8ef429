//! Bodies by digest.

use super::{PortRule, PortSubject, at_once, fresh, same};
use crate::conformance::Found;
use std::io;
use trueup_core::digest::Digest;
use trueup_engine::travel::Blobs;

/// Every rule by name.
pub fn rules<S: PortSubject<Port = dyn Blobs>>() -> Vec<PortRule> {
    crate::travelling_rules!(blobs, listed_travelling_rules, S)
}

/// Nothing is changed, cut or added, whatever the bytes are.
pub fn what_was_put_comes_back_byte_for_byte<S: PortSubject<Port = dyn Blobs>>() -> Found {
    let (_store, blobs) = fresh::<S>();
    let large: Vec<u8> = (0..1_000_000_u32).map(|n| n.to_le_bytes()[0]).collect();
    for bytes in [&b""[..], b"text\n", b"\0\xff\r\n", &large] {
        let digest = blobs.put(bytes)?;
        same("the name of a body", &digest, &Digest::of(bytes))?;
        same("whether a body is there", &blobs.has(&digest), &true)?;
        same("a body", &(blobs.get(&digest)? == bytes), &true)?;
    }
    Ok(())
}

/// It is told apart from one that is there and cannot be read.
pub fn a_body_that_was_never_put_is_not_found<S: PortSubject<Port = dyn Blobs>>() -> Found {
    let (_store, blobs) = fresh::<S>();
    blobs.put(b"another")?;
    let never = Digest::of(b"never");
    same("whether it is there", &blobs.has(&never), &false)?;
    let kind = blobs.get(&never).err().map(|error| error.kind());
    same("what is said of it", &kind, &Some(io::ErrorKind::NotFound))
}

/// A redo puts what was put before.
pub fn putting_twice_is_putting_once<S: PortSubject<Port = dyn Blobs>>() -> Found {
    let (_store, blobs) = fresh::<S>();
    let (one, two) = (blobs.put(b"body")?, blobs.put(b"body")?);
    same("the name", &one, &two)?;
    same("the body", &blobs.get(&one)?, &b"body".to_vec())
}

/// Another process finds them.
pub fn bodies_survive_a_reopen<S: PortSubject<Port = dyn Blobs>>() -> Found {
    let store = S::fresh();
    let digest = store.open().put(b"body")?;
    same("a body", &store.open().get(&digest)?, &b"body".to_vec())
}

/// Also where several put the same.
pub fn bodies_put_at_once_all_come_back<S: PortSubject<Port = dyn Blobs>>() -> Found {
    let (_store, blobs) = fresh::<S>();
    for put in at_once(|number| blobs.put(&[number / 2])) {
        let digest = put?;
        same("a body's digest", &Digest::of(&blobs.get(&digest)?), &digest)?;
    }
    let there = (0..4_u8).filter(|number| blobs.has(&Digest::of(&[*number]))).count();
    same("how many bodies there are", &there, &4)
}
