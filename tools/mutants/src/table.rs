//! The table of mistakes: `defects.toml`, read.

use serde::Deserialize;
use toml::Table;

/// One change of source that makes a mistake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutant {
    /// `D01` to `D49` are those of the documents.
    #[serde(skip)]
    pub(crate) name: String,
    /// What goes wrong.
    pub(crate) what: String,
    /// The file to change, from the root of the project.
    pub(crate) file: String,
    /// Pairs of texts: what is in the file, and what takes its place, everywhere.
    pub(crate) change: Vec<(String, String)>,
    /// The test that must fail then, as `cargo test -p` takes it: `package --test program name`.
    pub(crate) caught_by: String,
}

impl Mutant {
    /// Whether this is its name, a name such as D09 of two that are alike, or the beginning of its stage's name.
    pub(crate) fn answers_to(&self, name: &str) -> bool {
        let stem = self.name.trim_end_matches(['a', 'b']);
        self.name == name
            || name.starts_with('D') && stem == name
            || name.starts_with("step") && self.file.starts_with(name)
    }
}

/// All mistakes, in the order of the table.
///
/// # Panics
///
/// If the table, which is compiled in, is not well formed. A test reads it.
pub(crate) fn mutants() -> Vec<Mutant> {
    let table: Table = include_str!("../defects.toml").parse().expect("TOML");
    let mutants = table.into_iter().map(|(name, entry)| {
        let entry: Mutant = entry.try_into().expect("an entry with all its fields");
        Mutant { name, ..entry }
    });
    mutants.collect()
}

/// The page for reading, `DEFECTS.md`.
pub(crate) fn page(mutants: &[Mutant]) -> String {
    let rows = mutants.iter().map(|mutant| {
        let test = format!("`{}`", mutant.caught_by);
        [mutant.name.clone(), mutant.what.clone(), test]
    });
    let head = [
        "mistake",
        "what goes wrong",
        "`cargo test -p` and this fails with it",
    ];
    format!("{PAGE}{}", kit::markdown::table(&head, rows))
}

const PAGE: &str = "\
# What went wrong elsewhere, and what catches it here

We ran the code of the five documents behind this course and saw 49 things go wrong, D01 to D49. This is each of them, and
the test that fails when it is put into our code. `cargo run -p mutants` puts each into a copy of the project and runs
that test. D17, an `impl Future` for a type alias, does not compile: `tools/course/errors/join-handle-alias.rs` is that
listing. Below the 49 are mistakes that no document made, and that only another order of locks or of stores brings about.

";

#[cfg(test)]
mod tests {
    use kit::files::{below, read, root};

    use super::*;

    impl Mutant {
        /// The text or the test that is not there.
        fn missing(&self) -> Option<String> {
            let text = |file: &str| read(&root().join(file)).unwrap_or_default();
            if let Err(missing) = kit::change::apply(&text(&self.file), &self.change) {
                return Some(format!("{}: {} has no `{missing}`", self.name, self.file));
            }
            let (package, test) = self.caught_by.split_once(' ')?;
            let test = format!("fn {}()", test.rsplit([' ', ':']).next()?);
            let mut files = below(&root().join(package)).unwrap_or_default().into_iter();
            let is_there = files.any(|file| read(&file).is_ok_and(|it| it.contains(&test)));
            (!is_there).then(|| format!("{}: no {}", self.name, self.caught_by))
        }
    }

    #[test]
    fn every_change_can_be_made_and_every_test_is_there() {
        let wrong: Vec<String> = mutants().iter().filter_map(|it| it.missing()).collect();
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    #[test]
    fn the_page_for_reading_is_the_table() {
        let file = root().join("tools/mutants/DEFECTS.md");
        let how = "cargo run -p mutants -- --write";
        kit::written::check(&file, &page(&mutants()), false, how).unwrap();
    }
}
