//! A set of tiny exercises without dependencies, each of which asks for a number.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

pub const HEAD: &str = "//! Answer with 42.\n\nfn main() {}\n\n";
pub const TESTS: &str = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_right() {\n        \
    assert_eq!(answer(), 42, \"the answer is asked for\");\n    }\n}\n";

/// The part above the tests, with this body of `answer`.
pub fn above(body: &str) -> String {
    format!("{HEAD}fn answer() -> u32 {{\n    {body}\n}}\n\n")
}

/// A set, a place to build, and a place for what a test makes, all in one temporary folder.
pub struct Fixture {
    pub names: Vec<String>,
    folder: TempDir,
}

impl Fixture {
    /// A set with these exercises of stage 01.
    pub fn new(whats: &[&str]) -> Fixture {
        let letters = 'a'..='z';
        let named = letters
            .zip(whats)
            .map(|(letter, what)| format!("s01{letter}_{what}"));
        let fixture = Fixture {
            names: named.collect(),
            folder: TempDir::new().unwrap(),
        };
        fixture.write("set/info.toml", "format_version = 1\n");
        fixture.write(
            "set/Cargo.toml",
            "[package]\nname = \"exercises\"\nedition = \"2024\"\n",
        );
        let mut bins = String::from("bin = [\n");
        for name in &fixture.names {
            fixture.add(name);
            for (bin, folder) in [
                (name.clone(), "exercises"),
                (format!("{name}_sol"), "solutions"),
            ] {
                bins +=
                    &format!("  {{ name = \"{bin}\", path = \"{folder}/01_one/{name}.rs\" }},\n");
            }
        }
        fixture.edit("set/Cargo.toml", |text| format!("{bins}]\n\n{text}"));
        fixture
    }

    fn add(&self, name: &str) {
        self.append(
            "set/class/catalogue.toml",
            &format!(
                "[[exercise]]\nname = \"{name}\"\ntitle = \"The answer\"\nkind = \"complete\"\nstage = 1\n\
                 minutes = 10\npoints = 2\nidea = \"Numbers.\"\nred = \"write the answer\"\n\
                 hints = [\"Up.\", \"The body.\", \"A number.\"]\n"
            ),
        );
        for (slip, body) in [("too_small", "41"), ("too_large", "43")] {
            self.append(
                "set/class/catalogue.toml",
                &format!(
                    "[[exercise.wrong]]\nslip = \"{slip}\"\nthinks = \"That it is {body}.\"\n\
                     from = \"solution\"\nchange = [[\"    42\", \"    {body}\"]]\n\
                     sees = \"left: {body}\"\nsay = \"Count again.\"\n"
                ),
            );
        }
        self.append(
            "set/info.toml",
            &format!("[[exercises]]\nname = \"{name}\"\ndir = \"01_one\"\n"),
        );
        let short = &name[..4];
        let head = format!("//! {short} · complete · 10 minutes · chapter 01, \"One\"\n//!\n");
        let starter = head + &above("todo!(\"write the answer\")") + TESTS;
        self.write(&format!("set/exercises/01_one/{name}.rs"), &starter);
        self.write(
            &format!("set/solutions/01_one/{name}.rs"),
            &(above("42") + TESTS),
        );
        let held_out = TESTS.replace("answer(), 42", "answer() + 1, 43");
        self.write(&format!("set/class/held-out/{name}.rs"), &held_out);
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn append(&self, file: &str, text: &str) {
        let old = fs::read_to_string(self.path(file)).unwrap_or_default();
        self.write(file, &(old + text));
    }

    /// Changes a file, and sees to it that it was changed.
    pub fn edit(&self, file: &str, change: impl Fn(&str) -> String) {
        let old = self.read(file);
        let new = change(&old);
        assert_ne!(old, new, "{file}");
        self.write(file, &new);
    }

    pub fn replace(&self, file: &str, from: &str, to: &str) {
        self.edit(file, |text| text.replace(from, to));
    }

    pub fn remove(&self, file: &str) {
        fs::remove_file(self.path(file)).unwrap();
    }

    /// Runs one of the programs on the set.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Output {
        self.command(program).args(arguments).output().unwrap()
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .args(["--set", "set", "--build-in", "build"])
            .env("CARGO_NET_OFFLINE", "true");
        command
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether cargo has a subcommand. If not, says so even where the harness keeps what tests print.
///
/// # Panics
///
/// If it has not, and `CI` is set.
pub fn have(subcommand: &str) -> bool {
    let version = Command::new(env!("CARGO"))
        .args([subcommand, "--version"])
        .output();
    let there = version.is_ok_and(|output| output.status.success());
    if !there {
        use std::io::Write;
        let is_ci = env::var_os("CI").is_some();
        assert!(
            !is_ci,
            "cargo has no subcommand `{subcommand}`: rustup component add {subcommand}"
        );
        let line = format!("skipped: cargo has no subcommand `{subcommand}` here\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    there
}

/// All files under a folder, with their texts.
pub fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap();
            all.push((path, text));
        }
    }
    all.sort();
    all
}
