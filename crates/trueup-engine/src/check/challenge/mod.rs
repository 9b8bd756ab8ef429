//! Checks executed again on trees that were sabotaged on purpose.
//!
//! A room is laid as for every check; then a few files are written over it,
//! and the check's own program runs. Which files those are is planned, and
//! what came of it is judged, without a room.

mod executor;
mod standing;

use super::checks::{Checks, ControlProgress};
use crate::{
    blocking::blocking,
    crash,
    fault::{self, Fault},
    halt::Halt,
};
use executor::ChallengedTrees;
use futures_util::{FutureExt, future::try_join_all};
use std::{io, thread};
use trueup_core::{
    control::{Control, Reaction},
    criterion::{Check, Execution, Network, Visibility},
    digest::Digest,
    effect::{Challenge, ReportDigest, Verify},
    evidence::{Binding, Isolation},
    judge::ProbeResult,
};
use trueup_inspect::challenge::{On, Probe, Subject, subjects};

impl Checks {
    /// Sabotages copies of a tree and executes its checks on them.
    pub async fn challenge(
        &self,
        wish: &Challenge,
        show: &(dyn Fn(ControlProgress<'_>) + Sync),
    ) -> Result<ProbeResult, Halt> {
        let checks = self.clone();
        blocking(move || checks.workspaces.sweep_rooms(&checks.run)).await?;
        let subjects = self.subjects_of(&wish.verify, &wish.seen)?;
        let trees = self.trees(&wish.verify, show).await?;
        // Boxed one by one, because the compiler cannot see that a closure's future may change threads.
        let mut probes = Vec::new();
        for subject in &subjects {
            for probe in Probe::all(subject.execution.kind) {
                probes.push(self.kept(&trees, subject, *probe).boxed());
            }
        }
        show(ControlProgress::Begin(probes.len()));
        let shown = try_join_all(probes).await?;
        let mut all = ProbeResult::default();
        for one in shown {
            all.controls.extend(one.controls);
            all.objections.extend(one.objections);
        }
        if fault::planted(Fault::BelievesGreen) {
            let red = |control| Control {
                turned: Reaction::Red { by: String::new() },
                ..control
            };
            all.controls = all.controls.into_iter().map(red).collect();
            all.objections.clear();
        }
        let order = |control: &Control| {
            let mut checks = wish.verify.checks();
            (checks.position(|check| check.id == control.check), control.sabotage)
        };
        all.controls.sort_by_key(order);
        all.objections
            .sort_by_key(|objection| (objection.kind, objection.path.clone()));
        all.objections.dedup_by_key(|objection| objection.digest.clone());
        Ok(all)
    }

    /// Lays failing tests while the checks themselves are executed, `at_once` of
    /// them, where a processor is free for it. What turned red is kept for the
    /// challenge that follows; all else is tried again there, with what the
    /// checks reported, and says what went wrong.
    pub(super) async fn ahead(&self, wish: &Verify, at_once: usize) -> Result<(), Halt> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        if wish.ahead.is_empty() || at_once >= processors {
            return Ok(());
        }
        match self.canaries(wish).await {
            Err(halt @ (Halt::Stopped(_) | Halt::NoSpace(_))) => Err(halt),
            Ok(()) | Err(Halt::Workspace(_) | Halt::File(_)) => Ok(()),
        }
    }

    async fn canaries(&self, wish: &Verify) -> Result<(), Halt> {
        let mut subjects = self.subjects_of(wish, &[])?;
        let is_meant = |check: &&Check| wish.ahead.contains(&check.id);
        let tells = |subject: &Subject<'_>| subject.before.as_ref().is_some_and(|before| !before.tests.is_empty());
        // What two of them reach at the same time would spoil the check itself.
        let is_alone = |subject: &Subject<'_>| {
            let Execution { network, sockets, .. } = subject.execution;
            *network == Network::Off && sockets.is_empty() && self.sandbox.isolation() == Isolation::Bubblewrap
        };
        subjects.retain(|subject| tells(subject) && is_alone(subject) && subject.checks.iter().any(is_meant));
        if subjects.is_empty() {
            return Ok(());
        }
        let trees = self.trees(wish, &|_| {}).await?;
        for subject in &subjects {
            let name = self.name_of(&trees, subject, Probe::Canary)?;
            let known: Option<ProbeResult> = self.spool.get(&name);
            if known.is_none()
                && let Some(shown) = self.perform_once(&trees, subject, Probe::Canary).await?
                && shown
                    .controls
                    .iter()
                    .all(|control| matches!(control.turned, Reaction::Red { .. }))
            {
                self.keep(&name, &shown)?;
            }
        }
        Ok(())
    }

