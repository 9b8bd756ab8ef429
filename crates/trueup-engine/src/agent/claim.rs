//! What an agent says of its own work, read from its last words. A claim may
//! start a verification; it never ends one.

use super::{object, trouble::cut};
use serde::Deserialize;
use trueup_core::memory::{Claim, ClaimStatus, Decision};

/// How much of the last words is kept, in characters.
const SUMMARY: usize = 1_500;

/// How much of each part of a decision is kept, in bytes.
const PART: usize = 500;

/// How many decisions are kept.
const DECISIONS: usize = 50;

/// Reads a claim from an agent's last words: tags anywhere in the text but in
/// code, or one JSON answer at its end. What has the wrong shape says nothing.
pub fn read(text: &str) -> Claim {
    if let Some(claim) = read_answer(text) {
        return claim;
    }
    let plain = without_code(text);
    Claim {
        says: read_says(&plain),
        summary: summary(text),
        decisions: read_decisions(&plain),
    }
}

/// A final answer as JSON, in exactly this shape.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    status: Status,
    #[serde(default)]
    why: Option<String>,
    #[serde(default)]
    summary: Option<String>,
    #[serde(default)]
    decisions: Vec<Choice>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Complete,
    Blocked,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    question: String,
    answer: String,
    #[serde(default)]
    reason: String,
}

fn read_answer(text: &str) -> Option<Claim> {
    let text = text.trim();
    // The whole text, or the fenced block it ends with.
    let json = match text.strip_suffix("```") {
        Some(rest) => {
            let (_, block) = rest.rsplit_once("```")?;
            block.strip_prefix("json").unwrap_or(block)
        }
        None => text,
    };
    let answer: Answer = object::read(json.as_bytes())?;
    let says = match answer.status {
        Status::Complete => ClaimStatus::Complete,
        Status::Blocked => ClaimStatus::Blocked(cut(answer.why.as_deref().filter(|why| !why.trim().is_empty())?, PART)),
    };
    let decisions = answer.decisions.into_iter().take(DECISIONS);
    Some(Claim {
        says,
        summary: summary(answer.summary.as_deref().unwrap_or_default()),
        decisions: decisions
            .map(|choice| Decision {
                question: cut(&choice.question, PART),
                answer: cut(&choice.answer, PART),
                reason: cut(&choice.reason, PART),
            })
            .collect(),
    })
}

/// The text without fenced blocks and code spans: a tag that is only shown
/// there is not said.
fn without_code(text: &str) -> String {
    let mut plain = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Every second piece between backticks is code; an odd one is not.
            let pieces: Vec<&str> = line.split('`').collect();
            let closed = pieces.len() % 2 == 1;
            for (at, piece) in pieces.iter().enumerate() {
                let open_tail = !closed && at + 1 == pieces.len();
                if at % 2 == 0 || open_tail {
                    plain.push_str(piece);
                }
            }
            plain.push('\n');
        }
    }
    plain
}

fn read_says(text: &str) -> ClaimStatus {
    // Whoever says both is not through.
    if let Some((attributes, body)) = tag(text, "phase_blocked").next() {
        let reason = attributes
            .split_once("reason=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(reason, _)| reason);
        let why = body
            .filter(|body| !body.trim().is_empty())
            .or(reason)
            .unwrap_or("it gives no reason");
        return ClaimStatus::Blocked(cut(why, PART));
    }
    if tag(text, "phase_complete").next().is_some() {
        ClaimStatus::Complete
    } else {
        ClaimStatus::Nothing
    }
}

fn read_decisions(text: &str) -> Vec<Decision> {
    let parts = |body: &str| {
        let mut parts = body.splitn(3, '|').map(|part| cut(part, PART));
        let decision = Decision {
            question: parts.next()?,
            answer: parts.next()?,
            reason: parts.next().unwrap_or_default(),
        };
        (!decision.question.is_empty() && !decision.answer.is_empty()).then_some(decision)
    };
    tag(text, "decision")
        .filter_map(|(_, body)| parts(body?))
        .take(DECISIONS)
        .collect()
}

/// Every such tag: its attributes, and what is between it and its end, if it
/// has one.
fn tag<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
    let mut rest = text;
    core::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once('<')?;
            rest = after;
            let Some(inner) = after.strip_prefix(name) else {
                continue;
            };
            let Some((attributes, after)) = inner.split_once('>') else {
                continue;
            };
            if !attributes.is_empty() && !attributes.starts_with(['/', ' ', '\t', '\n']) {
                continue;
            }
            rest = after;
            if attributes.ends_with('/') {
                return Some((attributes, None));
            }
            let end = format!("</{name}>");
            let body = after.split_once(end.as_str()).map(|(body, _)| body);
            return Some((attributes, body));
        }
    })
}

