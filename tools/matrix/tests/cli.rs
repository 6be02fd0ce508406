//! The program's options, and what it says to a name that it does not know.

use snapbox::cmd::{Command, OutputAssert, cargo_bin};

fn matrix(arguments: &[&str]) -> OutputAssert {
    Command::new(cargo_bin!("matrix")).args(arguments).assert()
}

fn stdout(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn one_cell() {
    let run = matrix(&["--clause", "woken_in_poll", "--runtime", "step05"]).success();
    let text = stdout(&run);
    assert!(text.contains("woken_in_poll              yes"), "{text}");
    assert!(
        text.contains("The rule: A wake made inside poll leads to another poll."),
        "{text}"
    );
}

#[test]
fn a_cell_that_is_not_kept_says_what_was_seen_and_why() {
    let run = matrix(&["--clause", "parks_in_poll", "--runtime", "pollster"]).success();
    let text = stdout(&run);
    assert!(text.contains("pollster, parks_in_poll: it hangs"), "{text}");
    assert!(text.contains("takes the token"), "{text}");
}

#[test]
fn an_unknown_name_is_one_line_that_lists_the_known_ones() {
    for (option, known) in [("--clause", "four_at_once"), ("--runtime", "tokio-multi")] {
        let run = matrix(&[option, "nonsense"]).code(2);
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
fn a_clause_for_executors_and_a_leaf_future_have_no_cell() {
    let run = matrix(&["--clause", "finishes", "--runtime", "step03-timer"]).code(2);
    assert_eq!(stderr(&run).lines().count(), 1);
    assert_eq!(stdout(&run), "");
}

#[test]
fn help_names_every_option() {
    let text = stdout(&matrix(&["--help"]).success());
    for option in ["--clause", "--runtime", "--write", "--check"] {
        assert!(text.contains(option), "{text}");
    }
}

#[test]
fn a_part_of_the_table_is_not_the_table_of_the_book() {
    let run = matrix(&["--write", "--runtime", "step03-timer"]).code(2);
    assert!(stderr(&run).contains("cannot be used with"));
}
