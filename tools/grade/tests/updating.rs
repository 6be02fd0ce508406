//! An update in mid-term: what it replaces, what it leaves, and that the grader knows what was handed out before it.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{Fixture, foot, part};
use grade::project::{self, Answer};
use tempfile::TempDir;

const CHECK: &str = "exercises/checks/a.rs";
const GIVEN: &str = "exercises/given/a.rs";
const LADDER: &str = "exercises/yours/ladder/src/main.rs";
const RUNTIME: &str = "exercises/yours/src/runtime.rs";
const ONE: &str = "exercises/exercises/01/a.rs";
const TWO: &str = "exercises/exercises/01/b.rs";
const STAGE: &str = "step01-x/src/lib.rs";
const NEW: &str = "exercises/checks/b.rs";

/// A course of some small files, and a place for its copies.
struct Class(TempDir);

impl Class {
    fn new() -> Class {
        let class = Class(TempDir::new().unwrap());
        class.write("course/Cargo.toml", "[workspace]\nmembers = [\"step*\"]\n");
        class.write("course/step01-x/Cargo.toml", "[package]\nname = \"x\"\n");
        class.write("course/book/src/SUMMARY.md", "# A book\n");
        class.write("course/exercises/teachers/autograde.yml", "OWNER/COURSE\n");
        for path in [CHECK, GIVEN, LADDER, RUNTIME, ONE, TWO, STAGE] {
            class.write(&format!("course/{path}"), "// first\n");
        }
        class.git(&["init", "--quiet"]);
        class
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        git(&self.path("course"), arguments);
    }

    /// Writes this text into files of the course, and hands it out. Returns what the teacher sees.
    fn hand_out(&self, paths: &[&str], text: &str, arguments: &[&str]) -> Result<String, String> {
        for path in paths {
            self.write(&format!("course/{path}"), text);
        }
        self.git(&["add", "--all"]);
        let mut handout = Command::new(env!("CARGO_BIN_EXE_handout"));
        handout.args(["--course", "course"]).args(arguments);
        said(handout.current_dir(self.0.path()))
    }

    /// Puts an update into a copy, and applies it as a learner does. Returns what the learner sees.
    fn update(&self, update: &str, copy: &str) -> Result<String, String> {
        copy_all(&self.path(update), &self.path(copy).join("update"));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--manifest-path", "update/Cargo.toml"]);
        cargo.env_remove("CARGO_TARGET_DIR");
        said(cargo.current_dir(self.path(copy)))
    }
}

fn said(command: &mut Command) -> Result<String, String> {
    let ran = command.env("CARGO_NET_OFFLINE", "true").output().unwrap();
    let [stdout, stderr] = [ran.stdout, ran.stderr].map(|it| String::from_utf8(it).unwrap());
    if ran.status.success() {
        Ok(stdout)
    } else {
        Err(stderr)
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let who = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
    ];
    let mut git = Command::new("git");
    said(git.args(who).args(arguments).current_dir(folder)).unwrap()
}

