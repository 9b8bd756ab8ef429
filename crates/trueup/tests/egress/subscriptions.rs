//! Real agents that are signed in with a subscription: they speak to their
//! hosts themselves, encrypted, and believe whom the proxy says they speak to.

use crate::outside::Outside;
use serde_json::{Value, json};
use std::fs;
use trueup_testkit::{
    agents,
    alone::alone,
    household::{Household, Output},
    model_server::{ModelServer, Reply},
};

/// What does all of the greeting's work.
const WORK: &str =
    r#"echo 'echo "Hello, ${1:-world}"' > greet.sh; printf '# greet\n\nRun `sh greet.sh NAME`.\n' > README.md"#;

/// An agent, its table, its sign-in, and how its model has a command run.
struct Signed {
    table: String,
    file: (&'static str, Value),
    host: &'static str,
    work: Reply,
}

fn claude() -> Signed {
    let program = agents::claude(agents::CLAUDE_VERSIONS[0]).display().to_string();
    Signed {
        table: format!("kind = \"claude-code\"\ncommand = [{program:?}]\nmodel = \"claude-sonnet-4-5\"\n"),
        file: (
            ".claude/.credentials.json",
            json!({"claudeAiOauth": {
                "accessToken": "sk-ant-oat01-test", "refreshToken": "sk-ant-ort01-test",
                "expiresAt": 4_102_444_800_000_u64, "scopes": ["user:inference", "user:profile"],
                "subscriptionType": "max",
            }}),
        ),
        host: "api.anthropic.com:443",
        work: Reply::tool("Bash", json!({"command": WORK, "description": "work"})),
    }
}

fn codex() -> Signed {
    let program = agents::codex();
    let beside = program
        .ancestors()
        .nth(2)
        .expect("a folder above")
        .display()
        .to_string();
    let program = program.display().to_string();
    let model = ModelServer::spawn([Reply::text("")]);
    let tokens = model.demand_sign_in(std::time::Duration::from_secs(86_400));
    Signed {
        table: format!("kind = \"codex\"\ncommand = [{program:?}]\nmodel = \"scripted-model\"\nread = [{beside:?}]\n"),
        file: (
            ".codex/auth.json",
            json!({"auth_mode": "chatgpt", "OPENAI_API_KEY": null, "last_refresh": "2026-11-01T00:00:00Z", "tokens": {
                "id_token": tokens.identity, "access_token": tokens.access,
                "refresh_token": tokens.refresh, "account_id": "account-1",
            }}),
        ),
        host: "chatgpt.com:443",
        work: Reply::tool("exec_command", json!({"cmd": WORK})),
    }
}

/// Runs trueup with this agent, which shows its host who it is.
fn run(signed: Signed, command: &[&str]) -> Output {
    let model = ModelServer::spawn([signed.work, Reply::text("It is done.")]);
    let outside = Outside::before(model.port);
    let household = Household::greeting(env!("CARGO_BIN_EXE_trueup"))
        .in_real_time()
        .with_variable("HTTPS_PROXY", &outside.proxy())
        .with_variable("SSL_CERT_FILE", &outside.believed().display().to_string());
    let table = format!("[agent.real]\nnetwork = \"model\"\n{}", signed.table);
    household.file(
        "trueup.toml",
        &format!("version = 1\n[agent]\ndefault = \"real\"\n{table}"),
    );
    let (name, sign_in) = signed.file;
    let file = household.home().join(name);
    fs::create_dir_all(file.parent().expect("a folder above")).expect("a folder");
    fs::write(file, sign_in.to_string()).expect("a sign-in");
    let ended = household.trueup(command);
    let asked = outside.asked();
    let shown = asked.iter().filter(|asked| asked["connect"] == signed.host);
    let shown = shown.filter(|asked| asked["headers"].get("authorization").is_some());
    assert!(shown.count() >= 1, "{ended:#?}\n{asked:#?}");
    ended
}

#[test]
fn an_agent_with_a_subscription_reaches_its_hosts_through_the_proxy() {
    alone(
        "subscriptions::an_agent_with_a_subscription_reaches_its_hosts_through_the_proxy",
        || {
            let ended = run(claude(), &["run", "T-001"]);
            assert_eq!(ended.code, 0, "{ended:#?}");
            assert!(ended.stdout.starts_with("verified:"), "{}", ended.stdout);
            // What its host says of an account cannot be played, so no more than
            // that it gets there is seen.
            run(codex(), &["agent", "test", "real"]);
        },
    );
}
