//! A sign-in whose tokens rotate: an access token lasts a while, a refresh
//! token works once.

use serde::Serialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use super::ids::{Ids, now};

/// What somebody holds who is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Shown with every request, as a bearer.
    #[serde(rename = "access_token")]
    pub access: String,
    /// Buys the next tokens, once.
    #[serde(rename = "refresh_token")]
    pub refresh: String,
    /// Says who it is.
    #[serde(rename = "id_token")]
    pub identity: String,
}

/// What happened to a sign-in so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SignInCounts {
    /// Tokens that were bought with a refresh token.
    pub refreshes: usize,
    /// Attempts to buy with a refresh token that was spent before.
    pub reuses: usize,
    /// Attempts to buy with a refresh token nobody ever issued.
    pub unknown: usize,
    /// Model requests without an access token that still lasts.
    pub refused: usize,
}

/// Why no tokens are issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTokens {
    /// The refresh token was spent before.
    Spent,
    /// Nobody ever issued it.
    Unknown,
}

/// The issuer's memory.
#[derive(Debug)]
pub(super) struct SignIn {
    lifetime: Duration,
    refresh: String,
    spent: BTreeSet<String>,
    access: Vec<(String, Instant)>,
    /// What happened so far.
    pub(super) counts: SignInCounts,
}

impl SignIn {
    /// Signs somebody in for the first time.
    pub(super) fn new(lifetime: Duration, ids: &Ids) -> (Self, Tokens) {
        let mut sign_in = Self {
            lifetime,
            refresh: String::new(),
            spent: BTreeSet::new(),
            access: Vec::new(),
            counts: SignInCounts::default(),
        };
        let tokens = sign_in.issue(ids);
        (sign_in, tokens)
    }

    /// Whether this access token still lasts; if not, that is counted.
    pub(super) fn admits(&mut self, bearer: Option<&str>) -> bool {
        let lasts = |(token, until): &(String, Instant)| Some(token.as_str()) == bearer && Instant::now() < *until;
        let admitted = self.access.iter().any(lasts);
        self.counts.refused += usize::from(!admitted);
        admitted
    }

    /// Exchanges a refresh token for new tokens.
    pub(super) fn exchange(&mut self, refresh: &str, ids: &Ids) -> Result<Tokens, NoTokens> {
        if self.spent.contains(refresh) {
            self.counts.reuses += 1;
            return Err(NoTokens::Spent);
        }
        if refresh != self.refresh {
            self.counts.unknown += 1;
            return Err(NoTokens::Unknown);
        }
        self.counts.refreshes += 1;
        self.spent.insert(refresh.to_owned());
        Ok(self.issue(ids))
    }

    /// Whether this is the refresh token that buys the next tokens.
    pub(super) fn is_current(&self, refresh: &str) -> bool {
        self.refresh == refresh
    }

    /// Ends every access token now.
    pub(super) fn expire(&mut self) {
        self.access.clear();
    }

    /// How many seconds an access token claims to last. Agents renew a token
    /// by themselves in its last minutes, so a short one must claim more than
    /// is true, or it would be renewed for ever.
    pub(super) fn claimed(&self) -> u64 {
        self.lifetime.max(Duration::from_secs(3600)).as_secs()
    }

    fn issue(&mut self, ids: &Ids) -> Tokens {
        let until = now() + self.claimed();
        let tokens = Tokens {
            access: token(until, ids),
            refresh: ids.next("refresh-"),
            identity: token(until, ids),
        };
        self.refresh.clone_from(&tokens.refresh);
        self.access
            .push((tokens.access.clone(), Instant::now() + self.lifetime));
        tokens
    }
}

/// A token that clients can read, signed by nobody.
fn token(until: u64, ids: &Ids) -> String {
    let head = json!({"alg": "none", "typ": "JWT"});
    let account = json!({
        "chatgpt_account_id": "account-1", "chatgpt_user_id": "user-1", "chatgpt_plan_type": "pro",
    });
    let claims = json!({
        "iat": now(), "exp": until, "jti": ids.next("jti-"), "sub": "user-1",
        "email": "ada@example.invalid", "https://api.openai.com/auth": account,
    });
    format!("{}.{}.{}", letters(&head), letters(&claims), "c2NyaXB0ZWQ")
}

/// The value's bytes in base64 for addresses, without padding.
fn letters(value: &Value) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in value.to_string().as_bytes().chunks(3) {
        let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            let letter = ALPHABET.get(bits >> (18 - 6 * place) & 63).copied().unwrap_or(b'A');
            text.push(char::from(letter));
        }
    }
    text
}
