//! Predictions and questions have folded answers, and those that are figures name the test that asserts them.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    page::{Answer, Block},
};

use super::{UNITS, on};

static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    let words = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a hundred|a thousand";
    Regex::new(&format!(r"(?i)\d|\b(?:{words})\s(?:{UNITS})s?\b")).expect("it is a regex")
});

static QUESTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d+\. ").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        for answer in &page.answers {
            found.extend(answered(page, answer));
        }
        if page.chapter {
            found.extend(folded(page));
        }
    }
    found
}

fn answered(page: &Page, answer: &Answer) -> Option<Complaint> {
    let is_test = |block: &&Block| block.text().trim_start().starts_with("Test:");
    let figure = answer
        .blocks
        .iter()
        .filter(|it| !is_test(it))
        .find_map(|block| {
            let (prose, line) = block.prose();
            let found = FIGURE.find(&prose)?;
            Some((line(found.start()), found.as_str().to_owned()))
        });
    let (line, figure) = figure?;
    let ends = answer.blocks.last().is_some_and(|last| is_test(&last));
    (!ends).then(|| {
        let says = format!(
            "this answer has a figure (`{figure}`): end it with a line *Test:* `function` in `path`"
        );
        on(page, line, says)
    })
}

fn folded(page: &Page) -> Vec<Complaint> {
    let mut found = Vec::new();
    let inside = |from: usize, to: usize| {
        let answers = page.answers.iter();
        answers.filter(|it| from <= it.line && it.line < to).count()
    };
    if let Some(predict) = page
        .section(2, "Predict")
        .filter(|it| inside(it.start, it.end) == 0)
    {
        let says = "no folded answer below `## Predict`: add <details><summary>Answer</summary> … </details>";
        found.push(on(page, predict.start, says));
    }
    let Some(questions) = page.section(3, "Questions") else {
        return found;
    };
    let lines = (1..).zip(page.text.lines());
    let mut starts: Vec<usize> = lines
        .filter(|(line, text)| questions.contains(line) && QUESTION.is_match(text))
        .map(|(line, _)| line)
        .filter(|line| {
            !page
                .answers
                .iter()
                .any(|it| it.line < *line && *line < it.end)
        })
        .collect();
    if starts.is_empty() {
        let says = "no question below: begin each with `1. ` at the beginning of a line";
        found.push(on(page, questions.start, says));
    }
    starts.push(questions.end);
    for pair in starts.windows(2) {
        let count = inside(pair[0], pair[1]);
        if count != 1 {
            let says = format!("this question has {count} folded answers: give it one");
            found.push(on(page, pair[0], says));
        }
    }
    found
}
