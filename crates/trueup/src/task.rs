//! Task files, as they lie in the checkout.

use crate::{
    config::{CHECK_TIMEOUT_MS, user_line},
    exit::{Exit, Failure},
    project::Project,
    render,
};
use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use trueup_core::{
    criterion::{FileMode, HiddenFile, Network, Visibility},
    event::Base,
    gate::Refusal,
    id::TaskId,
    task::{SelfTested, Task},
};
use trueup_inspect::task_file::{self, Context, Problem, Understood};

/// A task file that was found.
pub(crate) struct TaskFile {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// The same, relative to the checkout, as messages print it.
    pub(crate) name: String,
}

/// Why a task file gave no task.
pub(crate) struct Unreadable {
    /// The file, as messages print it.
    pub(crate) name: String,
    /// Everything that is wrong with it.
    pub(crate) problems: Vec<Problem>,
}

impl TaskFile {
    /// Finds a task by its id or its file.
    pub(crate) fn find(project: &Project, task: &str) -> Result<Self, Failure> {
        let by_id = project.tasks_folder().join(format!("{task}.md"));
        let by_path = std::path::absolute(task)?;
        let found = [by_id, by_path].into_iter().find(|path| path.is_file());
        let Some(path) = found else {
            let all = Self::all(project)?;
            let known: Vec<String> = all.iter().map(Self::id).collect();
            let mut same = all.into_iter().filter(|file| file.id().eq_ignore_ascii_case(task));
            if let (Some(file), None) = (same.next(), same.next()) {
                return Ok(file);
            }
            let what = match trueup_inspect::nearest::nearest(task, known.iter().map(String::as_str)) {
                Some(near) => format!("there is no task `{task}`; did you mean `{near}`?"),
                None => format!(
                    "there is no task `{task}` in `{}/`",
                    project.config.tasks.trim_end_matches('/')
                ),
            };
            return Err(Failure::new(Exit::Usage, what).next("trueup status"));
        };
        Ok(Self::at(project, path))
    }

    /// Finds the task of this title.
    pub(crate) fn titled(project: &Project, title: &str) -> Result<Option<Self>, Failure> {
        let title = title.trim().to_lowercase();
        let is_meant = |file: &Self| {
            let bytes = fs::read(&file.path).unwrap_or_default();
            task_file::title(&bytes).is_some_and(|own| own.to_lowercase() == title)
        };
        Ok(Self::all(project)?.into_iter().find(is_meant))
    }

