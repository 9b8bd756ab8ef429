//! What an agent is told, in words. The words stand in templates, which a
//! project may replace one by one; a replacement is tried before any agent
//! starts, and refused with its place where it would fail.

mod context;
mod flaw;
mod sample;
mod input;

pub use self::{
    flaw::Flaw,
    input::{PromptInput, Rescued, ShownOutput},
};

use self::{context::Context, sample::Before};
use minijinja::{AutoEscape, Environment, UndefinedBehavior, syntax::SyntaxConfig, value::Serde};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};
use trueup_core::{ladder::Rung, memory::RecapReason, turn::Brief};

/// The prompt of a turn.
const TURN: &str = "turn.md.j2";

/// What is told after a turn that was not enough: `RETRY_CONTEXT`.
const RETRY: &str = "retry.md.j2";

/// The same for a session that tries what the ones before did not.
const ANOTHER_APPROACH: &str = "another-approach.md.j2";

/// The same for a session that takes over.
const NEXT_SESSION: &str = "next-session.md.j2";

/// Every template with its built-in text.
const EMBEDDED: [(&str, &str); 7] = [
    (TURN, include_str!("turn.md.j2")),
    (RETRY, include_str!("retry.md.j2")),
    (ANOTHER_APPROACH, include_str!("another-approach.md.j2")),
    (NEXT_SESSION, include_str!("next-session.md.j2")),
    ("phase.md.j2", include_str!("phase.md.j2")),
    ("failures.md.j2", include_str!("failures.md.j2")),
    ("claims.md.j2", include_str!("claims.md.j2")),
];

/// How the names of templates end.
const SUFFIX: &str = ".md.j2";

/// No template is longer.
const LONGEST: u64 = 256 * 1024;

/// How much a template may do before it is taken for one that never ends.
const FUEL: u64 = 1_000_000;

/// A prompt in words.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What the agent is told.
    pub text: String,
    /// What a session that takes over is told of the ones before, where one does.
    pub next_session: Option<String>,
    /// Outputs that the text names and the agent shall find.
    pub shown: Vec<ShownOutput>,
}

/// The templates of prompts.
#[derive(Clone, Debug)]
pub struct Prompts {
    /// By name: the text, and where it stands.
    templates: BTreeMap<&'static str, Template>,
}

#[derive(Clone, Debug)]
struct Template {
    text: Cow<'static, str>,
    /// The file, as a person would look for it.
    file: PathBuf,
    source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    BuiltIn,
    Project,
}

impl Prompts {
    /// The built-in templates.
    pub fn embedded() -> Self {
        let template = |(name, text): (&'static str, &'static str)| {
            let template = Template {
                text: Cow::Borrowed(text),
                file: PathBuf::from(name),
                source: Source::BuiltIn,
            };
            (name, template)
        };
        Self {
            templates: EMBEDDED.into_iter().map(template).collect(),
        }
    }

    /// The built-in templates, those aside that stand in this folder under the
    /// same name. Each of these is compiled and rendered here for every kind
    /// of turn, so that none can fail once an agent is under way.
    pub fn with_overrides(folder: &Path) -> Result<Self, Flaw> {
        let mut prompts = Self::embedded();
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
            .map_err(|error| Flaw::of_file(folder, &error))?;
        files.sort();
        for file in files {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // An editor's leftovers and a page that explains the folder are no templates.
            if !name.ends_with(SUFFIX) || name.starts_with('.') {
                continue;
            }
            let known = EMBEDDED.iter().map(|(known, _)| *known);
            let Some(name) = known.clone().find(|known| *known == name) else {
                return Err(Flaw::unknown_template(&file, name, known));
            };
            let text = read(&file).map_err(|error| Flaw::of_file(&file, &error))?;
            let template = Template {
                text: Cow::Owned(text),
                file,
                source: Source::Project,
            };
            prompts.templates.insert(name, template);
        }
        prompts.examine()?;
        Ok(prompts)
    }

    /// The templates that a run was opened with; what it knows nothing of is
    /// built in. Each is tried, so that none can fail once an agent is under way.
    pub fn kept(texts: BTreeMap<String, String>) -> Result<Self, Flaw> {
        let mut prompts = Self::embedded();
        for (name, template) in &mut prompts.templates {
            if let Some(text) = texts.get(*name) {
                template.text = Cow::Owned(text.clone());
            }
        }
        prompts.examine()?;
        Ok(prompts)
    }

