//! A package in which many programs are built at once, and one that does not compile sinks no other.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use cargo_metadata::MetadataCommand;
use fd_lock::{RwLock, RwLockWriteGuard};

use crate::{Set, Trouble, compiler, manifest};

/// A program to be built.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name, for cargo.
    pub name: String,
    /// Its file in the package.
    pub file: String,
    /// What stands in the file.
    pub text: String,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub enum Built {
    /// It can be run.
    Program(PathBuf),
    /// What the compiler said: in short, and all of it.
    Failed {
        /// The first error's first line.
        first: String,
        /// All errors, as on the screen.
        screen: String,
    },
}

/// Where scratch packages are, and where they are built.
#[derive(Debug)]
pub struct Place {
    /// How long the compiler of one program may take.
    pub compiler_limit: Duration,
    folder: PathBuf,
    lock: RwLock<fs::File>,
}

impl Place {
    /// A place in this folder. Without one, in the target folder of the course.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn new(folder: Option<PathBuf>) -> Result<Place, Trouble> {
        let folder = match folder {
            Some(folder) => std::path::absolute(folder)?,
            None => MetadataCommand::new()
                .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
                .no_deps()
                .exec()
                .map_err(|error| Trouble::Cannot(error.to_string()))?
                .target_directory
                .join("grade")
                .into(),
        };
        fs::create_dir_all(&folder)?;
        let lock = RwLock::new(fs::File::create(folder.join("lock"))?);
        Ok(Place {
            compiler_limit: compiler::USUAL_LIMIT,
            folder,
            lock,
        })
    }

    /// Waits until nobody else builds here.
    ///
    /// # Errors
    ///
    /// If the system has no locks.
    pub fn enter(&mut self) -> Result<Entered<'_>, Trouble> {
        Ok(Entered {
            compiler_limit: self.compiler_limit,
            folder: self.folder.clone(),
            _lock: self.lock.write()?,
        })
    }
}

/// A place that nobody else builds in.
#[derive(Debug)]
pub struct Entered<'a> {
    compiler_limit: Duration,
    folder: PathBuf,
    _lock: RwLockWriteGuard<'a, fs::File>,
}

impl Entered<'_> {
    /// Writes a package with these programs, and with the dependencies of the set.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written.
    pub fn package(&self, name: &str, set: &Set, programs: &[Program]) -> Result<Package, Trouble> {
        let package = Package {
            root: self.folder.join(name),
            target: self.folder.join("build"),
            names: programs.iter().map(|p| p.name.clone()).collect(),
            compiler_limit: self.compiler_limit,
        };
        let manifest = toml::from_str(&set.read("Cargo.toml")?)
            .map_err(|error| Trouble::Usage(format!("Cargo.toml of the set: {error}")))?;
        let named = programs.iter().map(|p| (p.name.as_str(), p.file.as_str()));
        let manifest = manifest::scratch(&manifest, &set.folder, named);
        package.write("Cargo.toml", &manifest.to_string())?;
        // The versions that the course was tested with, and so nothing to look up.
        for lock in ["Cargo.lock", "../Cargo.lock"] {
            if !package.root.join("Cargo.lock").exists() && set.folder.join(lock).exists() {
                fs::copy(set.folder.join(lock), package.root.join("Cargo.lock"))?;
            }
        }
        for program in programs {
            package.write(&program.file, &program.text)?;
        }
        Ok(package)
    }
}

/// A package of programs.
#[derive(Debug)]
pub struct Package {
    /// Its folder.
    pub root: PathBuf,
    target: PathBuf,
    pub(crate) names: BTreeSet<String>,
    compiler_limit: Duration,
}

impl Package {
    /// Writes a file, if something else stands in it: cargo builds again what was written.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<(), Trouble> {
        let path = self.root.join(file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        Ok(fs::write(path, text)?)
    }

    /// A command of cargo, to be run on this package.
    ///
    /// # Errors
    ///
    /// If this program does not know where it is itself.
    pub(crate) fn cargo(&self, command: &[&str]) -> io::Result<Command> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut cargo = Command::new(cargo);
        cargo
            .args(command)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null());
        compiler::limit(&mut cargo, self.compiler_limit)?;
        Ok(cargo)
    }
}
