//! The form of a chapter, the tests that it names, its words, its pictures.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use crate::{
    Project,
    derived::MINUTES,
    links::{GLOSSARY, bare},
    page::{Form, Page},
};

/// The sections of a chapter, in this order.
const SECTIONS: [&str; 11] = [
    "Before and after",
    "Predict",
    "Build",
    "Run",
    "See",
    "Bugs in the wild",
    "What it costs",
    "Exercises and questions",
    "In the real world",
    "From the documents",
    "The whole stage",
];

/// The title, the minutes, the sections, and a folded answer to each question.
pub fn chapter(page: &Page, title: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |right: bool, says: String| {
        if !right {
            found.push(page.at(1, &says));
        }
    };
    check(
        page.text.starts_with(&format!("# {title}\n")),
        format!("begin with `# {title}`, as the metadata of the stage says"),
    );
    check(
        MINUTES.is_match(&page.text),
        "add a line `Minutes: 30 to read, 10 to run, 0 for the exercises.`".to_owned(),
    );
    let headings = page.of(Form::Heading(2)).map(|it| it.text.as_str());
    let headings: Vec<&str> = headings.filter(|it| SECTIONS.contains(it)).collect();
    for section in SECTIONS {
        check(
            headings.contains(&section),
            format!("add the section `## {section}`"),
        );
    }
    check(
        headings.len() < SECTIONS.len() || headings == SECTIONS,
        format!(
            "bring the sections into their order, each once: {}",
            SECTIONS.join(", ")
        ),
    );
    let answers = |text: &str| text.matches("<details>").count();
    let predict = page.below("Predict").is_none_or(|it| answers(it) > 0);
    check(predict, "add a folded answer to `## Predict`".to_owned());
    let last = page.below("Exercises and questions").unwrap_or_default();
    let (_, questions) = last.split_once("### Questions\n").unwrap_or_default();
    check(
        !questions.is_empty(),
        "add questions below `### Questions`, in `## Exercises and questions`".to_owned(),
    );
    for asked in questions.split("</details>") {
        let numbers = asked.lines().filter(|it| QUESTION.is_match(it));
        let (numbers, answers) = (numbers.count(), answers(asked));
        check(
            numbers == answers && answers < 2,
            "give each of the questions, `1. …`, one folded answer after it".to_owned(),
        );
    }
    found
}

static QUESTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d+\. ").expect("it is a regex"));

static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\*Test:\* `(\w+)` in `([^`]+)`( {2}|\\)?$").expect("it is a regex")
});

static FIGURE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[1-9][\d,]*\b").expect("it is a regex"));

/// Each `*Test:*` line names a function that is there, and an answer with a figure has such a line.
pub(super) fn tests(project: &Project, page: &Page, found: &mut Vec<String>) {
    let (mut answer, mut figure, mut proved) = (0, false, false);
    for (line, text) in page.lines() {
        if text.starts_with("<details") {
            (answer, figure, proved) = (line, false, false);
        } else if text.starts_with("</details") {
            if figure && !proved {
                found.push(page.at(
                    answer,
                    "this answer has a figure: name its test, ``*Test:* `name` in `path` ``",
                ));
            }
            answer = 0;
        } else if text.starts_with("*Test:*") {
            proved = true;
            let named = TEST.captures(text);
            let there = named.as_ref().is_some_and(|it| {
                project
                    .text(&it[2])
                    .is_some_and(|file| file.contains(&format!("fn {}(", &it[1])))
            });
            if !there {
                found.push(page.at(line, "there is no such test: write ``*Test:* `name` in `path` ``, with a function of that file"));
            }
        } else if answer > 0 {
            let prose: String = text.split('`').step_by(2).collect();
            figure |= FIGURE.is_match(&prose);
        }
    }
}

static UNWANTED: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"(?i)\b(?:simply|just|obviously|of course|easy|easily)\b|!|[\x{1F000}-\x{1FAFF}\x{2600}-\x{27BF}\x{FE0F}]";
    Regex::new(words).expect("it is a regex")
});

/// No words that hurry or praise, and no marks that shout.
pub(super) fn style(page: &Page, found: &mut Vec<String>) {
    for piece in page.pieces.iter().filter(|it| it.form != Form::Code) {
        for word in UNWANTED.find_iter(&piece.text) {
            found.push(page.at(
                piece.line,
                &format!(
                    "`{}` is not the voice of this book: say it without",
                    word.as_str()
                ),
            ));
        }
    }
}

