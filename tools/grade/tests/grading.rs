//! Learners do everything that can be done wrongly, and each exercise is still judged by itself.

mod common;

use std::fs;

use common::{Fixture, foot, part};

/// What is done to an exercise, the body of its answer, what stands below it, the mark, and how the reason begins.
const ANSWERS: &str = r#"
solved ; 42 ; ; solved ; 
wrong ; 7 ; ; failed ; the answer is asked for (left: 7, right: 42)
speaks ; eprintln!("thread 'x' panicked at y:"); 7 ; ; failed ; the answer is asked for (left: 7, right: 42)
hangs ; loop { std::thread::park() } ; ; timed out ; it hung, and was stopped after 4s
spins ; loop { std::hint::spin_loop() } ; ; timed out ; it hung, and was stopped after 4s
hangs_once ; if std::fs::create_dir("once").is_ok() { loop { std::thread::park() } } 42 ; ; solved ; 
hangs_before ; #[used] #[unsafe(link_section = ".init_array")] static LOAD: fn() = { fn hang() { loop {} } hang }; 42 ; ; timed out ; it hung
panics ; panic!("help") ; ; failed ; help
any_byte ; use std::io::Write; let all: Vec<u8> = (0..=255).collect(); std::io::stderr().write_all(&all).unwrap(); panic!("no:\u{1b}[31m \u{fffe}\u{ffff}\u{0} <&>") ; ; failed ; no:[31m
quotes ; panic!("no:\ntask 1 \"a\"") ; ; failed ; no:
bare ; assert_eq!(1 + 1, 3); 7 ; ; failed ; assertion `left == right` failed (left: 2, right: 3)
stuck ; watchdog() ; ; failed ; task 1 "the bell": nobody has woken it.
aborts ; std::process::abort() ; ; failed ; it ended with signal: 6
leaves ; eprintln!("here"); std::process::exit(3) ; ; failed ; it ended with exit status: 3
forges ; println!("test result: ok. 1 passed; 0 failed; 0 ignored"); std::process::exit(0) ; ; failed ; it ended itself with status 0
elsewhere ; let _ = std::thread::spawn(|| panic!("in a thread")).join(); std::process::exit(1) ; ; failed ; in a thread
prints ; println!("{}", "x".repeat(3 << 20)); 42 ; ; printed too much ; 
endless ; loop { println!("{}", "again ".repeat(1 << 16)) } ; ; printed too much ; 
threads ; loop { std::thread::Builder::new().stack_size(1 << 30).spawn(|| loop { std::thread::park() }).unwrap(); } ; ; failed ; called `Result::unwrap()`
no_code ; let answer: u32 = ""; answer ; ; does not compile ; error[E0308]: mismatched types
compiles_on ; const LOOP: u32 = loop {}; LOOP ; ; does not compile ; the compiler was stopped
own_test ; 42 ; #[cfg(test)] mod my { #[test] fn is_right() { panic!() } } ; solved ; 
fake_test ; 7 ; #[cfg(test)] mod my { #[test] fn is_right() {} } ; failed ; the answer is asked for (left: 7, right: 42)
derives ; 42 ; #[derive(Debug)] struct Helper; ; solved ; 
no_foot ; 42 ; last lines: none ; solved ; 
below_foot ; Number.give() ; struct Number; last lines: first impl Number { fn give(&self) -> u32 { 42 } } ; solved ; 
error_below ; 42 ; last lines: first fn nothing( { ; does not compile ; error: 
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
fn what_a_learner_does_is_one_row_and_the_courses_checks_judge() {
    let row = |row: &'static str| row.split(" ;").map(str::trim).collect();
    let rows: Vec<Vec<&str>> = ANSWERS.trim().lines().map(row).collect();
    let fixture = Fixture::new(&rows.iter().map(|row| row[0]).collect::<Vec<_>>());
    for (n, row) in rows.iter().enumerate() {
        let (part, foot) = (part(row[1]), foot(&fixture.names[n]));
        let below = match row[2].split_once("last lines: ") {
            Some((_, "none")) => String::new(),
            Some((above, below)) => format!("{above}\n{foot}{}", below.replacen("first", "", 1)),
            None => format!("{}\n{foot}", row[2]),
        };
        fixture.learner(n, &format!("{BESIDE}{part}{below}"));
    }
    let fake = format!("learner/checks/{}.rs", fixture.names[1]);
    fixture.write(&fake, "#[test]\nfn is_right() {}\n");
    let arguments = ["learner", "-o", "report", "--compiler-limit", "5"];
    let (status, table, errors) = fixture.run(&arguments);
    assert_eq!(status, Some(0), "{errors}");
    assert_rows(&fixture, &table, rows.iter().map(|row| (row[3], row[4])));
    let sum = "\n6 of 27 exercises solved, 12 of 54 points.\n";
    assert!(table.contains(sum) && table.starts_with(&fixture.read("report/summary.md")));
    let csv = fixture.read("report/summary.csv");
    let row = format!("\"learner\",{},10,0,2,failed,", fixture.names[1]);
    assert!(csv.lines().count() == 28 && csv.contains(&row), "{csv}");
    let xml = fixture.read("report/junit.xml");
    assert_eq!(xml.matches("<failure type=").count(), 21, "{xml}");
    // All that XML 1.0 calls a character.
    let is_known = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c > '\u{ffff}'
    };
    assert!(xml.chars().all(is_known), "{xml:?}");
    let place = "--&gt; exercises/01_one/s01t_no_code.rs:";
    assert!(xml.contains(place), "{xml}");
    // What the harness says of an option is not the learner's affair.
    assert!(!xml.contains("deprecated"));
}

fn assert_rows<'a>(fixture: &Fixture, table: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    for (name, (mark, why)) in fixture.names.iter().zip(rows) {
        // A signal has a number, and threads an end, on Linux.
        let of_linux = ["aborts", "before", "threads"];
        if cfg!(not(target_os = "linux")) && of_linux.iter().any(|it| name.contains(it)) {
            continue;
        }
        fixture.assert_row(table, name, mark, why);
    }
}

