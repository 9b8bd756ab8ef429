//! Lays what a plan asks for, runs the check's program on it, and reports.

use crate::{
    blocking::blocking,
    check::{
        checks::{Checks, ControlProgress, ShowControls, elapsed_ms},
        files::differing,
        ground::Ground,
        room::{Contents, ProgramRun},
        word::unguessable,
    },
    halt::Halt,
    layer::{LayerRequest, Layers, Prepared},
};
use futures_util::{FutureExt, future::try_join_all};
use std::{thread, time::Instant};
use tokio::sync::Semaphore;
use trueup_core::{
    criterion::Check,
    effect::Verify,
    evidence::CheckOutcome,
    ground::Caches,
    id::TreeId,
    judge::{ProbeResult, Trial, endless},
};
use trueup_inspect::challenge::{Ask, Attempt, Layout, On, Probe, ProbeFindings, Subject, TreePair, plan, to_change};

/// The two trees, and what is laid under them.
pub(super) struct ChallengedTrees<'a> {
    /// How checks are executed on the tree.
    pub(super) wish: Verify,
    /// The same on the base.
    base: Verify,
    /// What differs between them.
    pub(super) pair: TreePair,
    prepared: Prepared,
    prepared_base: Prepared,
    /// How many trials are made at a time.
    width: Semaphore,
    /// Who is told what is tried.
    pub(super) show: ShowControls<'a>,
}

impl ChallengedTrees<'_> {
    /// What is laid under one of the trees for a check.
    pub(super) fn ground(&self, layers: &Layers, on: On, check: &Check) -> Ground {
        match on {
            On::Tree => Ground::of(layers, &self.wish, check, &self.prepared),
            On::Base => Ground::of(layers, &self.base, check, &self.prepared_base),
        }
    }

    const fn tree(&self, on: On) -> &TreeId {
        match on {
            On::Tree => &self.wish.tree,
            On::Base => &self.base.tree,
        }
    }
}

