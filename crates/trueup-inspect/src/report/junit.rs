//! JUnit XML, as pytest, vitest, nextest, surefire and many others write it.
//!
//! Nobody ever wrote down what it is, so what is not known is passed over; but
//! what tells of a failure is never passed over: an `<error>` beside the test
//! cases, or a suite that counts more failures than it lists, is a failed test
//! with the suite's name.

use super::{
    Report, Test, TestOutcome, Unreadable,
    bound::{Bounded, MOST_DEPTH, MOST_ID, MOST_MESSAGE},
    gathered::{ReportBuilder, cut},
};
use quick_xml::{
    Error, Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
};
use std::{borrow::Cow, io::BufRead};

/// No tag has more attributes; comparing their names costs their square.
const MOST_ATTRIBUTES: usize = 64;

/// What node calls the class of each test, whatever it stands in.
const CLASS_OF_NODE: &str = "test";

const ASKED_FOR: [&str; 13] = [
    "name",
    "classname",
    "file",
    "filepath",
    "line",
    "status",
    "result",
    "failures",
    "errors",
    "message",
    "type",
    "disabled",
    "timestamp",
];

pub(super) fn read(source: impl BufRead) -> Result<Report, Unreadable> {
    let mut reader = Reader::from_reader(Bounded::of_pieces(source));
    let mut walk = Walk::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        reader.get_mut().next_piece();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => return Err(not_xml(&error)),
        };
        match event {
            Event::Start(tag) => walk.opened(&tag)?,
            Event::Empty(tag) => {
                walk.opened(&tag)?;
                walk.closed()?;
            }
            Event::End(_) => walk.closed()?,
            Event::Text(text) => walk.text(&text)?,
            Event::CData(text) => walk.text(&text)?,
            Event::GeneralRef(reference) => walk.reference(&reference)?,
            Event::DocType(_) => return Err(Unreadable::because("it declares a document type of its own")),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => return walk.done(),
        }
    }
}

fn not_xml(error: &Error) -> Unreadable {
    if let Error::Io(error) = error {
        return Unreadable::because(error.to_string());
    }
    Unreadable::because(format!("it is no XML: {error}"))
}

/// What an open element is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Suite,
    Case,
    Failure,
    /// A try that failed like the first one.
    Rerun,
    /// A try that failed before one that passed.
    Flaky,
    Skip,
    Other,
}

/// An open suite: what it counts, and what it was seen to hold.
#[derive(Default)]
struct Suite {
    name: String,
    file: Option<String>,
    /// The blocks that its tests stand in, as node tells them; nothing where
    /// another tool wrote this.
    blocks: String,
    counts: u64,
    lists: u64,
}

/// Where in the document we are.
#[derive(Default)]
struct Walk {
    gathered: ReportBuilder,
    open: Vec<Element>,
    suites: Vec<Suite>,
    case: Option<Test>,
    /// What the failure or skip that is open says of itself, in its tag and in its text.
    said: (String, String),
    began: Option<()>,
}

impl Walk {
    fn opened(&mut self, tag: &BytesStart<'_>) -> Result<(), Unreadable> {
        if self.open.len() >= MOST_DEPTH {
            return Err(Unreadable::because(format!(
                "it nests deeper than {MOST_DEPTH} elements"
            )));
        }
        let name = tag.local_name();
        let name: &str = name.as_ref();
        let inside = self.open.last().copied();
        let element = match (name, inside) {
            ("testsuites" | "testsuite", None) if self.began.is_some() => {
                return Err(Unreadable::because("it holds more than one document"));
            }
            ("testsuites" | "testsuite", None | Some(Element::Suite)) => Element::Suite,
            (_, None) => {
                let name = cut(name, 40);
                return Err(Unreadable::because(format!(
                    "it is no JUnit report: its root is <{name}>"
                )));
            }
            ("testcase", Some(Element::Suite)) => Element::Case,
            ("testcase" | "testsuite" | "testsuites", Some(_)) => {
                return Err(Unreadable::because(format!("a <{name}> stands where none may stand")));
            }
            ("failure" | "error", Some(Element::Case | Element::Suite)) => Element::Failure,
            ("rerunFailure" | "rerunError", Some(Element::Case)) => Element::Rerun,
            ("flakyFailure" | "flakyError", Some(Element::Case)) => Element::Flaky,
            ("skipped", Some(Element::Case)) => Element::Skip,
            (_, Some(_)) => Element::Other,
        };
        self.began = Some(());
        self.open.push(element);
        match element {
            Element::Suite => self.suite(tag),
            Element::Case => self.case(tag),
            Element::Failure | Element::Rerun | Element::Skip => self.cause(tag),
            Element::Flaky | Element::Other => Ok(()),
        }
    }

