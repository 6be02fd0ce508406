//! A learner who follows a hint to the letter has an answer that passes.
//!
//! The last step of a hint says what the answer looks like, in prose and in code. Each piece of code in it is in our solution word for
//! word, and the solution is run against the checks. So a hint cannot show code that the checks refuse, and a check that becomes
//! stricter changes the solution and, by this test, the hint.

use course::{Exercise, Project, exercise};
use regex::Regex;

fn exercises(course: &Project) -> Vec<Exercise> {
    let list = course.text(exercise::LIST).expect("it is there");
    exercise::exercises(list).expect("it is a list of exercises")
}

/// Without comments and spaces, and without the commas that a formatter adds at the end of a line.
fn squeezed(code: &str) -> String {
    let comments = Regex::new("//[^\n]*").expect("it is a regex");
    let mut code = comments.replace_all(code, "").into_owned();
    code.retain(|letter| !letter.is_whitespace());
    code.replace(",)", ")").replace(",}", "}")
}

/// Whether code has this piece. `…` stands for anything.
fn has(code: &str, piece: &str) -> bool {
    let piece = squeezed(piece);
    let parts = piece.trim_end_matches(';').split('…').map(regex::escape);
    let pattern = parts.collect::<Vec<_>>().join(".*?");
    Regex::new(&pattern).expect("it is a regex").is_match(code)
}

/// The pieces of code in the last step of a hint. The name of a thing, such as `Condvar::wait` or `s10a`, is none.
fn code_of(hint: &str) -> Vec<&str> {
    let quoted = hint.split('`').skip(1).step_by(2);
    let is_name = |it: &str| it.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
    quoted.filter(|it| !is_name(it)).collect()
}

/// What is shown and is not in the solution.
fn astray(course: &Project, exercise: &Exercise) -> Vec<String> {
    let file = format!("exercises/solutions/{}", exercise.file());
    let solution = squeezed(course.text(&file).expect("there is a solution"));
    let pieces = code_of(&exercise.shape).into_iter();
    let astray = pieces.filter(|piece| !has(&solution, piece));
    let say = |piece| {
        format!(
            "{}: the last step of its hint shows `{piece}`, which is not in {file}: let both be the same",
            exercise.name
        )
    };
    astray.map(say).collect()
}

/// A prediction has no code to write, and its hint shows none: what is quoted there is what a program logs.
fn is_followed(exercise: &Exercise) -> bool {
    exercise.kind != "predict"
}

#[test]
fn what_the_last_step_of_a_hint_shows_is_in_the_solution() {
    let course = Project::read().expect("every file can be read");
    let exercises = exercises(&course);
    let mut shown = 0;
    let mut found = Vec::new();
    for exercise in exercises.iter().filter(|it| is_followed(it)) {
        shown += code_of(&exercise.shape).len();
        found.extend(astray(&course, exercise));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    assert!(shown > 0, "no hint shows code: are they quoted otherwise?");
}

/// The hint that `s06b` once had: its code locks while it clones, which the checks refuse.
#[test]
fn a_hint_that_shows_other_code_is_told() {
    let course = Project::read().expect("every file can be read");
    let mut exercises = exercises(&course);
    let wakers = exercises.iter_mut().find(|it| it.name.starts_with("s06b"));
    let wakers = wakers.expect("it is in the list");
    wakers.shape = "write `Some(cx.waker().clone())` into the slot of `Entry::Waiting`".to_owned();
    let found = astray(&course, wakers);
    assert!(
        found.len() == 1 && found[0].contains("`Some(cx.waker().clone())`"),
        "{found:?}"
    );
}
