//! The climb: everything that the rungs ask, several things at a time, in the order of the rungs.

use std::{
    num::NonZero,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use contract::all;
use serde::Serialize;

use crate::{
    job::Job,
    rungs::{RUNGS, Rung},
};

/// What came of a climb.
#[derive(Debug, Serialize)]
pub(crate) struct Climb {
    /// How many rungs are passed, from the first on.
    pub(crate) passed: usize,
    /// How many the learner's file promises.
    pub(crate) reached: usize,
    /// The rungs that were tried: those that are passed, and the next one.
    pub(crate) rungs: Vec<Tried>,
    /// How many rungs there are, without the race.
    pub(crate) of: usize,
    /// What `NOT_MINE` names and no rung asks.
    pub(crate) unknown: Vec<&'static str>,
}

/// What came of a rung.
#[derive(Debug, Serialize)]
pub(crate) struct Tried {
    pub(crate) number: usize,
    pub(crate) title: &'static str,
    /// How many things it asks, but for those that are listed in `NOT_MINE`.
    pub(crate) asked: usize,
    pub(crate) broken: Vec<Broken>,
    pub(crate) not_mine: Vec<NotMine>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Broken {
    pub(crate) name: &'static str,
    /// For a reader, in a few lines.
    pub(crate) what: String,
}

/// What the learner's design keeps differently.
#[derive(Debug, Serialize)]
pub(crate) struct NotMine {
    pub(crate) name: &'static str,
    pub(crate) reason: &'static str,
    /// Whether it was kept all the same, so that it need not be listed.
    pub(crate) kept: bool,
}

impl Climb {
    pub(crate) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it has nothing that JSON lacks")
    }
}

pub(crate) fn jobs(rung: &'static Rung) -> Vec<Job> {
    let clauses = rung.clauses.iter().flat_map(|(subject, names)| {
        // In the contract's order, because the first ones are the causes of others.
        let clauses = all().filter(|clause| names.contains(&clause.name));
        clauses.map(|clause| Job::Clause(subject, clause))
    });
    clauses.chain(rung.checks.iter().map(Job::Check)).collect()
}

fn reason(name: &str) -> Option<(&'static str, &'static str)> {
    yours::NOT_MINE
        .iter()
        .copied()
        .find(|(listed, _)| *listed == name)
}

/// Tries the rungs from the first on, up to this many, until one is not passed.
pub(crate) fn climb(most: usize) -> Climb {
    let rungs = &RUNGS[..most];
    let jobs: Vec<(usize, Job)> = rungs
        .iter()
        .enumerate()
        .flat_map(|(rung, asks)| jobs(asks).into_iter().map(move |job| (rung, job)))
        .collect();
    let seen = try_all(&jobs);
    let mut tried = Vec::new();
    let mut passed = 0;
    for (number, rung) in rungs.iter().enumerate() {
        let of_rung = jobs.iter().zip(&seen).filter(|((it, _), _)| *it == number);
        let came: Vec<_> = of_rung.map(|((_, job), result)| (job, result)).collect();
        let mut result = tried_rung(number + 1, rung.title, &came);
        let place = |it: &Broken| rung.first.iter().position(|first| *first == it.name);
        result
            .broken
            .sort_by_key(|it| place(it).unwrap_or(usize::MAX));
        let is_passed = result.broken.is_empty();
        tried.push(result);
        if !is_passed {
            break;
        }
        passed += 1;
    }
    let asks = |name: &str| {
        let mut rungs = RUNGS.iter().flat_map(self::jobs);
        rungs.any(|job| job.name() == name)
    };
    let listed = yours::NOT_MINE.iter().map(|(name, _)| *name);
    Climb {
        passed,
        reached: yours::REACHED,
        rungs: tried,
        of: RUNGS.len(),
        unknown: listed.filter(|name| !asks(name)).collect(),
    }
}

/// Of a job: `None` if it was not tried, because an earlier rung is broken.
type Seen = Option<Result<(), String>>;

fn tried_rung(number: usize, title: &'static str, came: &[(&Job, &Seen)]) -> Tried {
    let (mut broken, mut not_mine) = (Vec::new(), Vec::new());
    for (job, result) in came {
        let name = job.name();
        match (reason(name), result) {
            (Some((name, reason)), result) => not_mine.push(NotMine {
                name,
                reason,
                kept: matches!(result, Some(Ok(()))),
            }),
            (None, Some(Err(what))) => broken.push(Broken {
                name,
                what: what.clone(),
            }),
            (None, _) => {}
        }
    }
    let asked = came.len() - not_mine.len();
    if not_mine.len() * 4 > came.len() {
        broken.push(Broken {
            name: "NOT_MINE",
            what: format!(
                "your file lists {} of the {} things that this rung asks. A rung takes a quarter at most.",
                not_mine.len(),
                came.len()
            ),
        });
    }
    Tried {
        number,
        title,
        asked,
        broken,
        not_mine,
    }
}

/// Tries the jobs, which are in the order of their rungs. None of a later rung is begun once one is broken.
fn try_all(jobs: &[(usize, Job)]) -> Vec<Seen> {
    let seen = Mutex::new((0..jobs.len()).map(|_| None).collect::<Vec<Seen>>());
    let (next, broken_rung) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let run = |place: usize| {
        let (rung, job) = &jobs[place];
        if *rung > broken_rung.load(SeqCst) {
            return;
        }
        let result = job.run();
        if result.is_err() && reason(job.name()).is_none() {
            broken_rung.fetch_min(*rung, SeqCst);
        }
        seen.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(result);
    };
    // Most of a job's time is spent asleep.
    let at_once = 6 * thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, SeqCst);
                    match jobs.get(place) {
                        Some((_, job)) if !job.is_alone() => run(place),
                        Some(_) => {}
                        None => return,
                    }
                }
            });
        }
    });
    let alone = jobs
        .iter()
        .enumerate()
        .filter(|(_, (_, job))| job.is_alone());
    alone.for_each(|(place, _)| run(place));
    seen.into_inner().unwrap_or_else(PoisonError::into_inner)
}
