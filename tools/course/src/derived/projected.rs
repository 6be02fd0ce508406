//! What a teacher shows on a wall: of each chapter its prediction, its first picture, its command and its first question.

use super::WRITE;
use crate::Project;

pub(super) const PAGE: &str = "book/src/to-project.md";

/// The page, a screen for each chapter. The answers are in the chapters.
pub(super) fn page(project: &Project) -> String {
    let mut page = format!(
        "# To project\n\n<!-- Written by `{WRITE}`. -->\n\n\
         A screen for each chapter: its prediction, its first picture, the command that it runs, and a question for the board. The answers are in the chapters. *Full screen* below a picture shows it by itself, here as in each chapter.\n"
    );
    for stage in &project.stages {
        let (number, chapter) = (stage.number(), stage.chapter_file());
        let text = project.text(&stage.chapter()).unwrap_or_default();
        let part = |from: &str, to: &str| {
            let rest = text.split_once(from)?.1;
            Some(rest.split_once(to)?.0.trim().to_owned())
        };
        let title = text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("# ");
        let prediction = part("\n## Predict\n", "\n<details>").unwrap_or_default();
        let question = part("\n### Questions\n\n1. ", "\n\n").unwrap_or_default();
        let pictures = text
            .match_indices("{{#include pictures/")
            .map(|(at, _)| &text[at..]);
        let picture = pictures
            .filter_map(|rest| rest.lines().next())
            .nth(1)
            .unwrap_or_default();
        page += &format!(
            "\n<div class=\"project\">\n\n## {number}: {title}\n\n{prediction}\n\n```sh\ncargo step{number}\n```\n\n\
             <details><summary>Afterwards, the picture</summary>\n\n{picture}\n\n</details>\n\n*For the board:* {question} ([answers]({chapter}))\n\n</div>\n"
        );
    }
    page
}
