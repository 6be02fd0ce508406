//! What `prove` finds, each seen to be found; and the course's own set, in which nothing is found without a run.

mod common;

use common::Fixture;
use grade::{Error, Package, Set, prove};

fn found(fixture: &Fixture, only: &str, package: Option<&Package>) -> Result<Vec<String>, Error> {
    let set = Set::open(Some(fixture.path("set")))?.only(only)?;
    prove::findings(&set, package)
}

#[test]
fn each_broken_promise_is_one_line() {
    let fixture = Fixture::new(&[
        "kept", "red", "solved", "loose", "hangs", "refused", "right",
    ]);
    let starter = |n: usize| format!("set/exercises/01_one/{}.rs", fixture.names[n]);
    fixture.replace(&starter(1), "write the answer", "not yet");
    fixture.replace(&starter(2), "todo!(\"write the answer\")", "42");
    let page = "set/teachers/wrong-answers/01.md";
    let text = fixture.read(page);
    let (before, after) = text.split_once("s01d_loose").unwrap();
    let after = after.replacen("+ 41", "+ 42", 1);
    let after = after.replacen("+ 43", "+ 44", 1);
    // The last exercise has two answers more that are said to be right, and one of them is.
    let also = ["6 * 7", "6 * 8"]
        .map(|it| format!("*Compared with the solution:*\n\n```diff\n- 42\n+ {it}\n```\n"));
    let also = also.join("\n");
    fixture.write(page, &format!("{before}s01d_loose{after}{also}"));
    fixture.replace(&starter(4), "todo!", "loop { std::thread::park() } todo!");
    fixture.replace(&starter(5), "todo!(\"write the answer\")", "\"42\"");

    let package = Package::enter(Some(fixture.path("build")), 60).unwrap();
    let findings = found(&fixture, "", Some(&package)).unwrap();
    for finding in [
        "s01b_red: the starter does not show `write the answer`, but: not yet implemented: not yet",
        "s01c_solved: the starter passes",
        "s01d_loose: answer 1 passes",
        "s01d_loose: answer 2 does not show `left: 43`",
        "s01e_hangs: the starter hangs",
        "s01f_refused: the starter does not show `write the answer`, but: error[E0308]",
        "s01g_right: answer 4 is right, and is refused: the answer is asked for (left: 48, right: 42)",
    ] {
        let is_it = |it: &String| it.starts_with(finding);
        assert!(findings.iter().any(is_it), "no {finding}\n{findings:#?}");
    }
    assert_eq!(findings.len(), 7, "{findings:#?}");
    assert!(found(&fixture, "s01a", Some(&package)).unwrap().is_empty());
}

/// A file, a text in it, what takes its place, and what is found then.
const MISFITS: &str = r#"
exercises/01_one/s01a_one.rs ; 10 minutes ; ten minutes ; exercises/01_one/s01a_one.rs: begin it with `//! s01a · complete · 10
exercises/01_one/s01a_one.rs ; mod tests; ; mod test; ; exercises/01_one/s01a_one.rs: end it with these
solutions/01_one/s01a_one.rs ; checks/s01a ; checks/s01b ; solutions/01_one/s01a_one.rs: end it with these
info.toml ; 01_one ; 01_two ; 01_two/s01a_one.rs: 
info.toml ; minutes = 10 ; minutes = ten ; info.toml:6: 
info.toml ; hint = ; hints = ; info.toml:9: unknown field `hints`
teachers/wrong-answers/01.md ; - 42 ; - 40 ; s01a_one: answer 1: `40` is not where it was
teachers/wrong-answers/01.md ; ; ### `s01a_one` ; s01a_one: it has less than two wrong answers
teachers/wrong-answers/01.md ; ```diff ; ```dif ; 01.md: s01a_one: each answer has
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
        let found = found(&fixture, "", None);
        let found = found.map_or_else(|it| it.to_string(), |it| it.join("\n"));
        assert!(found.contains(row[3]), "no {}: {found}", row[3]);
    }
}

#[test]
fn the_files_of_the_course_fit_together() {
    let findings = prove::findings(&Set::open(None).unwrap(), None).unwrap();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}
