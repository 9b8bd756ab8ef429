//! The one position that knows the Markdown library: text in, nested blocks out.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use std::ops::Range;

/// A block of Markdown, or a run of text in one, with its bytes in the body.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
    pub(super) inside: Vec<Self>,
}

/// What a block is, as far as a task file cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading, with its level.
    Heading(u8),
    /// A list, ordered or not.
    List,
    /// One item of a list.
    Item,
    /// A paragraph.
    Paragraph,
    /// A block of HTML; comments are such blocks.
    Html,
    /// Any other block.
    Other,
    /// The box of a checklist item.
    Tick,
    /// Text in bold.
    Strong,
    /// Any other text.
    Text,
}

/// Nothing in a task file is nested deeper; what is, is not kept, so that no
/// file can make a reader of these blocks recurse without end.
const DEEPEST: usize = 10;

/// The blocks of a Markdown text, in order.
pub(super) fn read(body: &str) -> Vec<Block> {
    let mut open = vec![Block {
        kind: Kind::Other,
        range: 0..body.len(),
        inside: Vec::new(),
    }];
    let mut dropped = 0_usize;
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TASKLISTS).into_offset_iter() {
        let kind = match &event {
            Event::Start(tag) => kind_of(tag),
            Event::End(_) if dropped > 0 => {
                dropped -= 1;
                continue;
            }
            Event::End(_) => {
                close(&mut open);
                continue;
            }
            Event::TaskListMarker(_) => Kind::Tick,
            Event::Html(_) => Kind::Html,
            Event::Rule => Kind::Other,
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak => Kind::Text,
        };
        let begins = matches!(event, Event::Start(_));
        if dropped > 0 || open.len() > DEEPEST {
            dropped += usize::from(begins);
            continue;
        }
        open.push(Block {
            kind,
            range,
            inside: Vec::new(),
        });
        if !begins {
            close(&mut open);
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|root| root.inside).unwrap_or_default()
}

fn close(open: &mut Vec<Block>) {
    if let Some(block) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.inside.push(block);
    }
}

fn kind_of(tag: &Tag<'_>) -> Kind {
    match tag {
        Tag::Heading { level, .. } => Kind::Heading(number(*level)),
        Tag::List(_) => Kind::List,
        Tag::Item => Kind::Item,
        Tag::Paragraph => Kind::Paragraph,
        Tag::HtmlBlock => Kind::Html,
        Tag::Strong => Kind::Strong,
        Tag::Emphasis
        | Tag::Strikethrough
        | Tag::Superscript
        | Tag::Subscript
        | Tag::Link { .. }
        | Tag::Image { .. } => Kind::Text,
        Tag::BlockQuote(_)
        | Tag::CodeBlock(_)
        | Tag::FootnoteDefinition(_)
        | Tag::DefinitionList
        | Tag::DefinitionListTitle
        | Tag::DefinitionListDefinition
        | Tag::Table(_)
        | Tag::TableHead
        | Tag::TableRow
        | Tag::TableCell
        | Tag::MetadataBlock(_) => Kind::Other,
    }
}

const fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

impl Kind {
    /// Whether it stands inside a line of text rather than being a block.
    pub(super) const fn is_inline(self) -> bool {
        matches!(self, Self::Tick | Self::Strong | Self::Text)
    }
}