#[test]
fn what_is_missing_is_said_and_part_of_the_points_is_enough() {
    let fixture = Fixture::new(&[
        "solved",
        "missing",
        "unreadable",
        "untouched",
        "binary",
        "other",
    ]);
    fixture.learner(0, &(part("42") + &foot("s01a_solved")));
    fs::create_dir(fixture.path("learner/exercises/01_one/s01c_unreadable.rs")).unwrap();
    let starter = fixture.read("set/exercises/01_one/s01d_untouched.rs");
    fixture.learner(3, &starter.replace('\n', "\r\n"));
    // An image, of which the compiler would not like a single byte.
    let image: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let file = fixture.path("learner/exercises/01_one/s01e_binary.rs");
    fs::write(file, image).unwrap();
    for (percent, status) in [("20", 0), ("21", 1)] {
        let only = ["--only", "s01a,s01b,s01c_unreadable,s01d,s01e"];
        let arguments = [&["learner", "--fail-under", percent], &only[..]].concat();
        let (code, table, errors) = fixture.run(&arguments);
        assert_eq!(code, Some(status), "{errors}");
        let rows = [
            ("solved", ""),
            ("missing", "there is no such file"),
            ("missing", "it cannot be read: "),
            ("not started", ""),
            ("missing", "the file is not a text in UTF-8"),
        ];
        assert_rows(&fixture, &table, rows.into_iter());
        assert!(!table.contains("s01f"));
        let feedback = fixture.read("report/feedback/learner.md");
        let lists = "Not started: `s01d_untouched`.\n\nNot handed in: `s01b_missing`.\n\n## `s01c_unreadable`";
        assert!(feedback.contains(lists), "{feedback}");
    }
}

