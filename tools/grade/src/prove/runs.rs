//! The claims of the catalogue, each seen in a run.

use std::{collections::BTreeMap, process::Command, sync::Mutex, thread, time::Duration};

use super::{
    Finding,
    screen::lines_with,
    variant::{Case, Variant, cases},
};
use crate::{
    Exercise, Set, Trouble,
    child::{self, End},
    reason,
    scratch::{Built, Entered, Package, Program},
    table::aligned,
};

/// Whatever is red must be red by then.
const LIMIT: Duration = Duration::from_secs(5);
const MEND_WRONG: &str = "mend the wrong answer, or the tests, or its `sees`";

/// What was seen in the runs.
#[derive(Debug, Default)]
pub struct Proof {
    /// What is not as the catalogue says.
    pub findings: Vec<Finding>,
    rows: Vec<ProofRow>,
    screens: BTreeMap<(String, String), String>,
}

#[derive(Debug)]
struct ProofRow {
    exercise: String,
    starter: Option<Duration>,
    solution: Option<Duration>,
    caught: usize,
    wrong: usize,
}

/// What became of a program: how it ended, and what a learner saw.
#[derive(Debug)]
struct Seen {
    end: Ended,
    screen: String,
    time: Duration,
}

#[derive(Debug, PartialEq, Eq)]
enum Ended {
    NotCompiled,
    Passed,
    Failed,
    TooLate,
    Flooded,
}

/// Builds and runs every program of these exercises.
///
/// # Errors
///
/// If they cannot be built or run at all.
pub fn prove(set: &Set, exercises: &[&Exercise], place: &Entered<'_>) -> Result<Proof, Trouble> {
    let cases: Vec<_> = exercises
        .iter()
        .flat_map(|exercise| cases(set, exercise))
        .collect();
    if cases.is_empty() {
        return Ok(Proof::default());
    }
    let programs: Vec<Program> = cases.iter().map(|case| case.program.clone()).collect();
    let package = place.package("proved", set, &programs)?;
    let built = package.build()?;
    let seen = run_all(&package, &cases, &built)?;

    let mut proof = Proof::default();
    for exercise in exercises {
        proof.rows.push(ProofRow {
            exercise: exercise.name.clone(),
            starter: None,
            solution: None,
            caught: 0,
            wrong: exercise.wrong.len(),
        });
    }
    for (case, seen) in cases.iter().zip(seen) {
        let finding = judge(case, &seen, &mut proof.screens);
        let row = proof
            .rows
            .iter_mut()
            .find(|row| row.exercise == case.exercise.name);
        match (case.variant, row) {
            _ if finding.is_some() => {}
            (Variant::Starter, Some(row)) => row.starter = Some(seen.time),
            (Variant::Solution, Some(row)) => row.solution = Some(seen.time),
            (Variant::Wrong(_), Some(row)) => row.caught += 1,
            _ => {}
        }
        proof.findings.extend(finding);
    }
    Ok(proof)
}

impl Proof {
    /// The table: what failed and passed, and how fast.
    pub fn table(&self) -> String {
        let seconds = |time: Option<Duration>| {
            time.map_or("not as promised".into(), |time| {
                format!("{:.1}", time.as_secs_f64())
            })
        };
        let rows = self.rows.iter().map(|row| {
            vec![
                row.exercise.clone(),
                seconds(row.starter),
                seconds(row.solution),
                format!("{} of {}", row.caught, row.wrong),
            ]
        });
        let head = [
            "exercise",
            "starter fails in (s)",
            "solution passes in (s)",
            "wrong answers caught",
        ];
        aligned(&head, &rows.collect::<Vec<_>>())
    }

    /// What the screen shows to somebody who gave this wrong answer.
    pub(crate) fn screen(&self, exercise: &str, slip: &str) -> Option<&str> {
        let key = (exercise.to_owned(), slip.to_owned());
        self.screens.get(&key).map(String::as_str)
    }
}

