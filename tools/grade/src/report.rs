//! What is left for the teacher: a table to read, one to compute with, and a file for what shows the results of tests.

use std::{cmp::Reverse, collections::BTreeMap, fs, path::Path};

use crate::{
    Error, Set,
    alike::{Pair, exercises::Both},
    class::NOT_HANDED_IN,
    decisions::{Decision, Decisions},
    feedback,
    grading::{Graded, Row},
    run::Mark,
    wrong,
};

/// A pair of learners has so many exercises in the table.
const EXERCISES: usize = 3;
/// A line of why is cut after so many characters, in a table.
const WIDE: usize = 70;
/// What was said is cut after so many.
pub(crate) const LONG: usize = 10_000;

/// The table of one learner, or of a class.
pub fn summary(graded: &[Row], decisions: &Decisions) -> String {
    match graded {
        [row] => of_one(row, decisions),
        _ => of_class(graded, decisions),
    }
}

/// A learner's exercises, and the points under them.
fn of_one(row: &Row, decisions: &Decisions) -> String {
    let rows = &row.1;
    let lines = rows.iter().map(|row| {
        let (it, mark) = (&row.exercise, row.mark.to_string());
        let points = format!("{}/{}", row.points(), it.points);
        let (name, minutes) = (it.name.clone(), it.minutes.to_string());
        let (seconds, why) = (seconds(row), short(&row.why));
        [name, minutes, points, mark, seconds, why]
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
    head.extend(graded[0].1.iter().map(|graded| &graded.exercise.name[..4]));
    head.push("points");
    let lines = graded.iter().map(|graded| {
        let (learner, rows) = graded;
        let mut line = vec![learner.clone()];
        line.extend(rows.iter().map(|row| row.mark.to_string()));
        let (got, possible) = decisions.total(graded);
        line.push(format!("{got}/{possible}"));
        line
    });
    let table = aligned(&head, &lines.collect::<Vec<_>>());
    table + &stuck(graded) + &not_graded(graded)
}

/// The exercises that learners have tried and not solved: on each message, who is stuck. The message on which most are comes first.
fn stuck(graded: &[Row]) -> String {
    let mut by_message = BTreeMap::<_, Vec<&str>>::new();
    for (learner, rows) in graded {
        for row in rows {
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
    let rows = graded.iter().filter_map(|(learner, rows)| {
        let missing = rows.iter().filter(|row| row.mark == Mark::Missing);
        let missing: Vec<_> = missing.collect();
        let is_there = |row: &&&Graded| row.why != NOT_HANDED_IN;
        let first = missing.iter().find(is_there).or(missing.first())?;
        let names = missing.iter().map(|row| &row.exercise.name[..4]);
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

/// Pairs of learners, and where their files have the longest passages in common.
pub fn alike(learners: &[String], pairs: &[Pair]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let rows = pairs.iter().map(|it| {
        let [a, b] = it.answers.map(|answer| learners[answer].clone());
        let (percent, words) = (it.percent.to_string(), it.words.to_string());
        [percent, words, a, b, passages(it)]
    });
    let head = [
        "%",
        "words",
        "learner",
        "learner",
        "longest passages, by lines",
    ];
    aligned(&head, &rows.collect::<Vec<_>>())
}

/// Pairs of learners, and in which exercises their answers have the most in common.
pub fn alike_exercises(learners: &[String], pairs: &[Both]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let rows = pairs.iter().map(|it| {
        let [a, b] = it.learners.map(|learner| learners[learner].clone());
        let exercises = it.exercises.iter().take(EXERCISES);
        let exercises = exercises.map(|(name, pair)| format!("{name} {}", passages(pair)));
        let exercises: Vec<_> = exercises.map(|it| it.trim_end().to_owned()).collect();
        let more = it.exercises.len().saturating_sub(EXERCISES);
        let more = if more > 0 {
            format!("; {more} more")
        } else {
            String::new()
        };
        let percent = 100 * it.words / it.of.max(1);
        let [percent, words, comments] = [percent, it.words, it.comments].map(|it| it.to_string());
        [percent, words, comments, a, b, exercises.join("; ") + &more]
    });
    let head = [
        "%",
        "words",
        "comments",
        "learner",
        "learner",
        "exercises, with the longest passages by lines",
    ];
    aligned(&head, &rows.collect::<Vec<_>>())
}

/// The lines of the passages that a pair has in common, in both files.
fn passages(pair: &Pair) -> String {
    let lines = |(first, last): (usize, usize)| format!("{first}-{last}");
    let passages = pair.passages.iter();
    let passages = passages.map(|passage| passage.map(lines).join(" = "));
    passages.collect::<Vec<_>>().join(", ")
}

/// In Markdown, with columns of equal width, to be read in a terminal too.
pub(crate) fn aligned<Row: AsRef<[String]>>(head: &[&str], rows: &[Row]) -> String {
    let mut lines = vec![
        head.iter()
            .map(|cell| String::from(*cell))
            .collect::<Vec<_>>(),
    ];
    // A bar would end the cell.
    let cell = |it: &String| it.replace('|', "\\|");
    lines.extend(
        rows.iter()
            .map(|row| row.as_ref().iter().map(cell).collect()),
    );
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<_> = (0..head.len()).filter_map(width).collect();
    let mut table = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (cell, &width) in line.iter().zip(&widths) {
            table += &format!("| {cell:width$} ");
        }
        table += "|\n";
        if number == 0 {
            let rule = |width: &usize| format!("|{:-<1$}", "", width + 2);
            table += &(widths.iter().map(rule).collect::<String>() + "|\n");
        }
    }
    table
}

fn seconds(row: &Graded) -> String {
    format!("{:.1}", row.time.as_secs_f64())
}

pub(crate) fn short(why: &str) -> String {
    match why.char_indices().nth(WIDE) {
        Some((at, _)) => format!("{}...", why[..at].trim_end()),
        None => why.to_owned(),
    }
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
        (row.0.clone(), text)
    });
    feedback::write(&folder.join("feedback"), files)
}

/// A line for each learner, with the points of each exercise and their sum.
fn marks(graded: &[Row], decisions: &Decisions) -> String {
    let mut csv = "learner".to_owned();
    for it in graded.iter().take(1).flat_map(|it| &it.1) {
        csv += &format!(",{}", it.exercise.name);
    }
    csv += ",added,total,possible,note\n";
    for graded in graded {
        let (learner, rows) = graded;
        csv += &quoted(learner);
        for row in rows {
            csv += &format!(",{}", row.points());
        }
        let Decision {
            add: added, note, ..
        } = decisions.of(learner);
        let (got, possible) = decisions.total(graded);
        csv += &format!(",{added},{got},{possible},{}\n", quoted(&note));
    }
    csv
}

/// A text in the cell of a table to compute with.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn csv(graded: &[Row]) -> String {
    let mut csv = "learner,exercise,minutes,points,possible,verdict,seconds,why\n".to_owned();
    for (learner, rows) in graded {
        for row in rows {
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
    for (learner, rows) in graded {
        let learner = escaped(learner);
        xml += &format!("<testsuite name=\"{learner}\" tests=\"{}\">\n", rows.len());
        for row in rows {
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

/// The text in XML, which knows neither control characters nor the two that are no characters.
pub(crate) fn escaped(text: &str) -> String {
    let is_known = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let known = text
        .chars()
        .filter(|c| is_known(c) || ['\n', '\t'].contains(c));
    let text = known.collect::<String>();
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
