//! Each check, seen to fail: the course as it is, one change to it, and what is said then and was not said before.

use std::collections::BTreeSet;

use course::{Project, complaints, errors};

fn course() -> Project {
    Project::read(&kit::files::root()).expect("every file can be read")
}

/// `cases.toml`: changes, each with the file, a text of it, the other text, and a part of each new complaint.
#[test]
fn each_change_is_noticed() {
    let cases: toml::Table = include_str!("cases.toml").parse().expect("it is TOML");
    let cases: Vec<Vec<String>> = cases["case"].clone().try_into().expect("texts");
    let course = course();
    let all = |project: &Project| complaints(project).into_iter().collect::<BTreeSet<_>>();
    let (before, mut unnoticed) = (all(&course), String::new());
    for case in cases {
        let [path, from, to, wanted @ ..] = &case[..] else {
            panic!("a case has at least three texts: {case:?}");
        };
        let mut files = course.files.clone();
        let file = files.get_mut(path).expect("a file");
        *file = kit::change::apply(file, &[(from, to)])
            .unwrap_or_else(|it| panic!("{path} has no {it:?}"));
        let changed = Project::of(&course.root, files).expect("it can be parsed");
        let found: Vec<String> = all(&changed).difference(&before).cloned().collect();
        let each = |part: &String| found.iter().any(|it| it.contains(part));
        if found.len() != wanted.len() || !wanted.iter().all(each) {
            unnoticed += &format!("after {case:?}:\n{}\n\n", found.join("\n"));
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed}");
}

#[test]
fn what_a_bare_stage_lacks_is_listed() {
    let mut files = course().files;
    let manifest = "[package]\nname = \"step99-x\"\n".to_owned();
    files.insert("step99-x/Cargo.toml".to_owned(), manifest);
    let project = Project::of(&course().root, files).expect("it can be parsed");
    let found = complaints(&project).join("\n");
    let lacks = "metadata, crate doc, demo, transcript, contract, loom, chapter, machine, picture, exercises";
    for part in lacks.split(", ") {
        assert!(
            found.contains(&format!("step99-x: {part}: ")),
            "{part}: {found}"
        );
    }
}

#[test]
fn a_program_that_compiles_or_has_another_error_is_noticed() {
    let mut files = course().files;
    for (name, from, to) in [
        ("move-while-pinned.rs", "&mut nap)", "&mut Box::pin(nap))"),
        ("rc-across-await.rs", "Rc", "std::sync::Arc"),
    ] {
        let file = files
            .get_mut(&format!("{}{name}", errors::FOLDER))
            .expect("a program");
        *file = file.replace(from, to);
    }
    let project = Project::of(&course().root, files).expect("it can be parsed");
    let found = errors::complaints(&project, false).expect("rustc runs");
    assert_eq!(found.len(), 2, "{found:?}");
}
