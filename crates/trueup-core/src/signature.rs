//! The name of an error, by which it is known again.

use crate::digest::Digest;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// How many hexadecimal digits a signature has.
const DIGITS: usize = 16;

/// The name of an error: alike for the same error at another time, in another
/// folder and on another line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Signature(String);

/// A text that is no signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no signature: it has {DIGITS} digits from 0 to f, in small letters")]
pub struct NoSignature(String);

impl Signature {
    /// The signature of what an error says, without what changes from one time to the next.
    pub fn of(said: &str) -> Self {
        let digest = Digest::of(said.as_bytes());
        Self(digest.as_str().chars().take(DIGITS).collect())
    }

    /// The signature as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Signature {
    type Error = NoSignature;

    fn try_from(text: String) -> Result<Self, NoSignature> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == DIGITS && text.bytes().all(is_digit) {
            Ok(Self(text))
        } else {
            Err(NoSignature(text))
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;
    use alloc::format;

    #[test]
    fn a_signature_is_the_beginning_of_a_digest_and_nothing_else_is_read_as_one() {
        let signature = Signature::of("abc");
        assert_eq!(signature.as_str(), "ba7816bf8f01cfea");
        let kept = serde_json::to_string(&signature).expect("JSON");
        assert_eq!(kept, "\"ba7816bf8f01cfea\"");
        assert_eq!(
            serde_json::from_str::<Signature>(&kept).expect("a signature"),
            signature
        );
        for wrong in [
            "",
            "ba7816bf8f01cfe",
            "ba7816bf8f01cfea4",
            "BA7816BF8F01CFEA",
            "ba7816bf8f01cfeg",
        ] {
            let read = serde_json::from_str::<Signature>(&format!("\"{wrong}\""));
            assert!(read.is_err(), "{wrong}");
        }
    }
}
