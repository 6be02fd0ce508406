//! A set of tiny exercises without dependencies, each of which asks for a number.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

pub const CHECKS: &str = "use super::*;\n\n#[test]\nfn is_right() {\n    \
    assert_eq!(answer(), 42, \"the answer is asked for\");\n}\n";

/// The learner's part of a file, with this body of `answer`.
pub fn part(body: &str) -> String {
    format!("fn main() {{}}\n\nfn answer() -> u32 {{\n    {body}\n}}\n\n")
}

/// The lines that end a file.
pub fn foot(name: &str) -> String {
    format!("#[cfg(test)]\n#[path = \"../../checks/{name}.rs\"]\nmod tests;\n")
}

/// A set, a place to build, and a place for what a test makes, all in one temporary folder.
pub struct Fixture {
    pub names: Vec<String>,
    folder: TempDir,
}

impl Fixture {
    /// A set with these exercises of stage 01.
    pub fn new(whats: &[&str]) -> Fixture {
        let letters = ('a'..='z').zip(whats);
        let fixture = Fixture {
            names: letters
                .map(|(letter, what)| format!("s01{letter}_{what}"))
                .collect(),
            folder: TempDir::new().unwrap(),
        };
        let manifest = "[package]\nname = \"exercises\"\nedition = \"2024\"\n";
        fixture.write("set/Cargo.toml", manifest);
        let (mut catalogue, mut page) = (String::new(), String::new());
        for name in &fixture.names {
            catalogue += &format!(
                "[[exercise]]\nname = \"{name}\"\ntitle = \"The answer\"\n\
                 points = 2\nred = \"write the answer\"\nhints = [\"Up.\", \"The body.\", \"A number.\"]\n"
            );
            page += &format!("### `{name}`\n\n");
            for (thought, body) in [("one less", "41"), ("one more", "43")] {
                page += &format!(
                    "*The learner thinks:* {thought}\n\n*Compared with the solution:*\n\n```diff\n- 42\n+ {body}\n```\n\n\
                     *The screen shows:*\n\n```text\nleft: {body}\n```\n\n\
                     *You say:* What is {thought}?\n\n"
                );
            }
            let head = format!(
                "//! {} · complete · 10 minutes · chapter 01, \"One\"\n\n",
                &name[..4]
            );
            let starter = head + &part("todo!(\"write the answer\")") + &foot(name);
            fixture.write(&format!("set/exercises/01_one/{name}.rs"), &starter);
            fixture.write(
                &format!("set/solutions/01_one/{name}.rs"),
                &(part("42") + &foot(name)),
            );
            fixture.write(&format!("set/checks/{name}.rs"), CHECKS);
        }
        fixture.write("set/class/catalogue.toml", &catalogue);
        fixture.write("set/class/wrong-answers/01.md", &page);
        fixture
    }

    /// Writes what a learner has written for the exercise at this place.
    pub fn learner(&self, n: usize, text: &str) {
        self.write(
            &format!("learner/exercises/01_one/{}.rs", self.names[n]),
            text,
        );
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

    /// Changes a file, and sees to it that it was changed.
    pub fn replace(&self, file: &str, from: &str, to: &str) {
        let old = self.read(file);
        let new = old.replace(from, to);
        assert_ne!(old, new, "{file}");
        self.write(file, &new);
    }

    /// Runs one of the programs on the set.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .args(["--set", "set", "--build-in", "build"])
            .env("CARGO_NET_OFFLINE", "true");
        command.args(arguments).output().unwrap()
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All files under a folder, with their texts.
pub fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let paths = kit::files::below(folder).unwrap().into_iter();
    paths
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}
