//! The keys between the two `---` lines.

use super::{
    formality::Formality,
    yaml::{Entry, Node, Value},
};
use crate::problem::{Complaint, Position, Problem};
use crate::{check_line, duration, nearest, rules::Catalogue};
use trueup_core::{
    budget::Budget,
    id::TaskId,
    rule::RuleId,
    scope::Scope,
    task::{Allow, Priority, SelfTested, Size},
};

/// What the front matter says; absent is what it leaves out or gets wrong.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    pub(super) id: Option<TaskId>,
    pub(super) title: Option<String>,
    pub(super) size: Option<Size>,
    pub(super) priority: Option<Priority>,
    pub(super) needs: Vec<TaskId>,
    pub(super) base: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) scope: Scope,
    pub(super) budget: Budget,
    pub(super) allow: Allow,
    /// What it left out.
    pub(super) filled_in: Vec<Formality>,
}

pub(super) const KEYS: &[&str] = &[
    "v", "id", "title", "size", "priority", "needs", "base", "agent", "scope", "budget", "allow",
];
pub(super) const SCOPE: &[&str] = &["touch", "never", "max_new_lines"];
pub(super) const BUDGET: &[&str] = &["turns", "time", "tokens", "usd"];
pub(super) const ALLOW: &[&str] = &["change", "remove_tests", "lockfiles", "rules", "self_tested"];
pub(super) const SIZES: [&str; 5] = ["trivial", "small", "medium", "large", "greenfield"];
pub(super) const PRIORITIES: [(&str, Priority); 4] = [
    ("P0", Priority::P0),
    ("P1", Priority::P1),
    ("P2", Priority::P2),
    ("P3", Priority::P3),
];
/// Where a key that is missing would stand.
const FIRST_LINE: u32 = 2;
/// The largest amount that is still plainly money and no slip of the fingers.
const MOST_USD: f64 = 1_000_000.0;
const MILLICENTS_PER_USD: f64 = 100_000.0;

/// Reads the front matter's node, and says everything that is wrong with it.
/// The task is named by its file where nothing else names it, and can allow
/// what breaks one of these rules.
pub(super) fn read(
    node: &Node,
    (named, rules): (Option<&str>, &Catalogue),
    problems: &mut Vec<Problem>,
) -> FrontMatter {
    let mut front = FrontMatter::default();
    let entries = keys(node, KEYS, problems);
    for entry in &entries {
        let node = &entry.node;
        match entry.key.as_str() {
            "v" => keep(node, problems, version).unwrap_or_default(),
            "id" => front.id = keep(node, problems, task_id),
            "title" => front.title = keep(node, problems, line),
            "size" => front.size = keep(node, problems, size),
            "priority" => front.priority = keep(node, problems, priority),
            "needs" => front.needs = list(node, problems, task_id),
            "base" => front.base = keep(node, problems, revision),
            "agent" => front.agent = keep(node, problems, line),
            "scope" => front.scope = scope(node, problems),
            "budget" => front.budget = budget(node, problems),
            _ => front.allow = allow(node, rules, problems),
        }
    }
    if matches!(node.value, Value::Map(_)) {
        let said: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        missing(&mut front, &said, named, problems);
    }
    if let Some(id) = &front.id
        && front.needs.contains(id)
    {
        let complaint = Complaint::new(format!("`{id}` needs itself")).hint("remove it from `needs`");
        let position = entries.iter().find(|entry| entry.key == "needs");
        problems.push(complaint.at(position.map_or(Position::START, |entry| entry.position)));
    }
    front
}

/// Fills in what every task has and this one does not say, as far as it can
/// only mean one thing.
fn missing(front: &mut FrontMatter, said: &[&str], named: Option<&str>, problems: &mut Vec<Problem>) {
    if !said.contains(&"v") {
        front.filled_in.push(Formality::new(FIRST_LINE, "`v: 1`"));
    }
    let mut lacks = |key: &str, example: &str| {
        let complaint = Complaint::new(format!("the front matter has no `{key}`")).hint(format!("add `{example}`"));
        problems.push(complaint.at(Position::START));
    };
    match (said.contains(&"id"), named.filter(|name| is_id(name))) {
        (true, _) => {}
        (false, Some(name)) => {
            front
                .filled_in
                .push(Formality::new(FIRST_LINE, format!("`id: {name}`")));
            front.id = Some(TaskId::new(name));
        }
        (false, None) => lacks("id", "id: T-001"),
    }
    if !said.contains(&"title") {
        lacks("title", "title: What shall be true");
    }
}

