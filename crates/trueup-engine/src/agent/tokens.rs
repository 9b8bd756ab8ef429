//! What of each agent's sign-in file is a sign-in, and what of that is renewed.

use serde_json::{Map, Value};

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
    pub(super) fn renew(self, whole: &Value, renewed: &Value) -> Option<Value> {
        let old = self.tokens(whole)?;
        let (old, renewed) = (old.as_object()?, renewed.as_object()?);
        let same_kind = |(name, value): (&String, &Value)| renewed.get(name).is_some_and(|new| fits(value, new));
        if !old.iter().all(same_kind) {
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
        (Value::String(_), Value::String(new)) => !new.is_empty() && new.len() < 64 * 1024,
        (Value::Number(_), Value::Number(_)) => true,
        (old, new) => old == new,
    }
}

/// A value as it is written.
pub(super) fn bytes(value: &Value) -> Vec<u8> {
    // A value made of nothing but values can be written.
    serde_json::to_vec_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Account;
    use serde_json::json;

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
        let renewed = Account::Codex.renew(&file, &Account::Codex.tokens(&copy).expect("tokens"));
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
            let tokens = Account::Claude.tokens(&wrong).expect("an object");
            assert_eq!(Account::Claude.renew(&file, &tokens), None, "{wrong}");
        }
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
