//! Words that hurry or praise, and marks that shout.

use std::sync::LazyLock;

use regex::Regex;

use crate::{Book, Complaint};

use super::on;

static UNWANTED: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"(?i)\b(?:simply|just|obviously|of course|easy|easily)\b|!|[\x{1F000}-\x{1FAFF}\x{2600}-\x{27BF}\x{FE0F}]";
    Regex::new(words).expect("it is a regex")
});

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        for block in &page.blocks {
            let (prose, line) = block.prose();
            found.extend(UNWANTED.find_iter(&prose).map(|it| {
                let says = format!("`{}` is not this book's style: say it without", it.as_str());
                on(page, line(it.start()), says)
            }));
        }
    }
    found
}
