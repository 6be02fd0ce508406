//! Predictions and questions have folded answers, and those that are figures name the test that asserts them.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    page::{Answer, Block},
    text::read,
};

use super::{UNITS, on};

/// A `*Test:*` line.
pub(super) struct Test {
    line: usize,
    function: String,
    path: String,
}

static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\*Test:\* `(\w+)` in `([^`]+)`\s*\\?\s*$").expect("it is a regex")
});

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
        for test in tests(page) {
            found.extend(fault(book, &test).map(|says| on(page, test.line, says)));
        }
        for (line, _) in (1..).zip(page.text.lines()).filter(|(_, line)| {
            line.trim_start().starts_with("*Test:*") && !TEST.is_match(line.trim_start())
        }) {
            let says = "write the line so: *Test:* `function` in `path/from/the/root.rs`";
            found.push(on(page, line, says));
        }
        if page.chapter {
            found.extend(folded(page));
        }
    }
    found
}

/// The `*Test:*` lines of a page.
pub(super) fn tests(page: &Page) -> Vec<Test> {
    let lines = (1..).zip(page.text.lines());
    lines
        .filter_map(|(line, text)| {
            let found = TEST.captures(text.trim_start())?;
            let (function, path) = (found[1].to_owned(), found[2].to_owned());
            Some(Test {
                line,
                function,
                path,
            })
        })
        .collect()
}

/// The function of a test, as its file has it.
pub(super) fn body(book: &Book, test: &Test) -> Option<String> {
    let text = read(&book.root.join(&test.path)).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let start = find(&lines, &test.function)?;
    let indent = lines[start].len() - lines[start].trim_start().len();
    let end = format!("{}}}", " ".repeat(indent));
    let length = lines[start..].iter().position(|line| *line == end)?;
    Some(lines[start..=start + length].join("\n"))
}

fn find(lines: &[&str], function: &str) -> Option<usize> {
    let name = Regex::new(&format!(r"\bfn {function}\b")).expect("a function's name is no regex");
    lines.iter().position(|line| name.is_match(line))
}

fn fault(book: &Book, test: &Test) -> Option<String> {
    let Test { function, path, .. } = test;
    let Ok(text) = read(&book.root.join(path)) else {
        return Some(format!(
            "`{path}` is not there: name the file of the test, from the root"
        ));
    };
    let lines: Vec<&str> = text.lines().collect();
    let Some(place) = find(&lines, function) else {
        return Some(format!(
            "`{path}` has no `fn {function}`: name the test that asserts this"
        ));
    };
    let mut above = lines[..place].iter().rev();
    let attribute = above
        .by_ref()
        .take_while(|line| !line.is_empty() && !line.ends_with('}'));
    let is_test = attribute.into_iter().any(|line| line.contains("#[test]"));
    (!is_test && !path.starts_with("lab/"))
        .then(|| format!("`fn {function}` in `{path}` is no test: there is no #[test] over it"))
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
