//! What a stage lacks. A stage is added by adding its folder; this says what else there must be. What can be derived is not
//! named here: [`derived`](crate::derived) writes it.

use crate::{Metadata, Project, Stage, exercise::LIST};

/// What this stage lacks and does not excuse, each with what to do.
pub fn missing(project: &Project, stage: &Stage) -> Vec<String> {
    let none = Metadata::default();
    let metadata = stage.metadata.as_ref().unwrap_or(&none);
    let (name, number, chapter) = (&stage.name, stage.number(), stage.chapter());
    let has = |path: &str| project.text(&format!("{name}/{path}")).is_some();
    let doc = project.text(&format!("{name}/src/lib.rs"));
    let doc = doc.unwrap_or_default();
    let mut documents = metadata.documents.iter();
    let page = project.text(&chapter).unwrap_or_default();
    let at = format!("<div class=\"at-{number}\">");
    let picture = format!("{{{{#include pictures/run-{number}-");
    let whole = format!("{{{{#include whole/{number}.md}}}}");
    let (exercises, minutes) = (format!("{LIST}:s{number}}}}}"), "\nMinutes: ");
    let parts = [
        (
            "metadata",
            stage.metadata.is_ok(),
            format!("write `[package.metadata.stage]` in its Cargo.toml with title, idea, shows, lacks and documents{}",
                stage.metadata.as_ref().err().map_or(String::new(), |why| format!(": {why}"))),
        ),
        (
            "crate doc",
            doc.starts_with(&format!("//! # Stage {number}")) && documents.all(|it| doc.contains(it.as_str())),
            format!("begin src/lib.rs with `//! # Stage {number}: …`: the idea, the order of reading, the documents by number"),
        ),
        (
            "demo",
            has("src/main.rs"),
            "write src/main.rs, which prints the figures that make the point".to_owned(),
        ),
        (
            "transcript",
            has("tests/transcript.txt"),
            format!("write tests/transcript.rs as step04 has it, then tests/transcript.txt with its first line alone, and add the rest by `SNAPSHOTS=overwrite cargo test -p {name} --test it transcript`"),
        ),
        (
            "contract",
            has("tests/contract/main.rs"),
            "write tests/contract/main.rs and adapter.rs as step04 has them, and name the clauses that it does not keep yet".to_owned(),
        ),
        (
            "loom",
            has("tests/loom.rs") || has("tests/loom/main.rs"),
            "write tests/loom.rs: the models of what two threads share".to_owned(),
        ),
        (
            "chapter",
            page.contains(minutes) && page.contains(&whole) && page.contains("tests/transcript.txt}}"),
            format!("write {chapter}, with a line `Minutes: 30 to read, 10 to run, 0 for the exercises.`, the transcript, and {whole} at its end"),
        ),
        (
            "machine",
            page.contains(&at) && project.text(MAP).is_some_and(|it| it.contains(&format!("\"in-{number}"))),
            format!("add a group and an entry of its number to {MAP}, and include that in the chapter, below a line `{at}`"),
        ),
        (
            "picture",
            page.contains(&picture),
            format!("record a run of it in tests/recording.rs, as step06 does, and include book/src/pictures/run-{number}-….svg in the chapter"),
        ),
        (
            "exercises",
            project.exercises_of(stage).next().is_some() && page.contains(&exercises),
            format!("write them in exercises/exercises/{number}_…, list them in {LIST} between the lines `ANCHOR: s{number}` and `ANCHOR_END: s{number}`, and include that in the chapter as the others do"),
        ),
    ];
    let parts = parts.into_iter();
    let lacking = parts.filter(|(word, there, _)| !there && !metadata.without.contains_key(*word));
    lacking
        .map(|(word, _, todo)| format!("{name}: {word}: {todo}"))
        .collect()
}

/// The drawing of the machine, in which a group says with `class="in-04 in-07"` which chapters have it, and that the first one builds it.
const MAP: &str = "book/src/pictures/map.svg";
