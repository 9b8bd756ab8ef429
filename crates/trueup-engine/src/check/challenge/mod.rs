//! Checks executed again on trees that were sabotaged on purpose.
//!
//! A room is laid as for every check; then a few files are written over it,
//! and the check's own program runs. A verifier that stays green there proves
//! nothing.

mod as_before;
mod canary;
mod cases;
mod former;
mod over_base;
mod pages_only;
mod places;
mod reds;
mod rules_only;
mod shipped;
mod standing;
mod stub;
mod subject;
mod trial;
mod violation;

use self::{
    subject::{Subject, subjects},
    trial::Scene,
};
use super::{Checks, Halt};
use crate::crash;
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use std::{io, thread};
use trueup_core::{
    control::{Control, Sabotage, Turned},
    criterion::Check,
    digest::Digest,
    effect::Challenge,
    evidence::{Binding, Body},
    kind::Kind,
    objection::Objection,
};

/// What a challenge showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenged {
    /// What each check did.
    pub controls: Vec<Control>,
    /// What a person must know that only this showed.
    pub objections: Vec<Objection>,
}

/// One way to sabotage the tree under a check, or several that build on each
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probe {
    /// A failing test is laid.
    Canary,
    /// The work is taken away from under the tests.
    Without,
    /// The tests are taken back.
    Former,
    /// The files that set the rules are taken back.
    Rules,
    /// The pages that tests read are taken back.
    Pages,
    /// The build is one as users get it.
    Shipped,
    /// A fault is laid that the tool must find.
    Violation,
}

impl Probe {
    const fn all(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Tests(_) => &[
                Self::Canary,
                Self::Without,
                Self::Former,
                Self::Rules,
                Self::Pages,
                Self::Shipped,
            ],
            Kind::Coverage(_) => &[Self::Canary],
            Kind::Lint | Kind::Types | Kind::Build => &[Self::Violation],
            Kind::Plain => &[],
        }
    }
}

/// What came of one way to sabotage a tree, before it is said of a check.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tried {
    about: String,
    turned: Turned,
    output: Body,
    took_ms: u64,
}

impl Tried {
    /// As it is kept of each of these checks.
    fn of(&self, sabotage: Sabotage, subject: &Subject<'_>) -> Vec<Control> {
        let checks = subject.checks.iter();
        checks.map(|check| self.of_check(sabotage, check)).collect()
    }

    /// As it is kept of a check.
    fn of_check(&self, sabotage: Sabotage, check: &Check) -> Control {
        Control {
            check: check.id.clone(),
            sabotage,
            about: self.about.clone(),
            turned: self.turned.clone(),
            output: self.output.clone(),
            took_ms: self.took_ms,
        }
    }
}

impl Checks {
    /// Sabotages copies of a tree and executes its checks on them.
    pub async fn challenge(&self, wish: &Challenge) -> Result<Challenged, Halt> {
        self.workspaces.sweep_rooms(&self.run)?;
        let subjects = self.subjects_of(wish)?;
        let scene = self.scene(&wish.verify).await?;
        // Boxed one by one, because the compiler cannot see that a closure's future may change threads.
        let mut probes = Vec::new();
        for subject in &subjects {
            for probe in Probe::all(subject.execution.kind) {
                probes.push(self.kept(&scene, subject, *probe).boxed());
            }
        }
        let width = thread::available_parallelism().map_or(2, usize::from);
        let shown: Vec<Challenged> = stream::iter(probes).buffer_unordered(width).try_collect().await?;
        let mut all = Challenged::default();
        for one in shown {
            all.controls.extend(one.controls);
            all.objections.extend(one.objections);
        }
        let order = |control: &Control| {
            let mut checks = wish.verify.checks();
            (checks.position(|check| check.id == control.check), control.sabotage)
        };
        all.controls.sort_by_key(order);
        all.objections
            .sort_by_key(|objection| (objection.about, objection.path.clone()));
        all.objections.dedup_by_key(|objection| objection.digest.clone());
        Ok(all)
    }

    fn subjects_of<'a>(&self, wish: &'a Challenge) -> Result<Vec<Subject<'a>>, Halt> {
        let mut subjects = subjects(&wish.verify.criteria);
        for subject in &mut subjects {
            let of = |listed: &trueup_core::effect::Listed| subject.checks.iter().any(|check| check.id == listed.check);
            let before = wish.verify.before.iter().find(|listed| of(listed));
            let now = wish.seen.iter().find(|listed| of(listed));
            subject.before = before.map(|listed| self.report(&listed.list)).transpose()?;
            subject.now = now.map(|listed| self.report(&listed.list)).transpose()?;
        }
        Ok(subjects)
    }

    /// Does one probe, or finds that it was done: a redo runs only what is missing.
    async fn kept(&self, scene: &Scene, subject: &Subject<'_>, probe: Probe) -> Result<Challenged, Halt> {
        if let Some(by) = self.stop.raised() {
            return Err(Halt::Stopped(by));
        }
        let name = self.name_of(scene, subject, probe)?;
        if let Some(shown) = self.spool.get(&name) {
            return Ok(shown);
        }
        let shown = match probe {
            Probe::Canary => Challenged {
                controls: self.canary(scene, subject).await?.of(Sabotage::Canary, subject),
                objections: Vec::new(),
            },
            Probe::Without => Challenged {
                controls: self.without(scene, subject).await?,
                objections: Vec::new(),
            },
            Probe::Former => Challenged {
                controls: Vec::new(),
                objections: self.former(scene, subject).await?,
            },
            Probe::Rules => Challenged {
                controls: Vec::new(),
                objections: self.rules_only(scene, subject).await?,
            },
            Probe::Pages => Challenged {
                controls: Vec::new(),
                objections: self.pages_only(scene, subject).await?,
            },
            Probe::Shipped => Challenged {
                controls: Vec::new(),
                objections: self.shipped(scene, subject).await?,
            },
            Probe::Violation => Challenged {
                controls: self.standing(scene, subject).await?.of(Sabotage::Violation, subject),
                objections: Vec::new(),
            },
        };
        crash::point("control.before");
        self.spool.put(&name, &shown)?;
        crash::point("control.after");
        Ok(shown)
    }

    /// Nothing was executed.
    fn untried(&self, turned: Turned) -> io::Result<Tried> {
        Ok(Tried {
            about: String::new(),
            turned,
            output: self.blobs.put_body(b"", 0)?,
            took_ms: 0,
        })
    }

    /// Under which name the spool keeps a probe: it holds everything that could
    /// change what comes of it.
    fn name_of(&self, scene: &Scene, subject: &Subject<'_>, probe: Probe) -> io::Result<String> {
        let mut fields: Vec<Vec<u8>> = vec![format!("{probe:?}").into_bytes()];
        for check in &subject.checks {
            let binding = Binding::of(&scene.wish.tree, subject.criterion, check, &scene.wish.protected);
            let ground = scene.ground(&self.layers, trial::On::Tree, check);
            let conditions = self.conditions(check, &ground);
            fields.push(check.id.as_str().as_bytes().to_vec());
            fields.push(binding.key().as_str().as_bytes().to_vec());
            fields.push(serde_json::to_vec(&conditions)?);
        }
        let digest = Digest::of_fields(fields.iter().map(Vec::as_slice));
        Ok(format!("control-{digest}"))
    }
}
