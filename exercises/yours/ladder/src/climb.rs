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

use crate::{
    job::Job,
    result::{Broken, Climb, NotKept, NotMine, Tried},
    rungs::{RUNGS, Rung},
};

pub(crate) fn jobs(rung: &'static Rung) -> Vec<Job> {
    let clauses = rung.clauses.iter().flat_map(|(subject, names)| {
        // In the contract's order, because the first ones are the causes of others.
        let clauses = all().filter(|clause| names.contains(&clause.name));
        clauses.map(|clause| Job::Clause(subject, clause))
    });
    clauses.chain(rung.checks.iter().map(Job::Check)).collect()
}

/// The reason that the learner gives for not keeping this.
fn reason(name: &str) -> Option<&'static str> {
    let mut all = yours::NOT_MINE.iter();
    let (_, reason) = all.find(|(listed, _)| *listed == name)?;
    Some(reason)
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
    let mut rungs_tried = Vec::new();
    let mut passed = 0;
    for (number, rung) in rungs.iter().enumerate() {
        let of_rung = jobs.iter().zip(&seen).filter(|((it, _), _)| *it == number);
        let came: Vec<_> = of_rung.map(|((_, job), result)| (job, result)).collect();
        let mut result = tried(number + 1, rung.title, &came);
        let place = |it: &Broken| rung.first.iter().position(|first| *first == it.name);
        result
            .broken
            .sort_by_key(|it| place(it).unwrap_or(usize::MAX));
        let is_passed = result.broken.is_empty();
        rungs_tried.push(result);
        if !is_passed {
            break;
        }
        passed += 1;
    }
    let asks = |name: &str| {
        let mut rungs = RUNGS.iter().flat_map(self::jobs);
        rungs.any(|job| job.name() == name)
    };
    let listed = yours::NOT_MINE.iter().map(|(name, _)| (*name).to_owned());
    Climb {
        passed,
        reached: yours::REACHED,
        rungs: rungs_tried,
        of: RUNGS.len(),
        unknown: listed.filter(|name| !asks(name)).collect(),
    }
}

/// Of a job: `None` if it was not tried, because an earlier rung is broken.
type Seen = Option<Result<(), NotKept>>;

fn tried(number: usize, title: &str, came: &[(&Job, &Seen)]) -> Tried {
    let (mut broken, mut not_mine) = (Vec::new(), Vec::new());
    for (job, result) in came {
        let name = job.name();
        match (reason(name), result) {
            (Some(reason), result) => not_mine.push(NotMine {
                name: name.to_owned(),
                reason: reason.to_owned(),
                kept: matches!(result, Some(Ok(()))),
            }),
            (None, Some(Err(not_kept))) => broken.push(Broken {
                name: name.to_owned(),
                not_kept: not_kept.clone(),
            }),
            (None, _) => {}
        }
    }
    let asked = came.len() - not_mine.len();
    if not_mine.len() * 4 > came.len() {
        let what = format!(
            "your file lists {} of the {} things that this rung asks. A rung takes a quarter at most.",
            not_mine.len(),
            came.len()
        );
        broken.push(Broken {
            name: "NOT_MINE".to_owned(),
            not_kept: NotKept {
                seen: what.clone(),
                what,
                is_todo: false,
            },
        });
    }
    Tried {
        number,
        title: title.to_owned(),
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
