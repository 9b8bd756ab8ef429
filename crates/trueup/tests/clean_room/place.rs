//! A repository with work to do, and an agent with a folder of its own beside
//! it that outlives every sandbox.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};
use trueup_testkit::household::Household;

/// A repository whose agent may write to a folder beside it, `$SIDE`.
pub(crate) struct Place {
    pub(crate) household: Household,
}

impl Place {
    /// With these files, and this agent.
    pub(crate) fn new(files: &[(&str, &str)], agent: &str) -> Self {
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), agent);
        let place = Self { household };
        fs::create_dir(place.side()).expect("folder");
        let (script, side) = (place.household.agent(), place.side());
        let (script, side) = (script.display(), side.display());
        place.household.file(
            "trueup.toml",
            &format!(
                "[agent]\ndefault = \"script\"\n\n[agent.script]\nkind = \"command\"\ncommand = [\"{script}\"]\n\
                 write = [\"{side}\"]\nenv = {{ SIDE = \"{side}\" }}\n"
            ),
        );
        for (name, text) in files {
            place.household.file(name, text);
        }
        place
    }

    /// The folder of the agent's own.
    pub(crate) fn side(&self) -> PathBuf {
        self.household.folder().join("side")
    }

    /// What the agent left in its folder under this name.
    pub(crate) fn left(&self, name: &str) -> Option<String> {
        let bytes = fs::read(self.side().join(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Lays an executable file into the hidden folder of `T-001`, a task in this folder.
    pub(crate) fn hide(&self, folder: &str, name: &str, text: &str) {
        let path = format!("{folder}/hidden/T-001/{name}");
        self.household.file(&path, text);
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.household.checkout().join(path), executable).expect("mode");
    }

    /// Whether the run of `T-001` delivered what it verified.
    pub(crate) fn delivered(&self) -> bool {
        let show = self.household.show("T-001");
        let tree = ["rev-parse", "--verify", "--quiet", "trueup/T-001^{tree}"];
        let tree = self.household.try_git(&tree);
        show["outcome"] == "verified" && tree.code == 0 && show["tree"] == tree.stdout.trim()
    }
}
