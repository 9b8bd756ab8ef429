//! Whether a check is red for what the machine lacks, and not for want of the
//! work. It only adds a line for a person; nothing is decided by it.

/// The exit code by which a shell says that a command is not there.
const NOT_FOUND: i32 = 127;

/// Tools of Python that are called as modules.
const MODULES: [&str; 8] = ["pytest", "nose2", "tox", "nox", "coverage", "mypy", "ruff", "pip"];

/// Tools of Node that are installed beside a project.
const PACKAGES: [&str; 7] = ["vitest", "jest", "mocha", "eslint", "typescript", "tsx", "ts-node"];

/// How programs that install something say that there is no network.
const NO_NETWORK: [&str; 9] = [
    "Could not resolve host",
    "Temporary failure in name resolution",
    "Failed to establish a new connection",
    "npm error code EAI_AGAIN",
    "npm error code ENOTFOUND",
    "npm ERR! code EAI_AGAIN",
    "npm ERR! code ENOTFOUND",
    "dial tcp: lookup ",
    "failed to lookup address information",
];

/// How what runs commands for somebody says that a shell did not find one; its
/// own exit code is another.
const PASSED_ON: [&str; 2] = ["] Error 127", "with exit code 127"];

/// What the machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The command of this name.
    Command(String),
    /// Something else, in a sentence.
    Else(String),
}

/// What the machine lacks by what a program printed; `paths` are the files of
/// the tree, because what stands there and cannot be used is not missing work.
pub fn lacks(exit: Option<i32>, printed: &str, paths: &[String]) -> Option<Lack> {
    let passed_on = |line: &str| PASSED_ON.iter().any(|said| line.ends_with(said));
    let not_found = exit == Some(NOT_FOUND) || printed.lines().any(passed_on);
    printed.lines().rev().find_map(|line| {
        let module = module(line).and_then(|name| missing_module(name, paths));
        let other = module
            .or_else(|| missing_package(line))
            .or_else(|| missing_subcommand(line));
        let command = || missing_command(line).filter(|_| not_found).map(Lack::Command);
        other
            .map(Lack::Else)
            .or_else(command)
            .or_else(|| missing_network(line).map(Lack::Else))
    })
}

/// The module that Python could not find.
fn module(line: &str) -> Option<&str> {
    let (_, name) = line.split_once("No module named ")?;
    let name = name.trim().trim_matches('\'').split(['\'', ';', ' ']).next()?;
    Some(name).filter(|name| !name.is_empty())
}

fn missing_module(name: &str, paths: &[String]) -> Option<String> {
    let top = name.split('.').next().unwrap_or(name);
    if MODULES.contains(&top) {
        return Some(format!("`{top}` is not installed for the Python that was called"));
    }
    let stands = |path: &String| {
        let path = path.strip_prefix("src/").unwrap_or(path);
        path.strip_prefix(top)
            .is_some_and(|rest| rest.starts_with('/') || rest == ".py")
    };
    // One that is named with a part may lack only the part, which is work.
    let is_whole = name == top;
    (is_whole && paths.iter().any(stands))
        .then(|| format!("`{top}` is in the tree and cannot be imported: is the project installed where this ran?"))
}

/// The tool that Node could not find among the project's packages.
fn missing_package(line: &str) -> Option<String> {
    let (_, name) = line
        .split_once("Cannot find module '")
        .or_else(|| line.split_once("Cannot find package '"))?;
    let name = name.split(['\'', '/']).next()?;
    PACKAGES
        .contains(&name)
        .then(|| format!("`{name}` is not installed in node_modules"))
}

/// The subcommand that cargo could not find.
fn missing_subcommand(line: &str) -> Option<String> {
    let (_, name) = line.split_once("error: no such command: `")?;
    let name = name.split('`').next()?;
    Some(format!("there is no `cargo {name}` where this ran"))
}

/// Something asked for the network, which only preparations have by themselves.
fn missing_network(line: &str) -> Option<String> {
    NO_NETWORK.iter().any(|said| line.contains(said)).then(|| {
        "it asked for the network, which checks do not have; install what it needs in a `[prepare.NAME]`".to_owned()
    })
}

