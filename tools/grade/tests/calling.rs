//! Called wrongly, `grade` says what to do.

mod common;

use std::{
    fs,
    process::{Command, Output},
};

use common::{Fixture, stderr, stdout};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const PROVE: &str = env!("CARGO_BIN_EXE_prove");
const HANDOUT: &str = env!("CARGO_BIN_EXE_handout");

fn assert_says(output: &Output, status: i32, part: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(part) && text.lines().count() == 1, "{text}");
}

#[test]
fn what_is_missing_is_said_in_one_line() {
    let fixture = Fixture::new(&["one"]);
    let says = |program: &str, arguments: &[&str], status: i32, part: &str| {
        assert_says(&fixture.run(program, arguments), status, part);
    };
    says(GRADE, &["nowhere"], 2, "there is no folder nowhere");
    says(
        GRADE,
        &["set", "-o", "set/Cargo.toml"],
        1,
        "grade: set/Cargo.toml: ",
    );
    // Without a default: that would be the course's own copy, which is not solved.
    assert_eq!(fixture.run(GRADE, &[]).status.code(), Some(2));
    says(
        PROVE,
        &["nonsense"],
        2,
        "no exercise is selected by `nonsense`",
    );
    fs::remove_file(fixture.path("set/class/catalogue.toml")).unwrap();
    says(GRADE, &["set"], 2, "catalogue.toml");
}

#[test]
fn what_is_there_is_not_written_over_and_a_selection_selects_something() {
    let folder = tempfile::TempDir::new().unwrap();
    let handout = |arguments: &[&str], part: &str| {
        let mut command = Command::new(HANDOUT);
        let run = command.current_dir(&folder).args(arguments).output();
        assert_says(&run.unwrap(), 2, part);
    };
    handout(
        &["."],
        "handout: . is there already: delete it, or name another",
    );
    handout(
        &["new", "--only", "s01,s99"],
        "no exercise is selected by `s99`",
    );
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_folder_beside_the_learners_is_not_taken_for_one_without_answers() {
    let fixture = Fixture::new(&["one"]);
    fixture.write("learner/exercises/02_two/s01a_one.rs", "");
    let run = fixture.run(GRADE, &["learner"]);
    assert_says(&run, 2, "learner holds none of the exercises\n");
}

#[test]
fn each_folder_around_or_in_a_learners_copy_is_that_learners() {
    let fixture = Fixture::new(&["one"]);
    let starter = fixture.read("set/exercises/01_one/s01a_one.rs");
    fixture.write("anna/exercises/exercises/01_one/s01a_one.rs", &starter);
    for folder in ["anna", "anna/exercises", "anna/exercises/exercises"] {
        let run = fixture.run(GRADE, &[folder, "-o", folder]);
        assert!(stdout(&run).contains("not started"), "{}", stderr(&run));
        assert!(fixture.path(folder).join("sheets/anna.md").exists());
    }
}
