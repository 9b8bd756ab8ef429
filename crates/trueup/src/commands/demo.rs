//! `trueup demo`: a task going from red to proved, in a throw-away repository,
//! with a scripted agent that first claims more than it did.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    render,
};
use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};
use trueup_engine::workspace::git_program;

const FILES: [(&str, &str); 5] = [
    ("greet.sh", "echo \"Hello, world\"\n"),
    ("README.md", "# greet\n\nRun `sh greet.sh`.\n"),
    ("tests/by_name.sh", "test \"$(sh greet.sh Ada)\" = \"Hello, Ada\"\n"),
    ("tests/world.sh", "test \"$(sh greet.sh)\" = \"Hello, world\"\n"),
    ("tasks/T-001.md", TASK),
];

const TASK: &str = "\
---
v: 1
id: T-001
title: Greet by name
size: trivial
---

`greet.sh` greets the world. It should greet whomever it is given.

## Acceptance criteria

- [ ] **AC-1** `greet.sh Ada` greets Ada.
  - verify: `sh tests/by_name.sh`
- [ ] **AC-2** Without a name it still greets the world.
  - guard: `sh tests/world.sh`
- [ ] **AC-3** The README says how to greet by name.
  - verify: file README.md has /greet.sh NAME/
";

/// Carries the demo's task to proof, then removes everything.
pub(crate) fn demo(global: &Global) -> Result<Exit, Failure> {
    let folder = tempfile::Builder::new().prefix("trueup-demo-").tempdir()?;
    let repository = folder.path().join("greet");
    lay(&repository)?;
    if !global.json {
        render::note(
            "A throw-away repository, a task with three criteria, and a scripted agent that claims to be \
             done after its first turn. trueup runs the checks itself:\n",
        );
    }
    let mut run = Command::new(env::current_exe()?);
    run.args(["run", "T-001", "--no-next"])
        .current_dir(&repository)
        .stdin(Stdio::null());
    run.env("TRUEUP_STATE", folder.path().join("state"))
        .env("TRUEUP_TRUST", "1");
    if global.json {
        run.arg("--json");
    }
    if global.plain {
        run.arg("--plain");
    }
    let status = run.status()?;
    if !global.json {
        render::note(
            "\nThis repository is removed again, with its branch. In one of your own, a branch is merged as usual. \
             Begin there with:",
        );
        render::next(&["trueup init"]);
    }
    Ok(if status.success() {
        Exit::Verified
    } else {
        Exit::Unexpected
    })
}

fn lay(repository: &Path) -> Result<(), Failure> {
    for (name, text) in FILES {
        let path = repository.join(name);
        fs::create_dir_all(path.parent().unwrap_or(repository))?;
        fs::write(path, text)?;
    }
    let config = "version = 1\n\n[agent]\ndefault = \"demo\"\n\n[agent.demo]\nkind = \"command\"\ncommand = [\"trueup\", \"demo-agent\", \"greeting\"]\nnetwork = false\n";
    fs::write(repository.join("trueup.toml"), config)?;
    let git: [&[&str]; 5] = [
        &["init", "-q", "-b", "main"],
        &["config", "user.name", "trueup demo"],
        &["config", "user.email", "demo@example.invalid"],
        &["add", "-A"],
        &["-c", "commit.gpgsign=false", "commit", "-q", "-m", "A greeting"],
    ];
    let (program, _) = git_program().map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    for arguments in git {
        let status = Command::new(&program)
            .arg("-C")
            .arg(repository)
            .args(arguments)
            .status()?;
        if !status.success() {
            return Err(Failure::new(
                Exit::Unexpected,
                format!("git {} failed", arguments.join(" ")),
            ));
        }
    }
    Ok(())
}

/// The demo's agent: half the work and a bold claim first, the rest after it
/// was told what the checks saw.
pub(crate) fn agent() -> Result<Exit, Failure> {
    if env::var("TRUEUP_TURN").as_deref() == Ok("1") {
        fs::write("greet.sh", "echo \"Hello, ${1:-world}\"\n")?;
        render::line("All done, every criterion is met! <phase_complete>true</phase_complete>");
    } else {
        fs::write("README.md", "# greet\n\nRun `sh greet.sh NAME`.\n")?;
        render::line("I was told that the README lacked a line; now it has it.");
    }
    Ok(Exit::Verified)
}
