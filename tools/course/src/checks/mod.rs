//! The rules, one to a file.

mod answers;
mod chapter;
mod commands;
mod course;
mod crates;
mod cuttings;
mod defects;
mod fences;
mod includes;
mod links;
mod names;
mod numbers;
mod paths;
mod pictures;
mod proofs;
mod style;
mod summary;
mod terms;
mod tests;
mod values;

pub use crates::skipped;

use crate::{Book, Complaint};

/// Everything that is wrong with the book and can be seen without running a program, in the order of files and lines.
pub fn complaints(book: &Book) -> Vec<Complaint> {
    let checks = [
        summary::check,
        fences::check,
        includes::check,
        commands::check,
        numbers::check,
        answers::check,
        tests::check,
        values::check,
        links::check,
        paths::check,
        names::check,
        crates::check,
        defects::check,
        pictures::check,
        terms::check,
        chapter::check,
        cuttings::check,
        course::check,
        style::check,
    ];
    let mut all: Vec<Complaint> = checks.iter().flat_map(|check| check(book)).collect();
    all.sort();
    all.dedup();
    all
}

/// The words after a number by which it is known as a figure, without their plural's `s`.
const UNITS: &str = "poll|look|wake|wake-up|waker|thread|socket|timer|task|future|time|allocation|byte|entry|entrie|send|clone|event|lock|second";

/// Turns what was found on a page into a complaint about it.
fn on(page: &crate::Page, line: usize, says: impl Into<String>) -> Complaint {
    Complaint::new(&page.path(), line, says)
}
