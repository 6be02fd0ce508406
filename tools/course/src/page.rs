//! A page of the book, taken apart.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A Markdown file.
#[derive(Debug, Default)]
pub struct Page {
    /// Its path from the root.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its blocks of code.
    pub fences: Vec<Fence>,
    /// Its pieces of text outside of blocks of code, in order.
    pub pieces: Vec<Piece>,
}

/// A block of code.
#[derive(Debug, Clone, Default)]
pub struct Fence {
    /// The line with the backticks.
    pub line: usize,
    /// What follows the backticks, or nothing if the block is only indented.
    pub info: String,
    /// What is in it.
    pub body: String,
}

/// What a [`Piece`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A heading of this level.
    Heading(u8),
    /// A term of the glossary.
    Term,
    /// A bold run.
    Bold,
    /// Code within the text.
    Code,
    /// Everything else.
    Text,
}

/// A piece of text of one form.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The line it begins on.
    pub line: usize,
    /// What it is.
    pub form: Form,
    /// What it says.
    pub text: String,
    /// The heading of level 2 above it.
    pub section: String,
}

impl Page {
    /// Takes a page apart, as mdBook 0.5 does.
    pub fn new(path: &str, text: &str) -> Page {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_HEADING_ATTRIBUTES
            | Options::ENABLE_DEFINITION_LIST;
        let (path, text) = (path.to_owned(), text.to_owned());
        let mut page = Page {
            path,
            ..Page::default()
        };
        let (mut form, mut section) = (Form::Text, String::new());
        let mut fence: Option<Fence> = None;
        let ends: Vec<usize> = text.match_indices('\n').map(|(place, _)| place).collect();
        for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
            let line = 1 + ends.partition_point(|end| *end < range.start);
            match event {
                Event::Start(Tag::CodeBlock(of)) => {
                    let info = match of {
                        CodeBlockKind::Fenced(info) => info.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    fence = Some(Fence {
                        line,
                        info,
                        body: String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => page.fences.extend(fence.take()),
                Event::Start(Tag::Heading { level, .. }) => form = Form::Heading(level as u8),
                Event::Start(Tag::DefinitionListTitle) => form = Form::Term,
                Event::Start(Tag::Strong) => form = Form::Bold,
                Event::End(TagEnd::Heading(_) | TagEnd::DefinitionListTitle | TagEnd::Strong) => {
                    form = Form::Text
                }
                Event::SoftBreak => page.say(line, Form::Text, " ", &section),
                // So that no piece reaches from one block into the next.
                Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                    page.say(line, Form::Text, "\n", &section)
                }
                Event::Code(code) if form == Form::Text => {
                    page.say(line, Form::Code, &code, &section)
                }
                Event::Code(code) => page.say(line, form, &code, &section),
                Event::Text(text) => match &mut fence {
                    Some(fence) => fence.body.push_str(&text),
                    None => {
                        page.say(line, form, &text, &section);
                        if form == Form::Heading(2) {
                            section = text.into_string();
                        }
                    }
                },
                _ => {}
            }
        }
        page.text = text;
        page
    }

    /// Adds to the last piece if it is of the same form.
    fn say(&mut self, line: usize, form: Form, text: &str, section: &str) {
        match self.pieces.last_mut() {
            Some(last) if last.form == form && form == Form::Text => last.text.push_str(text),
            _ => self.pieces.push(Piece {
                line,
                form,
                text: text.to_owned(),
                section: section.to_owned(),
            }),
        }
    }

    /// The pieces of this form.
    pub fn of(&self, form: Form) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |it| it.form == form)
    }

    /// The lines of its text, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// A complaint about a line.
    pub fn at(&self, line: usize, says: &str) -> String {
        format!("{}:{line}: {says}", self.path)
    }

    /// The text below a heading of level 2, up to the next one.
    pub fn below(&self, heading: &str) -> Option<&str> {
        let (_, below) = self.text.split_once(&format!("\n## {heading}\n"))?;
        Some(below.split("\n## ").next().unwrap_or_default())
    }
}
