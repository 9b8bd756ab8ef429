//! `trueup init`: set up a repository, changing nothing that is there.

use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::{fs, io::Write, path::Path};

const CONFIG: &str = "\
# What trueup may do in this repository. Every key, commented: docs/configuration.md
version = 1

[project]
base = \"HEAD\"        # the revision tasks start from

[agent]
# default = \"mine\"   # which agent works unless a task says otherwise

# [agent.mine]
# kind = \"command\"
# command = [\"./agent.sh\"]   # any executable; the prompt comes on standard input

# [checks.test]             # then write `- verify: test` in a task
# run = \"make test\"
# timeout = \"10m\"
";

/// Sets up the repository round the folder.
pub(crate) fn init(global: &Global) -> Result<Exit, Failure> {
    let project = Project::find(&global.folder)?;
    let tasks = project.tasks_folder();
    fs::create_dir_all(&tasks)?;
    let files = [
        (project.checkout.join("trueup.toml"), CONFIG),
        (tasks.join(".gitignore"), "hidden/\n"),
    ];
    let mut written = Vec::new();
    for (path, text) in files {
        if write_new(&path, text)? {
            written.push(
                path.strip_prefix(&project.checkout)
                    .unwrap_or(&path)
                    .display()
                    .to_string(),
            );
        }
    }
    // What was just written names no command, so it is trusted as it stands.
    if written.iter().any(|name| name == "trueup.toml") {
        Project::find(&global.folder)?.trust()?;
    }
    if global.json {
        render::json(&serde_json::json!({ "v": 1, "written": written }))?;
    } else if written.is_empty() {
        render::line("Nothing to write: trueup.toml and the tasks folder are there already.");
    } else {
        render::line(&format!("Wrote {}.", written.join(" and ")));
        render::next(&["trueup new \"What shall be done\"", "trueup doctor"]);
    }
    Ok(Exit::Verified)
}

/// Writes a file unless something is there; says whether it did.
fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    match fs::File::create_new(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes())?;
            Ok(true)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.into()),
    }
}
