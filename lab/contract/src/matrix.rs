//! Fills the matrix: several cells at a time, each in a process of its own.

use std::{
    collections::HashMap,
    io,
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use contract::{
    Clause, Subject,
    cell::{self, Verdict},
};

use crate::notes;

/// Nothing that ends takes so long, unless the machine is busy with other things.
const LIMIT: Duration = Duration::from_secs(4);
/// For a cell that is known to fail: it may well hang.
const BRIEF: Duration = Duration::from_millis(2_500);
/// For what took longer than the limit, and was not known to: it was slow, or it hangs.
const AGAIN: Duration = Duration::from_secs(30);

/// What came of each clause on each subject that it is about.
pub(crate) struct Matrix {
    pub(crate) clauses: Vec<&'static Clause>,
    pub(crate) subjects: Vec<Subject>,
    cells: HashMap<(&'static str, &'static str), Verdict>,
}

type Cell = (&'static Clause, Subject);

impl Matrix {
    /// Runs the tests.
    pub(crate) fn fill(
        clauses: Vec<&'static Clause>,
        subjects: Vec<Subject>,
    ) -> io::Result<Matrix> {
        let mut todo: Vec<Cell> = Vec::new();
        for clause in &clauses {
            let about = subjects.iter().filter(|subject| clause.is_about(subject));
            todo.extend(about.map(|subject| (*clause, *subject)));
        }
        // What may hang comes first, and the rest goes on beside it.
        todo.sort_by_key(|(clause, subject)| notes::of(subject, clause).is_none());
        let (next, cells) = (AtomicUsize::new(0), Mutex::default());
        // Most of a cell's time is spent asleep.
        let at_a_time = 3 * thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..at_a_time)
                .map(|_| scope.spawn(|| work(&todo, &next, &cells)))
                .collect();
            let mut ends = workers.into_iter().map(|it| it.join().expect("no panic"));
            ends.try_for_each(|end| end)
        })?;
        let cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Matrix {
            clauses,
            subjects,
            cells,
        })
    }

    /// `None` if the clause is not about such a subject.
    pub(crate) fn verdict(&self, clause: &Clause, subject: &Subject) -> Option<&Verdict> {
        self.cells.get(&(clause.name, subject.name))
    }

    /// The cells that are not kept, in the order of the table.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (&'static Clause, Subject, &Verdict)> {
        let cells = self
            .clauses
            .iter()
            .flat_map(|clause| self.subjects.iter().map(|subject| (*clause, *subject)));
        cells.filter_map(|(clause, subject)| {
            let verdict = self.verdict(clause, &subject)?;
            verdict.is_failure().then_some((clause, subject, verdict))
        })
    }
}

fn work(
    todo: &[Cell],
    next: &AtomicUsize,
    cells: &Mutex<HashMap<(&'static str, &'static str), Verdict>>,
) -> io::Result<()> {
    while let Some((clause, subject)) = todo.get(next.fetch_add(1, Relaxed)) {
        let verdict = test(clause, subject)?;
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.insert((clause.name, subject.name), verdict);
    }
    Ok(())
}

/// A verdict that nobody expected is looked at twice: it may be the machine's fault.
fn test(clause: &Clause, subject: &Subject) -> io::Result<Verdict> {
    if notes::of(subject, clause).is_some() {
        return cell::test(subject.name, clause, BRIEF);
    }
    let verdict = cell::test(subject.name, clause, LIMIT)?;
    if verdict.is_failure() {
        return cell::test(subject.name, clause, AGAIN);
    }
    Ok(verdict)
}
