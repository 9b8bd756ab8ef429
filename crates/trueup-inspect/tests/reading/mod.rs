//! A small project to read task files in.

use std::collections::BTreeMap;
use trueup_core::{
    criterion::{Execution, FileMode, HiddenFile, Network, Service},
    digest::Digest,
    id::TaskId,
    task::Task,
};
use trueup_inspect::{
    rules::catalogue,
    task_file::{self, Context, Problem, Understood},
};

/// Reads a task file in a project with the checks `lint` and `unit-tests`, and
/// hidden files for every task but `T-broken`.
pub(crate) fn read(bytes: &[u8]) -> Result<Task, Vec<Problem>> {
    understood(bytes, None).map(|understood| understood.task)
}

/// The same, with what the file left out; of a file of this name.
pub(crate) fn understood(bytes: &[u8], named: Option<&str>) -> Result<Understood, Vec<Problem>> {
    let definition = |word: &str| Execution::new(vec![word.to_owned()], 7, Network::On);
    let definitions = BTreeMap::from([
        ("lint".to_owned(), definition("run-lint")),
        ("unit-tests".to_owned(), definition("run-tests")),
    ]);
    let service = |name: &str, port| Service {
        name: name.to_owned(),
        argv: vec!["serve".to_owned()],
        ready: None,
        port,
    };
    let services = BTreeMap::from([
        ("web".to_owned(), service("web", Some(8080))),
        ("queue".to_owned(), service("queue", None)),
    ]);
    task_file::read(
        bytes,
        &Context {
            named,
            definitions: &definitions,
            services: &services,
            command_timeout_ms: 1000,
            network: Network::Off,
            hidden: &hidden,
            hidden_folder: "tasks/hidden",
            files: &|_| None,
            rules: catalogue(),
        },
    )
}

fn hidden(task: &TaskId) -> Result<Vec<HiddenFile>, String> {
    if task.as_str() == "T-broken" {
        return Err("permission denied".into());
    }
    let file = |name: &str, mode| HiddenFile {
        path: format!("tasks/hidden/{task}/{name}"),
        blob: Digest::of(name.as_bytes()),
        mode,
    };
    Ok(vec![
        file("secret.sh", FileMode::Executable),
        file("data.txt", FileMode::Plain),
    ])
}