#[test]
fn a_class_is_one_table_and_says_who_is_stuck_on_what() {
    let fixture = Fixture::new(&["one", "two"]);
    let (anna, bob, eve) = (["42", "42"], ["41", "7"], ["41", "42"]);
    let learners = [("anna", anna), ("bob/exercises", bob), ("eve", eve)];
    for (learner, bodies) in learners {
        for (name, body) in fixture.names.iter().zip(bodies) {
            let file = format!("class/{learner}/exercises/01_one/{name}.rs");
            fixture.write(&file, &(part(body) + &foot(name)));
        }
    }
    fixture.write("class/zoe/notes.txt", "");
    let (_, table, _) = fixture.run(&["class"]);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<_> = table.lines().map(words).collect();
    for line in [
        "| anna | solved | solved | 4/4 |",
        "| bob | failed | failed | 0/4 |",
        "| eve | failed | solved | 2/4 |",
        "| zoe | missing | missing | 0/4 |",
        "| s01a_one | the answer is asked for (left: 41, right: 42) | bob; eve |",
        "| s01b_two | the answer is asked for (left: 7, right: 42) | bob |",
        "| zoe | s01a, s01b | there is no such file |",
    ] {
        assert!(lines.iter().any(|it| it == line), "no {line}\n{table}");
    }
    assert_eq!(fixture.read("report/summary.csv").lines().count(), 9);
    let marks = fixture.read("report/marks.csv");
    assert!(
        marks.starts_with(
            "learner,s01a_one,s01b_two,added,total,possible,note\n\"anna\",2,2,0,4,4,\"\"\n"
        ),
        "{marks}"
    );
    // What the teacher's page says to this answer, and where it says nothing, the second step of the hint.
    let bob = fixture.read("report/feedback/bob.md");
    let says = "## `s01a_one`: One\n\nIt fails.\n\n`````text\nthe answer is asked for (left: 41, right: 42)\n`````\n\nWhy 41?\n";
    assert!(
        bob.starts_with("# bob\n\n0 of 4 points.\n") && bob.contains(says),
        "{bob}"
    );
    assert!(
        bob.ends_with("(left: 7, right: 42)\n`````\n\nWhere to look: The body.\n"),
        "{bob}"
    );
    let anna = fixture.read("report/feedback/anna.md");
    assert_eq!(
        anna,
        "# anna\n\n4 of 4 points.\n\nSolved: `s01a_one`, `s01b_two`.\n"
    );
    for (folder, says) in [
        ("class/bob", "\n0 of 2 exercises solved"),
        ("class/bob/exercises", "\n0 of 2 exercises solved"),
        (
            "class/zoe",
            "class/zoe holds none of the exercises, such as s01a_one.rs, and neither does a folder in it",
        ),
        ("nowhere", "nowhere: "),
    ] {
        let (status, table, said) = fixture.run(&[folder]);
        assert!((table + &said).contains(says), "{said}");
        assert!(said.lines().count() == usize::from(status == Some(2)));
    }
}

