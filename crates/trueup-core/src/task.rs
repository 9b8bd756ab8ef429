//! What is asked: text, criteria, scope, size, needs and budget.

use crate::{
    budget::Budget,
    criterion::{Check, CheckMethod, Criterion, Measured, Role, Visibility},
    digest::Digest,
    ground::{Ground, Preparation},
    id::{CheckId, CriterionId, TaskId, TreeId},
    scope::Scope,
};
use alloc::{string::String, vec, vec::Vec};
use serde::{Deserialize, Serialize};

/// A task as its file stood when it was read. A run keeps the version it was
/// opened with, whatever happens to the file later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its id, unique in the repository.
    pub id: TaskId,
    /// One line for people.
    pub title: String,
    /// How large the author thinks it is; decides plan and limits.
    pub size: Size,
    /// How urgent it is, if the author said so.
    pub priority: Option<Priority>,
    /// Tasks that must be verified first.
    pub needs: Vec<TaskId>,
    /// The revision it starts from; the project's base where absent.
    pub base: Option<String>,
    /// The agent it wants; the project's default where absent.
    pub agent: Option<String>,
    /// Where the change may reach.
    pub scope: Scope,
    /// What it may cost.
    pub budget: Budget,
    /// Approvals a person gave in advance.
    pub allow: Allow,
    /// The prose of the file without its criteria: what the agent is told.
    pub text: String,
    /// What must hold in the end.
    pub criteria: Vec<Criterion>,
    /// The digest of the whole file, so that one changed byte unbinds its evidence.
    pub digest: Digest,
    /// What is laid under its trees.
    #[serde(default, skip_serializing_if = "Ground::is_bare")]
    pub ground: Ground,
    /// How often in a row a check must pass that once gave two answers.
    #[serde(default = "usual_steadiness", skip_serializing_if = "is_usual_steadiness")]
    pub steady: u32,
    /// How often a red check is asked again before it is believed.
    #[serde(default = "usual_doubt", skip_serializing_if = "is_usual_doubt")]
    pub doubt: u32,
}

/// How often in a row a check must pass that once gave two answers, unless a
/// person says otherwise: one that fails one time in three passes so often by
/// luck in less than one of a hundred runs.
pub const STEADY: u32 = 12;

/// How often a red check is asked again before it is believed, unless a person
/// says otherwise: one that fails one time in three is red eight times in a row
/// in two of ten thousand cases, and each of them would cost a turn.
pub const DOUBT: u32 = 7;

const fn usual_steadiness() -> u32 {
    STEADY
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_usual_steadiness(steady: &u32) -> bool {
    *steady == STEADY
}

const fn usual_doubt() -> u32 {
    DOUBT
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_usual_doubt(doubt: &u32) -> bool {
    *doubt == DOUBT
}

impl Task {
    /// The one name of everything that sets the rules: the file, and what is
    /// prepared for its checks.
    pub fn rules(&self) -> Digest {
        if self.ground.prepare.is_empty() {
            return self.digest.clone();
        }
        let prepared: Vec<Digest> = self.ground.prepare.iter().map(Preparation::definition).collect();
        let all = [&self.digest].into_iter().chain(&prepared);
        Digest::of_fields(all.map(|digest| digest.as_str().as_bytes()))
    }

    /// Every check of every criterion, in the order of the file.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        self.criteria.iter().flat_map(|criterion| &criterion.checks)
    }

    /// Whether a way is known to make one of its checks fail on purpose.
    pub fn can_be_challenged(&self) -> bool {
        let mut checks = self.checks();
        checks.any(Check::can_be_challenged)
    }

    /// The task as it is carried out from a base. Its scope is one more guard:
    /// the difference to the base is then checked like everything else, and
    /// shown like everything else.
    #[must_use]
    pub fn on_base(mut self, base: &TreeId) -> Self {
        for check in self.criteria.iter_mut().flat_map(|criterion| &mut criterion.checks) {
            if let CheckMethod::Coverage {
                of: Measured::Changed { since },
                ..
            }
            | CheckMethod::RunTests { since, .. } = &mut check.how
            {
                *since = Some(base.clone());
            }
        }
        if !self.scope.is_unlimited() {
            self.criteria.push(Criterion {
                id: CriterionId::new("scope"),
                text: "The change stays inside the task's scope.".into(),
                line: 1,
                checks: vec![Check {
                    id: CheckId::new("scope"),
                    role: Role::Guard,
                    sight: Visibility::Open,
                    line: 1,
                    source: "scope".into(),
                    how: CheckMethod::InScope {
                        base: base.clone(),
                        scope: self.scope.clone(),
                    },
                }],
            });
        }
        self
    }
}

/// How large a task is: five steps from a trivial fix to a new project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// 1: a trivial fix.
    Trivial,
    /// 2: a small change.
    Small,
    /// 3: a change of several parts.
    Medium,
    /// 4: a large change.
    Large,
    /// 5: a project from nothing.
    Greenfield,
}

impl Size {
    /// All sizes, smallest first; the n-th is size n + 1.
    pub const ALL: [Self; 5] = [Self::Trivial, Self::Small, Self::Medium, Self::Large, Self::Greenfield];

    /// How many turns an agent may take in one phase of a task this large.
    pub const fn turns_per_phase(self) -> u32 {
        match self {
            Self::Trivial => 5,
            Self::Small | Self::Medium => 20,
            Self::Large => 30,
            Self::Greenfield => 50,
        }
    }
}

/// How urgent a task is, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Priority {
    /// Drop everything.
    P0,
    /// Next.
    P1,
    /// Soon.
    P2,
    /// Some day.
    P3,
}

/// Approvals a person gives in advance, each shown wherever it was used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allow {
    /// Protected paths the change may touch.
    pub change: Vec<String>,
    /// Tests the change may remove.
    pub remove_tests: Vec<String>,
    /// Lock files the change may touch.
    pub lockfiles: Vec<String>,
    /// Rules the change may break: everywhere, or in files that a pattern
    /// behind an `@` selects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Whether the run's own tests may be all that proves a criterion.
    #[serde(default, skip_serializing_if = "SelfTested::is_asked")]
    pub self_tested: SelfTested,
}

/// What becomes of a criterion that nothing proves but the run's own tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelfTested {
    /// A person is shown the tests and asked.
    #[default]
    Asked,
    /// It is accepted, and marked wherever it is shown.
    Accepted,
}

impl SelfTested {
    /// Whether a person is asked, as they were before they could say otherwise.
    pub fn is_asked(&self) -> bool {
        *self == Self::Asked
    }
}
