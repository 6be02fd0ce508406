//! A copy of the course for learners, without what is the teacher's.

use std::{
    env, fs,
    path::{Component, Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use clap::ValueEnum;
use kit::files;
use regex::{Captures, Regex};
use tempfile::TempDir;

use crate::{
    Error,
    command::run,
    earlier::{self, VERSION},
};

/// What a learner neither needs nor should have, besides the pages of the book that its table of contents marks. `grade` needs
/// the solutions and the wrong answers, so it stays with them.
const TEACHERS: [&str; 5] = [
    "exercises/teachers",
    SOLUTIONS,
    "tools/climb",
    "tools/exam",
    "tools/grade",
];
/// What belongs to the development of the course.
const DEVELOPERS: [&str; 6] = [
    ".ci",
    ".github/ISSUE_TEMPLATE",
    ".github/dependabot.yml",
    ".github/workflows",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
];
const SOLUTIONS: &str = "exercises/solutions";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// A passage of a page that is for the teacher.
static MARKED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?s)\n?<!-- BEGIN for teachers -->(.*?)<!-- END for teachers -->"));
/// A link, up to its anchor.
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\(([^)#\s]+)[^)]*\)"));

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

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

/// Copies what git tracks and learners get, as it is on the disk.
fn copy(course: &Path, root: &Path, kind: Kind<'_>, has_solutions: bool) -> Result<(), Error> {
    let tracked = run(Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(course))?;
    let summary = files::read(&course.join(SUMMARY))?;
    let pages = MARKED
        .captures_iter(&summary)
        .flat_map(|captures| links(SUMMARY, &captures[1]));
    let mut left_out: Vec<String> = pages.collect();
    left_out.extend(
        [&TEACHERS[..], &DEVELOPERS]
            .concat()
            .into_iter()
            .map(String::from),
    );
    left_out.retain(|file| !has_solutions || file != SOLUTIONS);
    let mut faults = Vec::new();
    for path in tracked
        .split_terminator('\0')
        .filter(|file| !is_in(file, &left_out))
    {
        let (from, to) = (course.join(path), root.join(path));
        fs::create_dir_all(to.parent().unwrap_or(root))?;
        let text = match Path::new(path).extension().and_then(|end| end.to_str()) {
            Some("md") => Some(page(path, &files::read(&from)?, &left_out, &mut faults)),
            Some("toml") => Some(listed(&files::read(&from)?, &left_out)),
            _ => None,
        };
        match text {
            Some(text) => fs::write(&to, text),
            None => fs::copy(&from, &to).map(drop),
        }
        .map_err(|error| format!("{path}: {error}"))?;
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

/// Whether a path is one of these, or below one of them.
fn is_in(path: &str, folders: &[String]) -> bool {
    folders
        .iter()
        .any(|folder| Path::new(path).starts_with(folder))
}

/// The paths from the root that a page links to, as far as they are in the project.
fn links(page: &str, text: &str) -> Vec<String> {
    let found = LINK.captures_iter(text);
    found
        .map(|link| course::pages::included(page, &link[1]))
        .collect()
}

/// A page without the passages that are marked, and without the rows of tables that link to what is left out. Another link of
/// that kind is a fault.
fn page(path: &str, text: &str, left_out: &[String], faults: &mut Vec<String>) -> String {
    // The lines keep their numbers until the faults are named.
    let lines = |it: &Captures<'_>| "\n".repeat(it[0].matches('\n').count());
    let unmarked = MARKED.replace_all(text, lines);
    for (number, line) in (1..).zip(unmarked.lines()) {
        let dead = links(path, line)
            .into_iter()
            .find(|link| is_in(link, left_out));
        if let (Some(dead), false) = (dead, line.starts_with('|')) {
            let how =
                "put it between `<!-- BEGIN for teachers -->` and `<!-- END for teachers -->`";
            faults.push(format!(
                "{path}:{number}: links to {dead}, which is not handed out: {how}"
            ));
        }
    }
    let unmarked = MARKED.replace_all(text, "");
    let is_dead = |line: &&str| {
        line.starts_with('|') && links(path, line).iter().any(|link| is_in(link, left_out))
    };
    let lines = unmarked.lines().filter(|line| !is_dead(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A manifest or a configuration without the lines that name a file that is left out: a program in its list, or a page.
fn listed(text: &str, left_out: &[String]) -> String {
    let names = |line: &&str, it: &String| {
        let page = it
            .strip_prefix("book/src/")
            .map(|page| format!("{page:?} = "));
        let program = it
            .strip_prefix("exercises/")
            .map(|it| format!("path = \"{it}/"));
        page.is_some_and(|it| line.starts_with(&it)) || program.is_some_and(|it| line.contains(&it))
    };
    let is_left = |line: &&str| !left_out.iter().any(|it| names(line, it));
    let lines = text.lines().filter(is_left);
    lines.map(|line| format!("{line}\n")).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loses_what_is_marked_and_no_dead_link_stays() {
        let left_out = ["book/src/quiz.md".to_owned(), SOLUTIONS.to_owned()];
        let page = |text: &str| {
            let mut faults = Vec::new();
            let page = page("book/src/a.md", text, &left_out, &mut faults);
            (page, faults)
        };
        let marked = "one\n<!-- BEGIN for teachers -->\n[A quiz](quiz.md#key)\n<!-- END for teachers -->\ntwo\n";
        assert_eq!(page(marked), ("one\ntwo\n".to_owned(), Vec::new()));
        let row = "| [x](../../exercises/solutions/01/x.rs) | x |\n| [y](b.md) | y |\n";
        assert_eq!(page(row), ("| [y](b.md) | y |\n".to_owned(), Vec::new()));
        let (_, faults) = page(&format!("{marked}\nSee [the quiz](quiz.md).\n"));
        assert!(
            faults[0].starts_with("book/src/a.md:7: links to book/src/quiz.md, "),
            "{faults:?}"
        );
    }

    #[test]
    fn a_list_loses_the_lines_of_what_is_left_out() {
        let left_out = ["book/src/quiz.md".to_owned(), SOLUTIONS.to_owned()];
        let list = "\"quiz.md\" = { enable = false }\n{ name = \"a\", path = \"exercises/a.rs\" },\n\
            { name = \"a_sol\", path = \"solutions/a.rs\" },\n";
        let kept = "{ name = \"a\", path = \"exercises/a.rs\" },\n";
        assert_eq!(listed(list, &left_out), kept);
    }
}
