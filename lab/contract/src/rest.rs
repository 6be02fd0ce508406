//! Whether anything still goes on in this process. A test hangs when nothing does; a clock alone would blame a busy machine.

use std::{
    ffi::OsString,
    fs, process,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use crate::lock::lock;

/// Begins a line that says what was found wrong, or what is being tried.
pub(crate) const SAYS: &str = "contract: ";

/// Between two looks at the threads.
const LOOK: Duration = Duration::from_millis(50);
/// After so many looks at which no thread ran or wanted to run, nothing more will come.
const AT_REST: u32 = 20;
/// Far more than any test computes: what comes to this goes round in circles.
const CPU_TIME: Duration = Duration::from_secs(5);
/// For what neither rests nor computes, and, where nothing says cheaply what threads do, for all.
const AT_MOST: Duration = Duration::from_secs(if cfg!(target_os = "linux") { 60 } else { 20 });

// Why a test was ended, as the status of its process.
pub(crate) const RESTS: i32 = 42;
pub(crate) const CIRCLES: i32 = 43;
pub(crate) const SLOW: i32 = 44;

/// When this process began to test a clause.
static START: OnceLock<Instant> = OnceLock::new();
/// At how many looks in a row there was rest.
static RESTED: AtomicU32 = AtomicU32::new(0);
/// The threads that do nothing but look, by their names in `/proc`.
static LOOKING: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Ends this process when its test will not end by itself.
pub(crate) fn watch() {
    START.get_or_init(Instant::now);
    thread::spawn(|| {
        let _looking = Looking::here();
        loop {
            thread::sleep(LOOK);
            match others_rest() {
                Some(true) => _ = RESTED.fetch_add(1, SeqCst),
                _ => RESTED.store(0, SeqCst),
            }
            let passed = START.get().is_some_and(|start| start.elapsed() > AT_MOST);
            match () {
                () if RESTED.load(SeqCst) > AT_REST => end(RESTS),
                () if probe::cpu_time() > CPU_TIME => end(CIRCLES),
                () if passed => end(SLOW),
                () => {}
            }
        }
    });
}

/// Whether no thread runs or wants to, but for those that only look. `None` where nothing says that: everywhere but on Linux.
fn others_rest() -> Option<bool> {
    let mut threads = fs::read_dir("/proc/self/task").ok()?.flatten();
    let looking = lock(&LOOKING);
    Some(!threads.any(|thread| {
        let stat = fs::read_to_string(thread.path().join("stat"));
        // Such as `17 (name) S 1 …`. A thread that has just ended has none.
        let state = stat.as_ref().ok().and_then(|stat| stat.rsplit_once(") "));
        let is_busy = state.is_some_and(|(_, state)| state.starts_with(['R', 'D']));
        is_busy && !looking.contains(&thread.file_name())
    }))
}

/// A thread that only looks whether something has happened, so that it does not count as one that does something.
pub(crate) struct Looking(Option<OsString>);

impl Looking {
    pub(crate) fn here() -> Looking {
        let link = fs::read_link("/proc/thread-self").ok();
        let name = link.and_then(|link| Some(link.file_name()?.to_owned()));
        lock(&LOOKING).extend(name.clone());
        Looking(name)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut looking = lock(&LOOKING);
        let place = looking.iter().position(|it| Some(it) == self.0.as_ref());
        place.map(|place| looking.swap_remove(place));
    }
}

/// Until when a test waits for something that is not announced: nothing else goes on, or half of the time that is left to it has
/// passed. So what does not come is a failure with a message, and not a hang.
pub(crate) struct Patience(Instant);

impl Patience {
    pub(crate) fn begin() -> Patience {
        RESTED.store(0, SeqCst); // because this thread has just run
        let passed = START.get().map_or(Duration::ZERO, Instant::elapsed);
        Patience(Instant::now() + AT_MOST.saturating_sub(passed) / 2)
    }

    pub(crate) fn is_over(&self) -> bool {
        RESTED.load(SeqCst) > AT_REST / 2 || Instant::now() > self.0
    }
}

/// Says what a test is trying now. If it hangs, that is part of the verdict.
pub(crate) fn says(what: &str) {
    what.clone_into(&mut lock(&TRYING));
    eprintln!("{SAYS}{}", what.replace('\n', " "));
}

/// What was tried last, and what has happened to the futures of the test, in all.
static TRYING: Mutex<String> = Mutex::new(String::new());
static POLLS: AtomicU32 = AtomicU32::new(0);
static WAKES_SINCE: AtomicU32 = AtomicU32::new(0);

/// Counts a poll of a future of the test.
pub(crate) fn polled() {
    POLLS.fetch_add(1, SeqCst);
    WAKES_SINCE.store(0, SeqCst);
}

/// Counts a wake by the test or by what it tests.
pub(crate) fn woken() {
    WAKES_SINCE.fetch_add(1, SeqCst);
}

/// Ends a process whose test will not end.
fn end(status: i32) -> ! {
    let (polls, wakes) = (POLLS.load(SeqCst), WAKES_SINCE.load(SeqCst));
    let trying = lock(&TRYING).clone();
    let since = match wakes {
        0 => String::new(), // or those of a channel, which nobody counts
        _ => format!(", and {} since then", count(wakes, "wake")),
    };
    let so = if trying.is_empty() {
        "after"
    } else {
        ", after"
    };
    says(&format!("{trying}{so} {}{since}", count(polls, "poll")));
    process::exit(status)
}

fn count(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
