//! A page, taken apart.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::text::line_of;

/// A page of the book.
#[derive(Debug)]
pub struct Page {
    /// Its file in `book/src`.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Whether it is one of the numbered chapters.
    pub chapter: bool,
    /// Its fenced and indented code.
    pub fences: Vec<Fence>,
    /// Its paragraphs, headings and cells, without code blocks and HTML.
    pub blocks: Vec<Block>,
    /// Its HTML, piece by piece, with lines.
    pub html: Vec<(usize, String)>,
    /// Its links and images.
    pub links: Vec<Link>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its folded answers.
    pub answers: Vec<Answer>,
}

/// A block of code.
#[derive(Debug, Clone)]
pub struct Fence {
    /// The line with the backticks.
    pub line: usize,
    /// What stands behind the backticks; nothing if the block is only indented.
    pub info: String,
    /// What is in it.
    pub body: String,
}

/// What a [`Block`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A heading of this level.
    Heading(u8),
    /// The cell of a table.
    Cell,
    /// A term of a definition list.
    Term,
    /// A paragraph, or an item of a list.
    Text,
}

/// A paragraph, a heading, a cell.
#[derive(Debug, Clone)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub pieces: Vec<Piece>,
}

/// A piece of a block that is all code or all bold or neither.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The line it is on.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// Whether it is code.
    pub code: bool,
    /// Whether it is bold: the number of the bold run on this page.
    pub bold: Option<usize>,
}

/// A link, or an image.
#[derive(Debug, Clone)]
pub struct Link {
    /// The line it is on.
    pub line: usize,
    /// Where it leads.
    pub to: String,
    /// The alternative text, if it is an image.
    pub image: Option<String>,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The lines of its rows; the first is its head.
    pub lines: Vec<usize>,
    /// What is in its cells, row by row; the first row is its head.
    pub rows: Vec<Vec<String>>,
}

/// A folded answer: everything between `<details>` and `</details>`.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The line of `<details>`.
    pub line: usize,
    /// The line of `</details>`.
    pub end: usize,
    /// Its paragraphs.
    pub blocks: Vec<Block>,
}

impl Block {
    /// The line of its first piece.
    pub fn line(&self) -> usize {
        self.pieces.first().map_or(0, |piece| piece.line)
    }

    /// All that it says.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|it| it.text.as_str()).collect()
    }

    /// What it says outside of code, and which line each byte is on. A mark stands for each piece of code.
    pub fn prose(&self) -> (String, impl Fn(usize) -> usize + use<>) {
        let (mut prose, mut lines) = (String::new(), Vec::new());
        for piece in &self.pieces {
            lines.push((prose.len(), piece.line));
            prose.push_str(if piece.code { "\u{fffc}" } else { &piece.text });
        }
        let line = move |at| {
            let piece = lines.iter().rev().find(|(start, _)| *start <= at);
            piece.map_or(0, |(_, line)| *line)
        };
        (prose, line)
    }
}

impl Page {
    /// Takes a page apart.
    pub fn new(file: &str, text: String, chapter: bool) -> Page {
        let mut page = Page {
            file: file.to_owned(),
            chapter,
            fences: Vec::new(),
            blocks: Vec::new(),
            html: Vec::new(),
            links: Vec::new(),
            tables: Vec::new(),
            answers: Vec::new(),
            text,
        };
        let text = std::mem::take(&mut page.text);
        Reader::new(&text, &mut page).read();
        page.text = text;
        page
    }

    /// Its file, from the root of the project.
    pub fn path(&self) -> String {
        format!("book/src/{}", self.file)
    }

    /// Its headings: level, text, line.
    pub fn headings(&self) -> impl Iterator<Item = (u8, String, usize)> {
        self.blocks.iter().filter_map(|block| match block.kind {
            Kind::Heading(level) => Some((level, block.text(), block.line())),
            _ => None,
        })
    }

    /// The lines below a heading of this level and text, up to the next one of its level or a higher one.
    pub fn section(&self, level: u8, title: &str) -> Option<Range<usize>> {
        let mut headings = self.headings();
        let (_, _, start) = headings.find(|(l, text, _)| *l == level && text == title)?;
        let end = headings.find(|(l, _, _)| *l <= level);
        Some(start..end.map_or(usize::MAX, |(_, _, line)| line))
    }
}

/// Parses Markdown as mdBook 0.5 does, except for its curly quotes.
pub fn parse(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, options()).into_offset_iter()
}

/// What mdBook 0.5 switches on, except for its curly quotes.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
}

