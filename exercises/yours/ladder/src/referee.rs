//! Ends a check in which nothing goes on any more, and says at which moment it came to that.
//!
//! Threads that all sleep, and none of which has run for a while, will not go on by themselves: so what was to happen will not happen.
//! That is certain on Linux, where the system says what each thread does. Elsewhere some time has to pass.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, panic, process,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

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
static LOOKING: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

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
struct Looking(Option<OsString>);

impl Looking {
    fn start() -> Looking {
        let link = fs::read_link("/proc/thread-self").ok();
        let name = link.and_then(|link| Some(link.file_name()?.to_owned()));
        own(&LOOKING).extend(name.clone());
        Looking(name)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut looking = own(&LOOKING);
        let place = looking
            .iter()
            .position(|name| Some(name) == self.0.as_ref());
        place.map(|place| looking.swap_remove(place));
    }
}

/// What the threads did at the latest looks.
struct Rest {
    start: Instant,
    same: usize,
    /// How often each thread has given up its processor.
    seen: BTreeMap<OsString, String>,
}

impl Default for Rest {
    fn default() -> Rest {
        Rest {
            start: Instant::now(),
            same: 0,
            seen: BTreeMap::new(),
        }
    }
}

impl Rest {
    /// Looks once more.
    fn is_there(&mut self) -> bool {
        let Some(seen) = threads() else {
            return self.start.elapsed() > LONG;
        };
        let is_same = seen == self.seen && seen.values().all(|it| it.starts_with('S'));
        self.same = if is_same { self.same + 1 } else { 0 };
        self.seen = seen;
        self.same >= LOOKS
    }
}

/// What each thread does that is not only looking: its state, and how often it has given up its processor. `None` where nothing says.
fn threads() -> Option<BTreeMap<OsString, String>> {
    let looking = own(&LOOKING).clone();
    let mut threads = BTreeMap::new();
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        let name = thread.file_name();
        if looking.contains(&name) {
            continue;
        }
        // A thread that has just ended has none.
        let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        let of = |field: &str| {
            let mut lines = status.lines();
            let line = lines.find_map(|line| line.strip_prefix(field));
            line.map(str::trim).unwrap_or_default().to_owned()
        };
        let does = [
            of("State:"),
            of("voluntary_ctxt_switches:"),
            of("nonvoluntary_ctxt_switches:"),
        ];
        threads.insert(name, does.join(" "));
    }
    Some(threads)
}
