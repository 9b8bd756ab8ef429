//! A set of checks, executed on one tree.

use super::{
    checks::{CheckProgress, Checks, elapsed_ms},
    ground::Ground,
    observation::Observation,
    pending_check::{CriterionCheck, PendingCheck},
    room::ProgramRun,
    tree_fact,
};
use crate::{blocking::blocking, crash, halt::Halt, layer::Prepared, space};
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::try_join, stream};
use std::{collections::BTreeSet, sync::Arc, thread, time::Instant};
use trueup_core::{
    criterion::{self, Check, CheckMethod, Criterion},
    effect::{Earlier, Verify},
    evidence::{Because, Body, CheckOutcome, Conditions, ErrorSeen, Evidence},
    gate::{self, Reading},
    ground::Caches,
    id::TreeId,
    judge::RunTests,
    kind::Kind,
};
use trueup_inspect::{because, errors, report};

/// So many failing tests of a report tell which error it is.
const MOST_FAILED: usize = 20;

/// Why the tests failed that a check asks for, where it runs tests.
fn why_tests_failed(check: &Check, saw: &CheckOutcome, ran: &ProgramRun, of_run: Option<&RunTests>) -> Option<Because> {
    let (CheckOutcome::Failed { .. }, Kind::Tests(_)) = (saw, check.kind()) else {
        return None;
    };
    let name = if let CheckMethod::Test { name, .. } = &check.how {
        Some(name.as_str())
    } else {
        None
    };
    let report = ran.report.as_ref().and_then(|report| report.as_ref().ok());
    let printed = [ran.stdout.kept.as_slice(), ran.stderr.kept.as_slice()];
    match (report, of_run.filter(|of_run| !of_run.ids().is_empty())) {
        // What others failed for is theirs.
        (Some(report), Some(of_run)) => {
            let mut report = report.clone();
            report.tests.retain(|test| of_run.ids().contains(&test.id));
            because::because(Some(&report), None, printed)
        }
        (report, _) => because::because(report, name, printed),
    }
}

/// The error that a red check tells: in its report, where tests failed there,
/// and in what it printed.
fn error_seen(saw: &CheckOutcome, ran: &ProgramRun) -> Option<ErrorSeen> {
    if !matches!(saw, CheckOutcome::Failed { .. }) {
        return None;
    }
    let report = ran.report.as_ref().and_then(|report| report.as_ref().ok());
    let tests = report.into_iter().flat_map(|report| &report.tests);
    let failed = tests.filter(|test| test.outcome == report::TestOutcome::Failed);
    let mut told: Vec<u8> = Vec::new();
    for test in failed.take(MOST_FAILED) {
        told.extend(format!("FAILED {}\n{}\n", test.id, test.message).bytes());
    }
    told.extend(&ran.stdout.kept);
    let printed = [told.as_slice(), ran.stderr.kept.as_slice()];
    Some(ErrorSeen {
        signature: errors::signature(printed)?,
        kind: errors::kind(printed)?,
    })
}

/// Whether a runner without a report says that it ran no test.
fn ran_nothing(check: &Check, ran: &ProgramRun) -> bool {
    let Some(runner) = check.kind().runner() else {
        return false;
    };
    let both = [ran.stdout.kept.as_slice(), b"\n", ran.stderr.kept.as_slice()].concat();
    report::ran_nothing(runner, &String::from_utf8_lossy(&both))
}

/// Everything that is executed, in the order of the task: what one execution
/// answers stands together. A person's part is not executed.
fn batches(wish: &Verify) -> Vec<Vec<CriterionCheck<'_>>> {
    let mut batches: Vec<Vec<CriterionCheck<'_>>> = Vec::new();
    for criterion in &wish.criteria {
        for check in criterion.checks.iter().filter(|check| !check.is_manual()) {
            let mut known = batches.iter_mut();
            let shared = known.find(|batch| batch.iter().any(|(_, other)| is_same_execution(check, other)));
            match shared {
                Some(batch) => batch.push((criterion, check)),
                None => batches.push(vec![(criterion, check)]),
            }
        }
    }
    batches
}

/// Whether one execution answers both: the same program under the same limits,
/// and nothing is laid into its room that the other's has not.
fn is_same_execution(one: &Check, other: &Check) -> bool {
    let is_plain =
        |check: &Check| check.sight == criterion::Visibility::Open && !matches!(check.how, CheckMethod::Http { .. });
    is_plain(one) && is_plain(other) && one.execution().is_some() && one.execution() == other.execution()
}

