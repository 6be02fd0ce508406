//! What is left for the teacher: a table to read, one to compute with, and the XML that other tools read.

use std::{fs, path::Path};

use kit::markdown;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::{
    Error,
    grading::Graded,
    run::{Mark, Ran},
};

/// A line of why is cut after so many characters, in the table.
const WIDE: usize = 70;
/// What is kept of each stream that a test printed to: so many bytes of its beginning and of its end.
const BEGINNING: usize = 24 << 10;
const END: usize = 8 << 10;

/// The points: got, and to be had.
pub fn points(rows: &[Graded]) -> (u32, u32) {
    let got = rows.iter().map(Graded::points).sum();
    (got, rows.iter().map(|row| row.exercise.points).sum())
}

/// The table, and the points under it.
pub fn summary(rows: &[Graded]) -> String {
    let lines = rows.iter().map(|row| {
        [
            row.exercise.name.clone(),
            row.exercise.minutes.to_string(),
            format!("{}/{}", row.points(), row.exercise.points),
            row.mark.to_string(),
            format!("{:.1}", row.time().as_secs_f64()),
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

fn short(why: &str) -> String {
    match why.char_indices().nth(WIDE) {
        Some((at, _)) => format!("{}...", why[..at].trim_end()),
        None => why.to_owned(),
    }
}

/// Writes `summary.md`, `summary.csv` and `junit.xml`.
///
/// # Errors
///
/// If they cannot be written.
pub fn write(rows: &[Graded], folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::at(folder))?;
    let xml = junit(rows).to_string().map_err(failure)?;
    for (file, text) in [
        ("summary.md", summary(rows).into_bytes()),
        ("summary.csv", csv(rows).map_err(failure)?),
        ("junit.xml", xml.into_bytes()),
    ] {
        let path = folder.join(file);
        fs::write(&path, text).map_err(Error::at(&path))?;
    }
    Ok(())
}

fn failure(error: impl std::error::Error) -> Error {
    Error::Failure(format!("the report: {error}"))
}

fn csv(rows: &[Graded]) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let head = [
        "exercise", "minutes", "points", "possible", "verdict", "seconds", "why",
    ];
    csv.write_record(head)?;
    for row in rows {
        csv.write_record([
            &row.exercise.name,
            &row.exercise.minutes.to_string(),
            &row.points().to_string(),
            &row.exercise.points.to_string(),
            &row.mark.to_string(),
            &format!("{:.1}", row.time().as_secs_f64()),
            &row.why,
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

fn junit(rows: &[Graded]) -> Report {
    let mut report = Report::new("exercises");
    for row in rows {
        let mut suite = TestSuite::new(&*row.exercise.name);
        suite.set_time(row.time());
        let mut cases: Vec<_> = row.tests.iter().map(case).collect();
        let is_told = row.tests.iter().any(|ran| ran.mark != Mark::Solved);
        if row.mark != Mark::Solved && !is_told {
            let mut status = not_solved(row.mark, &row.why);
            status.set_description(&*row.screen);
            cases.push(TestCase::new(row.mark.to_string(), status));
        }
        for case in &mut cases {
            case.set_classname(&*row.exercise.name);
        }
        suite.add_test_cases(cases);
        report.add_test_suite(suite);
    }
    report
}

fn case(ran: &Ran) -> TestCase {
    let status = match ran.mark {
        Mark::Solved => TestCaseStatus::success(),
        mark => not_solved(mark, &ran.why),
    };
    let mut case = TestCase::new(&*ran.name, status);
    case.set_time(ran.outcome.time);
    case.set_system_out(cut(&ran.outcome.stdout));
    case.set_system_err(cut(&ran.outcome.stderr));
    case
}

fn not_solved(mark: Mark, why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(mark.to_string());
    status.set_message(why);
    status
}

fn cut(printed: &str) -> String {
    if printed.len() <= BEGINNING + END {
        return printed.to_owned();
    }
    // Up to a half of a character may stand on either side of the cut.
    let (beginning, rest) = printed.as_bytes().split_at(BEGINNING);
    let [beginning, end] = [beginning, &rest[rest.len() - END..]].map(String::from_utf8_lossy);
    format!("{beginning}\n[...]\n{end}")
}
