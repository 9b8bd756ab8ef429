//! No program of a repository runs on the machine itself, wherever it stands
//! on the PATH.

use std::{env, fs, os::unix::fs::PermissionsExt, process::Command};
use trueup_testkit::household::Household;

/// A household whose repository brings programs of its own, which tell that they ran.
fn with_programs() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let ran = household.folder().join("ran");
    for name in ["git", "bwrap", "sh", "env"] {
        let path = household.checkout().join("bin").join(name);
        household.file(
            &format!("bin/{name}"),
            &format!(
                "#!/bin/sh\necho {name} >> '{}'\nexec /usr/bin/{name} \"$@\"\n",
                ran.display()
            ),
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    household.commit("Programs");
    household
}

fn ran(household: &Household) -> String {
    fs::read_to_string(household.folder().join("ran")).unwrap_or_default()
}

#[test]
fn a_program_of_the_repository_is_never_run_on_the_machine() {
    let household = with_programs();
    let first = household.checkout().join("bin");
    let path = format!("{}:{}", first.display(), env::var("PATH").expect("a path"));
    let elsewhere = household.folder().to_owned();
    let checkout = household.checkout();
    for words in [
        &["status"][..],
        &["doctor"],
        &["check", "T-001"],
        &["run", "T-001"],
        &["show", "T-001"],
        &["gc"],
    ] {
        let mut inside = household.command(words);
        inside.env("PATH", &path).output().expect("trueup");
        assert_eq!(ran(&household), "", "{words:?}");
        let mut outside = household.command(&[]);
        outside
            .env("PATH", &path)
            .current_dir(&elsewhere)
            .arg("-C")
            .arg(&checkout);
        outside.args(words).output().expect("trueup");
        assert_eq!(ran(&household), "", "{words:?} from elsewhere");
    }
    let status = household.trueup(&["status"]).stdout;
    assert!(status.contains("verified"), "{status}");
    // The programs do tell when they run.
    let known_bad = Command::new("git").arg("version").env("PATH", &path).output();
    assert!(known_bad.expect("git").status.success());
    assert_eq!(ran(&household), "git\n");
}
