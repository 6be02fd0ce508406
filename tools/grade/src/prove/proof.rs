//! The claims of the catalogue, each seen in a run.

use std::{collections::BTreeMap, io, path::PathBuf, process::Command, time::Duration};

use kit::{
    markdown, pool,
    process::{self, End, Limits},
};

use super::{
    screen::lines_with,
    variant::{Above, Variant, variants},
};
use crate::{
    Error, Exercise, Set, Wrong,
    package::{Build, BuildFolder, Package, Program},
    reason,
};

/// Whatever is red must be red by then.
const LIMIT: Duration = Duration::from_secs(5);
const FIX_WRONG: &str = "fix the wrong answer, or the tests, or its `sees`";

/// What was seen in the runs.
#[derive(Debug, Default)]
pub struct Proof {
    /// What is not as the catalogue says.
    pub findings: Vec<String>,
    /// Where the programs are, as they were put together.
    pub(crate) folder: PathBuf,
    rows: Vec<[String; 4]>,
    screens: BTreeMap<(String, String), String>,
}

/// What became of a program: how it ended, if it was compiled, and what a learner saw.
#[derive(Debug)]
struct Seen {
    end: Option<End>,
    screen: String,
    time: Duration,
}

impl Seen {
    fn passed(&self) -> bool {
        self.end.is_some_and(|end| end.is_success())
    }

    /// Why it failed.
    fn why(&self) -> String {
        let first = self.screen.lines().find(|line| !line.trim().is_empty());
        reason::of(&self.screen, first.unwrap_or("it failed without a word"))
    }
}

fn run(package: &Package, variant: &Variant<'_>, built: Option<&Build>) -> io::Result<Seen> {
    let program = match built {
        Some(Build::Executable(program)) => program,
        Some(Build::Failed { screen, .. }) => return Ok(not_compiled(variant.as_learner(screen))),
        None => return Ok(not_compiled("the compiler broke off".into())),
    };
    let mut command = Command::new(program);
    command
        .current_dir(&package.root)
        .env("RUST_BACKTRACE", "0");
    let outcome = process::run(&mut command, Limits::time(LIMIT))?;
    Ok(Seen {
        end: Some(outcome.end),
        screen: variant.as_learner(&format!("{}\n{}", outcome.stdout, outcome.stderr)),
        time: outcome.time,
    })
}

fn not_compiled(screen: String) -> Seen {
    Seen {
        end: None,
        screen,
        time: Duration::ZERO,
    }
}

impl Proof {
    /// Builds and runs every program of these exercises.
    ///
    /// # Errors
    ///
    /// If they cannot be built or run at all.
    pub fn of(set: &Set, exercises: &[&Exercise], folder: &BuildFolder) -> Result<Proof, Error> {
        let all = exercises
            .iter()
            .flat_map(|exercise| variants(set, exercise));
        let all: Vec<_> = all.collect();
        let mut proof = Proof::default();
        if all.is_empty() {
            return Ok(proof);
        }
        let programs: Vec<Program> = all.iter().map(|variant| variant.program.clone()).collect();
        let package = folder.package("proved", set, &programs)?;
        proof.folder.clone_from(&package.root);
        let built = package.build()?;
        // Most of them wait most of the time.
        let seen = pool::each(2 * pool::cores(), &all, |variant| {
            run(&package, variant, built.get(&variant.program.name))
        });
        let seen: Vec<_> = seen.into_iter().collect::<io::Result<_>>()?;
        for exercise in exercises {
            let (mut starter, mut solution, mut caught) = (None, None, 0);
            for (variant, seen) in all.iter().zip(&seen) {
                if variant.exercise.name != exercise.name {
                    continue;
                }
                if let Some(finding) = proof.judge(variant, seen) {
                    proof.findings.push(finding);
                } else if !variant.held_out {
                    match variant.above {
                        Above::Starter => starter = Some(seen.time),
                        Above::Solution => solution = Some(seen.time),
                        Above::Wrong(_) => caught += 1,
                    }
                }
            }
            let seconds = |time: Option<Duration>| match time {
                Some(time) => format!("{:.1}", time.as_secs_f64()),
                None => "not as promised".into(),
            };
            let caught = format!("{caught} of {}", exercise.wrong.len());
            let [starter, solution] = [starter, solution].map(seconds);
            let row = [exercise.name.clone(), starter, solution, caught];
            proof.rows.push(row);
        }
        Ok(proof)
    }

    /// The table: what failed and passed, and how fast.
    pub fn table(&self) -> String {
        let head = [
            "exercise",
            "starter fails in (s)",
            "solution passes in (s)",
            "wrong answers caught",
        ];
        markdown::aligned(&head, &self.rows)
    }

    /// What the screen shows to a learner who gave this wrong answer.
    pub(crate) fn screen(&self, exercise: &Exercise, wrong: &Wrong) -> String {
        let key = (exercise.name.clone(), wrong.slip.clone());
        self.screens.get(&key).cloned().unwrap_or_default()
    }

    fn judge(&mut self, variant: &Variant<'_>, seen: &Seen) -> Option<String> {
        let stopped = match seen.end {
            Some(End::TimedOut) => format!("it had not ended after {LIMIT:?}"),
            Some(End::Flooded) => "it printed more than 1 MiB".to_owned(),
            Some(End::Exited(_)) | None => return self.judge_ended(variant, seen),
        };
        let fix = "run what can hang under `probe::within`, with its futures watched";
        Some(variant.finding(&stopped, fix))
    }

    fn judge_ended(&mut self, variant: &Variant<'_>, seen: &Seen) -> Option<String> {
        let not_shown = |text| {
            let why = seen.why();
            format!("the screen does not show `{text}`, but: {why}")
        };
        let (what, fix) = match (variant.above, variant.held_out) {
            (Above::Solution, _) if !seen.passed() => {
                let what = format!("it does not pass: {}", seen.why());
                (what, "fix it, or the tests")
            }
            (Above::Solution, _) if !has_run(&seen.screen) => {
                ("no test has run".into(), "fix it, or the tests")
            }
            (Above::Solution, _) => return None,
            (Above::Starter, _) if seen.passed() => {
                let fix = "leave more out of it, or test what is asked";
                ("it passes".into(), fix)
            }
            (Above::Wrong(_), true) if seen.passed() => {
                ("it passes".into(), "test there what the visible tests test")
            }
            (Above::Wrong(_), false) if seen.passed() => ("it passes".into(), FIX_WRONG),
            (Above::Starter | Above::Wrong(_), true) => return None,
            (Above::Starter, false) => {
                let red = &variant.exercise.red;
                if lines_with(&seen.screen, red).is_some() {
                    return None;
                }
                (not_shown(red), "fix the starter, or `red` in the catalogue")
            }
            (Above::Wrong(wrong), false) => {
                let Some(lines) = lines_with(&seen.screen, &wrong.sees) else {
                    return Some(variant.finding(&not_shown(&wrong.sees), FIX_WRONG));
                };
                let key = (variant.exercise.name.clone(), wrong.slip.clone());
                self.screens.insert(key, lines);
                return None;
            }
        };
        Some(variant.finding(&what, fix))
    }
}

fn has_run(screen: &str) -> bool {
    screen.contains("test result: ok.") && !screen.contains("test result: ok. 0 passed")
}