impl Checks {
    pub(super) async fn trees<'a>(&self, wish: &Verify, show: ShowControls<'a>) -> Result<ChallengedTrees<'a>, Halt> {
        let mut wish = wish.clone();
        // What a sabotaged tree leaves must warm nobody.
        if wish.caches == Caches::Fill {
            wish.caches = Caches::Use;
        }
        let base = Verify {
            tree: wish.base.clone(),
            ..wish.clone()
        };
        let mut live = |name: &str| show(ControlProgress::Prepares(name));
        let prepared = self.layers.prepared(&LayerRequest::from(&wish), &mut live).await?;
        let prepared_base = self.layers.prepared(&LayerRequest::from(&base), &mut live).await?;
        let (checks, wanted) = (self.clone(), wish.clone());
        let pair = blocking(move || {
            Ok::<_, Halt>(TreePair {
                files: differing(&checks.workspaces, &wanted.base, &wanted.tree)?,
                paths: checks.workspaces.files(&wanted.tree)?,
                tree: wanted.tree,
                to_change: to_change(&wanted.criteria),
                allow: wanted.allow,
            })
        })
        .await?;
        Ok(ChallengedTrees {
            wish,
            base,
            pair,
            prepared,
            prepared_base,
            // One more than there are processors: the few long ones then end together.
            width: Semaphore::new(thread::available_parallelism().map_or(2, usize::from) + 1),
            show,
        })
    }

    /// Does what the plan of a probe asks for, until it asks for nothing more.
    pub(super) async fn perform_probe(
        &self,
        trees: &ChallengedTrees<'_>,
        subject: &Subject<'_>,
        probe: Probe,
    ) -> Result<ProbeResult, Halt> {
        let mut learnt = ProbeFindings::default();
        loop {
            learnt.word = unguessable()?;
            match plan(probe, &trees.pair, subject, &learnt) {
                Ok(shown) => return Ok(shown),
                Err(ask) => self.learn(trees, (subject, probe), ask, &mut learnt).await?,
            }
        }
    }

    /// The same for as long as one execution is enough; nothing where more are
    /// asked for.
    pub(super) async fn perform_once(
        &self,
        trees: &ChallengedTrees<'_>,
        subject: &Subject<'_>,
        probe: Probe,
    ) -> Result<Option<ProbeResult>, Halt> {
        let mut learnt = ProbeFindings::default();
        loop {
            learnt.word = unguessable()?;
            match plan(probe, &trees.pair, subject, &learnt) {
                Ok(shown) => return Ok(Some(shown)),
                Err(Ask::Run(_)) if !learnt.attempts.is_empty() => return Ok(None),
                Err(ask) => self.learn(trees, (subject, probe), ask, &mut learnt).await?,
            }
        }
    }

    /// Does what a plan asks for.
    async fn learn(
        &self,
        trees: &ChallengedTrees<'_>,
        (subject, probe): (&Subject<'_>, Probe),
        ask: Ask,
        learnt: &mut ProbeFindings,
    ) -> Result<(), Halt> {
        match ask {
            Ask::Read(paths) => self.read_texts(trees, paths, learnt).await,
            Ask::Run(layouts) => {
                let trials = layouts
                    .iter()
                    .map(|layout| self.trial(trees, (subject, probe), layout).boxed());
                let trials = try_join_all(trials).await?;
                for (layout, trial) in layouts.into_iter().zip(trials) {
                    learnt.attempts.insert(layout.name.clone(), Attempt { layout, trial });
                }
                Ok(())
            }
        }
    }

    /// Executes what the subject executes, on a sabotaged tree.
    async fn trial(
        &self,
        trees: &ChallengedTrees<'_>,
        (subject, probe): (&Subject<'_>, Probe),
        layout: &Layout,
    ) -> Result<Trial, Halt> {
        // Nobody closes it.
        let _turn = trees.width.acquire().await;
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let started = Instant::now();
        (trees.show)(ControlProgress::Tries(subject.first, probe));
        let ran = self.sabotaged(trees, subject, layout).await?;
        (trees.show)(ControlProgress::Tried(subject.first, probe));
        // What met a full disk saw the disk and not the tree.
        if let Some(shortage) = self.space.look_at_work().await {
            return Err(Halt::NoSpace(shortage));
        }
        let both = [ran.stdout.kept.as_slice(), ran.stderr.kept.as_slice()].concat();
        let output = self.blobs.put_body(&both, ran.stdout.total + ran.stderr.total)?;
        let took_ms = elapsed_ms(started);
        let mut saw = Vec::new();
        for check in subject.checks.iter().filter(|check| !check.is_of_run()) {
            saw.push((check.id.clone(), self.judge(&trees.wish, check, (&ran, &output))?.saw));
        }
        let mut trial = Trial {
            printed: [&ran.stdout.kept, &ran.stderr.kept]
                .iter()
                .any(|kept| holds(kept, &layout.token)),
            tests: match ran.report {
                Some(Ok(report)) => report.tests,
                Some(Err(_)) | None => Vec::new(),
            },
            ended: ran.ended,
            saw,
            output,
            took_ms,
        };
        // Which tests are the run's own is told by the tree that was not sabotaged.
        for check in &subject.checks {
            if let Some(own) = subject.run_tests(check, &trees.pair.files) {
                trial.say_of_run_tests(&check.id, own);
            }
        }
        Ok(trial)
    }

    /// Runs the subject's program once, on the tree as the layout has it.
    async fn sabotaged(
        &self,
        trees: &ChallengedTrees<'_>,
        subject: &Subject<'_>,
        layout: &Layout,
    ) -> Result<ProgramRun, Halt> {
        match trees.ground(&self.layers, layout.on, subject.first) {
            Ground::Not(why) => Ok(ProgramRun::not(why)),
            Ground::Laid(laid) => {
                let held = Contents {
                    tree: trees.tree(layout.on),
                    overlay: &layout.files,
                    variables: &layout.variables,
                };
                let mut execution = subject.execution.clone();
                if let Some(argv) = &layout.argv {
                    execution.argv.clone_from(argv);
                }
                let patience = layout.patience_ms.filter(|most| *most < execution.timeout_ms);
                execution.timeout_ms = patience.unwrap_or(execution.timeout_ms);
                let mut ran = self.run_in_room(held, subject.first, &execution, &laid).await?;
                if patience.is_some() && ran.ended == Err(CheckOutcome::TimedOut) {
                    ran.ended = Err(endless());
                }
                Ok(ran)
            }
        }
    }

    /// Learns what files of the tree hold.
    async fn read_texts(
        &self,
        trees: &ChallengedTrees<'_>,
        paths: Vec<String>,
        learnt: &mut ProbeFindings,
    ) -> Result<(), Halt> {
        learnt.texts.extend(paths.iter().map(|path| (path.clone(), None)));
        let (checks, tree) = (self.clone(), trees.wish.tree.clone());
        let read = blocking(move || checks.workspaces.read_many(&tree, &paths)).await?;
        learnt.texts.extend(
            read.into_iter()
                .map(|(path, bytes)| (path, String::from_utf8(bytes).ok())),
        );
        Ok(())
    }
}

/// Whether a token stands in what was printed.
fn holds(bytes: &[u8], token: &str) -> bool {
    let token = token.as_bytes();
    !token.is_empty() && bytes.windows(token.len()).any(|window| window == token)
}
