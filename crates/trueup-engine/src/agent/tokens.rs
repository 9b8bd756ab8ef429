//! What of each agent's sign-in file is a sign-in, and what of that is renewed.

use serde_json::{Map, Value};
use std::{
    fs::File,
    io::{self, Read},
};
use trueup_core::id::Timestamp;

/// No token is so long.
pub(super) const LONGEST_TOKEN: usize = 16 * 1024;

/// No renewal lasts longer, in milliseconds.
const LONGEST_RENEWAL: i64 = 400 * 24 * 60 * 60 * 1000;

/// No sign-in file is larger.
const LARGEST: u64 = 1 << 20;

/// The bytes of a sign-in file.
pub(super) fn read_all(file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whose sign-in it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Claude Code's.
    Claude,
    /// Codex's.
    Codex,
}

impl Account {
    /// Variables that sign in without any file.
    pub(super) const fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
            Self::Codex => &["OPENAI_API_KEY", "CODEX_API_KEY"],
        }
    }

    /// The variable that names the folder of a person's settings, and where
    /// that lies in a home without it.
    pub(super) const fn folder(self) -> (&'static str, &'static str) {
        match self {
            Self::Claude => ("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => ("CODEX_HOME", ".codex"),
        }
    }

    /// The file of a sign-in.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Claude => ".credentials.json",
            Self::Codex => "auth.json",
        }
    }

    /// What changes when a sign-in is renewed: the object that holds it, and names in it.
    const fn renewed(self) -> &'static [(&'static str, &'static [&'static str])] {
        match self {
            Self::Claude => &[(
                "/claudeAiOauth",
                &["accessToken", "refreshToken", "expiresAt", "refreshTokenExpiresAt"],
            )],
            Self::Codex => &[
                ("/tokens", &["access_token", "id_token", "refresh_token"]),
                ("", &["last_refresh"]),
            ],
        }
    }

    /// The sign-in in a file; null if there is none. Other sign-ins that lie
    /// there, such as those to a person's tool servers, are not the agent's.
    pub(super) fn part(self, whole: &Value) -> Value {
        match self {
            Self::Claude => match whole.get("claudeAiOauth") {
                Some(part @ Value::Object(_)) => serde_json::json!({ "claudeAiOauth": part }),
                Some(_) | None => Value::Null,
            },
            Self::Codex => match whole {
                Value::Object(_) => whole.clone(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Value::Null,
            },
        }
    }

    /// The tokens of a sign-in, and when they were made or end.
    pub(super) fn tokens(self, whole: &Value) -> Option<Value> {
        let mut tokens = Map::new();
        for (place, names) in self.renewed() {
            let Some(holder) = whole.pointer(place).and_then(Value::as_object) else {
                continue;
            };
            for name in *names {
                if let Some(value) = holder.get(*name) {
                    tokens.insert(format!("{place}/{name}"), value.clone());
                }
            }
        }
        whole.is_object().then_some(Value::Object(tokens))
    }

    /// A person's file with renewed tokens in it; nothing if these cannot be
    /// the renewal of those.
    pub(super) fn renew(self, whole: &Value, renewed: &Value, now: Timestamp) -> Option<Value> {
        let old = self.tokens(whole)?;
        let (old, renewed) = (old.as_object()?, renewed.as_object()?);
        let same_kind = |(name, value): (&String, &Value)| renewed.get(name).is_some_and(|new| fits(value, new));
        if !old.iter().all(same_kind) || !self.goes_on(old, renewed, now) {
            return None;
        }
        let mut whole = whole.clone();
        for (name, value) in renewed {
            let (place, name) = name.rsplit_once('/')?;
            let holder = whole.pointer_mut(place)?.as_object_mut()?;
            if matches!(value, Value::String(_) | Value::Number(_)) {
                holder.insert(name.to_owned(), value.clone());
            }
        }
        Some(whole)
    }

    /// Whether these tokens can go on from those: Claude's end later, Codex's
    /// name the same account. Nobody's signature is checked.
    fn goes_on(self, old: &Map<String, Value>, new: &Map<String, Value>, now: Timestamp) -> bool {
        match self {
            Self::Claude => {
                let ends = |tokens: &Map<String, Value>| tokens.get("/claudeAiOauth/expiresAt").cloned();
                let before = ends(old).as_ref().and_then(Value::as_i64);
                let latest = now.0.saturating_add(LONGEST_RENEWAL);
                let later = |after: i64| after <= latest && before.is_none_or(|before| before < after);
                ends(new).is_none_or(|after| after.is_null() || after.as_i64().is_some_and(later))
            }
            Self::Codex => ["/tokens/id_token", "/tokens/access_token"].iter().all(|name| {
                let named = |tokens: &Map<String, Value>| tokens.get(*name).and_then(Value::as_str).and_then(account);
                named(old).is_none_or(|old| named(new) == Some(old))
            }),
        }
    }

    /// What must not be shown of a sign-in, by name.
    pub(super) fn secrets(self, whole: &Value) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        let key = whole.get("OPENAI_API_KEY").filter(|_| self == Self::Codex);
        let tokens = self.tokens(whole).unwrap_or_default();
        let named = tokens
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value));
        for (name, value) in named.chain(key.map(|key| ("OPENAI_API_KEY", key))) {
            if let Some(text) = value.as_str().filter(|_| !name.ends_with("last_refresh")) {
                let name = name.rsplit('/').next().unwrap_or(name);
                texts.push((name.to_owned(), text.to_owned()));
            }
        }
        texts
    }
}

