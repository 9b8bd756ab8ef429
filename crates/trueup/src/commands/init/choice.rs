//! What only a person can decide: at most two questions, and none where
//! nobody could answer or the answer is plain.

use super::repository::Repository;
use crate::{
    args::{Global, SetUp},
    exit::Failure,
    render,
};
use std::io::{self, BufRead, IsTerminal};

/// What was decided.
pub(super) struct Choice {
    /// The revision tasks start from.
    pub(super) base: String,
    /// The agent that works unless a task names one.
    pub(super) agent: Option<&'static str>,
}

/// Asks, or decides what can be taken back most easily: where the person
/// stands, and no agent that costs something.
pub(super) fn choose(found: &Repository, arguments: &SetUp, global: &Global) -> Result<Choice, Failure> {
    let asks = !arguments.yes && !global.json && io::stdin().is_terminal() && io::stderr().is_terminal();
    let here = found
        .branch
        .clone()
        .filter(|here| Some(here) == found.default_branch.as_ref());
    let mut choice = Choice {
        base: here.clone().unwrap_or_else(|| "HEAD".into()),
        agent: None,
    };
    if !asks {
        return Ok(choice);
    }
    if let (None, Some(default)) = (here, &found.default_branch) {
        let answers = [default.as_str(), "HEAD"];
        let question = format!("From where do tasks start: branch {default}, or HEAD, wherever you stand?");
        if let Some(answer) = ask(&question, &answers, default)? {
            choice.base = answer;
        }
    }
    if let Some(first) = found.agents.first() {
        let mut answers = found.agents.clone();
        answers.push("nobody");
        let named = found.agents.join(", ");
        let question =
            format!("Who works on your tasks: {named}, or nobody yet? It works without asking, in a sandbox.");
        let answer = ask(&question, &answers, first)?;
        choice.agent = found
            .agents
            .iter()
            .copied()
            .find(|name| answer.as_deref() == Some(*name));
    }
    Ok(choice)
}

/// One question; an empty answer is the usual one, and one that is none of
/// these is asked for once more.
fn ask(question: &str, answers: &[&str], usual: &str) -> Result<Option<String>, Failure> {
    render::note(question);
    for _ in 0..2 {
        render::prompt(&format!("  {} [{usual}] ", answers.join(" / ")))?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            return Ok(None);
        }
        let answer = answer.trim();
        let answer = if answer.is_empty() { usual } else { answer };
        if answers.contains(&answer) {
            return Ok(Some(answer.to_owned()));
        }
    }
    Ok(None)
}