/// The known entries of a group; unknown keys are problems, `x-` keys are free.
fn keys<'a>(node: &'a Node, known: &[&str], problems: &mut Vec<Problem>) -> Vec<&'a Entry> {
    let Value::Map(entries) = &node.value else {
        let list = known.join(", ");
        problems.push(wrong(node, &format!("a group of keys ({list})")).at(node.position));
        return Vec::new();
    };
    let (known_entries, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| known.contains(&entry.key.as_str()));
    for entry in others.into_iter().filter(|entry| !entry.key.starts_with("x-")) {
        let hint = format!(
            "{}; keys that begin with `x-` are yours",
            nearest::hint(&entry.key, known.iter().copied())
        );
        problems.push(
            Complaint::new(format!("the key `{}` is unknown", entry.key))
                .hint(hint)
                .at(entry.position),
        );
    }
    known_entries
}

fn keep<T>(node: &Node, problems: &mut Vec<Problem>, read: impl Fn(&Node) -> Result<T, Complaint>) -> Option<T> {
    read(node)
        .map_err(|complaint| problems.push(complaint.at(node.position)))
        .ok()
}

fn list<T>(node: &Node, problems: &mut Vec<Problem>, read: impl Fn(&Node) -> Result<T, Complaint>) -> Vec<T> {
    let Value::List(nodes) = &node.value else {
        problems.push(wrong(node, "a list, like [one, two]").at(node.position));
        return Vec::new();
    };
    nodes.iter().filter_map(|node| keep(node, problems, &read)).collect()
}

fn wrong(node: &Node, expected: &str) -> Complaint {
    let complaint = Complaint::new(format!("expected {expected}, found {}", node.value.kind()));
    match node.value {
        Value::Null => complaint.hint("give it a value, or remove the line"),
        Value::Truth(_) | Value::Whole(_) | Value::Fraction(_) if expected.starts_with("text") => {
            complaint.hint("put it in quotes")
        }
        Value::Truth(_) | Value::Whole(_) | Value::Fraction(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            complaint
        }
    }
}

fn scope(node: &Node, problems: &mut Vec<Problem>) -> Scope {
    let mut scope = Scope::default();
    for entry in keys(node, SCOPE, problems) {
        match entry.key.as_str() {
            "touch" => scope.touch = list(&entry.node, problems, glob),
            "never" => scope.never = list(&entry.node, problems, glob),
            _ => scope.max_new_lines = keep(&entry.node, problems, count),
        }
    }
    scope
}

fn budget(node: &Node, problems: &mut Vec<Problem>) -> Budget {
    let mut budget = Budget::default();
    for entry in keys(node, BUDGET, problems) {
        match entry.key.as_str() {
            "turns" => {
                budget.turns = keep(&entry.node, problems, positive).and_then(|turns| narrow(turns, entry, problems))
            }
            "time" => budget.time_ms = keep(&entry.node, problems, time),
            "tokens" => budget.tokens = keep(&entry.node, problems, positive),
            _ => budget.millicents = keep(&entry.node, problems, money),
        }
    }
    budget
}

fn allow(node: &Node, rules: &Catalogue, problems: &mut Vec<Problem>) -> Allow {
    let mut allow = Allow::default();
    for entry in keys(node, ALLOW, problems) {
        match entry.key.as_str() {
            "change" => allow.change = list(&entry.node, problems, glob),
            "remove_tests" => allow.remove_tests = list(&entry.node, problems, line),
            "lockfiles" => allow.lockfiles = list(&entry.node, problems, glob),
            "rules" => allow.rules = list(&entry.node, problems, |node| rule(node, rules)),
            _ => allow.self_tested = keep(&entry.node, problems, self_tested).unwrap_or_default(),
        }
    }
    allow
}

fn self_tested(node: &Node) -> Result<SelfTested, Complaint> {
    match node.value {
        Value::Truth(true) => Ok(SelfTested::Accepted),
        Value::Truth(false) => Ok(SelfTested::Asked),
        Value::Null | Value::Whole(_) | Value::Fraction(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, "`true` or `false`"))
        }
    }
}

fn version(node: &Node) -> Result<(), Complaint> {
    match node.value {
        Value::Whole(1) => Ok(()),
        Value::Whole(other) => Err(Complaint::new(format!("this is version {other} of the task file"))
            .hint("this trueup reads version 1: `v: 1`")),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, "the version of the task file, `v: 1`"))
        }
    }
}

/// One line of text that is safe to print and to put into a commit message.
fn line(node: &Node) -> Result<String, Complaint> {
    let Value::Text(text) = &node.value else {
        return Err(wrong(node, "text"));
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(Complaint::new("the text is empty"));
    }
    if text.chars().any(char::is_control) {
        return Err(Complaint::new("the text holds a line break or another control character").hint("write one line"));
    }
    Ok(text.to_owned())
}

fn revision(node: &Node) -> Result<String, Complaint> {
    let text = line(node)?;
    // git would read such a name as one of its options.
    if text.starts_with('-') || text.contains(char::is_whitespace) {
        return Err(Complaint::new(format!("`{text}` is no revision")).hint("name a branch, a tag or a commit: main"));
    }
    Ok(text)
}

