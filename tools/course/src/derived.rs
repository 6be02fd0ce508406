//! What follows from the stages' metadata, the list of exercises and the length of pages: written, not checked.

mod exercises;
mod reading;

use std::fs;

use crate::Project;

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

const PLANS: &str = "book/src/course.md";

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let text = |path: &str| project.text(path).unwrap_or_default();
    let plans = exercises::plans(project, text(PLANS));
    let mut files = vec![(PLANS.to_owned(), plans)];
    for (path, list) in stages(project) {
        let mut file = between(text(path), "stages", &format!("\n{list}\n"));
        if path.ends_with("introduction.md") {
            file = file.and_then(|it| between(&it, "figures", &figures(project)));
        }
        files.push((path.to_owned(), file));
    }
    for (path, page) in project.with("book/src/", ".md") {
        if page.contains("\nMinutes: ") {
            let page = reading::filled(project, path, page);
            let page = exercises::minutes(project, path, page);
            files.push((path.to_owned(), Ok(page)));
        }
    }
    let stale = files.into_iter().filter_map(|(path, text)| match text {
        Ok(text) if project.text(&path) == Some(&text) => None,
        Ok(text) if write => {
            let written = fs::write(kit::files::root().join(&path), text);
            written.err().map(|error| format!("{path}: {error}"))
        }
        Ok(_) => Some(format!("{path}: stale: run `{WRITE}`")),
        Err(why) => Some(format!("{path}:{why}")),
    });
    stale.collect()
}

/// Puts a text between the lines with `BEGIN` and `END` of this name.
fn between(file: &str, name: &str, text: &str) -> Result<String, String> {
    let [begin, end] = ["BEGIN", "END"].map(|it| format!("{it} {name}"));
    let begin = file.find(&begin);
    let begin = begin.and_then(|it| Some(it + file[it..].find('\n')? + 1));
    let end = file.find(&end);
    let end = end.and_then(|it| Some(file[..it].rfind('\n')? + 1));
    match (begin, end) {
        (Some(begin), Some(end)) if begin <= end => {
            Ok([&file[..begin], text, &file[end..]].concat())
        }
        _ => Err(format!(
            " put back the lines `BEGIN {name}` and `END {name}`"
        )),
    }
}

/// What there is, in numbers, for the book's first screen.
fn figures(project: &Project) -> String {
    let runs = project.with("book/recordings/", ".json").count();
    let defects = project.text("book/src/defects.md").unwrap_or_default();
    let of = [
        (project.stages.len(), "stages that you run"),
        (project.exercises.len(), "exercises that say why they hang"),
        (runs, "recorded runs to step through"),
        (
            defects.matches("\n**D").count(),
            "mistakes found in tutorials",
        ),
    ];
    let of = of.map(|(count, what)| format!("<span><b>{count}</b>{what}</span>\n"));
    format!("<p class=\"first-figures\">\n{}</p>\n", of.concat())
}

/// README's table, the map in the book's introduction, and the chapters with the other pages that begin with their number.
fn stages(project: &Project) -> [(&str, String); 3] {
    let mut readme = "| stage | the idea | run it |\n|---|---|---|\n".to_owned();
    let mut map = "| stage | the idea | what it cannot do yet |\n|---|---|---|\n".to_owned();
    let mut chapters = String::new();
    for stage in &project.stages {
        let Ok(it) = &stage.metadata else { continue };
        let (name, number, chapter) = (&stage.name, stage.number(), stage.chapter());
        let file = &chapter["book/src/".len()..];
        readme += &format!(
            "| [{number}]({name}/src/lib.rs) | {} | `cargo run -p {name}` |\n",
            it.idea
        );
        map += &format!("| [{number}]({file}) | {} | {} |\n", it.idea, it.lacks);
        chapters += &format!("- [{}]({file})\n", it.title);
        let pages = format!("book/src/{number}-");
        let others = project.with(&pages, ".md").filter(|it| it.0 != chapter);
        for (path, page) in others {
            let title = page.lines().next().unwrap_or_default();
            let (title, file) = (title.trim_start_matches("# "), &path["book/src/".len()..]);
            chapters += &format!("  - [{title}]({file})\n");
        }
    }
    [
        ("README.md", readme),
        ("book/src/introduction.md", map),
        ("book/src/SUMMARY.md", chapters),
    ]
}
