//! A command that somebody wrote without backticks.

use super::context::Context;

/// Programs that checks usually call. What begins with another word may be
/// prose or a slip in one of the other forms, and is not read as a command.
const PROGRAMS: &[&str] = &[
    "bash", "bun", "bundle", "bunx", "cargo", "composer", "ctest", "curl", "deno", "diff", "docker", "dotnet", "env",
    "eslint", "flake8", "git", "go", "gradle", "grep", "hatch", "jest", "just", "make", "mix", "mocha", "mvn", "mypy",
    "node", "nox", "npm", "npx", "pdm", "php", "pnpm", "poetry", "pyright", "pytest", "python", "python3", "rake",
    "ruby", "ruff", "sh", "swift", "tox", "tsc", "uv", "uvx", "vitest", "yarn",
];

/// English words among them, which begin a sentence as well: with more than a
/// word behind them they are only read as a command where an option or a path
/// is among those.
const ALSO_WORDS: &[&str] = &["diff", "go", "just", "make", "mix", "node"];

/// How a program of the tree is called.
const OF_THE_TREE: &[&str] = &["./", "bin/", ".venv/bin/", "node_modules/.bin/"];

/// The command in backticks that a line without them plainly means, if it does.
/// Whether it can be executed is for the reader of commands to say.
pub(crate) fn bare_command(source: &str, context: &Context<'_>) -> Option<String> {
    if source.contains('`') || context.definitions.contains_key(source) {
        return None;
    }
    let words: Vec<&str> = source.split_whitespace().collect();
    let (program, arguments) = words.split_first()?;
    let of_the_tree = program.ends_with(".sh") || OF_THE_TREE.iter().any(|folder| program.starts_with(folder));
    let is_sentence = ALSO_WORDS.contains(program)
        && arguments.len() > 1
        && !arguments
            .iter()
            .any(|word| word.starts_with('-') || word.contains(['/', '=']));
    let is_command = of_the_tree || PROGRAMS.contains(program) && !is_sentence;
    is_command.then(|| format!("`{source}`"))
}
