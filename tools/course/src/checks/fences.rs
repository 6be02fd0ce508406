//! No code is pasted: each fence is an include, or something that a test proves.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    compiler::{self, ERRORS},
    include::{Directive, only},
    page::Fence,
    text::{clean, read, shown},
};

use super::on;

static FAILS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^rust,compile_fail,(E\d{4})$").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let pages = book.pages.iter();
    pages.flat_map(|page| check_page(book, page)).collect()
}

fn check_page(book: &Book, page: &Page) -> Vec<Complaint> {
    let mut found = Vec::new();
    for (place, fence) in page.fences.iter().enumerate() {
        let says = match fence.info.as_str() {
            "rust" => rust(book, fence),
            "text" => text(book, fence),
            "toml" if only(&fence.body).is_none() => Some(PASTED.to_owned()),
            "toml" | "sh" | "text,drawing" => None,
            "console" => console(book, fence),
            "" => Some("code that is only indented, or a fence that does not say of what: give it a language".into()),
            info if FAILS.is_match(info) => fails(book, fence, page.fences.get(place + 1)),
            info if info.starts_with("rust") => Some(format!(
                "`{info}`: a Rust block is `rust`, or `rust,compile_fail,E0000` for a program in {ERRORS}"
            )),
            info => Some(format!("`{info}` is no fence of this book: see tools/course/README.md")),
        };
        found.extend(says.map(|says| on(page, fence.line, says)));
    }
    found
}

const PASTED: &str =
    "this is pasted: make the whole block one {{#include FILE}} or {{#include FILE:ANCHOR}}";

fn file(book: &Book, directive: &Directive) -> String {
    shown(&book.root, &clean(&book.src().join(&directive.file)))
}

fn rust(book: &Book, fence: &Fence) -> Option<String> {
    let Some(directive) = only(&fence.body) else {
        return Some(PASTED.to_owned());
    };
    let path = file(book, &directive);
    let full = book.root.join(&path);
    if path.starts_with(ERRORS) {
        return Some("a program that does not compile: say `rust,compile_fail,E0000`".to_owned());
    }
    let right = full.is_file()
        && path.ends_with(".rs")
        && (path.starts_with("exercises/") || book.targets().compiles(&full));
    (!right && full.is_file()).then(|| {
        format!("`{path}` is compiled by no package of the workspace: include code that CI builds")
    })
}

fn fails(book: &Book, fence: &Fence, next: Option<&Fence>) -> Option<String> {
    let code = FAILS.captures(&fence.info).map(|it| it[1].to_owned())?;
    let Some(directive) = only(&fence.body).filter(|it| it.part.is_none()) else {
        return Some(format!(
            "make the whole block one {{{{#include ../../{ERRORS}/NAME.rs}}}}"
        ));
    };
    let path = file(book, &directive);
    let Some(stem) = path.strip_suffix(".rs").filter(|it| it.starts_with(ERRORS)) else {
        return Some(format!(
            "`{path}`: programs that do not compile are in {ERRORS}"
        ));
    };
    let message = format!("{stem}.stderr");
    let shows = next
        .and_then(|next| only(&next.body))
        .map(|it| file(book, &it));
    if shows.as_deref() != Some(&message) {
        return Some(format!(
            "the next block must be the message: {{{{#include ../../{message}}}}}"
        ));
    }
    let real = read(&book.root.join(&message)).ok();
    let real = real.as_deref().and_then(compiler::code);
    (real != Some(&code)).then(|| {
        let real = real.unwrap_or("none");
        format!("the block says {code}, and the code in {message} is {real}: say that")
    })
}

fn text(book: &Book, fence: &Fence) -> Option<String> {
    let Some(directive) = only(&fence.body) else {
        return Some(format!(
            "{PASTED}; a drawing in characters is `text,drawing`"
        ));
    };
    let path = file(book, &directive);
    (path.starts_with(ERRORS) && directive.part.is_some())
        .then(|| "show the compiler's message whole: no anchor".to_owned())
}

fn console(book: &Book, fence: &Fence) -> Option<String> {
    if let Some(directive) = only(&fence.body) {
        let path = file(book, &directive);
        let text = read(&book.root.join(&path)).unwrap_or_default();
        let name = path
            .strip_prefix("lab/museum/seen/")?
            .strip_suffix(".txt")?;
        let command = format!("$ cargo run -p museum -- {name}");
        return (text.lines().next() != Some(&command))
            .then(|| format!("`{path}` must begin with `{command}`: make it again"));
    }
    (!fence.body.starts_with("$ ")).then(|| {
        "what a program prints begins with its command: `$ cargo run -p …`; commands alone are `sh`".to_owned()
    })
}
