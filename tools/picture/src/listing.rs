//! The code that stands beside a figure, and places in it.

use kit::{anchor, files, source};
use serde::Serialize;

/// What a figure lists: files from the root, each with `:` and an anchor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    /// Those that it is in, also those inside the one that is listed.
    anchors: Vec<String>,
    text: String,
    code: String,
    /// Which line of its file it is.
    in_file: usize,
    /// Which block of the page it is in, and which line of that: what the page shows.
    block: usize,
    number: usize,
}

impl Line {
    fn of_file(&self) -> anchor::Line<'_> {
        anchor::Line {
            number: self.in_file,
            text: &self.text,
            code: &self.code,
            anchors: self.anchors.iter().map(String::as_str).collect(),
        }
    }
}

/// Some lines of a block: its number, and the first and the last line. All are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Mark(usize, usize, usize);

impl Listing {
    /// What the page shows of these parts. What is not there, `cargo run -p course` tells.
    pub(crate) fn read(parts: &[String]) -> Listing {
        let mut lines = Vec::new();
        for (block, parts) in blocks(parts).enumerate() {
            let mut number = 0;
            for part in parts {
                let (file, anchor) = part.split_once(':').unwrap_or((part, ""));
                let text = files::read(&files::root().join(file)).unwrap_or_default();
                for line in shown(&text, anchor) {
                    lines.push(Line {
                        anchors: line.anchors.into_iter().map(str::to_owned).collect(),
                        text: line.text.to_owned(),
                        code: line.code.to_owned(),
                        in_file: line.number,
                        block,
                        number,
                    });
                    number += 1;
                }
                number += 1; // an empty line, before the next part
            }
        }
        Listing { lines }
    }

    /// Where a place is that is named by its words, as [`source`] explains it. Its anchor may be one of those that are listed, or inside
    /// one.
    pub(crate) fn find(&self, place: &str) -> Result<Mark, String> {
        let lines: Vec<_> = self.lines.iter().map(Line::of_file).collect();
        let found = source::find(&lines, place)?;
        let [first, last] = [found.start(), found.end()].map(|number| &self.lines[*number]);
        Ok(Mark(first.block, first.number, last.number))
    }

    /// The code of a place, in one line. Of more than two lines, only the first.
    pub(crate) fn code(&self, Mark(block, first, last): Mark) -> String {
        let is_in = |line: &&Line| line.block == block && (first..=last).contains(&line.number);
        let lines: Vec<&str> = self
            .lines
            .iter()
            .filter(is_in)
            .map(|line| &*line.code)
            .collect();
        let (code, more) = match lines[..] {
            [_, _] => (lines.join(" "), ""),
            [code, _, ..] => (code.to_owned(), " …"),
            _ => (lines.concat(), ""),
        };
        let code = code.trim_end_matches([';', ',']).trim_end_matches(" {");
        format!("{code}{more}")
    }

    /// The line that has this code, if there is one and no more.
    pub(crate) fn with_code(&self, code: &str) -> Option<Mark> {
        let mut found = self.lines.iter().filter(|line| line.code == code);
        let line = found.next().filter(|_| found.next().is_none())?;
        Some(Mark(line.block, line.number, line.number))
    }
}

/// The lines of an anchor as a page shows them, without the marks in it.
pub(crate) fn shown<'a>(text: &'a str, anchor: &str) -> Vec<anchor::Line<'a>> {
    let mut lines = anchor::lines(text);
    lines.retain(|line| line.anchors.contains(&anchor));
    lines
}

/// Anchors of the same file that follow each other are one block.
fn blocks(parts: &[String]) -> impl Iterator<Item = &[String]> {
    parts.chunk_by(|one, other| file(one) == file(other))
}

fn file(part: &str) -> &str {
    part.split(':').next().unwrap_or_default()
}

/// As a page includes it.
pub(crate) fn to_markdown(parts: &[String]) -> String {
    let block = |parts: &[String]| {
        let include = |part| format!("{{{{#include ../../../{part}}}}}\n");
        let includes = parts.iter().map(include).collect::<Vec<_>>().join("\n");
        let file = file(&parts[0]);
        format!("<p class=\"file\">{file}</p>\n\n```rust\n{includes}```\n\n")
    };
    blocks(parts).map(block).collect()
}
