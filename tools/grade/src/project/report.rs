//! The same three files as for exercises: a table to read, one to compute with, and one for what shows the results of tests.

use std::{fs, path::Path};

use climb::Raced;

use super::{Graded, Rubric, State};
use crate::{
    Error, feedback,
    report::{LONG, aligned, escaped, quoted, short},
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
    let rows = graded.iter().map(|it| {
        let (mark, decided) = (
            rubric.mark(&it.learner, it.passed()),
            rubric.decided(&it.learner),
        );
        let review = decided
            .review
            .map_or(String::new(), |points| points.to_string());
        let added = match (decided.add, decided.note) {
            (0, note) => note,
            (add, note) => format!("{add:+} {note}").trim_end().to_owned(),
        };
        let not_mine = match it.not_mine().len() {
            0 => String::new(),
            count => count.to_string(),
        };
        [
            it.learner.clone(),
            it.passed().to_string(),
            mark.rungs.to_string(),
            review,
            added,
            format!("{}/{}", mark.total, mark.of),
            not_mine,
            short(&it.why()),
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

/// Writes the three files, and one for each learner.
pub fn write(graded: &[Graded], rubric: &Rubric, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join("project.md"), summary(graded, rubric)))
        .and_then(|()| fs::write(folder.join("project.csv"), csv(graded, rubric)))
        .and_then(|()| fs::write(folder.join("project.xml"), junit(graded)))
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

/// Each learner's rungs as tests, with all that was said about the one that is not passed.
fn junit(graded: &[Graded]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for it in graded {
        let learner = escaped(&it.learner);
        let cases = cases(it);
        let time = format!("{:.1}", it.time.as_secs_f64());
        xml += &format!(
            "<testsuite name=\"{learner}\" tests=\"{}\" time=\"{time}\">\n",
            cases.len()
        );
        for (name, what) in cases {
            let name = escaped(&name);
            xml +=
                &format!("<testcase classname=\"{learner}\" name=\"{name}\">{what}</testcase>\n");
        }
        xml += "</testsuite>\n";
    }
    xml + "</testsuites>\n"
}

/// Of a file that climbs, a test for each rung that was tried. Of another one, the file itself.
fn cases(graded: &Graded) -> Vec<(String, String)> {
    let failure = |said: &str| {
        let (why, said) = (
            escaped(&graded.why()),
            said.chars().take(LONG).collect::<String>(),
        );
        format!("<failure message=\"{why}\">{}</failure>", escaped(&said))
    };
    let of_file = |what| vec![("runtime.rs".to_owned(), what)];
    match &graded.state {
        State::Climbed(climb) => {
            let case = |rung: &climb::Tried| {
                let said = rung
                    .broken
                    .iter()
                    .map(|broken| format!("{}\n{}\n\n", broken.name, broken.not_kept.what));
                let said = said.collect::<String>();
                let what = if said.is_empty() {
                    String::new()
                } else {
                    failure(&said)
                };
                (format!("rung {}: {}", rung.number, rung.title), what)
            };
            climb.rungs.iter().map(case).collect()
        }
        State::DoesNotCompile(said) | State::Stopped(said) | State::Missing(said) => {
            of_file(failure(said))
        }
        State::Empty => of_file(failure("")),
        State::NotStarted => of_file("<skipped/>".to_owned()),
    }
}

#[cfg(test)]
#[test]
fn a_name_that_no_rung_asks_is_told_to_the_teacher_and_to_the_learner() {
    let climb = serde_json::json!({
        "passed": 0, "reached": 0, "of": 1, "rungs": [], "unknown": ["takes_turn"],
    });
    let graded = Graded {
        learner: "anna".to_owned(),
        state: State::Climbed(serde_json::from_value(climb).unwrap()),
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
