//! A package in which many programs are built at once, and one that does not compile sinks no other.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    io::{BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use cargo_metadata::{Message, MetadataCommand, diagnostic::DiagnosticLevel};
use fd_lock::{RwLock, RwLockWriteGuard};

use crate::{Set, Trouble, child, manifest};

/// If cargo says nothing for so long, then one of the compilers will never end.
const SILENCE: Duration = Duration::from_secs(120);

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
        Ok(Place { folder, lock })
    }

    /// Waits until nobody else builds here.
    ///
    /// # Errors
    ///
    /// If the system has no locks.
    pub fn enter(&mut self) -> Result<Entered<'_>, Trouble> {
        let (folder, _lock) = (self.folder.clone(), self.lock.write()?);
        Ok(Entered { folder, _lock })
    }
}

/// A place that nobody else builds in.
#[derive(Debug)]
pub struct Entered<'a> {
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
    names: BTreeSet<String>,
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
    pub(crate) fn cargo(&self, command: &[&str]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut cargo = Command::new(cargo);
        cargo
            .args(command)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null());
        cargo
    }

    /// Compiles the tests of all programs.
    ///
    /// # Errors
    ///
    /// If cargo cannot be run, or cannot build what all of them depend on.
    pub fn build(&self) -> Result<BTreeMap<String, Built>, Trouble> {
        self.compile(self.cargo(&["build", "--tests", "--keep-going", "--message-format=json"]))
    }

    /// Runs a command of cargo that compiles, and sorts what it says by program. A program of which it says nothing is
    /// left out.
    pub(crate) fn compile(&self, mut cargo: Command) -> Result<BTreeMap<String, Built>, Trouble> {
        cargo.stdout(Stdio::piped()).stderr(Stdio::piped());
        child::lead_a_group(&mut cargo);
        let mut cargo = cargo.spawn()?;
        let (mut built, stalled, said) = self.listen(&mut cargo);
        if stalled {
            child::kill_group(&mut cargo);
        }
        let status = cargo.wait()?;
        if built.is_empty() && !status.success() && !stalled {
            return Err(Trouble::Cannot(said));
        }
        for name in self.names.iter().filter(|_| stalled) {
            built.entry(name.clone()).or_insert_with(|| {
                let text = format!("the compiler was stopped: it said nothing for {SILENCE:?}");
                Built::Failed {
                    first: text.clone(),
                    screen: text,
                }
            });
        }
        if let Some(name) = built.keys().find(|name| !self.names.contains(*name)) {
            let text = format!("`{name}`, on which the exercises depend, cannot be built: {said}");
            return Err(Trouble::Cannot(text));
        }
        Ok(built)
    }

    fn listen(&self, cargo: &mut Child) -> (BTreeMap<String, Built>, bool, String) {
        let (tell, told) = mpsc::channel();
        let stdout = cargo.stdout.take().expect("it is piped");
        thread::spawn(move || {
            for message in Message::parse_stream(BufReader::new(stdout)).flatten() {
                let _ = tell.send(message);
            }
        });
        let mut stderr = cargo.stderr.take().expect("it is piped");
        let said = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut built = BTreeMap::new();
        loop {
            match told.recv_timeout(SILENCE) {
                Ok(message) => self.note(message, &mut built),
                Err(RecvTimeoutError::Timeout) => return (built, true, String::new()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        (built, false, said.join().unwrap_or_default())
    }

    fn note(&self, message: Message, built: &mut BTreeMap<String, Built>) {
        match message {
            Message::CompilerArtifact(artifact) => {
                if let Some(program) = artifact.executable {
                    built.insert(artifact.target.name, Built::Program(program.into()));
                }
            }
            Message::CompilerMessage(said) if said.message.level == DiagnosticLevel::Error => {
                let code = said.message.code.map(|code| format!("[{}]", code.code));
                let line = format!(
                    "error{}: {}",
                    code.unwrap_or_default(),
                    said.message.message
                );
                let line = line.lines().next().unwrap_or_default().to_owned();
                let rendered = said.message.rendered.unwrap_or_default();
                let failed = built.entry(said.target.name).or_insert(Built::Failed {
                    first: line,
                    screen: String::new(),
                });
                if let Built::Failed { screen, .. } = failed {
                    *screen += &rendered;
                }
            }
            _ => {}
        }
    }
}
