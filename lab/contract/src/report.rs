//! What a contract program says of a cell: to a reader, and with `--report` a line from which tables can be made.

use crate::{Clause, cell::Verdict};

/// What [`Cell::not_kept`] says was seen where a race decides.
pub const SOMETIMES: &str = "sometimes";

/// What came of a clause on a subject that the clause is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cell {
    /// The name of the subject.
    pub subject: String,
    /// The name of the clause.
    pub clause: &'static str,
    /// What was seen and why, if the clause is not kept.
    pub not_kept: Option<(String, String)>,
}

/// The rule, what was seen, why it matters, and who demands it or may choose otherwise.
pub(crate) fn explained(clause: &Clause, verdict: &Verdict) -> String {
    let (rule, why, level) = (clause.rule, clause.why, clause.level);
    let choice = clause.choice.map(|choice| format!("\n  or:   {choice}"));
    let choice = choice.unwrap_or_default();
    format!("  rule: {rule}\n  seen: {verdict}\n  why:  {why}\n  who:  {level}{choice}")
}

/// The line for this cell. `None` if it is empty: the subject does not offer what the clause is about.
pub(crate) fn line(subject: &str, clause: &Clause, verdict: &Verdict, why: &str) -> Option<String> {
    let seen = match verdict {
        Verdict::Unsupported => return None,
        Verdict::Kept => String::new(),
        other => other.to_string().replace(['\t', '\n'], " "),
    };
    Some([subject, clause.name, &seen, why].join("\t"))
}

impl Cell {
    /// Reads a line. `None` if it is none of ours.
    pub fn read(line: &str) -> Option<Cell> {
        let mut parts = line.splitn(4, '\t');
        let mut part = || parts.next();
        let (subject, clause, seen, why) = (part()?, part()?, part()?, part()?);
        let not_kept = !seen.is_empty() || !why.is_empty();
        Some(Cell {
            subject: subject.to_owned(),
            clause: crate::clause(clause)?.name,
            not_kept: not_kept.then(|| (seen.to_owned(), why.to_owned())),
        })
    }
}