    /// What is challenged, with what is known of it.
    fn subjects_of<'a>(&self, verify: &'a Verify, seen: &[ReportDigest]) -> Result<Vec<Subject<'a>>, Halt> {
        let mut subjects = subjects(&verify.criteria);
        for subject in &mut subjects {
            let of = |listed: &ReportDigest| subject.checks.iter().any(|check| check.id == listed.check);
            let before = verify.before.iter().find(|listed| of(listed));
            let now = seen.iter().find(|listed| of(listed));
            subject.before = before.map(|listed| self.report(&listed.list)).transpose()?;
            subject.now = now.map(|listed| self.report(&listed.list)).transpose()?;
            if let Visibility::Hidden(files) = &subject.first.sight {
                for file in files {
                    let text = String::from_utf8(self.blobs.get(&file.blob)?);
                    subject.hidden.extend(text.ok().map(|text| (file.path.clone(), text)));
                }
            }
        }
        Ok(subjects)
    }

    /// Does one probe, or finds that it was done: a redo runs only what is missing.
    async fn kept(
        &self,
        trees: &ChallengedTrees<'_>,
        subject: &Subject<'_>,
        probe: Probe,
    ) -> Result<ProbeResult, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let name = self.name_of(trees, subject, probe)?;
        if let Some(shown) = self.spool.get(&name) {
            (trees.show)(ControlProgress::Done);
            return Ok(shown);
        }
        let shown = match probe {
            Probe::Violation => self.standing(trees, subject).await?,
            Probe::Canary
            | Probe::Without
            | Probe::Expectations
            | Probe::Neighbours
            | Probe::Otherwise
            | Probe::Former
            | Probe::Rules
            | Probe::Pages
            | Probe::Shipped => self.perform_probe(trees, subject, probe).await?,
        };
        self.keep(&name, &shown)?;
        (trees.show)(ControlProgress::Done);
        Ok(shown)
    }

    fn keep(&self, name: &str, shown: &ProbeResult) -> io::Result<()> {
        // What was not executed wrote nothing, and is kept with that as its output.
        self.blobs.put_body(b"", 0)?;
        crash::point("control.before");
        self.spool.put(name, shown)?;
        crash::point("control.after");
        Ok(())
    }

    /// Under which name the spool keeps a probe: it holds everything that could
    /// change what comes of it.
    fn name_of(&self, trees: &ChallengedTrees<'_>, subject: &Subject<'_>, probe: Probe) -> io::Result<String> {
        let mut fields: Vec<Vec<u8>> = vec![format!("{probe:?}").into_bytes()];
        for check in &subject.checks {
            let binding = Binding::of(&trees.wish.tree, subject.criterion, check, &trees.wish.protected);
            let ground = trees.ground(&self.layers, On::Tree, check);
            let conditions = self.conditions(check, &ground);
            fields.push(check.id.as_str().as_bytes().to_vec());
            fields.push(binding.key().as_str().as_bytes().to_vec());
            fields.push(serde_json::to_vec(&conditions)?);
        }
        let digest = Digest::of_fields(fields.iter().map(Vec::as_slice));
        Ok(format!("control-{digest}"))
    }
}
