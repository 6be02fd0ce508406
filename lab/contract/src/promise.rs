//! What the authors of a runtime or a leaf future promise to keep.

use crate::{Clause, Edition, Subject, Weight, all, cell, report::explained};

/// What a subject says of itself: which clauses it keeps, and which it does not keep, or not always.
#[derive(Debug, Clone)]
pub struct Promise {
    pub(crate) subject: Subject,
    pub(crate) not_kept: Vec<(Said, &'static str, &'static [&'static str])>,
    edition: Edition,
    level: Weight,
    pub(crate) environment: Vec<(&'static str, &'static str)>,
    pub(crate) is_in_the_matrix: bool,
}

/// What is said of a clause that is not kept in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    NotYet,
    Sometimes,
}

impl Promise {
    /// It keeps every clause that is about such a thing and asks for nothing that its adapter does not offer, but for those
    /// that are named next.
    pub fn all(subject: Subject) -> Promise {
        Promise {
            subject,
            not_kept: Vec::new(),
            edition: Edition::LATEST,
            level: Weight::Quality,
            environment: Vec::new(),
            is_in_the_matrix: true,
        }
    }

    /// It does not keep these yet, for this reason, which --report prints. Each must be seen to fail: one that is kept is
    /// a mistake in the list.
    pub fn not_yet(mut self, why: &'static str, clauses: &'static [&'static str]) -> Promise {
        self.not_kept.push((Said::NotYet, why, clauses));
        self
    }

    /// It keeps these in some runs and breaks them in others, because of a race. Neither is a failure.
    pub fn sometimes(mut self, why: &'static str, clauses: &'static [&'static str]) -> Promise {
        self.not_kept.push((Said::Sometimes, why, clauses));
        self
    }

    /// Only the clauses of this [edition](Clause::edition) and of earlier ones. So a clause that is added to this library
    /// later fails in no test that was written before.
    pub fn edition(self, edition: Edition) -> Promise {
        Promise { edition, ..self }
    }

    /// Only the clauses of this weight and of heavier ones: on the first day those that std demands, or those that other crates rely on
    /// too. What its authors may choose, they meet at [`Weight::Quality`] alone.
    pub fn level(self, level: Weight) -> Promise {
        Promise { level, ..self }
    }

    /// Sets a variable in the environment of each test: some runtimes read there how many threads they may start.
    pub fn env(mut self, name: &'static str, value: &'static str) -> Promise {
        self.environment.push((name, value));
        self
    }

    /// It is tested, and would only be one more column like another in a table of reports.
    pub fn not_in_the_matrix(self) -> Promise {
        Promise {
            is_in_the_matrix: false,
            ..self
        }
    }

    /// Its clauses, of the edition and the weight that it asks for.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = &'static Clause> + '_ {
        all().filter(|clause| {
            let (edition, weight) = (clause.edition, clause.weight());
            clause.is_about(&self.subject) && edition <= self.edition && weight <= self.level
        })
    }

    /// What it promises to keep in every run, under the names of the tests.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&Promise, &'static Clause, String)> {
        let kept = self
            .clauses()
            .filter(|clause| self.says_of(clause.name).is_none());
        kept.map(move |clause| {
            (
                self,
                clause,
                format!("{}::{}", self.subject.name, clause.name),
            )
        })
    }

    /// Tests a clause with more in its environment, and returns what is wrong.
    pub(crate) fn test(&self, clause: &Clause, environment: &[(&str, &str)]) -> Option<String> {
        let environment = [&self.environment, environment].concat();
        match cell::test(&[], &environment, self.subject.name, clause) {
            Ok(verdict) => verdict.is_failure().then(|| explained(clause, &verdict)),
            Err(error) => Some(error.to_string()),
        }
    }

    /// What it says of a clause that it does not keep, and why.
    pub(crate) fn says_of(&self, clause: &str) -> Option<(Said, &'static str)> {
        let mut reasons = self.not_kept.iter();
        let reason = reasons.find(|(.., clauses)| clauses.contains(&clause));
        reason.map(|(said, why, _)| (*said, *why))
    }
}
