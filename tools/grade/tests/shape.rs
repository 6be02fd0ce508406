//! What `prove` sees without building, each seen to be found; and the course's own set, which has nothing of it.

mod common;

use common::Fixture;
use grade::{Set, own_set, prove};

const NAMES: [&str; 4] = ["one", "two", "three", "four"];
const CATALOGUE: &str = "set/class/catalogue.toml";
const STARTER: &str = "set/exercises/01_one/s01a_one.rs";
const SOLUTION: &str = "set/solutions/01_one/s01a_one.rs";
const HELD_OUT: &str = "set/class/held-out/s01a_one.rs";

fn findings(set: &Set) -> Vec<String> {
    let mut all = prove::of_set(set);
    all.extend(
        set.exercises
            .iter()
            .flat_map(|exercise| prove::of_exercise(set, exercise)),
    );
    all
}

/// Makes one change in a set without faults. Returns the only finding.
fn found(change: impl FnOnce(&Fixture)) -> String {
    let fixture = Fixture::new(&NAMES);
    change(&fixture);
    let findings = findings(&Set::open(&fixture.path("set")).unwrap());
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings[0].clone()
}

/// The same, for a change of text.
fn found_when(file: &str, from: &str, to: &str) -> String {
    found(|fixture| fixture.edit(file, |text| text.replacen(from, to, 1)))
}

fn assert_says(finding: &str, part: &str) {
    assert!(finding.contains(part), "{finding}");
}

#[test]
fn a_set_without_faults_has_no_findings() {
    let fixture = Fixture::new(&NAMES);
    let set = Set::open(&fixture.path("set")).unwrap();
    assert_eq!(findings(&set), [""; 0]);
}

#[test]
fn names_and_order() {
    let finding = found(|fixture| {
        fixture.edit("set/info.toml", |text| {
            let text = text
                .replace("s01a_one", "first")
                .replace("s01b_two", "s01a_one");
            text.replace("first", "s01b_two")
        });
    });
    assert_says(
        &finding,
        "info.toml: place 1: the catalogue wants s01a_one, here is s01b_two",
    );
    let bin = "solutions/01_one/s01d_four.rs";
    let finding = found_when("set/Cargo.toml", bin, "solutions/s01d_four.rs");
    assert_says(&finding, "Cargo.toml: place 8");
    assert_says(&finding, "rustlings dev update");
    let finding = found(|fixture| fixture.write("set/Cargo.toml", "bin = 7\n"));
    assert_says(&finding, "here is nothing");
    let folder = "dir = \"01_one\"";
    let fixture = Fixture::new(&NAMES);
    fixture.replace("set/info.toml", folder, "dir = \"02_one\"");
    let all = findings(&Set::open(&fixture.path("set")).unwrap()).join("\n");
    assert_says(
        &all,
        "s01a_one: it is in \"02_one\": put it into the folder of its stage",
    );
}

#[test]
fn enough_of_each_stage_and_no_letter_left_out() {
    let fixture = Fixture::new(&NAMES[..3]);
    let all = findings(&Set::open(&fixture.path("set")).unwrap());
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_says(&all[0], "stage 01 has 3 exercises: write 4 or more");
    let fixture = Fixture::new(&NAMES);
    for file in [CATALOGUE, "set/info.toml", "set/Cargo.toml"] {
        fixture.replace(file, "s01d_four", "s01e_four");
    }
    let all = findings(&Set::open(&fixture.path("set")).unwrap()).join("\n");
    assert_says(&all, "the letters of stage 01 are ['a', 'b', 'c', 'e']");
    assert_says(
        &all,
        "exercises/01_one/s01d_four.rs: nothing refers to this file",
    );
    assert_says(
        &all,
        "class/held-out/s01d_four.rs: nothing refers to this file",
    );
    assert_says(&all, "write it, or change the catalogue");
}

