//! Ends a check in which nothing goes on any more, and says at which moment it came to that.
//!
//! Threads that all sleep, and none of which has run for a while, will not go on by themselves: so what was to happen will not happen.
//! That is certain on Linux, where the system says what each thread does. Elsewhere some time has to pass.

use std::{
    panic, process,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use probe::ThreadStatus;
use steps::plan;

/// Between two looks at all threads.
const LOOK: Duration = Duration::from_millis(8);
/// So many looks one after the other have to find the same.
const LOOKS: usize = 5;
/// Where the system doesn't say what threads do.
const LONG: Duration = Duration::from_secs(2);

/// What it means if nothing goes on.
static MEANS: Mutex<Option<String>> = Mutex::new(None);
/// The threads that only look.
static LOOKING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn own<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, if nothing goes on any more, `means` says what that means. The first call starts the referee.
pub(crate) fn stands_by(means: &str) {
    if own(&MEANS).replace(means.to_owned()).is_none() {
        thread::spawn(|| plan::outsider(referees));
    }
}

fn referees() {
    let _looking = Looking::start();
    let mut rest = Rest::default();
    loop {
        thread::sleep(LOOK);
        // Another thread waits for the threads to come to rest, and then goes on.
        if own(&LOOKING).len() > 1 {
            rest = Rest::default();
        } else if rest.is_there() {
            fail(own(&MEANS).as_deref().unwrap_or_default());
        }
    }
}

/// Ends the check with the moment at which the plan was carried out, and what that led to.
pub(crate) fn fail(means: &str) -> ! {
    match plan::moment() {
        Some(moment) => eprintln!("{means}\nwhen  {moment}"),
        None => eprintln!(
            "Your thread sleeps, and not in `crate::sync` or `crate::given`. So this check can't see the moment before its sleep, at which \
             wakes get lost. Take locks, condition variables, `park`, channels and the poller from there."
        ),
    }
    process::exit(1)
}

/// A panic of a check on any thread ends it. A panic on purpose is made with `resume_unwind`, which is silent.
pub(crate) fn whistle_on_panic() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| {
            let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
            format!("{file}:{}", at.line())
        });
        let message = contract::message(panic.payload());
        match place {
            Some(place) if place.starts_with("runtime.rs") => eprintln!("{message}\nat    {place}"),
            _ => eprintln!("{message}"),
        }
    }));
}

/// Waits until `holds` does, or nothing goes on any more. Whether it does hold.
pub(crate) fn until(holds: impl Fn() -> bool) -> bool {
    let _looking = Looking::start();
    let mut rest = Rest::default();
    let mut looked = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            if rest.is_there() {
                return holds();
            }
        }
        thread::sleep(LOOK / 16);
    }
}

/// Waits until nothing goes on any more.
pub(crate) fn until_rest() {
    until(|| false);
}

/// This thread only looks, so what it does doesn't count.
struct Looking(Option<u32>);

impl Looking {
    fn start() -> Looking {
        let id = probe::thread_status().map(|status| status.id);
        own(&LOOKING).extend(id);
        Looking(id)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut looking = own(&LOOKING);
        let place = looking.iter().position(|id| Some(*id) == self.0);
        place.map(|place| looking.swap_remove(place));
    }
}

/// What the threads did at the latest looks.
struct Rest {
    start: Instant,
    same: usize,
    /// What each thread did, and how often it has given up its processor.
    seen: Vec<ThreadStatus>,
}

impl Default for Rest {
    fn default() -> Rest {
        Rest {
            start: Instant::now(),
            same: 0,
            seen: Vec::new(),
        }
    }
}

impl Rest {
    /// Looks once more.
    fn is_there(&mut self) -> bool {
        let Some(seen) = threads() else {
            return self.start.elapsed() > LONG;
        };
        let is_same = seen == self.seen && seen.iter().all(|thread| thread.state == 'S');
        self.same = if is_same { self.same + 1 } else { 0 };
        self.seen = seen;
        self.same >= LOOKS
    }
}

/// The threads that do more than look, in the order of their numbers. `None` where nothing says what they do.
fn threads() -> Option<Vec<ThreadStatus>> {
    let looking = own(&LOOKING).clone();
    let mut threads = probe::thread_statuses()?;
    threads.retain(|thread| !looking.contains(&thread.id));
    threads.sort_by_key(|thread| thread.id);
    Some(threads)
}