/// Whether one value can have taken the place of another.
fn fits(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::String(_), Value::String(new)) => !new.is_empty() && new.len() < LONGEST_TOKEN,
        (Value::Number(_), Value::Number(_)) => true,
        (old, new) => old == new,
    }
}

/// Whom a token names that can be read: its subject, and the account.
fn account(token: &str) -> Option<(Value, Value)> {
    let mut parts = token.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    let claims: Value = serde_json::from_slice(&from_base64(claims)?).ok()?;
    let account = claims.pointer("/https:~1~1api.openai.com~1auth/chatgpt_account_id");
    Some((
        claims.get("sub").cloned().unwrap_or_default(),
        account.cloned().unwrap_or_default(),
    ))
}

/// What stands in base64 for addresses, with or without padding.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        (bits, held) = (bits << 6 | u32::from(six), held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 255).ok()?);
        }
    }
    Some(bytes)
}

/// A value as it is written.
pub(super) fn bytes(value: &Value) -> Vec<u8> {
    // A value made of nothing but values can be written.
    serde_json::to_vec_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Account, LONGEST_RENEWAL};
    use serde_json::{Value, json};
    use trueup_core::id::Timestamp;

    const NOW: Timestamp = Timestamp(1_000_000);

    fn renew(account: Account, file: &Value, copy: &Value) -> Option<Value> {
        account.renew(file, &account.tokens(copy).expect("an object"), NOW)
    }

    #[test]
    fn only_the_agents_own_sign_in_is_handed_out() {
        let file = json!({"claudeAiOauth": {"accessToken": "a"}, "mcpOAuth": {"server": {"accessToken": "b"}}});
        assert_eq!(
            Account::Claude.part(&file),
            json!({"claudeAiOauth": {"accessToken": "a"}})
        );
        assert!(Account::Claude.part(&json!({"mcpOAuth": {}})).is_null());
        assert!(Account::Codex.part(&json!([1])).is_null());
    }

    #[test]
    fn a_renewal_changes_tokens_and_nothing_else() {
        let file =
            json!({"OPENAI_API_KEY": null, "tokens": {"access_token": "a", "refresh_token": "r", "account_id": "me"}});
        let copy = json!({"OPENAI_API_KEY": "theirs", "last_refresh": "now", "hooks": 1,
            "tokens": {"access_token": "b", "refresh_token": "s", "account_id": "them"}});
        let renewed = renew(Account::Codex, &file, &copy);
        let expected = json!({"OPENAI_API_KEY": null, "last_refresh": "now",
            "tokens": {"access_token": "b", "refresh_token": "s", "account_id": "me"}});
        assert_eq!(renewed, Some(expected));
    }

    #[test]
    fn what_cannot_be_a_renewal_is_none() {
        let file = json!({"claudeAiOauth": {"accessToken": "a", "refreshToken": "r", "expiresAt": 1}});
        for wrong in [
            json!({}),
            json!({"claudeAiOauth": {}}),
            json!({"claudeAiOauth": {"accessToken": "b", "expiresAt": 2}}),
            json!({"claudeAiOauth": {"accessToken": "b", "refreshToken": "", "expiresAt": 2}}),
            json!({"claudeAiOauth": {"accessToken": "b", "refreshToken": ["s"], "expiresAt": 2}}),
        ] {
            assert_eq!(renew(Account::Claude, &file, &wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_renewal_ends_later_and_not_in_years() {
        let file = |ends: Value| json!({"claudeAiOauth": {"accessToken": "a", "expiresAt": ends}});
        let latest = NOW.0 + LONGEST_RENEWAL;
        for (ends, good) in [
            (json!(9), false),
            (json!(10), false),
            (json!(11), true),
            (json!(latest), true),
            (json!(latest + 1), false),
            (json!(11.5), false),
            (json!(u64::MAX), false),
        ] {
            let renewed = renew(Account::Claude, &file(json!(10)), &file(ends.clone()));
            assert_eq!(renewed.is_some(), good, "{ends}");
        }
    }

    #[test]
    fn a_renewal_names_the_account_that_was_named_before() {
        // {"sub":"me","https://api.openai.com/auth":{"chatgpt_account_id":"a-1"}}, and others.
        const MINE: &str =
            "eyJzdWIiOiJtZSIsImh0dHBzOi8vYXBpLm9wZW5haS5jb20vYXV0aCI6eyJjaGF0Z3B0X2FjY291bnRfaWQiOiJhLTEifX0";
        const OTHER_ACCOUNT: &str =
            "eyJzdWIiOiJtZSIsImh0dHBzOi8vYXBpLm9wZW5haS5jb20vYXV0aCI6eyJjaGF0Z3B0X2FjY291bnRfaWQiOiJhLTIifX0";
        const OTHER_SUBJECT: &str =
            "eyJzdWIiOiJ5b3UiLCJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9hY2NvdW50X2lkIjoiYS0xIn19";
        let file = |identity: &str, access: &str| json!({"tokens": {"id_token": identity, "access_token": access}});
        let token = |claims: &str, signature: &str| format!("e30.{claims}.{signature}");
        let mine = file(&token(MINE, "one"), &token(MINE, "one"));
        let good = token(MINE, "two");
        assert!(renew(Account::Codex, &mine, &file(&good, &good)).is_some());
        for wrong in [
            token(OTHER_ACCOUNT, "two"),
            token(OTHER_SUBJECT, "two"),
            token("e30", "two"),
            token("?", "two"),
            "opaque".to_owned(),
        ] {
            assert_eq!(renew(Account::Codex, &mine, &file(&wrong, &good)), None, "{wrong}");
            assert_eq!(renew(Account::Codex, &mine, &file(&good, &wrong)), None, "{wrong}");
        }
        let opaque = file("opaque", "opaque");
        assert!(
            renew(Account::Codex, &opaque, &mine).is_some(),
            "who named nobody may name somebody"
        );
    }

    #[test]
    fn every_token_is_a_secret_and_a_date_is_none() {
        let file =
            json!({"OPENAI_API_KEY": "k", "last_refresh": "now", "tokens": {"access_token": "a", "id_token": "i"}});
        let names: Vec<String> = Account::Codex
            .secrets(&file)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["access_token", "id_token", "OPENAI_API_KEY"]);
    }
}