fn copy_all(from: &Path, to: &Path) {
    for file in kit::files::below(from).unwrap() {
        let to = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
}

const TEMPLATE: [&str; 2] = ["--template", "me/course"];

#[test]
fn an_update_replaces_what_is_the_courses_and_nothing_that_a_learner_has_written() {
    let class = Class::new();
    let early = class.hand_out(&[], "", &["update", "--update"]);
    assert!(early.unwrap_err().starts_with("nothing was handed out"));
    class
        .hand_out(&[], "", &[&["one"][..], &TEMPLATE].concat())
        .unwrap();
    let same = class.hand_out(&[], "", &["update", "--update"]);
    assert!(same.unwrap_err().starts_with("nothing has changed"));
    // Two handouts later there is an update for both.
    class
        .hand_out(&[ONE], "// second\n", &[&["two"][..], &TEMPLATE].concat())
        .unwrap();
    let all = [CHECK, GIVEN, LADDER, RUNTIME, ONE, TWO, STAGE, NEW];
    let made = class
        .hand_out(&all, "// third\n", &["update", "--update"])
        .unwrap();
    for path in all {
        assert!(made.lines().any(|it| it == path), "{made}");
    }
    assert!(class.path("update.tar.gz").is_file());
    // The lines that learners type have the name of this update.
    let lines = "\n    tar xf update.tar.gz\n    cargo run --manifest-path update/Cargo.toml\n";
    assert!(made.ends_with(lines), "{made}");

    for (of, copy) in [("one", "anna"), ("one", "bob"), ("two", "cleo")] {
        copy_all(&class.path(of), &class.path(copy));
    }
    // Anna has touched nothing, but her editor has written other line ends.
    class.write(&format!("anna/{TWO}"), "// first\r\n");
    let said = class.update("update", "anna").unwrap();
    for path in all {
        assert_eq!(class.read(&format!("anna/{path}")), "// third\n", "{path}");
        let what = if path == NEW { "added" } else { "replaced" };
        assert!(said.contains(&format!("{what:8}  {path}\n")), "{said}");
    }
    assert!(!said.contains("left"), "{said}");
    // A reset in rustlings takes what git has.
    let last = git(&class.path("anna"), &["log", "-1", "--format=%s"]);
    assert!(last.starts_with("Update to handout "), "{last}");
    assert_eq!(
        git(&class.path("anna"), &["show", &format!("HEAD:{ONE}")]),
        "// third\n"
    );
    assert_eq!(git(&class.path("anna"), &["status", "--porcelain"]), "");
    // Once more is no harm.
    let said = class.update("update", "anna").unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");

    // Bob has written everywhere, and has something of his own in the index.
    for path in [CHECK, GIVEN, LADDER, RUNTIME, ONE, STAGE] {
        class.write(&format!("bob/{path}"), "// Bob's\n");
    }
    git(&class.path("bob"), &["add", STAGE]);
    let said = class.update("update", "bob").unwrap();
    for path in [RUNTIME, ONE, STAGE] {
        assert_eq!(class.read(&format!("bob/{path}")), "// Bob's\n", "{path}");
        assert!(said.contains(&format!("left      {path}: ")), "{said}");
        assert_eq!(class.read(&format!("bob/update/now/{path}")), "// third\n");
    }
    for path in [CHECK, GIVEN, LADDER] {
        assert_eq!(class.read(&format!("bob/{path}")), "// third\n", "{path}");
        assert_eq!(
            class.read(&format!("bob/update/yours/{path}")),
            "// Bob's\n"
        );
        assert!(said.contains(&format!("replaced  {path}: ")), "{said}");
    }
    assert_eq!(class.read(&format!("bob/{TWO}")), "// third\n");
    let staged = git(&class.path("bob"), &["diff", "--cached", "--name-only"]);
    assert_eq!(staged, format!("{STAGE}\n"));

    // Cleo's copy is the second one, and she has no git.
    fs::remove_dir_all(class.path("cleo/.git")).unwrap();
    class.update("update", "cleo").unwrap();
    let [version, new] = ["cleo", "update/now"].map(|it| format!("{it}/exercises/handout.txt"));
    assert_eq!(class.read(&format!("cleo/{ONE}")), "// third\n");
    assert_eq!(class.read(&version), class.read(&new));

    // An update is a handout, to which the next one leads on. The first does not go back.
    class
        .hand_out(&[ONE], "// fourth\n", &["later", "--update"])
        .unwrap();
    fs::remove_dir_all(class.path("anna/update")).unwrap();
    class.update("later", "anna").unwrap();
    assert_eq!(class.read(&format!("anna/{ONE}")), "// fourth\n");
    fs::remove_dir_all(class.path("anna/update")).unwrap();
    let back = class.update("update", "anna").unwrap_err();
    assert!(back.contains("which this update does not know"), "{back}");
    assert_eq!(class.read(&format!("anna/{ONE}")), "// fourth\n");
    class.write("elsewhere/notes.txt", "");
    let lost = class.update("later", "elsewhere").unwrap_err();
    assert!(
        lost.contains("type this in the folder of the course"),
        "{lost}"
    );
}

#[test]
fn an_update_says_which_copies_lack_libraries() {
    let class = Class::new();
    let lock = "exercises/Cargo.lock";
    class
        .hand_out(
            &[lock],
            "checksum = \"a\"\n",
            &[&["one"][..], &TEMPLATE].concat(),
        )
        .unwrap();
    let made = class
        .hand_out(&[lock], "checksum = \"b\"\n", &["update", "--update"])
        .unwrap();
    assert!(made.starts_with("1 libraries are new since "), "{made}");
    let made = class
        .hand_out(&[ONE], "// second\n", &["later", "--update"])
        .unwrap();
    assert_eq!(made.matches(" are new since ").count(), 1, "{made}");
}

#[test]
fn an_earlier_starter_is_not_started_and_who_has_which_handout_is_said() {
    let fixture = Fixture::new(&["one", "two", "three"]);
    let starter = |n: usize| {
        let name = &fixture.names[n];
        (format!("set/exercises/01_one/{name}.rs"), foot(name))
    };
    let old: Vec<_> = (0..3).map(|n| fixture.read(&starter(n).0)).collect();
    let set = fixture.path("set");
    git(&set, &["init", "--quiet"]);
    git(&set, &["add", "--all"]);
    git(
        &set,
        &["commit", "--quiet", "--message", "As it was handed out"],
    );
    git(&set, &["update-ref", "refs/handouts/first", "HEAD"]);
    for n in 0..3 {
        fixture.replace(&starter(n).0, "10 minutes", "ten minutes");
    }
    // Untouched, without its last lines, and begun.
    fixture.learner(0, &old[0].replace('\n', "\r\n"));
    fixture.learner(1, &old[1].replace(&starter(1).1, ""));
    fixture.learner(2, &(part("41") + &starter(2).1));
    let (_, table, errors) = fixture.run(&["learner"]);
    for (name, mark) in fixture
        .names
        .iter()
        .zip(["not started", "not started", "failed"])
    {
        assert!(errors.is_empty(), "{errors}");
        fixture.assert_row(&table, name, mark, "");
    }
    assert!(!table.contains("Handout"), "{table}");

    for (learner, version) in [("anna", "first"), ("bob", "second"), ("eve", "first")] {
        let file = format!(
            "class/{learner}/exercises/exercises/01_one/{}.rs",
            fixture.names[0]
        );
        fixture.write(&file, &old[0]);
        fixture.write(
            &format!("class/{learner}/exercises/handout.txt"),
            &format!("{version}\n"),
        );
    }
    let (_, table, _) = fixture.run(&["class"]);
    assert!(
        table.contains("\nHandout first: anna, eve\nHandout second: bob\n"),
        "{table}"
    );
}

#[test]
fn an_earlier_runtime_is_not_begun_either() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("anna.rs");
    fs::write(&file, "// first\r\n").unwrap();
    let (learner, file) = ("anna".to_owned(), Ok(file));
    let answer = Answer { learner, file };
    let starters = ["// second\n", "// first\n"].map(String::from);
    assert_eq!(project::text(&answer, &starters), None);
    let begun = project::text(&answer, &starters[..1]);
    assert_eq!(begun.as_deref(), Some("// first\n"));
}
