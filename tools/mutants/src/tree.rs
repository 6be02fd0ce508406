//! A copy of the project, in which a file may be changed and a test be run.

use std::{fs, io, path::PathBuf, process::Command, time::Duration};

use kit::{
    files,
    process::{self, End, Limits, Outcome},
};

use crate::table::Mutant;

/// A test that takes this long hangs.
const HANG: Duration = Duration::from_secs(60);
const TO_BUILD: Duration = Duration::from_secs(1200);

/// A copy of the workspace below its own target folder.
pub(crate) struct Tree {
    root: PathBuf,
    build: PathBuf,
}

/// What became of a test.
pub(crate) enum Ran {
    DoesNotCompile(String),
    Ended(Outcome),
}

impl Ran {
    /// A name that no test has is no failure for the harness.
    pub(crate) fn passes(&self) -> bool {
        matches!(self, Ran::Ended(it) if it.end.is_success() && it.stdout.contains("ok. 1 passed"))
    }
}

impl Tree {
    /// Copies the workspace.
    pub(crate) fn copy() -> io::Result<Tree> {
        let folder = files::root().join("target/mutants");
        let (root, build) = (folder.join("tree"), folder.join("build"));
        files::copy_workspace(&root, |_, text| text)?;
        Ok(Tree { root, build })
    }

    /// Makes the change, runs the test that must catch it, and takes the change back. Says how it was caught, or else
    /// that it was not.
    pub(crate) fn run_with(&self, mutant: &Mutant) -> io::Result<Result<String, String>> {
        let file = self.root.join(&mutant.file);
        let original = files::read(&file)?;
        let changed = kit::change::apply(&original, &mutant.change)
            .map_err(|missing| io::Error::other(format!("{} has no `{missing}`", mutant.file)))?;
        fs::write(&file, changed)?;
        let ran = self.run(&mutant.caught_by);
        fs::write(&file, &original)?;
        Ok(match ran? {
            Ran::DoesNotCompile(says) => Err(format!("NOT TRIED: with the change, {says}")),
            Ran::Ended(it) if it.end.is_success() => Err("NOT CAUGHT: the test passes".into()),
            Ran::Ended(it) => match it.end {
                End::Exited(_) => Ok(format!("caught after {} ms", it.time.as_millis())),
                End::TimedOut | End::Flooded => Ok("caught, by a hang that was stopped".into()),
            },
        })
    }

    /// Compiles a test and runs it: its package, its program and its name, as `cargo test -p` takes them.
    pub(crate) fn run(&self, test: &str) -> io::Result<Ran> {
        let (program, name) = test.rsplit_once(' ').expect("a program and a name");
        let cargo = |option: &[&str]| {
            let mut cargo = Command::new(env!("CARGO"));
            cargo
                .args(["test", "--quiet", "-p"])
                .args(program.split(' '))
                .args(option)
                .current_dir(&self.root)
                .env_remove("RUSTFLAGS")
                .env("CARGO_TARGET_DIR", self.build.join("std"));
            if program.ends_with("--test loom") {
                cargo
                    .env("RUSTFLAGS", "--cfg loom")
                    .env("CARGO_TARGET_DIR", self.build.join("loom"));
            }
            cargo
        };
        let built = process::run(&mut cargo(&["--no-run"]), Limits::time(TO_BUILD))?;
        if !built.end.is_success() {
            return Ok(Ran::DoesNotCompile(built.stderr));
        }
        // A hang is killed with the programs that it started.
        let mut command = cargo(&["--", "--exact", name]);
        let ran = process::run(process::lead_a_group(&mut command), Limits::time(HANG))?;
        Ok(Ran::Ended(ran))
    }
}
