//! A copy of the exercise in which any file is judged: what the learner's code does to it, the next file doesn't notice.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use cargo_metadata::{Message, diagnostic::DiagnosticLevel};
use kit::{
    files,
    process::{self, End, Outcome},
};
use serde::Deserialize;
use toml::Table;

use crate::{Error, manifest, result::Climb, scratch};

/// Where the exercise is, from the root of the course.
pub const EXERCISE: &str = "exercises/yours";
/// The learner's file, from there.
pub const FILE: &str = "src/runtime.rs";
/// What the learner's races leave there.
const RACES: &str = "races.txt";
/// A learner's endless list or endless threads end the check, and not the machine. Elsewhere than on Linux, address space says little.
const MEMORY: &[&str] = if cfg!(target_os = "linux") {
    &["-v 4194304", "-c 0"]
} else {
    &[]
};

/// What came of a file.
#[derive(Debug, Clone)]
pub enum Came {
    /// It compiles.
    Climbed(Climb),
    /// It doesn't. The compiler's errors, as on the screen.
    DoesNotCompile(String),
    /// The ladder did not come to its end with it, and why.
    Stopped(String),
}

/// A workload of the race.
#[derive(Debug, Clone, Deserialize)]
pub struct Raced {
    /// Such as `spawn`.
    pub workload: String,
    /// Nanoseconds for one on this runtime, on tokio and on stage 10, or why there is no figure.
    pub figures: Result<[f64; 3], String>,
}

/// How long one file may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A compiler may compute so many seconds, because constants need not come to an end. Not on Windows.
    pub compiler: u32,
    /// A climb takes seconds, and each of its checks ends itself. What a check has started may go on.
    pub climb: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            compiler: 120,
            climb: Duration::from_secs(300),
        }
    }
}

/// A copy of the exercise in which files are judged, one after the other.
#[derive(Debug)]
pub struct Ladder {
    /// The folder of the next two.
    scratch: PathBuf,
    /// The copy.
    folder: PathBuf,
    build: PathBuf,
    limits: Limits,
}

/// Building takes as long as it takes: each compiler has its own limit, and a busy machine is no fault of a learner's.
const BUILD: Duration = Duration::MAX;
/// In a race, no measurement takes more than a minute.
const RACE: Duration = Duration::from_secs(1800);
const OUTPUT: usize = 16 << 20;

impl Ladder {
    /// Enters a folder, `target/climb` of the course if none is given, when no other process is in it any more, and makes the copy there.
    ///
    /// # Errors
    ///
    /// If the course can't be read or the folder can't be written.
    pub fn enter(folder: Option<PathBuf>, limits: Limits) -> Result<Ladder, Error> {
        let scratch = scratch::enter(folder, "climb")?;
        let ladder = Ladder {
            folder: scratch.join("yours"),
            build: scratch.join("build"),
            scratch,
            limits,
        };
        ladder.restore()?;
        Ok(ladder)
    }

    /// Sees to it that all of the copy is as the course has it, but for the learner's file. Code of the last file may have changed it.
    fn restore(&self) -> Result<(), Error> {
        let exercise = files::root().join(EXERCISE);
        let mut texts = BTreeMap::new();
        for file in files::below(&exercise)? {
            let path = file.strip_prefix(&exercise)?;
            if path == Path::new(FILE) || path == Path::new(RACES) {
                continue;
            }
            let mut text = files::read(&file)?;
            if path.ends_with("Cargo.toml") {
                let folder = path.parent().unwrap_or(Path::new(""));
                text = manifest::moved(&text, &exercise, folder)?;
            }
            texts.insert(path.to_owned(), text);
        }
        let known = texts.keys().map(|path| self.folder.join(path));
        let own = scratch::FILES.map(|name| self.scratch.join(name));
        let kept = known.chain(own).chain([self.folder.join(FILE)]).collect();
        // First, because one would write through a link.
        self.delete_all_but(&kept, &self.scratch)?;
        for (path, text) in texts {
            self.write(&path, &text)?;
        }
        Ok(())
    }

