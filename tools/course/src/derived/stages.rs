//! The stages, as two pages list them.

use super::list::List;
use crate::Project;

/// The table in the book's introduction, and the chapters with the other pages that begin with their number.
pub(super) fn lists(project: &Project) -> [List; 2] {
    let mut map = "| chapter | after it you can |\n|---|---|\n".to_owned();
    let mut chapters = String::new();
    for stage in &project.stages {
        let Ok(it) = &stage.metadata else { continue };
        let (number, chapter) = (stage.number(), stage.chapter());
        let file = &chapter["book/src/".len()..];
        map += &format!("| [{number}]({file}) {} | {} |\n", it.title, it.after);
        chapters += &format!("- [{}]({file})\n", it.title);
        let pages = format!("book/src/{number}-");
        let others = project
            .with(&pages, ".md")
            .filter(|(path, _)| *path != chapter);
        for (path, page) in others {
            let title = page.lines().next().unwrap_or_default();
            let (title, file) = (title.trim_start_matches("# "), &path["book/src/".len()..]);
            chapters += &format!("  - [{title}]({file})\n");
        }
    }
    [
        ("book/src/introduction.md", map),
        ("book/src/SUMMARY.md", chapters),
    ]
    .map(|(file, list)| List {
        file,
        name: "stages",
        text: format!("\n{list}\n"),
    })
}
