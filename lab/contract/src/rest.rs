//! Whether anything still goes on in this process. A test hangs when nothing does; a clock alone would blame a busy machine.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs, mem, process,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicU32, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{jitter::jitter, lock::lock};

/// Begins a line that says what was found wrong, or what is being tried.
pub(crate) const SAYS: &str = "contract: ";

/// Between two looks at the threads.
const LOOK: Duration = Duration::from_millis(100);
/// After so many looks at which no thread ran or wanted to run, nothing more will come.
const AT_REST: u32 = 20;
/// And after so many at which none ran or wanted to, though some may have run in between, such as one that looks at a queue every
/// 10 ms, and no future was polled either.
const CALM: u32 = 50;
/// Far more than any test computes: what comes to this goes round in circles.
const CPU_TIME: Duration = Duration::from_secs(3);
/// For what neither rests nor computes, and, where nothing says cheaply what threads do, for all.
const AT_MOST: Duration = Duration::from_secs(if cfg!(target_os = "linux") { 180 } else { 20 });

// Why a test was ended, as the status of its process.
pub(crate) const RESTS: i32 = 42;
pub(crate) const CIRCLES: i32 = 43;
pub(crate) const SLOW: i32 = 44;

/// In the environment: so many seconds at most, instead of `AT_MOST`.
pub(crate) const SECONDS: &str = "CONTRACT_SECONDS";

/// When this process began to test a clause, and how long that may take.
static START: OnceLock<(Instant, Duration)> = OnceLock::new();
/// At how many looks in a row there was rest.
static RESTED: AtomicU32 = AtomicU32::new(0);
/// At how many in a row none ran, since the last poll, or since something else was tried.
static CALMED: AtomicU32 = AtomicU32::new(0);
/// The CPU time of the thread that looks, in microseconds.
static LOOKED: AtomicU64 = AtomicU64::new(0);
/// The threads that do nothing but look, by their names in `/proc`.
static LOOKING: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Ends this process when its test will not end by itself.
pub(crate) fn watch() {
    let seconds = env::var(SECONDS).ok().and_then(|it| it.parse().ok());
    let at_most = seconds.map_or(AT_MOST, Duration::from_secs);
    // Where less time is given, a failure is expected, and a third of the time shows it as well.
    let share = if seconds.is_some() { 3 } else { 1 };
    let (start, at_most) = *START.get_or_init(|| (Instant::now(), at_most));
    thread::spawn(move || {
        let (_looking, mut seen) = (Looking::here(), Seen::new());
        loop {
            thread::sleep(LOOK / share);
            let others = others(&mut seen);
            match others {
                Others::Rest => _ = RESTED.fetch_add(1, SeqCst),
                _ => RESTED.store(0, SeqCst),
            }
            LOOKED.store(probe::thread_cpu_time().as_micros() as u64, SeqCst);
            match others {
                Others::Run => CALMED.store(0, SeqCst),
                _ => _ = CALMED.fetch_add(1, SeqCst),
            }
            if RESTED.load(SeqCst) > AT_REST || CALMED.load(SeqCst) > CALM / share {
                end(RESTS);
            } else if probe::cpu_time() > CPU_TIME / share {
                end(CIRCLES);
            } else if start.elapsed() > at_most {
                end(SLOW);
            }
        }
    });
}

/// The CPU time that this process has used so far, but for what it takes to look.
pub(crate) fn cpu_time() -> Duration {
    probe::cpu_time().saturating_sub(Duration::from_micros(LOOKED.load(SeqCst)))
}

/// What the threads do that are not only looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    /// One of them runs, or wants to. Or nothing says what they do: that is so everywhere but on Linux.
    Run,
    /// None runs, and some have since the last look.
    Have,
    /// None has since the last look.
    Rest,
}

/// A thread, as `/proc` has it.
pub(crate) struct Thread {
    pub(crate) name: OsString,
    is_looking: bool,
    pub(crate) wants_to_run: bool,
    /// How often it has gone to sleep so far.
    pub(crate) sleeps: u64,
}

/// How often each thread had gone to sleep at the latest look.
type Seen = BTreeMap<OsString, u64>;

/// What the others do now.
fn others(seen: &mut Seen) -> Others {
    threads().map_or(Others::Run, |threads| compared(threads.into_iter(), seen))
}

/// The threads that do not only look. Nobody knows them everywhere but on Linux.
pub(crate) fn threads_at_work() -> Option<Vec<Thread>> {
    let threads = threads()?.into_iter();
    Some(threads.filter(|thread| !thread.is_looking).collect())
}