    /// Every task file of the repository, by name.
    pub(crate) fn all(project: &Project) -> Result<Vec<Self>, Failure> {
        let entries = match fs::read_dir(project.tasks_folder()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") && path.is_file() {
                files.push(Self::at(project, path));
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// A file at this place.
    pub(crate) fn at(project: &Project, path: PathBuf) -> Self {
        let name = path
            .strip_prefix(&project.checkout)
            .unwrap_or(&path)
            .display()
            .to_string();
        Self { path, name }
    }

    /// The id its name promises.
    pub(crate) fn id(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Reads the task. Hidden files are kept as blobs on the way.
    pub(crate) fn read(&self, project: &Project) -> Result<Result<Task, Unreadable>, Failure> {
        Ok(self.understand(project)?.map(|understood| understood.task))
    }

    /// The same, with what the file left out, for those who tell a person.
    pub(crate) fn understand(&self, project: &Project) -> Result<Result<Understood, Unreadable>, Failure> {
        let bytes = fs::read(&self.path)?;
        let folder = self.hidden_folder(project);
        let id = self.id();
        let context = Context {
            named: Some(&id),
            definitions: &project.config.checks,
            services: &project.config.services,
            command_timeout_ms: CHECK_TIMEOUT_MS,
            network: Network::Off,
            hidden: &|id| hidden_files(project, &folder, id),
            hidden_folder: &folder,
            files: &|path| fs::read(project.checkout.join(path)).ok(),
            rules: &project.config.rules,
        };
        let read = task_file::read(&bytes, &context).map(|mut read| {
            let task = &mut read.task;
            if project.config.self_tested == SelfTested::Accepted {
                task.allow.self_tested = SelfTested::Accepted;
            }
            task.ground = project.config.ground.clone();
            task.steady = project.config.steady;
            task.doubt = project.config.doubt;
            read
        });
        Ok(read.map_err(|problems| Unreadable {
            name: self.name.clone(),
            problems,
        }))
    }

    /// Where this file's hidden files lie, relative to the checkout.
    pub(crate) fn hidden_folder(&self, project: &Project) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let folder = folder.strip_prefix(&project.checkout).unwrap_or(folder);
        folder.join("hidden").display().to_string()
    }
}

impl TaskFile {
    /// The failure a command ends with when the task is refused.
    pub(crate) fn refused(&self, refusal: &Refusal) -> Failure {
        let what = format!("{}:{}: {}: {}", self.name, refusal.line, refusal.about, refusal.why);
        Failure::new(Exit::NotVerified, what)
    }

    /// The hidden checks whose files an agent could read after all: in the
    /// base, or in the history its clone brings with it.
    pub(crate) fn exposed(&self, project: &Project, task: &Task, base: &Base) -> Result<Vec<Refusal>, Failure> {
        let workspaces = project.workspaces()?;
        let mut refusals = Vec::new();
        for check in task.checks() {
            let Visibility::Hidden(files) = &check.sight else {
                continue;
            };
            for file in files {
                if workspaces.ever_had(&base.commit, &file.path)? {
                    refusals.push(Refusal {
                        line: check.line,
                        about: check.id.to_string(),
                        why: format!(
                            "{} is or was part of the base's history, where the agent could read it; \
                             write the hidden files anew, under other names",
                            file.path
                        ),
                    });
                    break;
                }
            }
        }
        Ok(refusals)
    }

    /// The checks that want to reach a socket of this machine that its person
    /// does not let them reach.
    pub(crate) fn closed(&self, project: &Project, task: &Task) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        for check in task.checks() {
            let sockets = check.execution().map(|execution| execution.sockets.as_slice());
            let allowed = |path: &&String| !project.config.sockets.iter().any(|allowed| allowed == Path::new(path));
            if let Some(path) = sockets.unwrap_or_default().iter().find(allowed) {
                let line = format!("sockets = [\"{path}\"]");
                refusals.push(Refusal {
                    line: check.line,
                    about: check.id.to_string(),
                    why: format!(
                        "it wants to reach {path}, a hole in the wall that only you can allow: {}",
                        user_line(project.user_layer().as_deref(), &line)
                    ),
                });
            }
        }
        refusals
    }

    /// Says which hidden commands stand in words an agent could read: the
    /// files they run are hidden all the same.
    pub(crate) fn note_readable_words(&self, project: &Project, task: &Task, base: &Base) -> Result<(), Failure> {
        let workspaces = project.workspaces()?;
        for check in task.checks() {
            let hidden_command = check.sight != Visibility::Open && check.source.starts_with('`');
            if hidden_command && workspaces.ever_said(&base.commit, &self.name, &check.source)? {
                render::note(&format!(
                    "{}:{}: the base holds this line, so the agent can read the command, though not its files. \
                     To hide both, name an executable file in {}/{}/ instead.",
                    self.name,
                    check.line,
                    self.hidden_folder(project),
                    task.id
                ));
            }
        }
        Ok(())
    }
}

impl Project {
    /// The folder of task files.
    pub(crate) fn tasks_folder(&self) -> PathBuf {
        self.checkout.join(&self.config.tasks)
    }
}

impl Unreadable {
    /// The failure a command ends with.
    pub(crate) fn failure(&self) -> Failure {
        let lines: Vec<String> = self
            .problems
            .iter()
            .map(|problem| format!("{}:{}: {}", self.name, problem.line, problem.sentence()))
            .collect();
        Failure::new(Exit::NotVerified, lines.join("\n"))
    }
}

/// Keeps every hidden file of a task as a blob: those in its own folder, and
/// those all tasks share. A file that git would show to the agent is refused:
/// it would not be hidden.
fn hidden_files(project: &Project, folder: &str, id: &TaskId) -> Result<Vec<HiddenFile>, String> {
    let workspaces = project.workspaces().map_err(|failure| failure.what)?;
    let ignored = workspaces
        .is_ignored(&format!("{folder}/{id}/x"))
        .map_err(|error| error.to_string())?;
    if !ignored {
        return Err(format!(
            "{folder}/{id}/ is not ignored by git, so its files would not stay hidden; add `hidden/` to {}/.gitignore",
            project.config.tasks
        ));
    }
    let own = Path::new(folder).join(id.as_str());
    let mut files = Vec::new();
    let collected = collect(project, Path::new(folder), Below::Left, &mut files)
        .and_then(|()| collect(project, &own, Below::Taken, &mut files));
    match collected {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(format!("{folder}: {error}")),
        Ok(()) | Err(_) => {}
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    if files.is_empty() {
        return Err(format!("{folder}/{id}/ holds no file; put the hidden check there"));
    }
    Ok(files)
}

/// What happens to folders in a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// What lies in them is taken as well.
    Taken,
    /// They are left.
    Left,
}

fn collect(project: &Project, relative: &Path, below: Below, files: &mut Vec<HiddenFile>) -> io::Result<()> {
    for entry in fs::read_dir(project.checkout.join(relative))? {
        let entry = entry?;
        let path = relative.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() && below == Below::Taken {
            collect(project, &path, below, files)?;
        } else if kind.is_file() {
            let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
            files.push(HiddenFile {
                path: path.display().to_string(),
                blob: project.blobs().put(&fs::read(entry.path())?)?,
                mode: if executable {
                    FileMode::Executable
                } else {
                    FileMode::Plain
                },
            });
        }
    }
    Ok(())
}
