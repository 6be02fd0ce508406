//! Learners do everything that can be done wrongly, and the run goes on.

mod common;

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
    sync::mpsc,
    thread,
    time::Duration,
};

use common::{Fixture, TESTS, above, files, stderr, stdout};
use fd_lock::RwLock;
use quick_junit::Report;

const GRADE: &str = env!("CARGO_BIN_EXE_grade");

/// What is done to an exercise, the learner's part above the tests, the mark, and a word of why.
const ROWS: [(&str, &str, &str, &str); 13] = [
    ("solved", "42", "solved", ""),
    ("wrong", "7", "failed", "(left: 7, right: 42)"),
    (
        "hangs",
        "loop { std::thread::park() }",
        "timed out",
        "the test was stopped at the time limit",
    ),
    (
        "spins",
        "loop { std::hint::spin_loop() }",
        "timed out",
        "the test was stopped at the time limit",
    ),
    ("panics", "panic!(\"help\")", "failed", "help"),
    (
        "aborts",
        "std::process::abort()",
        "failed",
        "it ended with signal: 6",
    ),
    (
        "leaves",
        "std::process::exit(0)",
        "failed",
        "the process ended itself with status 0",
    ),
    (
        "prints",
        "println!(\"{}\", \"x\".repeat(3 << 20)); 42",
        "printed too much",
        "more than 1 MiB",
    ),
    (
        "endless",
        "loop { println!(\"again\") }",
        "printed too much",
        "more than 1 MiB",
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
        "lies",
        "println!(\"test result: ok. 1 passed; 0 failed;\"); std::process::exit(1)",
        "failed",
        "status: 1",
    ),
    (
        "forges",
        "println!(\"test result: ok. 1 passed; 0 failed; 0 ignored\"); std::process::exit(0)",
        "failed",
        "the process ended itself with status 0",
    ),
];

fn learner(fixture: &Fixture) {
    for (name, (_, body, ..)) in fixture.names.iter().zip(ROWS) {
        let file = format!("learner/exercises/01_one/{name}.rs");
        fixture.write(&file, &(above(body) + TESTS));
    }
}

