//! What is left for the teacher: a table to read, one to compute with, and a file for what shows the results of tests.

use std::{cmp::Reverse, collections::BTreeMap, fs, path::Path};

use crate::{
    Error, Set,
    checks::Mark,
    class::NOT_HANDED_IN,
    decisions::{Decision, Decisions},
    feedback,
    grading::{Graded, Row},
    table::{aligned, escaped, quoted, short},
    wrong,
};

/// What was said is cut after so many.
const LONG: usize = 10_000;

/// The table of one learner, or of a class.
pub fn summary(graded: &[Row], decisions: &Decisions) -> String {
    match graded {
        [row] => of_one(row, decisions),
        _ => of_class(graded, decisions),
    }
}

/// A learner's exercises, and the points under them.
fn of_one(row: &Row, decisions: &Decisions) -> String {
    let rows = &row.answers;
    let lines = rows.iter().map(|row| {
        let exercise = &row.exercise;
        [
            exercise.name.clone(),
            exercise.minutes.to_string(),
            format!("{}/{}", row.points(), exercise.points),
            row.mark.to_string(),
            seconds(row),
            short(&row.why),
        ]
    });
    let head = ["exercise", "minutes", "points", "verdict", "seconds", "why"];
    let table = aligned(&head, &lines.collect::<Vec<_>>());
    let (got, possible) = decisions.total(row);
    let solved = rows.iter().filter(|row| row.mark == Mark::Solved).count();
    let all = format!("{solved} of {} exercises solved", rows.len());
    format!("{table}\n{all}, {got} of {possible} points.\n")
}

/// Learners by exercises, where they are stuck on the same, and whose files can't be graded.
fn of_class(graded: &[Row], decisions: &Decisions) -> String {
    let mut head = vec!["learner"];
    head.extend(
        graded[0]
            .answers
            .iter()
            .map(|graded| graded.exercise.short()),
    );
    head.push("points");
    let lines = graded.iter().map(|row| {
        let mut line = vec![row.learner.clone()];
        line.extend(row.answers.iter().map(|graded| graded.mark.to_string()));
        let (got, possible) = decisions.total(row);
        line.push(format!("{got}/{possible}"));
        line
    });
    let table = aligned(&head, &lines.collect::<Vec<_>>());
    table + &stuck(graded) + &not_graded(graded)
}

/// The exercises that learners have tried and not solved: on each message, who is stuck. The message on which most are comes first.
fn stuck(graded: &[Row]) -> String {
    let mut by_message = BTreeMap::<_, Vec<&str>>::new();
    for Row { learner, answers } in graded {
        for row in answers {
            if !matches!(row.mark, Mark::Solved | Mark::NotStarted | Mark::Missing) {
                let place = (row.exercise.name.as_str(), row.why.as_str());
                by_message.entry(place).or_default().push(learner);
            }
        }
    }
    let mut stuck: Vec<_> = by_message.into_iter().collect();
    stuck.sort_by_key(|((name, _), who)| (*name, Reverse(who.len())));
    let rows = stuck
        .iter()
        .map(|((name, why), who)| [(*name).into(), short(why), who.join("; ")]);
    below(&["exercise", "stuck on", "learners"], rows.collect())
}

/// The learners with a file that can't be graded, or who have left one out, with the reason of the first.
fn not_graded(graded: &[Row]) -> String {
    let rows = graded.iter().filter_map(|Row { learner, answers }| {
        let missing = answers.iter().filter(|row| row.mark == Mark::Missing);
        let missing: Vec<_> = missing.collect();
        let is_there = |row: &&&Graded| row.why != NOT_HANDED_IN;
        let first = missing.iter().find(is_there).or(missing.first())?;
        let names = missing.iter().map(|row| row.exercise.short());
        let names = names.collect::<Vec<_>>().join(", ");
        Some([learner.clone(), names, short(&first.why)])
    });
    below(&["learner", "not graded", "why"], rows.collect())
}

/// A table below another one, if it has any rows.
fn below(head: &[&str], rows: Vec<[String; 3]>) -> String {
    match rows[..] {
        [] => String::new(),
        _ => format!("\n{}", aligned(head, &rows)),
    }
}

fn seconds(row: &Graded) -> String {
    format!("{:.1}", row.time.as_secs_f64())
}

/// Writes the tables, and a file for each learner.
pub fn write(set: &Set, graded: &[Row], decisions: &Decisions, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join("summary.md"), summary(graded, decisions)))
        .and_then(|()| fs::write(folder.join("summary.csv"), csv(graded)))
        .and_then(|()| fs::write(folder.join("marks.csv"), marks(graded, decisions)))
        .and_then(|()| fs::write(folder.join("junit.xml"), junit(graded)))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let wrong = wrong::answers(set)?;
    let files = graded.iter().map(|row| {
        let text = feedback::of_exercises(row, decisions, &wrong);
        (row.learner.clone(), text)
    });
    feedback::write(&folder.join("feedback"), files)
}

/// A line for each learner, with the points of each exercise and their sum.
fn marks(graded: &[Row], decisions: &Decisions) -> String {
    let mut csv = "learner".to_owned();
    for first in graded.iter().take(1).flat_map(|row| &row.answers) {
        csv += &format!(",{}", first.exercise.name);
    }
    csv += ",added,total,possible,note\n";
    for row in graded {
        csv += &quoted(&row.learner);
        for graded in &row.answers {
            csv += &format!(",{}", graded.points());
        }
        let Decision {
            add: added, note, ..
        } = decisions.of(&row.learner);
        let (got, possible) = decisions.total(row);
        csv += &format!(",{added},{got},{possible},{}\n", quoted(&note));
    }
    csv
}

fn csv(graded: &[Row]) -> String {
    let mut csv = "learner,exercise,minutes,points,possible,verdict,seconds,why\n".to_owned();
    for Row { learner, answers } in graded {
        for row in answers {
            let (it, got, mark) = (&row.exercise, row.points(), row.mark);
            let (learner, seconds, why) = (quoted(learner), seconds(row), quoted(&row.why));
            let exercise = format!("{},{},{got},{}", it.name, it.minutes, it.points);
            csv += &format!("{learner},{exercise},{mark},{seconds},{why}\n");
        }
    }
    csv
}

/// Each learner's exercises as tests, with all that was said about one that is not solved.
fn junit(graded: &[Row]) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for Row { learner, answers } in graded {
        let learner = escaped(learner);
        xml += &format!(
            "<testsuite name=\"{learner}\" tests=\"{}\">\n",
            answers.len()
        );
        for row in answers {
            let (name, time, mark) = (&row.exercise.name, seconds(row), row.mark);
            let said: String = row.screen.chars().take(LONG).collect();
            let (why, said) = (escaped(&row.why), escaped(&said));
            let what = match mark {
                Mark::Solved => String::new(),
                Mark::NotStarted => "<skipped/>".to_owned(),
                _ => format!("<failure type=\"{mark}\" message=\"{why}\">{said}</failure>"),
            };
            let case = format!("classname=\"{learner}\" name=\"{name}\" time=\"{time}\"");
            xml += &format!("<testcase {case}>{what}</testcase>\n");
        }
        xml += "</testsuite>\n";
    }
    xml + "</testsuites>\n"
}
