//! Words that this project once used, and what the rest of the Rust world says in their place.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Project,
    page::{Form, Page},
};

const WORDS: [(&str, &str); 11] = [
    ("for ever", "forever"),
    ("in vain", "wasted, for nothing"),
    ("mend(?:s|ed|ing)?", "fix"),
    ("let(?:s|ting)? go", "release, drop"),
    ("news", "an event, data"),
    ("bears?", "tolerate"),
    ("melt(?:s|ed)?", "count as one"),
    ("stands? (?:in|on|at|there)", "is in, is at"),
    ("(?:some(?:body|one)|whom?ever)(?:'s)?", "name the actor"),
    ("the one who", "name the actor"),
    ("to [a-z]+ is to", "a gerund: waking means"),
];

/// One expression for all, with a group for each.
static UNWANTED: LazyLock<Regex> = LazyLock::new(|| {
    let groups = WORDS.map(|(word, _)| format!("({word})")).join("|");
    Regex::new(&format!(r"(?i)\b(?:{groups})\b")).expect("it is a regex")
});

/// Each such word in a text, and what to say.
fn unwanted(text: &str) -> impl Iterator<Item = String> {
    UNWANTED.captures_iter(text).map(|found| {
        let group = (1..found.len()).find(|group| found.get(*group).is_some());
        let better = WORDS[group.expect("one group has matched") - 1].1;
        format!("`{}` is not the voice of this book: {better}", &found[0])
    })
}

/// On a page, outside of code.
pub(super) fn page(page: &Page, found: &mut Vec<String>) {
    for piece in page.pieces.iter().filter(|it| it.form != Form::Code) {
        found.extend(unwanted(&piece.text).map(|says| page.at(piece.line, &says)));
    }
}

/// In the comments of the stages, the lab and the exercises. Words that a line break parts are not found.
pub(super) fn comments(project: &Project, found: &mut Vec<String>) {
    let folders = ["step", "lab/", "exercises/"];
    for (path, text) in folders.iter().flat_map(|it| project.with(it, ".rs")) {
        for (number, line) in (1..).zip(text.lines()) {
            let Some((_, comment)) = line.split_once("//") else {
                continue;
            };
            let prose: String = comment.split('`').step_by(2).collect();
            found.extend(unwanted(&prose).map(|says| format!("{path}:{number}: {says}")));
        }
    }
}
