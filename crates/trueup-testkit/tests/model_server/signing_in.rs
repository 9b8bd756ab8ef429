//! Access tokens last a while; a refresh token works once.

use crate::client::{Answer, get, post, send, send_with};
use serde_json::json;
use std::{thread, time::Duration};
use trueup_testkit::model_server::{ModelServer, Reply, SignInCounts};

const LONG: Duration = Duration::from_secs(3600);

fn server() -> ModelServer {
    ModelServer::spawn([Reply::text("a")])
}

fn asked(server: &ModelServer, token: &str) -> u16 {
    let headers = format!("authorization: Bearer {token}\r\n");
    send_with(server.port, ("POST", "/v1/messages"), &headers, "{\"messages\":[]}").status
}

fn refreshed(server: &ModelServer, refresh: &str) -> Answer {
    let body = json!({"grant_type": "refresh_token", "refresh_token": refresh, "client_id": "x"});
    post(server.port, "/oauth/token", &body)
}

#[test]
fn a_model_asks_for_a_token_only_if_told_to() {
    let server = server();
    assert_eq!(asked(&server, "whatever"), 200);
    let tokens = server.demand_sign_in(LONG);
    assert_eq!(asked(&server, "whatever"), 401);
    assert_eq!(post(server.port, "/v1/responses", &json!({})).status, 401);
    assert_eq!(asked(&server, &tokens.access), 200);
    assert_eq!(server.sign_in_counts().refused, 2);
}

#[test]
fn a_refresh_token_works_once() {
    let server = server();
    let first = server.demand_sign_in(LONG);
    let second = refreshed(&server, &first.refresh);
    assert_eq!(second.status, 200);
    let second = second.json();
    assert_eq!(asked(&server, second["access_token"].as_str().expect("a token")), 200);
    // The older access token still lasts.
    assert_eq!(asked(&server, &first.access), 200);
    let again = refreshed(&server, &first.refresh);
    assert_eq!(again.status, 401);
    assert_eq!(again.json()["error"]["code"], "refresh_token_reused");
    assert_eq!(refreshed(&server, "made-up").status, 401);
    let next = format!(
        "grant_type=refresh_token&refresh_token={}",
        second["refresh_token"].as_str().expect("a token")
    );
    assert_eq!(send(server.port, "POST", "/v1/oauth/token", &next).status, 200);
    let counts = SignInCounts {
        refreshes: 2,
        reuses: 1,
        unknown: 1,
        refused: 0,
    };
    assert_eq!(server.sign_in_counts(), counts);
}

#[test]
fn an_access_token_ends_by_itself_or_by_order() {
    let server = server();
    let tokens = server.demand_sign_in(Duration::from_millis(150));
    assert_eq!(asked(&server, &tokens.access), 200);
    thread::sleep(Duration::from_millis(160));
    assert_eq!(asked(&server, &tokens.access), 401);
    let tokens = server.demand_sign_in(LONG);
    server.expire_access_tokens();
    assert_eq!(asked(&server, &tokens.access), 401);
    assert_eq!(refreshed(&server, &tokens.refresh).status, 200);
}

#[test]
fn tokens_can_be_read_by_clients() {
    let tokens = server().demand_sign_in(LONG);
    let parts: Vec<&str> = tokens.identity.split('.').collect();
    assert_eq!(parts.len(), 3);
    // The beginning of {"alg":"none","typ":"JWT"}.
    assert_eq!(parts.first(), Some(&"eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"));
}

#[test]
fn a_sign_in_can_be_demanded_over_http() {
    let server = server();
    assert_eq!(refreshed(&server, "x").status, 404);
    assert_eq!(post(server.port, "/__sign_in", &json!({})).status, 400);
    let tokens = post(server.port, "/__sign_in", &json!({"lifetime_ms": 60_000})).json();
    assert_eq!(asked(&server, "x"), 401);
    assert_eq!(asked(&server, tokens["access_token"].as_str().expect("a token")), 200);
    assert_eq!(get(server.port, "/__sign_in").json()["refused"], 1);
}
