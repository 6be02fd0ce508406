//! The files of `exercises/teachers/yours`: right ones of several designs, and wrong ones, each with what must come of it.

use std::{collections::BTreeSet, fmt, path::PathBuf};

use kit::{
    change::{Change, changed},
    files,
};
use serde::Deserialize;
use toml::Table;

use crate::{
    Error,
    ladder::{Came, EXERCISE, Ladder},
    result::Climb,
};

/// All of them, as `climbs.toml` lists them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Files that are right as far as they go.
    pub right: Vec<Right>,
    /// Files with a mistake.
    pub wrong: Vec<Wrong>,
}

/// A file that is right as far as it goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Right {
    /// From the teacher's folder.
    pub file: String,
    /// So many rungs it climbs, and no more.
    pub rungs: usize,
    /// The file of the rung before, if it has one. A teacher reads each file by itself, so each is whole.
    pub since: Option<String>,
    /// What both files have and this one has changed. All else that both have is the same.
    #[serde(default)]
    pub changes: BTreeSet<String>,
    /// What it needs in its manifest, which a learner's file can't have.
    #[serde(default)]
    pub dependencies: Table,
    /// Also in the run that does without most files.
    #[serde(default)]
    pub quick: bool,
}

/// A file with a mistake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The rung at which a learner would make it, and what it is.
    pub name: String,
    /// A right file, of which this is a change.
    pub base: Option<String>,
    /// Or a file of its own.
    pub file: Option<String>,
    /// What is wrong.
    pub mistake: String,
    /// Where the ladder stops.
    pub rung: usize,
    /// A clause or a check that is not kept there.
    pub check: String,
    /// A part of what is said then, which leads to the mistake.
    pub says: String,
    /// A file in the `seen/` of the exercise, which a page shows: exactly what is said.
    pub seen: Option<String>,
    /// Another file there: the lines of the mistake with their numbers, which the page shows beside what is said.
    pub at: Option<String>,
    /// Also in the run that does without most files.
    #[serde(default)]
    pub quick: bool,
    /// How it differs from its base.
    #[serde(default)]
    change: Vec<Change>,
}

fn folder() -> PathBuf {
    files::root().join("exercises/teachers/yours")
}

fn text(file: &str) -> Result<String, Error> {
    Ok(files::read(&folder().join(file))?)
}

impl Known {
    /// Reads the list.
    ///
    /// # Errors
    ///
    /// If it can't be read.
    pub fn read() -> Result<Known, Error> {
        let list = text("climbs.toml")?;
        toml::from_str(&list).map_err(|error| format!("climbs.toml: {error}").into())
    }
}

impl Right {
    /// Climbs with it. What is wrong, if anything is.
    ///
    /// # Errors
    ///
    /// If it can't be judged.
    pub fn check(&self, ladder: &Ladder) -> Result<Option<String>, Error> {
        let Right { file, rungs, .. } = self;
        Ok(match ladder.climb_with(&text(file)?, &self.dependencies)? {
            Came::Climbed(climb) if climb.passed == *rungs => None,
            Came::Climbed(climb) => Some(format!(
                "it climbs {} rungs in place of {rungs}{}",
                climb.passed,
                Stops(&climb)
            )),
            Came::DoesNotCompile(said) => Some(format!("it doesn't compile:\n{said}")),
            Came::Stopped(why) => Some(why),
        })
    }
}

impl Wrong {
    /// Its text.
    ///
    /// # Errors
    ///
    /// If its file can't be read, or a change doesn't find its place.
    pub fn text(&self) -> Result<String, Error> {
        let name = &self.name;
        match (&self.base, &self.file, &self.change[..]) {
            (None, Some(file), []) => text(file),
            (Some(base), None, changes @ [_, ..]) => changed(&text(base)?, changes)
                .map_err(|why| format!("climbs.toml: {name}: {base}: {why}").into()),
            _ => {
                Err(format!("climbs.toml: {name}: it needs a base with changes, or a file").into())
            }
        }
    }