/// Runs all programs, a few at a time: most of them wait.
fn run_all(
    package: &Package,
    cases: &[Case<'_>],
    built: &BTreeMap<String, Built>,
) -> Result<Vec<Seen>, Trouble> {
    let queue = Mutex::new(cases.iter().enumerate());
    let seen = Mutex::new(BTreeMap::new());
    let next = || queue.lock().expect("nobody panics with it").next();
    let work = || -> Result<(), Trouble> {
        while let Some((n, case)) = next() {
            let one = run(package, case, built.get(&case.program.name))?;
            seen.lock().expect("nobody panics with it").insert(n, one);
        }
        Ok(())
    };
    let cores = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..2 * cores).map(|_| scope.spawn(work)).collect();
        let mut ends = workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"));
        ends.find(Result::is_err).unwrap_or(Ok(()))
    })?;
    Ok(seen
        .into_inner()
        .expect("nobody panics with it")
        .into_values()
        .collect())
}

fn run(package: &Package, case: &Case<'_>, built: Option<&Built>) -> Result<Seen, Trouble> {
    let program = match built {
        Some(Built::Program(program)) => program,
        Some(Built::Failed { screen, .. }) => return Ok(not_compiled(case, screen)),
        None => return Ok(not_compiled(case, "the compiler broke off")),
    };
    let mut command = Command::new(program);
    command
        .current_dir(&package.root)
        .env("RUST_BACKTRACE", "0");
    let outcome = child::run(command, LIMIT)?;
    let end = match outcome.end {
        End::TimedOut => Ended::TooLate,
        End::Flooded => Ended::Flooded,
        End::Exited(status) if status.success() => Ended::Passed,
        End::Exited(_) => Ended::Failed,
    };
    let screen = format!("{}\n{}", outcome.stdout, outcome.stderr);
    Ok(Seen {
        end,
        screen: case.as_learner(&screen),
        time: outcome.time,
    })
}

fn not_compiled(case: &Case<'_>, screen: &str) -> Seen {
    Seen {
        end: Ended::NotCompiled,
        screen: case.as_learner(screen),
        time: Duration::ZERO,
    }
}

fn judge(
    case: &Case<'_>,
    seen: &Seen,
    screens: &mut BTreeMap<(String, String), String>,
) -> Option<Finding> {
    let Seen { end, screen, .. } = seen;
    if matches!(end, Ended::TooLate | Ended::Flooded) {
        let what = match end {
            Ended::TooLate => format!("it had not ended after {LIMIT:?}"),
            _ => "it printed more than 1 MiB".to_owned(),
        };
        let mend = "run what can hang under `probe::within`, with its futures watched";
        return Some(case.finding(what, mend));
    }
    let passed = *end == Ended::Passed;
    match case.variant {
        Variant::Solution | Variant::SolutionHeldOut => {
            let why = match end {
                _ if passed && has_run(screen) => return None,
                _ if passed => "no test has run".to_owned(),
                _ => reason::of(screen),
            };
            Some(case.finding(format!("it does not pass: {why}"), "mend it, or the tests"))
        }
        Variant::Starter | Variant::StarterHeldOut if passed => {
            Some(case.finding("it passes", "leave more out of it, or test what is asked"))
        }
        Variant::WrongHeldOut(_) if passed => {
            Some(case.finding("it passes", "test there what the visible tests test"))
        }
        Variant::StarterHeldOut | Variant::WrongHeldOut(_) => None,
        Variant::Starter => {
            let red = &case.exercise.red;
            let what = format!(
                "the screen does not show `{red}`, but: {}",
                reason::of(screen)
            );
            let mend = "mend the starter, or `red` in the catalogue";
            lines_with(screen, red)
                .is_none()
                .then(|| case.finding(what, mend))
        }
        Variant::Wrong(_) if passed => Some(case.finding("it passes", MEND_WRONG)),
        Variant::Wrong(n) => {
            let wrong = &case.exercise.wrong[n];
            let Some(lines) = lines_with(screen, &wrong.sees) else {
                let (sees, why) = (&wrong.sees, reason::of(screen));
                let what = format!("the screen does not show `{sees}`, but: {why}");
                return Some(case.finding(what, MEND_WRONG));
            };
            let key = (case.exercise.name.clone(), wrong.slip.clone());
            screens.insert(key, lines);
            None
        }
    }
}

fn has_run(screen: &str) -> bool {
    screen.contains("test result: ok.") && !screen.contains("test result: ok. 0 passed")
}
