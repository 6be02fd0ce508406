//! Which mutants a change of the project concerns.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use kit::process::{self, Limits};

use crate::{Defect, Mutant, Test, table};

/// What git is asked takes much less.
const GIT: Duration = Duration::from_secs(60);

const TABLE: &str = "tools/mutants/defects.toml";

/// What has changed since a commit: in the commits that follow it, and in what is not committed yet.
#[derive(Debug)]
pub struct Since {
    files: BTreeSet<PathBuf>,
    mutants: Vec<Mutant>,
    /// Of the last commit.
    hash: u64,
}

impl Since {
    /// Asks git.
    ///
    /// # Errors
    ///
    /// If git cannot be run or does not know the commit.
    pub fn commit(root: &Path, commit: &str) -> io::Result<Since> {
        let changed = git(root, &["diff", "--name-only", "--no-renames", commit, "--"])?;
        let new = git(root, &["ls-files", "--others", "--exclude-standard"])?;
        // The table may be new, or have been of another form.
        let table = git(root, &["show", &format!("{commit}:{TABLE}")]).unwrap_or_default();
        let defects = table::parse(&table).unwrap_or_default();
        let hash = git(root, &["rev-parse", "--short=12", "HEAD"])?;
        Ok(Since {
            files: changed
                .lines()
                .chain(new.lines())
                .map(PathBuf::from)
                .collect(),
            mutants: defects.into_iter().flat_map(|it| it.mutants).collect(),
            hash: u64::from_str_radix(hash.trim(), 16).unwrap_or_default(),
        })
    }

    /// Leaves those mutants that are new, or whose file has changed, or whose test. A test of the contract is its clause in
    /// `lab/contract` and the adapter in the stage.
    pub fn keep(&self, defects: &mut Vec<Defect>) {
        let concerned = |mutant: &Mutant| {
            !self.mutants.contains(mutant)
                || self.files.contains(&mutant.file)
                || self.files.iter().any(|file| is_of(file, &mutant.caught_by))
        };
        retain(defects, concerned);
    }

    /// Leaves no more than `most` mutants. They are spread evenly over the table, and the hash of the last commit says
    /// where they begin, so that no mutant is left out of every sample. Returns how many were left out.
    pub fn sample(&self, defects: &mut Vec<Defect>, most: usize) -> usize {
        let count = defects.iter().map(|it| it.mutants.len()).sum::<usize>();
        if count <= most {
            return 0;
        }
        let mut place = (self.hash % count as u64) as usize;
        retain(defects, |_| {
            place += 1;
            // Of `count` places in a row, this holds for `most`.
            place * most % count < most
        });
        count - most
    }
}

fn retain(defects: &mut Vec<Defect>, mut keep: impl FnMut(&Mutant) -> bool) {
    for defect in &mut *defects {
        defect.mutants.retain(&mut keep);
    }
    defects.retain(|defect| !defect.mutants.is_empty());
}

fn is_of(file: &Path, test: &Test) -> bool {
    let path = test.path();
    let of_the_contract = test.program() == "contract"
        && (file.starts_with("lab/contract/src") || file.parent() == path.parent());
    file == path || of_the_contract
}

fn git(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let ran = process::run(
        Command::new("git").args(arguments).current_dir(root),
        Limits::time(GIT),
    )?;
    if ran.end.is_success() {
        return Ok(ran.stdout);
    }
    let first = ran.stderr.lines().next().unwrap_or("it failed");
    Err(io::Error::other(format!("git: {first}")))
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
            mutant("s/src/d.rs", "s/tests/contract/main.rs::s::sleeps"),
        ]
        .concat();
        let new = old.clone() + &mutant("s/src/c.rs", "s/tests/v.rs::four");
        let changes = |files: &[&str]| Since {
            files: files.iter().map(PathBuf::from).collect(),
            mutants: table::parse(&old).unwrap().remove(0).mutants,
            hash: 0,
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
        for file in ["s/tests/contract/adapter.rs", "lab/contract/src/cell.rs"] {
            assert_eq!(kept(&[file]), ["s::sleeps", "four"]);
        }
    }

    #[test]
    fn a_sample_is_spread_evenly_and_each_mutant_is_in_one_of_them() {
        let mutant = |i| {
            format!(
                "[[defect.mutant]]\nfile = \"s/src/a.rs\"\nchange = [[\"a\", \"b\"]]\ncaught_by = \"s/tests/t.rs::{i}\"\n"
            )
        };
        let defect = |i: usize| {
            let two = mutant(2 * i) + &mutant(2 * i + 1);
            format!("[[defect]]\nid = \"D0{i}\"\nwhat = \"it hangs\"\n{two}")
        };
        let all: String = (0..5).map(defect).collect();
        let sample = |hash, most| {
            let since = Since {
                files: BTreeSet::new(),
                mutants: Vec::new(),
                hash,
            };
            let mut defects = table::parse(&all).unwrap();
            let left_out = since.sample(&mut defects, most);
            let mutants = defects.into_iter().flat_map(|defect| defect.mutants);
            let kept = mutants.map(|mutant| mutant.caught_by.name.parse::<usize>().unwrap());
            (kept.collect::<Vec<_>>(), left_out)
        };
        assert_eq!(sample(0, 10), ((0..10).collect(), 0));
        let mut in_one = BTreeSet::new();
        for hash in 0..10 {
            let (kept, left_out) = sample(hash, 4);
            assert_eq!((kept.len(), left_out), (4, 6));
            let gaps = kept.windows(2).map(|two| two[1] - two[0]);
            assert!(gaps.into_iter().all(|gap| gap == 2 || gap == 3), "{kept:?}");
            in_one.extend(kept);
        }
        assert_eq!(in_one, (0..10).collect());
    }
}