    /// Deletes all that is in a folder but these files and what was built. A link is deleted, and not what it leads to.
    fn delete_all_but(&self, kept: &BTreeSet<PathBuf>, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let is_kept = match kind.is_dir() {
                true => path == self.build,
                false => kind.is_file() && kept.contains(&path),
            };
            if is_kept {
                continue;
            }
            if !kind.is_dir() {
                fs::remove_file(path)?;
            } else if kept.iter().any(|file| file.starts_with(&path)) {
                self.delete_all_but(kept, &path)?;
            } else {
                fs::remove_dir_all(path)?;
            }
        }
        Ok(())
    }

    /// Judges the text of a learner's file.
    ///
    /// # Errors
    ///
    /// If cargo can't be started, or the copy can't be written.
    pub fn climb(&self, text: &str) -> Result<Came, Error> {
        self.climb_with(text, &Table::new())
    }

    /// The same, for a file that needs these dependencies of its package.
    pub(crate) fn climb_with(&self, text: &str, dependencies: &Table) -> Result<Came, Error> {
        self.restore()?;
        if !dependencies.is_empty() {
            let text = files::read(&self.folder.join("Cargo.toml"))?;
            self.write(
                Path::new("Cargo.toml"),
                &manifest::with(&text, dependencies)?,
            )?;
        }
        self.write(Path::new(FILE), text)?;
        if let Some(said) = self.build(&[])? {
            return Ok(Came::DoesNotCompile(said));
        }
        let result = self.build.join("result.json");
        // What another file has left there.
        let _ = fs::remove_file(&result);
        let mut ladder = self.cargo("run", MEMORY);
        // With many threads, an arena for each would use up the address space.
        ladder.env("MALLOC_ARENA_MAX", "2");
        ladder.args(["--", "--json"]).arg(&result);
        let ran = run(&mut ladder, self.limits.climb)?;
        match ran.end {
            end if end.is_success() => {}
            End::TimedOut => {
                let limit = self.limits.climb;
                return Ok(Came::Stopped(format!(
                    "it has climbed for {limit:?}, and wasn't at its end"
                )));
            }
            end => return Ok(Came::Stopped(format!("the ladder {end}"))),
        }
        // Code of the file may have been at it.
        let json = fs::read_to_string(&result).unwrap_or_default();
        Ok(match serde_json::from_str(&json) {
            Ok(climb) => Came::Climbed(climb),
            Err(error) => Came::Stopped(format!("the ladder has left no result: {error}")),
        })
    }

    /// Runs the ladder's own tests, in which the learner's file plays no part. What they say if one fails.
    ///
    /// # Errors
    ///
    /// If cargo can't be started, or the copy can't be written.
    pub fn test(&self, text: &str) -> Result<Option<String>, Error> {
        self.restore()?;
        self.write(Path::new(FILE), text)?;
        // Named, because a learner's `cargo test` leaves them out.
        let tested = run(self.cargo("test", &[]).arg("--lib"), BUILD)?;
        let said = || format!("{}{}", tested.stdout, tested.stderr);
        Ok((!tested.end.is_success()).then(said))
    }

    /// Races the runtime that has climbed last, as `cargo race` does. It needs some minutes and a machine that does nothing else.
    ///
    /// # Errors
    ///
    /// What kept it from coming to its end.
    pub fn race(&self, is_quick: bool) -> Result<Vec<Raced>, Error> {
        let race = ["--release", "--package", "race"];
        if let Some(said) = self.build(&race)? {
            return Err(said.into());
        }
        let result = self.build.join("race.json");
        let _ = fs::remove_file(&result);
        let mut cargo = self.cargo("run", &[]);
        cargo.args(race).args(["--", "--json"]).arg(&result);
        cargo.args(is_quick.then_some("--quick"));
        let ran = run(&mut cargo, RACE)?;
        if !ran.end.is_success() {
            return Err(format!("the race {}", ran.end).into());
        }
        Ok(serde_json::from_str(&fs::read_to_string(&result)?)?)
    }

    /// Builds. All errors, as on the screen, if the compiler has found any or was stopped.
    fn build(&self, arguments: &[&str]) -> Result<Option<String>, Error> {
        let mut cargo = self.cargo("build", &[&format!("-t {}", self.limits.compiler)]);
        let built = run(cargo.arg("--message-format=json").args(arguments), BUILD)?;
        if built.end.is_success() {
            return Ok(None);
        }
        scratch::has_room(&self.folder)?;
        let (mut has_begun, mut errors) = (false, String::new());
        for message in Message::parse_stream(built.stdout.as_bytes()) {
            has_begun = true;
            match message? {
                Message::CompilerMessage(of) if of.message.level == DiagnosticLevel::Error => {
                    errors += &of.message.rendered.unwrap_or_default();
                }
                _ => {}
            }
        }
        match built.end {
            End::Exited(_) if !errors.is_empty() => Ok(Some(errors)),
            // A compiler that is killed says nothing. Cargo says by which signal.
            End::Exited(_) if has_begun => Ok(Some(format!(
                "error: the compiler was stopped\n{}",
                built.stderr
            ))),
            end => {
                Err(format!("cargo {end}, and the ladder is not built: {}", built.stderr).into())
            }
        }
    }

    fn cargo(&self, does: &str, limits: &[&str]) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = process::limited(cargo, limits);
        cargo
            .args([does, "--quiet"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", &self.build)
            .env_remove("RUSTFLAGS");
        cargo
    }

    /// Writes a file, unless it is there already: cargo builds again what was written.
    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let path = self.folder.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        fs::write(&path, text)
    }
}

/// Runs a program to its end or to this limit. What it has started, and what that has started, ends with it.
fn run(command: &mut Command, time: Duration) -> io::Result<Outcome> {
    let limits = process::Limits {
        time,
        output: OUTPUT,
    };
    process::run(process::lead_a_group(command), limits)
}