/// The text cut to its first characters, between words where that is possible.
fn summary(text: &str) -> String {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(SUMMARY) else {
        return text.to_owned();
    };
    let head = text.get(..end).unwrap_or_default();
    let whole = head.rfind(char::is_whitespace).filter(|at| *at > end / 2);
    head.get(..whole.unwrap_or(end)).unwrap_or(head).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_from_the_last_words() {
        assert_eq!(read("All done.\n<phase_complete>").says, ClaimStatus::Complete);
        assert_eq!(read("All done. <phase_complete/>").says, ClaimStatus::Complete);
        assert_eq!(read("I think <phase_completed> it").says, ClaimStatus::Nothing);
        assert_eq!(
            read("<phase_blocked>no key</phase_blocked>").says,
            ClaimStatus::Blocked("no key".into())
        );
        assert_eq!(
            read("<phase_blocked reason=\"no network\"/>").says,
            ClaimStatus::Blocked("no network".into())
        );
        assert_eq!(
            read("<phase_blocked>").says,
            ClaimStatus::Blocked("it gives no reason".into())
        );
        assert_eq!(read("nothing").says, ClaimStatus::Nothing);
    }

    #[test]
    fn who_says_both_is_not_through() {
        let claim = read("<phase_complete>\nbut <phase_blocked>tests need a key</phase_blocked>");
        assert_eq!(claim.says, ClaimStatus::Blocked("tests need a key".into()));
    }

    #[test]
    fn a_tag_in_code_is_not_said() {
        assert_eq!(read("I would write `<phase_complete>` then").says, ClaimStatus::Nothing);
        assert_eq!(
            read("```\n<phase_blocked>x</phase_blocked>\n```\n").says,
            ClaimStatus::Nothing
        );
        assert_eq!(read("an odd ` tick <phase_complete>").says, ClaimStatus::Complete);
    }

    #[test]
    fn decisions_have_a_question_and_an_answer() {
        let claim = read(
            "<decision>Which port? | 8080 | it is free</decision>\n<decision>no answer</decision>\
             <decision>Name? | x</decision>",
        );
        let answers: Vec<_> = claim
            .decisions
            .iter()
            .map(|d| (d.answer.as_str(), d.reason.as_str()))
            .collect();
        assert_eq!(answers, [("8080", "it is free"), ("x", "")]);
    }

    #[test]
    fn a_json_answer_is_read_only_in_its_shape() {
        let claim = read(
            "Here:\n```json\n{\"status\":\"complete\",\"summary\":\"did it\",\"decisions\":[{\"question\":\"q\",\
             \"answer\":\"a\",\"reason\":\"r\"}]}\n```",
        );
        assert_eq!(claim.says, ClaimStatus::Complete);
        assert_eq!(claim.summary, "did it");
        assert_eq!(claim.decisions.len(), 1);
        let blocked = read("{\"status\":\"blocked\",\"why\":\"no key\"}");
        assert_eq!(blocked.says, ClaimStatus::Blocked("no key".into()));
        for wrong in [
            "{\"status\":\"done\"}",
            "{\"status\":\"complete\",\"decisions\":{}}",
            "{\"status\":\"blocked\"}",
            "{\"status\":\"complete\",\"more\":1}",
            "[\"complete\"]",
        ] {
            let claim = read(wrong);
            assert_eq!(claim.says, ClaimStatus::Nothing, "{wrong}");
            assert_eq!(claim.summary, wrong);
        }
    }

    #[test]
    fn a_summary_is_cut_between_words() {
        let long = "wörter ".repeat(400);
        let claim = read(&long);
        assert!(claim.summary.chars().count() <= SUMMARY);
        assert!(claim.summary.ends_with("wörter"));
        let solid = "ä".repeat(5_000);
        assert_eq!(read(&solid).summary.chars().count(), SUMMARY);
    }
}
