//! Learners do everything that can be done wrongly, and each exercise is still judged by itself.

mod common;

use std::fs;

use common::{Fixture, files, foot, part, stderr, stdout};

const GRADE: &str = env!("CARGO_BIN_EXE_grade");
/// What is done to an exercise, the body of its answer, the mark, and how the reason begins.
const BODIES: &str = r#"
solved ; 42 ; solved ;
wrong ; 7 ; failed ; the answer is asked for (left: 7, right: 42)
speaks ; eprintln!("thread 'x' panicked at y:"); 7 ; failed ; the answer is asked for (left: 7, right: 42)
hangs ; loop { std::thread::park() } ; timed out ; it hung, and was stopped after 4s
spins ; loop { std::hint::spin_loop() } ; timed out ; it hung, and was stopped after 4s
hangs_once ; if std::fs::create_dir("once").is_ok() { loop { std::thread::park() } } 42 ; solved ;
hangs_before ; #[used] #[unsafe(link_section = ".init_array")] static LOAD: fn() = { fn hang() { loop {} } hang }; 42 ; timed out ; before its first test: it hung
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
compiles_on ; const LOOP: u32 = loop {}; LOOP ; does not compile ; the compiler was stopped
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
    let rows = rows(BODIES);
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
        table.contains("2 of 20 exercises solved, 4 of 40 points."),
        "{table}"
    );

    assert!(table.starts_with(&fixture.read("report/summary.md")));
    let csv = fixture.read("report/summary.csv");
    assert!(
        csv.lines().count() == 21 && csv.contains("learner,s01b_wrong,10,0,2,failed,"),
        "{csv}"
    );
    let sheet = fixture.read("report/sheets/learner.md");
    // What the harness says of an option is not the learner's affair, and neither is the name of the program.
    assert!(!sheet.contains("deprecated") && !sheet.contains("--1") && sheet.len() < 200_000);
    assert_eq!(sheet.matches("\n## `").count(), 18, "{sheet}");
    assert!(
        sheet.contains("--> exercises/01_one/s01s_no_code.rs")
            && sheet.contains("expected `u32`, found `&str`")
    );
}

/// The body of an answer, what stands below it, whether the last lines are there, the mark, and how the reason begins.
const BELOW: &str = r#"
own_test ; 42 ; #[cfg(test)] mod my { #[test] fn is_right() { panic!() } } ; foot ; solved ;
fake_test ; 7 ; #[cfg(test)] mod my { #[test] fn is_right() {} } ; foot ; failed ; the answer is asked for (left: 7, right: 42)
derives ; 42 ; #[derive(Debug)] struct Helper; ; foot ; solved ;
no_foot ; 42 ; ; none ; solved ;
other_tests ; 7 ; #[cfg(test)] mod tests { #[test] fn is_right() {} } ; none ; does not compile ; its last three lines were changed
left_out ; 7 ; #[cfg(test)] mod tests { #[test] fn is_right() {} } #[cfg(any())] ; foot ; does not compile ; its last three lines
asserts_nothing ; 7 ; macro_rules! assert_eq { ($($t:tt)*) => {()} } ; foot ; failed ; what the checks assert with is redefined
matches_all ; 42 ; macro_rules! matches { ($($t:tt)*) => { true } } ; foot ; failed ; what the checks assert with is redefined
"#;

#[test]
fn only_the_checks_of_the_course_judge_and_all_of_them() {
    let rows = rows(BELOW);
    let fixture = Fixture::new(&rows.iter().map(|row| row[0]).collect::<Vec<_>>());
    for (n, row) in rows.iter().enumerate() {
        let end = if row[3] == "foot" {
            &*foot(&fixture.names[n])
        } else {
            ""
        };
        fixture.learner(n, &format!("{}{}\n{end}", part(row[1]), row[2]));
    }
    fixture.write(
        "learner/checks/s01b_fake_test.rs",
        "#[test]\nfn is_right() {}\n",
    );
    let run = fixture.run(GRADE, &["learner"]);
    assert_rows(
        &fixture,
        &stdout(&run),
        rows.iter().map(|row| (row[4], row[5])),
    );
}

