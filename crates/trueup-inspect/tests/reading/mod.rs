//! A small project to read task files in.

use std::collections::BTreeMap;
use trueup_core::{
    criterion::{Execution, FileMode, HiddenFile, Network},
    digest::Digest,
    id::TaskId,
    task::Task,
};
use trueup_inspect::task_file::{self, Context, Problem};

/// Reads a task file in a project with the checks `lint` and `unit-tests`, and
/// hidden files for every task but `T-broken`.
pub(crate) fn read(bytes: &[u8]) -> Result<Task, Vec<Problem>> {
    let definition = |word: &str| Execution::new(vec![word.to_owned()], 7, Network::On);
    let definitions = BTreeMap::from([
        ("lint".to_owned(), definition("run-lint")),
        ("unit-tests".to_owned(), definition("run-tests")),
    ]);
    task_file::read(
        bytes,
        &Context {
            definitions: &definitions,
            command_timeout_ms: 1000,
            network: Network::Off,
            hidden: &hidden,
            hidden_folder: "tasks/hidden",
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
