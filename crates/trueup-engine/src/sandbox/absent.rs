//! Why a program that a check calls is not found inside a sandbox, in words that
//! say what to change.

use super::{home::is_program, setup::Setup};
use std::{
    env,
    path::{Path, PathBuf},
};

/// What of a person decides which programs are found inside.
#[derive(Clone, Debug)]
pub(super) struct Hidden {
    /// Where the person's own shell looks.
    path: Vec<PathBuf>,
    repository: PathBuf,
    home: PathBuf,
    /// What the sandboxes show by configuration already.
    read: Vec<PathBuf>,
}

impl Hidden {
    pub(super) fn of(setup: &Setup) -> Self {
        Self {
            path: env::split_paths(&setup.path).collect(),
            repository: setup.repository.clone(),
            home: setup.home.clone(),
            read: setup.read.clone(),
        }
    }

    /// Why a program that nothing shows inside is not there.
    pub(super) fn why_absent(&self, word: &str) -> String {
        let absolute = self.path.iter().filter(|folder| folder.is_absolute());
        let Some(program) = absolute
            .map(|folder| folder.join(word))
            .find(|program| is_program(program))
        else {
            return format!("there is no program `{word}` on the PATH; install it");
        };
        if let Ok(inside) = program.strip_prefix(&self.repository) {
            let (inside, top) = (inside.display(), inside.iter().next().unwrap_or_default());
            return format!(
                "`{word}` is `{inside}` of your checkout, where no check looks for programs: write `{inside}`, \
                 and let a [prepare.NAME] in trueup.toml make `{}`",
                Path::new(top).display()
            );
        }
        let shown: Vec<String> = self.with(&program).iter().map(|path| format!("{path:?}")).collect();
        format!(
            "`{word}` is {}, which no sandbox shows: add `read = [{}]` under [sandbox] in trueup.toml",
            program.display(),
            shown.join(", ")
        )
    }

    /// What sandboxes would have to show for this program: where it is named and
    /// where that leads, each with what lies beside a `bin`.
    fn with(&self, program: &Path) -> Vec<PathBuf> {
        let mut shown = self.read.clone();
        let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        for place in [program, &real] {
            if !shown.iter().any(|folder| place.starts_with(folder)) {
                shown.push(self.round(place));
            }
        }
        shown
    }

    fn round(&self, program: &Path) -> PathBuf {
        let folder = program.parent().unwrap_or(program);
        let above = folder.parent().filter(|_| folder.ends_with("bin"));
        // A sandbox shows neither the whole home nor what holds it.
        let above = above.filter(|above| !self.home.starts_with(above));
        above.unwrap_or(folder).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Hidden;
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
        path::Path,
    };

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, "#!/bin/sh\n").expect("a program");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the right to run it");
    }

    #[test]
    fn a_program_that_no_sandbox_shows_is_told_with_the_setting_to_add() {
        let at = tempfile::tempdir().expect("folder");
        let at = at.path().canonicalize().expect("a real folder");
        for name in [
            "tools/bin/linter",
            "home/bin/mine",
            "apps/x/run",
            "checkout/.venv/bin/pytest",
        ] {
            program(&at.join(name));
        }
        fs::create_dir(at.join("links")).expect("a folder");
        symlink(at.join("apps/x/run"), at.join("links/x")).expect("a link");
        let folders = ["tools/bin", "home/bin", "links", "checkout/.venv/bin"].map(|folder| at.join(folder));
        let hidden = Hidden {
            path: [&["relative".into()], folders.as_slice()].concat(),
            repository: at.join("checkout"),
            home: at.join("home"),
            read: vec!["/opt/kept".into()],
        };
        let reads = |word: &str, folders: &[&str]| {
            let told = hidden.why_absent(word);
            let folders: Vec<String> = folders.iter().map(|folder| format!("{:?}", at.join(folder))).collect();
            let line = format!("add `read = [\"/opt/kept\", {}]` under [sandbox]", folders.join(", "));
            assert!(told.contains(&line), "{told}");
        };
        reads("linter", &["tools"]);
        reads("mine", &["home/bin"]);
        reads("x", &["links", "apps/x"]);
        let own = hidden.why_absent("pytest");
        assert!(
            own.contains("write `.venv/bin/pytest`") && own.contains("make `.venv`"),
            "{own}"
        );
        assert_eq!(
            hidden.why_absent("nobodys"),
            "there is no program `nobodys` on the PATH; install it"
        );
    }
}
