//! `trueup doctor --bundle`: a folder with what a bug report needs, and
//! nothing that is nobody's business.
//!
//! What cannot be found out is told as that: whoever writes a report has a
//! fault already, and needs no second one.

mod contents;
mod left_out;

use super::doctor::Examined;
use crate::{
    args::Global,
    exit::{Exit, Failure},
    project::Project,
    render,
    secrets::secrets,
};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};
use trueup_engine::{redact::Secrets, state::make_private};

const README: &str = include_str!("README.md");

/// Writes the folder, and says where it lies and what to do with it.
pub(super) fn bundle(
    project: &Project,
    examined: &[Examined],
    folder: Option<&Path>,
    global: &Global,
) -> Result<Exit, Failure> {
    let folder = folder.map_or_else(|| usual(project), Path::to_owned);
    let folder = std::path::absolute(folder)?;
    demand_empty(&folder)?;
    let mut bundle = Bundle {
        redaction: Redaction::of(project),
        folder,
        written: Vec::new(),
    };
    bundle.write("README.md", README)?;
    bundle.write_json("versions.json", &contents::versions(project))?;
    bundle.write_json("doctor.json", &contents::examined(examined))?;
    bundle.write_json("configuration.json", &contents::configuration(project))?;
    bundle.write_json("state.json", &contents::state(project))?;
    let (headlines, histories) = contents::last_runs_of(project);
    bundle.write_json("runs.json", &headlines)?;
    for (run, events) in histories {
        bundle.write(&format!("{run}.events.jsonl"), &events)?;
    }
    if let Some(log) = global.log_file.as_deref().and_then(contents::end_of_log) {
        bundle.write("log.txt", &log)?;
    }
    bundle.tell(global)
}

/// Where it goes unless somebody says otherwise: not into the checkout, where
/// it would be uncommitted work.
fn usual(project: &Project) -> PathBuf {
    let seconds = project.clock.now().0 / 1000;
    std::env::temp_dir().join(format!("trueup-bundle-{seconds}"))
}

/// Nothing of the person's is mixed with it, and nothing old is sent along.
fn demand_empty(folder: &Path) -> Result<(), Failure> {
    let refuse = |what: String| {
        let next = "trueup doctor --bundle another-folder";
        Err(Failure::new(Exit::Usage, what).next(next))
    };
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(1..) => refuse(format!("{} is not empty", folder.display())),
        Ok(0) => Ok(make_private(folder)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(make_private(folder)?),
        Err(error) => refuse(format!("{}: {error}", folder.display())),
    }
}

/// The folder while it is written.
struct Bundle {
    redaction: Redaction,
    folder: PathBuf,
    written: Vec<String>,
}

impl Bundle {
    fn write_json(&mut self, name: &str, value: &serde_json::Value) -> Result<(), Failure> {
        self.write(name, &(serde_json::to_string_pretty(value)? + "\n"))
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let opened = File::options().write(true).create_new(true).mode(0o600).open(path);
        opened?.write_all(self.redaction.over(text).as_bytes())?;
        self.written.push(name.to_owned());
        Ok(())
    }

    fn tell(self, global: &Global) -> Result<Exit, Failure> {
        let folder = self.folder.display().to_string();
        if global.json {
            render::json(&serde_json::json!({ "v": 1, "folder": folder, "files": self.written }))?;
            return Ok(Exit::Verified);
        }
        render::line(&format!(
            "Wrote {folder}: {}, for your eyes only.",
            render::count(self.written.len(), "file")
        ));
        render::note("Secrets, texts of tasks and prompts, code, and what programs printed were left out.");
        render::note("Look through it before you send it; README.md says what is inside:");
        render::next(&[
            &format!("less {folder}/*"),
            &format!("tar -czf trueup-bundle.tar.gz -C {folder} ."),
        ]);
        Ok(Exit::Verified)
    }
}

/// What every file of it passes through: no secret, and no path that names a person.
struct Redaction {
    secrets: Secrets,
    /// Paths, the longest first, with what is written in their place.
    paths: Vec<(String, &'static str)>,
}

impl Redaction {
    fn of(project: &Project) -> Self {
        let mut paths = vec![
            (project.checkout.display().to_string(), "<checkout>"),
            (project.state.path().display().to_string(), "<state>"),
        ];
        paths.extend(project.home().map(|home| (home.display().to_string(), "~")));
        paths.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        // Whoever lives in the root has no path of their own.
        paths.retain(|(path, _)| path.len() > 1);
        Self {
            secrets: secrets(project),
            paths,
        }
    }

    fn over(&self, text: &str) -> String {
        // Secrets first: one that holds a path must still be found.
        let text = self.secrets.redact_text(text);
        self.paths
            .iter()
            .fold(text, |text, (path, name)| text.replace(path, name))
    }
}
