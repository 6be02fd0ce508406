//! Fills the matrix: several cells at a time, each in a process of its own.

use std::{collections::HashMap, io, time::Duration};

use contract::{
    Clause, Subject,
    cell::{self, Verdict},
};
use kit::pool;

use crate::notes;

/// Nothing that ends takes so long, unless the machine is busy with other things.
const LIMIT: Duration = Duration::from_secs(4);
/// For a cell that is known to fail: it may well hang.
const BRIEF: Duration = Duration::from_millis(2_500);
/// For what took longer than the limit, and was not known to: it was slow, or it hangs.
const AGAIN: Duration = Duration::from_secs(30);
/// Some clauses find a fault only by luck. One that is known to fail may be kept so many times less one.
const TRIES: usize = 5;

/// What came of each clause on each subject that it is about.
pub(crate) struct Matrix {
    pub(crate) clauses: Vec<&'static Clause>,
    pub(crate) subjects: Vec<Subject>,
    cells: HashMap<(&'static str, &'static str), Verdict>,
}

impl Matrix {
    /// Runs the tests.
    ///
    /// # Errors
    ///
    /// If a test cannot be started.
    ///
    /// # Panics
    ///
    /// If two subjects have one name.
    pub(crate) fn fill(
        clauses: Vec<&'static Clause>,
        subjects: Vec<Subject>,
    ) -> io::Result<Matrix> {
        cell::assert_named(subjects.iter().copied());
        let mut todo = Vec::new();
        for clause in &clauses {
            let about = subjects.iter().filter(|subject| clause.is_about(subject));
            todo.extend(about.map(|subject| (*clause, *subject)));
        }
        // What may hang comes first, and the rest goes on beside it.
        todo.sort_by_key(|(clause, subject)| notes::of(subject, clause).is_none());
        // Most of a cell's time is spent asleep.
        let at_a_time = 3 * pool::cores();
        let cells = pool::each(at_a_time, todo, |(clause, subject)| {
            Ok(((clause.name, subject.name), test(clause, &subject)?))
        });
        Ok(Matrix {
            clauses,
            subjects,
            cells: cells.into_iter().collect::<io::Result<_>>()?,
        })
    }

    /// `None` if the clause is not about such a subject.
    pub(crate) fn verdict(&self, clause: &Clause, subject: &Subject) -> Option<&Verdict> {
        self.cells.get(&(clause.name, subject.name))
    }

    /// The cells that are not kept, in the order of the table.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (&'static Clause, Subject, &Verdict)> {
        self.cells().filter(|(_, _, verdict)| verdict.is_failure())
    }

    /// What is not as the notes say: a cell that fails without one, or one for a cell that does not fail.
    pub(crate) fn disagreements(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (clause, subject, verdict) in self.cells() {
            let noted = notes::of(&subject, clause).is_some();
            if noted != verdict.is_failure() {
                let (clause, subject) = (clause.name, subject.name);
                let what = if noted {
                    "delete its note"
                } else {
                    "write a note"
                };
                lines.push(format!(
                    "tools/matrix/src/notes.rs: {subject}, {clause}: {verdict}: {what}"
                ));
            }
        }
        lines
    }

    fn cells(&self) -> impl Iterator<Item = (&'static Clause, Subject, &Verdict)> {
        let pairs = self
            .clauses
            .iter()
            .flat_map(|clause| self.subjects.iter().map(|subject| (*clause, *subject)));
        pairs.filter_map(|(clause, subject)| {
            let verdict = self.verdict(clause, &subject)?;
            Some((clause, subject, verdict))
        })
    }
}

/// Tests an unexpected verdict again: a failure once more, with much more time, because a busy machine may be the
/// reason; and a success a few times.
fn test(clause: &Clause, subject: &Subject) -> io::Result<Verdict> {
    if notes::of(subject, clause).is_some() {
        for _ in 1..TRIES {
            let verdict = cell::test(subject.name, clause, BRIEF)?;
            if verdict.is_failure() {
                return Ok(verdict);
            }
        }
        return cell::test(subject.name, clause, BRIEF);
    }
    let verdict = cell::test(subject.name, clause, LIMIT)?;
    if verdict.is_failure() {
        return cell::test(subject.name, clause, AGAIN);
    }
    Ok(verdict)
}