    fn suite(&mut self, tag: &BytesStart<'_>) -> Result<(), Unreadable> {
        let mut suite = Suite::default();
        let (mut is_disabled_told, mut is_dated) = (false, false);
        each_attribute(tag, |key, value| match key {
            "disabled" => is_disabled_told = true,
            "timestamp" => is_dated = true,
            "name" => suite.name = value.into_owned(),
            "file" | "filepath" => suite.file = Some(value.into_owned()),
            "failures" | "errors" => suite.counts = suite.counts.saturating_add(value.trim().parse().unwrap_or(0)),
            _ => {}
        })?;
        let around = self.suites.last();
        if suite.file.is_none() {
            suite.file = around.and_then(|suite| suite.file.clone());
        }
        if is_disabled_told && !is_dated {
            let around = around.map_or("", |suite| suite.blocks.as_str());
            suite.blocks = cut(&[around, &suite.name, " > "].concat(), MOST_ID).to_owned();
        }
        self.suites.push(suite);
        Ok(())
    }

    fn case(&mut self, tag: &BytesStart<'_>) -> Result<(), Unreadable> {
        let (mut class, mut name) = (Cow::Borrowed(""), Cow::Borrowed(""));
        let (mut file, mut line) = (None, None);
        let mut outcome = TestOutcome::Passed;
        each_attribute(tag, |key, value| match key {
            "classname" => class = value,
            "name" => name = value,
            "file" | "filepath" => file = Some(value.into_owned()),
            "line" => line = value.trim().parse().ok(),
            "status" | "result" => outcome = worse(outcome, told(&value)),
            _ => {}
        })?;
        let file = file
            .or_else(|| is_script(&class).then(|| class.clone().into_owned()))
            .or_else(|| self.suites.last().and_then(|suite| suite.file.clone()));
        let id = match (class.is_empty(), name.is_empty()) {
            // Written in one go it takes no more room than it needs.
            (false, false) => [&*class, "::", self.blocks_of(&class), &*name].concat(),
            (false, true) => class.into_owned(),
            (true, false) => name.into_owned(),
            (true, true) => self.suites.last().map(|suite| suite.name.clone()).unwrap_or_default(),
        };
        self.case = Some(Test {
            id,
            outcome,
            file,
            line,
            message: String::new(),
        });
        Ok(())
    }

    /// The blocks that a test stands in, where its class does not name them.
    fn blocks_of(&self, class: &str) -> &str {
        match self.suites.last() {
            Some(suite) if class == CLASS_OF_NODE => &suite.blocks,
            Some(_) | None => "",
        }
    }

    /// A failure or a skip: what it says of itself comes before its text.
    fn cause(&mut self, tag: &BytesStart<'_>) -> Result<(), Unreadable> {
        let (mut message, mut sort) = (String::new(), String::new());
        each_attribute(tag, |key, value| match key {
            "message" => cut(&value, MOST_MESSAGE).clone_into(&mut message),
            "type" => cut(&value, MOST_MESSAGE).clone_into(&mut sort),
            _ => {}
        })?;
        self.said = (if message.is_empty() { sort } else { message }, String::new());
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Unreadable> {
        match self.open.last() {
            None if text.trim_start_matches('\u{feff}').trim().is_empty() => Ok(()),
            None => Err(Unreadable::because(
                "it is no JUnit report: text stands outside its root",
            )),
            Some(Element::Failure | Element::Rerun | Element::Skip) => {
                self.say(text);
                Ok(())
            }
            Some(Element::Suite | Element::Case | Element::Flaky | Element::Other) => Ok(()),
        }
    }

    fn say(&mut self, text: &str) {
        if self.said.1.len() < MOST_MESSAGE {
            self.said.1.push_str(cut(text, MOST_MESSAGE));
        }
    }

    /// What was said, once where tag and text say the same.
    fn all_said(&mut self) -> String {
        let (tag, text) = std::mem::take(&mut self.said);
        let text = text.trim_matches('\n').trim_end();
        match (tag.trim().is_empty(), text.is_empty()) {
            (true, _) => text.to_owned(),
            (false, true) => tag,
            (false, false) if text.contains(tag.trim()) => text.to_owned(),
            (false, false) => format!("{tag}\n{text}"),
        }
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), Unreadable> {
        let known = reference.resolve_char_ref().map_err(|error| not_xml(&error))?;
        let said: Cow<'_, str> = match known {
            Some(c) => Cow::Owned(c.to_string()),
            None => match resolve_predefined_entity(reference) {
                Some(text) => Cow::Borrowed(text),
                None => return Err(Unreadable::because("it names an entity that it does not define")),
            },
        };
        match self.open.last() {
            None => Err(Unreadable::because(
                "it is no JUnit report: text stands outside its root",
            )),
            Some(Element::Failure | Element::Rerun | Element::Skip) => {
                self.say(&said);
                Ok(())
            }
            Some(Element::Suite | Element::Case | Element::Flaky | Element::Other) => Ok(()),
        }
    }

