//! What the program prints, and what it says to a name that it does not know.

use snapbox::cmd::{Command, OutputAssert, cargo_bin};

fn matrix(arguments: &[&str]) -> OutputAssert {
    Command::new(cargo_bin!("matrix")).args(arguments).assert()
}

fn stdout(assert: &OutputAssert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

#[test]
fn a_clause_says_its_rule_and_who_does_not_keep_it_and_why() {
    let run = matrix(&["--clause", "parks_in_poll", "--runtime", "pollster"]).success();
    let text = stdout(&run);
    for part in [
        "*Faults that it catches:* `TokenIsTheWake`",
        "parks_in_poll              NO: pollster; kept by 0 of 1\n",
        "pollster: pollster 1.0.1 calls `thread::park`",
        "    pollster, parks_in_poll: it hangs\n",
    ] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn an_unknown_name_is_said_with_status_2() {
    for (option, says) in [("--clause", "'nonsense'"), ("--runtime", "no such runtime")] {
        let run = matrix(&[option, "nonsense"]).code(2);
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains(says), "{text}");
        assert_eq!(stdout(&run), "");
    }
}
