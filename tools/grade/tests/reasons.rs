//! The table gives the reason for which a test failed, and nothing that was printed on the way.

mod common;

use common::{Fixture, TESTS, above, stderr, stdout};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const WATCHDOG: &str = r#"eprintln!("task 1 \"the bell\": nobody has woken it.\n  seen  polled once\n
    Stopped after 2s: tests::is_right waits.\nWatched: 1 future."); std::process::exit(1)"#;

/// What is done to an exercise, the body of its answer, and the reason.
fn rows() -> [(&'static str, String, &'static str); 7] {
    let expected = "let _ = std::panic::catch_unwind(|| panic!(\"as expected\"));";
    let compared = "the answer is asked for (left: 7, right: 42)";
    [
        ("left_over", "eprintln!(\"here\"); 7".to_owned(), compared),
        ("expected", format!("{expected} 7"), compared),
        (
            "bare",
            "assert_eq!(1 + 1, 3); 7".to_owned(),
            "assertion `left == right` failed (left: 2, right: 3)",
        ),
        (
            "stuck",
            format!("{expected} eprintln!(\"polls task 1\"); {WATCHDOG}"),
            "task 1 \"the bell\": nobody has woken it.",
        ),
        (
            "quoted",
            "panic!(\"no:\\ntask 1 \\\"a\\\"\")".to_owned(),
            "no:",
        ),
        (
            "leaves",
            "eprintln!(\"here\"); std::process::exit(3)".to_owned(),
            "it ended with exit",
        ),
        (
            "elsewhere",
            "eprintln!(\"here\"); let _ = std::thread::spawn(|| panic!(\"in a thread\")).join(); \
            std::process::exit(1)"
                .to_owned(),
            "in a thread",
        ),
    ]
}

#[test]
fn the_reason_is_what_the_test_said_last() {
    let rows = rows();
    let fixture = Fixture::new(&rows.each_ref().map(|row| row.0));
    for (name, (_, body, _)) in fixture.names.iter().zip(&rows) {
        let file = format!("learner/exercises/01_one/{name}.rs");
        fixture.write(&file, &(above(body) + TESTS));
    }
    let run = fixture.run(GRADE, &["learner", "-o", "report"]);
    let table = stdout(&run);
    for (name, (_, _, why)) in fixture.names.iter().zip(&rows) {
        let row = table.lines().find(|line| line.contains(name));
        let row = row.unwrap_or_else(|| panic!("no {name}: {table}{}", stderr(&run)));
        let last = row
            .trim_end_matches(" |")
            .rsplit("| ")
            .next()
            .unwrap()
            .trim();
        assert!(last.starts_with(why), "{why}: {table}");
    }
    // Which test it was, and the whole of it, stands there.
    assert!(
        fixture
            .read("report/junit.xml")
            .contains("name=\"tests::is_right\"")
    );
    assert!(
        table.lines().all(|line| line.chars().count() < 160),
        "{table}"
    );
}
