//! A workspace in which many answers are built at once, and one that does not compile sinks no other.
//!
//! Each answer is a package of two crates. One is the learner's text, as a library whose root it is. The other is a program whose
//! root is ours, with the course's checks in it. So neither a macro nor an attribute, a comment or a `main` of the answer is
//! anything to the checks: all that they have of it are the items that they name.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    time::Duration,
};

use cargo_metadata::{Message, Target, diagnostic::DiagnosticLevel};
use climb::scratch;
use kit::{
    files,
    process::{self, End, Limits},
};
use toml::{Table, Value};

use super::open::Source;
use crate::{Error, Set};

/// An answer to be built.
#[derive(Clone)]
pub(crate) struct Program {
    /// Of the package.
    pub name: String,
    /// The file of the answer, from the root of the workspace.
    pub file: String,
    /// What is in the file.
    pub text: String,
    /// The same, with all of it public.
    pub open: String,
    /// The root of the program that judges it.
    pub judge: String,
}

/// What became of the answers, by their names: the executable, or all errors, as on the screen.
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
        let root = scratch::enter(folder, "grade")?;
        Ok(Package { root, limit })
    }

    /// Compiles these answers and their judges, with the dependencies of the set. An answer of which cargo says nothing is left
    /// out.
    pub(crate) fn build(&self, set: &Set, programs: &[Program]) -> Result<Built, Error> {
        let mut shared = vec![include_str!("../../judge/harness.rs").to_owned()];
        self.write("harness.rs", &shared[0])?;
        for folder in ["checks", "given"] {
            for file in files::below(&set.folder.join(folder)).unwrap_or_default() {
                let (name, text) = (files::shown(&set.folder, &file), files::read(&file)?);
                let open = Source::read(&text).map(|source| source.open(&BTreeSet::new()));
                let text = open.unwrap_or(text);
                self.write(&name, &text)?;
                shared.push(text);
            }
        }
        for program in programs {
            self.write(&program.file, &program.open)?;
        }
        let mut built = self.compile(set, programs, &shared)?;
        // What the compiler says of a text must be about the text that the learner wrote, to the column.
        let is_refused = |program: &&Program| {
            program.open != program.text && matches!(built.get(&program.name), Some(Err(_)))
        };
        let refused: Vec<_> = programs.iter().filter(is_refused).cloned().collect();
        for program in &refused {
            self.write(&program.file, &program.text)?;
        }
        let of_text = self.compile(set, &refused, &shared)?.into_iter();
        built.extend(of_text.filter(|(name, result)| {
            let judge = format!("--> {name}.rs:");
            result
                .as_ref()
                .is_err_and(|screen| !screen.contains(&judge))
        }));
        Ok(built)
    }

    /// Compiles what is written, of which all programs share these texts.
    fn compile(&self, set: &Set, programs: &[Program], shared: &[String]) -> Result<Built, Error> {
        if programs.is_empty() {
            // Cargo builds no workspace without a package.
            return Ok(Built::new());
        }
        self.write("Cargo.toml", &workspace(set, programs)?)?;
        // The versions that the course was tested with, so that there is nothing to look up.
        if let Ok(versions) = set.read("Cargo.lock").or(set.read("../Cargo.lock")) {
            self.write("Cargo.lock", &versions)?;
        }
        for program in programs {
            let Program {
                name, file, judge, ..
            } = program;
            let answer = self.root.join(file);
            let texts = (files::read(&answer)?, judge, shared);
            let manifest = package(set, name, [answer, self.judge(name)], &texts)?;
            self.write(&format!("programs/{name}/Cargo.toml"), &manifest)?;
            self.write(&format!("{name}.rs"), judge)?;
        }
        let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = process::limited(program, &[&format!("-t {}", self.limit)]);
        cargo.args([
            "build",
            "--workspace",
            "--keep-going",
            "--message-format=json",
        ]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("build"));
        cargo.env_remove("RUSTFLAGS").current_dir(&self.root);
        // Each compiler has its limit, and a large class may take hours.
        let (time, output) = (Duration::MAX, 64 << 20);
        let ran = process::run(process::lead_a_group(&mut cargo), Limits { time, output })?;
        let mut built = Built::new();
        let name = |target: &Target| target.name.replace('_', "-");
        let by_target: BTreeMap<_, _> = programs
            .iter()
            .map(|exercise| (exercise.name.replace('_', "-"), &exercise.name))
            .collect();
        let mut is_alien = false;
        for message in Message::parse_stream(ran.stdout.as_bytes()) {
            match message? {
                Message::CompilerArtifact(it) => {
                    let program = it.executable.zip(by_target.get(&name(&it.target)));
                    built
                        .extend(program.map(|(file, name)| (String::clone(name), Ok(file.into()))));
                }
                Message::CompilerMessage(it) if it.message.level == DiagnosticLevel::Error => {
                    let Some(name) = by_target.get(&name(&it.target)) else {
                        is_alien = true;
                        continue;
                    };
                    let failed = built.entry(String::clone(name));
                    if let Err(screen) = failed.or_insert_with(|| Err(String::new())) {
                        *screen += &it.message.rendered.unwrap_or_default();
                    }
                }
                _ => {}
            }
        }
        let is_built = |program: &Program| matches!(built.get(&program.name), Some(Ok(_)));
        if !programs.iter().all(is_built) {
            scratch::has_room(&self.root)?;
        }
        let (end, said) = (ran.end, ran.stderr);
        match end {
            // Where nothing was built, it is not an answer's fault.
            End::Exited(_) if !built.is_empty() && !is_alien => Ok(built),
            _ => Err(format!("cargo {end}, and the exercises are not built: {said}").into()),
        }
    }

    /// The root of the program that judges an answer.
    fn judge(&self, name: &str) -> PathBuf {
        self.root.join(format!("{name}.rs"))
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

/// The manifest of the workspace.
fn workspace(set: &Set, programs: &[Program]) -> Result<String, Error> {
    let mut dependencies = manifest(set)?.remove("dependencies");
    if let Some(Value::Table(dependencies)) = &mut dependencies {
        for (_, dependency) in dependencies {
            if let Some(Value::String(path)) = dependency.get_mut("path") {
                *path = set.folder.join(&*path).to_string_lossy().into_owned();
            }
        }
    }
    let members: Vec<_> = programs
        .iter()
        .map(|program| format!("programs/{}", program.name))
        .collect();
    let mut workspace = Table::new();
    workspace.insert("resolver".into(), "3".into());
    workspace.insert("members".into(), members.into());
    workspace.extend(dependencies.map(|dependency| ("dependencies".into(), dependency)));
    // It takes a fifth less to compute than with the usual number of units, for programs as small as these.
    let profile = "[profile.dev]\ndebug = false\nincremental = false\ncodegen-units = 1\n";
    let workspace = Table::from_iter([("workspace".to_owned(), Value::Table(workspace))]);
    Ok(format!("{workspace}\n{profile}"))
}

/// The manifest of a package with these two crates. Their paths are absolute, because cargo then calls them in its messages as
/// they are called from the root of the workspace.
///
/// Cargo builds again what was written since. In a copy of this folder it looks at the files of the original, and would take what
/// another learner wrote for what this one did. So the manifest has a feature that is named after the texts and that nobody asks
/// for: a package with other features is built again.
fn package(
    set: &Set,
    name: &str,
    crates: [PathBuf; 2],
    texts: &impl Hash,
) -> Result<String, Error> {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    let texts = format!("texts-{:016x}", hasher.finish());
    let set = manifest(set)?;
    let edition = set
        .get("package")
        .and_then(|package| package.get("edition"));
    let edition = edition.and_then(Value::as_str).unwrap_or("2024");
    let [library, program] = crates.map(|path| Value::from(&*path.to_string_lossy()));
    let mut manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"{edition}\"\n\n[lib]\npath = {library}\n\n\
         [[bin]]\nname = \"{name}\"\npath = {program}\n\n\
         [features]\ndefault = [\"checked\"]\nchecked = []\n{texts} = []\n\n[dependencies]\n"
    );
    if let Some(Value::Table(dependencies)) = set.get("dependencies") {
        for name in dependencies.keys() {
            manifest += &format!("{name}.workspace = true\n");
        }
    }
    Ok(manifest)
}

fn manifest(set: &Set) -> Result<Table, Error> {
    Ok(set.read("Cargo.toml")?.parse()?)
}
