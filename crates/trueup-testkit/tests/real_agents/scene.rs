//! A fresh home, a repository to work in, and an agent called in it with an
//! environment of named variables alone.
#![expect(clippy::expect_used, reason = "a test without its scene is over")]

use serde_json::{Value, json};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;
use trueup_testkit::{
    agents,
    model_server::{ModelServer, Tokens},
};

/// Where an agent works.
pub(crate) struct Scene {
    folder: TempDir,
}

/// How an agent ended, and the JSON lines it printed.
#[derive(Debug)]
pub(crate) struct Ended {
    code: Option<i32>,
    pub(crate) lines: Vec<Value>,
    stderr: String,
}

impl Scene {
    /// A fresh one, with a temporary folder of its own: wherever the checkout
    /// lies, its home is not below that, where Codex keeps no programs.
    pub(crate) fn new() -> Self {
        let folder = TempDir::with_prefix_in("scene-", env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let scene = Self { folder };
        for place in [scene.home().join(".codex"), scene.work(), scene.scratch()] {
            fs::create_dir_all(place).expect("a folder");
        }
        let made = Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(scene.work())
            .status();
        assert!(made.expect("git").success());
        scene
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn scratch(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// What a file of the repository holds, if it is there.
    pub(crate) fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.work().join(name)).ok()
    }

    /// Calls Claude Code with the model's address, and further variables.
    pub(crate) fn claude(&self, version: &str, server: &ModelServer, variables: &[(&str, &str)]) -> Ended {
        let mut command = self.command(&agents::claude(version));
        command
            .args(["-p", "Create hello.txt", "--output-format", "stream-json", "--verbose"])
            .args(["--model", "claude-sonnet-4-5", "--dangerously-skip-permissions"])
            .env("ANTHROPIC_BASE_URL", server.url())
            // It refuses to skip permissions as root unless told it is walled in.
            .env("IS_SANDBOX", "1")
            .env("TMPDIR", self.home())
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("DISABLE_TELEMETRY", "1")
            .env("DISABLE_ERROR_REPORTING", "1")
            .envs(variables.iter().copied());
        ended(command)
    }

    /// Calls Codex with this provider's lines in its configuration.
    pub(crate) fn codex(&self, server: &ModelServer, provider: &str, variables: &[(&str, &str)]) -> Ended {
        let configuration = format!(
            "model = \"scripted-model\"\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n\
             cli_auth_credentials_store = \"file\"\nchatgpt_base_url = \"{url}/backend-api\"\n\
             [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\n{provider}\n\
             [analytics]\nenabled = false\n\
             [features]\nplugins = false\napps = false\nunbounded_connection_retries = false\n",
            url = server.url()
        );
        let home = self.home().join(".codex");
        fs::write(home.join("config.toml"), configuration).expect("a configuration");
        let mut command = self.command(&agents::codex());
        command
            .args(["exec", "--json", "-s", "danger-full-access", "Create hello.txt"])
            .env("CODEX_HOME", home)
            .envs(variables.iter().copied());
        ended(command)
    }

    /// Signs Codex in with these tokens.
    pub(crate) fn sign_codex_in(&self, tokens: &Tokens) {
        let held = json!({
            "auth_mode": "chatgpt", "OPENAI_API_KEY": null, "last_refresh": "2026-01-01T00:00:00Z",
            "tokens": {
                "id_token": tokens.identity, "access_token": tokens.access,
                "refresh_token": tokens.refresh, "account_id": "account-1",
            },
        });
        fs::write(self.home().join(".codex/auth.json"), held.to_string()).expect("a sign-in");
    }

    /// The refresh token Codex holds now.
    pub(crate) fn codex_refresh_token(&self) -> String {
        let held = fs::read_to_string(self.home().join(".codex/auth.json")).expect("a sign-in");
        let held: Value = serde_json::from_str(&held).expect("a sign-in");
        held["tokens"]["refresh_token"].as_str().unwrap_or_default().to_owned()
    }

    /// Types this into a shell in which `claude` and `codex` are known.
    pub(crate) fn types(&self, text: &str) -> Ended {
        let known = self.folder.path().join("bin");
        fs::create_dir_all(&known).expect("a folder");
        let newest = agents::CLAUDE_VERSIONS.map(agents::claude);
        let newest = newest.first().expect("a version");
        for (name, program) in [("claude", newest), ("codex", &agents::codex())] {
            let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display());
            fs::write(known.join(name), script).expect("a program");
            fs::set_permissions(known.join(name), fs::Permissions::from_mode(0o755)).expect("the right to run it");
        }
        let mut command = self.command(Path::new("/bin/sh"));
        command
            .args(["-e", "-c", text])
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", known.display()));
        ended(command)
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.home())
            .env("TMPDIR", self.scratch())
            .env("LANG", "C.UTF-8")
            .current_dir(self.work())
            .stdin(Stdio::null());
        command
    }
}

impl Ended {
    /// It ended with this exit code; if not, all that it said is shown.
    #[track_caller]
    pub(crate) fn with_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{:#?}\n{}", self.lines, self.stderr);
        self
    }

    /// The line of this type that came last.
    pub(crate) fn line(&self, kind: &str) -> &Value {
        let found = self.lines.iter().rev().find(|line| line["type"] == kind);
        found.unwrap_or(&Value::Null)
    }
}

fn ended(mut command: Command) -> Ended {
    let output = command.output().expect("an agent");
    let text = String::from_utf8_lossy(&output.stdout);
    Ended {
        code: output.status.code(),
        lines: text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
