//! A copy of the course for learners. `list` says what they get, and `page` and `toml` take out of it what names the rest.

pub mod earlier;
mod list;
mod page;
mod toml;

use std::{
    env,
    fmt::Display,
    fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

use clap::ValueEnum;
use kit::files;
use tempfile::TempDir;

use crate::{Error, command::run};
use earlier::VERSION;
use list::List;

/// A code host that can grade each push.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Host {
    /// GitHub, with GitHub Classroom or without.
    Github,
    /// GitLab, on gitlab.com or on a server of your own.
    Gitlab,
}

impl Host {
    /// The course's workflow for it, and where that belongs in a template.
    fn workflow(self) -> [&'static str; 2] {
        match self {
            Host::Github => [
                "exercises/teachers/autograde.yml",
                ".github/workflows/classroom.yml",
            ],
            Host::Gitlab => ["exercises/teachers/gitlab.yml", ".gitlab-ci.yml"],
        }
    }
}

/// What is handed out.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// A folder that needs no network, with the libraries and the built book.
    Folder,
    /// The template of the learners' repositories on a code host, graded there by the course in this repository.
    Template(&'a str, Host),
    /// What brings copies that were handed out earlier up to date.
    Update,
}

/// Makes the folder, which must not exist, and returns what there is to say about it.
///
/// # Errors
///
/// If the folder is there already, or something of the teacher's would be in it. Then nothing is left behind.
pub fn make(
    course: &Path,
    folder: &Path,
    kind: Kind<'_>,
    has_solutions: bool,
) -> Result<String, Error> {
    let [course, folder] = [straight(course)?, straight(folder)?];
    let pack = folder.with_extension("tar.gz");
    for path in [&folder, &pack] {
        if path.exists() {
            let what = "is there already: name another folder, or move it away";
            return Err(format!("{} {what}", path.display()).into());
        }
    }
    if folder.starts_with(&course) {
        let what = "is inside the course: name a folder beside it, such as ../stick";
        return Err(format!("{} {what}", folder.display()).into());
    }
    let parent = folder.parent().ok_or("name a folder")?;
    let made = TempDir::new_in(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    let root = made.path();
    copy(&course, root, kind, has_solutions)?;
    match kind {
        Kind::Folder => {
            add_libraries(root)?;
            build_book(root)?;
        }
        // Nothing is compiled in it here, and what was left out of the workspace leaves its list of versions.
        Kind::Template(..) => drop(run(cargo()
            .args(["update", "--workspace", "--quiet"])
            .current_dir(root))?),
        Kind::Update => {}
    }
    let version = commit(root)?;
    let update = TempDir::new_in(parent)?;
    let (whole, mut said) = match kind {
        Kind::Update => (
            update.path(),
            earlier::update(&course, root, update.path())?,
        ),
        _ => (root, String::new()),
    };
    earlier::record(&course, root, &version)?;
    fs::rename(whole, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    said += &format!(
        "handout {version}\n{}: {}",
        folder.display(),
        size(&folder)?
    );
    if let Kind::Folder | Kind::Update = kind {
        let [name, into] = [folder.file_name().unwrap_or_default(), pack.as_os_str()];
        run(Command::new("tar")
            .arg("-czf")
            .arg(into)
            .arg(name)
            .current_dir(parent))?;
        said += &format!("\n{}: {}", pack.display(), size(&pack)?);
    }
    if let Kind::Update = kind {
        let name = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let [folder, pack] = [&folder, &pack].map(|path| name(path));
        said += &format!(
            "\nLearners put that file into the folder of the course, and type there:\n    tar xf {pack}\n    \
             cargo run --manifest-path {folder}/Cargo.toml"
        );
    }
    Ok(said)
}

/// The path from the root of the disk, without a `..` in it.
fn straight(path: &Path) -> Result<PathBuf, Error> {
    let mut straight = env::current_dir()?;
    for part in path.components() {
        match part {
            Component::ParentDir => drop(straight.pop()),
            Component::CurDir => {}
            // The root, if there is one, takes the place of all before it.
            part => straight.push(part),
        }
    }
    Ok(straight)
}

/// Copies what learners get, as it is on the disk.
fn copy(course: &Path, root: &Path, kind: Kind<'_>, has_solutions: bool) -> Result<(), Error> {
    let list = List::read(course, has_solutions)?;
    let mut faults = Vec::new();
    for path in list.files() {
        let (from, to) = (course.join(path), root.join(path));
        fs::create_dir_all(to.parent().unwrap_or(root))?;
        let failed = |error: &dyn Display| format!("{path}: {error}");
        let text = match from.extension().and_then(|end| end.to_str()) {
            Some("md") => {
                let text = files::read(&from)?;
                Some(page::of_learners(path, &text, &list, &mut faults))
            }
            Some("toml") => toml::of_learners(path, &files::read(&from)?, &list)
                .map_err(|error| failed(&error))?,
            _ => None,
        };
        match text {
            Some(text) => fs::write(&to, text),
            None => fs::copy(&from, &to).map(drop),
        }
        .map_err(|error| failed(&error))?;
    }
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    if let Kind::Template(repository, host) = kind {
        let [workflow, place] = host.workflow();
        let workflow = files::read(&course.join(workflow))?;
        let file = root.join(place);
        fs::create_dir_all(file.parent().unwrap_or(root))?;
        fs::write(file, workflow.replace("OWNER/COURSE", repository))?;
    }
    Ok(())
}

/// Puts the libraries of all workspaces beside them, for each system.
fn add_libraries(root: &Path) -> Result<(), Error> {
    // With `--quiet`, it would not print what tells cargo to take them from there.
    let exercises = [
        "--sync",
        "exercises/Cargo.toml",
        "--sync",
        "exercises/yours/Cargo.toml",
    ];
    let vendor = [&["vendor"][..], &exercises, &["vendor"]].concat();
    let configuration = run(cargo().args(vendor).current_dir(root))?;
    append(root, ".cargo/config.toml", &format!("\n{configuration}"))?;
    append(root, ".gitignore", "/vendor/\n")
}

fn append(root: &Path, file: &str, text: &str) -> Result<(), Error> {
    let path = root.join(file);
    let old = files::read(&path).unwrap_or_default();
    Ok(fs::write(path, old + text)?)
}

/// Builds the book, which learners open as a file.
fn build_book(root: &Path) -> Result<(), Error> {
    let mut mdbook = Command::new("mdbook");
    let built = mdbook.args(["build", "book"]).current_dir(root).output();
    let built = built.map_err(|error| format!("mdbook: {error}: cargo install mdbook --locked"))?;
    let said = String::from_utf8_lossy(&built.stderr);
    let error = said.lines().find(|line| line.contains("ERROR"));
    match error {
        Some(line) => Err(format!("mdbook build book: {line}").into()),
        None if !built.status.success() => Err(format!("mdbook build book: {said}").into()),
        None => Ok(()),
    }
}

/// Makes a git repository, so that `reset` in rustlings can bring a starter back. The libraries and the built book are not in it.
/// Returns the version, which is the day and what was handed out.
fn commit(root: &Path) -> Result<String, Error> {
    let git = |arguments: &[&str]| {
        let who = ["user.name=Poll to Tokio", "user.email=course@localhost"];
        let mut git = Command::new("git");
        git.args(["-c", who[0], "-c", who[1], "-c", "commit.gpgsign=false"]);
        run(git.args(arguments).current_dir(root))
    };
    git(&["init", "--quiet", "--initial-branch=main"])?;
    git(&["add", "--all"])?;
    git(&["commit", "--quiet", "--message", "As it was handed out"])?;
    let version = git(&["log", "--format=%cs-%t", "--abbrev=8"])?;
    fs::write(root.join(VERSION), &version)?;
    git(&["add", VERSION])?;
    git(&["commit", "--quiet", "--amend", "--no-edit"])?;
    Ok(version.trim().to_owned())
}

fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Those of the cargo that runs this program are about the course.
    cargo.env_remove("CARGO_TARGET_DIR");
    cargo
}

/// How much a file or a folder holds.
fn size(path: &Path) -> Result<String, Error> {
    let all: Vec<PathBuf> = match path.is_dir() {
        true => files::below(path)?,
        false => vec![path.to_owned()],
    };
    let mut bytes = 0;
    for file in &all {
        bytes += fs::metadata(file)?.len();
    }
    let count = if all.len() == 1 {
        String::new()
    } else {
        format!("{} files, ", all.len())
    };
    let (size, unit) = match bytes {
        0..1_000_000 => (1e3, "kB"),
        _ => (1e6, "MB"),
    };
    Ok(format!("{count}{:.1} {unit}", bytes as f64 / size))
}
