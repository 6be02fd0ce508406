//! A package in which many programs are built at once, and one that does not compile sinks no other.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::PathBuf,
    process::Command,
    time::Duration,
};

use cargo_metadata::{Message, diagnostic::DiagnosticLevel};
use fd_lock::{RwLock, RwLockWriteGuard};
use kit::{
    files,
    process::{self, End, Limits},
};
use toml::Value;

use crate::{Error, Set, set::parsed};

/// All programs are built within this time, and cargo says no more than this about them.
const CARGO: Limits = Limits {
    time: Duration::from_secs(30 * 60),
    output: 64 << 20,
};

/// A program to be built.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name, for cargo.
    pub name: String,
    /// Its file in the package.
    pub file: String,
    /// What is in the file.
    pub text: String,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub enum Build {
    /// It can be run.
    Executable(PathBuf),
    /// What the compiler said: in short, and all of it.
    Failed {
        /// The first error's first line.
        first: String,
        /// All errors, as on the screen.
        screen: String,
    },
}

/// A folder in which packages are built, by this process alone.
#[derive(Debug)]
pub struct BuildFolder {
    folder: PathBuf,
    compiler_limit: u32,
    _lock: RwLockWriteGuard<'static, fs::File>,
}

impl BuildFolder {
    /// Waits until no other process builds in this folder. Without a folder, it is `target/grade` of the course.
    ///
    /// The compiler of one program may compute for `compiler_limit` seconds, because constants need not come to an end.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made or locked.
    pub fn enter(folder: Option<PathBuf>, compiler_limit: u32) -> Result<BuildFolder, Error> {
        let folder = match folder {
            Some(folder) => std::path::absolute(folder)?,
            None => files::root().join("target/grade"),
        };
        fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
        let file = folder.join("lock");
        let lock = RwLock::new(fs::File::create(&file).map_err(Error::at(&file))?);
        // Held to the end of the process, which enters one such folder.
        let lock = Box::leak(Box::new(lock));
        let is_locked = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        if lock.try_write().is_err_and(is_locked) {
            eprintln!("waiting for another grade in {}", folder.display());
        }
        Ok(BuildFolder {
            _lock: lock.write().map_err(Error::at(&file))?,
            folder,
            compiler_limit,
        })
    }

    /// Writes a package with these programs, and with the dependencies of the set.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written.
    pub fn package(&self, name: &str, set: &Set, programs: &[Program]) -> Result<Package, Error> {
        let package = Package {
            root: self.folder.join(name),
            names: programs
                .iter()
                .map(|program| program.name.clone())
                .collect(),
            target: self.folder.join("build"),
            compiler_limit: self.compiler_limit,
        };
        package.write("Cargo.toml", &manifest(set, programs)?)?;
        // The versions that the course was tested with, so that there is nothing to look up.
        let lock = package.root.join("Cargo.lock");
        for versions in ["Cargo.lock", "../Cargo.lock"].map(|file| set.folder.join(file)) {
            if !lock.exists() && versions.exists() {
                fs::copy(&versions, &lock).map_err(Error::at(&versions))?;
            }
        }
        for folder in ["checks", "given"] {
            for file in files::below(&set.folder.join(folder)).unwrap_or_default() {
                package.write(&files::shown(&set.folder, &file), &files::read(&file)?)?;
            }
        }
        for program in programs {
            package.write(&program.file, &program.text)?;
        }
        Ok(package)
    }
}

/// The manifest of the set, for a package in another folder and with other programs.
fn manifest(set: &Set, programs: &[Program]) -> Result<String, Error> {
    let mut manifest: toml::Table = parsed(&set.folder.join("Cargo.toml"))?;
    let dependencies = manifest
        .get_mut("dependencies")
        .and_then(Value::as_table_mut);
    for (_, dependency) in dependencies.into_iter().flatten() {
        if let Some(Value::String(path)) = dependency.get_mut("path") {
            *path = set.folder.join(&*path).to_string_lossy().into_owned();
        }
    }
    let bins = programs.iter().map(|Program { name, file, .. }| {
        let bin = [("name", name), ("path", file)];
        let bin = bin.map(|(key, text)| (key.to_owned(), text.as_str().into()));
        Value::Table(toml::Table::from_iter(bin))
    });
    manifest.insert("bin".into(), Value::Array(bins.collect()));
    // Its own workspace: it is inside the course's folder, and no member.
    manifest.insert("workspace".into(), toml::Table::new().into());
    // A fifth less to compute than with the usual number of units, for programs as small as these.
    let profile = toml::toml! { dev = { debug = false, incremental = false, codegen-units = 1 } };
    manifest.insert("profile".into(), profile.into());
    Ok(manifest.to_string())
}

/// A package of programs.
#[derive(Debug)]
pub struct Package {
    /// Its folder.
    pub root: PathBuf,
    names: BTreeSet<String>,
    target: PathBuf,
    compiler_limit: u32,
}

impl Package {
    /// Compiles the tests of all programs.
    ///
    /// # Errors
    ///
    /// If cargo cannot be run, or cannot build what all of them depend on.
    pub fn build(&self) -> Result<BTreeMap<String, Build>, Error> {
        self.cargo(&["build", "--tests", "--keep-going", "--message-format=json"])
    }

    /// Runs a command of cargo that compiles, and sorts what it says by program. A program of which it says nothing is
    /// left out.
    pub(crate) fn cargo(&self, command: &[&str]) -> Result<BTreeMap<String, Build>, Error> {
        let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(&program);
        if cfg!(unix) {
            let limited = format!(r#"ulimit -t {}; exec "$0" "$@""#, self.compiler_limit);
            cargo = Command::new("sh");
            cargo.args(["-c", &limited]).arg(program);
        }
        cargo
            .args(command)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("RUSTFLAGS");
        let ran = process::run(process::lead_a_group(&mut cargo), CARGO)?;
        let mut built = BTreeMap::new();
        for message in Message::parse_stream(ran.stdout.as_bytes()) {
            note(message?, &mut built);
        }
        let failure = match ran.end {
            End::TimedOut | End::Flooded => format!("cargo was stopped after {:?}", ran.time),
            End::Exited(status) if built.is_empty() && !status.success() => "cargo failed".into(),
            End::Exited(_) => match built.keys().find(|name| !self.names.contains(*name)) {
                None => return Ok(built),
                Some(name) => format!("`{name}`, on which the exercises depend, cannot be built"),
            },
        };
        Err(Error::Failure(format!("{failure}: {}", ran.stderr)))
    }

    fn write(&self, file: &str, text: &str) -> Result<(), Error> {
        let path = self.root.join(file);
        // Cargo builds again what was written.
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
        fs::write(&path, text).map_err(Error::at(&path))
    }
}

fn note(message: Message, built: &mut BTreeMap<String, Build>) {
    match message {
        Message::CompilerArtifact(artifact) => {
            if let Some(program) = artifact.executable {
                built.insert(artifact.target.name, Build::Executable(program.into()));
            }
        }
        Message::CompilerMessage(said) if said.message.level == DiagnosticLevel::Error => {
            let message = said.message;
            let code = message.code.map(|code| format!("[{}]", code.code));
            let text = message.message.lines().next().unwrap_or_default();
            let failed = built.entry(said.target.name).or_insert(Build::Failed {
                first: format!("error{}: {text}", code.unwrap_or_default()),
                screen: String::new(),
            });
            if let Build::Failed { screen, .. } = failed {
                *screen += &message.rendered.unwrap_or_default();
            }
        }
        _ => {}
    }
}
