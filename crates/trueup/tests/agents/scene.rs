//! A household whose agent is a real one, and the model it asks.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
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
    fn program(self) -> PathBuf {
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