    /// Climbs with it. What is not as it must be, if anything is.
    ///
    /// # Errors
    ///
    /// If it can't be judged.
    pub fn check(&self, ladder: &Ladder) -> Result<Option<String>, Error> {
        let climb = match ladder.climb(&self.text()?)? {
            Came::Climbed(climb) => climb,
            Came::DoesNotCompile(said) => return Ok(Some(format!("it doesn't compile:\n{said}"))),
            Came::Stopped(why) => return Ok(Some(why)),
        };
        let stops = climb.rungs.get(climb.passed);
        let broken =
            stops.and_then(|rung| rung.broken.iter().find(|broken| broken.name == self.check));
        if let (Some(broken), Some(seen)) = (broken, &self.seen) {
            let file = files::root().join(EXERCISE).join("seen").join(seen);
            if files::read(&file)?.trim_end() != broken.not_kept.what {
                return Ok(Some(format!(
                    "{seen} is not what is said:\n{}",
                    broken.not_kept.what
                )));
            }
        }
        Ok(match broken {
            Some(broken)
                if climb.passed + 1 == self.rung && broken.not_kept.what.contains(&self.says) =>
            {
                None
            }
            _ => Some(format!("it climbs {} rungs{}", climb.passed, Stops(&climb))),
        })
    }
}

/// Where a climb stops, and why.
struct Stops<'a>(&'a Climb);

impl fmt::Display for Stops<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stops = self.0.rungs.get(self.0.passed);
        for broken in stops.iter().flat_map(|rung| &rung.broken) {
            write!(
                f,
                "\n    {}: {}",
                broken.name,
                broken.not_kept.what.replace('\n', "\n        ")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quote::ToTokens;
    use syn::{ImplItem, Item, Type};

    use super::*;

    /// The items of a file and the functions of its `impl` blocks, each as its tokens, by names such as `spawn` and `Sleep::poll`.
    fn items(file: &str) -> BTreeMap<String, String> {
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |name: String, item: &dyn ToTokens| {
            *found.entry(name).or_default() += &item.to_token_stream().to_string();
        };
        for item in syn::parse_file(&text(file).unwrap()).unwrap().items {
            match &item {
                Item::Impl(block) => {
                    let Type::Path(owner) = &*block.self_ty else {
                        panic!("{file}: an `impl` of a type without a name")
                    };
                    let owner = &owner.path.segments.last().unwrap().ident;
                    for item in &block.items {
                        if let ImplItem::Fn(function) = item {
                            add(format!("{owner}::{}", function.sig.ident), function);
                        }
                    }
                }
                Item::Const(item) => add(item.ident.to_string(), &item),
                Item::Enum(item) => add(item.ident.to_string(), &item),
                Item::Fn(item) => add(item.sig.ident.to_string(), &item),
                Item::Static(item) => add(item.ident.to_string(), &item),
                Item::Struct(item) => add(item.ident.to_string(), &item),
                Item::Trait(item) => add(item.ident.to_string(), &item),
                Item::Type(item) => add(item.ident.to_string(), &item),
                // Each file uses what it needs.
                Item::Use(_) => {}
                // Such as `thread_local`.
                Item::Macro(item) => add(item.mac.path.segments[0].ident.to_string(), &item),
                other => panic!(
                    "{file}: an item without a name: {}",
                    other.to_token_stream()
                ),
            }
        }
        found.remove("REACHED");
        found
    }

    #[test]
    fn a_rung_changes_what_it_says_and_nothing_else() {
        let mut wrong = Vec::new();
        for right in Known::read().unwrap().right {
            let (file, Some(since)) = (&right.file, &right.since) else {
                continue;
            };
            let (before, now) = (items(since), items(file));
            let differs = |name: &&String| before.get(*name).is_some_and(|old| *old != now[*name]);
            let differ: BTreeSet<String> = now.keys().filter(differs).cloned().collect();
            for name in differ.difference(&right.changes) {
                wrong.push(format!(
                    "{file}: `{name}` is not as in {since}: change both, or list it in `changes`"
                ));
            }
            for name in right.changes.difference(&differ) {
                wrong.push(format!(
                    "{file}: `{name}` is as in {since}, or in one of them alone"
                ));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn each_change_finds_its_place() {
        let known = Known::read().unwrap();
        assert!(known.wrong.len() >= 30);
        for wrong in &known.wrong {
            wrong.text().unwrap();
        }
    }

    #[test]
    fn a_page_shows_the_lines_of_the_mistake() {
        let known = Known::read().unwrap();
        let shown = known
            .wrong
            .iter()
            .filter_map(|wrong| Some((wrong, wrong.at.as_ref()?)));
        let mut lines = 0;
        for (wrong, at) in shown {
            let (text, file) = (
                wrong.text().unwrap(),
                files::root().join(EXERCISE).join("seen").join(at),
            );
            for line in files::read(&file).unwrap().lines() {
                let (number, code) = line.split_once(' ').unwrap();
                let number: usize = number.parse().unwrap();
                assert_eq!(
                    Some(code.trim()),
                    text.lines().nth(number - 1).map(str::trim),
                    "line {number} in {at}"
                );
                lines += 1;
            }
        }
        assert!(lines > 0);
    }
}
