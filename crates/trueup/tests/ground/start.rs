//! How soon a check's first instruction runs, in the first and in the second room.

use crate::place::{Kind, bare, toolchain};
use std::{
    collections::BTreeMap,
    time::{SystemTime, UNIX_EPOCH},
};
use trueup_core::{
    criterion::{CheckMethod, Execution, Network},
    effect::Verify,
    evidence::{CheckOutcome, Evidence},
    ground::{Caches, Preparation},
    id::{RunId, TreeId},
    task::Task,
};
use trueup_engine::{
    check::Checks,
    layer::{BaseContents, Layers},
    sandbox::{Laying, Mode, Sandbox, Setup, Share},
    space::Space,
    state::StateRoot,
    stop::StopSource,
    travel::Ports,
    workspace::Workspaces,
};
use trueup_testkit::{household::Household, sample};

/// What a second room may take of what the first took.
const BOUND: f64 = 0.2;

fn nanoseconds() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock")
        .as_nanos()
}

/// A task whose one check first tells the time, then runs the project's tests.
fn task(kind: Kind) -> Task {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (name, run, key, keep, tests, cache) = match kind {
        Kind::Node => (
            "node",
            "npm ci --no-audit --no-fund",
            "package-lock.json",
            "node_modules",
            "npm test",
            None,
        ),
        Kind::Rust => (
            "crates",
            "cargo fetch --locked",
            "Cargo.lock",
            "~/.cargo/registry",
            "cargo test --offline --workspace",
            Some("target".to_owned()),
        ),
    };
    let mut task = sample::task();
    task.ground.prepare.push(Preparation {
        name: name.into(),
        argv: words(run),
        key: words(key),
        keep: words(keep),
        timeout_ms: 600_000,
        env: BTreeMap::new(),
        pass_env: Vec::new(),
        secret_env: Vec::new(),
    });
    task.criteria.truncate(1);
    task.criteria[0].checks[0].how = CheckMethod::Command(Execution {
        cache: cache.into_iter().collect(),
        ..Execution::new(
            vec!["sh".into(), "-c".into(), format!("date +%s%N; exec {tests}")],
            600_000,
            Network::Off,
        )
    });
    task
}

struct Rooms {
    checks: Checks,
    task: Task,
    base: TreeId,
}

impl Rooms {
    fn of(household: &Household, kind: Kind) -> Self {
        let task = task(kind);
        // A state root of its own, in which nothing was ever prepared.
        let state = StateRoot::open(&household.folder().join("fresh")).expect("a state root");
        let workspaces = Workspaces::open(&state, &household.checkout()).expect("git");
        let sandbox = Sandbox::new(Setup {
            entry: env!("CARGO_BIN_EXE_trueup").into(),
            home: household.home(),
            path: format!("{}/bin:/usr/local/bin:/usr/bin:/bin", toolchain().display()).into(),
            repository: household.checkout(),
            read: vec![toolchain()],
            state: state.path().to_owned(),
            environment: BTreeMap::new(),
            laying: Laying::Auto,
            share: Share::of_this_machine(),
            secrets: Default::default(),
            mode: Mode::Bubblewrap,
            sockets: Vec::new(),
        })
        .expect("a wall");
        let (run, stop) = (RunId::new("T-001.1"), StopSource::default());
        let folder = state.run(&run);
        let ports = Ports::in_folders(&state, &run).expect("ports");
        let layers = Layers {
            state: state.clone(),
            workspaces: workspaces.clone(),
            sandbox: sandbox.clone(),
            environment: BTreeMap::new(),
            secrets: BTreeMap::new(),
            run: run.clone(),
            alive: folder.join("alive"),
            stop: stop.token(),
            bases: BaseContents::beside("tasks"),
        };
        let checks = Checks {
            run,
            sandbox,
            layers,
            space: Space::of(state.path(), None),
            blobs: ports.blobs,
            spool: ports.spool,
            memo: ports.memo,
            alive: folder.join("alive"),
            stop: stop.token(),
            workspaces,
            tasks: "tasks".to_owned(),
            levels: std::sync::Arc::default(),
            rules: std::sync::Arc::default(),
        };
        let base = checks.workspaces.base("HEAD").expect("a base").tree;
        Self { checks, task, base }
    }

    /// What the check sees on a tree.
    async fn see(&self, tree: &TreeId, caches: Caches) -> Evidence {
        let wish = Verify::of(&self.task, &self.base, tree, caches);
        let evidence = self.checks.verify(&wish, &|_| {}).await.expect("evidence");
        let mut unit = evidence.into_iter().filter(|one| one.check.as_str() == "AC-1.1");
        unit.next().expect("the tests")
    }

    /// Milliseconds from the wish to the first instruction of the check, and what it saw.
    async fn start(&self, tree: &TreeId, caches: Caches) -> (f64, Evidence) {
        let began = nanoseconds();
        let unit = self.see(tree, caches).await;
        let said = self.checks.blobs.get(&unit.stdout.digest).expect("what it said");
        let said = String::from_utf8_lossy(&said).into_owned();
        let told = said.lines().next().unwrap_or_default();
        let first: u128 = told.parse().unwrap_or_else(|_| panic!("{unit:?}: {said}"));
        ((first - began) as f64 / 1e6, unit)
    }
}

/// Starts a room of the base, then one of a candidate that mends the bug.
async fn start_both(kind: Kind, file: &str, wrong: &str, right: &str) -> (f64, f64) {
    let household = bare(kind, "true");
    let rooms = Rooms::of(&household, kind);
    let (first, seen) = rooms.start(&rooms.base.clone(), Caches::Fill).await;
    assert!(
        matches!(seen.saw, CheckOutcome::Failed { .. }),
        "the bug is seen: {:?}",
        seen.saw
    );
    let text = std::fs::read_to_string(household.checkout().join(file)).expect("a file");
    household.file(file, &text.replace(wrong, right));
    household.commit("Mend it");
    let mended = rooms.checks.workspaces.base("HEAD").expect("a candidate").tree;
    let (second, warm) = rooms.start(&mended, Caches::Use).await;
    assert_eq!(warm.saw, CheckOutcome::Passed, "the mended tree is green");
    let cold = rooms.see(&mended, Caches::Leave).await;
    assert_eq!(cold.saw, CheckOutcome::Passed, "and green without any cache");
    println!(
        "measured: room start {file} first={first:.0}ms second={second:.0}ms ratio={:.3} bound={BOUND} \
         tests took base={}ms candidate={}ms cold={}ms",
        second / first,
        seen.took_ms,
        warm.took_ms,
        cold.took_ms
    );
    (first, second)
}

fn is_within(first: f64, second: f64) -> bool {
    second <= first * BOUND
}

#[tokio::test]
async fn the_second_room_of_a_vitest_project_starts_in_a_fifth_of_the_time() {
    let (first, second) = start_both(Kind::Node, "src/sum.js", "one - other", "one + other").await;
    assert!(is_within(first, second));
}

#[tokio::test]
async fn the_second_room_of_a_rust_workspace_starts_in_a_fifth_of_the_time() {
    let (first, second) = start_both(Kind::Rust, "app/src/lib.rs", "Hello {}", "Hello, {}").await;
    assert!(is_within(first, second));
}

#[test]
fn a_room_that_prepares_again_is_caught() {
    assert!(!is_within(20_000.0, 19_000.0) && is_within(20_000.0, 900.0));
}
