//! What was handed out earlier. Each handout is a commit in the course's own repository, which no branch leads to: its name is
//! `refs/handouts/` and the version.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use crate::{
    Error,
    class::Learner,
    command::{run, run_for_bytes},
};

/// The file of a learner's copy that has its version.
pub(crate) const VERSION: &str = "exercises/handout.txt";
const NAMES: &str = "refs/handouts/";

/// What an update leaves alone: the pages, which it does not build, and what depends on the kind of handout.
const NOT_UPDATED: [&str; 6] = [
    ".cargo",
    ".github",
    ".gitignore",
    ".gitlab-ci.yml",
    "Cargo.lock",
    "book",
];
/// They say which libraries a copy needs in `vendor`.
const LOCKS: [&str; 2] = ["exercises/Cargo.lock", "exercises/yours/Cargo.lock"];

fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(folder);
    git
}

/// Keeps the commit of a copy in the course's repository.
pub(crate) fn record(course: &Path, copy: &Path, version: &str) -> Result<(), Error> {
    let commit = format!("+HEAD:{NAMES}{version}");
    let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    run(git(course, &fetch).arg(copy).arg(commit)).map(drop)
}

/// The names of all handouts, the earliest first. A folder without a repository has none.
fn all(folder: &Path) -> Vec<String> {
    let list = ["for-each-ref", "--sort=creatordate", "--format=%(refname)"];
    let names = run(git(folder, &list).arg(NAMES)).unwrap_or_default();
    names.lines().map(String::from).collect()
}

/// The files in a part of a folder that differ from those of a handout, from that folder.
fn changed(folder: &Path, name: &str, part: &str) -> Result<Vec<String>, Error> {
    let diff = ["diff", "--relative", "--no-renames", "--name-only", "-z"];
    let paths = run(git(folder, &diff).args([name, "--", part]))?;
    Ok(paths.split_terminator('\0').map(String::from).collect())
}

/// A file of a handout, if that has it.
fn file(folder: &Path, name: &str, path: &str) -> Option<Vec<u8>> {
    run_for_bytes(&mut git(folder, &["show", &format!("{name}:./{path}")])).ok()
}

/// The texts that a folder's files had when they were handed out, as far as they have changed since, by their paths from there.
pub(crate) fn texts(folder: &Path, part: &str) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut texts: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in all(folder) {
        for path in changed(folder, &name, part)? {
            if let Some(text) = file(folder, &name, &path) {
                let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
                texts.entry(path).or_default().push(text);
            }
        }
    }
    Ok(texts)
}

/// Makes the update from all earlier handouts of this course to the one in `copy`. Returns what there is to say about it.
pub(crate) fn update(course: &Path, copy: &Path, into: &Path) -> Result<String, Error> {
    let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    let names = format!("{NAMES}*:{NAMES}*");
    run(git(copy, &fetch).arg(course).arg(names))?;
    let earlier = all(copy);
    if earlier.is_empty() {
        return Err("nothing was handed out from this course yet: leave `--update` out".into());
    }
    let (mut paths, mut said) = (BTreeSet::new(), String::new());
    for name in &earlier {
        let changed = changed(copy, name, ".")?.into_iter();
        let is_updated = |path: &String| {
            copy.join(path).is_file()
                && !NOT_UPDATED
                    .iter()
                    .any(|not| Path::new(path).starts_with(not))
        };
        paths.extend(changed.filter(is_updated));
        said += &libraries(copy, name);
    }
    if paths.iter().all(|path| path == VERSION) {
        return Err("nothing has changed since it was handed out".into());
    }
    for path in &paths {
        write(&into.join("now").join(path), &fs::read(copy.join(path))?)?;
        for (number, name) in earlier.iter().enumerate() {
            if let Some(old) = file(copy, name, path) {
                write(&into.join(format!("earlier/{number}")).join(path), &old)?;
            }
        }
        if path != VERSION {
            said += &format!("{path}\n");
        }
    }
    let manifest = "[package]\nname = \"update\"\nedition = \"2024\"\n\n[workspace]\n";
    write(&into.join("Cargo.toml"), manifest.as_bytes())?;
    // It is no part of what the learner's repository holds.
    write(&into.join(".gitignore"), b"*\n")?;
    let program = include_bytes!("../bin/update.rs");
    write(&into.join("src/main.rs"), program)?;
    Ok(said)
}

/// A line for what a copy lacks that was handed out under this name.
fn libraries(copy: &Path, name: &str) -> String {
    let sums = |text: &[u8]| -> BTreeSet<String> {
        let text = String::from_utf8_lossy(text);
        let sums = text.lines().filter(|line| line.starts_with("checksum = "));
        sums.map(String::from).collect()
    };
    let old = LOCKS.iter().filter_map(|lock| file(copy, name, lock));
    let old: BTreeSet<_> = old.flat_map(|text| sums(&text)).collect();
    let new = LOCKS
        .iter()
        .filter_map(|lock| fs::read(copy.join(lock)).ok());
    let missing = new
        .flat_map(|text| sums(&text))
        .filter(|sum| !old.contains(sum))
        .count();
    let version = name.trim_start_matches(NAMES);
    match missing {
        0 => String::new(),
        _ => format!(
            "{missing} libraries are new since {version}: without a network, its copies need a new handout instead\n"
        ),
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    Ok(fs::write(file, bytes)?)
}

/// A line for each version, with the learners who have it, if they have more than one.
pub fn versions(learners: &[Learner]) -> String {
    let mut by_version: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let file = Path::new(VERSION).file_name().unwrap_or_default();
    for Learner { name, copy, .. } in learners {
        if let Ok(version) = fs::read_to_string(copy.join(file)) {
            let version: String = version
                .trim()
                .chars()
                .filter(|letter| !letter.is_control())
                .collect();
            by_version.entry(version).or_default().push(name);
        }
    }
    if by_version.len() < 2 {
        return String::new();
    }
    let line = |(version, learners): (&String, &Vec<&str>)| {
        format!("Handout {version}: {}\n", learners.join(", "))
    };
    by_version.iter().map(line).collect()
}
