//! The matrix for a terminal: what is not kept first, then who keeps everything.

use std::{
    fmt::Write as _,
    io::{self, ErrorKind, Write as _},
    process::ExitCode,
};

use contract::{Cell, Clause};

use crate::cells::{Part, notes, parts};

const WRITTEN: &str = "a String takes everything";

/// Prints it, and with a clause, what that clause says.
pub(crate) fn print(cells: &[Cell], clause: Option<&str>) -> ExitCode {
    let clause = clause.and_then(contract::clause);
    match io::stdout().write_all(text(cells, clause).as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn text(cells: &[Cell], clause: Option<&Clause>) -> String {
    let mut out = clause.map(rule).unwrap_or_default();
    for part in parts(cells) {
        let title = part.title;
        write!(out, "{title}: {}\n\n", part.subjects.join(", ")).expect(WRITTEN);
        for clause in &part.clauses {
            writeln!(out, "{:26} {}", clause.name, summary(&part, clause)).expect(WRITTEN);
        }
        out.push('\n');
    }
    for note in notes(cells) {
        writeln!(out, "{}: {}", note.subjects.join(", "), note.why).expect(WRITTEN);
        for cell in cells {
            let Some((seen, _)) = cell.not_kept.as_ref().filter(|it| it.1 == note.why) else {
                continue;
            };
            writeln!(out, "    {}, {}: {seen}", cell.subject, cell.clause).expect(WRITTEN);
        }
        out.push('\n');
    }
    out
}

/// Who keeps a clause, in as few words as possible.
fn summary(part: &Part<'_>, clause: &Clause) -> String {
    let there: Vec<_> = part
        .cells
        .iter()
        .filter(|it| it.clause == clause.name)
        .collect();
    let failed = there.iter().filter(|it| it.not_kept.is_some());
    let failed: Vec<_> = failed.map(|it| it.subject.as_str()).collect();
    let not_kept = match failed.is_empty() {
        true => String::new(),
        false => format!("NO: {}; ", failed.join(", ")),
    };
    format!(
        "{not_kept}kept by {} of {}",
        there.len() - failed.len(),
        there.len()
    )
}

fn rule(clause: &Clause) -> String {
    let (rule, why, level) = (clause.rule, clause.why, clause.level);
    let mut out = format!("{rule}\nWhy: {why}\nLevel: {level}\n");
    if let Some(choice) = clause.choice {
        writeln!(out, "A choice? {choice}").expect(WRITTEN);
    }
    let faults: Vec<_> = clause.faulty().into_iter().map(|it| it.name).collect();
    writeln!(out, "Catches the faults: {}", faults.join(", ")).expect(WRITTEN);
    if !clause.from.is_empty() {
        let numbers: Vec<_> = clause.from.iter().map(u8::to_string).collect();
        let numbers = numbers.join(", ");
        writeln!(out, "In lab/contract/catalogue.md: {numbers}").expect(WRITTEN);
    }
    out.push('\n');
    out
}
