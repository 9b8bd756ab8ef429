//! A probe that is played to its end: files are known, and trials are scripted.

use std::collections::BTreeMap;
use trueup_core::{
    control::{Control, Reaction, Sabotage},
    criterion::{Check, CheckMethod, Criterion, Execution, Network, Role, Visibility},
    digest::Digest,
    evidence::{Body, CheckOutcome},
    id::{CheckId, CriterionId, TreeId},
    judge::{ProbeResult, Trial},
    kind::{Kind, Runner},
    task::Allow,
    test_results::{Test, TestOutcome},
};
use trueup_inspect::{
    challenge::{Ask, Attempt, Layout, Probe, ProbeFindings, Subject, TreePair, plan, subjects, to_change},
    changes::ChangedFile,
    report::Report,
};

pub(crate) use TestOutcome::{Failed, Passed, Skipped};

pub(crate) type Tests<'a> = &'a [(&'a str, TestOutcome)];

/// What a probe is tried on.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) files: Vec<ChangedFile>,
    /// Files of the tree that do not differ.
    pub(crate) same: Vec<(String, String)>,
    pub(crate) allow: Allow,
    pub(crate) checks: Vec<Check>,
    pub(crate) hidden: Vec<(String, String)>,
    pub(crate) before: Option<Report>,
    pub(crate) now: Option<Report>,
}

/// What came of it, and what was tried for it.
pub(crate) struct Played {
    pub(crate) shown: ProbeResult,
    pub(crate) layouts: Vec<Layout>,
    /// The files that were read for it, in their order.
    pub(crate) read: Vec<String>,
}

pub(crate) fn changed(path: &str, before: Option<&str>, after: Option<&str>) -> ChangedFile {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    ChangedFile {
        path: path.to_owned(),
        before: bytes(before),
        after: bytes(after),
    }
}

pub(crate) fn report(tests: Tests<'_>) -> Report {
    let test = |(id, outcome): &(&str, TestOutcome)| Test {
        id: (*id).to_owned(),
        outcome: *outcome,
        file: None,
        line: None,
        message: String::new(),
    };
    Report {
        tests: tests.iter().map(test).collect(),
        ..Report::default()
    }
}

pub(crate) fn execution(words: &[&str], kind: Kind) -> Execution {
    let argv = words.iter().map(|word| (*word).to_owned()).collect();
    Execution {
        kind,
        ..Execution::new(argv, 1000, Network::Off)
    }
}

pub(crate) fn check(id: &str, role: Role, how: CheckMethod) -> Check {
    Check {
        id: CheckId::new(id),
        role,
        sight: Visibility::Open,
        line: 1,
        source: String::new(),
        how,
    }
}

/// A goal of all tests.
pub(crate) fn goal(kind: Kind) -> Check {
    check("A.1", Role::Goal, CheckMethod::Command(execution(&["run-tests"], kind)))
}

pub(crate) const PYTEST: Kind = Kind::Tests(Runner::Pytest);

/// A goal of one test.
pub(crate) fn one_test(name: &str) -> Check {
    let how = CheckMethod::Test {
        name: name.to_owned(),
        of: "unit".to_owned(),
        execution: execution(&["run-tests"], PYTEST),
    };
    check("A.1", Role::Goal, how)
}

/// A goal of tests of the run.
pub(crate) fn run_tests(name: Option<&str>) -> Check {
    let how = CheckMethod::RunTests {
        name: name.map(str::to_owned),
        of: "unit".to_owned(),
        since: None,
        execution: execution(&["run-tests"], PYTEST),
    };
    check("A.1", Role::Goal, how)
}

impl Case {
    pub(crate) fn of(check: Check, files: &[ChangedFile]) -> Self {
        Self {
            files: files.to_vec(),
            same: Vec::new(),
            allow: Allow::default(),
            checks: vec![check],
            hidden: Vec::new(),
            before: None,
            now: None,
        }
    }

    pub(crate) fn same(mut self, path: &str, text: &str) -> Self {
        self.same.push((path.to_owned(), text.to_owned()));
        self
    }

    pub(crate) fn reports(mut self, before: Tests<'_>, now: Tests<'_>) -> Self {
        (self.before, self.now) = (Some(report(before)), Some(report(now)));
        self
    }

    /// Plays a probe; what each layout shows is for the caller to say.
    pub(crate) fn play(&self, probe: Probe, mut show: impl FnMut(&Layout) -> Trial) -> Played {
        let mut texts: BTreeMap<String, Option<String>> = BTreeMap::new();
        for file in self.files.iter().filter(|file| file.after.is_some()) {
            let text = file.after.clone().and_then(|bytes| String::from_utf8(bytes).ok());
            texts.insert(file.path.clone(), text);
        }
        texts.extend(self.same.iter().map(|(path, text)| (path.clone(), Some(text.clone()))));
        let criteria = [Criterion {
            id: CriterionId::new("A"),
            text: String::new(),
            line: 1,
            checks: self.checks.clone(),
        }];
        let trees = TreePair {
            tree: TreeId::new("tree"),
            files: self.files.clone(),
            paths: texts.keys().cloned().collect(),
            allow: self.allow.clone(),
            to_change: to_change(&criteria),
        };
        let mut subjects = subjects(&criteria);
        let subject = subjects.first_mut().expect("a subject");
        subject.hidden.clone_from(&self.hidden);
        subject.before.clone_from(&self.before);
        subject.now.clone_from(&self.now);
        let (mut learnt, mut layouts, mut read) = (ProbeFindings::default(), Vec::new(), Vec::new());
        for step in 0..100 {
            learnt.word = format!("w{step}");
            match plan(probe, &trees, subject, &learnt) {
                Ok(shown) => return Played { shown, layouts, read },
                Err(Ask::Read(paths)) => {
                    for path in paths {
                        let text = texts.get(&path).expect("a file of the tree").clone();
                        read.push(path.clone());
                        learnt.texts.insert(path, text);
                    }
                }
                Err(Ask::Run(wanted)) => {
                    for layout in wanted {
                        let trial = self.judged(show(&layout), subject);
                        layouts.push(layout.clone());
                        let name = layout.name.clone();
                        let known = learnt.attempts.insert(name, Attempt { layout, trial });
                        assert!(known.is_none(), "nothing is tried twice");
                    }
                }
            }
        }
        panic!("the plan never ends");
    }

    /// The trial with what each check says of it.
    fn judged(&self, mut trial: Trial, subject: &Subject<'_>) -> Trial {
        let saw = match trial.ended.clone() {
            Ok(0) => CheckOutcome::Passed,
            Ok(exit) => CheckOutcome::red(Some(exit)),
            Err(saw) => saw,
        };
        for check in &self.checks {
            if !trial.saw.iter().any(|(id, _)| *id == check.id) {
                trial.saw.push((check.id.clone(), saw.clone()));
            }
            if let Some(own) = subject.run_tests(check, &self.files) {
                trial.say_of_run_tests(&check.id, own);
            }
        }
        trial
    }
}

/// It exited so, and reported these tests.
pub(crate) fn ended(exit: i32, tests: Tests<'_>) -> Trial {
    Trial {
        ended: Ok(exit),
        tests: report(tests).tests,
        printed: false,
        saw: Vec::new(),
        output: Body {
            digest: Digest::of(b"output"),
            bytes: 6,
        },
        took_ms: 10,
    }
}

impl Played {
    /// What the goal did under a sabotage.
    pub(crate) fn control(&self, sabotage: Sabotage) -> &Control {
        let mut controls = self.shown.controls.iter();
        controls
            .find(|control| control.sabotage == sabotage && control.check.as_str() == "A.1")
            .expect("a control")
    }

    /// The same in a word.
    pub(crate) fn turned(&self, sabotage: Sabotage) -> String {
        match &self.control(sabotage).turned {
            Reaction::Red { by } => format!("red by {by}"),
            Reaction::Green => "green".to_owned(),
            Reaction::Otherwise { why } => format!("otherwise: {why}"),
            Reaction::NotLaid { why } => format!("not laid: {why}"),
            Reaction::Nothing { why } => format!("nothing: {why}"),
        }
    }

    /// The names of what was tried.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.layouts.iter().map(|layout| layout.name.as_str()).collect()
    }

    /// What a layout put at a path; nothing where it takes the file away.
    pub(crate) fn laid(&self, name: &str, path: &str) -> Option<String> {
        let layout = self
            .layouts
            .iter()
            .find(|layout| layout.name == name)
            .expect("a layout");
        let file = layout.files.iter().find(|file| file.path == path).expect("a file");
        file.bytes.clone().map(|bytes| String::from_utf8(bytes).expect("text"))
    }

    /// The paths that a layout lays.
    pub(crate) fn paths(&self, name: &str) -> Vec<&str> {
        let layout = self
            .layouts
            .iter()
            .find(|layout| layout.name == name)
            .expect("a layout");
        layout.files.iter().map(|file| file.path.as_str()).collect()
    }

    /// What a person is told, each by its path and the beginning of its sentence.
    pub(crate) fn told(&self) -> Vec<String> {
        let told = self.shown.objections.iter();
        let word = |text: &str| text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        told.map(|one| {
            let allowed = one
                .allowed
                .as_ref()
                .map(|word| format!(" [{word}]"))
                .unwrap_or_default();
            format!("{:?} {}: {}{allowed}", one.kind, one.path, word(&one.what))
        })
        .collect()
    }
}