struct Reader<'a> {
    text: &'a str,
    page: &'a mut Page,
    kind: Kind,
    pieces: Vec<Piece>,
    bold: usize,
    in_bold: bool,
    fence: Option<Fence>,
    image: Option<Link>,
    answer: Option<Answer>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, page: &'a mut Page) -> Reader<'a> {
        Reader {
            text,
            page,
            kind: Kind::Text,
            pieces: Vec::new(),
            bold: 0,
            in_bold: false,
            fence: None,
            image: None,
            answer: None,
        }
    }

    fn read(mut self) {
        for (event, range) in parse(self.text) {
            let line = line_of(self.text, range.start);
            match event {
                Event::Start(tag) => self.start(tag, line),
                Event::End(tag) => self.end(tag),
                Event::Text(text) => self.say(&text, line, false),
                Event::Code(text) => self.say(&text, line, true),
                Event::SoftBreak | Event::HardBreak => self.say(" ", line, false),
                Event::Html(html) | Event::InlineHtml(html) => self.html(&html, line),
                _ => {}
            }
        }
        self.flush(Kind::Text);
    }

    fn start(&mut self, tag: Tag<'_>, line: usize) {
        match tag {
            Tag::CodeBlock(kind) => {
                self.flush(Kind::Text);
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                let body = String::new();
                self.fence = Some(Fence { line, info, body });
            }
            Tag::Strong => {
                self.bold += 1;
                self.in_bold = true;
            }
            Tag::Link { dest_url, .. } => {
                let to = dest_url.into_string();
                let image = None;
                self.page.links.push(Link { line, to, image });
            }
            Tag::Image { dest_url, .. } => {
                let (to, image) = (dest_url.into_string(), Some(String::new()));
                self.image = Some(Link { line, to, image });
            }
            Tag::Table(_) => {
                self.flush(Kind::Text);
                self.page.tables.push(Table::default());
            }
            Tag::TableHead | Tag::TableRow => {
                self.flush(Kind::Text);
                if let Some(table) = self.page.tables.last_mut() {
                    table.lines.push(line);
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.flush(Kind::Cell),
            Tag::DefinitionListTitle => self.flush(Kind::Term),
            Tag::Heading { level, .. } => self.flush(Kind::Heading(number(level))),
            Tag::Emphasis | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            _ => self.flush(Kind::Text),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => self.page.fences.extend(self.fence.take()),
            TagEnd::Strong => self.in_bold = false,
            TagEnd::Image => self.page.links.extend(self.image.take()),
            TagEnd::TableCell => {
                let cell: String = self.pieces.iter().map(|it| it.text.as_str()).collect();
                let row = self
                    .page
                    .tables
                    .last_mut()
                    .and_then(|it| it.rows.last_mut());
                row.expect("a cell is in a row")
                    .push(cell.trim().to_owned());
                self.flush(Kind::Text);
            }
            TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link => {}
            _ => self.flush(Kind::Text),
        }
    }

    fn say(&mut self, text: &str, line: usize, code: bool) {
        if let Some(fence) = &mut self.fence {
            fence.body.push_str(text);
            return;
        }
        if let Some(image) = &mut self.image {
            image.image.get_or_insert_default().push_str(text);
            return;
        }
        let bold = self.in_bold.then_some(self.bold);
        let text = text.to_owned();
        self.pieces.push(Piece {
            line,
            text,
            code,
            bold,
        });
    }

    fn html(&mut self, html: &str, line: usize) {
        self.page.html.push((line, html.to_owned()));
        if html.contains("<details") {
            self.flush(Kind::Text);
            self.answer = Some(Answer {
                line,
                end: line,
                blocks: Vec::new(),
            });
        }
        if html.contains("</details>") {
            self.flush(Kind::Text);
            if let Some(mut answer) = self.answer.take() {
                answer.end = line;
                self.page.answers.push(answer);
            }
        }
    }

    /// Ends the block so far, and begins one of this kind.
    fn flush(&mut self, next: Kind) {
        let (kind, mut pieces) = (self.kind, std::mem::take(&mut self.pieces));
        self.kind = next;
        let all: String = pieces.iter().map(|it| it.text.as_str()).collect();
        if all.trim_start().starts_with("{{#") {
            pieces.clear();
        }
        if !pieces.is_empty() {
            let block = Block { kind, pieces };
            if let Some(answer) = &mut self.answer {
                answer.blocks.push(block.clone());
            }
            self.page.blocks.push(block);
        }
    }
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}
