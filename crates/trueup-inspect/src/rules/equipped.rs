//! A command with something that it needs beside it.

use super::calls::Call;

/// A command, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equipped {
    /// The command.
    pub argv: Vec<String>,
    /// A file that is laid for it: where, and what it holds.
    pub file: Option<(String, String)>,
    /// A variable that is set for it.
    pub variable: Option<(String, String)>,
}

/// A call of pytest with a plugin of this name and text; nothing where it is
/// another program, or cannot be told. The word is one that nothing in the tree
/// is called by.
pub(super) fn with_plugin(call: &Call, argv: &[String], word: &str, (name, text): (&str, String)) -> Option<Equipped> {
    let is_called = matches!(call.program(), "pytest" | "py.test");
    // A path that the command sets itself would hide the plugin.
    let sets_path = argv.iter().any(|word| word.starts_with("PYTHONPATH="));
    if !is_called || sets_path || call.says("--") {
        return None;
    }
    // A folder with a dot is searched for tests by nobody.
    let (folder, module) = (format!(".{word}"), format!("{name}_{word}"));
    Some(Equipped {
        argv: [argv, &["-p".to_owned(), module.clone()]].concat(),
        file: Some((format!("{folder}/{module}.py"), text)),
        variable: Some(("PYTHONPATH".to_owned(), folder)),
    })
}
