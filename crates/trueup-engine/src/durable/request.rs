//! The name of one thing that is asked of a desk.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
};

/// Names one thing that is asked, however often it is asked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request(String);

impl Request {
    /// One that nobody has used.
    pub fn fresh() -> Self {
        // The standard library seeds each of these from the system's randomness.
        let random = || RandomState::new().hash_one(0_u8);
        Self(format!("{:016x}{:016x}", random(), random()))
    }

    /// The one of this name, for whoever names its requests itself.
    pub fn named(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Request;
    use std::collections::HashSet;

    #[test]
    fn no_fresh_request_is_another() {
        let requests: HashSet<String> = (0..1000).map(|_| Request::fresh().to_string()).collect();
        assert_eq!(requests.len(), 1000);
    }
}