impl Checks {
    /// Executes a set of checks in parallel. Each piece of evidence is spooled
    /// by its key as soon as it is seen, so a redo runs only what is missing.
    pub async fn verify(
        &self,
        wish: &Verify,
        show: &(dyn Fn(CheckProgress<'_>) + Sync),
    ) -> Result<Vec<Evidence>, Halt> {
        let checks = self.clone();
        blocking(move || checks.workspaces.sweep_rooms(&checks.run)).await?;
        let all = wish.checks();
        let runs_programs = all.into_iter().any(|check| check.execution().is_some());
        let prepared = match runs_programs {
            true => {
                self.layers
                    .prepared(&wish.into(), &mut |name| show(CheckProgress::Prepares(name)))
                    .await?
            }
            false => Prepared::Ready(Vec::new()),
        };
        let width = thread::available_parallelism().map_or(2, usize::from);
        // Boxed one by one, because the compiler cannot see that a closure's future may change threads.
        let shared = Arc::new(wish.clone());
        let mut executions = Vec::new();
        for batch in batches(wish) {
            executions.push(self.evidence(&shared, (&prepared, show), batch).boxed());
        }
        let ahead = self.ahead(wish, executions.len());
        let executed = stream::iter(executions)
            .buffer_unordered(width)
            .inspect_ok(|batch| {
                for evidence in batch {
                    show(CheckProgress::Saw(evidence));
                }
            })
            .try_concat();
        let (mut evidence, ()): (Vec<Evidence>, ()) = try_join(executed, ahead.boxed()).await?;
        let order = |evidence: &Evidence| {
            let mut checks = wish.checks();
            checks.position(|check| check.id == evidence.check)
        };
        evidence.sort_by_key(order);
        Ok(evidence)
    }

    /// The evidence of checks that one execution answers.
    async fn evidence(
        &self,
        wish: &Arc<Verify>,
        (prepared, show): (&Prepared, &(dyn Fn(CheckProgress<'_>) + Sync)),
        batch: Vec<CriterionCheck<'_>>,
    ) -> Result<Vec<Evidence>, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let Some((_, first)) = batch.first().copied() else {
            return Ok(Vec::new());
        };
        let ground = Ground::of(&self.layers, wish, first, prepared);
        let opening = {
            let (checks, wish) = (self.clone(), Arc::clone(wish));
            let conditions = |check: &Check| self.conditions(check, &ground);
            let owned = |(of, check): &CriterionCheck<'_>| ((*of).clone(), (*check).clone(), conditions(check));
            let batch: Vec<_> = batch.iter().map(owned).collect();
            move || checks.open(&wish, batch)
        };
        let (mut evidence, mut pending) = blocking(opening).await;
        let mut altered = BTreeSet::new();
        if pending.iter().any(PendingCheck::is_open) {
            show(CheckProgress::Begins(first));
        }
        while pending.iter().any(PendingCheck::is_open) {
            if let Some(by) = self.stop.raised() {
                return Err(Halt::Stopped(by));
            }
            let started = Instant::now();
            let ran = self.execute(&wish.tree, first, &ground).await?;
            altered.extend(ran.iter().flat_map(|ran| ran.altered.iter().cloned()));
            let (checks, wish) = (self.clone(), Arc::clone(wish));
            pending = blocking(move || checks.observe(&wish, pending, &ran, started)).await?;
        }
        let (checks, wish) = (self.clone(), Arc::clone(wish));
        let altered: Vec<_> = altered.into_iter().collect();
        evidence.extend(blocking(move || checks.close(&wish, pending, &altered)).await?);
        Ok(evidence)
    }

    /// What is known already of these checks, and what is pending of the others.
    fn open(&self, wish: &Verify, batch: Vec<(Criterion, Check, Conditions)>) -> (Vec<Evidence>, Vec<PendingCheck>) {
        let (mut evidence, mut pending) = (Vec::new(), Vec::new());
        for (criterion, check, conditions) in batch {
            let case = PendingCheck::open(wish, (&criterion, &check), conditions, &*self.memo);
            match self.spooled(&case, wish.earlier) {
                Some(spooled) => evidence.push(spooled),
                None => pending.push(case),
            }
        }
        (evidence, pending)
    }

    /// Has every open check take what one execution showed.
    fn observe(
        &self,
        wish: &Verify,
        mut pending: Vec<PendingCheck>,
        ran: &Result<ProgramRun, ()>,
        started: Instant,
    ) -> Result<Vec<PendingCheck>, Halt> {
        let list = self.keep_report(ran.as_ref().ok().and_then(|ran| ran.report.as_ref()))?;
        for case in pending.iter_mut().filter(|case| case.is_open()) {
            let observed = match ran {
                Ok(ran) => self.judge(wish, &case.check, (ran, &list))?,
                // What the engine reads off the tree itself.
                Err(()) => tree_fact::see(&self.workspaces, &wish.tree, &case.check.how)?,
            };
            self.refuse_without_space(&observed)?;
            case.take(observed, elapsed_ms(started));
        }
        Ok(pending)
    }

    /// Has what checks showed kept, each under its key.
    fn close(&self, wish: &Verify, pending: Vec<PendingCheck>, altered: &[String]) -> Result<Vec<Evidence>, Halt> {
        let mut evidence = Vec::new();
        for case in pending {
            let answered = case.answered();
            let Some(mut done) = case.close(&*self.blobs)? else {
                continue;
            };
            done.altered = altered.to_vec();
            if let Some(now) = answered {
                self.memo.add_answers(&done.key, now)?;
            }
            crash::point("evidence.before");
            // Before the spool, because whoever finds evidence there executes nothing and keeps no look.
            if wish.caches == Caches::Fill && wish.tree == wish.base {
                self.memo.put_look(&done.key, &done)?;
            }
            self.spool.put(&format!("evidence-{}", done.key), &done)?;
            crash::point("evidence.after");
            evidence.push(done);
        }
        Ok(evidence)
    }

    /// What was seen before, where it can be used again. What gave two answers
    /// and ended red is looked at once more.
    fn spooled(&self, case: &PendingCheck, earlier: Earlier) -> Option<Evidence> {
        let spooled: Option<Evidence> = self.spool.get(&format!("evidence-{}", case.key()));
        let red_is_used = |evidence: &Evidence| earlier != Earlier::Passes && !evidence.runs.is_flaky();
        let spooled = spooled.filter(|evidence| case.is_of(evidence) && (evidence.passed() || red_is_used(evidence)));
        match (spooled, earlier) {
            (None, Earlier::Lately) => self.seen_lately(case),
            (spooled, Earlier::Lately | Earlier::Everything | Earlier::Passes) => spooled,
        }
    }

    /// What anybody saw of the base a short while ago, where core lets it stand
    /// for another look and all that it names is still there.
    fn seen_lately(&self, case: &PendingCheck) -> Option<Evidence> {
        let (age, seen): (_, Evidence) = self.memo.last_look(case.key())?;
        let age_ms = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        let list = seen.tally.as_ref().map(|tally| &tally.list);
        let bodies = [Some(&seen.stdout), Some(&seen.stderr), list];
        let is_whole = bodies.into_iter().flatten().all(|body| self.blobs.has(&body.digest));
        (is_whole && gate::still_holds(&seen, age_ms) && case.is_of_but_for_warmth(&seen)).then_some(seen)
    }

    /// A check that met a full disk saw the disk and not the tree.
    fn refuse_without_space(&self, sight: &Observation) -> Result<(), Halt> {
        let told = match &sight.saw {
            // The words may be the candidate's own, of its service or its script:
            // they count only where space is missing by our own measure.
            CheckOutcome::CannotRun { why } if space::says_full(why) => {
                Some(self.space.told_full()).filter(|shortage| shortage.free < shortage.need)
            }
            CheckOutcome::CannotRun { .. }
            | CheckOutcome::Passed
            | CheckOutcome::Failed { .. }
            | CheckOutcome::TimedOut => None,
        };
        match told.or_else(|| self.space.at_work()) {
            Some(shortage) => Err(Halt::NoSpace(shortage)),
            None => Ok(()),
        }
    }

    /// Executes a check's program once; nothing where it has none.
    pub(super) async fn execute(
        &self,
        tree: &TreeId,
        check: &Check,
        ground: &Ground,
    ) -> Result<Result<ProgramRun, ()>, Halt> {
        match (check.execution(), ground) {
            (None, _) => Ok(Err(())),
            (Some(_), Ground::Not(why)) => Ok(Ok(ProgramRun::not(why))),
            (Some(execution), Ground::Laid(laid)) => {
                self.run_in_room(tree.into(), check, execution, laid).await.map(Ok)
            }
        }
    }

    /// What an execution means for one of the checks that it answers.
    pub(super) fn judge(
        &self,
        wish: &Verify,
        check: &Check,
        (ran, list): (&ProgramRun, &Body),
    ) -> Result<Observation, Halt> {
        let of_run = match &ran.report {
            Some(Ok(report)) => self.run_tests(wish, check, report)?,
            Some(Err(_)) | None => None,
        };
        let reading = match &ran.ended {
            Ok(0) if ran.report.is_none() && ran_nothing(check, ran) => Reading::NoTest,
            Ok(_) => self.reading(wish, check, of_run.as_ref(), (ran.report.as_ref(), list))?,
            Err(_) => Reading::None,
        };
        let saw = match &ran.ended {
            Ok(exit) => gate::saw(check, *exit, &reading),
            Err(saw) => saw.clone(),
        };
        Ok(Observation {
            because: why_tests_failed(check, &saw, ran, of_run.as_ref()),
            error: error_seen(&saw, ran),
            saw,
            stdout: ran.stdout.kept.clone(),
            stdout_total: ran.stdout.total,
            stderr: ran.stderr.kept.clone(),
            stderr_total: ran.stderr.total,
            tally: match reading {
                Reading::Read(tally) => Some(tally),
                Reading::None | Reading::NoTest | Reading::Unreadable(_) => None,
            },
        })
    }
}
