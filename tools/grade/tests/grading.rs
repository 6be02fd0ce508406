//! Learners do everything that can be done wrongly, and each exercise is still judged by itself.

mod common;

use std::fs;

use common::{Fixture, files, foot, part, stderr, stdout};
use quick_junit::Report;

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
const WATCHDOG: &str = r#"let _ = std::panic::catch_unwind(|| panic!("as expected"));
    eprintln!("polls task 1\ntask 1 \"the bell\": nobody has woken it.\n  seen  polled once\n
    Stopped after 2s: tests::is_right waits.\nWatched: 1 future."); std::process::exit(1)"#;
const COMPARED: &str = "the answer is asked for (left: 7, right: 42)";
const STOPPED: &str = "the test was stopped at the time limit";
const LEFT: &str = "the process ended itself with status 0";
const FORGES: &str =
    "println!(\"test result: ok. 1 passed; 0 failed; 0 ignored\"); std::process::exit(0)";
const THREAD: &str =
    "let _ = std::thread::spawn(|| panic!(\"in a thread\")).join(); std::process::exit(1)";
const MAY_BE_BUSY: &str =
    "if std::fs::create_dir(\"once\").is_ok() { loop { std::thread::park() } } 42";

/// What is done to an exercise, the body of its answer, the mark, and how the reason begins.
const BODIES: [(&str, &str, &str, &str); 19] = [
    ("solved", "42", "solved", ""),
    ("wrong", "7", "failed", COMPARED),
    (
        "speaks",
        "eprintln!(\"thread 'x' panicked at y:\"); 7",
        "failed",
        COMPARED,
    ),
    (
        "hangs",
        "loop { std::thread::park() }",
        "timed out",
        STOPPED,
    ),
    (
        "spins",
        "loop { std::hint::spin_loop() }",
        "timed out",
        STOPPED,
    ),
    ("hangs_once", MAY_BE_BUSY, "solved", ""),
    ("panics", "panic!(\"help\")", "failed", "help"),
    (
        "quotes",
        "panic!(\"no:\\ntask 1 \\\"a\\\"\")",
        "failed",
        "no:",
    ),
    (
        "bare",
        "assert_eq!(1 + 1, 3); 7",
        "failed",
        "assertion `left == right` failed (left: 2, right: 3)",
    ),
    (
        "stuck",
        WATCHDOG,
        "failed",
        "task 1 \"the bell\": nobody has woken it.",
    ),
    (
        "aborts",
        "std::process::abort()",
        "failed",
        "it ended with signal: 6",
    ),
    (
        "leaves",
        "eprintln!(\"here\"); std::process::exit(3)",
        "failed",
        "it ended with exit status: 3",
    ),
    ("forges", FORGES, "failed", LEFT),
    ("elsewhere", THREAD, "failed", "in a thread"),
    (
        "prints",
        "println!(\"{}\", \"x\".repeat(3 << 20)); 42",
        "printed too much",
        "",
    ),
    (
        "endless",
        "loop { println!(\"again\") }",
        "printed too much",
        "",
    ),
    (
        "threads",
        "loop { std::thread::spawn(|| loop { std::thread::park() }); }",
        "failed",
        "",
    ),
    (
        "no_code",
        "let answer: u32 = \"\"; answer",
        "does not compile",
        "error[E0308]: mismatched types",
    ),
    (
        "compiles_on",
        "const LOOP: u32 = loop {}; LOOP",
        "does not compile",
        "error: the compiler was stopped",
    ),
];

#[test]
fn whatever_a_learner_does_is_one_row() {
    let own_test = |body: &str| {
        format!("#[cfg(test)]\nmod my {{\n    #[test]\n    fn is_right() {{ {body} }}\n}}\n")
    };
    let inline = |body: &str| own_test(body).replace("mod my", "mod tests");
    let redefined = "macro_rules! assert_eq { ($($t:tt)*) => {()} }\n";
    let changed = "its last three lines were changed";
    let foot_is_the_exercises = [
        (
            "own_test",
            part("42") + &own_test("panic!()"),
            true,
            "solved",
            "",
        ),
        (
            "fake_test",
            part("7") + &own_test(""),
            true,
            "failed",
            COMPARED,
        ),
        (
            "derives",
            part("42") + "#[derive(Debug)] struct Helper;\n",
            true,
            "solved",
            "",
        ),
        ("no_foot", part("42"), false, "solved", ""),
        (
            "other_tests",
            part("7") + &inline(""),
            false,
            "does not compile",
            changed,
        ),
        (
            "none",
            part("7") + &inline("") + "#[cfg(any())]\n",
            true,
            "does not compile",
            changed,
        ),
        (
            "asserts_nothing",
            redefined.to_owned() + &part("7"),
            true,
            "failed",
            "what the checks assert with is redefined",
        ),
    ];
    let bodies = BODIES.map(|(what, body, ..)| (what, part(body)));
    let others = foot_is_the_exercises.iter().map(|row| row.0);
    let whats: Vec<_> = bodies.iter().map(|row| row.0).chain(others).collect();
    // There are more of them than letters.
    let (first, second) = whats.split_at(BODIES.len());
    let fixture = Fixture::new(first);
    for (n, (what, text)) in bodies.iter().enumerate() {
        let lints = match *what {
            "compiles_on" => "#![allow(long_running_const_eval, unused)]\n",
            _ => "",
        };
        fixture.learner(n, &(lints.to_owned() + text + &foot(&fixture.names[n])));
    }
    let before = files(&fixture.path("learner"));
    let run = fixture.run(GRADE, &["learner", "-o", "report", "--compiler-limit", "5"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(
        files(&fixture.path("learner")),
        before,
        "the learner's folder was written to"
    );
    let rows = BODIES.map(|(_, _, mark, why)| (mark, why));
    assert_rows(&fixture, &stdout(&run), &rows);
    assert!(stdout(&run).contains("2 of 19 exercises solved, 4 of 38 points."));
    assert_report(&fixture, &stdout(&run));

    let fixture = Fixture::new(second);
    for (n, (_, text, with_foot, ..)) in foot_is_the_exercises.iter().enumerate() {
        let foot = if *with_foot {
            foot(&fixture.names[n])
        } else {
            String::new()
        };
        fixture.learner(n, &(text.clone() + &foot));
    }
    fixture.write(
        "learner/checks/s01b_fake_test.rs",
        "#[test]\nfn is_right() {}\n",
    );
    let run = fixture.run(GRADE, &["learner"]);
    let rows = foot_is_the_exercises
        .each_ref()
        .map(|(.., mark, why)| (*mark, *why));
    assert_rows(&fixture, &stdout(&run), &rows);
}

fn assert_rows(fixture: &Fixture, table: &str, rows: &[(&str, &str)]) {
    for (name, (mark, why)) in fixture.names.iter().zip(rows) {
        // A signal has a number, and threads an end, on Linux.
        if cfg!(not(target_os = "linux")) && (name.contains("aborts") || name.contains("threads")) {
            continue;
        }
        let row = table
            .lines()
            .find(|line| line.contains(name))
            .unwrap_or(table);
        let cells: Vec<_> = row.split(" | ").map(str::trim).collect();
        assert!(
            cells[3] == *mark && cells[5].starts_with(why),
            "{mark}: {why}\n{table}"
        );
        assert!(row.chars().count() < 160, "{row}");
    }
}

fn assert_report(fixture: &Fixture, table: &str) {
    assert!(table.starts_with(&fixture.read("report/summary.md")));
    let csv = fixture.read("report/summary.csv");
    assert_eq!(csv.lines().count(), 20, "{csv}");
    assert!(csv.contains("s01b_wrong,10,0,2,failed,0.0,"), "{csv}");
    let xml = fixture.read("report/junit.xml");
    // What the harness says of an option is not the learner's affair.
    assert!(!xml.contains("deprecated"), "{xml}");
    let report = Report::deserialize_from_str(&xml).unwrap();
    let failed = report
        .test_suites
        .iter()
        .filter(|suite| suite.failures == 1);
    assert_eq!((report.test_suites.len(), failed.count()), (19, 17));
    for part in [
        "name=\"tests::is_right\"",
        "expected `u32`, found `&amp;str`",
    ] {
        assert!(xml.contains(part), "no {part}");
    }
    assert!(xml.len() < 200_000, "{} bytes of report", xml.len());
}

#[test]
fn a_missing_file_is_a_row_and_points_can_be_demanded() {
    let fixture = Fixture::new(&["solved", "missing", "unreadable"]);
    fixture.learner(0, &(part("42") + &foot("s01a_solved")));
    fs::create_dir(fixture.path("learner/exercises/01_one/s01c_unreadable.rs")).unwrap();
    for (points, status) in [("2", 0), ("3", 1)] {
        let run = fixture.run(GRADE, &["learner", "--fail-under", points]);
        assert_eq!(run.status.code(), Some(status), "{}", stderr(&run));
        let rows = [
            ("solved", ""),
            ("missing", "there is no such file"),
            ("missing", "it cannot be read: "),
        ];
        assert_rows(&fixture, &stdout(&run), &rows);
    }
}
