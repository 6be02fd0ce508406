//! A copy is found behind other names, and what everybody was given is no copy.

use std::{fs, process::Command};

use grade::{alike, project};
use kit::files;
use tempfile::TempDir;

fn course(file: &str) -> String {
    files::read(&files::root().join("exercises").join(file)).unwrap()
}

/// The percentage and the words that two files have in common.
fn common(shown: &[String], a: &str, b: &str) -> (usize, usize) {
    let starter = project::starter().unwrap();
    let pairs = alike::pairs(&starter, shown, &[a.to_owned(), b.to_owned()]);
    assert_eq!(pairs.len(), 1);
    (pairs[0].percent, pairs[0].words)
}

/// The same file in another dress: names of its own, no comments, and each line broken where it can be.
fn disguised(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut text = text.replace("{ ", "{\n\n").replace(", ", ",\n  ");
    for (old, new) in [
        ("Place", "Shelf"),
        ("Finish", "Ending"),
        ("waiter", "guest"),
    ] {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

#[test]
fn a_copy_with_other_names_is_alike_and_another_design_is_not() {
    let [mutex, channels] =
        ["one-mutex", "channels"].map(|it| course(&format!("teachers/yours/{it}/05.rs")));
    let (percent, words) = common(&[], &mutex, &disguised(&mutex));
    assert!(percent > 95 && words > 1000, "{percent} % of {words}");
    // A file that doesn't parse is compared as well.
    let broken = mutex.clone() + "fn nothing( {";
    assert!(common(&[], &broken, &broken).0 > 95);
    let (percent, words) = common(&[], &mutex, &channels);
    assert!(percent < 25, "{percent} % of {words}");
    // This one was begun with the other one beside it.
    let slab = course("teachers/yours/slab/06.rs");
    let (percent, words) = common(&[], &mutex, &slab);
    assert!(percent > 50, "{percent} % of {words}");
}

#[test]
fn what_all_learners_were_given_is_not_counted() {
    let starter = project::starter().unwrap();
    let mutex = course("teachers/yours/one-mutex/05.rs");
    assert_eq!(common(&[], &starter, &starter).1, 0);
    let shown = [mutex.clone()];
    assert_eq!(common(&shown, &mutex, &disguised(&mutex)).1, 0);
}

#[test]
fn a_class_has_a_line_for_each_pair_and_for_what_is_like_the_courses_own() {
    let class = TempDir::new().unwrap();
    let channels = course("teachers/yours/channels/05.rs");
    let write = |file: &str, text: &str| fs::write(class.path().join(file), text).unwrap();
    write("anna.rs", &channels);
    write("bob.rs", &course("teachers/yours/slab/06.rs"));
    write("eve.rs", &disguised(&channels.replace("fn ", "fn \n")));
    write("zoe.rs", &project::starter().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_alike"));
    let ran = command.arg(class.path()).output().unwrap();
    let table = String::from_utf8(ran.stdout).unwrap();
    let rows = table.lines().skip(2).map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        cells.get(3..5).map_or(line.to_owned(), |it| it.join(" = "))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    let expected = [
        "3 files: 4 pairs have 40 % or more in common.",
        "anna = eve",
        "anna = the course's channels/05.rs",
        "bob = the course's slab/06.rs",
        "eve = the course's channels/05.rs",
    ];
    assert_eq!(rows, expected, "{table}");
}
