//! A task as trueup drafts it: a person's title, and the checks that the
//! repository's configuration has already.

use super::trust;
use crate::{
    args::Global,
    editor::{Editor, somebody_is_here},
    exit::{Exit, Failure},
    project::Project,
    render,
    task::TaskFile,
};
use std::{collections::BTreeMap, fs, io::Write};
use trueup_core::{
    criterion::Execution,
    gate,
    kind::{Kind, ReportContents, Runner},
    task::Task,
};
use trueup_inspect::{
    rules::{self, Files},
    task_file,
};

/// Whether what was typed in the place of a task can only be a title.
pub(super) fn is_title(typed: &str) -> bool {
    typed.trim().contains(char::is_whitespace)
}

/// Writes a task file, under the next free id where none is given.
pub(super) fn write(project: &Project, title: &str, id: Option<&str>) -> Result<TaskFile, Failure> {
    let title = title.trim();
    if title.is_empty() || title.contains(char::is_control) {
        return Err(Failure::new(Exit::Usage, "a title is one line of text").next("trueup new \"Greet by name\""));
    }
    let id = match id {
        Some(id) => id.to_owned(),
        None => free_id(project)?,
    };
    if !task_file::is_id(&id) {
        let what = format!("`{id}` is no task id; an id is a letter and up to 63 letters, digits, `-` or `_`");
        return Err(Failure::new(Exit::Usage, what).next(format!("trueup new \"{title}\" --id T-014")));
    }
    fs::create_dir_all(project.tasks_folder())?;
    let path = project.tasks_folder().join(format!("{id}.md"));
    let mut file = fs::File::create_new(&path).map_err(|error| {
        Failure::new(Exit::Conflict, format!("{}: {error}", path.display())).next(format!("trueup check {id}"))
    })?;
    let files = |path: &str| fs::read(project.checkout.join(path)).ok();
    file.write_all(text(&id, title, &Offer::of(&project.config.checks, &files)).as_bytes())?;
    Ok(TaskFile::at(project, path))
}

/// The task of a file that somebody wrote or edited; or what is wrong with it,
/// and what to type.
pub(super) fn sound(project: &Project, file: &TaskFile, editor: Option<&Editor>) -> Result<Task, Failure> {
    let open_again = |mut failure: Failure| {
        failure.next.extend(editor.map(|editor| editor.typed(file)));
        failure.next(format!("trueup check {}", file.id()))
    };
    let read = file.understand(project)?;
    let read = read.map_err(|unreadable| open_again(unreadable.failure()))?;
    let refusals = gate::lint(&read.task);
    if refusals.is_empty() {
        render::filled_in(&file.name, &read.filled_in);
        return Ok(read.task);
    }
    let lines = refusals.iter().map(|refusal| file.refused(refusal).what);
    let all: Vec<String> = lines.collect();
    Err(open_again(Failure::new(Exit::NotVerified, all.join("\n"))))
}

/// Drafts the task that `trueup run` was given the title of. No agent starts
/// on a draft that nobody read: a person says yes here, or types the next
/// command.
pub(super) fn for_run(project: &Project, title: &str, global: &Global) -> Result<TaskFile, Failure> {
    let file = write(project, title, None)?;
    let id = file.id();
    let waits = |what: String| {
        Failure::new(Exit::Waiting, what)
            .next(format!("trueup check {id}"))
            .next(format!("trueup run {id}"))
    };
    if !somebody_is_here(global) {
        let open = match sound(project, &file, None) {
            Ok(_) => "read it, then type".to_owned(),
            Err(failure) => format!("it needs you first:\n{}", failure.what),
        };
        let what = format!("wrote a draft, {}, and started no agent; {open}", file.name);
        return Err(waits(what));
    }
    render::note(&format!("Wrote a draft, {}.", file.name));
    let editor = Editor::here(project, global);
    if let Some(editor) = &editor {
        editor.open(project, &file);
    }
    let task = sound(project, &file, editor.as_ref())?;
    render::draft(&file.name, &task);
    if trust::agrees("Let an agent work on it now?")? {
        return Ok(file);
    }
    Err(waits(format!("no agent was started; the draft stays in {}", file.name)))
}

fn free_id(project: &Project) -> Result<String, Failure> {
    let taken: Vec<u32> = TaskFile::all(project)?
        .iter()
        .filter_map(|file| file.id().strip_prefix("T-")?.parse().ok())
        .collect();
    Ok(format!("T-{:03}", taken.iter().max().unwrap_or(&0) + 1))
}

