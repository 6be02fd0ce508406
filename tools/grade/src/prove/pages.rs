//! The pages that are written from the catalogue, and from what the runs have shown.

use super::{Finding, Proof, screen::lines_with};
use crate::{Exercise, Set, table::aligned};

const WRONG_ANSWERS: &str = "class/wrong-answers.md";
const COMMAND: &str = "run `cargo run -p grade --bin prove -- --write`";
const HEAD: &str = "<!-- Written by `cargo run -p grade --bin prove -- --write`. -->\n\n";
const FENCE: &str = "```text\n";

/// A page, and what should stand in it.
#[derive(Clone, Debug)]
pub struct Page {
    /// From the folder of the set.
    pub file: String,
    /// The whole of it.
    pub text: String,
}

/// All pages. Without a proof, what a screen shows is taken from the page as it stands.
pub fn pages(set: &Set, proof: Option<&Proof>) -> Vec<Page> {
    let page = |file: &str, text: String| Page {
        file: file.to_owned(),
        text: HEAD.to_owned() + &text,
    };
    vec![
        page("class/table.md", table(set)),
        page(WRONG_ANSWERS, wrong_answers(set, proof)),
    ]
}

/// Whether a page needs no run to be written.
pub fn written_without_a_run(page: &Page) -> bool {
    page.file != WRONG_ANSWERS
}

/// The pages that say something else than they should. Of a screen only the promised text is compared: what stands
/// beside it may be a time, or the test that happened to fail first.
pub fn stale(set: &Set, pages: &[Page]) -> Vec<Finding> {
    let is_stale = |page: &&Page| {
        let Ok(there) = set.read(&page.file) else {
            return true;
        };
        without_screens(&there) != without_screens(&page.text)
            || page.file == WRONG_ANSWERS && !shows_what_is_promised(set, &there)
    };
    let stale = pages.iter().filter(is_stale);
    stale
        .map(|page| Finding::new(&page.file, "it is not what the set says now", COMMAND))
        .collect()
}

fn shows_what_is_promised(set: &Set, page: &str) -> bool {
    let promised = set.exercises.iter().flat_map(|exercise| &exercise.wrong);
    screens(page)
        .zip(promised)
        .all(|(screen, wrong)| lines_with(screen, &wrong.sees).is_some())
}

fn screens(page: &str) -> impl Iterator<Item = &str> {
    let after = page.split(FENCE).skip(1);
    after.map(|part| part.split("```").next().unwrap_or_default())
}

fn without_screens(page: &str) -> String {
    let mut parts = page.split(FENCE);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_screen, after) = part.split_once("```").unwrap_or(("", part));
        rest += FENCE;
        rest += after;
    }
    rest
}

fn table(set: &Set) -> String {
    let rows = set.exercises.iter().map(|exercise| {
        vec![
            format!("`{}`", exercise.name),
            exercise.kind.to_string(),
            exercise.minutes.to_string(),
            exercise.points.to_string(),
            exercise
                .red
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            exercise.wrong.len().to_string(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let head = [
        "exercise",
        "kind",
        "minutes",
        "points",
        "the starter shows",
        "wrong answers tried",
    ];
    let sum = |of: fn(&Exercise) -> usize| set.exercises.iter().map(of).sum::<usize>();
    format!(
        "{}\n{} exercises, {} minutes, {} points, {} wrong answers.\n",
        aligned(&head, &rows),
        rows.len(),
        sum(|exercise| exercise.minutes as usize),
        sum(|exercise| exercise.points as usize),
        sum(|exercise| exercise.wrong.len()),
    )
}

fn wrong_answers(set: &Set, proof: Option<&Proof>) -> String {
    let mut page = String::new();
    let mut stage = 0;
    for exercise in &set.exercises {
        if exercise.stage != stage {
            stage = exercise.stage;
            page += &format!("## Chapter {stage:02}\n\n");
        }
        page += &format!(
            "### `{}`: {}\n\n{}\n\n",
            exercise.name, exercise.title, exercise.idea
        );
        for wrong in &exercise.wrong {
            let screen = proof.and_then(|proof| proof.screen(&exercise.name, &wrong.slip));
            let file = Set::wrong(&exercise.name, &wrong.slip);
            page += &format!(
                "*The learner thinks:* {}\n\n```rust\n{{{{#include ../../exercises/{file}:slip}}}}\n```\n\n\
                 *The screen shows:*\n\n{FENCE}{}\n```\n\n*You say:* {}\n\n",
                wrong.thinks,
                screen.unwrap_or(&wrong.sees),
                wrong.say,
            );
        }
    }
    page.trim_end().to_owned() + "\n"
}

/// What to say of a page that waits for a run without findings.
pub fn not_written(page: &Page) -> Finding {
    let mend = "mend what is found, and write again without `--no-run`";
    Finding::new(
        &page.file,
        "it was not written: not all of it has been seen in a run",
        mend,
    )
}
