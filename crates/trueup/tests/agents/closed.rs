//! What a repository, or an agent in an earlier turn, leaves for an agent's own
//! settings to find runs nothing. What it says in words is read.

use super::scene::{DESCRIBE, EVERYBODY, GREET, KEY, Scene, Who};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use trueup_testkit::{
    alone::alone,
    model_server::{Reply, Script},
};

/// What the repository's own instructions say.
const WORDS: &str = "greet-everybody-kindly";

/// A folder that the agent may write, in which every trap would leave a mark.
fn marks(scene: &Scene) -> PathBuf {
    let folder = scene.household.folder().join("marks");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn left(marks: &Path) -> Vec<String> {
    let entries = fs::read_dir(marks).expect("a folder").flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// A script that says the same however often it is asked.
fn only_words() -> Script {
    let reply = Reply::text("I would rather not.");
    Script::new(vec![reply.clone(); 40]).side(reply)
}

/// Commits every file by which an agent would run a command of the
/// repository's without a word of its model's.
fn set_traps(scene: &Scene, marks: &Path) {
    let touch = |name: &str| format!("touch {}", marks.join(name).display());
    let hooks = |name: &str| {
        let hook = serde_json::json!([{"hooks": [{"type": "command", "command": touch(name)}]}]);
        serde_json::json!({"SessionStart": hook, "UserPromptSubmit": hook})
    };
    let settings = serde_json::json!({
        "hooks": hooks("hook"),
        "enableAllProjectMcpServers": true,
        "apiKeyHelper": format!("{}; echo {KEY}", touch("key-helper")),
    });
    let server = serde_json::json!({"mcpServers": {"trap": {"command": "sh", "args": ["-c", touch("server")]}}});
    let household = &scene.household;
    household.file(".claude/settings.json", &settings.to_string());
    household.file(".mcp.json", &server.to_string());
    let server = format!(
        "[mcp_servers.trap]\ncommand = \"sh\"\nargs = [\"-c\", {:?}]\n",
        touch("server")
    );
    household.file(".codex/config.toml", &server);
    let hooks = serde_json::json!({"hooks": hooks("hook")});
    household.file(".codex/hooks.json", &hooks.to_string());
    for instructions in ["CLAUDE.md", "AGENTS.md"] {
        household.file(instructions, &format!("{WORDS}\n"));
    }
    household.commit("Settings of agents");
}

/// Runs the agent as a person would who trusts the folder, without trueup.
fn run_bare(who: Who, scene: &Scene) {
    let home = scene.household.folder().join("bare");
    fs::create_dir_all(&home).expect("a folder");
    let url = scene.model.url();
    let mut command = Command::new(who.program());
    match who {
        Who::Claude(_) => command
            .args(["-p", "hello", "--model", "claude-sonnet-4-5"])
            .envs([("ANTHROPIC_BASE_URL", url.as_str()), ("ANTHROPIC_API_KEY", KEY)])
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("CLAUDE_CONFIG_DIR", &home),
        Who::Codex => {
            let config = format!(
                "model = \"scripted-model\"\nmodel_provider = \"own\"\n\
                 [model_providers.own]\nname = \"own\"\nbase_url = \"{url}/v1\"\nenv_key = \"OWN_KEY\"\n\
                 wire_api = \"responses\"\n[projects.{:?}]\ntrust_level = \"trusted\"\n",
                scene.household.checkout().canonicalize().expect("a checkout")
            );
            fs::write(home.join("config.toml"), config).expect("settings");
            command
                .args(["exec", "--skip-git-repo-check", "-s", "read-only", "hello"])
                .env("OWN_KEY", KEY)
                .env("CODEX_HOME", &home)
        }
    };
    let ended = command
        .current_dir(scene.household.checkout())
        .stdin(Stdio::null())
        .output()
        .expect("an agent");
    assert!(ended.status.success(), "{who:?}: {ended:?}");
}

fn springs_no_trap(who: Who, mode: &str) {
    let scene = Scene::new(who, only_words());
    let marks = marks(&scene);
    scene.budget("budget: {turns: 1}");
    set_traps(&scene, &marks);
    let write = format!("permission = \"nothing\"\nwrite = [{:?}]", marks.display().to_string());
    scene.configure(&write);
    let layer = scene.household.home().join(".config/trueup");
    fs::create_dir_all(&layer).expect("a folder");
    fs::write(layer.join("config.toml"), format!("[sandbox]\nmode = {mode:?}\n")).expect("the person's layer");
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_ne!(ended.code, 0, "{who:?}: {ended:#?}");
    let asked = scene.asked();
    let first = asked.first().unwrap_or_else(|| panic!("{who:?}: {ended:#?}"));
    assert!(first.mentions(WORDS), "{who:?}: its instructions went unread");
    assert_eq!(left(&marks), Vec::<String>::new(), "{who:?}, {mode}: a trap was sprung");
    // The same traps spring where nobody closes them.
    run_bare(who, &scene);
    assert!(
        left(&marks).contains(&"server".to_owned()),
        "{who:?}: {:?}",
        left(&marks)
    );
    if let Who::Claude(_) = who {
        assert_eq!(left(&marks).len(), 3, "{who:?}: {:?}", left(&marks));
    }
}

#[test]
fn no_settings_of_a_repository_run_a_command() {
    alone("closed::no_settings_of_a_repository_run_a_command", || {
        for who in EVERYBODY {
            springs_no_trap(who, "bubblewrap");
            springs_no_trap(who, "none");
        }
    });
}

/// Writes into the agent's own home what would steer its next turn. The words
/// stand in no command, so that only a file can bring them.
fn plant(who: Who, marks: &Path) -> String {
    let hook = format!(
        r#"{{"hooks":{{"SessionStart":[{{"hooks":[{{"type":"command","command":"touch {}"}}]}}]}}}}"#,
        marks.join("hook").display()
    );
    match who {
        Who::Claude(_) => format!(
            "cd \"$CLAUDE_CONFIG_DIR\"; printf '%s' '{hook}' > settings.json; printf 'planted-%s' words > CLAUDE.md; \
             for project in projects/*; do mkdir -p \"$project/memory\"; \
             printf 'planted-%s' words > \"$project/memory/MEMORY.md\"; done"
        ),
        Who::Codex => format!(
            "cd \"$CODEX_HOME\"; printf '%s' '{hook}' > hooks.json; printf 'planted-%s' words > AGENTS.md; \
             mv config.toml before.toml; mkdir -p config.toml/in-the-way"
        ),
    }
}

fn starts_the_next_turn_with_a_clean_home(who: Who) {
    let scene = Scene::new(who, only_words());
    let marks = marks(&scene);
    let home = match who {
        Who::Claude(_) => "$CLAUDE_CONFIG_DIR",
        Who::Codex => "$CODEX_HOME",
    };
    let first = format!(
        "{GREET}; {}; echo written > {}",
        plant(who, &marks),
        marks.join("planted").display()
    );
    scene.model.replace([
        who.shell(&first),
        Reply::text("The greeting is done."),
        who.shell(&format!("{DESCRIBE}; ls -A {home} > {}", marks.join("found").display())),
        Reply::text("The README is done."),
    ]);
    scene.budget("budget: {turns: 3}");
    scene.configure(&format!("write = [{:?}]", marks.display().to_string()));
    let ended = scene.household.trueup(&["run", "T-001"]);
    assert_eq!(ended.code, 0, "{who:?}: {ended:#?}\n{:#?}", scene.endings());
    assert!(
        marks.join("planted").is_file() && !marks.join("hook").exists(),
        "{who:?}"
    );
    let found = fs::read_to_string(marks.join("found")).expect("what it found");
    for planted in ["CLAUDE.md", "AGENTS.md", "settings.json", "hooks.json", "before.toml"] {
        assert!(!found.lines().any(|line| line == planted), "{who:?}: {found}");
    }
    let asked = scene.asked();
    assert!(asked.len() >= 4, "{who:?}");
    // Codex tells its model of new instructions within the turn that wrote
    // them, so that they stand in the conversation.
    if let Who::Claude(_) = who {
        let told = asked.iter().find(|request| request.mentions("planted-words"));
        assert!(told.is_none(), "{who:?}: {told:?}");
    }
    // It still knows what was said in the turn before.
    assert!(asked[2].mentions("The greeting is done."), "{who:?}: {}", asked[2].body);
}

#[test]
fn nothing_an_agent_leaves_in_its_home_steers_its_next_turn() {
    alone(
        "closed::nothing_an_agent_leaves_in_its_home_steers_its_next_turn",
        || {
            for who in EVERYBODY {
                starts_the_next_turn_with_a_clean_home(who);
            }
        },
    );
}
