//! Codex, by its `app-server`; where that cannot be had, by `exec --json`.

mod app_server;
pub mod config;
mod ending;
mod exec;
mod item;
mod meter;

pub use app_server::{AppServerDialogue, CodexPermissions, Start};
pub use config::{Key, Provider};
pub use exec::ExecDialogue;

use crate::sandbox::Mode;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use trueup_core::{
    memory::Memory,
    turn::{Permission, Policy},
};

/// Where OpenAI serves whoever has a key.
const OPENAI: &str = "https://api.openai.com/v1";

/// Codex as an agent.
#[derive(Clone, Debug)]
pub struct Codex {
    /// The executable, wherever it lies on this machine.
    pub program: PathBuf,
    /// The model it asks; its own choice where there is none.
    pub model: Option<String>,
    /// Arguments of a person's own, before ours.
    pub arguments: Vec<String>,
    /// Variables of a person's own: keys, a gateway. They win over ours.
    pub variables: BTreeMap<String, String>,
}

impl Codex {
    /// The arguments of `app-server`, without the program. All else is said
    /// in the conversation.
    pub fn argv(&self) -> Vec<String> {
        let mut argv = self.arguments.clone();
        argv.push("app-server".to_owned());
        argv
    }

    /// The arguments of `exec --json`, without the program. It reads the
    /// prompt from its standard input.
    pub fn exec_argv(&self, memory: &Memory, policy: &Policy, mode: Mode) -> Vec<String> {
        let leave = leave(policy.permission, mode);
        // `exec` has no flag for approvals: it never asks, so that what may
        // not be done must be kept off by its sandbox alone.
        let sandbox = match policy.permission {
            Permission::Everything => leave.sandbox,
            Permission::Edits => "workspace-write",
            Permission::Nothing => "read-only",
        };
        let mut argv: Vec<String> = ["exec", "--json", "--skip-git-repo-check", "-s", sandbox]
            .map(str::to_owned)
            .into();
        if let Memory::Continue { session } = memory {
            argv.extend(["fork".to_owned(), session.to_string()]);
        }
        argv.push("-".to_owned());
        argv
    }

    /// The variables of one call. `home` is where the agent sees its home: not
    /// below the temporary folder, where it refuses to put its own programs
    /// and, if there is a bubblewrap on the path, runs no command at all.
    pub fn environment(&self, home: &Path) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::from([("CODEX_HOME".to_owned(), home.display().to_string())]);
        variables.extend(self.variables.clone());
        variables
    }

    /// The text of `config.toml` in its home.
    pub fn config(&self) -> String {
        config::text(self.model.as_deref(), self.provider().as_ref())
    }

    /// Who serves the model where a person's variables say so, as for most of
    /// OpenAI's clients. `app-server` itself asks OpenAI without any key when
    /// one is only in a variable (0.166.0 reads its sign-in file alone), so
    /// that a key makes a provider even where no gateway is named.
    fn provider(&self) -> Option<Provider> {
        let keys = ["CODEX_API_KEY", "OPENAI_API_KEY"];
        let key = keys.into_iter().find(|name| self.variables.contains_key(*name));
        let gateway = self.variables.get("OPENAI_BASE_URL").map(String::as_str);
        Some(Provider {
            name: "gateway".to_owned(),
            base_url: gateway.or_else(|| key.map(|_| OPENAI))?.to_owned(),
            key: key.map_or(Key::SignIn, |name| Key::Variable(name.to_owned())),
        })
    }

    /// The conversation of one call with `app-server`. `folder` is the clone
    /// as the agent sees it.
    pub fn dialogue(
        &self,
        prompt: impl Into<String>,
        memory: &Memory,
        folder: &Path,
        leave: CodexPermissions,
    ) -> AppServerDialogue {
        AppServerDialogue::new(Start {
            prompt: prompt.into(),
            memory: memory.clone(),
            folder: folder.to_owned(),
            leave,
        })
    }
}

/// What Codex is left to do by itself. Behind our wall its own sandbox, which
/// is a bubblewrap too, cannot start; what it may not do, it asks for.
pub const fn leave(permission: Permission, mode: Mode) -> CodexPermissions {
    let sandbox = match (mode, permission) {
        (Mode::Bubblewrap | Mode::Outer, _) => "danger-full-access",
        (Mode::None, Permission::Everything | Permission::Edits) => "workspace-write",
        (Mode::None, Permission::Nothing) => "read-only",
    };
    let approval = match permission {
        Permission::Everything => "never",
        // It asks for every command, also for `ls`, and for every patch.
        Permission::Edits | Permission::Nothing => "untrusted",
    };
    CodexPermissions {
        sandbox,
        approval,
        permission,
    }
}
