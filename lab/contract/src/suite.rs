//! The tests of a subject: which clauses it keeps, and which not yet.

use std::{
    collections::{BTreeMap, HashSet},
    num::NonZero,
    process::ExitCode,
    sync::{Mutex, PoisonError},
    thread,
};

use crate::{
    Clause, Subject, Weight, all, allocations,
    cell::{self, Verdict},
    harness::{self, Test, Turn},
    lock::lock,
    promise::Said,
    report::{self, explained},
    rest, stress,
};

pub use crate::promise::Promise;

/// So many are explained. More may well have one cause.
const EXPLAINED: usize = 4;

/// A clause found a fault only by luck, and a subject is said not to keep it: so often it may be kept.
const LUCKY: usize = 4;

/// The main function of a test program without a harness of its own: a test for each clause and each subject. In Miri
/// all are ignored, because no program can start another there: call the clauses' functions in a `#[test]`.
///
/// # Panics
///
/// If nothing is promised, two subjects have one name, or there is no clause of such a name about a subject.
pub fn main(promises: &[Promise]) -> ExitCode {
    let find = |name: &str, _: &Clause| {
        let mut subjects = promises.iter().map(|promise| promise.subject);
        subjects.find(|subject| subject.name == name)
    };
    cell::serve(find);
    assert!(!promises.is_empty(), "nothing to test: promise something");
    let mut names = HashSet::new();
    for name in promises.iter().map(|promise| promise.subject.name) {
        let is_new = names.insert(name);
        assert!(is_new, "two subjects are called {name}: rename one");
    }
    let broken = Mutex::default();
    let mut tests = Vec::new();
    for promise in promises {
        for name in promise.not_kept.iter().flat_map(|(.., clauses)| *clauses) {
            let about = crate::clause(name).is_some_and(|clause| clause.is_about(&promise.subject));
            assert!(about, "{}: there is no clause {name}", promise.subject.name);
        }
        for clause in promise.clauses() {
            let turn = match promise.says_of(clause.name) {
                _ if clause.is_tested_alone() => Turn::Last,
                Some(_) => Turn::First, // what is not kept may hang
                None => Turn::Any,
            };
            tests.push(Test {
                name: format!("{}::{}", promise.subject.name, clause.name),
                turn,
                run: Box::new(|| {
                    if cfg!(miri) {
                        Ok(None)
                    } else {
                        try_cell(promise, clause, &broken)
                    }
                }),
            });
        }
    }
    // Most of a cell's time is spent asleep.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    if let Some(asked) = stress::asked() {
        return match asked {
            Ok(stress) => stress::run(promises, &stress, 6 * cores),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(2)
            }
        };
    }
    let status = harness::main(6 * cores, tests);
    let broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
    for promise in promises {
        draft(promise.subject.name, &broken);
    }
    if allocations::counted().is_err() {
        eprintln!(
            "Clauses that count allocations were ignored: {}.",
            allocations::NOT_COUNTED
        );
    }
    status
}

/// For a `#[test]` under the ordinary harness: tests these clauses on a subject, each in a process of its own.
///
/// `test` is the full name of the test that calls this, and calls it first of all: each process runs that test, which then
/// tests one clause and does not return.
///
/// ```no_run
/// use futures::executor::block_on;
/// use runtime_contract::{Preset, Subject, suite};
///
/// runtime_contract::count_allocations!();
///
/// const MINE: Subject = Subject::runtime("mine", &Preset::block_on(block_on));
///
/// // In a module `tests`:
/// // #[test]
/// fn it_keeps_the_contract() {
///     let kept = suite::check("tests::it_keeps_the_contract", MINE, &["finishes", "sleeps"]);
///     kept.unwrap_or_else(|broken| panic!("{broken}"));
/// }
/// ```
///
/// # Errors
///
/// Which clauses are not kept, for a reader: the rule, what was seen, and why it matters.
///
/// # Panics
///
/// If no clause is named, if there is none of such a name about such a subject, or if this program cannot be started.
pub fn check(test: &str, subject: Subject, names: &[&str]) -> Result<(), String> {
    cell::serve(|_, _| Some(subject));
    assert!(!names.is_empty(), "nothing to test: name a clause");
    let clauses = names.iter().map(|name| {
        let about = |clause: &&Clause| clause.is_about(&subject);
        let clause = crate::clause(name).filter(about);
        clause.unwrap_or_else(|| panic!("{}: there is no clause {name}", subject.name))
    });
    let verdict = |clause| {
        let arguments = [test, "--exact", "--nocapture"];
        let verdict = cell::test(&arguments, &[], subject.name, clause);
        verdict.expect("this program can be started")
    };
    // All at once, because a process that hangs needs no processor, but for what is tested alone.
    let verdicts: Vec<_> = thread::scope(|scope| {
        let start = |clause| (clause, scope.spawn(move || verdict(clause)));
        let started: Vec<_> = clauses.map(start).collect();
        let seen = started.into_iter();
        seen.map(|(clause, running)| (clause, running.join().expect("a verdict")))
            .collect()
    });
    let kept = |verdict: &Verdict| *verdict == Verdict::Kept;
    let broken: Vec<_> = verdicts
        .iter()
        .filter(|(_, verdict)| !kept(verdict))
        .collect();
    if broken.is_empty() {
        return Ok(());
    }
    let (many, of) = (broken.len(), names.len());
    let mut text = format!("{many} of {of} clauses are not kept.\n");
    for (clause, verdict) in broken.iter().take(EXPLAINED) {
        text += &format!("\n{}\n{}\n", clause.name, explained(clause, verdict));
    }
    let others = broken.iter().skip(EXPLAINED).map(|(clause, _)| clause.name);
    let others: Vec<_> = others.collect();
    if !others.is_empty() {
        text += &format!("\nalso not kept: {}\n", others.join(", "));
    }
    Err(text)
}

