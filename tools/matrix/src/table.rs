//! The matrix for a terminal: what is not kept first, then who keeps everything.

use contract::{Cell, Clause};

use crate::{
    cells::{Part, notes, parts},
    page,
};

/// The table, and with a clause, what that clause says.
pub(crate) fn text(cells: &[Cell], clause: Option<&Clause>) -> String {
    let mut out = clause.map(rule).unwrap_or_default();
    for part in parts(cells) {
        out += &format!("{}: {}\n\n", part.title, part.subjects.join(", "));
        for clause in &part.clauses {
            out += &format!("{:26} {}\n", clause.name, summary(&part, clause));
        }
        out += "\n";
    }
    for note in notes(cells) {
        out += &format!("{}: {}\n", note.subjects.join(", "), note.why);
        for cell in cells {
            let not_kept = cell.not_kept.as_ref().filter(|it| it.1 == note.why);
            if let Some((seen, _)) = not_kept {
                out += &format!("    {}, {}: {seen}\n", cell.subject, cell.clause);
            }
        }
        out += "\n";
    }
    out
}

/// Who keeps a clause, in as few words as possible.
fn summary(part: &Part<'_>, clause: &Clause) -> String {
    let there = part.cells.iter().filter(|it| it.clause == clause.name);
    let (failed, kept): (Vec<&Cell>, Vec<_>) = there.partition(|it| it.not_kept.is_some());
    let names: Vec<_> = failed.iter().map(|it| it.subject.as_str()).collect();
    let not_kept = match failed.is_empty() {
        true => String::new(),
        false => format!("NO: {}; ", names.join(", ")),
    };
    let (kept, all) = (kept.len(), kept.len() + failed.len());
    format!("{not_kept}kept by {kept} of {all}")
}

fn rule(clause: &Clause) -> String {
    let numbers: Vec<_> = clause.from.iter().map(u8::to_string).collect();
    let from = match numbers.is_empty() {
        true => String::new(),
        false => format!(
            "\n  *In lab/contract/catalogue.md:* {}\n",
            numbers.join(", ")
        ),
    };
    page::described(clause) + &from + "\n"
}
