//! Makes a folder to hand out to learners.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::Parser;
use grade::{Error, Set, own_set};
use kit::files;

/// What is copied, by the beginning of its path.
const COPIED: [&str; 9] = [
    ".cargo",
    ".vscode",
    "Cargo.",
    "LICENSE",
    "book",
    "exercises",
    "lab",
    "step",
    "tools",
];
/// What is not: it is the teacher's, or was made there.
const WITHHELD: [&str; 3] = ["exercises/class/", "exercises/.rustlings", "book/book/"];

/// Makes a folder to hand out: stages, lab, exercises, the libraries that they use, and the built book. In it, cargo
/// needs no network.
#[derive(Debug, Parser)]
struct Options {
    /// The folder. It is not there yet.
    folder: PathBuf,
    /// Some exercises alone, and the tests of the stages up to theirs: `s01,s03a`, or a plan such as `half-a-day`.
    #[arg(long, value_name = "NAMES")]
    only: Option<String>,
    /// Leave out the solutions.
    #[arg(long)]
    without_solutions: bool,
    /// Make it the template of a repository, without libraries and book. Each push is graded by this course, the
    /// repository OWNER/COURSE.
    #[arg(long, value_name = "OWNER/COURSE")]
    classroom: Option<String>,
}

fn main() -> ExitCode {
    grade::main("handout", handout)
}

fn handout(options: Options) -> Result<ExitCode, Error> {
    let shown = options.folder.display();
    if options.folder.exists() {
        let text = format!("{shown} is there already: delete it, or name another");
        return Err(Error::Usage(text));
    }
    let set = Set::open(&own_set())?;
    let only = options.only.as_deref().unwrap_or_default();
    let chosen = set.only(only)?;
    let last = chosen.iter().map(|it| it.head.stage).max().unwrap_or(0);
    let is_chosen = |name: &str| chosen.iter().any(|it| it.name == name);
    let names = set.exercises.iter().map(|it| it.name.as_str());
    let others: Vec<_> = names.filter(|name| !is_chosen(name)).collect();
    let is_left_out = |text: &str| {
        let is_other = |name: &&str| {
            let ends = ["\"", ".rs"];
            ends.iter()
                .any(|end| text.contains(&format!("{name}{end}")))
        };
        options.without_solutions && text.contains("solutions/") || others.iter().any(is_other)
    };
    let to = copied(&options.folder, |path| !is_left_out(path))?;
    copy(&own_set().join("class/handout.md"), &to.join("README.md"))?;

    // Its listings are in the tools too, so the book is built before they go.
    let is_stick = options.classroom.is_none();
    if is_stick {
        let cut =
            |file: &str, end: &str| edit(&to.join(file), |text| text.split(end).take(1).collect());
        cut("book/src/SUMMARY.md", "\n---\n")?;
        cut("book/book.toml", "[output.html.search.chapter]")?;
        run(&to, "mdbook", &["build", "book", "--dest-dir", "html"])?;
    }
    for folder in ["tools", "book"] {
        fs::remove_dir_all(to.join(folder)).map_err(Error::at(&to.join(folder)))?;
    }
    if is_stick {
        fs::rename(to.join("html"), to.join("book"))?;
    }

    edit(&to.join("Cargo.toml"), |text| {
        let text = text.replace(", \"tools/*\"", "");
        match last {
            ..10 => text.replace("= [\"step*\"]", &format!("= [\"step0[1-{last}]*\"]")),
            _ => text,
        }
    })?;
    edit(&to.join("exercises/Cargo.toml"), |text| {
        let is_later = |line: &str| {
            let number = line.strip_prefix("step").and_then(|rest| rest.get(..2));
            number.and_then(|number| number.parse().ok()) > Some(last)
        };
        let lines = text.split_inclusive('\n');
        lines
            .filter(|line| !is_left_out(line) && !is_later(line))
            .collect()
    })?;
    edit(&to.join("exercises/info.toml"), |text| {
        let blocks = text.split("[[exercises]]\n");
        let blocks: Vec<_> = blocks.filter(|block| !is_left_out(block)).collect();
        blocks.join("[[exercises]]\n")
    })?;

    let workspaces = files::below(&to)?.into_iter().filter(|file| {
        let text = fs::read_to_string(file).unwrap_or_default();
        file.ends_with("Cargo.toml") && text.lines().any(|line| line == "[workspace]")
    });
    let roots: Vec<_> = workspaces.map(|file| files::shown(&to, &file)).collect();
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    if let Some(course) = &options.classroom {
        let workflow = to.join(".github/workflows/classroom.yml");
        copy(&own_set().join("class/autograde.yml"), &workflow)?;
        edit(&workflow, |text| {
            let text = text.replace("OWNER/COURSE", course);
            text.replace("ONLY: \"\"", &format!("ONLY: {only}"))
        })?;
    } else {
        let mut vendor = vec!["vendor", "--versioned-dirs"];
        vendor.extend(roots.iter().flat_map(|root| ["--sync", root]));
        let source = run(&to, &cargo, &vendor)?;
        edit(&to.join(".cargo/config.toml"), |text| {
            format!("{text}\n{source}")
        })?;
    }
    // The lock files still name what only the tools need.
    for root in &roots {
        let metadata = [
            "metadata",
            "--quiet",
            "--format-version=1",
            "--manifest-path",
            root,
        ];
        run(&to, &cargo, &metadata)?;
    }
    let count = chosen.len();
    println!("{count} exercises, up to chapter {last:02}, are in {shown}.");
    Ok(ExitCode::SUCCESS)
}

/// Copies those files of the project to a folder, and returns that.
fn copied(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<PathBuf, Error> {
    let (root, to) = (files::root(), std::path::absolute(folder)?);
    for entry in fs::read_dir(&root)? {
        let top = entry?.path();
        let name = files::shown(&root, &top);
        if !COPIED.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        for file in files::below(&top)? {
            let path = files::shown(&root, &file);
            if is_wanted(&path) && !WITHHELD.iter().any(|start| path.starts_with(start)) {
                copy(&file, &to.join(path))?;
            }
        }
    }
    Ok(to)
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(Error::at(folder))?;
    fs::copy(from, to).map(drop).map_err(Error::at(from))
}

fn edit(file: &Path, edited: impl FnOnce(&str) -> String) -> Result<(), Error> {
    fs::write(file, edited(&files::read(file)?)).map_err(Error::at(file))
}

/// Runs a program, and returns what it printed.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Error> {
    let mut command = Command::new(program);
    let command = command.args(arguments).current_dir(folder);
    let failed = |said: &str| Error::Failure(format!("{program} {}: {said}", arguments[0]));
    let ran = command
        .output()
        .map_err(|error| failed(&error.to_string()))?;
    if !ran.status.success() {
        return Err(failed(&String::from_utf8_lossy(&ran.stderr)));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}
