//! What real agents do when their sign-in rotates.

use crate::scene::{Ended, Scene};
use serde_json::json;
use std::time::Duration;
use trueup_testkit::alone::alone;
use trueup_testkit::model_server::{ModelServer, Reply, Tokens};

const LONG: Duration = Duration::from_secs(3600);

fn server() -> ModelServer {
    ModelServer::spawn([
        Reply::tool("exec_command", json!({"cmd": "echo hello > hello.txt"})),
        Reply::text("It is written."),
    ])
}

fn signed_in(scene: &Scene, server: &ModelServer, tokens: &Tokens) -> Ended {
    scene.sign_codex_in(tokens);
    let issuer = format!("{}/oauth/token", server.url());
    let variables = [("CODEX_REFRESH_TOKEN_URL_OVERRIDE", issuer.as_str())];
    scene.codex(server, "requires_openai_auth = true", &variables)
}

#[test]
fn codex_renews_a_sign_in_that_ended_and_keeps_the_new_one() {
    alone(
        "signing_in::codex_renews_a_sign_in_that_ended_and_keeps_the_new_one",
        || {
            let (scene, server) = (Scene::new(), server());
            let tokens = server.demand_sign_in(LONG);
            server.expire_access_tokens();
            let ended = signed_in(&scene, &server, &tokens);
            ended.with_code(0);
            assert_eq!(scene.file("hello.txt").as_deref(), Some("hello\n"));
            let counts = server.sign_in_counts();
            assert_eq!((counts.refreshes, counts.reuses), (1, 0), "{counts:?}");
            assert_ne!(scene.codex_refresh_token(), tokens.refresh);
        },
    );
}

#[test]
fn codex_cannot_go_on_with_a_refresh_token_that_another_copy_spent() {
    alone(
        "signing_in::codex_cannot_go_on_with_a_refresh_token_that_another_copy_spent",
        || {
            let server = server();
            let tokens = server.demand_sign_in(LONG);
            server.expire_access_tokens();
            signed_in(&Scene::new(), &server, &tokens).with_code(0);
            server.expire_access_tokens();
            let scene = Scene::new();
            let ended = signed_in(&scene, &server, &tokens);
            ended.with_code(1);
            let told = ended.line("turn.failed")["error"]["message"]
                .as_str()
                .unwrap_or_default();
            assert!(told.contains("already used"), "{ended:#?}");
            assert_eq!(scene.file("hello.txt"), None);
            assert!(server.sign_in_counts().reuses > 0);
        },
    );
}
