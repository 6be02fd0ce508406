//! What `prove` finds, each seen to be found; and the course's own set, in which nothing is found without a run.

mod common;

use std::fs;

use common::{Fixture, stderr};
use grade::{Exercise, Set, own_set, prove};

const PROVE: &str = env!("CARGO_BIN_EXE_prove");
const PAGE: &str = "set/class/wrong-answers/01.md";

#[test]
fn each_broken_promise_is_one_line() {
    let fixture = Fixture::new(&["kept", "red", "solved", "hard", "loose", "hangs", "refused"]);
    let starter = |n: usize| format!("set/exercises/01_one/{}.rs", fixture.names[n]);
    fixture.replace(&starter(1), "write the answer", "not yet");
    fixture.replace(&starter(2), "todo!(\"write the answer\")", "42");
    fixture.replace(
        "set/solutions/01_one/s01d_hard.rs",
        "    42\n",
        "    42 - 35\n",
    );
    let page = fixture.read(PAGE);
    let (before, after) = page.split_once("s01e_loose").unwrap();
    let after = after
        .replacen("+ 41", "+ 42", 1)
        .replacen("+ 43", "+ 44", 1);
    fixture.write(PAGE, &format!("{before}s01e_loose{after}"));
    fixture.replace(&starter(5), "todo!", "loop { std::thread::park() } todo!");
    fixture.replace(&starter(6), "todo!(\"write the answer\")", "\"42\"");

    let run = fixture.run(PROVE, &[]);
    let findings = stderr(&run);
    assert_eq!(run.status.code(), Some(1), "{findings}");
    for finding in [
        "s01b_red: the starter does not show `write the answer`, but: not yet implemented: not yet",
        "s01c_solved: the starter passes",
        "s01d_hard, wrong answer 1: `42` is not where it was: change its ```diff",
        "s01e_loose: wrong answer 1 passes",
        "s01e_loose: wrong answer 2 does not show `left: 43`",
        "s01f_hangs: the starter had not ended after 20s",
        "s01g_refused: the starter does not show `write the answer`, but: error[E0308]",
    ] {
        assert!(findings.contains(finding), "no {finding}\n{findings}");
    }
    assert_eq!(findings.lines().count(), 7, "{findings}");

    let run = fixture.run(PROVE, &["s01d_hard"]);
    assert!(stderr(&run).starts_with("s01d_hard, wrong answer 1: `42` is not where it was"));

    fixture.replace(PAGE, "- 42", "- 42 - 35");
    let run = fixture.run(PROVE, &["s01d_hard"]);
    let finding =
        "s01d_hard: the solution does not pass: the answer is asked for (left: 7, right: 42)";
    assert!(stderr(&run).starts_with(finding), "{}", stderr(&run));
}

/// A file, a text in it, what takes its place, and what is found then.
const MISFITS: &str = r#"
exercises/01_one/s01a_one.rs ; 10 minutes ; ten minutes ; exercises/01_one/s01a_one.rs: begin it as in `//! s01a · complete · 10
exercises/01_one/s01a_one.rs ; mod tests; ; mod test; ; exercises/01_one/s01a_one.rs: end it with `#[cfg(test)] #[path
solutions/01_one/s01a_one.rs ; checks/s01a ; checks/s01b ; solutions/01_one/s01a_one.rs: end it with
exercises/notes.rs ; ; // ; exercises/notes.rs: name it in class/catalogue.toml
checks/s01b_two.rs ; ; // ; checks/s01b_two.rs: name it
class/wrong-answers/01.md ; - 42 ; - 40 ; s01a_one, wrong answer 1: `40` is not where it was
class/wrong-answers/01.md ; ; ### `s01a_one` ; 01.md: s01a_one has less than two wrong answers
class/wrong-answers/01.md ; `s01a_one` ; `s01b_two` ; 01.md: there is no exercise `s01b_two`
class/wrong-answers/01.md ; ```text ; ```txt ; 01.md: s01a_one: to each wrong answer belong
class/catalogue.toml ; "Up.", ; ; catalogue.toml:6: invalid length 2
"#;

#[test]
fn what_does_not_fit_together_is_found_without_a_run() {
    for row in MISFITS.trim().lines() {
        let row: Vec<_> = row.split(" ;").map(str::trim).collect();
        let (fixture, file) = (Fixture::new(&["one"]), format!("set/{}", row[0]));
        match row[1] {
            "" => fixture.write(&file, row[2]),
            from => fixture.replace(&file, from, row[2]),
        }
        let found = stderr(&fixture.run(PROVE, &["--no-run"]));
        assert_eq!(found.lines().count(), 1, "{found}");
        assert!(found.contains(row[3]), "no {}: {found}", row[3]);
    }
    let fixture = Fixture::new(&["one"]);
    fs::remove_file(fixture.path("set/solutions/01_one/s01a_one.rs")).unwrap();
    let said = stderr(&fixture.run(PROVE, &["--no-run"]));
    assert!(said.contains("s01a_one.rs: "), "{said}");
}

#[test]
fn the_files_of_the_course_fit_together() {
    let set = Set::open(&own_set()).unwrap();
    let all: Vec<&Exercise> = set.exercises.iter().collect();
    let findings = [prove::files(&set, &all), prove::strays(&set)].concat();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}