fn rows(table: &str) -> Vec<Vec<&str>> {
    let rows = table.trim().lines();
    rows.map(|row| row.split(" ;").map(str::trim).collect())
        .collect()
}

fn assert_rows<'a>(fixture: &Fixture, table: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    for (name, (mark, why)) in fixture.names.iter().zip(rows) {
        // A signal has a number, and threads an end, on Linux.
        if cfg!(not(target_os = "linux"))
            && (["aborts", "before", "threads"]
                .iter()
                .any(|it| name.contains(it)))
        {
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
fn what_is_missing_or_not_started_is_said_and_a_part_of_the_points_can_be_demanded() {
    let fixture = Fixture::new(&["solved", "missing", "unreadable", "untouched", "other"]);
    fixture.learner(0, &(part("42") + &foot("s01a_solved")));
    fixture.write("learner/exercises/s01b_missing (1).rs", "");
    fs::create_dir(fixture.path("learner/exercises/01_one/s01c_unreadable.rs")).unwrap();
    let starter = fixture.read("set/exercises/01_one/s01d_untouched.rs");
    fixture.learner(3, &starter.replace('\n', "\r\n"));
    for (percent, status) in [("25", 0), ("26", 1)] {
        let only = [
            "learner",
            "--only",
            "s01a,s01b,s01c_unreadable,s01d",
            "--fail-under",
            percent,
        ];
        let run = fixture.run(GRADE, &only);
        assert_eq!(run.status.code(), Some(status), "{}", stderr(&run));
        let rows = [
            ("solved", ""),
            (
                "missing",
                "there is no such file, but exercises/s01b_missing (1).rs: is it",
            ),
            ("missing", "it cannot be read: "),
            ("not started", ""),
        ];
        assert_rows(&fixture, &stdout(&run), rows.into_iter());
        assert!(!stdout(&run).contains("s01e"));
    }
}

#[test]
fn a_class_is_one_table_and_says_who_is_stuck_on_what() {
    let fixture = Fixture::new(&["one", "two"]);
    let solutions = [
        ("anna", ["42", "42"]),
        ("bob/exercises", ["41", "7"]),
        ("eve", ["41", "42"]),
    ];
    for (learner, bodies) in solutions {
        for (name, body) in fixture.names.iter().zip(bodies) {
            fixture.write(
                &format!("class/{learner}/exercises/01_one/{name}.rs"),
                &(part(body) + &foot(name)),
            );
        }
    }
    fixture.write("class/zoe/notes.txt", "");
    let run = fixture.run(GRADE, &["class", "--book", "book"]);
    let lines = stdout(&run)
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>();
    for line in [
        "| anna | solved | solved | 4/4 |",
        "| bob | failed | failed | 0/4 |",
        "| eve | failed | solved | 2/4 |",
        "| zoe | missing | missing | 0/4 |",
        "| s01a_one | the answer is asked for (left: 41, right: 42) | bob, eve |",
        "| s01b_two | the answer is asked for (left: 7, right: 42) | bob |",
    ] {
        assert!(
            lines.iter().any(|it| it == line),
            "no {line}\n{}",
            stdout(&run)
        );
    }
    assert_eq!(fixture.read("report/summary.csv").lines().count(), 9);
    let sheet = fixture.read("report/sheets/eve.md");
    assert!(
        sheet.contains("[chapter 01](book/01-one.html)")
            && sheet.contains("panicked at checks/s01a_one.rs:5:5")
            && sheet.contains("*A question:* What is one less?"),
        "{sheet}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_has_left_its_group_does_not_outlive_the_grading() {
    let fixture = Fixture::new(&["leaves_a_child"]);
    let body = r#"std::process::Command::new("setsid").args(["sh", "-c", "echo $$ > id; exec sleep 1000"]).spawn().unwrap();
        while std::fs::read_to_string("id").is_ok_and(|id| id.ends_with('\n')) == false {} 42"#;
    fixture.learner(0, &(part(body) + &foot(&fixture.names[0])));
    let run = fixture.run(GRADE, &["learner"]);
    assert!(stdout(&run).contains("solved"), "{}", stdout(&run));
    let id = fixture.read("build/graded/learner-1/id");
    assert!(
        !fixture.path("/proc").join(id.trim()).exists(),
        "{id} is still there"
    );
}
