//! Called wrongly, `grade` says in one line what to do.

mod common;

use std::{
    fs,
    process::{Command, Output},
};

use common::{Fixture, stderr};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const PROVE: &str = env!("CARGO_BIN_EXE_prove");
const HANDOUT: &str = env!("CARGO_BIN_EXE_handout");

fn assert_says(output: &Output, status: i32, part: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(part) && text.lines().count() == 1, "{text}");
}

#[test]
fn what_is_missing_or_not_understood_is_said_in_one_line() {
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
    let required =
        "grade: the following required arguments were not provided: <FOLDER> (see --help)";
    says(GRADE, &[], 2, required);
    says(
        GRADE,
        &["set", "--nonsense"],
        2,
        "unexpected argument '--nonsense' found",
    );
    says(
        PROVE,
        &["--nonsense"],
        2,
        "unexpected argument '--nonsense' found",
    );
    says(PROVE, &["nonsense"], 2, "there is no exercise `nonsense`");
    let help = fixture.run(GRADE, &["--help"]);
    assert!(help.status.success() && stderr(&help).is_empty());
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
    fixture.learner(0, "");
    let says = |folder: &str, text: &str| {
        assert_says(&fixture.run(GRADE, &[folder]), 2, text);
    };
    let meant = "holds none of the exercises; did you mean learner?\n";
    says("learner/exercises", &format!("learner/exercises {meant}"));
    fs::rename(fixture.path("learner"), fixture.path("anna")).unwrap();
    fs::create_dir(fixture.path("learner")).unwrap();
    fs::rename(fixture.path("anna"), fixture.path("learner/exercises")).unwrap();
    let meant = "holds none of the exercises; did you mean learner/exercises?\n";
    says("learner", &format!("learner {meant}"));
    fs::remove_dir_all(fixture.path("learner/exercises")).unwrap();
    says("learner", "learner holds none of the exercises\n");
}

#[test]
fn the_workflow_shows_a_table_only_if_there_is_one() {
    let workflow = grade::own_set().join("class/autograde.yml");
    let text = fs::read_to_string(workflow).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let reads = lines
        .iter()
        .position(|line| line.starts_with("run: cat report/summary.md"));
    let condition = "if: always() && hashFiles('report/summary.md') != ''";
    assert_eq!(lines[reads.unwrap() - 1], condition);
}
