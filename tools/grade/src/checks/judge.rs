//! The program that judges an answer: what its checks see of the answer, and the list of the checks.

use std::collections::BTreeSet;

use course::Exercise;

use super::open::{Import, Source, identifiers};
use crate::{Error, Set};

/// The checks of an exercise, and what they need of an answer.
pub(crate) struct Judge {
    /// The names of the checks, with the module that they are in.
    pub checks: Vec<String>,
    /// What the checks name of the answer, and what they cannot do without: its traits.
    wanted: BTreeSet<String>,
    /// What the starter imports from elsewhere, and the checks with it.
    imports: Vec<String>,
    /// What the starter imports from its own modules.
    inner: Vec<(Vec<String>, String)>,
    exercise: String,
}

impl Judge {
    /// Reads the checks and the starter.
    ///
    /// The checks begin with `use super::*`. In the learner's program that is the learner's file, with all that it imports. Here
    /// it is what the *starter* has of these names: no name that only the answer has comes to the checks.
    pub fn of(set: &Set, exercise: &Exercise) -> Result<Judge, Error> {
        let exercise_name = &exercise.name;
        let file = format!("checks/{exercise_name}.rs");
        let (checks, starter) = (set.read(&file)?, set.starter(exercise)?);
        let given = set
            .read(&format!("given/{exercise_name}.rs"))
            .unwrap_or_default();
        let read =
            |file: &str, text| Source::read(text).ok_or(format!("{file}: it does not parse"));
        let tests = read(&file, &checks)?.tests();
        if tests.is_empty() {
            return Err(format!("{file}: it has no tests").into());
        }
        let named = identifiers(&checks);
        let used = |items: Vec<(String, bool)>| {
            let items = items.into_iter();
            let used = items.filter(|(name, is_trait)| *is_trait || named.contains(name));
            used.map(|(name, _)| name)
                .filter(|name| name != "main" && name != "tests")
        };
        let source = read(&exercise.file(), &starter)?;
        let own: BTreeSet<_> = source.items().into_iter().map(|(name, _)| name).collect();
        let (mut imports, mut inner) = (Vec::new(), Vec::new());
        for Import { path, name, bound } in source.imports() {
            let first = path.first().map_or("", String::as_str);
            let is_own = own.contains(first) || ["crate", "self"].contains(&first);
            match (name, bound) {
                (Some(name), Some(bound)) if is_own => {
                    inner.push((path, format!("{name} as {bound}")))
                }
                // All that is given.
                (None, _) if is_own => {
                    let given = used(read(&format!("given/{exercise_name}.rs"), &given)?.items());
                    inner.extend(given.map(|name| (path.clone(), name)));
                }
                (Some(name), Some(bound)) => {
                    let path = path
                        .iter()
                        .map(|part| format!("{part}::"))
                        .collect::<String>();
                    imports.push(format!("{path}{name} as {bound}"));
                }
                _ => imports.push(format!("{}::*", path.join("::"))),
            }
        }
        Ok(Judge {
            checks: tests.iter().map(|name| format!("tests::{name}")).collect(),
            wanted: used(source.items()).collect(),
            imports,
            inner,
            exercise: exercise_name.clone(),
        })
    }

    /// The answer's text with all of it public, and the root of the program that judges it.
    pub fn of_answer(&self, package: &str, text: &str) -> (String, String) {
        let answer = Source::read(text);
        let has = |name: &&String| answer.as_ref().is_none_or(|source| source.may_have(name));
        let open = answer.as_ref().map(|source| source.open(&self.wanted));
        let library = package.replace('-', "_");
        let mut root =
            "// Written by `grade`.\n\n#[path = \"harness.rs\"]\nmod harness;\n\n".to_owned();
        for name in self.wanted.iter().filter(has) {
            root += &format!("use {library}::{name};\n");
        }
        for (path, name) in &self.inner {
            let path = path
                .iter()
                .filter(|part| *part != "crate" && *part != "self");
            let path = path.map(|part| format!("{part}::")).collect::<String>();
            root += &format!("use {library}::{path}{name};\n");
        }
        for import in &self.imports {
            root += &format!("use {import};\n");
        }
        root += &format!(
            "\n#[path = \"checks/{}.rs\"]\nmod tests;\n\n",
            self.exercise
        );
        let list = self
            .checks
            .iter()
            .map(|check| format!("({check:?}, {check}), "));
        root += &format!(
            "fn main() {{\n    harness::main(&[{}]);\n}}\n",
            list.collect::<String>()
        );
        (open.unwrap_or_else(|| text.to_owned()), root)
    }
}
