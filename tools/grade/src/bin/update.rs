//! Brings a copy of the course up to date. `handout --update` puts this program, which needs nothing but Rust's library, into an
//! update beside two folders: `now` has the files that changed, and `earlier` has the same files of each earlier handout.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Which handout a copy is.
const VERSION: &str = "exercises/handout.txt";
/// What has to fit the course's checks, whatever a learner has changed in it.
const COURSES: [&str; 7] = [
    "exercises/build.rs",
    "exercises/Cargo.lock",
    "exercises/Cargo.toml",
    "exercises/checks",
    "exercises/given",
    "exercises/info.toml",
    "exercises/yours",
];
/// The one file in those that is the learner's.
const RUNTIME: &str = "exercises/yours/src/runtime.rs";

fn main() -> ExitCode {
    match update() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Updates the copy in which it is called.
fn update() -> Result<(), Box<dyn Error>> {
    let update = env::var_os("CARGO_MANIFEST_DIR").ok_or("start it with cargo")?;
    let update = PathBuf::from(update);
    let version = |folder: &Path| fs::read_to_string(folder.join(VERSION));
    let name = update
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is = version(Path::new(""))
        .map_err(|error| format!("{VERSION}: {error}: type this in the folder of the course"))?;
    let becomes = version(&update.join("now"))?;
    let mut earlier = Vec::new();
    for entry in fs::read_dir(update.join("earlier"))? {
        earlier.push(entry?.path());
    }
    let is_known = |folder: &PathBuf| version(folder).is_ok_and(|was| was.trim() == is.trim());
    if is.trim() != becomes.trim() && !earlier.iter().any(is_known) {
        let is = is.trim();
        return Err(format!("this copy is handout {is}, which this update does not know").into());
    }
    let mut paths = Vec::new();
    below(&update.join("now"), "", &mut paths)?;
    // The copy is the new handout when all is done.
    paths.sort_by_key(|path| path == VERSION);
    let (mut written, mut left) = (Vec::new(), 0);
    for path in paths {
        let new = fs::read(update.join("now").join(&path))?;
        let old = fs::read(&path).ok();
        if old.as_ref().is_some_and(|old| is_same(old, &new)) {
            continue;
        }
        let was = |folder: &PathBuf| fs::read(folder.join(&path)).ok();
        let mut all = earlier.iter().filter_map(was);
        let is_changed = old
            .as_ref()
            .is_some_and(|old| !all.any(|was| is_same(old, &was)));
        let is_courses = COURSES
            .iter()
            .any(|name| Path::new(&path).starts_with(name));
        if is_changed && (!is_courses || path == RUNTIME) {
            println!("left      {path}: you have changed it. The new one is {name}/now/{path}");
            left += 1;
            continue;
        }
        let mut said = String::new();
        if let (true, Some(old)) = (is_changed, &old) {
            write(&update.join("yours").join(&path), old)?;
            said = format!(": what you have changed in it is in {name}/yours/{path}");
        }
        write(Path::new(&path), &new)?;
        if path != VERSION {
            let what = if old.is_some() { "replaced" } else { "added" };
            println!("{what:8}  {path}{said}");
        }
        written.push(path);
    }
    commit(&written, becomes.trim());
    println!("This copy is now handout {}.", becomes.trim());
    if left > 0 {
        println!("Files left as you have written them: {left}.");
    }
    Ok(())
}

/// Whether two files have the same text, with the line ends of any system.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let text = |bytes: &[u8]| {
        bytes
            .iter()
            .copied()
            .filter(|byte| *byte != b'\r')
            .collect()
    };
    let [one, other]: [Vec<u8>; 2] = [text(one), text(other)];
    one == other
}

/// The paths of all files in a folder, from there.
fn below(folder: &Path, path: &str, paths: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join(path))? {
        let name = entry?.file_name().into_string();
        names.push(name.map_err(|name| format!("{name:?} is no UTF-8"))?);
    }
    names.sort();
    for name in names {
        let path = if path.is_empty() {
            name
        } else {
            format!("{path}/{name}")
        };
        match folder.join(&path).is_dir() {
            true => below(folder, &path, paths)?,
            false => paths.push(path),
        }
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    let written = fs::write(file, bytes);
    Ok(written.map_err(|error| format!("{}: {error}", file.display()))?)
}

/// Commits these files, so that `reset` in rustlings brings the new starters back. A copy needs no git for anything else, so it is
/// no fault if there is none.
fn commit(paths: &[String], version: &str) {
    if paths.is_empty() || !Path::new(".git").exists() {
        return;
    }
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Poll to Tokio"]);
        git.args(["-c", "user.email=course@localhost"]);
        git.args(["-c", "commit.gpgsign=false"]);
        git.args(arguments).arg("--").args(paths);
        git.output().is_ok_and(|ran| ran.status.success())
    };
    let message = format!("Update to handout {version}");
    let is_done = git(&["add"])
        && git(&[
            "commit",
            "--quiet",
            "--no-verify",
            "--only",
            "--message",
            &message,
        ]);
    if !is_done {
        println!(
            "Git has not committed this, so a reset in rustlings brings the earlier starters back."
        );
    }
}
