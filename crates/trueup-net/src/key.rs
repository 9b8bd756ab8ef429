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
    /// Puts the key where its stand-in is shown. A key that no header can hold
    /// is left out: the model then says that it knows nobody by the stand-in.
    pub(crate) fn put_in(&self, headers: &mut HeaderMap) {
        for name in SHOWN_IN {
            let Some(shown) = headers.get(&name).and_then(|value| value.to_str().ok()) else {
                continue;
            };
            if !shown.contains(&self.stand_in) {
                continue;
            }
            if let Ok(mut value) = HeaderValue::from_str(&shown.replace(&self.stand_in, &self.key)) {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
    }
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
    use super::HeldKey;
    use hyper::header::{HeaderMap, HeaderValue};

    #[test]
    fn a_key_takes_the_place_of_its_stand_in_and_of_nothing_else() {
        let held = HeldKey {
            stand_in: "stands-in".to_owned(),
            key: "sk-real".to_owned(),
        };
        let mut headers = HeaderMap::new();
        headers.insert("authorization", HeaderValue::from_static("Bearer stands-in"));
        headers.insert("x-api-key", HeaderValue::from_static("another"));
        headers.insert("x-told", HeaderValue::from_static("stands-in"));
        held.put_in(&mut headers);
        assert_eq!(headers["authorization"], "Bearer sk-real");
        assert_eq!(headers["x-api-key"], "another");
        assert_eq!(headers["x-told"], "stands-in");
        assert!(!format!("{held:?} {headers:?}").contains("sk-real"));
    }
}
