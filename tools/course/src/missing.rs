//! What a stage lacks. A stage is added by adding its folder; this says what else there must be.

use crate::{Metadata, Project, Stage};

/// What this stage lacks and does not excuse, by the words that `README.md` beside this crate explains.
pub fn missing(project: &Project, stage: &Stage) -> Vec<String> {
    let none = Metadata::default();
    let metadata = stage.metadata.as_ref().unwrap_or(&none);
    let (name, number) = (&stage.name, stage.number());
    let text = |path: &str| project.text(path).unwrap_or_default();
    let has = |path: &str| project.text(&format!("{name}/{path}")).is_some();
    let page = text(&stage.chapter());
    let doc = text(&format!("{name}/src/lib.rs"));
    let head = format!("//! # Stage {number}");
    let is_chapter =
        page.contains("\n| Minutes to read |") && page.contains("tests/transcript.txt}}");
    // In the drawing, a group says with `class="in-04 in-07"` which chapters have it, and that the first one builds it.
    let is_drawn = text("book/src/pictures/map.svg").contains(&format!("\"in-{number}"));
    let is_machine = is_drawn && page.contains(&format!("<div class=\"at-{number}\">"));
    let picture = format!("#include pictures/run-{number}-");
    let exercises = format!("#include exercises/{number}.md}}}}");
    let has_exercises = project.exercises_of(stage).next().is_some();
    let parts = [
        ("crate doc", doc.starts_with(&head)),
        ("demo", has("src/main.rs")),
        ("transcript", has("tests/transcript.txt")),
        ("contract", has("tests/contract/main.rs")),
        ("loom", has("tests/loom.rs") || has("tests/loom/main.rs")),
        ("chapter", is_chapter),
        ("machine", is_machine),
        ("picture", page.contains(&picture)),
        ("exercises", has_exercises && page.contains(&exercises)),
    ];
    let how = "tools/course/README.md says how it is made";
    let mut found = Vec::new();
    if let Err(why) = &stage.metadata {
        found.push(format!("{name}: metadata: {why}: {how}"));
    }
    for (word, is_there) in parts {
        if !is_there && !metadata.without.contains_key(word) {
            found.push(format!("{name}: {word}: missing, or not whole: {how}"));
        }
    }
    found
}
