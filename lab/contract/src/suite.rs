//! The tests of a stage: which clauses it keeps, and which not yet.

use std::{process::ExitCode, time::Duration};

use crate::{
    Clause, Subject,
    cell::{self, Verdict},
    clauses::panics::ON_PURPOSE,
    harness::{self, Test},
    index, report, usage,
};

/// Far more than any clause takes: only what hangs comes to this.
const PATIENT: Duration = Duration::from_secs(20);
/// Enough for what is said to hang.
const BRIEF: Duration = Duration::from_millis(1_500);
/// For a learner who waits for it. All clauses are tested at once, so this takes no longer, even if many of them hang.
const AT_ONCE: Duration = Duration::from_secs(1);
/// For one that may have failed only because so much went on beside it. A grader gives the whole test four seconds.
const ALONE: Duration = Duration::from_secs(2);
/// So many are explained. More may well have one cause.
const EXPLAINED: usize = 4;

/// A clause found a fault only by luck, and a subject is said not to keep it: so often it may be kept.
const LUCKY: usize = 4;

/// What a subject says of itself: which clauses it keeps, and which not yet.
#[derive(Debug, Clone)]
pub struct Promise {
    subject: Subject,
    not_yet: Vec<(&'static str, &'static [&'static str])>,
    is_in_the_matrix: bool,
}

impl Promise {
    /// It keeps every clause that is about such a thing and asks for nothing that its adapter does not offer, but for those
    /// that are named next.
    pub fn all(subject: Subject) -> Promise {
        Promise {
            subject,
            not_yet: Vec::new(),
            is_in_the_matrix: true,
        }
    }

    /// It does not keep these yet, for this reason, which the matrix prints. Each must be seen to fail: one that is kept is
    /// a mistake in the list.
    pub fn not_yet(mut self, why: &'static str, clauses: &'static [&'static str]) -> Promise {
        self.not_yet.push((why, clauses));
        self
    }

    /// It is tested, and would only be one more column like another in the matrix.
    pub fn not_in_the_matrix(self) -> Promise {
        Promise {
            is_in_the_matrix: false,
            ..self
        }
    }

    /// Why it does not keep this clause yet.
    fn why_not_yet(&self, clause: &str) -> Option<&'static str> {
        let mut reasons = self.not_yet.iter();
        let reason = reasons.find(|(_, clauses)| clauses.contains(&clause));
        reason.map(|(why, _)| *why)
    }
}

/// The main function of a test program without a harness of its own: a test for each clause and each subject. In Miri it
/// tests nothing and says so, because no program can start another there.
///
/// ```no_run
/// use runtime_contract::{BlockOn, Subject, suite::{self, Promise}};
/// use futures::executor::block_on;
///
/// runtime_contract::count_allocations!();
///
/// const FUTURES: BlockOn = BlockOn { task: block_on, job: block_on };
///
/// fn main() -> std::process::ExitCode {
///     let futures = Subject::runtime("futures", &FUTURES);
///     suite::main(&[Promise::all(futures)])
/// }
/// ```
///
/// # Panics
///
/// If nothing is promised, two subjects have one name, there is no clause of such a name about a subject, or the program
/// does not [count its allocations](crate::count_allocations).
pub fn main(promises: &[Promise]) -> ExitCode {
    if cfg!(miri) {
        eprintln!("left out: the contract, because no program can start another in Miri");
        return ExitCode::SUCCESS;
    }
    let find = |name: &str, _: &Clause| {
        let mut subjects = promises.iter().map(|promise| promise.subject);
        subjects.find(|subject| subject.name == name)
    };
    cell::serve(find);
    assert!(!promises.is_empty(), "nothing to test: promise something");
    cell::assert_named(promises.iter().map(|promise| promise.subject));
    let mut tests = Vec::new();
    for promise in promises {
        for name in promise.not_yet.iter().flat_map(|(_, clauses)| *clauses) {
            let about = index::clause(name).is_some_and(|it| it.is_about(&promise.subject));
            assert!(about, "{}: there is no clause {name}", promise.subject.name);
        }
        for clause in index::all().filter(|clause| clause.is_about(&promise.subject)) {
            tests.push(test(promise, clause));
        }
    }
    // Most of a cell's time is spent asleep.
    harness::main(6 * harness::cores(), tests)
}

/// For a `#[test]` under the ordinary harness: tests these clauses on a subject, each in a process of its own.
///
/// `test` is the full name of the test that calls this, and calls it first of all: each process runs that test, which then
/// tests one clause and does not return.
///
/// ```no_run
/// # struct Mine;
/// # impl runtime_contract::Runtime for Mine {
/// #     fn run(&self, _: Vec<runtime_contract::BoxFuture>) -> runtime_contract::Answer {
/// #         Ok(())
/// #     }
/// # }
/// use runtime_contract::{Subject, suite};
///
/// runtime_contract::count_allocations!();
///
/// // In a module `tests`:
/// // #[test]
/// fn it_keeps_the_contract() {
///     let mine = Subject::runtime("mine", &Mine);
///     suite::check("tests::it_keeps_the_contract", mine, &["finishes", "sleeps"])
///         .unwrap_or_else(|broken| panic!("{broken}"));
/// }
/// ```
///
/// # Errors
///
/// Which clauses are not kept, for a reader: the rule, what was seen, and why it matters.
///
/// # Panics
///
/// If no clause is named, if there is none of such a name about such a subject, if this program cannot be started, or if it does not
/// [count its allocations](crate::count_allocations).
pub fn check(test: &str, subject: Subject, names: &[&str]) -> Result<(), String> {
    cell::serve(|_, _| Some(subject));
    assert!(!names.is_empty(), "nothing to test: name a clause");
    let clauses = names.iter().map(|name| {
        let about = |clause: &&Clause| clause.is_about(&subject);
        let clause = index::clause(name).filter(about);
        clause.unwrap_or_else(|| panic!("{}: there is no clause {name}", subject.name))
    });
    let verdict = |clause, limit| {
        let arguments = [test, "--exact", "--nocapture"];
        let verdict = cell::test_by(&arguments, subject.name, clause, limit);
        verdict.expect("this program can be started")
    };
    // All at once, because a process that hangs needs no processor.
    let clauses: Vec<_> = clauses.collect();
    let mut verdicts = harness::each(clauses.len(), clauses, |clause| {
        (clause, verdict(clause, AT_ONCE))
    });
    // On a slow machine, a right answer may fail so. Once one fails alone too, it is not the machine, and there is no need to wait for
    // the others.
    for (clause, seen) in &mut verdicts {
        if seen.is_failure() {
            *seen = verdict(clause, ALONE);
            if seen.is_failure() {
                break;
            }
        }
    }
    let kept = |verdict: &Verdict| *verdict == Verdict::Kept;
    let broken: Vec<_> = verdicts.iter().filter(|(_, it)| !kept(it)).collect();
    if broken.is_empty() {
        return Ok(());
    }
    let (many, of) = (broken.len(), names.len());
    let mut text = format!("{many} of {of} clauses are not kept.\n");
    for (clause, verdict) in broken.iter().take(EXPLAINED) {
        let seen = match verdict {
            Verdict::Broken(what) if what == ON_PURPOSE => {
                "the panic of a task came out of the runtime".to_owned()
            }
            other => other.to_string(),
        };
        let Clause {
            name, rule, why, ..
        } = clause;
        text += &format!("\n{name}\n  rule: {rule}\n  seen: {seen}\n  why:  {why}\n");
    }
    let others = broken.iter().skip(EXPLAINED).map(|(clause, _)| clause.name);
    let others: Vec<_> = others.collect();
    if !others.is_empty() {
        text += &format!("\nalso not kept: {}\n", others.join(", "));
    }
    Err(text)
}

fn test<'a>(promise: &'a Promise, clause: &'static Clause) -> Test<'a> {
    let not_yet = promise.why_not_yet(clause.name);
    Test {
        name: format!("{}::{}", promise.subject.name, clause.name),
        is_slow: not_yet.is_some(),
        run: Box::new(move || try_cell(promise, clause, not_yet)),
    }
}

fn try_cell(promise: &Promise, clause: &Clause, not_yet: Option<&str>) -> Result<String, String> {
    let subject = promise.subject.name;
    let limit = if not_yet.is_some() { BRIEF } else { PATIENT };
    let run = || cell::test(subject, clause, limit).map_err(|error| error.to_string());
    let mut verdict = run()?;
    for _ in 0..LUCKY {
        if not_yet.is_none() || verdict.is_failure() {
            break;
        }
        verdict = run()?;
    }
    let as_said = match &verdict {
        Verdict::Kept => not_yet.is_none(),
        // The matrix has an empty cell for it. Where threads cannot be counted, the clauses about threads cannot be tested.
        Verdict::NotItsJob => not_yet.is_none() || usage::threads().is_none(),
        _ => not_yet.is_some(),
    };
    if as_said {
        let why = not_yet.unwrap_or_default();
        let line = report::line(subject, clause, &verdict, why);
        return Ok(line
            .filter(|_| promise.is_in_the_matrix)
            .unwrap_or_default());
    }
    let said = not_yet.map_or("kept", |_| "not yet");
    Err(format!(
        "{}\nsaid: {said}\nseen: {verdict}\nwhy it matters: {}",
        clause.rule, clause.why
    ))
}