#[test]
fn what_the_catalogue_says_of_an_exercise() {
    for (from, to, part) in [
        (
            "minutes = 10",
            "minutes = 16",
            "it takes 16 minutes: make it 10 to 15",
        ),
        ("points = 2", "points = 5", "it is worth 5 points"),
        (
            "idea = \"Numbers.\"",
            "idea = \" \"",
            "`title`, `idea` or `red` is empty",
        ),
        (
            "kind = \"complete\"",
            "kind = \"repair\"",
            "names no defect",
        ),
        ("\"The body.\"", "\" \"", "its hint has 2 steps"),
        (
            "\"Up.\", ",
            "\"Up.\", \"Left.\", ",
            "its hint has 4 steps: write `hints`",
        ),
    ] {
        let finding = found(|fixture| {
            fixture.edit(CATALOGUE, |text| text.replacen(from, to, 1));
            // The head says some of it too.
            let head = |text: &str| {
                text.replace("10 minutes", "16 minutes")
                    .replace("complete", "repair")
            };
            match from {
                "minutes = 10" => fixture.replace(STARTER, "10 minutes", "16 minutes"),
                "kind = \"complete\"" => {
                    fixture.edit(STARTER, |text| head(text).replace("16", "10"))
                }
                _ => {}
            }
        });
        assert_says(&finding, part);
    }
    // A whole contract takes longer.
    for (minutes, expected) in [("30", ""), ("31", "it takes 31 minutes: make it 10 to 30")] {
        let fixture = Fixture::new(&NAMES);
        for (file, kind) in [(CATALOGUE, "kind = \"complete\""), (STARTER, "complete")] {
            fixture.edit(file, |text| {
                let text = text.replacen(kind, &kind.replace("complete", "contract"), 1);
                let text = text.replacen("minutes = 10", &format!("minutes = {minutes}"), 1);
                text.replacen("10 minutes", &format!("{minutes} minutes"), 1)
            });
        }
        let all = findings(&Set::open(&fixture.path("set")).unwrap());
        assert_eq!(all.len(), usize::from(!expected.is_empty()), "{all:#?}");
        assert_says(&all.join("\n"), expected);
    }
    let finding = found(|fixture| {
        fixture.edit(CATALOGUE, |text| {
            let last = text.rfind("[[exercise.wrong]]").unwrap();
            text[..last].to_owned()
        });
    });
    assert_says(
        &finding,
        "s01d_four: it has 1 wrong answers: give it two or more",
    );
}

#[test]
fn what_rustlings_is_told() {
    let info = "set/info.toml";
    let finding = found_when(info, "dir =", "test = false\ndir =");
    assert_says(&finding, "rustlings does not run its tests");
    let finding = found_when(info, "dir =", "skip_check_unsolved = true\ndir =");
    assert_says(&finding, "rustlings skips the starter");
}

#[test]
fn what_stands_in_the_files() {
    for (file, from, to, part) in [
        (
            STARTER,
            "10 minutes",
            "11 minutes",
            "the first line is not that of the catalogue",
        ),
        (
            SOLUTION,
            "is asked",
            "is wanted",
            "its tests are not those of the starter",
        ),
        (
            HELD_OUT,
            "#[cfg(test)]",
            "fn main() {}\n#[cfg(test)]",
            "it is not the part with the tests",
        ),
        (HELD_OUT, "#[test]", "", "it is not the part with the tests"),
        (
            CATALOGUE,
            "[[\"    42\"",
            "[[\"\\n    40\"",
            "s01a_one: solutions/01_one/s01a_one.rs has no longer what it changes: `40`",
        ),
    ] {
        assert_says(&found_when(file, from, to), part);
    }
    let finding = found(|fixture| {
        for file in [STARTER, SOLUTION] {
            fixture.replace(file, "#[test]", "");
        }
    });
    assert_says(&finding, "s01a_one.rs: there is no test");
    for file in [STARTER, SOLUTION, HELD_OUT] {
        let finding = found(|fixture| fixture.remove(file));
        assert_says(&finding, "s01a_one: ");
        assert_says(&finding, "write it, or change the catalogue");
    }
    let finding = found(|fixture| fixture.write("set/exercises/notes.rs", ""));
    assert_says(&finding, "exercises/notes.rs: nothing refers to this file");
}

#[test]
fn the_set_of_the_course_has_no_findings() {
    let set = Set::open(&own_set()).unwrap();
    let mut all = findings(&set);
    all.extend(prove::check_pages(&set));
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}
