//! What a run costs beside a real agent: turns of Claude Code through trueup,
//! against a shell loop that calls the same program with the same flags, both
//! asking the same scripted model. That answers at once, so that nothing of
//! ours hides behind its thinking.

use crate::meter::{Bound, Figure, demand, in_turns, is_full, rounds, timed};
use serde_json::json;
use std::{fs, path::PathBuf, process::Command, time::Duration};
use trueup_testkit::{
    agents,
    household::{Household, output},
    model_server::{ModelServer, Reply, Script},
};

/// The version that is measured.
const VERSION: &str = "2.1.325";

const MODEL: &str = "claude-sonnet-4-5";

/// A key that opens nothing.
const KEY: &str = "sk-test-opens-nothing-0001";

/// A goal that stays red until the last turn, and costs nothing to look at.
const TASK: &str = "\
---
v: 1
id: T-001
title: Finish
size: small
---

Work step by step; finish in the last step.

## Acceptance criteria

- [ ] **AC-1** It is said that all is done.
  - verify: file DONE.md has /done/
";

/// What the loop does that trueup does: a fresh conversation first, then
/// always a fork of the last.
const LOOP: &str = r#"
session=
for turn in $(seq "$TURNS"); do
  set --
  if [ -n "$session" ]; then set -- --resume "$session" --fork-session; fi
  if [ -n "$SETTINGS" ]; then set -- "$@" --permission-prompt-tool stdio --settings "$SETTINGS"; fi
  printf '%s\n' "$MESSAGE" | "$CLAUDE" -p --input-format stream-json --output-format stream-json --verbose \
    --include-partial-messages --model "$MODEL" --permission-mode "$PERMISSION" "$@" > ../said.jsonl
  session=$(sed -n 's/.*"session_id":"\([^"]*\)".*/\1/p' ../said.jsonl | tail -n 1)
done
grep --quiet done DONE.md
"#;

/// The wall round the agent, as both subjects have it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walls {
    With,
    Without,
}

impl Walls {
    const fn mode(self) -> &'static str {
        match self {
            Self::With => "bubblewrap",
            Self::Without => "none",
        }
    }

    /// What the agent is left to do, in its own words: mode, and settings.
    const fn leave(self) -> (&'static str, &'static str) {
        match self {
            Self::With => ("bypassPermissions", ""),
            Self::Without => (
                "acceptEdits",
                r#"{"sandbox":{"enabled":true,"autoAllowBashIfSandboxed":true,"allowUnsandboxedCommands":false}}"#,
            ),
        }
    }
}

/// All that a small task may take, or fewer.
fn turns() -> usize {
    if is_full() { 20 } else { 6 }
}

/// Two requests a turn: a file is written, and that is said.
fn script() -> Script {
    let turn = |number: usize| {
        let (file, text) = match number == turns() {
            true => ("DONE.md".to_owned(), "done\n"),
            false => (format!("step-{number}.md"), "a step\n"),
        };
        let input = json!({"file_path": file, "content": text});
        [Reply::tool("Write", input), Reply::text("A step is done.")]
    };
    Script::new((1..=turns()).flat_map(turn))
}

struct Subject {
    model: ModelServer,
    walls: Walls,
    program: PathBuf,
}

impl Subject {
    fn new(walls: Walls) -> Self {
        Self {
            model: ModelServer::spawn(script()),
            walls,
            program: agents::claude(VERSION),
        }
    }

    fn household(&self) -> Household {
        self.model.replace(script());
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "")
            .in_real_time()
            .with_variable("TRUEUP_SANDBOX", self.walls.mode());
        household.file(
            "trueup.toml",
            &format!(
                "version = 1\n\n[agent]\ndefault = \"real\"\n\n[agent.real]\nkind = \"claude-code\"\ncommand = [{:?}]\n\
                 model = \"{MODEL}\"\nenv = {{ ANTHROPIC_BASE_URL = {:?}, ANTHROPIC_API_KEY = \"{KEY}\" }}\n",
                self.program.display().to_string(),
                self.model.url(),
            ),
        );
        household.task("T-001", TASK);
        household.commit("Something to work on");
        household
    }

    /// A run, from its start to its verdict and branch.
    fn ours(&self) -> Duration {
        let household = self.household();
        let took = timed(|| {
            let ended = household.trueup(&["run", "T-001"]);
            assert_eq!(ended.code, 0, "{ended:#?}");
        });
        assert_eq!(household.show("T-001")["turns"], turns());
        took
    }

    /// The loop, in a folder and a home as fresh.
    fn bare(&self) -> Duration {
        let household = self.household();
        let home = household.folder().join("claude");
        fs::create_dir(&home).expect("a folder");
        let (permission, settings) = self.walls.leave();
        let message = json!({"type": "user", "message": {"role": "user", "content": TASK}});
        let mut bash = Command::new("bash");
        household.furnish(&mut bash);
        bash.args(["-euc", LOOP]).env("CLAUDE_CONFIG_DIR", home);
        if self.walls == Walls::With {
            bash.env("IS_SANDBOX", "1");
        }
        for name in [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
            "CLAUDE_CODE_MAX_RETRIES",
        ] {
            bash.env(name, "1");
        }
        bash.env("ANTHROPIC_BASE_URL", self.model.url())
            .env("ANTHROPIC_API_KEY", KEY)
            .env("CLAUDE", &self.program)
            .env("MODEL", MODEL)
            .env("PERMISSION", permission)
            .env("SETTINGS", settings)
            .env("MESSAGE", message.to_string())
            .env("TURNS", turns().to_string());
        timed(|| {
            let ended = output(&mut bash);
            assert_eq!(ended.code, 0, "{ended:#?}");
        })
    }

    fn ratio(&self, name: &str, most: f64) -> Figure {
        let times = in_turns(rounds(2, 5), || self.ours(), || self.bare());
        Figure::ratio(name, &times, Bound::AtMost(most))
    }
}

#[test]
fn a_run_costs_little_beside_a_real_agent() {
    let without = Subject::new(Walls::Without).ratio("real_agent_without_sandboxes", 1.10);
    let with = Subject::new(Walls::With).ratio("real_agent_with_sandboxes", 1.15);
    // Two pairs on a shared machine differ by more than what is measured.
    demand(&[without.with_slack(1.5), with.with_slack(1.5)]);
}
