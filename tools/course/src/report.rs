//! What the book has: words, and Rust blocks with their proofs.

use std::fmt::Write;

use crate::{Book, Page, compiler::ERRORS, include::only};

/// The words of a page: everything but code blocks, includes and HTML.
pub fn words(page: &Page) -> usize {
    let texts = page.blocks.iter().map(|block| block.text());
    texts.map(|text| text.split_whitespace().count()).sum()
}

/// The words of each page, as a table.
pub fn all_words(book: &Book) -> String {
    let mut table = String::new();
    let mut total = 0;
    for page in &book.pages {
        let words = words(page);
        total += words;
        let _ = writeln!(table, "{words:>6}  {}", page.file);
    }
    table + &format!("{total:>6}  words\n")
}

/// The Rust blocks of each page, as a table.
pub fn blocks(book: &Book) -> String {
    let mut table = String::from("blocks  included  must fail  transcripts\n");
    let mut totals = [0; 4];
    for page in &book.pages {
        let count = |is: &dyn Fn(&str, &str) -> bool| {
            let fences = page.fences.iter();
            fences.filter(|it| is(&it.info, &it.body)).count()
        };
        let row = [
            count(&|info, _| info.starts_with("rust")),
            count(&|info, body| info == "rust" && only(body).is_some()),
            count(&|info, body| info.starts_with("rust,compile_fail") && body.contains(ERRORS)),
            count(&|info, _| info == "console"),
        ];
        totals
            .iter_mut()
            .zip(row)
            .for_each(|(total, it)| *total += it);
        table += &line(row, &page.file);
    }
    table + &line(totals, "all")
}

fn line([blocks, included, fail, transcripts]: [usize; 4], page: &str) -> String {
    format!("{blocks:>6}  {included:>8}  {fail:>9}  {transcripts:>11}  {page}\n")
}
