//! A repository whose agent leaves word when it starts, so that its silence
//! can be asserted.

use serde_json::Value;
use trueup_testkit::household::{Household, Output};

/// Written by the agent before anything else.
const AGENT: &str = "touch \"$SIDE/started\"\necho 'echo \"Hello, $1\"' > greet.sh\n";

/// The task every refusal is about.
pub(crate) const TASK: &str = "T-001";

/// A repository, an agent that leaves word, and one task.
pub(crate) struct Place {
    pub(crate) household: Household,
}

impl Place {
    /// `greet.sh` greets nobody by name yet, `true.sh` succeeds, `false.sh` fails.
    pub(crate) fn new() -> Self {
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), AGENT);
        std::fs::create_dir(household.folder().join("side")).expect("folder");
        let place = Self { household };
        place.configure("");
        for (name, text) in [
            ("greet.sh", "echo Hello\n"),
            ("by_name.sh", "test \"$(sh greet.sh Ada)\" = 'Hello, Ada'\n"),
            ("true.sh", "true\n"),
            ("false.sh", "echo the false script >&2; false\n"),
            ("tasks/.gitignore", "hidden/\n"),
        ] {
            place.household.file(name, text);
        }
        place.household.commit("A greeting");
        place
    }

    /// With a task whose front matter has these lines from line 5 on, and
    /// whose criteria stand three lines below its end.
    pub(crate) fn with_task(front: &str, criteria: &str) -> Self {
        let place = Self::new();
        place.write_task(front, criteria);
        place.household.commit("A task");
        place
    }

    pub(crate) fn write_task(&self, front: &str, criteria: &str) {
        let text = format!("---\nv: 1\nid: {TASK}\ntitle: Greet\n{front}---\n\n## Acceptance criteria\n{criteria}");
        self.household.task(TASK, &text);
    }

    /// Writes the configuration: the agent, and more.
    pub(crate) fn configure(&self, more: &str) {
        let folder = self.household.folder().display();
        let agent = self.household.agent();
        self.household.file(
            "trueup.toml",
            &format!(
                "version = 1\n\n[agent]\ndefault = \"script\"\n\n[agent.script]\nkind = \"command\"\n\
                 command = [\"{}\"]\nwrite = [\"{folder}/side\"]\nenv = {{ SIDE = \"{folder}/side\" }}\n{more}",
                agent.display()
            ),
        );
    }

    /// Runs trueup, and asserts that no agent started.
    pub(crate) fn trueup(&self, arguments: &[&str]) -> Output {
        let output = self.household.trueup(arguments);
        assert!(!self.worked(), "{arguments:?} started an agent: {output:#?}");
        output
    }

    /// Whether an agent ever started.
    pub(crate) fn worked(&self) -> bool {
        self.household.folder().join("side/started").exists()
    }

    /// `check` and `run` refuse the task with exactly these lines, for people
    /// and for programs.
    pub(crate) fn refuses(&self, lines: &[&str]) {
        self.check_refuses(lines);
        let told: String = lines.iter().map(|line| format!("  {}\n", file(line))).collect();
        let run = self.trueup(&["run", TASK]);
        assert_eq!(run.code, 3, "{run:#?}");
        let refused = format!("refused: {TASK} has problems, so no agent was started:\n{told}");
        assert_eq!(run.stdout, refused);
        let run = self.trueup(&["run", TASK, "--json"]);
        assert_eq!(run.code, 3, "{run:#?}");
        let rest = last_line(&run);
        assert_eq!(rest["exit"], 3, "{rest}");
        assert_eq!(spelled(&rest["refusals"]), lines);
        assert_eq!(spelled(&self.household.show(TASK)["refusals"]), lines);
    }

    /// The file cannot be read as a task, and this is said of its lines.
    pub(crate) fn unreadable(&self, lines: &[&str]) {
        let in_check: Vec<String> = lines
            .iter()
            .map(|line| line.replacen(": ", ": task file: ", 1))
            .collect();
        self.check_refuses(&in_check.iter().map(String::as_str).collect::<Vec<_>>());
        self.run_fails(lines);
    }

    /// `check` refuses the task with exactly these lines.
    pub(crate) fn check_refuses(&self, lines: &[&str]) {
        let told: String = lines.iter().map(|line| format!("  {}\n", file(line))).collect();
        let mut check = self.trueup(&["check", TASK]);
        // What a refused check printed stands below, each line further in.
        let is_said = |line: &&str| !line.starts_with("      ") && !line.ends_with(" printed:");
        check.stdout = check
            .stdout
            .lines()
            .filter(is_said)
            .map(|line| format!("{line}\n"))
            .collect();
        let expected = Output {
            code: 3,
            stdout: format!("✗ tasks/{TASK}.md has problems:\n{told}"),
            stderr: String::new(),
        };
        assert_eq!(check, expected);
        let check = self.trueup(&["check", TASK, "--json"]);
        assert_eq!(check.code, 3, "{check:#?}");
        let answer = &last_line(&check)["tasks"][0];
        assert_eq!(answer["baseline"], "refused");
        assert_eq!(answer["file"], format!("tasks/{TASK}.md"));
        assert_eq!(spelled(&answer["refusals"]), lines);
    }

    /// `run` opens nothing, and says these lines.
    pub(crate) fn run_fails(&self, lines: &[&str]) {
        let told: Vec<String> = lines.iter().map(|line| file(line)).collect();
        let run = self.trueup(&["run", TASK]);
        let expected = Output {
            code: 3,
            stdout: String::new(),
            stderr: format!("error: {}\n  trueup check {TASK}\n", told.join("\n")),
        };
        assert_eq!(run, expected);
        let run = self.trueup(&["run", TASK, "--json"]);
        let next = [format!("trueup check {TASK}")];
        let document = serde_json::json!({ "v": 1, "error": told.join("\n"), "exit": 3, "next": next });
        assert_eq!((run.code, last_line(&run)), (3, document));
        assert_eq!(self.household.trueup(&["show", TASK]).code, 2, "a run was opened");
    }
}

/// The last line of what a program reads.
pub(crate) fn last_line(output: &Output) -> Value {
    let line = output.stdout.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {output:#?}"))
}

fn file(line: &str) -> String {
    format!("tasks/{TASK}.md:{line}")
}

/// Refusals of a document, spelled as people read them.
fn spelled(refusals: &Value) -> Vec<String> {
    let refusals = refusals.as_array().expect("refusals");
    let spell = |refusal: &Value| {
        let text = |key: &str| refusal[key].as_str().expect("text").to_owned();
        format!("{}: {}: {}", refusal["line"], text("about"), text("why"))
    };
    refusals.iter().map(spell).collect()
}
