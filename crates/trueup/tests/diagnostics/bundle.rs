//! What a bug report needs is there, and nothing that is nobody's business.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use trueup_testkit::household::Household;

/// Planted where each says; none may be in the folder.
const IN_THE_ENVIRONMENT: &str = "tk/9f8e7d6c+5b4a3210";
const IN_A_VARIABLE_OF_AN_AGENT: &str = "configured-and-secret-0815";
const IN_A_COMMAND: &str = "--token=spoken-openly-4711";
const IN_A_TASK: &str = "the-password-is-hunter2hunter2";
const SAID_BY_THE_AGENT: &str = "the-agent-saw-something-4242";
const PLANTED: [&str; 8] = [
    IN_THE_ENVIRONMENT,
    // The same, as URLs and base64 show it.
    "tk%2F9f8e7d6c%2B5b4a3210",
    "dGsvOWY4ZTdkNmMrNWI0YTMyMTA",
    IN_A_VARIABLE_OF_AN_AGENT,
    IN_A_COMMAND,
    IN_A_TASK,
    SAID_BY_THE_AGENT,
    "ada@example.invalid",
];

const AGENT: &str = r#"
echo "my token is $DEPLOY_TOKEN, and the-agent-saw-something-4242"
echo 'echo "Hello, ${1:-world}"' > greet.sh
printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md
"#;

/// A household whose last run was told, configured and printed secrets.
fn planted() -> Household {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup")).with_variable("DEPLOY_TOKEN", IN_THE_ENVIRONMENT);
    household.set_agent(AGENT);
    let config = fs::read_to_string(household.checkout().join("trueup.toml")).expect("a configuration");
    let script = household.agent().display().to_string();
    let config = config.replacen(
        &format!("\"{script}\""),
        &format!("\"{script}\", \"{IN_A_COMMAND}\""),
        1,
    );
    assert!(config.contains(IN_A_COMMAND), "{config}");
    household.file(
        "trueup.toml",
        &format!("{config}pass_env = [\"DEPLOY_TOKEN\"]\nenv = {{ REGION = \"{IN_A_VARIABLE_OF_AN_AGENT}\" }}\n"),
    );
    let task = fs::read_to_string(household.checkout().join("tasks/T-001.md")).expect("a task");
    let goal = "sh tests/by_name.sh";
    let task = task.replacen(goal, &format!("{goal} {IN_THE_ENVIRONMENT} {IN_A_TASK}"), 1);
    let said = format!("{IN_A_TASK} and {IN_THE_ENVIRONMENT}\n\n## Acceptance criteria");
    household.task("T-001", &task.replacen("## Acceptance criteria", &said, 1));
    household.commit("Something secret");
    household
}

fn bundle(household: &Household, arguments: &[&str]) -> PathBuf {
    let folder = household.folder().join("report");
    let named = folder.display().to_string();
    let words: Vec<&str> = ["doctor", "--bundle", named.as_str()]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    let ended = household.trueup(&words);
    assert_eq!(ended.code, 0, "{ended:#?}");
    assert!(ended.stdout.contains(&named), "{ended:#?}");
    folder
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let read = entries.map(|entry| {
        let text = fs::read_to_string(entry.path()).expect("text");
        (entry.file_name().to_string_lossy().into_owned(), text)
    });
    read.collect()
}

/// What of these stands in which file.
fn found(files: &BTreeMap<String, String>, planted: &[&str]) -> Vec<String> {
    let pairs = files
        .iter()
        .flat_map(|(name, text)| planted.iter().map(move |word| (name, text, word)));
    let told = pairs.filter(|(_, text, word)| text.contains(**word));
    told.map(|(name, _, word)| format!("{word} in {name}")).collect()
}

