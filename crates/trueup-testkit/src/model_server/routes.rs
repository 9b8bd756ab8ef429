//! What is answered at which path.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, State, rejection::BytesRejection},
    http::{
        HeaderValue, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
    response::Response,
    routing::{any, get, post},
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{
    answer::{Api, Delivery},
    ids::{Ids, now},
    play::{Play, Request},
    reply::Reply,
    script::Scripts,
    sign_in::{NoTokens, SignIn, Tokens},
};

/// What all connections share.
#[derive(Debug)]
pub(super) struct ServerState {
    start: Instant,
    ids: Ids,
    play: Mutex<Play>,
    sign_in: Mutex<Option<SignIn>>,
}

type Shared = State<Arc<ServerState>>;

impl ServerState {
    /// A theatre in which this play begins.
    pub(super) fn new(play: Play) -> Self {
        Self {
            start: Instant::now(),
            ids: Ids::new(),
            play: Mutex::new(play),
            sign_in: Mutex::new(None),
        }
    }

    /// The play; a test that died while it looked must not stop the others.
    pub(super) fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sign-in, if one is demanded.
    pub(super) fn sign_in(&self) -> MutexGuard<'_, Option<SignIn>> {
        self.sign_in.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, model endpoints ask for an access token.
    pub(super) fn demand_sign_in(&self, lifetime: Duration) -> Tokens {
        let (sign_in, tokens) = SignIn::new(lifetime, &self.ids);
        *self.sign_in() = Some(sign_in);
        tokens
    }

    /// Whether a request may reach the model.
    fn admits(&self, request: &Request) -> bool {
        let bearer = request.headers.get(AUTHORIZATION.as_str());
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        self.sign_in().as_mut().is_none_or(|sign_in| sign_in.admits(bearer))
    }
}

/// Every path of the server.
pub(super) fn router(theatre: Arc<ServerState>) -> Router {
    Router::new()
        .route("/v1/messages", post(anthropic))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .route("/v1/responses", post(responses))
        .route("/v1/chat/completions", post(chat))
        .route("/v1/models", get(models))
        .route("/", get(hello))
        .route("/api/hello", get(hello))
        .route("/oauth/token", post(token))
        .route("/v1/oauth/token", post(token))
        .route("/__log", get(log))
        .route("/__script", post(script))
        .route("/__sign_in", get(sign_in_counts).post(demand_sign_in))
        .fallback(any(nowhere))
        // A conversation may be longer than what is customary for forms.
        .layer(DefaultBodyLimit::disable())
        .with_state(theatre)
}

async fn anthropic(State(theatre): Shared, request: Request) -> Response {
    model(&theatre, Api::Anthropic, request).await
}

async fn responses(State(theatre): Shared, request: Request) -> Response {
    model(&theatre, Api::Responses, request).await
}

async fn chat(State(theatre): Shared, request: Request) -> Response {
    model(&theatre, Api::Chat, request).await
}

/// A model's answer, to those who may ask.
async fn model(theatre: &ServerState, api: Api, request: Request) -> Response {
    if !theatre.admits(&request) {
        theatre.play().note(request);
        let refusal = Reply::status(401).error("authentication_error", "the access token does not last any more");
        let body = api.error(&refusal.failure(), &theatre.ids);
        return json_body(401, body);
    }
    let wants_stream = request.body["stream"].as_bool() == Some(true);
    let delivery = if wants_stream {
        Delivery::Stream
    } else {
        Delivery::Whole
    };
    let model = request.body["model"].clone();
    let reply = theatre.play().reply(request).at(now());
    api.answer(reply, delivery, &model, &theatre.ids).await
}

/// Four letters are a token, roughly.
async fn count_tokens(State(theatre): Shared, request: Request) -> Response {
    let tokens = (request.body.to_string().len() / 4).max(1);
    theatre.play().note(request);
    json_body(200, json!({ "input_tokens": tokens }).to_string())
}

async fn models(State(theatre): Shared, request: Request) -> Response {
    theatre.play().note(request);
    let model = |id: &str| {
        json!({
            "id": id, "object": "model", "type": "model", "display_name": id, "owned_by": "scripted",
            "created": 1, "created_at": "2026-01-01T00:00:00Z",
        })
    };
    let list = ["scripted-model", "claude-sonnet-4-5"].map(model);
    json_body(
        200,
        json!({"object": "list", "data": list, "has_more": false}).to_string(),
    )
}

async fn hello(State(theatre): Shared, request: Request) -> Response {
    theatre.play().note(request);
    json_body(200, "{}".to_owned())
}

async fn nowhere(State(theatre): Shared, request: Request) -> Response {
    theatre.play().note(request);
    let error = json!({"type": "not_found_error", "message": "nothing is answered at this path"});
    json_body(404, json!({"type": "error", "error": error}).to_string())
}

/// Exchanges a refresh token, sent as JSON or as a form.
async fn token(State(theatre): Shared, request: Request) -> Response {
    let field = |name: &str| field(&request.body, name);
    let grant = field("grant_type").unwrap_or_default();
    let refresh = field("refresh_token").unwrap_or_default();
    let scope = field("scope");
    theatre.play().note(request);
    let mut sign_in = theatre.sign_in();
    let Some(sign_in) = sign_in.as_mut() else {
        return no_tokens(404, "no_sign_in", "no sign-in is demanded here");
    };
    if grant != "refresh_token" {
        return no_tokens(400, "unsupported_grant_type", "only refresh_token is known here");
    }
    let seconds = sign_in.claimed();
    match sign_in.exchange(&refresh, &theatre.ids) {
        Ok(tokens) => {
            let mut body = json!(tokens);
            body["token_type"] = json!("Bearer");
            body["expires_in"] = json!(seconds);
            // Claude Code keeps only tokens that grant what it asked for.
            body["scope"] = json!(scope);
            json_body(200, body.to_string())
        }
        Err(NoTokens::Spent) => no_tokens(401, "refresh_token_reused", "this refresh token was used before"),
        Err(NoTokens::Unknown) => no_tokens(401, "refresh_token_invalidated", "nobody issued this refresh token"),
    }
}

/// A field of a body that is JSON or a form.
fn field(body: &Value, name: &str) -> Option<String> {
    let Some(form) = body.as_str() else {
        return body[name].as_str().map(str::to_owned);
    };
    let mut pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

fn no_tokens(status: u16, code: &str, message: &str) -> Response {
    let error = json!({"type": "invalid_request_error", "code": code, "message": message});
    json_body(status, json!({ "error": error }).to_string())
}

async fn log(State(theatre): Shared) -> Response {
    let log = json!(theatre.play().requests());
    json_body(200, log.to_string())
}

/// Begins another script; one that cannot be read changes nothing.
async fn script(State(theatre): Shared, body: Bytes) -> Response {
    match serde_json::from_slice::<Scripts>(&body) {
        Ok(scripts) => {
            theatre.play().replace(scripts);
            json_body(200, "{}".to_owned())
        }
        Err(error) => json_body(400, json!({"error": {"message": error.to_string()}}).to_string()),
    }
}

async fn demand_sign_in(State(theatre): Shared, body: Bytes) -> Response {
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    match asked["lifetime_ms"].as_u64() {
        Some(lifetime) => {
            let tokens = theatre.demand_sign_in(Duration::from_millis(lifetime));
            json_body(200, json!(tokens).to_string())
        }
        None => json_body(
            400,
            json!({"error": {"message": "say how long: lifetime_ms"}}).to_string(),
        ),
    }
}

async fn sign_in_counts(State(theatre): Shared) -> Response {
    let counts = theatre.sign_in().as_ref().map(|sign_in| sign_in.counts);
    json_body(200, json!(counts.unwrap_or_default()).to_string())
}

impl FromRequest<Arc<ServerState>> for Request {
    type Rejection = BytesRejection;

    async fn from_request(request: axum::extract::Request, theatre: &Arc<ServerState>) -> Result<Self, BytesRejection> {
        let at = theatre.start.elapsed();
        let method = request.method().to_string();
        let path = request.uri().path().to_owned();
        let query = request.uri().query().map(str::to_owned);
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let named = request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), text(value)));
        let headers = named.collect();
        let bytes = Bytes::from_request(request, theatre).await?;
        let body = match bytes.len() {
            0 => Value::Null,
            _ => serde_json::from_slice(&bytes)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned())),
        };
        Ok(Self {
            method,
            path,
            query,
            headers,
            body,
            at,
            script: None,
            reply: None,
        })
    }
}

fn json_body(status: u16, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