/// What a repository's checks offer to a new task.
struct Offer<'a> {
    /// Every check by its name.
    names: Vec<&'a str>,
    /// The line that asks for new tests, where a check tells of each test.
    goal: Option<String>,
    /// A command that runs one file of tests, where none does.
    command: &'static str,
    /// The checks whose answer today is worth keeping.
    guards: Vec<&'a str>,
}

impl<'a> Offer<'a> {
    fn of(checks: &'a BTreeMap<String, Execution>, files: Files<'_>) -> Self {
        let kind = |name: &str, check: &Execution| rules::kind(name, check.parse, &check.argv, &|_| None);
        let reports = |name: &str, check: &Execution| {
            let tells = check.parse.map(|format| format.tells());
            tells == Some(ReportContents::Tests) && matches!(kind(name, check), Kind::Tests(_))
        };
        let keeps = |name: &str, check: &Execution| match kind(name, check) {
            Kind::Tests(_) | Kind::Lint | Kind::Types | Kind::Build => true,
            Kind::Coverage(_) | Kind::Plain => false,
        };
        let named = |fits: &dyn Fn(&str, &Execution) -> bool| -> Vec<&'a str> {
            let fitting = checks.iter().filter(|(name, check)| fits(name, check));
            fitting.map(|(name, _)| name.as_str()).collect()
        };
        let runner = |(_, check): (&String, &Execution)| rules::runner(&check.argv, files);
        Self {
            names: checks.keys().map(String::as_str).collect(),
            command: one_file(checks.iter().find_map(runner).unwrap_or(Runner::Other)),
            goal: match named(&reports).as_slice() {
                [] => None,
                [_] => Some("tests of this run".into()),
                [first, ..] => Some(format!("tests of this run in {first}")),
            },
            guards: named(&keeps),
        }
    }
}

/// How one file of tests is run, which is red until somebody writes it.
const fn one_file(runner: Runner) -> &'static str {
    match runner {
        Runner::Pytest => "python -m pytest tests/test_new.py",
        Runner::Unittest => "python -m unittest tests/test_new.py",
        Runner::Vitest => "npx vitest run test/new.test.ts",
        Runner::Jest => "npx jest test/new.test.js",
        Runner::Mocha => "npx mocha test/new.test.js",
        Runner::NodeTest => "node --test test/new.test.js",
        Runner::CargoTest | Runner::Nextest => "cargo test --test new",
        Runner::Maven => "mvn test -Dtest=NewTest",
        Runner::Gradle => "./gradlew test --tests NewTest",
        // Go calls a run without tests green.
        Runner::GoTest | Runner::Other => "sh tests/new.sh",
    }
}

/// The whole file.
fn text(id: &str, title: &str, offer: &Offer<'_>) -> String {
    let quoted = serde_json::Value::from(title);
    let statement = title.trim_end_matches('.');
    let goal = offer.goal.as_deref().map(|goal| format!(" {goal}")).unwrap_or_default();
    let names = match offer.names.as_slice() {
        [] => String::new(),
        names => format!(",\nor a check of trueup.toml by its name: {}", names.join(", ")),
    };
    let forms = match offer.goal {
        Some(_) => {
            "in backticks, `test NAME`, `tests of this run` (those that\nthe run writes or changes), ".to_owned()
        }
        // Forms that are refused here are no offer.
        None => format!("in backticks that is red today, such as\n`{}`, ", offer.command),
    };
    let lacking = match offer.goal {
        Some(_) => "",
        None => {
            "`test NAME` and `tests of this run` can be asked for once a check of trueup.toml has `parse`:\n\
             docs/configuration.md, under Reports, has the line for each runner.\n"
        }
    };
    let mut text = format!(
        "---\n\
         v: 1\n\
         id: {id}\n\
         title: {quoted}\n\
         size: small\n\
         ---\n\
         \n\
         <!-- What is wanted, and why. The agent reads what stands here. -->\n\
         \n\
         ## Acceptance criteria\n\
         \n\
         <!--\n\
         - verify: must turn green. It is red today; the agent's work makes it green.\n\
         - guard: must stay green. It is green today; nothing may break it.\n\
         A check is a command {forms}`file PATH exists`, `file PATH has /regex/`{names}.\n\
         {lacking}`trueup check {id}` says whether each is today as it must be.\n\
         -->\n\
         \n\
         - [ ] **AC-1** {statement}.\n  - verify:{goal}\n"
    );
    if !offer.guards.is_empty() {
        text.push_str("- [ ] **AC-2** What works today still works.\n");
        for name in &offer.guards {
            text.push_str(&format!("  - guard: {name}\n"));
        }
    }
    text
}
