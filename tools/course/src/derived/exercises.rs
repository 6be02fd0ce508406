//! What follows from the catalogue of exercises: the tables and hints of the chapters, and rustlings' list.

use kit::markdown;
use textwrap::WordSplitter;

use super::WRITE;
use crate::{Project, Stage, project::Exercise};

/// What each step of a hint gives away.
const STEPS: [&str; 3] = ["the direction", "the place", "the shape of the answer"];
/// Rustlings prints a hint as it is, and a terminal breaks lines in the middle of words.
const WIDTH: usize = 100;

/// What a chapter shows: a table, and below it the hints.
pub(super) fn table(project: &Project, stage: &Stage) -> String {
    let rows = project.exercises_of(stage).map(|it| {
        let name = format!("`{}`", it.name);
        [
            name,
            it.title.clone(),
            it.head.kind.clone(),
            it.head.minutes.to_string(),
        ]
    });
    let table = markdown::table(&["exercise", "title", "kind", "minutes:"], rows);
    let hints: String = project.exercises_of(stage).map(folded).collect();
    format!(
        "<!-- Written by `{WRITE}`. -->\n\n{table}\n\
         Each exercise has a hint in three steps. After each step, go back to the code, and open the next one only if you \
         are still stuck.\n{hints}"
    )
}

/// The steps of a hint, each folded up inside the one before.
fn folded(exercise: &Exercise) -> String {
    let short = exercise.name.split('_').next().unwrap_or_default();
    let steps = (1..).zip(STEPS).zip(&exercise.hints);
    let steps: String = steps
        .map(|((step, gives), hint)| {
            let summary = match step {
                1 => format!("Hint for <code>{}</code>, step 1: {gives}", exercise.name),
                _ => format!("<code>{short}</code>, step {step}: {gives}"),
            };
            format!("\n<details>\n<summary>{summary}</summary>\n\n{hint}\n")
        })
        .collect();
    steps + "\n" + &"</details>\n".repeat(exercise.hints.len().min(STEPS.len()))
}

/// The exercises as rustlings lists them. Its hint is the first step alone, because rustlings shows a hint all at once.
pub(super) fn list(project: &Project) -> String {
    let list = project.stages.iter().flat_map(|stage| {
        let folder = stage.name.trim_start_matches("step").replace('-', "_");
        let number = stage.number();
        project.exercises_of(stage).map(move |exercise| {
            let first = exercise.hints.first().map_or("", String::as_str);
            let more = format!(
                "Still stuck? Step 2 names the place, step 3 the shape of the answer. Both are folded up below the \
                 exercises of chapter {number} in the book. Without the book, open chapters/{number}.md."
            );
            let hint = format!("{}\n\n{}", wrapped(first), wrapped(&more));
            // The two things that end or change a TOML string of several lines.
            let hint = hint.replace('\\', r"\\").replace("\"\"\"", r#"\"\"\""#);
            let name = &exercise.name;
            format!("\n[[exercises]]\nname = \"{name}\"\ndir = \"{folder}\"\nhint = \"\"\"\n{hint}\"\"\"\n")
        })
    });
    list.collect::<String>() + "\n"
}

/// The text with its lines broken between words.
fn wrapped(text: &str) -> String {
    let options = textwrap::Options::new(WIDTH);
    textwrap::fill(text, options.word_splitter(WordSplitter::NoHyphenation))
}
