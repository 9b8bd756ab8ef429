//! A key that is put in on the way, so that nobody inside holds it.

use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use std::fmt;

/// The headers in which models are shown a key.
const SHOWN_IN: [HeaderName; 3] = [
    AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("api-key"),
];

/// A key, and what stands for it inside.
#[derive(Clone, PartialEq, Eq)]
pub struct HeldKey {
    /// What the agent is given instead.
    pub stand_in: String,
    /// The key itself.
    pub key: String,
}

impl HeldKey {
    /// What is shown in place of a header that shows the stand-in. A key that no
    /// header can hold is none.
    fn shown_for(&self, shown: &str) -> Option<HeaderValue> {
        let (scheme, word) = shown.split_once(' ').unwrap_or(("", shown));
        if word != self.stand_in {
            return None;
        }
        let text = match scheme {
            "" => self.key.clone(),
            scheme => format!("{scheme} {}", self.key),
        };
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// That a model would be shown a key that nobody gave the agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ForeignKey;

/// Puts each key where its stand-in is shown. Whoever shows another one would
/// send what it has to somebody else's account.
pub(crate) fn put_in(keys: &[HeldKey], headers: &mut HeaderMap) -> Result<(), ForeignKey> {
    if keys.is_empty() {
        return Ok(());
    }
    for name in SHOWN_IN {
        let mut shown = headers.get_all(&name).iter();
        let (Some(first), rest) = (shown.next(), shown.next()) else {
            continue;
        };
        let first = first.to_str().ok().filter(|_| rest.is_none());
        let value = first.and_then(|first| keys.iter().find_map(|key| key.shown_for(first)));
        headers.insert(name, value.ok_or(ForeignKey)?);
    }
    Ok(())
}

impl fmt::Debug for HeldKey {
    /// Never the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeldKey")
            .field("stand_in", &self.stand_in)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{ForeignKey, HeldKey, put_in};
    use hyper::header::{HeaderMap, HeaderName, HeaderValue};

    fn shown(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))])
    }

    #[test]
    fn a_key_takes_the_place_of_its_stand_in_and_another_one_is_refused() {
        let held = [HeldKey {
            stand_in: "stands-in".to_owned(),
            key: "sk-real".to_owned(),
        }];
        let mut headers = shown("authorization", "Bearer stands-in");
        headers.insert("x-told", HeaderValue::from_static("stands-in"));
        assert_eq!(put_in(&held, &mut headers), Ok(()));
        assert_eq!(headers["authorization"], "Bearer sk-real");
        assert_eq!(headers["x-told"], "stands-in");
        assert!(!format!("{held:?} {headers:?}").contains("sk-real"));
        let mut headers = shown("x-api-key", "stands-in");
        assert_eq!(put_in(&held, &mut headers), Ok(()));
        assert_eq!(headers["x-api-key"], "sk-real");
        for (name, value) in [
            ("x-api-key", "another"),
            ("x-api-key", "stands-in-too"),
            ("authorization", "Bearer another"),
            ("authorization", "Bearer stands-in another"),
        ] {
            assert_eq!(put_in(&held, &mut shown(name, value)), Err(ForeignKey), "{value}");
        }
        let mut twice = shown("x-api-key", "stands-in");
        twice.append("x-api-key", HeaderValue::from_static("another"));
        assert_eq!(put_in(&held, &mut twice), Err(ForeignKey));
        // Where no key is held, the agent's own sign-in is shown.
        assert_eq!(put_in(&[], &mut shown("authorization", "Bearer own")), Ok(()));
    }
}
