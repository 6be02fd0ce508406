//! What a stage lacks. A stage is added by adding its folder; this says what else there must be.

use crate::{
    Metadata, Project, Stage,
    derived::{WRITE, table},
    machine,
    page::Page,
    pages,
    project::CATALOGUE,
    whole,
};

/// A thing that a stage has or lacks: its name, by which the metadata's `without` excuses it, whether it is there, and what
/// to do if not.
type Part = (&'static str, bool, String);

/// What this stage lacks and does not excuse, each with what to do.
pub fn missing(project: &Project, stage: &Stage) -> Vec<String> {
    let manifest = format!("{}/Cargo.toml", stage.name);
    let none = Metadata::default();
    let metadata = stage.metadata.as_ref().unwrap_or(&none);
    let mut found = Vec::new();
    if let Err(why) = &stage.metadata {
        found.push(format!(
            "{manifest}: metadata: {why}: write `[package.metadata.stage]` with title, idea, shows, lacks and documents"
        ));
    }
    let parts = parts(project, stage, metadata);
    for (word, there, todo) in &parts {
        match (there, metadata.without.contains_key(*word)) {
            (false, false) => found.push(format!("{}: {word}: {todo}", stage.name)),
            (true, true) => found.push(format!(
                "{manifest}: `{word}` is there by now: take it out of `without`"
            )),
            _ => {}
        }
    }
    for (word, why) in &metadata.without {
        if why.trim().is_empty() {
            found.push(format!(
                "{manifest}: `without.{word}` has no reason: say why"
            ));
        }
        if !parts.iter().any(|part| part.0 == word) {
            let words: Vec<_> = parts.iter().map(|part| part.0).collect();
            let words = words.join(", ");
            found.push(format!(
                "{manifest}: nothing is called `{word}`: one of {words}"
            ));
        }
    }
    if let (Some(text), Ok(metadata)) = (project.text(&stage.chapter()), &stage.metadata) {
        let page = Page::new(&stage.chapter(), text);
        found.extend(pages::chapter(&page, &metadata.title));
    }
    found
}

fn parts(project: &Project, stage: &Stage, metadata: &Metadata) -> Vec<Part> {
    let (name, number) = (&stage.name, stage.number());
    let there = |path: String| project.text(&path).is_some();
    let in_stage = |path: &str| there(format!("{name}/{path}"));
    let says = |path: &str, what: &str| project.text(path).is_some_and(|it| it.contains(what));
    let some = |start: &str, end: &str| project.with(start, end).next().is_some();
    let shown = |what: &str| says(&stage.chapter(), what);
    let part = |word, there, todo: &str| (word, there, todo.to_owned());

    let (lib, main) = (format!("{name}/src/lib.rs"), format!("{name}/src/main.rs"));
    let doc = project
        .text(&lib)
        .or(project.text(&main))
        .unwrap_or_default();
    let mut documents = metadata.documents.iter();
    let documented = documents.all(|it| doc.contains(it.as_str()));
    let transcript = format!("{name}/tests/transcript.txt");
    let run = format!("$ cargo run -p {name}\n");
    let printed = project
        .text(&transcript)
        .is_some_and(|it| it.starts_with(&run));
    let not_in_miri = |text: &str| {
        text.lines()
            .any(|it| it.starts_with("#![cfg(") && it.contains("not(miri)"))
    };
    let in_miri = |text: &str| text.contains("#[test]") && !not_in_miri(text);
    let folder = format!("{name}/");
    let titled = format!("\"{}\"", metadata.title);
    let mut probe = project.with("lab/probe/src/", ".rs");
    vec![
        part(
            "crate doc",
            doc.starts_with(&format!("//! # Stage {number}")) && documented,
            &format!(
                "begin src/lib.rs with `//! # Stage {number}: …`: the idea, the order of reading, the documents by number"
            ),
        ),
        part(
            "demo",
            in_stage("src/main.rs"),
            "write src/main.rs, which prints the figures that make the point",
        ),
        part(
            "transcript",
            in_stage("tests/transcript.rs") && printed && shown(&format!("../../{transcript}}}}}")),
            &format!(
                "write tests/transcript.rs as step04 has it, then tests/transcript.txt with its first line alone, add the rest by `SNAPSHOTS=overwrite cargo test -p {name} --test it transcript`, and include that in the chapter"
            ),
        ),
        part(
            "contract",
            in_stage("tests/contract/main.rs"),
            "write tests/contract/main.rs and adapter.rs as step04 has them, and name the clauses that it does not keep yet. The matrix finds it",
        ),
        part(
            "loom",
            in_stage("tests/loom.rs") || in_stage("tests/loom/main.rs"),
            "write tests/loom.rs: the models of what two threads share",
        ),
        part(
            "Miri",
            project.with(&folder, ".rs").any(|(_, text)| in_miri(text)),
            "let Miri run a test of it: one without `#![cfg(not(miri))]`",
        ),
        part(
            "chapter",
            there(stage.chapter()),
            &format!("write {}, in the form of the others", stage.chapter()),
        ),
        part(
            "SUMMARY",
            says(
                "book/src/SUMMARY.md",
                &format!("]({})", stage.chapter_file()),
            ),
            &format!("give it its metadata, then run `{WRITE}`"),
        ),
        part(
            "exercises",
            project.exercises_of(stage).next().is_some()
                && some(&format!("exercises/exercises/{number}_"), ".rs")
                && shown(&format!("../../{}}}}}", table(stage))),
            &format!(
                "write them in exercises/exercises/{number}_…, add the stage to exercises/Cargo.toml, list them in {CATALOGUE}, run `{WRITE}`, and include {} in the chapter",
                table(stage)
            ),
        ),
        part(
            "README row",
            says("README.md", &format!("`cargo run -p {name}`")),
            &format!("give it its metadata, then run `{WRITE}`"),
        ),
        part(
            "alias",
            says(
                ".cargo/config.toml",
                &format!("step{number} = \"run --quiet -p {name} --\""),
            ),
            &format!("run `{WRITE}`"),
        ),
        part(
            "watched folder",
            says("book/book.toml", &format!("\"../{name}\"")),
            &format!("run `{WRITE}`"),
        ),
        part(
            "recording",
            some(&format!("book/recordings/run-{number}-"), ".json"),
            "record a run of it as tools/picture does with the other stages, in src/runs/ and Cargo.toml",
        ),
        part(
            "picture",
            some(&format!("book/src/pictures/run-{number}-"), ".svg")
                && shown(&format!("pictures/run-{number}-")),
            "draw the recording with tools/picture, and include it in the chapter",
        ),
        part(
            "machine",
            shown(&machine::path(stage)["book/src/".len()..]),
            &format!(
                "add a group and an entry of its number to {}, run `{WRITE}`, and include {} at the head of the chapter",
                machine::MAP,
                machine::path(stage)
            ),
        ),
        part(
            "whole stage",
            shown(&whole::path(stage)["book/src/".len()..]),
            &format!(
                "run `{WRITE}`, and include {} at the end of the chapter, in `## The whole stage`",
                whole::path(stage)
            ),
        ),
        part(
            "title",
            !metadata.title.is_empty() && probe.any(|(_, text)| text.contains(&titled)),
            "add the chapter's title to lab/probe/src/chapters.rs, from which the watchdog names it",
        ),
    ]
}