/// All threads of this process, on Linux.
fn threads() -> Option<Vec<Thread>> {
    let looking = lock(&LOOKING);
    let threads = fs::read_dir("/proc/self/task").ok()?.flatten();
    let threads = threads.map(|thread| {
        // A thread that has just ended has none.
        let status = fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        let (mut wants_to_run, mut sleeps) = (false, 0);
        for line in status.lines() {
            match line.split_once(":\t") {
                Some(("State", state)) => wants_to_run = state.starts_with(['R', 'D']),
                Some(("voluntary_ctxt_switches", count)) => sleeps = count.parse().unwrap_or(0),
                _ => {}
            }
        }
        let name = thread.file_name();
        Thread {
            is_looking: looking.contains(&name),
            name,
            wants_to_run,
            sleeps,
        }
    });
    Some(threads.collect())
}

/// One that only looks sleeps between two looks. If it wants to run and has not slept since the latest look, it has not had a
/// processor for so long, or it does something, and what it waits for may have come.
fn compared(threads: impl Iterator<Item = Thread>, seen: &mut Seen) -> Others {
    let before = mem::take(seen);
    let (mut is_busy, mut is_same) = (false, true);
    for Thread {
        name,
        is_looking,
        wants_to_run,
        sleeps,
    } in threads
    {
        let has_not_slept = before.get(&name) == Some(&sleeps);
        is_busy |= wants_to_run && (!is_looking || has_not_slept);
        is_same &= is_looking || has_not_slept;
        seen.insert(name, sleeps);
    }
    if is_busy {
        Others::Run
    } else if is_same && before.keys().all(|it| seen.contains_key(it)) {
        Others::Rest
    } else {
        Others::Have
    }
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
        let left = |(start, at_most): &(Instant, Duration)| at_most.saturating_sub(start.elapsed());
        Patience(Instant::now() + START.get().map_or(AT_MOST, left) / 2)
    }

    pub(crate) fn is_over(&self) -> bool {
        RESTED.load(SeqCst) > AT_REST / 2 || Instant::now() > self.0
    }
}

/// Says what a test is trying now. If it hangs, that is part of the verdict.
pub(crate) fn says(what: &str) {
    CALMED.store(0, SeqCst);
    what.clone_into(&mut lock(&TRYING));
    eprintln!("{SAYS}{}", what.replace('\n', " "));
}

/// What was tried last, and what has happened to the futures of the test, in all.
static TRYING: Mutex<String> = Mutex::new(String::new());
static POLLS: AtomicU32 = AtomicU32::new(0);
static WAKES_SINCE: AtomicU32 = AtomicU32::new(0);

/// Counts a poll of a future of the test.
pub(crate) fn polled() {
    jitter();
    CALMED.store(0, SeqCst);
    POLLS.fetch_add(1, SeqCst);
    WAKES_SINCE.store(0, SeqCst);
}

/// Counts a wake by the test or by what it tests.
pub(crate) fn woken() {
    jitter();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn look(seen: &mut Seen, threads: &[(&str, bool, bool, u64)]) -> Others {
        let threads = threads
            .iter()
            .map(|&(name, is_looking, wants_to_run, sleeps)| Thread {
                name: name.into(),
                is_looking,
                wants_to_run,
                sleeps,
            });
        compared(threads, seen)
    }

    #[test]
    fn who_looks_and_gets_no_processor_is_not_at_rest() {
        let mut seen = Seen::new();
        let mut sees =
            |threads, others| assert_eq!(look(&mut seen, threads), others, "{threads:?}");
        sees(
            &[("looks", true, false, 1), ("works", false, false, 1)],
            Others::Have,
        );
        sees(
            &[("looks", true, true, 9), ("works", false, false, 1)],
            Others::Rest,
        );
        sees(
            &[("looks", true, true, 9), ("works", false, false, 1)],
            Others::Run,
        );
        sees(
            &[("looks", true, false, 9), ("works", false, false, 1)],
            Others::Rest,
        );
        sees(
            &[("looks", true, false, 9), ("works", false, true, 1)],
            Others::Run,
        );
        sees(
            &[("looks", true, false, 9), ("works", false, false, 2)],
            Others::Have,
        );
        sees(&[("looks", true, false, 9)], Others::Have); // one has ended
        sees(&[("looks", true, false, 9)], Others::Rest);
    }
}
