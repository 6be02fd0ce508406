//! The code that stands beside a figure, and places in it.

use kit::{files, source};
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
    /// Which block of the page it is in, and which line of that: what the page shows.
    block: usize,
    number: usize,
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
                for (anchors, text) in shown(&text, anchor) {
                    lines.push(Line {
                        anchors,
                        text,
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

    /// Where a place is that is named by its words, as [`source`] explains it. Its anchor may be one of those that are listed, or inside one.
    pub(crate) fn find(&self, place: &str) -> Result<Mark, String> {
        let (anchor, place) = place.split_once(": ").unwrap_or(("", place));
        let is_in = |line: &&Line| anchor.is_empty() || line.anchors.iter().any(|it| it == anchor);
        let lines: Vec<&Line> = self.lines.iter().filter(is_in).collect();
        let texts: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
        let found = source::find(&texts, place).map_err(|why| match anchor {
            "" => why,
            anchor => format!("in `{anchor}`, {why}"),
        })?;
        let [first, last] = [lines[*found.start()], lines[*found.end()]];
        Ok(Mark(first.block, first.number, last.number))
    }

    /// The line that has this code, if there is one and no more.
    pub(crate) fn with_code(&self, code: &str) -> Option<Mark> {
        let mut found = self
            .lines
            .iter()
            .filter(|line| source::code(&line.text) == code);
        let line = found.next().filter(|_| found.next().is_none())?;
        Some(Mark(line.block, line.number, line.number))
    }
}

/// The lines of an anchor as a page shows them, without those that are anchors, and the anchors that each is in.
pub(crate) fn shown(text: &str, anchor: &str) -> Vec<(Vec<String>, String)> {
    let (mut open, mut lines) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(begun) = line.trim().strip_prefix("// ANCHOR: ") {
            open.push(begun.to_owned());
        } else if let Some(ended) = line.trim().strip_prefix("// ANCHOR_END: ") {
            open.retain(|it| it != ended);
        } else if open.iter().any(|it| it == anchor) {
            lines.push((open.clone(), line.to_owned()));
        }
    }
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
