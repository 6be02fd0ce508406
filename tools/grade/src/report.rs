//! What is left for the teacher: a table to read, one to compute with, and the XML that other tools read.

use std::{fs, path::Path};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::{
    Trouble,
    grading::{Row, Verdict},
    table::aligned,
};

/// A line of why is cut after so many characters, in the table.
const WIDE: usize = 70;

/// The points: got, and to be had.
pub fn points(rows: &[Row]) -> (u32, u32) {
    let got = rows.iter().map(Row::points).sum();
    (got, rows.iter().map(|row| row.exercise.points).sum())
}

/// The table, and the points under it.
pub fn summary(rows: &[Row]) -> String {
    let lines: Vec<_> = rows
        .iter()
        .map(|row| {
            vec![
                row.exercise.name.clone(),
                row.exercise.minutes.to_string(),
                format!("{}/{}", row.points(), row.exercise.points),
                row.verdict.to_string(),
                format!("{:.1}", row.time.as_secs_f64()),
                short(&row.why),
            ]
        })
        .collect();
    let head = ["exercise", "minutes", "points", "verdict", "seconds", "why"];
    let solved = rows.iter().filter(|row| row.verdict == Verdict::Solved);
    let (got, possible) = points(rows);
    format!(
        "{}\n{} of {} exercises solved, {got} of {possible} points.\n",
        aligned(&head, &lines),
        solved.count(),
        rows.len(),
    )
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
pub fn write(rows: &[Row], folder: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("summary.md"), summary(rows))?;
    fs::write(folder.join("summary.csv"), csv(rows).map_err(cannot)?)?;
    let xml = junit(rows).to_string().map_err(cannot)?;
    Ok(fs::write(folder.join("junit.xml"), xml)?)
}

fn cannot(error: impl std::error::Error) -> Trouble {
    Trouble::Cannot(format!("the report: {error}"))
}

fn csv(rows: &[Row]) -> Result<Vec<u8>, csv::Error> {
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
            &row.verdict.to_string(),
            &format!("{:.1}", row.time.as_secs_f64()),
            &row.why,
        ])?;
    }
    csv.into_inner().map_err(|error| error.into_error().into())
}

fn junit(rows: &[Row]) -> Report {
    let mut report = Report::new("exercises");
    for row in rows {
        let mut suite = TestSuite::new(&*row.exercise.name);
        suite.set_time(row.time);
        let mut cases: Vec<_> = row.tests.iter().map(|ran| ran.case.clone()).collect();
        let is_told = row.tests.iter().any(|ran| !ran.passed());
        if row.verdict != Verdict::Solved && !is_told {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(row.verdict.to_string());
            status.set_message(&*row.why);
            status.set_description(&*row.screen);
            cases.push(TestCase::new(row.verdict.to_string(), status));
        }
        for case in &mut cases {
            case.set_classname(&*row.exercise.name);
        }
        suite.add_test_cases(cases);
        report.add_test_suite(suite);
    }
    report
}