#[test]
fn an_answer_that_does_not_compile_has_what_its_page_says() {
    let fixture = Fixture::new(&["one"]);
    let page = "set/teachers/wrong-answers/01.md";
    fixture.replace(page, "left: 43", "error[E0308]: mismatched types");
    for (body, says) in [("\"\"", "Why 43?\n"), ("forty_two", "`````\n")] {
        fixture.learner(0, &(part(body) + &foot(&fixture.names[0])));
        fixture.run(&["learner"]);
        let feedback = fixture.read("report/feedback/learner.md");
        assert!(feedback.ends_with(says), "{feedback}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_no_answer_has_failed() {
    let fixture = Fixture::new(&["one"]);
    fixture.learner(0, &part("forty_two"));
    let (status, table, _) = fixture.run(&["learner"]);
    assert_eq!(status, Some(0));
    fixture.assert_row(&table, &fixture.names[0], "does not compile", "error");
    std::os::unix::fs::symlink("/dev/full", fixture.path("build/room")).unwrap();
    let (status, table, said) = fixture.run(&["learner"]);
    assert_eq!((status, &*table), (Some(2), ""), "{said}");
    assert!(said.contains("No space left on device"), "{said}");
}

#[test]
fn each_layout_of_a_class_is_graded_or_has_its_line() {
    let fixture = Fixture::new(&["one", "two"]);
    let [one, two] = [0, 1].map(|n| &*fixture.names[n]);
    let right = |name| part("42") + &foot(name);
    for name in [one, two] {
        let places = [
            "class/anna maria/exercises/01_one",
            "class/bob's course/exercises/exercises/01_one",
            "class/flat",
            "class/.git/exercises/01_one",
            "class/__MACOSX/exercises/01_one",
            "flat",
        ];
        for place in places {
            fixture.write(&format!("{place}/{name}.rs"), &right(name));
        }
    }
    fixture.write(
        &format!("class/bom/exercises/01_one/{one}.rs"),
        &format!("\u{feff}{}", right(one)),
    );
    let (status, table, errors) = fixture.run(&["class"]);
    assert_eq!(status, Some(0), "{errors}");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let learners: Vec<_> = table.lines().skip(2).map(words).collect();
    let expected = [
        "| anna maria | solved | solved | 4/4 |",
        "| bob's course | solved | solved | 4/4 |",
        "| bom | solved | missing | 2/4 |",
        "| flat | solved | solved | 4/4 |",
        "",
    ];
    assert_eq!(learners[..5], expected, "{table}");
    let why = format!("| bom | {} | there is no such file |", &two[..4]);
    assert!(learners.contains(&why), "{table}");
    // Nobody is stuck, so there is nothing to say of that.
    let only = ["class/anna maria", "class/bob's course"];
    for (learner, solved) in only.iter().zip([2, 2]) {
        let (_, table, _) = fixture.run(&[learner]);
        assert!(
            table.contains(&format!("{solved} of 2 exercises solved")),
            "{table}"
        );
    }
    fs::remove_dir_all(fixture.path("class/bom")).unwrap();
    let (_, table, _) = fixture.run(&["class"]);
    assert!(!table.contains("stuck on"), "{table}");

    // A file beside the folders is nobody's.
    fixture.write("class/letter.txt", "");
    let (_, _, said) = fixture.run(&["class"]);
    let left_out = "in no learner's folder, and left out: letter.txt\n2 exercises of 3 learners: ";
    assert!(said.starts_with(left_out), "{said}");
    let (_, table, _) = fixture.run(&["flat"]);
    assert!(table.contains("2 of 2 exercises solved"), "{table}");
}

#[test]
fn what_was_handed_in_last_counts_and_a_learner_keeps_what_was_handed_in_before() {
    let fixture = Fixture::new(&["one", "two"]);
    let starter = |n: usize| {
        let name = &fixture.names[n];
        fixture.read(&format!("set/exercises/01_one/{name}.rs"))
    };
    let answer = |n: usize, body: &str| part(body) + &foot(&fixture.names[n]);
    let write = |folder: &str, n: usize, text: &str| {
        let name = &fixture.names[n];
        fixture.write(&format!("class/{folder}/{name}.rs"), text);
    };
    write("week1/anna", 0, &answer(0, "42"));
    write("week1/anna", 1, &answer(1, "7"));
    write("late/anna", 1, &answer(1, "42"));
    // A copy in which she has not solved again what she has solved already.
    write("late/bob", 0, &starter(0));
    write("week1/bob", 0, &answer(0, "42"));
    write("late/eve", 0, &answer(0, "7"));
    write("week1/eve", 0, &answer(0, "42"));
    write("late/zoe", 1, &answer(1, "42"));
    let decided = [
        (
            "on-time",
            "[learners.anna]\npoints = { s01a = 1 }\nadd = 1\nnote = \"on time\"\n",
        ),
        (
            "late",
            "[learners.anna]\npoints = { s01b = 1 }\nadd = -3\nnote = \"late\"\n",
        ),
    ];
    for (file, text) in decided {
        fixture.write(&format!("{file}.toml"), text);
    }
    let arguments = ["class/week1", "class/late", "--decisions"];
    let arguments = [&arguments[..], &["on-time.toml", "late.toml"]].concat();
    let (_, table, said) = fixture.run(&arguments);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let learners: Vec<_> = table.lines().skip(2).take(4).map(words).collect();
    let expected = [
        "| anna | solved | solved | 0/4 |",
        "| bob | solved | missing | 2/4 |",
        "| eve | failed | missing | 0/4 |",
        "| zoe | missing | solved | 2/4 |",
    ];
    assert_eq!(learners, expected, "{table}{said}");
    let marks = fixture.read("report/marks.csv");
    assert!(
        marks.contains("\n\"anna\",1,1,-2,0,4,\"on time; late\"\n"),
        "{marks}"
    );
    // Twice the same exercise, and nobody knows which of the two counts.
    fixture.write("late.toml", decided[0].1);
    let (status, _, said) = fixture.run(&arguments);
    let why = "late.toml: \"anna\": s01a has its points already\n";
    assert_eq!((status, &*said), (Some(2), why));
}

#[test]
fn what_the_teacher_decides_holds_when_the_class_is_graded_again() {
    let fixture = Fixture::new(&["one", "two"]);
    let learners = [
        ("anna", ["41", "42"]),
        ("bob", ["42", "42"]),
        ("carl", ["41", "41"]),
    ];
    for (learner, bodies) in learners {
        for (name, body) in fixture.names.iter().zip(bodies) {
            let file = format!("class/{learner}/{name}.rs");
            fixture.write(&file, &(part(body) + &foot(name)));
        }
    }
    let decided = "[learners.anna]\npoints = { s01a = 1 }\n\n[learners.bob]\nadd = -1\nnote = \"a day late\"\n\n\
        [learners.carl]\npoints = { s01a = 2 }\n";
    fixture.write("decisions.toml", decided);
    let arguments = ["class", "--decisions", "decisions.toml"];
    let (_, first, _) = fixture.run(&arguments);
    let marks = "learner,s01a_one,s01b_two,added,total,possible,note\n\
        \"anna\",1,2,0,3,4,\"\"\n\"bob\",2,2,-1,3,4,\"a day late\"\n\
        \"carl\",2,0,0,2,4,\"\"\n";
    assert_eq!(fixture.read("report/marks.csv"), marks);
    assert_eq!(fixture.run(&arguments).1, first);
    assert_eq!(fixture.read("report/marks.csv"), marks);
    assert_eq!(fixture.read("decisions.toml"), decided);
    let feedback = |it: &str| fixture.read(&format!("report/feedback/{it}.md"));
    let [anna, bob, carl] = ["anna", "bob", "carl"].map(feedback);
    let says = "# anna\n\n3 of 4 points.\n\nFor `s01a_one` your teacher gives 1 of 2 points.\n";
    assert!(anna.starts_with(says), "{anna}");
    assert!(
        bob.starts_with("# bob\n\n3 of 4 points.\n\nThat includes -1.\n\na day late\n"),
        "{bob}"
    );
    // What the teacher counts as right has no fault.
    let says = "# carl\n\n2 of 4 points.\n\nFor `s01a_one` your teacher gives 2 of 2 points.\n\n## `s01b_two`: One\n";
    assert!(carl.starts_with(says), "{carl}");
    // A decision that would be about nobody and nothing is none, and is found before anything is compiled.
    fs::remove_dir_all(fixture.path("build")).unwrap();
    for (wrong, says) in [
        ("[learners.eve]\nadd = 1", "no learner is called \"eve\"\n"),
        (
            "[learners.bob]\npoints = { s02a = 1 }",
            "\"bob\": s02a is none of the exercises that are graded\n",
        ),
        (
            "[learners.bob]\npoints = { s01a = 3 }",
            "\"bob\": s01a has 2 points at most\n",
        ),
    ] {
        fixture.write("decisions.toml", wrong);
        let (status, _, said) = fixture.run(&arguments);
        assert_eq!((status, &*said), (Some(2), says));
    }
    assert!(!fixture.path("build").exists());
}

/// As in a container, into which what was built before is copied.
#[test]
#[cfg(unix)]
fn in_a_copy_of_what_was_built_each_answer_is_judged_for_itself() {
    let fixture = Fixture::new(&["one"]);
    let name = &fixture.names[0];
    fixture.learner(0, &(part("42") + &foot(name)));
    let (_, table, _) = fixture.run(&["learner"]);
    assert!(table.contains("1 of 1 exercises solved"), "{table}");

    let mut copy = std::process::Command::new("cp");
    let copied = copy
        .arg("-a")
        .args(["build", "copy"].map(|it| fixture.path(it)))
        .status();
    assert!(copied.unwrap().success());
    fixture.learner(0, &(part("7") + &foot(name)));
    let (_, table, _) = fixture.run(&["learner", "--build-in", "copy"]);
    assert!(table.contains("0 of 1 exercises solved"), "{table}");
}
