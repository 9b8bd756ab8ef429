//! A repository as somebody has it who typed `trueup init` and nothing else.

use crate::cheats::Asked;
use std::{fs, process::Command};
use trueup_testkit::{
    household::{Household, Output, output},
    newcomer::newcomer,
    saboteurs::Tools,
};

/// A project that was set up, in which one thing is asked again and again.
pub(crate) struct Place {
    household: Household,
    task: String,
    asked: u32,
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) output: Output,
    /// Whether the work was really done, seen from outside.
    pub(crate) really: bool,
}

impl Ended {
    pub(crate) const fn is_accepted(&self) -> bool {
        self.output.code == 0
    }

    /// How it ended, in a line.
    pub(crate) fn word(&self) -> String {
        let Output { code, stdout, stderr } = &self.output;
        let lines = || stdout.lines().chain(stderr.lines()).map(str::trim);
        let told = lines().find(|line| line.starts_with("? ") || line.contains("AC-1.1: "));
        let told = told
            .or_else(|| lines().find(|line| !line.is_empty()))
            .unwrap_or_default();
        format!("exit {code}: {}", told.chars().take(150).collect::<String>())
    }
}

impl Place {
    /// Lays a project and has `init` set it up.
    pub(crate) fn of(asked: &Asked) -> Self {
        let tools = Tools::find();
        let household = newcomer(env!("CARGO_BIN_EXE_trueup"), &tools.path());
        let config = household.folder().join("config/trueup/config.toml");
        fs::create_dir_all(config.parent().expect("a folder")).expect("a folder");
        let agent = format!(
            "[agent.model]\nkind = \"command\"\ncommand = [\"{}\"]\nnetwork = false\n[verify]\ndoubt = 1\n",
            household.agent().display()
        );
        fs::write(config, agent).expect("the person's own file");
        for (name, text) in asked.files() {
            household.file(&name, &text);
        }
        household.commit("A project");
        let set_up = household.trueup(&["init", "--yes"]);
        assert_eq!(set_up.code, 0, "{set_up:#?}");
        fs::remove_file(household.checkout().join("tasks/T-001.md")).unwrap_or_default();
        household.commit("trueup");
        Self {
            household,
            task: asked.task(),
            asked: 0,
        }
    }

    /// Lets an agent that is this script do what is asked.
    pub(crate) fn run(&mut self, script: &str, asked: &Asked) -> Ended {
        self.asked += 1;
        let id = format!("T-{:03}", 100 + self.asked);
        let (title, prose) = self.task.split_once('\n').expect("a title");
        let title = title.trim_start_matches("title: ");
        let own = if prose.contains("of this run") {
            "allow: { self_tested: true }\n"
        } else {
            ""
        };
        let head = format!("---\nv: 1\nid: {id}\ntitle: {title}\nbudget: {{ turns: 1 }}\n{own}---\n");
        self.household.task(&id, &format!("{head}{prose}"));
        let body = script.strip_prefix("#!/bin/sh\n").unwrap_or(script);
        self.household.set_agent(body);
        self.ended(&["run", &id, "--agent", "model"], &id, asked)
    }

    /// Lets a person say that what the last run asks about may stay.
    pub(crate) fn approve(&self, asked: &Asked) -> Ended {
        let id = format!("T-{:03}", 100 + self.asked);
        self.ended(&["approve", &id], &id, asked)
    }

    fn ended(&self, words: &[&str], id: &str, asked: &Asked) -> Ended {
        let output = self.household.trueup(words);
        let really = output.code == 0 && self.really(id, asked);
        Ended { output, really }
    }

    /// Whether what was delivered does what was asked, by the oracle that no agent sees.
    fn really(&self, id: &str, asked: &Asked) -> bool {
        let tree = self.household.folder().join(format!("delivered-{id}"));
        let branch = format!("trueup/{id}");
        self.household.git(&[
            "worktree",
            "add",
            "--quiet",
            "--detach",
            &tree.display().to_string(),
            &branch,
        ]);
        let mut oracle = Command::new("sh");
        self.household.furnish(&mut oracle);
        output(oracle.arg(asked.folder.join("outside.sh")).current_dir(&tree)).code == 0
    }
}
