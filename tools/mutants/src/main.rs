//! Puts each known mistake into a copy of the project, and sees the test that catches it fail. `defects.toml` lists the mistakes.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::Path,
    process::{Command, ExitCode},
    time::Duration,
};

use kit::files;
use kit::process::{self, End, Limits};
use serde::Deserialize;

/// One change of source that makes a mistake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    /// What goes wrong. The book has a page on the mistakes of the documents.
    what: Option<String>,
    /// The file to change, from the root of the project.
    file: String,
    /// Pairs of texts: what is in the file, and what takes its place, everywhere.
    change: Vec<(String, String)>,
    /// The test that must fail then, as `cargo test -p` takes it: `package --test program name`, or `package --lib name`. With
    /// `--test loom`, and for a test in a library's `models`, loom takes the place of threads.
    caught_by: String,
}

impl Mutant {
    /// The text of the file without the mistake, and with it.
    fn texts(&self, name: &str) -> io::Result<[String; 2]> {
        let original = files::read(&files::root().join(&self.file))?;
        let mut text = original.clone();
        for (from, to) in &self.change {
            if !text.contains(from) {
                return Err(io::Error::other(format!(
                    "tools/mutants/defects.toml: {name}: {} has no {from:?}: quote what is there now",
                    self.file
                )));
            }
            text = text.replace(from, to);
        }
        Ok([original, text])
    }
}

const TO_BUILD: Duration = Duration::from_secs(1200);
/// A test that takes this long hangs, so it has caught its mistake. On a busy machine, one of loom's takes 75 seconds.
const HANG: Duration = Duration::from_secs(300);

fn mutants() -> BTreeMap<String, Mutant> {
    toml::from_str(include_str!("../defects.toml")).expect("entries with all their fields")
}

fn main() -> ExitCode {
    let names: Vec<_> = env::args().skip(1).collect();
    match try_all(&names) {
        Ok(are_caught) => ExitCode::from(u8::from(!are_caught)),
        Err(error) => {
            eprintln!("mutants: {error}");
            let is_usage = error.kind() == io::ErrorKind::InvalidInput;
            ExitCode::from(1 + u8::from(is_usage))
        }
    }
}

/// Runs the test of each of these mistakes without a change, and then with the mistake, in a copy of the project. Returns whether
/// all were caught.
fn try_all(names: &[String]) -> io::Result<bool> {
    let mut mutants = mutants();
    mutants.retain(|name, mutant| {
        // D16 is the name of two that are alike, too.
        let is_it = |it: &String| name.starts_with(it) || mutant.file.starts_with(it);
        names.is_empty() || names.iter().any(is_it)
    });
    if mutants.is_empty() {
        let how = "no such entry in defects.toml: name a mistake, as D03, or a stage, as step04";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, how));
    }
    // Before anything is built.
    let texts = mutants.iter().map(|(name, it)| it.texts(name));
    let texts = texts.collect::<io::Result<Vec<_>>>()?;
    let folder = files::root().join("target/mutants");
    copy_crates(&folder.join("tree"))?;
    // All of these first, because nothing has to be compiled again in between.
    let tests: BTreeSet<_> = mutants.values().map(|it| &*it.caught_by).collect();
    let unchanged = tests.into_iter().map(|it| Ok((it, run(&folder, it)?)));
    let unchanged: BTreeMap<_, _> = unchanged.collect::<io::Result<_>>()?;
    let mut caught = 0;
    for ((name, mutant), [original, text]) in mutants.iter().zip(texts) {
        let file = folder.join("tree").join(&mutant.file);
        fs::write(&file, text)?;
        let ran = run(&folder, &mutant.caught_by);
        fs::write(&file, original)?;
        let fate = match ran? {
            _ if unchanged[&*mutant.caught_by] != Ran::Passes => "NOT TRIED: it fails unchanged",
            Ran::Fails => "caught",
            Ran::Passes => "NOT CAUGHT: the test passes",
            Ran::IsNotThere => "NOT TRIED: the change does not compile",
        };
        caught += usize::from(fate.starts_with("caught"));
        let what = mutant.what.as_deref().unwrap_or("book/src/defects.md");
        println!("{name} ({what})\n    {}: {fate}", mutant.caught_by);
    }
    println!("{caught} of {} mistakes were caught.", mutants.len());
    Ok(caught == mutants.len())
}

