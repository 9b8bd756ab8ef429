//! JSON documents that are read while they come in, with a limit on each list.

use super::{Unreadable, bound::Bounded};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, SeqAccess, Visitor},
};
use std::{fmt, io::BufRead, marker::PhantomData};

/// A whole document.
pub(super) fn document<T: DeserializeOwned>(source: impl BufRead, what: &str) -> Result<T, Unreadable> {
    serde_json::from_reader(Bounded::of_one(source)).map_err(|error| {
        let why = match (error.is_eof(), error.is_io(), error.line(), error.column()) {
            (true, _, 1, 0) | (true, _, 0, _) => "it is empty".to_owned(),
            (true, _, _, _) => "it is cut off".to_owned(),
            (_, true, _, _) => error.to_string(),
            (_, _, _, _) => format!("it is not the JSON of {what}: {error}"),
        };
        Unreadable::because(why)
    })
}

/// A list of at most so many; a longer one is an error before it is held.
#[derive(Debug)]
pub(super) struct AtMost<T, const MOST: usize>(pub(super) Vec<T>);

impl<T, const MOST: usize> Default for AtMost<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for AtMost<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Counting(PhantomData))
    }
}

struct Counting<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Counting<T, MOST> {
    type Value = AtMost<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MOST}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut held = Vec::new();
        while let Some(one) = list.next_element()? {
            if held.len() >= MOST {
                return Err(A::Error::custom(format_args!("a list is longer than {MOST}")));
            }
            held.push(one);
        }
        Ok(AtMost(held))
    }
}
