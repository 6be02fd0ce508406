//! The matrix as a table: for a terminal, and for the book.

use std::{collections::BTreeSet, fmt::Write};

use contract::{Clause, MODELS, Side, Subject, all, cell::Verdict};
use kit::markdown;

use crate::{
    matrix::Matrix,
    notes::{self, NOTES},
};

pub(crate) struct Table<'a>(pub(crate) &'a Matrix);

/// A title, the rows and the columns.
type Part = (&'static str, Vec<&'static Clause>, Vec<Subject>);

const WRITTEN: &str = "a String takes everything";

impl Table<'_> {
    /// For a terminal: numbered columns, and below them what was seen where a clause is not kept.
    pub(crate) fn text(&self, explain: bool) -> String {
        let mut out = String::new();
        for (title, clauses, subjects) in self.parts() {
            writeln!(out, "{title}\n").expect(WRITTEN);
            for (number, subject) in (1..).zip(&subjects) {
                writeln!(out, "{number:4}  {}", subject.name).expect(WRITTEN);
            }
            write!(out, "\n{:26}", "").expect(WRITTEN);
            for number in 1..=subjects.len() {
                write!(out, "{number:>4}").expect(WRITTEN);
            }
            out.push('\n');
            for clause in clauses {
                write!(out, "{:26}", clause.name).expect(WRITTEN);
                for subject in &subjects {
                    write!(out, "{:>4}", sign(self.0.verdict(clause, subject))).expect(WRITTEN);
                }
                out.push('\n');
                if explain {
                    out.push_str(&explanation(clause));
                }
            }
            out.push('\n');
        }
        out.push_str("yes: kept   NO: not kept   .: not its job, it offers no such thing\n");
        for (clause, subject, verdict) in self.0.failures() {
            let note = notes::of(&subject, clause).map_or("", |(_, note)| note.text);
            write!(out, "\n{}, {}: {verdict}\n", subject.name, clause.name).expect(WRITTEN);
            if !note.is_empty() {
                writeln!(out, "    {note}").expect(WRITTEN);
            }
        }
        out
    }

    /// For the book. It says nothing that differs from run to run.
    pub(crate) fn markdown(&self) -> String {
        let mut out =
            String::from("<!-- Written by `cargo run -p matrix -- --write`: do not edit. -->\n");
        let mut numbers = BTreeSet::new();
        for (title, clauses, subjects) in self.parts() {
            write!(out, "\n### {title}\n\n| clause |").expect(WRITTEN);
            for subject in &subjects {
                write!(out, " {} |", subject.name.replace('-', "<br>")).expect(WRITTEN);
            }
            write!(out, "\n|---|{}\n", ":-:|".repeat(subjects.len())).expect(WRITTEN);
            for clause in clauses {
                write!(out, "| `{}` |", clause.name).expect(WRITTEN);
                for subject in &subjects {
                    let cell = match self.0.verdict(clause, subject) {
                        None | Some(Verdict::NotItsJob) => String::new(),
                        Some(Verdict::Kept) => "yes".to_owned(),
                        Some(_) => match notes::of(subject, clause) {
                            Some((number, _)) => {
                                numbers.insert(number);
                                format!("**no** ({number})")
                            }
                            None => "**no**".to_owned(),
                        },
                    };
                    write!(out, " {cell} |").expect(WRITTEN);
                }
                out.push('\n');
            }
        }
        out.push_str("\nAn empty cell: not its job, it offers no such thing.\n");
        for number in numbers {
            write!(out, "\n({number}) {}\n", NOTES[number - 1].text).expect(WRITTEN);
        }
        out.push_str(&rules());
        out
    }

    /// One table for executors and one for leaf futures, or only one of the two.
    fn parts(&self) -> Vec<Part> {
        let (runtimes, leaves): (Vec<_>, Vec<_>) = self
            .0
            .subjects
            .iter()
            .partition(|subject| matches!(subject.side, Side::Runtime(_)));
        let mut parts = Vec::new();
        for (title, subjects) in [("Executors", runtimes), ("Leaf futures", leaves)] {
            let mut clauses = self.0.clauses.clone();
            clauses.retain(|clause| subjects.iter().any(|subject| clause.is_about(subject)));
            if !clauses.is_empty() {
                parts.push((title, clauses, subjects));
            }
        }
        parts
    }
}

/// What the clauses say: the part of the page for the book that no run decides.
fn rules() -> String {
    let clauses = all().map(|clause| {
        let name = format!("`{}`", clause.name);
        let choice = clause.choice.unwrap_or_default().to_owned();
        let (rule, why) = (clause.rule.to_owned(), clause.why.to_owned());
        [name, rule, why, choice, faults_of(clause, "`")]
    });
    let models = MODELS.iter().map(|model| {
        let name = format!("`{}`", model.name);
        [name, model.rule.to_owned(), model.why.to_owned()]
    });
    format!(
        "\n### The rules\n\n{}\nTwo rules that only a model checker can test (`lab/contract/tests/loom.rs`):\n\n{}",
        markdown::table(
            &[
                "clause",
                "the rule",
                "why",
                "a choice?",
                "the faults that it catches"
            ],
            clauses
        ),
        markdown::table(&["rule", "what it says", "why"], models)
    )
}

fn explanation(clause: &Clause) -> String {
    let choice = clause
        .choice
        .map_or(String::new(), |choice| format!("  A choice? {choice}\n"));
    let numbers: Vec<_> = clause.from.iter().map(u8::to_string).collect();
    let from = match numbers.is_empty() {
        true => String::new(),
        false => format!("  In lab/contract/catalogue.md: {}\n", numbers.join(", ")),
    };
    format!(
        "  The rule: {}\n  Why: {}\n{choice}  Catches the faults: {}\n{from}",
        clause.rule,
        clause.why,
        faults_of(clause, "")
    )
}

/// The names of its faults, each between two `quote`s.
fn faults_of(clause: &Clause, quote: &str) -> String {
    let names = clause.faulty().into_iter().map(|faulty| faulty.name);
    let quoted: Vec<_> = names.map(|name| format!("{quote}{name}{quote}")).collect();
    quoted.join(", ")
}

fn sign(verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        None | Some(Verdict::NotItsJob) => ".",
        Some(Verdict::Kept) => "yes",
        Some(_) => "NO",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects;

    /// A quick look, beside `--check`, which runs everything.
    #[test]
    fn the_page_for_the_book_has_every_rule_and_every_column() {
        let page = include_str!("../matrix.md").replace("\r\n", "\n");
        let stale = "stale: run `cargo run -p matrix -- --write`";
        assert!(page.ends_with(&rules()), "{stale}");
        for subject in subjects::all() {
            let heading = format!(" {} |", subject.name.replace('-', "<br>"));
            assert!(page.contains(&heading), "{}: {stale}", subject.name);
        }
    }
}
