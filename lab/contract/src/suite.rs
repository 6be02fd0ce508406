//! The tests of a stage: which clauses it keeps, and which not yet.

use std::{process::ExitCode, time::Duration};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{
    Clause, Subject, all,
    cell::{self, Verdict},
};

/// Far more than any clause takes: only what hangs comes to this.
const PATIENT: Duration = Duration::from_secs(20);
/// Enough for what is said to hang.
const BRIEF: Duration = Duration::from_millis(1_500);

/// What a subject says of itself: which clauses it keeps, which not yet, and which are not its job.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    subject: Subject,
    not_yet: &'static [&'static str],
    not_its_job: &'static [&'static str],
}

impl Promise {
    /// It keeps every clause that is about such a thing, but for those that are named next.
    pub fn all(subject: Subject) -> Promise {
        Promise {
            subject,
            not_yet: &[],
            not_its_job: &[],
        }
    }

    /// It does not keep these yet. Each must be seen to fail: one that is kept is a mistake in the list.
    pub fn not_yet(self, not_yet: &'static [&'static str]) -> Promise {
        Promise { not_yet, ..self }
    }

    /// It does not offer what these are about.
    pub fn not_its_job(self, not_its_job: &'static [&'static str]) -> Promise {
        Promise {
            not_its_job,
            ..self
        }
    }
}

/// The main function of a test program without a harness of its own: a test for each clause and each subject.
///
/// ```no_run
/// use contract::{suite::{self, Promise}, Subject, Runtime, Task, Answer, only_one};
///
/// struct Futures;
///
/// impl Runtime for Futures {
///     fn run(&self, tasks: Vec<Task>) -> Answer {
///         only_one(tasks, futures::executor::block_on)
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     let futures = Subject::runtime("futures", &Futures);
///     suite::main(&[Promise::all(futures).not_its_job(&["nothing_to_do", "ten_thousand"])])
/// }
/// ```
pub fn main(promises: &[Promise]) -> ExitCode {
    let find = |name: &str, _: &Clause| {
        let mut subjects = promises.iter().map(|promise| promise.subject);
        subjects.find(|subject| subject.name == name)
    };
    if let Some(code) = cell::serve(find) {
        return code;
    }
    let mut trials = Vec::new();
    for promise in promises {
        for name in promise.not_yet.iter().chain(promise.not_its_job) {
            let about = crate::clause(name).is_some_and(|it| it.is_about(&promise.subject));
            assert!(about, "{}: there is no clause {name}", promise.subject.name);
        }
        for clause in all().filter(|clause| clause.is_about(&promise.subject)) {
            trials.push(trial(promise, clause));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(promise: &Promise, clause: &'static Clause) -> Trial {
    let subject = promise.subject.name;
    let not_yet = promise.not_yet.contains(&clause.name);
    let not_its_job = promise.not_its_job.contains(&clause.name);
    let said = match (not_yet, not_its_job) {
        (true, _) => "not yet",
        (_, true) => "not its job",
        _ => "kept",
    };
    Trial::test(format!("{subject}::{}", clause.name), move || {
        let limit = if not_yet { BRIEF } else { PATIENT };
        let verdict = cell::test(subject, clause, limit)?;
        let as_said = match &verdict {
            Verdict::Kept => said == "kept",
            // Where nobody can count threads, the clauses about threads cannot be tested.
            Verdict::NotItsJob => not_its_job || probe::threads().is_none(),
            _ => not_yet,
        };
        if as_said {
            return Ok(());
        }
        Err(Failed::from(format!(
            "{}\nsaid: {said}\nseen: {verdict}\nwhy it matters: {}",
            clause.rule, clause.why
        )))
    })
    .with_kind(said)
}
