//! The known mistakes, each with the test that catches it. `defects.toml` lists them, and the program runs them.

use std::{collections::BTreeMap, io};

use kit::{
    change::{Change, changed},
    files,
};
use serde::Deserialize;

/// Changes of a file that make a mistake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// What goes wrong. The book has a page on the mistakes of the documents.
    pub what: Option<String>,
    /// The file to change, from the root of the project.
    pub file: String,
    change: Vec<Change>,
    /// The test that must fail then, as `cargo test -p` takes it: `package --test program name`, or `package --lib name`. With
    /// `--test loom`, and for a test in a library's `models`, loom takes the place of threads.
    pub caught_by: String,
}

impl Mutant {
    /// The text of the file without the mistake, and with it.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or has no such place. The message says what to do.
    pub fn texts(&self, name: &str) -> io::Result<[String; 2]> {
        let original = files::read(&files::root().join(&self.file))?;
        let changed = changed(&original, &self.change).map_err(|why| {
            let file = &self.file;
            let how = format!("correct the entry, and run `cargo run -p mutants -- {name}`");
            io::Error::other(format!("{LIST}: {name}: {file}: {why}: {how}"))
        })?;
        Ok([original, changed])
    }
}

/// Where the mistakes are listed, from the root.
const LIST: &str = "tools/mutants/defects.toml";

/// The mistakes, by their names.
///
/// # Errors
///
/// If the list can't be read, or an entry is not as [`Mutant`] has it. The message names the line, and says what to do.
pub fn mutants() -> io::Result<BTreeMap<String, Mutant>> {
    parsed(&files::read(&files::root().join(LIST))?).map_err(io::Error::other)
}

fn parsed(list: &str) -> Result<BTreeMap<String, Mutant>, String> {
    toml::from_str(list).map_err(|error| {
        let line = files::line(list, error.span().map_or(0, |it| it.start));
        let why = error.message();
        format!("{LIST}:{line}: {why}: correct the entry, as tools/mutants/README.md says")
    })
}

/// What is stale: changes that can't be made any more, tests that are gone, and what the pages of the book say of either. Nothing is
/// run.
///
/// # Errors
///
/// If a file can't be read.
pub fn complaints() -> io::Result<Vec<String>> {
    let mutants = mutants()?;
    let mut found = Vec::new();
    for (name, mutant) in &mutants {
        found.extend(mutant.texts(name).err().map(|error| error.to_string()));
        let (package, test) = mutant.caught_by.split_once(' ').unwrap_or_default();
        let test = test.split(' ').next_back().unwrap_or_default();
        if !is_there(package, test)? {
            found.push(format!(
                "{LIST}: {name}: {package} has no test {test}: name the one that catches it"
            ));
        }
    }
    for file in files::below(&files::root().join("book/src"))? {
        let page = files::shown(&files::root(), &file);
        if !page.ends_with(".md") {
            continue;
        }
        let text = files::read(&file)?;
        for command in text.split("cargo run -p mutants -- ").skip(1) {
            let name = command.split(['`', '\n']).next().unwrap_or_default();
            if !mutants.contains_key(name) {
                found.push(format!(
                    "{page}: {LIST} has no {name}: name an entry, or add it"
                ));
            }
        }
    }
    let page = "book/src/defects.md";
    let text = files::read(&files::root().join(page))?;
    // Between backticks, a test is the stage and its name.
    for code in text.split('`').skip(1).step_by(2) {
        let named = code.split_once(' ').filter(|it| it.0.starts_with("step"));
        let Some((package, test)) = named else {
            continue;
        };
        if !is_there(package, test)? {
            found.push(format!(
                "{page}: {package} has no test {test}: name the one that catches it"
            ));
        }
    }
    Ok(found)
}

/// Whether a package has a test of this name.
fn is_there(package: &str, test: &str) -> io::Result<bool> {
    let name = format!("fn {}()", test.rsplit(':').next().unwrap_or(test));
    for file in files::below(&files::root().join(package))? {
        let is_rust = file.extension().is_some_and(|it| it == "rs");
        if is_rust && files::read(&file)?.contains(&name) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_can_be_made_and_every_test_is_there() {
        let found = complaints().unwrap();
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }

    #[test]
    fn the_page_of_the_book_has_each_number_once() {
        let page = files::read(&files::root().join("book/src/defects.md")).unwrap();
        let is_row = |line: &&str| line.starts_with("| <b id=");
        let rows: Vec<&str> = page.lines().filter(is_row).collect();
        for number in 1..=rows.len() {
            let name = format!("<b id=\"d{number:02}\">D{number:02}</b>");
            let named = rows.iter().filter(|row| row.contains(&name));
            assert_eq!(named.count(), 1, "D{number:02}");
        }
    }

    #[test]
    fn a_word_that_no_entry_has_is_told_with_its_line() {
        let list = "[D01]\nfile = \"a.rs\"\nchange = []\ncaught = \"x --lib y\"\n";
        let why = parsed(list).unwrap_err();
        let begins = "tools/mutants/defects.toml:4: unknown field `caught`";
        assert!(
            why.starts_with(begins) && why.contains(": correct the entry"),
            "{why}"
        );
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}
