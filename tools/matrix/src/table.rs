//! The matrix as a table: for a terminal, and for the book.

use std::fmt::Write;

use contract::{Check, Clause, MODELS, Side, Subject, all, cell::Verdict};

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

    /// For the book: first what is not kept, and the rest folded up. It says nothing that differs from run to run.
    pub(crate) fn markdown(&self) -> String {
        let mut out =
            String::from("<!-- Written by `cargo run -p matrix -- --write`: do not edit. -->\n");
        for (title, _, subjects) in self.parts() {
            write!(out, "\n### What differs: {}\n", title.to_lowercase()).expect(WRITTEN);
            out += &self.differences(&subjects);
        }
        out += "\n### Every clause\n";
        for (title, clauses, subjects) in self.parts() {
            let summary = format!("The whole matrix: {}", title.to_lowercase());
            out += &folded(&summary, &self.whole(&clauses, &subjects));
        }
        out + &rules()
    }

    /// What is not kept, with the reason, and who keeps everything.
    fn differences(&self, subjects: &[Subject]) -> String {
        let mut out = String::new();
        for (number, note) in (1..).zip(NOTES) {
            let failures = self.0.failures();
            let failed: Vec<_> = failures
                .filter(|(clause, subject, _)| {
                    let here = subjects.iter().any(|it| it.name == subject.name);
                    here && notes::of(subject, clause).is_some_and(|(it, _)| it == number)
                })
                .map(|(clause, subject, _)| (clause.name, subject.name))
                .collect();
            if failed.is_empty() {
                continue;
            }
            let mut who = note.subjects.to_vec();
            who.retain(|name| failed.iter().any(|it| it.1 == *name));
            let clauses = note.clauses.iter();
            let clauses = clauses.filter(|name| failed.iter().any(|it| it.0 == **name));
            let clauses: Vec<_> = clauses.map(|name| linked(name)).collect();
            let (who, clauses) = (who.join(", "), clauses.join(", "));
            let text = note.text;
            write!(
                out,
                "\n({number}) {who}\n: Not kept: {clauses}\n\n  {text}\n"
            )
            .expect(WRITTEN);
        }
        let keeps = |it: &&Subject| self.0.failures().all(|(_, other, _)| other.name != it.name);
        let all: Vec<_> = subjects.iter().filter(keeps).map(|it| it.name).collect();
        write!(
            out,
            "\nKept in full, as far as it applies: {}.\n",
            all.join(", ")
        )
        .expect(WRITTEN);
        out
    }

    fn whole(&self, clauses: &[&Clause], subjects: &[Subject]) -> String {
        let mut out = String::from("| clause |");
        for subject in subjects {
            write!(out, " {} |", subject.name.replace('-', "<br>")).expect(WRITTEN);
        }
        write!(out, "\n|---|{}\n", ":-:|".repeat(subjects.len())).expect(WRITTEN);
        for clause in clauses {
            write!(out, "| {} |", linked(clause.name)).expect(WRITTEN);
            for subject in subjects {
                let cell = match self.0.verdict(clause, subject) {
                    None | Some(Verdict::NotItsJob) => String::new(),
                    Some(Verdict::Kept) => "yes".to_owned(),
                    Some(_) => match notes::of(subject, clause) {
                        Some((number, _)) => format!("**no** ({number})"),
                        None => "**no**".to_owned(),
                    },
                };
                write!(out, " {cell} |").expect(WRITTEN);
            }
            out.push('\n');
        }
        out + "\nAn empty cell means that the clause does not apply, because the runtime or future offers no such thing.\n"
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
    let described = |clause: &Clause| {
        let mut entry = described(clause.name, clause.rule, clause.why);
        if let Some(choice) = clause.choice {
            write!(entry, "\n  *A choice?* {choice}\n").expect(WRITTEN);
        }
        write!(
            entry,
            "\n  *Faults that it catches:* {}\n",
            faults_of(clause, "`")
        )
        .expect(WRITTEN);
        entry
    };
    let is_leaf = |clause: &&Clause| matches!(clause.check, Check::Leaf(..));
    let executors: Vec<_> = all().filter(|it| !is_leaf(it)).map(described).collect();
    let leaves: Vec<_> = all().filter(is_leaf).map(described).collect();
    let models = MODELS.iter();
    let models: Vec<_> = models
        .map(|it| self::described(it.name, it.rule, it.why))
        .collect();
    let models =
        "Their models are in `lab/contract/tests/loom.rs`.\n\n".to_owned() + &models.join("\n");
    folded(
        "The clauses for executors, each with its reason",
        &executors.join("\n"),
    ) + &folded(
        "The clauses for leaf futures, each with its reason",
        &leaves.join("\n"),
    ) + &folded("Two rules that only a model checker can test", &models)
}

/// An entry of a list of definitions.
fn described(name: &str, rule: &str, why: &str) -> String {
    format!("`{name}`\n: {rule}\n\n  *Why:* {why}\n")
}

/// A clause's name as a link to what the list of rules says about it.
fn linked(name: &str) -> String {
    format!("[`{name}`](#{name})")
}

fn folded(summary: &str, text: &str) -> String {
    format!("\n<details>\n<summary>{summary}</summary>\n\n{text}\n</details>\n")
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
