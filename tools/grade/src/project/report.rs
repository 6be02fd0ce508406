//! What is left for the teacher: a table to read, and one to compute with.

use std::{fs, path::Path};

use climb::Raced;

use super::{Graded, Rubric};
use crate::{
    Error, feedback,
    table::{aligned, quoted, short},
};

/// The table of one learner or of a class.
pub fn summary(graded: &[Graded], rubric: &Rubric) -> String {
    let head = [
        "learner",
        "rung",
        "points",
        "review",
        "added",
        "mark",
        "not mine",
        "stopped at",
    ];
    let rows = graded.iter().map(|graded| {
        let (learner, passed) = (&graded.learner, graded.passed());
        let (mark, decided) = (rubric.mark(learner, passed), rubric.decided(learner));
        let review = decided.review.map(|points| points.to_string());
        let added = match (decided.add, decided.note) {
            (0, note) => note,
            (add, note) => format!("{add:+} {note}").trim_end().to_owned(),
        };
        let not_mine = match graded.not_mine().len() {
            0 => String::new(),
            count => count.to_string(),
        };
        [
            learner.clone(),
            passed.to_string(),
            mark.rungs.to_string(),
            review.unwrap_or_default(),
            added,
            format!("{}/{}", mark.total, mark.of),
            not_mine,
            short(&graded.why()),
        ]
    });
    let mut text = aligned(&head, &rows.collect::<Vec<_>>());
    text += &of_not_mine(graded);
    text += &of_race(graded);
    text
}

/// The reasons that learners give, and the names that no rung asks.
fn of_not_mine(graded: &[Graded]) -> String {
    let mut rows = Vec::new();
    for of_learner in graded {
        let learner = || of_learner.learner.clone();
        for (name, rungs, listed) in of_learner.not_mine() {
            let rungs: Vec<_> = rungs.iter().map(usize::to_string).collect();
            let words: Vec<_> = listed.reason.split_whitespace().collect();
            let kept = if listed.kept { " (and it is kept)" } else { "" };
            rows.push([
                learner(),
                rungs.join(", "),
                name.to_owned(),
                words.join(" ") + kept,
            ]);
        }
        for name in of_learner.unknown() {
            let none = "(no rung asks that)".to_owned();
            rows.push([learner(), String::new(), name.clone(), none]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n{}",
        aligned(&["learner", "rungs", "not mine", "reason"], &rows)
    )
}

/// How many times as long as tokio.
fn of_race(graded: &[Graded]) -> String {
    let columns = workloads(graded);
    let raced = graded
        .iter()
        .filter_map(|learner| Some((learner, learner.race.as_ref()?)));
    let rows = raced.map(|(it, race)| {
        let mut row = vec![it.learner.clone()];
        row.extend(columns.iter().map(|column| times(race, column)));
        row.push(
            race.as_ref()
                .err()
                .map_or(String::new(), |why| short(first(why))),
        );
        row
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = [&["learner"], &columns[..], &["not raced"]].concat();
    format!(
        "\nHow many times as long as tokio:\n\n{}",
        aligned(&head, &rows)
    )
}

/// What was raced with anybody's runtime.
fn workloads(graded: &[Graded]) -> Vec<&str> {
    let mut races = graded
        .iter()
        .filter_map(|learner| learner.race.as_ref()?.as_ref().ok());
    let first = races.next().map_or(&[][..], Vec::as_slice);
    first.iter().map(|raced| &*raced.workload).collect()
}

fn times(race: &Result<Vec<Raced>, String>, workload: &str) -> String {
    let raced = race
        .iter()
        .flatten()
        .find(|raced| raced.workload == workload);
    match raced.map(|row| &row.figures) {
        Some(Ok([yours, tokio, _])) => format!("{:.1}", yours / tokio),
        _ => String::new(),
    }
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Writes the two tables, and a file for each learner.
pub fn write(graded: &[Graded], rubric: &Rubric, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join("project.md"), summary(graded, rubric)))
        .and_then(|()| fs::write(folder.join("project.csv"), csv(graded, rubric)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = graded
        .iter()
        .map(|graded| (graded.learner.clone(), feedback::of_project(graded, rubric)));
    feedback::write(&folder.join("project-feedback"), files)
}

fn csv(graded: &[Graded], rubric: &Rubric) -> String {
    let columns = workloads(graded);
    let mut csv =
        "learner,rung,points,review,added,mark,possible,not mine,note,stopped at".to_owned();
    csv.extend(columns.iter().map(|column| format!(",{column}")));
    csv += "\n";
    for it in graded {
        let (mark, decided) = (
            rubric.mark(&it.learner, it.passed()),
            rubric.decided(&it.learner),
        );
        let review = decided
            .review
            .map_or(String::new(), |points| points.to_string());
        let (learner, rung, count) = (quoted(&it.learner), it.passed(), it.not_mine().len());
        let (add, total, possible) = (decided.add, mark.total, mark.of);
        csv += &format!(
            "{learner},{rung},{},{review},{add},{total},{possible},{count}",
            mark.rungs
        );
        csv += &format!(",{},{}", quoted(&decided.note), quoted(&it.why()));
        let none = Ok(Vec::new());
        let race = it.race.as_ref().unwrap_or(&none);
        csv.extend(
            columns
                .iter()
                .map(|column| format!(",{}", times(race, column))),
        );
        csv += "\n";
    }
    csv
}

#[cfg(test)]
#[test]
fn a_name_that_no_rung_asks_is_told_to_the_teacher_and_to_the_learner() {
    let climb = serde_json::json!({
        "passed": 0, "reached": 0, "of": 1, "rungs": [], "unknown": ["takes_turn"],
    });
    let graded = Graded {
        learner: "anna".to_owned(),
        state: super::State::Climbed(serde_json::from_value(climb).unwrap()),
        race: None,
        time: std::time::Duration::ZERO,
    };
    let rubric = Rubric::open(None).unwrap();
    let told = "| anna    |       | takes_turn | (no rung asks that) |";
    let table = summary(std::slice::from_ref(&graded), &rubric);
    assert!(table.contains(told), "{table}");
    let told = "`NOT_MINE` names `takes_turn`, and no rung asks that.";
    let feedback = feedback::of_project(&graded, &rubric);
    assert!(feedback.contains(told), "{feedback}");
}
