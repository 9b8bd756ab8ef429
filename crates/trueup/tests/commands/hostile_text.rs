//! What a repository or an agent wrote is shown as text, and obeyed by no
//! terminal.

use std::process::Stdio;
use trueup_testkit::household::Household;

/// A sequence that fills a clipboard, one that wipes a line, one that hides.
const WILD: &str = r"\u001B]52;c;aGk=\u0007\u001B[2K\u001B[8m\r";

/// What all of these print, on both streams, where colours are wanted.
fn printed(household: &Household, words: &[&str]) -> String {
    let mut command = household.command(words);
    let command = command.args(["--color", "always"]).stdin(Stdio::null());
    let output = command.output().expect("trueup");
    let (out, err) = (output.stdout, output.stderr);
    format!("{}{}", String::from_utf8_lossy(&out), String::from_utf8_lossy(&err))
}

/// What is left of a text for a terminal to obey without colours and line ends.
fn obeyed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n' && c != '\t') {
        let from = &rest[at..];
        let colour = from.strip_prefix("\u{1b}[").and_then(|code| code.split_once('m'));
        match colour.filter(|(code, _)| ["0", "1", "2", "22", "31", "32", "33", "34", "35", "36", "39"].contains(code))
        {
            Some((_, after)) => rest = after,
            None => {
                found.push(from.chars().take(12).collect());
                rest = &from[from.chars().next().map_or(1, char::len_utf8)..];
            }
        }
    }
    found
}

#[test]
fn what_a_configuration_holds_is_obeyed_by_no_terminal() {
    assert_eq!(obeyed("a\u{1b}]52;c;x\u{7}").len(), 2, "the test can see it");
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    for wild in [
        format!(
            "version = 1\n[agent]\ndefault = \"a\"\n[agent.a]\nkind = \"command\"\ncommand = [\"x{WILD}\"]\npass_env = [\"A{WILD}\"]\n"
        ),
        format!(
            "version = 1\n[agent]\ndefault = \"a{WILD}\"\n[agent.\"a{WILD}\"]\nkind = \"command\"\ncommand = [\"x\"]\n"
        ),
        format!("version = 1\n[checks.\"c{WILD}\"]\nrun = \"x\"\ntimeout = \"{WILD}\"\n"),
        format!("version = 1\n[unknown{}]\n\"k{WILD}\" = 1\n", ""),
        format!("version = 1\n# \u{1b}]52;c;aGk=\u{7}\nbroken = \"{WILD}\n"),
    ] {
        household.file("trueup.toml", &wild);
        for words in [
            &["status"][..],
            &["doctor"],
            &["trust"],
            &["check", "T-001"],
            &["config", "show"],
        ] {
            let said = printed(&household, words);
            assert_eq!(obeyed(&said), [""; 0], "{words:?} of {wild:?}: {said}");
        }
    }
}

#[test]
fn the_name_of_a_file_forges_no_line() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    household.set_agent(
        "echo 'echo \"Hello, ${1:-world}\"' > greet.sh\n\
         mkdir -p .github/workflows\n\
         echo a > \"$(printf '.github/workflows/a\\n  FORGED verified: 1 of 1 criteria\\n\\033[2Kb.yml')\"\n",
    );
    let mut said = printed(&household, &["run", "T-001"]);
    for words in [&["log", "T-001"][..], &["show", "T-001"], &["status"], &["inbox"]] {
        said += &printed(&household, words);
    }
    assert!(said.contains("FORGED"), "the file is told of: {said}");
    let forged: Vec<&str> = said
        .lines()
        .filter(|line| line.trim_start().starts_with("FORGED"))
        .collect();
    assert_eq!(forged, [""; 0], "{said}");
    assert_eq!(obeyed(&said), [""; 0], "{said}");
}