fn task_id(node: &Node) -> Result<TaskId, Complaint> {
    let text = line(node)?;
    if !is_id(&text) {
        return Err(Complaint::new(format!("`{text}` is no task id"))
            .hint("an id is a letter and up to 63 letters, digits, `-` or `_`, like T-014"));
    }
    Ok(TaskId::new(text))
}

/// Whether the text may stand in paths and refs as it is.
pub fn is_id(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn glob(node: &Node) -> Result<String, Complaint> {
    check_line::relative(&line(node)?)
}

/// A rule, and behind an `@` the files in which it may be broken.
fn rule(node: &Node, rules: &Catalogue) -> Result<String, Complaint> {
    let word = line(node)?;
    let (id, files) = match word.split_once('@') {
        Some((id, files)) => (id, Some(files)),
        None => (word.as_str(), None),
    };
    let is_known = RuleId::of(id).is_some_and(|id| rules.find(&id).is_some());
    if !is_known {
        let ids = rules.rules().map(|rule| rule.id.as_str());
        let hint = match nearest::nearest(id, ids) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`trueup rules` lists them all".into(),
        };
        return Err(Complaint::new(format!("there is no rule `{id}`")).hint(hint));
    }
    if let Some(files) = files {
        check_line::relative(files)?;
    }
    Ok(word)
}

fn size(node: &Node) -> Result<Size, Complaint> {
    let found = match &node.value {
        Value::Whole(number) => usize::try_from(*number - 1).ok(),
        Value::Text(word) => SIZES.iter().position(|size| size == word),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::List(_) | Value::Map(_) => None,
    };
    found.and_then(|index| Size::ALL.get(index).copied()).ok_or_else(|| {
        let word = if let Value::Text(word) = &node.value { word } else { "" };
        wrong_choice(node, "a size from 1 to 5 or its name").hint(nearest::hint(word, SIZES))
    })
}

fn priority(node: &Node) -> Result<Priority, Complaint> {
    let Value::Text(word) = &node.value else {
        return Err(wrong_choice(node, "a priority").hint("P0, P1, P2 or P3"));
    };
    let found = PRIORITIES.iter().find(|(name, _)| name == word);
    found
        .map(|(_, priority)| *priority)
        .ok_or_else(|| wrong_choice(node, "a priority").hint("P0, P1, P2 or P3"))
}

fn wrong_choice(node: &Node, expected: &str) -> Complaint {
    match &node.value {
        Value::Text(word) => Complaint::new(format!("expected {expected}, found `{word}`")),
        Value::Whole(number) => Complaint::new(format!("expected {expected}, found {number}")),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::List(_) | Value::Map(_) => wrong(node, expected),
    }
}

fn count(node: &Node) -> Result<u32, Complaint> {
    match node.value {
        Value::Whole(number) => u32::try_from(number).map_err(|_| out_of_range(number)),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, "a whole number"))
        }
    }
}

fn positive(node: &Node) -> Result<u64, Complaint> {
    match node.value {
        Value::Whole(number) => u64::try_from(number)
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| out_of_range(number)),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, "a whole number"))
        }
    }
}

fn narrow(number: u64, entry: &Entry, problems: &mut Vec<Problem>) -> Option<u32> {
    let narrow = u32::try_from(number).map_err(|_| out_of_range(number.into()).at(entry.node.position));
    narrow.map_err(|problem| problems.push(problem)).ok()
}

fn out_of_range(number: i128) -> Complaint {
    Complaint::new(format!("{number} is out of range"))
}

fn time(node: &Node) -> Result<u64, Complaint> {
    let example = "write it like 90s, 10m, 2h or 1h30m";
    match &node.value {
        Value::Text(text) => duration::milliseconds(text.trim())
            .filter(|span| *span > 0)
            .ok_or_else(|| Complaint::new(format!("`{text}` is no span of time")).hint(example)),
        Value::Whole(number) => Err(Complaint::new(format!("{number} has no unit")).hint(example)),
        Value::Null | Value::Truth(_) | Value::Fraction(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, "a span of time").hint(example))
        }
    }
}

fn money(node: &Node) -> Result<u64, Complaint> {
    let usd = match node.value {
        Value::Whole(number) => number as f64,
        Value::Fraction(number) => number,
        Value::Null | Value::Truth(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            return Err(wrong(node, "an amount in US dollars").hint("write it like 5 or 0.50"));
        }
    };
    let millicents = (usd * MILLICENTS_PER_USD).round();
    if !(1.0..=MOST_USD * MILLICENTS_PER_USD).contains(&millicents) {
        return Err(Complaint::new(format!("{usd} US dollars are out of range")).hint("write it like 5 or 0.50"));
    }
    // The range above keeps the amount exactly representable.
    Ok(millicents as u64)
}
