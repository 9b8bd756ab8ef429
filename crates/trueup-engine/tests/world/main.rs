//! This machine as a world: what it does can change threads, and what blocks
//! holds nobody up.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot be done is the failure")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};
use trueup_core::{
    effect::{Commit, Effect, Wish},
    event::{Event, Identity},
    id::{EffectId, Timestamp},
};
use trueup_engine::{
    agent::{Agent, command, prompt::Prompts},
    check::Checks,
    clock::Clock,
    layer::{BaseContents, Layers},
    local::Local,
    sandbox::{Laying, Mode, Sandbox, Setup, Share},
    space::Space,
    state::StateRoot,
    stop::StopSource,
    travel::Ports,
    turn::Unspooled,
    workspace::Workspaces,
    world::World,
};
use trueup_testkit::sample;

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=n", "-c", "user.email=e@example.com"]);
    assert!(command.args(arguments).current_dir(folder).status().unwrap().success());
}

/// A world over a repository with one empty commit.
/// A repository with one commit.
fn repository(folder: &Path) -> PathBuf {
    let checkout = folder.join("checkout");
    fs::create_dir(&checkout).unwrap();
    git(&checkout, &["init", "--quiet"]);
    git(&checkout, &["commit", "--quiet", "--allow-empty", "--message=first"]);
    checkout
}

fn world(folder: &Path) -> Local {
    let checkout = repository(folder);
    let state = StateRoot::open(&folder.join("state")).unwrap();
    let workspaces = Workspaces::open(&state, &checkout).unwrap();
    let mut opening = sample::opening("T-001.1");
    opening.base = workspaces.base("HEAD").unwrap();
    let sandbox = Sandbox::new(Setup {
        entry: std::env::current_exe().unwrap(),
        home: folder.join("home"),
        path: "/usr/bin:/bin".into(),
        repository: checkout,
        read: Vec::new(),
        state: state.path().to_owned(),
        mode: Mode::None,
        sockets: Vec::new(),
        environment: BTreeMap::new(),
        secrets: Default::default(),
        laying: Laying::Copy,
        share: Share::of_this_machine(),
    })
    .unwrap();
    let (run, stop) = (opening.run.clone(), StopSource::default().token());
    let ports = Ports::in_folders(&state, &run).unwrap();
    let alive = state.run(&run).join("alive");
    let layers = Layers {
        state: state.clone(),
        workspaces: workspaces.clone(),
        sandbox: sandbox.clone(),
        environment: BTreeMap::new(),
        secrets: BTreeMap::new(),
        run: run.clone(),
        alive: alive.clone(),
        stop: stop.clone(),
        bases: BaseContents::beside("tasks"),
    };
    let checks = Checks {
        run,
        workspaces: workspaces.clone(),
        sandbox,
        blobs: Arc::clone(&ports.blobs),
        layers,
        spool: Arc::clone(&ports.spool),
        memo: Arc::clone(&ports.memo),
        alive,
        stop: stop.clone(),
        space: Space::of(state.path(), None),
        tasks: "tasks".to_owned(),
        levels: Arc::default(),
        rules: Arc::default(),
    };
    let agent = Agent::Command(command::Command {
        program: "/bin/true".into(),
        arguments: Vec::new(),
        variables: BTreeMap::new(),
        read: Vec::new(),
        write: Vec::new(),
        network: None,
    });
    Local {
        state,
        workspaces,
        checks,
        ports,
        agent,
        prompts: Prompts::embedded(),
        opening,
        clock: Clock::System,
        stop,
        live: Arc::new(|_| {}),
        unspooled: Unspooled::default(),
    }
}

fn commit(world: &Local) -> Effect {
    Effect {
        id: EffectId::new("T-001.1/commit"),
        wish: Wish::Commit(Commit {
            tree: world.opening.base.tree.clone(),
            parent: world.opening.base.commit.clone(),
            message: "done".into(),
            author: Identity {
                name: "n".into(),
                email: "e@example.com".into(),
            },
            at: Timestamp(1_700_000_000_000),
        }),
    }
}

/// Git waits two seconds for a lock that nobody holds. Meanwhile the one
/// thread there is keeps other runs' time.
#[test]
fn a_slow_git_does_not_hold_up_the_thread_that_drives() {
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    let refs = world.state.results().join("refs/runs/T-001.1");
    fs::create_dir_all(&refs).unwrap();
    fs::write(refs.join("delivered.lock"), "").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (effect, began) = (commit(&world), Instant::now());
    let (event, ticks) = runtime.block_on(async {
        let performing = world.perform(&effect);
        tokio::pin!(performing);
        let mut timer = tokio::time::interval(Duration::from_millis(20));
        let mut ticks = 0;
        loop {
            tokio::select! {
                event = &mut performing => return (event, ticks),
                _ = timer.tick() => ticks += 1,
            }
        }
    });
    assert!(matches!(event, Event::Committed(_)), "{event:?}");
    assert!(began.elapsed() > Duration::from_secs(1), "git was not slow");
    // Fifty and more where the machine has nothing else to do.
    assert!(ticks > 10, "the timer came {ticks} times in {:?}", began.elapsed());
}

/// Whoever drives many runs has their work change threads. That this compiles
/// is the test.
#[test]
fn performing_an_effect_can_change_threads() {
    fn assert_send<T: Send>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    let world = world(folder.path());
    let effect = commit(&world);
    assert_send(&world.perform(&effect));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let moved = runtime.spawn(async move { world.perform(&effect).await });
    assert!(matches!(runtime.block_on(moved).unwrap(), Event::Committed(_)));
}
