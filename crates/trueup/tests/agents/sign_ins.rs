//! One sign-in whose tokens renew one another, shared by ten runs at once.
//!
//! With Codex alone: Claude Code renews its tokens at an address that cannot
//! be changed, so its part is proved with agents that are played, beside the
//! engine's own tests.

use super::scene::Who;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};
use trueup_testkit::{
    agents,
    alone::alone,
    household::Household,
    model_server::{ModelServer, Reply, Request, Script, Tokens},
};

const RUNS: usize = 10;

/// How long all runs together may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// How long runs that hold a token are gathered before it ends; shorter than
/// the first answer takes.
const GATHERED: Duration = Duration::from_millis(700);

/// A person who is signed in, with ten tasks.
struct Person {
    household: Household,
    model: ModelServer,
}

fn task(number: usize) -> String {
    format!("T-{number:03}")
}

impl Person {
    fn new() -> Self {
        let scripts: Vec<Script> = (1..=RUNS).map(script).collect();
        let model = ModelServer::spawn(scripts);
        let household = Household::new(env!("CARGO_BIN_EXE_trueup"), "").in_real_time();
        for number in 1..=RUNS {
            let id = task(number);
            let text = format!(
                "---\nv: 1\nid: {id}\ntitle: File {number}\n---\n\nWrite it.\n\n## Acceptance criteria\n\n\
                 - [ ] **AC-1** The file is there.\n  - verify: file done-{number}.txt exists\n"
            );
            household.task(&id, &text);
        }
        household.commit("Ten tasks");
        household.file("trueup.toml", &configuration(&model.url()));
        Self { household, model }
    }

    /// Where the sign-in lies that every run shares.
    fn file(&self) -> PathBuf {
        self.household.home().join(".codex/auth.json")
    }

    fn signs_in(&self, tokens: &Tokens) {
        let file = self.file();
        fs::create_dir_all(file.parent().expect("a folder above")).expect("a folder");
        let text = json!({
            "auth_mode": "chatgpt", "OPENAI_API_KEY": null, "last_refresh": "2026-01-01T00:00:00Z",
            "tokens": {
                "id_token": tokens.identity, "access_token": tokens.access,
                "refresh_token": tokens.refresh, "account_id": "account-1",
            },
        });
        fs::write(file, text.to_string()).expect("a sign-in");
    }

    /// Whether a run asked for work with a token that had ended.
    fn was_refused(&self, number: usize) -> bool {
        let refused = |request: &Request| request.offers_tools() && request.reply.is_none();
        let id = task(number);
        self.model
            .requests()
            .iter()
            .any(|request| refused(request) && request.mentions(&id))
    }

    /// Whether the person is still signed in: their file holds the tokens
    /// that were issued last.
    fn is_signed_in(&self) -> bool {
        let text = fs::read(self.file()).expect("a sign-in");
        let file: Value = serde_json::from_slice(&text).expect("a whole sign-in");
        let refresh = file["tokens"]["refresh_token"].as_str().expect("a token");
        self.model.would_renew(refresh)
    }

    fn begins(&self, number: usize) -> Child {
        let mut run = self.household.command(&["run", &task(number)]);
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().expect("a run")
    }

    /// Ends every access token soon after another run has shown one, so that
    /// each run meets a refusal in the middle of its turn, several at once.
    fn expires_tokens_in_the_middle(&self, runs: &mut [Child]) -> Vec<i32> {
        let began = Instant::now();
        let (mut met, mut newest) = (BTreeSet::new(), None);
        loop {
            let known = met.len();
            let first = |request: &Request| request.reply == Some(0);
            met.extend(
                self.model
                    .requests()
                    .into_iter()
                    .filter(first)
                    .map(|request| request.script),
            );
            if met.len() > known {
                newest.get_or_insert_with(Instant::now);
            }
            if newest.is_some_and(|newest| newest.elapsed() > GATHERED) {
                newest = None;
                self.model.expire_access_tokens();
            }
            let ended: Vec<i32> = runs
                .iter_mut()
                .filter_map(|run| run.try_wait().expect("a run"))
                .map(|status| status.code().unwrap_or(-1))
                .collect();
            if ended.len() == runs.len() {
                return ended;
            }
            if began.elapsed() > PATIENCE {
                for run in runs.iter_mut() {
                    drop(run.kill());
                }
                panic!(
                    "{} of {RUNS} runs ended: {:?}",
                    ended.len(),
                    self.model.sign_in_counts()
                );
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The first answer takes long enough for the token to end meanwhile.
fn script(number: usize) -> Script {
    let command = format!("echo done > done-{number}.txt");
    let first = Who::Codex.shell(&command).delay(Duration::from_millis(1_500));
    Script::new([first, Reply::text("It is written.")]).matching(&task(number))
}

fn configuration(url: &str) -> String {
    let program = agents::codex();
    let beside = program.ancestors().nth(2).expect("its folder").display().to_string();
    format!(
        "version = 1\n\n[agent]\ndefault = \"real\"\n\n[agent.real]\nkind = \"codex\"\n\
         command = [{:?}, \"-c\", \"chatgpt_base_url={url}\"]\nmodel = \"scripted-model\"\nread = [{beside:?}]\n\
         env = {{ OPENAI_BASE_URL = \"{url}/v1\", CODEX_REFRESH_TOKEN_URL_OVERRIDE = \"{url}/oauth/token\" }}\n",
        program.display().to_string(),
    )
}

#[test]
fn ten_runs_that_share_a_sign_in_sign_nobody_out() {
    alone("sign_ins::ten_runs_that_share_a_sign_in_sign_nobody_out", || {
        let person = Person::new();
        let tokens = person.model.demand_sign_in(Duration::from_secs(3600));
        person.signs_in(&tokens);
        let mut runs: Vec<Child> = (1..=RUNS).map(|number| person.begins(number)).collect();
        let codes = person.expires_tokens_in_the_middle(&mut runs);
        let counts = person.model.sign_in_counts();
        let signed_out = codes.iter().filter(|code| **code == 7).count();
        println!(
            "nights: sign_ins={RUNS} refused={} refreshes={} reuses={} signed_out={signed_out}",
            counts.refused, counts.refreshes, counts.reuses
        );
        assert_eq!(codes, [0; RUNS], "{counts:?}");
        for number in 1..=RUNS {
            assert!(
                person.was_refused(number),
                "{} met no refusal: {counts:?}",
                task(number)
            );
        }
        assert!(counts.refreshes > 0, "{counts:?}");
        assert_eq!(counts.unknown, 0, "{counts:?}");
        assert!(person.is_signed_in(), "the person was signed out: {counts:?}");
        for number in 1..=RUNS {
            let shown = person.household.show(&task(number));
            assert_eq!(shown["turns"], 1, "a refusal is no turn: {shown}");
        }
    });
}

#[test]
fn known_bad_a_sign_in_that_was_taken_over_elsewhere_signs_the_run_out() {
    let name = "sign_ins::known_bad_a_sign_in_that_was_taken_over_elsewhere_signs_the_run_out";
    alone(name, || {
        let person = Person::new();
        let lost = person.model.demand_sign_in(Duration::from_secs(3600));
        person.model.demand_sign_in(Duration::from_secs(3600));
        person.signs_in(&lost);
        let codes = person.expires_tokens_in_the_middle(&mut [person.begins(1)]);
        assert_eq!(codes, [7]);
        assert!(!person.is_signed_in());
    });
}
