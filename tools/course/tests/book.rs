//! The book itself, as it lies here.

use std::env;

use course::{Book, Complaint, compiler, complaints, programs, skipped};

fn none(found: Vec<Complaint>) {
    let lines: Vec<String> = found.iter().map(Complaint::to_string).collect();
    assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
}

fn book() -> Book {
    Book::here().expect("the book can be read")
}

#[test]
fn nothing_drifts() {
    let book = book();
    skipped(&book).iter().for_each(|it| println!("{it}"));
    none(complaints(&book));
}

#[test]
fn the_programs_print_what_the_pages_show() {
    none(programs::complaints(&book()));
}

/// `BOOK_ERRORS=overwrite` writes them again.
#[test]
fn the_compiler_says_what_the_pages_show() {
    let root = book().root;
    if env::var("BOOK_ERRORS").is_ok_and(|it| it == "overwrite") {
        compiler::overwrite(&root).expect("rustc runs, and the messages can be written");
    }
    none(compiler::complaints(&root).expect("rustc runs"));
}
