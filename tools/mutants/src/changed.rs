//! Which mutants a change of the project concerns.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Defect, Mutant, table};

const TABLE: &str = "tools/mutants/defects.toml";

/// What has changed since a commit: in the commits that follow it, and in what is not committed yet.
#[derive(Debug)]
pub struct Changes {
    files: BTreeSet<PathBuf>,
    mutants: Vec<Mutant>,
}

impl Changes {
    /// Asks git.
    ///
    /// # Errors
    ///
    /// If git cannot be run or does not know the commit.
    pub fn since(root: &Path, commit: &str) -> io::Result<Changes> {
        let files = git(root, &["diff", "--name-only", "--no-renames", commit, "--"])?;
        // The table may be new, or have been of another form.
        let table = git(root, &["show", &format!("{commit}:{TABLE}")]).unwrap_or_default();
        let defects = table::parse(&table).unwrap_or_default();
        Ok(Changes {
            files: files.lines().map(PathBuf::from).collect(),
            mutants: defects.into_iter().flat_map(|it| it.mutants).collect(),
        })
    }

    /// Leaves those mutants that are new, or whose file or test is.
    pub fn keep(&self, defects: &mut Vec<Defect>) {
        let concerned = |mutant: &Mutant| {
            !self.mutants.contains(mutant)
                || self.files.contains(&mutant.file)
                || self.files.contains(&mutant.caught_by.path())
        };
        for defect in &mut *defects {
            defect.mutants.retain(concerned);
        }
        defects.retain(|defect| !defect.mutants.is_empty());
    }
}

fn git(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().next().unwrap_or("git failed");
    Err(io::Error::other(first.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_mutant_a_changed_file_and_a_changed_test_are_tried_and_nothing_else() {
        let mutant = |file: &str, test: &str| {
            format!(
                "[[defect.mutant]]\nfile = \"{file}\"\nchange = [[\"a\", \"b\"]]\ncaught_by = \"{test}\"\n"
            )
        };
        let old = [
            "[[defect]]\nid = \"D01\"\nwhat = \"it hangs\"\n".to_owned(),
            mutant("s/src/a.rs", "s/tests/t.rs::one"),
            mutant("s/src/b.rs", "s/tests/u.rs::two"),
            mutant("s/src/c.rs", "s/tests/v.rs::three"),
        ]
        .concat();
        let new = old.clone() + &mutant("s/src/c.rs", "s/tests/v.rs::four");
        let changes = |files: &[&str]| Changes {
            files: files.iter().map(PathBuf::from).collect(),
            mutants: table::parse(&old).unwrap().remove(0).mutants,
        };
        let kept = |files: &[&str]| {
            let mut defects = table::parse(&new).unwrap();
            changes(files).keep(&mut defects);
            let mutants = defects.into_iter().flat_map(|defect| defect.mutants);
            mutants
                .map(|mutant| mutant.caught_by.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(kept(&[]), ["four"]);
        assert_eq!(
            kept(&["s/src/a.rs", "s/tests/u.rs"]),
            ["one", "two", "four"]
        );
        assert_eq!(kept(&["s/tests/v.rs"]), ["three", "four"]);
    }
}
