//! The table of defects: `defects.toml`, read.

use std::{fmt, path::PathBuf};

use serde::Deserialize;

/// One defect of the documents.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Defect {
    /// `D01` to `D49`. Mistakes that no document has made are named otherwise.
    pub id: String,
    /// What goes wrong.
    pub what: String,
    /// Why no stage that there is can have it. Empty if one can.
    #[serde(default)]
    pub cannot: String,
    /// Changes of our source that would bring it back.
    #[serde(default, rename = "mutant")]
    pub mutants: Vec<Mutant>,
}

/// A change of source that brings a defect back.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// The file to change, from the root of the project.
    pub file: PathBuf,
    /// Pairs of texts: what stands in the file, and what to put in its place, everywhere.
    pub change: Vec<(String, String)>,
    /// The test that fails then.
    pub caught_by: Test,
}

/// One test, written as `package/tests/file.rs::name`, or `package/src/file.rs::name` if it stands in the module
/// `tests` of that file. A folder of several files is written as its root: `package/tests/folder/mod.rs::name`, or `main.rs`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Test {
    /// The package, which is named as its folder.
    pub package: String,
    /// Which folder of the package the file is in.
    pub folder: Folder,
    /// The file in that folder, without its ending.
    pub file: String,
    /// The test function.
    pub name: String,
}

/// Where tests stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Folder {
    /// `src`: unit tests.
    Src,
    /// `tests`: a program of its own for each file.
    Tests,
}

impl Test {
    /// Whether this is a model, to be compiled with `--cfg loom`.
    pub fn is_loom(&self) -> bool {
        self.folder == Folder::Tests && self.program() == "loom"
    }

    /// Whether this is a unit test of the package's program.
    pub fn is_in_main(&self) -> bool {
        self.folder == Folder::Src && self.file == "main"
    }

    /// The file, from the root of the project.
    pub fn path(&self) -> PathBuf {
        let Test { package, file, .. } = self;
        format!("{package}/{}/{file}.rs", self.folder).into()
    }

    /// The file in `tests`, or its folder.
    pub fn program(&self) -> &str {
        let file = self.file.strip_suffix("/main");
        let file = file.or_else(|| self.file.strip_suffix("/mod"));
        file.unwrap_or(&self.file)
    }

    /// Whether the file is a module of `tests/it.rs`, given its text, and no program of its own.
    pub fn is_in(&self, it: &str) -> bool {
        let module = format!("mod {};", self.program());
        self.folder == Folder::Tests && it.lines().any(|line| line == module)
    }

    /// How the program that runs the test calls it.
    pub fn full_name(&self, it: &str) -> String {
        match self.folder {
            Folder::Src if self.is_in_main() => format!("tests::{}", self.name),
            Folder::Src => format!("{}::tests::{}", self.file.replace('/', "::"), self.name),
            Folder::Tests if self.is_in(it) => format!("{}::{}", self.program(), self.name),
            Folder::Tests => self.name.clone(),
        }
    }
}

impl TryFrom<String> for Test {
    type Error = String;

    fn try_from(text: String) -> Result<Test, String> {
        let parts = || {
            let (path, name) = text.split_once("::")?;
            let (package, path) = path.split_once('/')?;
            let (folder, file) = path.split_once('/')?;
            let folder = match folder {
                "src" => Folder::Src,
                "tests" => Folder::Tests,
                _ => return None,
            };
            Some(Test {
                package: package.into(),
                folder,
                file: file.strip_suffix(".rs")?.into(),
                name: name.into(),
            })
        };
        parts().ok_or(format!(
            "`{text}` is not of the form package/tests/file.rs::name"
        ))
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.path().display(), self.name)
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Folder::Src => "src",
            Folder::Tests => "tests",
        })
    }
}

/// The page for reading, `DEFECTS.md`.
pub fn page(defects: &[Defect]) -> String {
    let rows = defects.iter().map(|defect| {
        let tests = defect.mutants.iter();
        let mut answers: Vec<_> = tests.map(|it| format!("`{}`", it.caught_by)).collect();
        if !defect.cannot.is_empty() {
            answers.push(defect.cannot.clone());
        }
        [defect.id.clone(), defect.what.clone(), answers.join("<br>")]
    });
    let head = ["defect", "what goes wrong", "the test that fails with it"];
    format!("{PAGE}{}", kit::markdown::table(&head, rows))
}

const PAGE: &str = "\
# What went wrong elsewhere, and what catches it here

49 defects were seen when the code of the five documents behind this course was run. This is what each of them is, and
the test that fails when it is put into our code. `cargo run -p mutants` puts each of them into a copy of the project
and runs that test. Below the 49 stand mistakes that no document has made.

";

/// All defects, in the order of the table.
///
/// # Panics
///
/// If the table, which is compiled in, is not well formed. A test reads it.
pub fn defects() -> Vec<Defect> {
    parse(include_str!("../defects.toml")).expect("a well-formed table")
}

/// The defects of a table.
///
/// # Errors
///
/// If it is not well formed.
pub fn parse(table: &str) -> Result<Vec<Defect>, toml::de::Error> {
    #[derive(Deserialize)]
    struct Table {
        defect: Vec<Defect>,
    }
    toml::from_str::<Table>(table).map(|table| table.defect)
}
