//! The settings Codex reads from its home. They are the engine's: a person's
//! own settings, hooks and plugins never enter.

use serde_json::Value;

/// A provider of models that Codex does not know by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its name; one of Codex's own (`openai`, …) is refused by it.
    pub name: String,
    /// Where its API lies, up to `/v1`.
    pub base_url: String,
    /// How it knows who asks.
    pub key: Key,
}

/// How a provider knows who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// By the key in this variable.
    Variable(String),
    /// By the sign-in that Codex uses for its own provider.
    SignIn,
}

/// The text of `config.toml`.
///
/// The sign-in is the file that lies beside this text, not a keyring of the
/// person's. Plugins and apps are off because it asks other hosts for them at
/// every start, also with a provider of one's own; without the last line a refused connection
/// is tried again for ever. How often requests are tried again can be set for
/// a provider of one's own only: Codex refuses the names of its own there.
pub fn text(model: Option<&str>, provider: Option<&Provider>) -> String {
    let mut text = String::new();
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    if let Some(model) = model {
        line(&format!("model = {}", quoted(model)));
    }
    if let Some(provider) = provider {
        line(&format!("model_provider = {}", quoted(&provider.name)));
    }
    line("check_for_update_on_startup = false");
    line("cli_auth_credentials_store = \"file\"");
    if let Some(provider) = provider {
        line(&format!("[model_providers.{}]", quoted(&provider.name)));
        line(&format!("name = {}", quoted(&provider.name)));
        line(&format!("base_url = {}", quoted(&provider.base_url)));
        match &provider.key {
            Key::Variable(variable) => line(&format!("env_key = {}", quoted(variable))),
            Key::SignIn => line("requires_openai_auth = true"),
        }
        line("wire_api = \"responses\"");
        line("request_max_retries = 1");
        line("stream_max_retries = 1");
    }
    line("[analytics]");
    line("enabled = false");
    line("[features]");
    line("plugins = false");
    line("apps = false");
    line("unbounded_connection_retries = false");
    text
}

/// A TOML string. JSON's escapes are TOML's; only DEL must be escaped as well.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_names_cannot_leave_its_string() {
        let provider = Provider {
            name: "own\"]\n[hooks]".to_owned(),
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            key: Key::Variable("OWN_KEY".to_owned()),
        };
        let text = text(Some("a\\b\"c\u{7f}"), Some(&provider));
        assert!(text.starts_with("model = \"a\\\\b\\\"c\\u007f\"\nmodel_provider = \"own\\\"]\\n[hooks]\"\n"));
        assert!(!text.lines().any(|line| line.starts_with("[hooks]")));
        assert!(text.contains("env_key = \"OWN_KEY\"\n"));
        assert!(text.ends_with("plugins = false\napps = false\nunbounded_connection_retries = false\n"));
    }
}
