//! Learners do everything that can be done wrongly, and each exercise is still judged by itself.

mod common;

use std::fs;

use common::{Fixture, files, foot, part, stderr, stdout};
use quick_junit::Report;

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
/// What is done to an exercise, the body of its answer, the mark, and how the reason begins.
const BODIES: &str = r#"
solved ; 42 ; solved ;
wrong ; 7 ; failed ; the answer is asked for (left: 7, right: 42)
speaks ; eprintln!("thread 'x' panicked at y:"); 7 ; failed ; the answer is asked for (left: 7, right: 42)
hangs ; loop { std::thread::park() } ; timed out ; the test was stopped at the time limit
spins ; loop { std::hint::spin_loop() } ; timed out ; the test was stopped at the time limit
hangs_once ; if std::fs::create_dir("once").is_ok() { loop { std::thread::park() } } 42 ; solved ;
panics ; panic!("help") ; failed ; help
quotes ; panic!("no:\ntask 1 \"a\"") ; failed ; no:
bare ; assert_eq!(1 + 1, 3); 7 ; failed ; assertion `left == right` failed (left: 2, right: 3)
stuck ; watchdog() ; failed ; task 1 "the bell": nobody has woken it.
aborts ; std::process::abort() ; failed ; it ended with signal: 6
leaves ; eprintln!("here"); std::process::exit(3) ; failed ; it ended with exit status: 3
forges ; println!("test result: ok. 1 passed; 0 failed; 0 ignored"); std::process::exit(0) ; failed ; the process ended itself with status 0
elsewhere ; let _ = std::thread::spawn(|| panic!("in a thread")).join(); std::process::exit(1) ; failed ; in a thread
prints ; println!("{}", "x".repeat(3 << 20)); 42 ; printed too much ;
endless ; loop { println!("again") } ; printed too much ;
threads ; loop { std::thread::spawn(|| loop { std::thread::park() }); } ; failed ;
no_code ; let answer: u32 = ""; answer ; does not compile ; error[E0308]: mismatched types
compiles_on ; const LOOP: u32 = loop {}; LOOP ; does not compile ; error: the compiler was stopped
"#;
const BESIDE: &str = r#"#![allow(long_running_const_eval, unused)]
fn watchdog() -> u32 {
    let _ = std::panic::catch_unwind(|| panic!("as expected"));
    eprintln!("polls task 1\ntask 1 \"the bell\": nobody has woken it.\n  seen  polled once\n
    Stopped after 2s: tests::is_right waits.\nWatched: 1 future.");
    std::process::exit(1)
}
"#;

#[test]
fn whatever_a_learner_does_is_one_row() {
    let rows: Vec<Vec<_>> = BODIES
        .trim()
        .lines()
        .map(|row| row.split(" ;").map(str::trim).collect())
        .collect();
    let fixture = Fixture::new(&rows.iter().map(|row| row[0]).collect::<Vec<_>>());
    for (n, row) in rows.iter().enumerate() {
        fixture.learner(
            n,
            &format!("{BESIDE}{}{}", part(row[1]), foot(&fixture.names[n])),
        );
    }
    let before = files(&fixture.path("learner"));
    let run = fixture.run(GRADE, &["learner", "-o", "report", "--compiler-limit", "5"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(
        files(&fixture.path("learner")),
        before,
        "the learner's folder was written to"
    );
    let table = stdout(&run);
    assert_rows(&fixture, &table, rows.iter().map(|row| (row[2], row[3])));
    assert!(
        table.contains("2 of 19 exercises solved, 4 of 38 points."),
        "{table}"
    );

    assert!(table.starts_with(&fixture.read("report/summary.md")));
    let csv = fixture.read("report/summary.csv");
    assert!(
        csv.lines().count() == 20 && csv.contains("s01b_wrong,10,0,2,failed,"),
        "{csv}"
    );
    let xml = fixture.read("report/junit.xml");
    // What the harness says of an option is not the learner's affair.
    assert!(!xml.contains("deprecated") && xml.len() < 200_000, "{xml}");
    let report = Report::deserialize_from_str(&xml).unwrap();
    let failed = report
        .test_suites
        .iter()
        .filter(|suite| suite.failures == 1);
    assert_eq!((report.test_suites.len(), failed.count()), (19, 17));
    assert!(
        xml.contains("name=\"tests::is_right\"")
            && xml.contains("expected `u32`, found `&amp;str`")
    );
}

#[test]
fn only_the_checks_of_the_course_judge_and_all_of_them() {
    let own = |name: &str, body: &str| {
        format!("#[cfg(test)]\nmod {name} {{\n    #[test]\n    fn is_right() {{ {body} }}\n}}\n")
    };
    let changed = "its last three lines were changed";
    let compared = "the answer is asked for (left: 7, right: 42)";
    let redefined = "macro_rules! assert_eq { ($($t:tt)*) => {()} }\n".to_owned();
    let rows = [
        (
            "own_test",
            part("42") + &own("my", "panic!()"),
            true,
            "solved",
            "",
        ),
        (
            "fake_test",
            part("7") + &own("my", ""),
            true,
            "failed",
            compared,
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
            part("7") + &own("tests", ""),
            false,
            "does not compile",
            changed,
        ),
        (
            "left_out",
            part("7") + &own("tests", "") + "#[cfg(any())]\n",
            true,
            "does not compile",
            changed,
        ),
        (
            "asserts_nothing",
            redefined + &part("7"),
            true,
            "failed",
            "what the checks assert with is redefined",
        ),
    ];
    let fixture = Fixture::new(&rows.each_ref().map(|row| row.0));
    for (n, (_, text, with_foot, ..)) in rows.iter().enumerate() {
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
    assert_rows(
        &fixture,
        &stdout(&run),
        rows.iter().map(|row| (row.3, row.4)),
    );
}

fn assert_rows<'a>(fixture: &Fixture, table: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
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
            cells[3] == mark && cells[5].starts_with(why),
            "{mark}: {why}\n{table}"
        );
        assert!(row.chars().count() < 160, "{row}");
    }
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
        assert_rows(&fixture, &stdout(&run), rows.into_iter());
    }
}
