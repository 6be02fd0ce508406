//! What the program says when it is used wrongly: one line, and status 2.

use std::process::Command;

fn wrong(arguments: &[&str]) -> String {
    let mut course = Command::new(env!("CARGO_BIN_EXE_course"));
    let output = course.args(arguments).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_page_that_is_not_there() {
    let says = wrong(&["--screenshots", "nowhere", "--page", "nonsense"]);
    let wanted =
        "course: no page has \"nonsense\" in its name: book/src/SUMMARY.md names them all\n";
    assert_eq!(says, wanted);
}

#[test]
fn options_of_which_one_would_be_ignored() {
    for pair in [
        ["--write", "--errors"],
        ["--write", "--screenshots=nowhere"],
        ["--errors", "--screenshots=nowhere"],
    ] {
        let says = wrong(&pair);
        assert!(says.contains("cannot be used with"), "{says}");
    }
}