    /// Every text by the name of its template.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let templates = self.templates.iter();
        templates.map(|(name, template)| (*name, template.text.as_ref()))
    }

    /// The texts that a person wrote, by the names of their templates: what a
    /// person trusts when they trust the configuration.
    pub fn overrides(&self) -> impl Iterator<Item = (&str, &str)> {
        let written = self.templates.iter();
        let written = written.filter(|(_, template)| template.source == Source::Project);
        written.map(|(name, template)| (*name, template.text.as_ref()))
    }

    /// The prompt of a turn.
    pub fn render(&self, brief: &Brief, input: &PromptInput<'_>) -> Result<Prompt, Flaw> {
        let (context, shown) = Context::of(brief, input);
        let taking_over = brief
            .so_far
            .as_ref()
            .is_some_and(|so_far| so_far.why == RecapReason::HandedOver);
        let about = match (taking_over, brief.rung) {
            (true, _) => Before::AnotherSession,
            (false, Rung::Pivot | Rung::Research) => Before::AnotherApproach,
            (false, Rung::Retry) => Before::Turns,
            (false, Rung::First) if context.so_far.is_some() => Before::Turns,
            (false, Rung::First) => Before::Nothing,
        };
        let (text, before) = self.words(context, about)?;
        Ok(Prompt {
            text,
            next_session: (about == Before::AnotherSession).then_some(before),
            shown,
        })
    }

    /// The prompt, and what it tells of the turns before.
    fn words(&self, mut context: Context, about: Before) -> Result<(String, String), Flaw> {
        let environment = self.environment()?;
        let render = |name: &str, context: &Context| {
            let template = environment.get_template(name);
            let rendered = template.and_then(|template| template.render(Serde(context)));
            rendered.map_err(|error| self.flaw(name, &error))
        };
        let before = match about {
            Before::Nothing => String::new(),
            Before::Turns => render(RETRY, &context)?,
            Before::AnotherApproach => render(ANOTHER_APPROACH, &context)?,
            Before::AnotherSession => render(NEXT_SESSION, &context)?,
        };
        context.retry_context = before.trim_end().to_owned();
        let text = without_gaps(&render(TURN, &context)?);
        Ok((text, without_gaps(&before)))
    }

    fn environment(&self) -> Result<Environment<'_>, Flaw> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let mut syntax = SyntaxConfig::builder();
        let syntax = syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        environment.set_syntax(syntax.build().map_err(|error| self.flaw(TURN, &error))?);
        environment.set_fuel(Some(FUEL));
        for (name, template) in &self.templates {
            let added = environment.add_template(name, &template.text);
            added.map_err(|error| self.flaw(name, &error))?;
        }
        Ok(environment)
    }

    /// Tries what a person wrote: its syntax, its names, and every kind of turn.
    fn examine(&self) -> Result<(), Flaw> {
        let environment = self.environment()?;
        for (name, template) in &self.templates {
            let compiled = environment
                .get_template(name)
                .map_err(|error| self.flaw(name, &error))?;
            let mut used: Vec<String> = compiled.undeclared_variables(false).into_iter().collect();
            used.sort();
            let functions = environment.globals().map(|(name, _)| name);
            let known: Vec<&str> = sample::VARIABLES.into_iter().chain(functions).collect();
            if let Some(unknown) = used.iter().find(|name| !known.contains(&name.as_str())) {
                return Err(Flaw::unknown_name(&template.file, &template.text, unknown, &known));
            }
        }
        for (context, about) in sample::turns() {
            self.words(context, about)?;
        }
        Ok(())
    }

    /// What went wrong in a template, at its place. The template that was
    /// asked for is not always the one at fault: one may include another.
    fn flaw(&self, asked: &str, error: &minijinja::Error) -> Flaw {
        let mut error = error;
        while let Some(deeper) = error.source().and_then(|source| source.downcast_ref()) {
            error = deeper;
        }
        let name = error.name().unwrap_or(asked);
        match self.templates.get(name) {
            Some(template) => Flaw::of_template(&template.file, &template.text, error),
            None => Flaw::of_template(Path::new(name), "", error),
        }
    }
}

fn read(file: &Path) -> io::Result<String> {
    let length = fs::metadata(file)?.len();
    if length > LONGEST {
        let why = format!("{length} bytes are too many; a template has at most {LONGEST}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    fs::read_to_string(file)
}

/// The text with one empty line where a template's blocks left several,
/// outside of what is quoted.
fn without_gaps(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    let mut empty = true;
    for line in text.trim_end().lines() {
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => {
                fence = line.get(..line.len() - line.trim_start_matches('`').len());
            }
            None => {}
        }
        let is_empty = line.trim().is_empty();
        if fence.is_some() || !is_empty || !empty {
            kept.push_str(line);
            kept.push('\n');
        }
        empty = is_empty;
    }
    kept
}