    fn closed(&mut self) -> Result<(), Unreadable> {
        match self.open.pop() {
            Some(Element::Suite) => self.suite_ends(),
            Some(Element::Case) => match self.case.take() {
                Some(case) => self.gathered.test(case),
                None => Ok(()),
            },
            Some(Element::Failure | Element::Rerun) => {
                self.lists_one();
                self.seen(TestOutcome::Failed)
            }
            Some(Element::Flaky) => {
                self.lists_one();
                Ok(())
            }
            Some(Element::Skip) => self.seen(TestOutcome::Skipped),
            Some(Element::Other) | None => Ok(()),
        }
    }

    /// surefire counts every try that failed, so every one counts as listed.
    fn lists_one(&mut self) {
        if let Some(suite) = self.suites.last_mut() {
            suite.lists = suite.lists.saturating_add(1);
        }
    }

    /// A failure or a skip has ended: it is its case's, or else its suite's.
    fn seen(&mut self, outcome: TestOutcome) -> Result<(), Unreadable> {
        let said = self.all_said();
        if let Some(case) = &mut self.case {
            let was = case.outcome;
            case.outcome = worse(was, outcome);
            if case.message.is_empty() || (was, outcome) == (TestOutcome::Skipped, TestOutcome::Failed) {
                case.message = said;
            }
            return Ok(());
        }
        match self.suites.last() {
            Some(suite) => self.gathered.failed(name_of(suite), said),
            None => Ok(()),
        }
    }

    /// A suite that could not be loaded lists no cases and counts an error.
    fn suite_ends(&mut self) -> Result<(), Unreadable> {
        let Some(suite) = self.suites.pop() else {
            return Ok(());
        };
        if suite.counts > suite.lists {
            let why = format!("the suite counts {} failures and lists {}", suite.counts, suite.lists);
            self.gathered.failed(name_of(&suite), why)?;
        }
        if let Some(around) = self.suites.last_mut() {
            around.lists = around.lists.saturating_add(suite.counts.max(suite.lists));
        }
        Ok(())
    }

    fn done(self) -> Result<Report, Unreadable> {
        match (self.open.len(), self.began) {
            (0, Some(())) => Ok(self.gathered.done()),
            (0, None) => Err(Unreadable::because("it is empty")),
            (_, _) => Err(Unreadable::because("it is cut off")),
        }
    }
}

fn name_of(suite: &Suite) -> &str {
    if suite.name.is_empty() {
        "the whole report"
    } else {
        &suite.name
    }
}

/// Hands over the attributes that anyone asks for: most of a large report is others.
fn each_attribute<'a>(tag: &'a BytesStart<'_>, mut each: impl FnMut(&str, Cow<'a, str>)) -> Result<(), Unreadable> {
    for (nth, attribute) in tag.attributes().enumerate() {
        let attribute = attribute.map_err(|error| not_xml(&error.into()))?;
        if nth >= MOST_ATTRIBUTES {
            return Err(Unreadable::because(format!(
                "a tag has more than {MOST_ATTRIBUTES} attributes"
            )));
        }
        let key: &str = attribute.key.as_ref();
        if !ASKED_FOR.contains(&key) {
            continue;
        }
        let plain = |byte: u8| byte != b'&' && byte >= b' ';
        let value = match attribute.value {
            Cow::Borrowed(value) if value.bytes().all(plain) => Cow::Borrowed(value),
            Cow::Borrowed(_) | Cow::Owned(_) => attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| not_xml(&error))?,
        };
        each(key, value);
    }
    Ok(())
}

/// What googletest and others say in an attribute, where they say it at all.
fn told(status: &str) -> TestOutcome {
    match status.trim().to_ascii_lowercase().as_str() {
        "failed" | "fail" | "failure" | "error" | "broken" | "timedout" => TestOutcome::Failed,
        "notrun" | "skipped" | "disabled" | "ignored" | "suppressed" | "pending" => TestOutcome::Skipped,
        _ => TestOutcome::Passed,
    }
}

const fn worse(one: TestOutcome, other: TestOutcome) -> TestOutcome {
    match (one, other) {
        (TestOutcome::Failed, _) | (_, TestOutcome::Failed) => TestOutcome::Failed,
        (TestOutcome::Skipped, _) | (_, TestOutcome::Skipped) => TestOutcome::Skipped,
        (TestOutcome::Passed, TestOutcome::Passed) => TestOutcome::Passed,
    }
}

/// vitest calls the file a class.
fn is_script(class: &str) -> bool {
    [
        ".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte",
    ]
    .iter()
    .any(|end| class.ends_with(end))
}