#[test]
fn whatever_a_learner_does_is_one_row() {
    let mut whats: Vec<_> = ROWS.iter().map(|row| row.0).collect();
    whats.extend(["missing", "no_tests", "tests_made_easy", "unreadable"]);
    let fixture = Fixture::new(&whats);
    learner(&fixture);
    fixture.write("learner/exercises/01_one/s01o_no_tests.rs", &above("7"));
    let easy = TESTS.replace("answer(), 42", "42, 42");
    let file = "learner/exercises/01_one/s01p_tests_made_easy.rs";
    fixture.write(file, &(above("7") + &easy));
    fs::create_dir(fixture.path("learner/exercises/01_one/s01q_unreadable.rs")).unwrap();
    let before = files(&fixture.path("learner"));

    let run = fixture.run(GRADE, &["learner", "-o", "report"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let table = stdout(&run);
    let mut expected: Vec<_> = ROWS.iter().map(|row| (row.2, row.3)).collect();
    expected.extend([
        ("missing", "there is no such file"),
        ("failed", "(left: 7, right: 42)"),
        ("failed", "(left: 7, right: 42)"),
        ("missing", "it cannot be read: "),
    ]);
    for (name, (mark, why)) in fixture.names.iter().zip(&expected) {
        let row = table.lines().find(|line| line.contains(name)).unwrap();
        let is_elsewhere =
            cfg!(not(target_os = "linux")) && ["s01f_aborts", "s01j_threads"].contains(&&**name);
        assert!(
            row.contains(&format!("| {mark} ")) || is_elsewhere,
            "{table}"
        );
        assert!(row.contains(why) || is_elsewhere, "{table}");
    }
    assert!(
        table.contains("1 of 17 exercises solved, 2 of 34 points."),
        "{table}"
    );

    assert_eq!(
        files(&fixture.path("learner")),
        before,
        "the learner's folder was written to"
    );
    assert!(table.starts_with(&fixture.read("report/summary.md")));
    let csv = fixture.read("report/summary.csv");
    assert_eq!(csv.lines().count(), 18, "{csv}");
    assert!(
        csv.contains("s01n_missing,10,0,2,missing,0.0,there is no such file"),
        "{csv}"
    );
    let xml = fixture.read("report/junit.xml");
    // What the harness says of an option is not the learner's affair.
    assert!(!xml.contains("deprecated"), "{xml}");
    let report = Report::deserialize_from_str(&xml).unwrap();
    let failed = report
        .test_suites
        .iter()
        .filter(|suite| suite.failures == 1);
    assert_eq!((report.test_suites.len(), failed.count()), (17, 16));
    assert!(
        xml.contains("expected `u32`, found `&amp;str`"),
        "the compiler's error is there"
    );
    assert!(xml.len() < 200_000, "{} bytes of report", xml.len());
}

#[test]
fn the_tests_that_judge_can_be_chosen() {
    // Only the visible test is content with this.
    let fixture = Fixture::new(&["memorised", "made_easy"]);
    for (name, tests) in fixture
        .names
        .iter()
        .zip([TESTS, "#[cfg(test)]\nmod tests {}\n"])
    {
        let file = format!("learner/exercises/01_one/{name}.rs");
        fixture.write(&file, &(above("42") + tests));
        let held_out = format!("set/class/held-out/{name}.rs");
        fixture.replace(&held_out, "answer() + 1, 43", "answer(), 43");
    }
    let points = |arguments: &[&str]| {
        let run = fixture.run(GRADE, arguments);
        let text = stdout(&run);
        let line = text.lines().find(|line| line.contains(" of 4 points"));
        (line.unwrap_or(&text).to_owned(), run.status.code().unwrap())
    };
    let all = "2 of 2 exercises solved, 4 of 4 points.".to_owned();
    let half = "1 of 2 exercises solved, 2 of 4 points.".to_owned();
    let none = "0 of 2 exercises solved, 0 of 4 points.".to_owned();
    assert_eq!(points(&["learner"]), (all.clone(), 0));
    assert_eq!(points(&["learner", "--as-written"]), (half, 0));
    let held_out = [
        "learner",
        "--held-out",
        "set/class/held-out",
        "--fail-under",
    ];
    assert_eq!(points(&[&held_out[..], &["0"]].concat()), (none.clone(), 0));
    assert_eq!(points(&[&held_out[..], &["1"]].concat()), (none, 1));
    assert_eq!(points(&["learner", "--fail-under", "4"]), (all, 0));

    fixture.remove("set/class/held-out/s01b_made_easy.rs");
    let run = fixture.run(GRADE, &held_out[..3]);
    let table = stdout(&run);
    let fell_back =
        "1 of 2 exercises solved, 2 of 4 points.\nJudged by the visible tests: s01b_made_easy.\n";
    assert!(table.contains(fell_back), "{table}{}", stderr(&run));
    assert!(fixture.read("report/summary.md").ends_with(fell_back));
}

#[test]
fn a_test_that_was_stopped_has_a_second_try_alone() {
    let fixture = Fixture::new(&["hangs_once", "hangs_once_and_is_wrong"]);
    for (name, answer) in fixture.names.iter().zip(["42", "7"]) {
        let body = format!(
            "if std::fs::create_dir(\"{name}\").is_ok() {{ \
             loop {{ std::thread::park() }} }} {answer}"
        );
        let file = format!("learner/exercises/01_one/{name}.rs");
        fixture.write(&file, &(above(&body) + TESTS));
    }
    let table = stdout(&fixture.run(GRADE, &["learner"]));
    assert!(table.contains("| 2/2    | solved"), "{table}");
    assert!(table.contains("(left: 7, right: 42)"), "{table}");
}

#[test]
fn who_waits_for_another_grade_says_so() {
    let fixture = Fixture::new(&["one"]);
    let name = &fixture.names[0];
    fixture.write(
        &format!("learner/exercises/01_one/{name}.rs"),
        &(above("42") + TESTS),
    );
    fixture.write("build/lock", "");
    let mut lock = RwLock::new(fs::File::open(fixture.path("build/lock")).unwrap());
    let held = lock.write().unwrap();
    let mut command = fixture.command(GRADE);
    command.args(["learner"]).stdout(Stdio::null());
    let mut waits = command.stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(waits.stderr.take().unwrap());
    let (line, first_line) = mpsc::channel();
    thread::spawn(move || said.lines().try_for_each(|said| line.send(said.unwrap())));
    let first_line = first_line.recv_timeout(Duration::from_secs(30));
    // In any case, because it would wait forever otherwise.
    drop(held);
    assert!(waits.wait().unwrap().success());
    let is_said = |line: &String| line.starts_with("waiting for another grade in ");
    assert!(first_line.as_ref().is_ok_and(is_said), "{first_line:?}");
}
