//! The course itself, as it lies here.

use course::{Project, derived, errors, missing, pages, rules};

fn none(found: Vec<String>) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn project() -> Project {
    Project::read(&kit::files::root()).expect("every file can be read")
}

#[test]
fn no_stage_lacks_anything() {
    let project = project();
    let stages = project.stages.iter();
    none(
        stages
            .flat_map(|it| missing::missing(&project, it))
            .collect(),
    );
}

#[test]
fn what_is_derived_is_not_stale() {
    none(derived::stale(&project(), false));
}

#[test]
fn the_rules_of_the_house_are_kept() {
    none(rules::complaints(&project()));
}

#[test]
fn the_pages_agree_with_the_code() {
    none(pages::complaints(&project()));
}

#[test]
fn the_compiler_says_what_the_pages_show() {
    none(errors::complaints(&project(), false).expect("rustc runs"));
}
