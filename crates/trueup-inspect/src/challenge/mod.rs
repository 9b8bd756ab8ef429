//! Which sabotage of which place is tried for which check.
//!
//! Nothing is laid and nothing is run here. A probe is planned from what is
//! known of two trees and of earlier trials; where something is missing, the
//! plan asks for it, and is made again when it is there. What a trial means is
//! the core's to judge.

mod as_before;
mod canary;
mod cases;
mod defaulting;
mod derived;
mod expectations;
mod former;
mod fresh;
mod functions_fail;
mod homes;
mod neighbours;
mod otherwise;
mod over_base;
mod pages;
mod places;
mod replay;
mod rules;
mod said;
mod selection;
mod shipped;
mod step;
mod stubs;
mod subject;
mod tree_pair;
mod unrun;
mod violation;
mod without;
mod work;

pub use self::{
    derived::{Derived, TestFile},
    step::{Ask, Attempt, Layout, On, Overlay, ProbeFindings},
    subject::{Subject, subjects},
    tree_pair::{TreePair, to_change},
};

use self::replay::Replay;
use trueup_core::{control::Sabotage, judge::ProbeResult, kind::Kind};

/// One way to sabotage the tree under a check, or several that build on each
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// A failing test is laid.
    Canary,
    /// The work is taken away from under the tests.
    Without,
    /// The tests expect something else.
    Expectations,
    /// The tests ask for values near those that the new code names.
    Neighbours,
    /// The tests are run otherwise.
    Otherwise,
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
    /// Every probe of a kind of check.
    pub const fn all(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Tests(_) => &[
                Self::Canary,
                Self::Without,
                Self::Expectations,
                Self::Neighbours,
                Self::Otherwise,
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

/// What a probe showed; or what has to be read or tried before that is known.
pub fn plan(probe: Probe, trees: &TreePair, subject: &Subject<'_>, learnt: &ProbeFindings) -> Result<ProbeResult, Ask> {
    let replay = Replay { trees, subject, learnt };
    Ok(match probe {
        Probe::Canary => canary::canary(&replay)?
            .controls(Sabotage::Canary, &subject.checks)
            .into(),
        Probe::Without => without::without(&replay)?.into(),
        Probe::Expectations => expectations::expectations(&replay)?.into(),
        Probe::Neighbours => neighbours::neighbours(&replay)?.into(),
        Probe::Otherwise => otherwise::otherwise(&replay)?.into(),
        Probe::Former => former::former(&replay)?.into(),
        Probe::Rules => rules::rules(&replay)?.into(),
        Probe::Pages => pages::pages(&replay)?.into(),
        Probe::Shipped => shipped::shipped(&replay)?.into(),
        Probe::Violation => violation::violation(&replay)?
            .controls(Sabotage::Violation, &subject.checks)
            .into(),
    })
}
