//! A package in which many programs are built at once, and one that does not compile sinks no other.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    path::PathBuf,
    process::Command,
    time::Duration,
};

use cargo_metadata::{Message, diagnostic::DiagnosticLevel};
use fd_lock::RwLock;
use kit::{
    files,
    process::{self, End, Limits},
};
use toml::{Table, Value};

use crate::{Error, Set};

/// A program to be built: its name, its file in the package, and what is in the file.
#[derive(Clone)]
pub(crate) struct Program {
    pub name: String,
    pub file: String,
    pub text: String,
}

/// What became of programs, by their names: the executable, or all errors, as on the screen.
pub(crate) type Built = BTreeMap<String, Result<PathBuf, String>>;

/// A folder in which programs are built, by this process alone.
#[derive(Debug)]
pub struct Package {
    root: PathBuf,
    limit: u32,
}

impl Package {
    /// Waits until no other process builds in this folder. Without a folder, it is `target/grade` of the course.
    ///
    /// The compiler of one program may compute for `limit` seconds, because constants need not come to an end.
    pub fn enter(folder: Option<PathBuf>, limit: u32) -> Result<Package, Error> {
        let folder = folder.unwrap_or_else(|| files::root().join("target/grade"));
        let root = std::path::absolute(folder)?;
        fs::create_dir_all(&root)?;
        // Held to the end of the process, which enters one such folder.
        let lock = Box::leak(Box::new(RwLock::new(File::create(root.join("lock"))?)));
        std::mem::forget(lock.write()?);
        Ok(Package { root, limit })
    }

    /// Compiles the tests of these programs, with the dependencies of the set. A program of which cargo says nothing is left
    /// out.
    pub(crate) fn build(&self, set: &Set, programs: &[Program]) -> Result<Built, Error> {
        if programs.is_empty() {
            // Cargo builds no package without a program.
            return Ok(Built::new());
        }
        self.write("Cargo.toml", &manifest(set, programs)?)?;
        // The versions that the course was tested with, so that there is nothing to look up.
        if let Ok(versions) = set.read("Cargo.lock").or(set.read("../Cargo.lock")) {
            self.write("Cargo.lock", &versions)?;
        }
        for folder in ["checks", "given"] {
            for file in files::below(&set.folder.join(folder)).unwrap_or_default() {
                self.write(&files::shown(&set.folder, &file), &files::read(&file)?)?;
            }
        }
        for program in programs {
            self.write(&program.file, &program.text)?;
        }
        let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(&program);
        if cfg!(unix) {
            let limited = format!(r#"ulimit -t {}; exec "$0" "$@""#, self.limit);
            cargo = Command::new("sh");
            cargo.args(["-c", &limited]).arg(program);
        }
        cargo.args(["build", "--tests", "--keep-going", "--message-format=json"]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("build"));
        cargo.env_remove("RUSTFLAGS").current_dir(&self.root);
        let (time, output) = (Duration::from_secs(30 * 60), 64 << 20);
        let ran = process::run(process::lead_a_group(&mut cargo), Limits { time, output })?;
        let mut built = Built::new();
        for message in Message::parse_stream(ran.stdout.as_bytes()) {
            match message? {
                Message::CompilerArtifact(it) => {
                    let file = it.executable.map(|file| Ok(file.into()));
                    built.extend(file.map(|file| (it.target.name, file)));
                }
                Message::CompilerMessage(it) if it.message.level == DiagnosticLevel::Error => {
                    let failed = built.entry(it.target.name);
                    let failed = failed.or_insert_with(|| Err(String::new()));
                    if let Err(screen) = failed {
                        *screen += &it.message.rendered.unwrap_or_default();
                    }
                }
                _ => {}
            }
        }
        let is_ours = |name: &String| programs.iter().any(|it| it.name == *name);
        let (end, said) = (ran.end, ran.stderr);
        match end {
            // Where nothing was built, it is not a program's fault.
            End::Exited(_) if !built.is_empty() && built.keys().all(is_ours) => Ok(built),
            _ => Err(format!("cargo {end}, and the exercises are not built: {said}").into()),
        }
    }

    /// Writes a file, unless it is there already: cargo builds again what was written.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.root.join(file);
        if !fs::read_to_string(&path).is_ok_and(|old| old == text) {
            fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
            fs::write(&path, text)?;
        }
        Ok(path)
    }
}

/// The manifest of the set, for a package in another folder and with other programs.
fn manifest(set: &Set, programs: &[Program]) -> Result<String, Error> {
    let mut manifest: Table = set.read("Cargo.toml")?.parse()?;
    if let Some(Value::Table(dependencies)) = manifest.get_mut("dependencies") {
        for (_, dependency) in dependencies {
            if let Some(Value::String(path)) = dependency.get_mut("path") {
                *path = set.folder.join(&*path).to_string_lossy().into_owned();
            }
        }
    }
    manifest.remove("bin");
    manifest.remove("profile");
    manifest.remove("workspace");
    let bin = |it: &Program| format!("[[bin]]\nname = {:?}\npath = {:?}\n", it.name, it.file);
    let bins: String = programs.iter().map(bin).collect();
    // A workspace of its own: it is inside the course's folder, and no member. It takes a fifth less to compute than with the
    // usual number of units, for programs as small as these.
    let profile =
        "[workspace]\n[profile.dev]\ndebug = false\nincremental = false\ncodegen-units = 1\n";
    Ok(format!("{manifest}\n{bins}{profile}"))
}
