//! The course itself, as it lies here.

use course::{Project, complaints, errors};

fn project() -> Project {
    Project::read(&kit::files::root()).expect("every file can be read")
}

#[test]
fn the_course_is_whole_and_agrees_with_itself() {
    let found = complaints(&project());
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_compiler_says_what_the_pages_show() {
    let found = errors::complaints(&project(), false).expect("rustc runs");
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_readme_quotes_what_the_watchdog_says() {
    let (course, said) = (project(), "lab/probe/tests/not-woken.txt");
    let texts = [said, "README.md"].map(|it| course.text(it).expect("it is there"));
    assert!(texts[1].contains(texts[0]), "{said} differs from README.md");
}
