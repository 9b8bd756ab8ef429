//! A household whose agent is a real one, and the model it asks.

use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use trueup_testkit::{
    agents,
    household::Household,
    model_server::{ModelServer, Reply, Request, Scripts},
};

/// A key that opens nothing.
pub(crate) const KEY: &str = "sk-test-opens-nothing-0001";

/// A real agent of one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Claude(&'static str),
    Codex,
}

/// Every agent that is driven.
pub(crate) const EVERYBODY: [Who; 3] = [Who::Claude("2.1.325"), Who::Claude("2.1.197"), Who::Codex];

impl Who {
    /// Its executable.
    pub(crate) fn program(self) -> PathBuf {
        match self {
            Self::Claude(version) => agents::claude(version),
            Self::Codex => agents::codex(),
        }
    }

    /// Its table in `trueup.toml`.
    fn table(self, url: &str) -> String {
        let program = self.program();
        match self {
            Self::Claude(_) => format!(
                "[agent.real]\nkind = \"claude-code\"\ncommand = [{:?}]\nmodel = \"claude-sonnet-4-5\"\n\
                 env = {{ ANTHROPIC_BASE_URL = {url:?}, ANTHROPIC_API_KEY = {KEY:?} }}\n",
                program.display().to_string(),
            ),
            Self::Codex => format!(
                "[agent.real]\nkind = \"codex\"\ncommand = [{:?}]\nmodel = \"scripted-model\"\nread = [{:?}]\n\
                 env = {{ OPENAI_BASE_URL = \"{url}/v1\", OPENAI_API_KEY = {KEY:?} }}\n",
                program.display().to_string(),
                // It finds its own helpers beside itself.
                program
                    .ancestors()
                    .nth(2)
                    .unwrap_or(Path::new("/"))
                    .display()
                    .to_string(),
            ),
        }
    }

    /// The same, signed in with a subscription instead of a key. Only then
    /// Claude Code passes on when a limit ends.
    fn table_with_subscription(self, url: &str) -> String {
        self.table(url).replace("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
    }

    /// Its name where something is measured.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Claude(version) => format!("claude-{version}"),
            Self::Codex => "codex".to_owned(),
        }
    }

    /// How many tokens its model holds, as it says itself.
    pub(crate) const fn window(self) -> u64 {
        match self {
            Self::Claude(_) => 200_000,
            Self::Codex => 258_400,
        }
    }

    /// What its provider answers when a usage limit is reached that ends so
    /// much later.
    pub(crate) fn limited(self, reset: Duration) -> Reply {
        let reply = Reply::status(429).resets_in(reset);
        match self {
            Self::Claude(_) => reply
                .error(
                    "rate_limit_error",
                    "This request would exceed the limit of your account.",
                )
                .header("anthropic-ratelimit-unified-status", "rejected")
                .header("anthropic-ratelimit-unified-representative-claim", "five_hour")
                .header("anthropic-ratelimit-unified-reset", "{reset}"),
            Self::Codex => reply
                .error("usage_limit_reached", "The usage limit has been reached")
                .error_field("plan_type", json!("pro"))
                .error_field("resets_at", json!("{reset}"))
                .header("x-codex-primary-used-percent", "100")
                .header("x-codex-primary-window-minutes", "300")
                .header("x-codex-primary-reset-at", "{reset}"),
        }
    }

    /// A reply that has a shell command run.
    pub(crate) fn shell(self, command: &str) -> Reply {
        match self {
            Self::Claude(_) => Reply::tool("Bash", json!({"command": command, "description": "work"})),
            Self::Codex => Reply::tool("exec_command", json!({"cmd": command})),
        }
    }
}

/// A household, its agent and the model that agent asks.
pub(crate) struct Scene {
    pub(crate) household: Household,
    pub(crate) model: ModelServer,
}

/// Makes the first criterion of the greeting true.
pub(crate) const GREET: &str = r#"echo 'echo "Hello, ${1:-world}"' > greet.sh"#;

/// Makes the last criterion of the greeting true.
pub(crate) const DESCRIBE: &str = r"printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md";

impl Scene {
    /// The greeting of [`Household::greeting`], with a real agent.
    pub(crate) fn new(who: Who, scripts: impl Into<Scripts>) -> Self {
        Self::with(who, scripts, |household| household)
    }

    /// The same, in a household that was changed a little.
    pub(crate) fn with(who: Who, scripts: impl Into<Scripts>, change: impl FnOnce(Household) -> Household) -> Self {
        let model = ModelServer::spawn(scripts);
        let household = change(Household::greeting(env!("CARGO_BIN_EXE_trueup")).in_real_time());
        let configuration = format!(
            "version = 1\n\n[agent]\ndefault = \"real\"\n\n{}",
            who.table(&model.url())
        );
        household.file("trueup.toml", &configuration);
        Self { household, model }
    }

    /// The same agent, signed in with a subscription.
    pub(crate) fn with_subscription(who: Who, scripts: impl Into<Scripts>) -> Self {
        let scene = Self::new(who, scripts);
        let table = who.table_with_subscription(&scene.model.url());
        let configuration = format!("version = 1\n\n[agent]\ndefault = \"real\"\n\n{table}");
        scene.household.file("trueup.toml", &configuration);
        scene
    }

    /// Gives the task this line in its front matter, instead of the last such one.
    pub(crate) fn budget(&self, line: &str) {
        let path = self.household.checkout().join("tasks/T-001.md");
        let text = std::fs::read_to_string(path).expect("the task");
        let kept = text.lines().filter(|line| !line.starts_with("budget:"));
        let lines: Vec<&str> = kept
            .flat_map(|kept| {
                if kept == "size: small" {
                    vec![kept, line]
                } else {
                    vec![kept]
                }
            })
            .collect();
        self.household.task("T-001", &(lines.join("\n") + "\n"));
    }

    /// Adds to the configuration.
    pub(crate) fn configure(&self, text: &str) {
        let path = self.household.checkout().join("trueup.toml");
        let before = std::fs::read_to_string(&path).expect("the configuration");
        self.household.file("trueup.toml", &format!("{before}\n{text}\n"));
    }

    /// The requests in which the agent asked for work, not for a title or a count.
    pub(crate) fn asked(&self) -> Vec<Request> {
        let requests = self.model.requests().into_iter();
        requests.filter(|request| request.offers_tools()).collect()
    }

    /// The endings of every turn, as the journal holds them.
    pub(crate) fn endings(&self) -> Vec<Value> {
        let events = self.household.events("T-001").into_iter();
        let turns = events.filter(|event| event["type"] == "turn_ended");
        turns.map(|event| event["outcome"]["ending"].clone()).collect()
    }
}