static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"<span lang="(?:zh|ja)">[^<]*</span>|([\p{Han}\p{Hiragana}\p{Katakana}]+)"#)
        .expect("it is a regex")
});

/// Chinese and Japanese words say which they are: the letters are partly the same, but look and sound different.
pub(super) fn languages(page: &Page, found: &mut Vec<String>) {
    for (line, text) in page.lines().filter(|it| !it.1.is_ascii()) {
        for word in FOREIGN.captures_iter(text).filter_map(|it| it.get(1)) {
            let word = word.as_str();
            found.push(page.at(
                line,
                &format!("`{word}` needs its language: <span lang=\"ja\">{word}</span>, or zh"),
            ));
        }
    }
}

/// Bold is for a term where the book first uses it, and each is in the glossary.
pub(super) fn terms(book: &[&Page], found: &mut Vec<String>) {
    let Some(glossary) = book.iter().find(|page| page.path == GLOSSARY) else {
        return;
    };
    let entries: BTreeSet<String> = glossary.of(Form::Term).map(|it| bare(&it.text)).collect();
    let mut seen = BTreeSet::new();
    for page in book {
        for term in page.of(Form::Bold) {
            let says = match bare(&term.text) {
                it if !entries.contains(&it) => "is not in the glossary: add it, or use *italics*",
                it if !seen.insert(it.clone()) => {
                    "was bold before: bold is for the first time only"
                }
                _ => continue,
            };
            found.push(page.at(term.line, &format!("**{}** {says}", term.text)));
        }
    }
    for term in glossary.of(Form::Term) {
        if !seen.contains(&bare(&term.text)) {
            found.push(glossary.at(
                term.line,
                &format!(
                    "no page has **{}** in bold: make it so where it is explained",
                    term.text
                ),
            ));
        }
    }
}

/// `book/numbers.toml`: what a page says, and what stands in the file that proves it.
pub(super) fn numbers(project: &Project, found: &mut Vec<String>) {
    const FILE: &str = "book/numbers.toml";
    let numbers: toml::Table = match project.text(FILE).unwrap_or_default().parse() {
        Ok(numbers) => numbers,
        Err(error) => return found.push(format!("{FILE}: {error}")),
    };
    for number in numbers
        .get("number")
        .and_then(toml::Value::as_array)
        .into_iter()
        .flatten()
    {
        let get = |key| {
            number
                .get(key)
                .and_then(toml::Value::as_str)
                .unwrap_or_default()
        };
        let page = format!("book/src/{}", get("page"));
        for (file, text) in [(page.as_str(), get("text")), (get("source"), get("says"))] {
            if text.is_empty() || !project.text(file).is_some_and(|it| says(it, text)) {
                found.push(format!(
                    "{FILE}: {file} does not say `{text}`: correct the file or the entry"
                ));
            }
        }
    }
}

/// Whether the file has this text where it is not a part of a longer number, such as 10 in 1,000.
fn says(file: &str, text: &str) -> bool {
    let (marks, digit) = ([',', '_', '.'], |c: char| c.is_ascii_digit());
    file.match_indices(text).any(|(start, _)| {
        let (before, after) = (&file[..start], &file[start + text.len()..]);
        !before.trim_end_matches(marks).ends_with(digit)
            && !after.trim_start_matches(marks).starts_with(digit)
    })
}

/// A picture can be read by those who do not see it, and Markdown does not cut it.
pub(super) fn pictures(project: &Project, found: &mut Vec<String>) {
    for (path, text) in project.with("book/src/pictures/", ".svg") {
        let svg = text.find("<svg").map_or("", |place| &text[place..]);
        let (tag, rest) = svg.split_once('>').unwrap_or_default();
        let title = rest.trim_start().strip_prefix("<title");
        for (right, says) in [
            (
                tag.contains("role=\"img\"") && tag.contains("viewBox=\""),
                "give the <svg> role=\"img\" and a viewBox",
            ),
            (
                title.is_some_and(|it| !it.contains("></title>")),
                "begin the <svg> with its <title>, the alternative text",
            ),
            (
                text.starts_with("<figure"),
                "begin with <figure>: it becomes part of a page",
            ),
            (
                !text.trim_end().contains("\n\n"),
                "take the empty line out, which would end the picture in Markdown",
            ),
        ] {
            if !right {
                found.push(format!("{path}: {says}"));
            }
        }
    }
}
