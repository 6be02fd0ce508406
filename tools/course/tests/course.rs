//! The course as it is here, and each check seen to fail: one change to the course, and what is said then.

use course::{Project, complaints};

fn project() -> Project {
    Project::read(&kit::files::root()).expect("every file can be read")
}

#[test]
fn the_course_is_whole_and_agrees_with_itself() {
    let found = complaints(&project());
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_readme_quotes_what_the_watchdog_says() {
    let (course, said) = (project(), "lab/probe/tests/not-woken.txt");
    let texts = [said, "README.md"].map(|it| course.text(it).expect("it is there"));
    assert!(texts[1].contains(texts[0]), "{said} differs from README.md");
}

#[test]
fn each_change_is_noticed() {
    let cases: toml::Table = include_str!("cases.toml").parse().expect("it is TOML");
    let cases: Vec<Vec<String>> = cases["case"].clone().try_into().expect("texts");
    let course = project();
    for case in cases {
        let [path, from, to, wanted @ ..] = &case[..] else {
            panic!("{case:?} is too short");
        };
        let mut files = course.files.clone();
        let file = files.get_mut(path).expect("a file");
        assert!(file.contains(from), "not there: {case:?}");
        *file = file.replace(from, to);
        let changed = Project::of(&course.root, files).expect("it can be parsed");
        let found = complaints(&changed);
        let is_said = |part: &String| found.iter().any(|it| it.contains(part));
        let all = wanted.iter().all(is_said) && found.len() == wanted.len();
        assert!(all, "{case:?}: {found:#?}");
    }
}

#[test]
fn what_a_bare_stage_lacks_is_listed() {
    let mut course = project();
    let manifest = "[package]\nname = \"step99-x\"\n".to_owned();
    course
        .files
        .insert("step99-x/Cargo.toml".to_owned(), manifest);
    let course = Project::of(&course.root, course.files).expect("it can be parsed");
    let found = complaints(&course).join("\n");
    let lacks = "metadata, crate doc, demo, transcript, contract, loom, chapter, machine, picture, exercises";
    for part in lacks.split(", ") {
        let says = format!("step99-x: {part}: ");
        assert!(found.contains(&says), "{part}: {found}");
    }
}
