//! Ends a check in which nothing goes on any more, and says at which moment it came to that.
//!
//! Threads that all sleep, and none of which has run for a while, will not go on by themselves: so what was to happen will not happen.
//! That is certain on Linux, where the system says what each thread does. Elsewhere some time has to pass.

use std::{
    ops::Deref,
    panic, process,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use probe::ThreadStatus;
use steps::plan;
use yours::Runtime;

/// Between two looks at all threads.
const LOOK: Duration = Duration::from_millis(8);
/// So many looks one after the other have to find the same.
const LOOKS: usize = 5;
/// After so many looks without rest, there won't be any. What works needs a few dozen, on a busy machine too.
const RESTLESS: usize = 200;
/// Where the system doesn't say what threads do.
const LONG: Duration = Duration::from_secs(2);

const LOOK_AT_DROP: &str = "look  `Drop for Runtime`: which worker does it wait for, and has that one looked at `closed` after its last release of the lock?";
const RESTS_NEVER: &str = "Your thread never sleeps for good: it wakes up by itself again and again, though no code has called a waker.";
const LOOK_FOR_LIMITS: &str = "look  is there a `wait_timeout`, `park_timeout` or `yield_now` where a wait without a limit would do?";

/// Of a check that the watchdog has ended, and about which it knows nothing.
pub(crate) const NOT_OVER: &str = "This check didn't come to its end. Either a thread of yours sleeps, and nothing ends that sleep, or it \
    wakes up by itself again and again.\n\
    look  what ends each wait, and is there a `wait_timeout`, `park_timeout` or `yield_now` where a wait without a limit would do?";

/// What it means if nothing goes on.
static MEANS: Mutex<Option<String>> = Mutex::new(None);
/// What has been done in a check that drops its runtime now.
static DROPS: Mutex<Option<&str>> = Mutex::new(None);
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

/// A runtime of a check. If nothing goes on any more while it is dropped, the referee says that, rather than what the check is about.
pub(crate) struct Refereed {
    runtime: Option<Runtime>,
    /// What has been done when it is dropped.
    done: &'static str,
}

impl Refereed {
    pub(crate) fn new(workers: usize, done: &'static str) -> Refereed {
        Refereed {
            runtime: Some(Runtime::new(workers)),
            done,
        }
    }
}

impl Deref for Refereed {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        self.runtime
            .as_ref()
            .expect("it is taken when it is dropped")
    }
}

impl Drop for Refereed {
    fn drop(&mut self) {
        *own(&DROPS) = Some(self.done);
        drop(self.runtime.take());
        *own(&DROPS) = None;
    }
}

/// Ends the check with the moment at which the plan was carried out, and what that led to.
pub(crate) fn fail(means: &str) -> ! {
    if let Some(done) = *own(&DROPS) {
        eprintln!("{done}, and then dropping the `Runtime` didn't end.\n{LOOK_AT_DROP}");
        process::exit(1)
    }
    match plan::moment() {
        Some(moment) => eprintln!("{means}\nwhen  {moment}"),
        None => eprintln!(
            "Your thread sleeps, and not in `crate::sync` or `crate::given`. So this check can't see the moment before its sleep, at which \
             wakes get lost. Take locks, condition variables, `park`, channels and the poller from there."
        ),
    }
    process::exit(1)
}

/// Ends a check in which the threads don't come to rest.
fn fail_restless() -> ! {
    eprintln!("{RESTS_NEVER}\n{LOOK_FOR_LIMITS}");
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
            if rest.looks >= RESTLESS {
                fail_restless();
            }
        }
        thread::sleep(LOOK / 16);
    }
}

/// Ends the check with what it has seen, without the drop of a runtime that may wait for a thread which hangs.
pub(crate) fn stop(means: &str) -> ! {
    eprintln!("{means}");
    process::exit(1)
}

/// Waits until nothing goes on any more.
pub(crate) fn until_rest() {
    until(|| false);
}

/// This thread only looks, so what it does doesn't count.
pub(crate) struct Looking(Option<u32>);

impl Looking {
    pub(crate) fn start() -> Looking {
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
pub(crate) struct Rest {
    start: Instant,
    looks: usize,
    same: usize,
    /// What each thread did, and how often it has given up its processor.
    seen: Vec<ThreadStatus>,
}

impl Default for Rest {
    fn default() -> Rest {
        Rest {
            start: Instant::now(),
            looks: 0,
            same: 0,
            seen: Vec::new(),
        }
    }
}

impl Rest {
    /// Looks once more.
    pub(crate) fn is_there(&mut self) -> bool {
        let Some(seen) = threads() else {
            return self.start.elapsed() > LONG;
        };
        self.looks += 1;
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