#[test]
fn no_planted_secret_is_in_any_file_of_a_bundle() {
    let household = planted();
    let log = household.folder().join("log").display().to_string();
    let ended = household.trueup(&["run", "T-001", "--log-file", &log]);
    assert_eq!(ended.code, 0, "{ended:#?}");
    let transcript = household.trueup(&["log", "T-001", "--turn", "1"]).stdout;
    assert!(
        transcript.contains(SAID_BY_THE_AGENT),
        "it was never said: {transcript}"
    );
    let events = household.trueup(&["log", "T-001", "--json"]).stdout;
    assert!(events.contains(IN_A_TASK), "it was never asked: {events}");
    let without_a_log = files(&bundle(&household, &[]));
    assert_eq!(found(&without_a_log, &PLANTED), Vec::<String>::new());
    // The same search finds what may be there.
    assert_eq!(
        found(&without_a_log, &["T-001.1", "turn_ended"]),
        [
            "T-001.1 in T-001.1.events.jsonl",
            "turn_ended in T-001.1.events.jsonl",
            "T-001.1 in runs.json"
        ]
    );
    let home = household.folder().display().to_string();
    assert!(
        !without_a_log["doctor.json"].contains(&format!("{home}/state")),
        "{without_a_log:#?}"
    );
}

#[test]
fn a_bundle_holds_the_end_of_the_log_if_there_is_one() {
    let household = planted();
    let log = household.folder().join("log").display().to_string();
    assert_eq!(household.trueup(&["run", "T-001", "--log-file", &log]).code, 0);
    let files = files(&bundle(&household, &["--log-file", &log]));
    let log = &files["log.txt"];
    assert!(log.contains("trueup::effect: ended"), "{log}");
    assert_eq!(
        found(
            &files,
            &[IN_THE_ENVIRONMENT, IN_A_VARIABLE_OF_AN_AGENT, SAID_BY_THE_AGENT]
        ),
        Vec::<String>::new()
    );
}

/// The files of a bundle, each with what its objects are made of.
const LISTING: &str = "\
README.md
T-001.1.events.jsonl opened checked turn_ended checked turn_ended checked committed published
configuration.json keys v
doctor.json examined v
runs.json runs v
state.json below quota v
versions.json agents architecture bubblewrap git kernel system trueup v
";

#[test]
fn a_bundle_is_private_and_holds_what_its_listing_says() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    assert_eq!(household.trueup(&["run", "T-001"]).code, 0);
    let folder = bundle(&household, &[]);
    let mut listing = String::new();
    for (name, text) in files(&folder) {
        let keys: Vec<String> = match (name.ends_with(".json"), name.ends_with(".jsonl")) {
            (true, _) => {
                let value: serde_json::Map<_, _> = serde_json::from_str(&text).expect("an object");
                value.keys().cloned().collect()
            }
            (_, true) => {
                let event = |line| serde_json::from_str::<serde_json::Value>(line).expect("an event");
                let kind = |event: serde_json::Value| event["type"].as_str().unwrap_or_default().to_owned();
                text.lines().map(event).map(kind).collect()
            }
            (false, false) => Vec::new(),
        };
        listing += format!("{name} {}", keys.join(" ")).trim_end();
        listing.push('\n');
        let mode = fs::metadata(folder.join(&name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    assert_eq!(listing, LISTING);
    let mode = fs::metadata(&folder).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    for name in LISTING.lines().filter_map(|line| line.split(' ').next()) {
        let named = name.replace("T-001.1", "RUN");
        assert!(name == "README.md" || readme.contains(&format!("`{named}`")), "{name}");
    }
}

#[test]
fn nothing_is_written_into_a_folder_that_is_not_empty() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let folder = household.folder().join("report");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("mine"), "").expect("a file");
    let ended = household.trueup(&["doctor", "--bundle", &folder.display().to_string()]);
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert_eq!(files(&folder).len(), 1);
}

#[test]
fn without_a_name_it_lies_below_the_temporary_folder_and_programs_are_told_where() {
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"));
    let temporary = household.folder().join("tmp");
    fs::create_dir(&temporary).expect("a folder");
    let household = household.with_variable("TMPDIR", &temporary.display().to_string());
    let told = household.json(&["doctor", "--bundle", "--json"]);
    let folder = told["folder"].as_str().expect("a folder");
    assert!(Path::new(folder).starts_with(&temporary), "{told}");
    assert_eq!(
        told["files"].as_array().map(Vec::len),
        Some(files(Path::new(folder)).len())
    );
}