/// The command that a shell could not find. One with a slash is a file of the
/// tree, which may be the work.
fn missing_command(line: &str) -> Option<String> {
    let starts_programs = ["env: ", "make: ", "make["].iter().any(|who| line.starts_with(who));
    let by_env = starts_programs.then(|| line.strip_suffix(": No such file or directory"));
    let said = line
        .strip_suffix(": command not found")
        .or_else(|| line.strip_suffix(": not found"))
        .or_else(|| by_env.flatten())?;
    let name = said.rsplit(": ").next().unwrap_or(said).trim();
    let name = name.trim_matches(['\'', '‘', '’']);
    (!name.is_empty() && !name.contains(['/', ' '])).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Lack, lacks};

    fn said(exit: i32, printed: &str) -> Option<String> {
        let paths = ["src/ledgerly/__init__.py", "cart.py", "tests/test_cart.py"].map(str::to_owned);
        match lacks(Some(exit), printed, &paths)? {
            Lack::Command(name) => Some(format!("no {name}")),
            Lack::Else(why) => Some(why),
        }
    }

    #[test]
    fn what_stands_in_the_tree_and_cannot_be_imported_is_no_missing_work() {
        let ledgerly = said(2, "E   ModuleNotFoundError: No module named 'ledgerly'\n1 error\n");
        assert!(ledgerly.is_some_and(|why| why.starts_with("`ledgerly` is in the tree")));
        assert!(said(1, "ModuleNotFoundError: No module named 'cart'").is_some());
        assert!(said(1, "/usr/bin/python3: No module named pytest").is_some_and(|why| why.contains("not installed")));
    }

    #[test]
    fn what_nobody_wrote_yet_is_the_work() {
        assert_eq!(said(1, "ModuleNotFoundError: No module named 'discount'"), None);
        assert_eq!(
            said(1, "ModuleNotFoundError: No module named 'ledgerly.discount'"),
            None
        );
        assert_eq!(said(1, "ModuleNotFoundError: No module named 'ledger'"), None);
        assert_eq!(said(1, "assert 1 == 2"), None);
    }

    #[test]
    fn a_tool_or_a_network_that_is_not_there_is_told_and_other_modules_are_not() {
        let vitest = said(
            1,
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vitest' imported from /w/a.js\n",
        );
        assert_eq!(vitest.as_deref(), Some("`vitest` is not installed in node_modules"));
        assert!(said(1, "Error: Cannot find module 'typescript/lib/tsc.js'\n").is_some());
        assert_eq!(said(1, "Error: Cannot find module './greet.js'\n"), None);
        assert_eq!(said(1, "Error: Cannot find module 'left-pad'\n"), None);
        for line in [
            "curl: (6) Could not resolve host: example.org",
            "npm error code EAI_AGAIN",
        ] {
            assert!(
                said(1, line).is_some_and(|why| why.contains("asked for the network")),
                "{line}"
            );
        }
        assert_eq!(said(1, "the host answered 404"), None);
    }

    #[test]
    fn a_command_that_is_not_there_is_told_and_a_file_to_be_written_is_not() {
        let sh = said(127, "sh: 1: pytest: not found\n");
        assert_eq!(sh.as_deref(), Some("no pytest"));
        assert!(said(127, "bash: line 1: pytest: command not found").is_some());
        let env = said(127, "env: ‘pytest’: No such file or directory\n");
        assert_eq!(env.as_deref(), Some("no pytest"));
        for passed_on in [
            "make: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n",
            "/bin/sh: 1: pytest: not found\nmake: *** [Makefile:2: test] Error 127\n",
            "sh: line 1: pytest: command not found\nerror: Recipe `test` failed on line 2 with exit code 127\n",
        ] {
            assert_eq!(said(2, passed_on).as_deref(), Some("no pytest"), "{passed_on}");
        }
        assert_eq!(said(2, "make: cart.py: No such file or directory\n"), None);
        let cargo = said(101, "error: no such command: `nextest`\n");
        assert_eq!(cargo.as_deref(), Some("there is no `cargo nextest` where this ran"));
        assert_eq!(said(127, "bash: line 1: ./tool: No such file or directory"), None);
        assert_eq!(said(127, "sh: 1: bin/tool: not found"), None);
        assert_eq!(said(1, "the page was not found"), None);
    }
}
