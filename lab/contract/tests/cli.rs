//! The program's options, and what it says to a name that it does not know.

#![cfg(feature = "matrix")]

use snapbox::cmd::{Command, OutputAssert, cargo_bin};

fn contract(arguments: &[&str]) -> OutputAssert {
    Command::new(cargo_bin!("contract"))
        .args(arguments)
        .assert()
}

fn stdout(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn one_cell() {
    let run = contract(&["--clause", "woken_in_poll", "--runtime", "step05"]).success();
    let text = stdout(&run);
    assert!(text.contains("woken_in_poll              yes"), "{text}");
    assert!(
        text.contains("The rule: A wake made inside poll leads to another poll."),
        "{text}"
    );
}

#[test]
fn a_cell_that_is_not_kept_says_what_was_seen_and_why() {
    let run = contract(&["--clause", "parks_in_poll", "--runtime", "pollster"]).success();
    let text = stdout(&run);
    assert!(text.contains("pollster, parks_in_poll: it hangs"), "{text}");
    assert!(text.contains("takes the token"), "{text}");
}

#[test]
fn an_unknown_name_is_one_line_that_lists_the_known_ones() {
    for (option, known) in [("--clause", "four_at_once"), ("--runtime", "tokio-multi")] {
        let run = contract(&[option, "nonsense"]).code(2);
        let text = stderr(&run);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(
            text.contains("\"nonsense\"") && text.contains(known),
            "{text}"
        );
        assert_eq!(stdout(&run), "");
    }
}

#[test]
fn help_names_every_option() {
    let text = stdout(&contract(&["--help"]).success());
    for option in ["--clause", "--runtime", "--markdown", "--check"] {
        assert!(text.contains(option), "{text}");
    }
}

#[test]
fn markdown_of_one_runtime() {
    let text = stdout(&contract(&["--markdown", "--runtime", "step03-timer"]).success());
    assert!(text.contains("| `the_latest_waker` | yes |"), "{text}");
}

#[test]
fn every_clause_and_every_runtime_stands_in_the_committed_table() {
    let table = include_str!("../matrix.md");
    for clause in contract::all() {
        let rule = format!("| `{}` | {} |", clause.name, clause.rule);
        assert!(
            table.contains(&rule),
            "{}: run `cargo run -p contract -- --markdown`",
            clause.name
        );
    }
    for subject in contract::subjects::all() {
        let heading = format!(" {} |", subject.name.replace('-', "<br>"));
        assert!(table.contains(&heading), "{}", subject.name);
    }
}

#[test]
fn a_table_that_cannot_be_read_is_said_in_one_line() {
    let text = stderr(&contract(&["--check", "no-such-file"]).code(2));
    assert!(
        text.starts_with("no-such-file: ") && text.lines().count() == 1,
        "{text}"
    );
}