/// What is often the cause of such a failure, in the functions that a preset was given or on a thread without a runtime.
fn hint(Broken { clause, seen, .. }: &Broken) -> Option<&'static str> {
    let seen_all = |words: &[&str]| words.iter().all(|word| seen.contains(word));
    let needs_a_runtime = seen_all(&["reactor"]) || seen_all(&["runtime", "context"]);
    Some(match clause.name {
        _ if needs_a_runtime => {
            "it may need the runtime that drives it on its thread: make it by `Local::on`, with the function that runs that runtime."
        }
        "finishes" | "ten_thousand" => {
            "`spawn` may have dropped the task with its handle: detach it."
        }
        "dropped_unrun" | "dropped_at_shutdown" => {
            "`block_on` may return only when all tasks are done: say `.waiting_for_all()`."
        }
        "a_panic_is_contained" => {
            "panics may come out of `block_on`, and should: say `.letting_panics_through()`."
        }
        "two_at_once" | "spawned_and_waited_for" => {
            "it may have fewer threads than the preset says."
        }
        _ => return None,
    })
}

/// A clause that is not kept, although nothing says so.
struct Broken {
    subject: &'static str,
    clause: &'static Clause,
    seen: String,
    /// Why it may be so, or what was seen.
    why: String,
}

/// Prints how the promise would have to be changed, ready to paste, and which failure to look at first.
fn draft(subject: &str, broken: &[Broken]) {
    let mut broken: Vec<_> = broken
        .iter()
        .filter(|failure| failure.subject == subject)
        .collect();
    // The list begins with what is simple. What may be a choice comes last.
    let place = |clause: &Clause| {
        (
            clause.weight() == Weight::Quality,
            all().position(|other| other.name == clause.name),
        )
    };
    broken.sort_by_key(|broken| place(broken.clause));
    let Some(first) = broken.first() else {
        return;
    };
    let mut reasons = BTreeMap::<_, Vec<_>>::new();
    for Broken { clause, why, .. } in &broken {
        reasons.entry(why).or_default().push(clause.name);
    }
    eprintln!(
        "{subject} does not keep its promise. Begin with `{}`: the others may have the same cause.",
        first.clause.name
    );
    if let Some(hint) = broken.iter().find_map(|failure| hint(failure)) {
        eprintln!("If it is made of functions or closures, {hint}");
    }
    eprintln!("If it cannot keep these clauses, or should not, add to it:");
    for (why, clauses) in reasons {
        eprintln!("    .not_yet({why:?}, &{clauses:?})");
    }
}

fn try_cell(
    promise: &Promise,
    clause: &'static Clause,
    broken: &Mutex<Vec<Broken>>,
) -> Result<Option<String>, String> {
    let (subject, says) = (promise.subject.name, promise.says_of(clause.name));
    let said = says.map(|(said, _)| said);
    let mut environment = promise.environment.clone();
    // What is said not to be kept may go on forever without rest. It may be slow too, which then says nothing.
    environment.extend(said.map(|_| (rest::SECONDS, "10")));
    let run = || {
        let verdict = cell::test(&[], &environment, subject, clause);
        verdict.map_err(|error| error.to_string())
    };
    let mut verdict = run()?;
    for _ in 0..LUCKY {
        if said != Some(Said::NotYet) || verdict.is_failure() {
            break;
        }
        verdict = run()?;
    }
    let as_said = match (&verdict, said) {
        (_, Some(Said::Sometimes)) => true,
        (Verdict::Kept, said) => said.is_none(),
        // Nothing is reported of it. Where threads or allocations are not counted, the clauses about them cannot be tested.
        (Verdict::Unsupported, said) => {
            said.is_none() || probe::threads().is_none() || allocations::counted().is_err()
        }
        (_, said) => said.is_some(),
    };
    if as_said {
        let why = says.map_or("", |(_, why)| why);
        // The same in every run.
        let verdict = match said {
            Some(Said::Sometimes) => Verdict::Broken(report::SOMETIMES.to_owned()),
            _ => verdict,
        };
        let line = report::line(subject, clause, &verdict, why);
        return Ok(line.map(|line| {
            if promise.is_in_the_matrix {
                line
            } else {
                String::new()
            }
        }));
    }
    if said.is_none() {
        let seen = match &verdict {
            // Whatever it was trying.
            Verdict::Hung(_) => "it hangs".to_owned(),
            Verdict::Circles(_) => "it used three seconds of processor time".to_owned(),
            other => other.to_string(),
        };
        let why = clause.choice.map_or_else(|| seen.clone(), str::to_owned);
        lock(broken).push(Broken {
            subject,
            clause,
            seen,
            why,
        });
    }
    let said = said.map_or("kept", |_| "not yet");
    Err(format!("  said: {said}\n{}", explained(clause, &verdict)))
}
