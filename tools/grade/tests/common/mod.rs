//! A set of tiny exercises without dependencies, each of which asks for a number.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::{fs, path::PathBuf, process::Command};

use tempfile::TempDir;

const CHECKS: &str = r#"use super::*;

#[test]
fn is_right() {
    assert_eq!(answer(), 42, "the answer is asked for");
}

#[test]
fn it_stays_right() {
    let answers: Vec<u32> = std::iter::repeat_with(answer).take(2).collect();
    assert!(matches!(answers[..], [42, 42]), "the answer is asked for twice");
    if answers.len() != 2 {
        panic!("two answers are asked for");
    }
}
"#;

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
        let letters = ('a'..='z').chain('0'..='9').zip(whats);
        let names = letters.map(|(letter, what)| format!("s01{letter}_{what}"));
        let (names, folder) = (names.collect(), TempDir::new().unwrap());
        let fixture = Fixture { names, folder };
        let manifest = "[package]\nname = \"exercises\"\nedition = \"2024\"\n";
        fixture.write("set/Cargo.toml", manifest);
        let (mut list, mut page) = (String::new(), String::new());
        for name in &fixture.names {
            list += &format!(
                "[[exercises]]\nname = \"{name}\"\ndir = \"01_one\"\ntitle = \"One\"\nkind = \"complete\"\nminutes = 10\n\
                 points = 2\nred = \"write the answer\"\nhint = \"Up.\"\nplace = \"The body.\"\nshape = \"A number.\"\n"
            );
            page += &format!("### `{name}`\n\n");
            for body in ["41", "43"] {
                page += &format!(
                    "*Compared with the solution:*\n\n```diff\n- 42\n+ {body}\n```\n\n```text\nleft: {body}\n```\n*You say:* Why {body}?\n\n"
                );
            }
            let short = &name[..4];
            let head = format!("//! {short} · complete · 10 minutes · chapter 01, \n");
            let starter = head + &part("todo!(\"write the answer\")") + &foot(name);
            fixture.write(&format!("set/exercises/01_one/{name}.rs"), &starter);
            let solution = part("42") + &foot(name);
            fixture.write(&format!("set/solutions/01_one/{name}.rs"), &solution);
            fixture.write(&format!("set/checks/{name}.rs"), CHECKS);
        }
        fixture.write("set/info.toml", &list);
        fixture.write("set/teachers/wrong-answers/01.md", &page);
        fixture
    }

    /// Writes what a learner has written for the exercise at this place.
    pub fn learner(&self, n: usize, text: &str) {
        let file = format!("learner/exercises/01_one/{}.rs", self.names[n]);
        self.write(&file, text);
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

    /// That this exercise has this mark in a table of one learner, for a reason that begins so.
    pub fn assert_row(&self, table: &str, name: &str, mark: &str, why: &str) {
        let row = table.lines().find(|line| line.contains(name));
        let cells: Vec<_> = row.unwrap_or(table).split(" | ").map(str::trim).collect();
        let is_it = cells[3] == mark && cells[5].starts_with(why);
        assert!(
            is_it,
            "{name}: {mark}: {why}\n{table}\n{}",
            self.read("report/junit.xml")
        );
    }

    /// Runs `grade` on the set. Returns its status, and what it printed on standard output and standard error.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grade"));
        command
            .current_dir(self.folder.path())
            .env("CARGO_NET_OFFLINE", "true");
        command.args(["--set", "set"]).args(arguments);
        if !arguments.contains(&"--build-in") {
            command.args(["--build-in", "build"]);
        }
        let ran = command.output().unwrap();
        let [stdout, stderr] = [ran.stdout, ran.stderr].map(|it| String::from_utf8(it).unwrap());
        (ran.status.code(), stdout, stderr)
    }
}
