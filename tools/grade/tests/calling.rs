//! Called wrongly, `grade` says in one line what to do.

mod common;

use std::{fs, process::Output};

use common::{Fixture, TESTS, above, stderr};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const PROVE: &str = env!("CARGO_BIN_EXE_prove");

fn assert_says(output: &Output, status: i32, part: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(part) && text.lines().count() == 1, "{text}");
}

#[test]
fn without_a_folder_or_a_catalogue_one_line_says_so() {
    let fixture = Fixture::new(&["one"]);
    assert_says(
        &fixture.run(GRADE, &["nowhere"]),
        2,
        "there is no folder nowhere",
    );
    assert_says(
        &fixture.run(GRADE, &["set", "--held-out", "nowhere"]),
        2,
        "there is no folder nowhere",
    );
    assert_says(
        &fixture.run(GRADE, &["set", "--held-out", "set"]),
        2,
        "set holds held-out tests of none of the exercises",
    );
    assert_says(
        &fixture.run(GRADE, &["set", "-o", "set/Cargo.toml"]),
        1,
        "grade: set/Cargo.toml: ",
    );
    fixture.remove("set/class/catalogue.toml");
    assert_says(&fixture.run(GRADE, &["set"]), 2, "catalogue.toml");
}

#[test]
fn a_folder_beside_the_learners_is_not_taken_for_one_without_answers() {
    let fixture = Fixture::new(&["one"]);
    let name = &fixture.names[0];
    let file = format!("anna/exercises/exercises/01_one/{name}.rs");
    fixture.write(&file, &(above("42") + TESTS));
    let says = |folder: &str, text: &str| {
        assert_says(&fixture.run(GRADE, &[folder]), 2, text);
    };
    let meant = "holds none of the exercises; did you mean anna/exercises?";
    says("anna", &format!("anna {meant}"));
    says(
        "anna/exercises/exercises",
        &format!("anna/exercises/exercises {meant}"),
    );
    fixture.remove(&file);
    says(
        "anna/exercises",
        "anna/exercises holds none of the exercises\n",
    );
}

#[test]
fn what_is_not_understood_is_said_in_one_line() {
    let fixture = Fixture::new(&["one"]);
    // Without a default: that would be the course's own copy, which is not solved.
    fixture.write("exercises/exercises/01_one/s01a_one.rs", TESTS);
    let none: [&str; 0] = [];
    let missing =
        "grade: the following required arguments were not provided: <FOLDER> (see --help)";
    assert_says(&fixture.run(GRADE, &none), 2, missing);
    let unknown = "unexpected argument '--nonsense' found";
    assert_says(&fixture.run(GRADE, &["set", "--nonsense"]), 2, unknown);
    assert_says(&fixture.run(PROVE, &["--nonsense"]), 2, unknown);
    let help = fixture.run(GRADE, &["--help"]);
    assert!(help.status.success() && stderr(&help).is_empty());
}

#[test]
fn the_workflow_shows_a_table_only_if_there_is_one() {
    let workflow = grade::own_set().join("class/autograde.yml");
    let text = fs::read_to_string(workflow).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let reads = lines
        .iter()
        .position(|line| line.starts_with("run: cat report/summary.md"));
    let condition = lines[reads.unwrap() - 1];
    assert_eq!(
        condition,
        "if: always() && hashFiles('report/summary.md') != ''"
    );
}
