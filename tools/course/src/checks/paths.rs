//! What looks like a file of the project, and stands in backticks, is there.

use std::sync::LazyLock;

use regex::Regex;

use crate::{Book, Complaint};

use super::on;

static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(?:step\d\d-[\w-]*|lab|exercises|book|\.ci)/[\w./-]*)$")
        .expect("it is a regex")
});

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        let pieces = page.blocks.iter().flat_map(|block| &block.pieces);
        for piece in pieces.filter(|it| it.code && PATH.is_match(&it.text)) {
            let path = piece.text.trim_end_matches('/');
            // What mdBook builds is not in the repository.
            if !path.starts_with("book/book") && !book.root.join(path).exists() {
                let says = format!("`{}` is not there: mend the path", piece.text);
                found.push(on(page, piece.line, says));
            }
        }
    }
    found
}
