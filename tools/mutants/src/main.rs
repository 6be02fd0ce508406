//! Puts each known mistake into a copy of the project, and sees the test that catches it fail.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::Path,
    process::{Command, ExitCode},
    time::Duration,
};

use kit::files;
use kit::process::{self, End, Limits};
use mutants::mutants;

const TO_BUILD: Duration = Duration::from_secs(1200);
/// A test that takes this long hangs, so it has caught its mistake. On a busy machine, one of loom's takes 75 seconds.
const HANG: Duration = Duration::from_secs(300);

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
    let mut mutants = mutants()?;
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
