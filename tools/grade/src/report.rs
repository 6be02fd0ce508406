//! What is left for the teacher: a table to read and one to compute with, and for each learner a sheet.

use std::{collections::BTreeMap, fs, path::Path};

use kit::markdown;

use crate::{
    Error, Exercise,
    grading::{Graded, Learner},
    run::Mark,
};

/// A line of why is cut after so many characters, in a table.
const WIDE: usize = 70;
/// What is kept of what a test or the compiler said: so many bytes of its beginning and of its end.
const BEGINNING: usize = 6 << 10;
const END: usize = 2 << 10;

/// The points: got, and to be had.
pub fn points(rows: &[Graded]) -> (u32, u32) {
    let got = rows.iter().map(Graded::points).sum();
    (got, rows.iter().map(|row| row.exercise.points).sum())
}

/// The table of one learner, or of a class.
pub fn summary(graded: &[(Learner, Vec<Graded>)]) -> String {
    match graded {
        [(_, rows)] => of_one(rows),
        _ => of_class(graded),
    }
}

/// A learner's exercises, and the points under them.
fn of_one(rows: &[Graded]) -> String {
    let lines = rows.iter().map(|row| {
        [
            row.exercise.name.clone(),
            row.exercise.head.minutes.to_string(),
            format!("{}/{}", row.points(), row.exercise.points),
            row.mark.to_string(),
            format!("{:.1}", row.time.as_secs_f64()),
            short(&row.why),
        ]
    });
    let head = ["exercise", "minutes", "points", "verdict", "seconds", "why"];
    let table = markdown::aligned(&head, &lines.collect::<Vec<_>>());
    let solved = rows.iter().filter(|row| row.mark == Mark::Solved);
    let (solved, all) = (solved.count(), rows.len());
    let (got, possible) = points(rows);
    format!("{table}\n{solved} of {all} exercises solved, {got} of {possible} points.\n")
}

/// Learners by exercises, and where they are stuck on the same.
fn of_class(graded: &[(Learner, Vec<Graded>)]) -> String {
    let exercises: Vec<&Exercise> = graded
        .iter()
        .take(1)
        .flat_map(|(_, rows)| rows)
        .map(|row| &row.exercise)
        .collect();
    let names = exercises.iter().map(|it| &it.name[..4]);
    let head: Vec<&str> = ["learner"]
        .into_iter()
        .chain(names)
        .chain(["points"])
        .collect();
    let mut stuck = BTreeMap::<_, Vec<&str>>::new();
    let lines = graded.iter().map(|(learner, rows)| {
        let mut line = vec![learner.name.clone()];
        for row in rows {
            line.push(row.mark.to_string());
            if !matches!(row.mark, Mark::Solved | Mark::NotStarted) {
                let place = (row.exercise.name.as_str(), row.why.as_str());
                stuck.entry(place).or_default().push(&learner.name);
            }
        }
        let (got, possible) = points(rows);
        line.push(format!("{got}/{possible}"));
        line
    });
    let table = markdown::aligned(&head, &lines.collect::<Vec<_>>());
    let mut stuck: Vec<_> = stuck.into_iter().collect();
    stuck.sort_by_key(|(place, learners)| (place.0, usize::MAX - learners.len()));
    let stuck = stuck
        .into_iter()
        .map(|((name, why), learners)| [name.to_owned(), short(why), learners.join(", ")]);
    let stuck = markdown::aligned(
        &["exercise", "stuck on", "learners"],
        &stuck.collect::<Vec<_>>(),
    );
    format!("{table}\n{stuck}")
}

fn short(why: &str) -> String {
    match why.char_indices().nth(WIDE) {
        Some((at, _)) => format!("{}...", why[..at].trim_end()),
        None => why.to_owned(),
    }
}

/// Writes `summary.md`, `summary.csv`, and each learner's sheet. `book` is the address of the built book.
///
/// # Errors
///
/// If they cannot be written.
pub fn write(graded: &[(Learner, Vec<Graded>)], folder: &Path, book: &str) -> Result<(), Error> {
    let failure = |error: csv::Error| Error::Failure(format!("the report: {error}"));
    let sheets = graded.iter().map(|(learner, rows)| {
        let sheet = sheet(learner, rows, book).into_bytes();
        (format!("sheets/{}.md", learner.name), sheet)
    });
    let tables = [
        ("summary.md".to_owned(), summary(graded).into_bytes()),
        ("summary.csv".to_owned(), csv(graded).map_err(failure)?),
    ];
    for (file, text) in tables.into_iter().chain(sheets) {
        let path = folder.join(file);
        let folder = path.parent().unwrap_or(folder);
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
        fs::write(&path, text).map_err(Error::at(&path))?;
    }
    Ok(())
}

fn csv(graded: &[(Learner, Vec<Graded>)]) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let head = [
        "learner", "exercise", "minutes", "points", "possible", "verdict", "seconds", "why",
    ];
    csv.write_record(head)?;
    for (learner, row) in graded
        .iter()
        .flat_map(|(learner, rows)| rows.iter().map(move |row| (learner, row)))
    {
        csv.write_record([
            &learner.name,
            &row.exercise.name,
            &row.exercise.head.minutes.to_string(),
            &row.points().to_string(),
            &row.exercise.points.to_string(),
            &row.mark.to_string(),
            &format!("{:.1}", row.time.as_secs_f64()),
            &row.why,
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

/// What a learner gets back: the table, and of each exercise that was tried and not solved what it said, what to read,
/// and what a teacher says to an answer that others have given too.
fn sheet(learner: &Learner, rows: &[Graded], book: &str) -> String {
    let mut sheet = format!("# {}\n\n{}", learner.name, of_one(rows));
    for row in rows
        .iter()
        .filter(|row| !matches!(row.mark, Mark::Solved | Mark::NotStarted))
    {
        let Exercise {
            name,
            title,
            file,
            head,
            ..
        } = &row.exercise;
        let chapter = file.split('/').next().unwrap_or_default().replace('_', "-");
        sheet += &format!(
            "\n## `{name}`: {title}\n\n*{}:* {}\n\nTo read: [chapter {:02}]({book}/{chapter}.html)\n",
            row.mark, row.why, head.stage
        );
        if let Some(wrong) = row.known() {
            sheet += &format!(
                "\n*Perhaps you thought:* {}\n\n*A question:* {}\n",
                wrong.thought, wrong.answer
            );
        }
        // Indented, because nothing that is printed there ends such a block.
        let lines = cut(&row.screen);
        sheet += "\n";
        sheet.extend(lines.lines().map(|line| format!("    {line}\n")));
    }
    sheet
}

fn cut(said: &str) -> String {
    if said.len() <= BEGINNING + END {
        return said.to_owned();
    }
    // Up to a half of a character may stand on either side of the cut.
    let (beginning, rest) = said.as_bytes().split_at(BEGINNING);
    let [beginning, end] = [beginning, &rest[rest.len() - END..]].map(String::from_utf8_lossy);
    format!("{beginning}\n[...]\n{end}")
}
