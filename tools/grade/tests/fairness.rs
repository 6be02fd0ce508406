//! A right answer is graded as right, whatever surrounds it, and a wrong one is not.

mod common;

use std::process::Output;

use common::{Fixture, TESTS, above, stderr, stdout};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const FAKE: &str = "#[cfg(test)]\nmod fake {\n    #[test]\n    fn is_right() {}\n}\n";
const OWN: &str = "#[cfg(test)]\nmod my {\n    #[test]\n    fn never() { panic!(\"mine\") }\n}\n";

fn assert_row(run: &Output, name: &str, mark: &str, why: &str) {
    let table = stdout(run);
    let row = table.lines().find(|line| line.contains(name));
    let row = row.unwrap_or_else(|| panic!("no {name}: {table}{}", stderr(run)));
    let is_so = row.contains(&format!("| {mark} ")) && row.contains(why);
    assert!(is_so, "{name}: {mark}: {why}\n{table}{}", stderr(run));
}

#[test]
fn only_the_tests_of_the_course_judge_and_all_of_them() {
    let opened = |line: &str| above("42") + &TESTS.replace("#[cfg(test)]\nmod tests {", line);
    let rows = [
        (
            "fake_test",
            above("7") + FAKE + TESTS,
            "failed",
            "(left: 7, right: 42)",
        ),
        (
            "open_end",
            above("7") + FAKE + "#[cfg(any(\n))]\nmod tests {}\n",
            "failed",
            "(left: 7, right: 42)",
        ),
        ("own_test", above("42") + OWN + TESTS, "solved", ""),
        (
            "ignored",
            above("42") + &OWN.replace("#[test]", "#[test]\n    #[ignore]") + TESTS,
            "solved",
            "",
        ),
        (
            "public",
            opened("#[cfg(test)]\npub mod tests {"),
            "solved",
            "",
        ),
        (
            "next_line",
            opened("#[cfg(test)]\nmod tests\n{"),
            "solved",
            "",
        ),
        ("one_line", opened("#[cfg(test)] mod tests {"), "solved", ""),
        (
            "commented",
            opened("#[cfg(test)]\nmod tests /* mine */ {"),
            "does not compile",
            "the line `mod tests {` was changed",
        ),
    ];
    let fixture = Fixture::new(&rows.each_ref().map(|row| row.0));
    for (name, (_, text, ..)) in fixture.names.iter().zip(&rows) {
        fixture.write(&format!("learner/exercises/01_one/{name}.rs"), text);
    }
    let run = fixture.run(GRADE, &["learner"]);
    for (name, (_, _, mark, why)) in fixture.names.iter().zip(&rows) {
        assert_row(&run, name, mark, why);
    }
    // As it is written, the own test judges, and nothing is asked for.
    let run = fixture.run(GRADE, &["learner", "--as-written"]);
    assert_row(&run, "s01c_own_test", "failed", "mine");
    assert_row(&run, "s01b_open_end", "solved", "");
    assert_row(&run, "s01d_ignored", "solved", "");
}

#[test]
fn a_compiler_that_hangs_costs_nobody_else_a_point() {
    let fixture = Fixture::new(&["hangs", "hangs_too", "right", "wrong"]);
    let endless =
        "#![allow(long_running_const_eval)]\n#![allow(unused)]\nconst LOOP: u32 = loop {};\n";
    let bodies = ["LOOP", "LOOP", "42", "7"];
    for (name, body) in fixture.names.iter().zip(bodies) {
        let text = above(body) + TESTS;
        let text = if body == "LOOP" {
            endless.to_owned() + text.trim_start_matches("//! Answer with 42.\n")
        } else {
            text
        };
        fixture.write(&format!("learner/exercises/01_one/{name}.rs"), &text);
    }
    let run = fixture.run(GRADE, &["learner", "--compiler-limit", "5", "-o", "report"]);
    for name in &fixture.names[..2] {
        assert_row(
            &run,
            name,
            "does not compile",
            "error: the compiler was stopped after 5s",
        );
    }
    assert_row(&run, "s01c_right", "solved", "");
    assert_row(&run, "s01d_wrong", "failed", "(left: 7, right: 42)");
    assert!(
        fixture
            .read("report/junit.xml")
            .contains("the compiler was stopped")
    );
}
