//! How many findings there are of each kind. The page that lists them is the one list, and says below which heading each kind stands.

use super::list::List;
use crate::Project;

/// The one list, from which the first screen takes its number.
const PAGE: &str = "book/src/defects.md";

/// The headings of the page, and what a finding below each of them is.
const KINDS: [(&str, &str); 3] = [
    (
        "Left wrong",
        "A hang, a crash, a leak, a busy core or a wrong answer, in code that the tutorial never fixes",
    ),
    (
        "Raised and fixed there",
        "A mistake that the tutorial itself shows or names, and fixes further on",
    ),
    (
        "Of another kind",
        "A cost, a sentence, or code that doesn't compile or shows nothing",
    ),
];

/// The table at the head of the page.
pub(super) fn list(project: &Project) -> List {
    let page = project.text(PAGE).unwrap_or_default();
    let numbers = KINDS.map(|(heading, _)| below(page, heading));
    let mut table = "\n| findings | how many |\n|---|--:|\n".to_owned();
    for ((heading, what), number) in KINDS.iter().zip(numbers) {
        let id = heading.to_lowercase().replace(' ', "-");
        table += &format!("| [{heading}](#{id}). {what} | {number} |\n");
    }
    table += "\n";
    List {
        file: PAGE,
        name: "findings",
        text: table,
    }
}

/// The number of findings between this heading and the next one of its level. A finding is a row whose first cell has its name.
fn below(page: &str, heading: &str) -> usize {
    let mut sections = page.split("\n## ");
    let section = sections.find(|section| section.starts_with(heading));
    section.map_or(0, |section| section.matches("\n| <b id=\"d").count())
}
