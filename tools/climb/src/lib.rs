//! # The climb
//!
//! A runtime of a learner's own is one file. This library puts such a file into a copy of `exercises/yours`, whose judge the learner can't
//! have changed, builds the ladder there, and returns how far it climbs. [`Ladder`] is for any file; [`mod@known`] are the files of the
//! teacher's folder, of which it is known how far they climb.

pub mod known;

use std::{
    error, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use kit::{
    files,
    process::{self, Limits},
};
use serde::Deserialize;

/// Why a file couldn't be judged.
pub type Error = Box<dyn error::Error>;

/// Where the exercise is, from the root of the course.
pub const EXERCISE: &str = "exercises/yours";

/// How far a file climbs.
#[derive(Debug, Clone, Deserialize)]
pub struct Climb {
    /// How many rungs are passed, from the first on.
    pub passed: usize,
    /// How many the file says are reached.
    pub reached: usize,
    /// How many there are, without the race.
    pub of: usize,
    /// The rungs that were tried: those that are passed, and the next one.
    pub rungs: Vec<Rung>,
}

/// What came of one rung.
#[derive(Debug, Clone, Deserialize)]
pub struct Rung {
    /// From 1.
    pub number: usize,
    /// What it is about.
    pub title: String,
    /// How many things it asks, but for those in `not_mine`.
    pub asked: usize,
    /// What is not kept.
    pub broken: Vec<Broken>,
    /// What the file lists as its own decision.
    pub not_mine: Vec<NotMine>,
}

/// A clause or a check that is not kept.
#[derive(Debug, Clone, Deserialize)]
pub struct Broken {
    /// The clause or the check.
    pub name: String,
    /// What was seen, for a reader.
    pub what: String,
}

/// A clause or a check that the file's design keeps differently.
#[derive(Debug, Clone, Deserialize)]
pub struct NotMine {
    /// The clause or the check.
    pub name: String,
    /// The reason that the file gives.
    pub reason: String,
}

/// What came of a file.
#[derive(Debug, Clone)]
pub enum Came {
    /// It compiles.
    Climbed(Climb),
    /// It doesn't. What the compiler says, as on the screen.
    DoesNotCompile(String),
}

/// A copy of the exercise in which files are judged, one after the other.
#[derive(Debug)]
pub struct Ladder {
    folder: PathBuf,
    build: PathBuf,
}

/// Building takes so long at most, with all that it depends on.
const BUILD: Duration = Duration::from_secs(900);
/// A climb takes seconds. Each of its checks ends itself.
const CLIMB: Duration = Duration::from_secs(300);
const OUTPUT: usize = 16 << 20;

impl Ladder {
    /// Makes the copy in a folder, `target/climb` of the course if none is given, or brings it up to date.
    ///
    /// # Errors
    ///
    /// If the course can't be read or the folder can't be written.
    pub fn enter(folder: Option<PathBuf>) -> Result<Ladder, Error> {
        let root = files::root();
        let folder = folder.unwrap_or_else(|| root.join("target/climb"));
        let exercise = root.join(EXERCISE);
        let ladder = Ladder {
            folder: folder.join("yours"),
            build: folder.join("build"),
        };
        let course = root.display().to_string().replace('\\', "/");
        for file in files::below(&exercise)? {
            let path = file.strip_prefix(&exercise)?;
            let text = files::read(&file)?;
            // What is outside of the exercise, its manifests name from where they are.
            let text = text.replace("\"../../../", &format!("\"{course}/"));
            ladder.write(path, &text)?;
        }
        Ok(ladder)
    }

    /// Adds a line to the dependencies of the package that the file is in, or takes it away again.
    pub(crate) fn depends_on(&self, dependency: &str) -> Result<(), Error> {
        let exercise = files::root().join(EXERCISE);
        let manifest = files::read(&exercise.join("Cargo.toml"))?;
        let line = format!("\n[dependencies]\n{dependency}\n");
        self.write(
            Path::new("Cargo.toml"),
            &manifest.replacen("\n[dependencies]\n", &line, 1),
        )?;
        // Cargo adds the dependency to it.
        let lock = files::read(&exercise.join("Cargo.lock"))?;
        Ok(self.write(Path::new("Cargo.lock"), &lock)?)
    }

    /// Judges the text of a learner's file.
    ///
    /// # Errors
    ///
    /// If cargo can't be started, or the ladder itself fails.
    pub fn climb(&self, text: &str) -> Result<Came, Error> {
        self.write(Path::new("src/runtime.rs"), text)?;
        let limit = |time| Limits {
            time,
            output: OUTPUT,
        };
        let built = process::run(&mut self.cargo(&["build"]), limit(BUILD))?;
        if !built.end.is_success() {
            return Ok(Came::DoesNotCompile(built.stderr));
        }
        let result = self.folder.join("target-result.json");
        let mut ladder = self.cargo(&["run"]);
        ladder.args(["--", "--json"]).arg(&result);
        let ran = process::run(&mut ladder, limit(CLIMB))?;
        if !ran.end.is_success() {
            return Err(format!("the ladder {}: {}", ran.end, ran.stderr).into());
        }
        let json = fs::read_to_string(&result)?;
        fs::remove_file(&result)?;
        Ok(Came::Climbed(serde_json::from_str(&json)?))
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new("cargo");
        cargo
            .args(arguments)
            .arg("--quiet")
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
