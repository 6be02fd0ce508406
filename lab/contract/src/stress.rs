//! The clauses again and again, with chance in the places where two threads may meet, until a time is over.
//!
//! What one run of a clause finds by luck, a thousand may find. Chance comes from a seed, which is printed with a failure: the same
//! seed tries the same clause with the same delays, though not in the same order of threads.

use std::{
    env,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use crate::{
    Clause,
    jitter::{SEED, mixed},
    lock::lock,
    promise::Promise,
};

/// What the command line asks for: `--stress SECONDS`, with `--seed N` if it is to be the same as another, and the names of clauses
/// or parts of them.
pub(crate) struct Stress {
    time: Duration,
    seed: u64,
    filters: Vec<String>,
    skipped: Vec<String>,
}

/// `None` if it does not ask for this.
pub(crate) fn asked() -> Option<Result<Stress, String>> {
    let mut arguments: Vec<_> = env::args().skip(1).collect();
    let mut take = |option: &str| {
        let place = arguments.iter().position(|argument| argument == option)?;
        let mut pair = arguments.drain(place..arguments.len().min(place + 2));
        Some(pair.nth(1).and_then(|value| value.parse::<u64>().ok()))
    };
    let (seconds, seed) = (take("--stress")?, take("--seed"));
    let (mut filters, mut skipped) = (Vec::new(), Vec::new());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.strip_prefix("--skip") {
            Some("") => skipped.extend(rest.next()),
            Some(name) if name.starts_with('=') => skipped.push(name[1..].to_owned()),
            _ => filters.push(argument),
        }
    }
    let now = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    };
    let seed = seed.unwrap_or_else(|| Some(now().as_secs()));
    let stress = seconds.zip(seed).map(|(seconds, seed)| Stress {
        time: Duration::from_secs(seconds),
        seed,
        filters,
        skipped,
    });
    Some(stress.ok_or_else(|| "it takes --stress SECONDS, and --seed NUMBER".to_owned()))
}

/// Tries what these promise to keep.
pub(crate) fn run(promises: &[Promise], stress: &Stress, at_once: usize) -> ExitCode {
    let cells: Vec<(&Promise, &Clause, String)> = promises.iter().flat_map(Promise::kept).collect();
    let is_in = |names: &[String], of: &str| names.iter().any(|name| of.contains(name.as_str()));
    let mut cells = cells;
    cells.retain(|(.., name)| {
        let is_wanted = stress.filters.is_empty() || is_in(&stress.filters, name);
        is_wanted && !is_in(&stress.skipped, name)
    });
    if cells.is_empty() {
        eprintln!("nothing to try: no clause of such a name is promised");
        return ExitCode::from(2);
    }
    let (start, next, failed) = (
        Instant::now(),
        AtomicU64::new(stress.seed),
        Mutex::new(None),
    );
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, SeqCst);
                    let (promise, clause, name) =
                        &cells[(mixed(seed) % cells.len() as u64) as usize];
                    let failure = promise.test(clause, &[(SEED, &seed.to_string())]);
                    if let Some(seen) = failure {
                        lock(&failed).get_or_insert((seed, name, seen));
                    }
                    if start.elapsed() >= stress.time || lock(&failed).is_some() {
                        return;
                    }
                }
            });
        }
    });
    let tried = next.into_inner() - stress.seed;
    let Some((seed, name, seen)) = lock(&failed).take() else {
        println!(
            "{tried} times a clause was tried, from seed {}: each was kept",
            stress.seed
        );
        return ExitCode::SUCCESS;
    };
    eprintln!(
        "{name} ... FAILED after {tried} tries\n{seen}\nTry that again with `--stress 60 --seed {seed} {name}`"
    );
    ExitCode::from(101)
}
