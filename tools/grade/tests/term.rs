//! The plan of a term says what to grade after each week, and that is what it has asked for.

use std::collections::BTreeSet;

use grade::Set;
use kit::files;

/// The exercises that a text names, by their whole names.
fn named(text: &str) -> BTreeSet<String> {
    let set = Set::open(None).unwrap();
    let names = set.exercises.into_iter().map(|it| it.name);
    names
        .filter(|it| text.contains(&format!("`{it}`")))
        .collect()
}

#[test]
fn each_week_of_the_plan_is_graded_whole() {
    let page = files::read(&files::root().join("book/src/term.md")).unwrap();
    let weeks: Vec<_> = page.split("\n## Week ").skip(1).collect();
    assert_eq!(weeks.len(), 10);
    for (number, week) in (1..).zip(weeks) {
        let week = week.split("\n## ").next().unwrap();
        let row = page
            .lines()
            .find_map(|it| it.strip_prefix(&format!("| {number} | `")));
        let selection = row.unwrap().split('`').next().unwrap();
        let selected = Set::open(None).unwrap().only(selection).unwrap();
        let selected: BTreeSet<_> = selected.exercises.into_iter().map(|it| it.name).collect();
        assert_eq!(selected, named(week), "week {number}");
    }
}