/// A file that is there already and the same stays, so that cargo does not compile it again.
fn copy_crates(to: &Path) -> io::Result<()> {
    let root = files::root();
    fs::create_dir_all(to)?;
    let mut old = files::below(to)?;
    for from in files::below(&root)? {
        let path = files::shown(&root, &from);
        let mut of_crates = ["step", "lab/", "tools/", "Cargo."].iter();
        if !of_crates.any(|it| path.starts_with(it)) {
            continue;
        }
        let (copy, text) = (to.join(&path), files::read(&from)?);
        if !fs::read_to_string(&copy).is_ok_and(|there| there == text) {
            fs::create_dir_all(copy.parent().unwrap_or(to))?;
            fs::write(&copy, text)?;
        }
        old.retain(|file| *file != copy);
    }
    old.iter().try_for_each(fs::remove_file)
}

/// What became of a test.
#[derive(Clone, Copy, PartialEq)]
enum Ran {
    Passes,
    Fails,
    IsNotThere,
}

/// Compiles a test of the copy and runs it: its package, its program and its name, as `cargo test -p` takes them.
fn run(folder: &Path, test: &str) -> io::Result<Ran> {
    let (program, name) = test.rsplit_once(' ').expect("a program and a name");
    let is_model = program.ends_with("--test loom") || name.starts_with("models::");
    let is_loom = usize::from(is_model);
    let cargo = |options: &[&str], limit| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--quiet", "-p"]);
        cargo.args(program.split(' ')).args(options);
        cargo.current_dir(folder.join("tree"));
        cargo.env("RUSTFLAGS", ["", "--cfg loom"][is_loom]);
        cargo.env("CARGO_TARGET_DIR", folder.join(["std", "loom"][is_loom]));
        // A hang is killed with the programs that it started.
        process::run(process::lead_a_group(&mut cargo), Limits::time(limit))
    };
    let built = cargo(&["--no-run"], TO_BUILD)?;
    if !built.end.is_success() {
        eprintln!("{}", built.stderr);
        return Ok(Ran::IsNotThere);
    }
    let ran = cargo(&["--", "--exact", name], HANG)?;
    Ok(match ran.end {
        End::TimedOut | End::Flooded => Ran::Fails,
        End::Exited(status) if !status.success() => Ran::Fails,
        // A name that no test has is no failure for the harness.
        End::Exited(_) if ran.stdout.contains("ok. 1 passed") => Ran::Passes,
        End::Exited(_) => Ran::IsNotThere,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_is_there(package: &str, test: &str) {
        let name = format!("fn {}()", test.rsplit(':').next().unwrap_or(test));
        let files = files::below(&files::root().join(package)).unwrap();
        let mut texts = files.iter().flat_map(|it| files::read(it));
        let is_there = texts.any(|it| it.contains(&name));
        assert!(is_there, "{package} has no {test}");
    }

    #[test]
    fn every_change_can_be_made_and_every_test_is_there() {
        for (name, mutant) in mutants() {
            mutant
                .texts(&name)
                .unwrap_or_else(|error| panic!("{error}"));
            let (package, rest) = mutant.caught_by.split_once(' ').unwrap();
            assert_is_there(package, rest.rsplit_once(' ').unwrap().1);
        }
    }

    #[test]
    fn what_the_book_tells_its_reader_to_put_in_is_there() {
        let pages = files::below(&files::root().join("book/src")).unwrap();
        let texts = pages.iter().flat_map(|it| files::read(it));
        let texts = texts.collect::<Vec<_>>().concat();
        for command in texts.split("cargo run -p mutants -- ").skip(1) {
            let name = command.split(['`', '\n']).next().unwrap();
            assert!(mutants().contains_key(name), "there is no {name:?}");
        }
    }

    #[test]
    fn the_page_of_the_book_has_each_number_once_and_their_tests_are_there() {
        let page = files::read(&files::root().join("book/src/defects.md")).unwrap();
        let rows: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("| <b id="))
            .collect();
        for number in 1..=rows.len() {
            let name = format!("<b id=\"d{number:02}\">D{number:02}</b>");
            let named = rows.iter().filter(|row| row.contains(&name));
            assert_eq!(named.count(), 1, "D{number:02}");
        }
        // Between backticks, a test is the stage and its name.
        for code in page.split('`').skip(1).step_by(2) {
            if let Some((package, test)) =
                code.split_once(' ').filter(|it| it.0.starts_with("step"))
            {
                assert_is_there(package, test);
            }
        }
    }
}
