//! Where the real tools lie that sample projects are tested with.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "only tests live here, and a tool that is missing proves nothing"
)]

use std::{
    env,
    path::{Path, PathBuf},
};

/// The tools that `.ci/run` installs into a folder that sandboxes show.
#[derive(Clone, Debug)]
pub struct Tools {
    home: PathBuf,
}

impl Tools {
    /// Every tool that a project needs. One that is missing ends the test:
    /// what was not tried is not proved.
    pub fn find() -> Self {
        let home = PathBuf::from(env::var("HOME").expect("a home"));
        let tools = Self { home };
        for tool in ["pytest/bin/pytest", "vitest/node_modules/.bin/vitest"] {
            let path = tools.folder().join(tool);
            assert!(
                path.exists(),
                "`{}` is not installed; `.ci/run installers` would install it, see CONTRIBUTING.md",
                path.display()
            );
        }
        for tool in ["cargo", "go", "make", "cc", "npm"] {
            let found = env::split_paths(&tools.path()).any(|folder| folder.join(tool).is_file());
            assert!(found, "`{tool}` is not installed; see CONTRIBUTING.md");
        }
        tools
    }

    /// The person's home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder they lie in.
    pub fn folder(&self) -> PathBuf {
        self.home.join(".local/lib/trueup-ci")
    }

    /// The search path with all of them on it.
    pub fn path(&self) -> String {
        let path = env::var("PATH").unwrap_or_else(|_| panic!("a PATH"));
        let folder = self.folder();
        let folder = folder.display();
        format!("{folder}/pytest/bin:{folder}/bin:{path}")
    }
}
