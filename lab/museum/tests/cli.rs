//! The program's options, and what it says to a name that it does not know.

use snapbox::{
    cmd::{Command, OutputAssert, cargo_bin},
    str,
};

fn museum(arguments: &[&str]) -> OutputAssert {
    Command::new(cargo_bin!("museum")).args(arguments).assert()
}

#[test]
fn an_unknown_name_is_one_line_with_the_nearest_names() {
    museum(&["stale-wakers"])
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
museum: there is no exhibit "stale-wakers"; the nearest names are: stale-waker

"#]]);
}

#[test]
fn capitals_do_not_matter_to_what_is_near() {
    museum(&["STALE-WAKER"])
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
museum: there is no exhibit "STALE-WAKER"; the nearest names are: stale-waker

"#]]);
}

#[test]
fn a_name_that_is_like_none_gets_none() {
    museum(&["nonsense"])
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
museum: there is no exhibit "nonsense"; without a name, it lists all

"#]]);
}

#[test]
fn without_a_name_it_lists_all_by_chapter() {
    let run = museum(&[]).success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let mut at = 0;
    for exhibit in museum::ALL {
        let line = format!("  {:<30}{}\n", exhibit.name, exhibit.title);
        let here = text.find(&line);
        assert!(here.is_some_and(|here| here >= at), "{}", exhibit.name);
        at = here.unwrap_or_default();
    }
    assert!(text.contains("chapter 01\n") && text.contains("chapter 07\n"));
    assert!(
        text.lines().all(|line| line.chars().count() <= 110),
        "{text}"
    );
}

#[test]
fn the_hidden_argument_is_not_for_visitors() {
    museum(&["--inside", "stale-waker", "sideways", "100"])
        .code(2)
        .stdout_eq("")
        .stderr_eq("museum: --inside is for the museum itself\n");
}

#[test]
fn help_names_every_option() {
    let run = museum(&["--help"]).success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for option in ["[NAME]", "--all", "--write"] {
        assert!(text.contains(option), "{text}");
    }
}
