//! Whether anything still goes on in this process. A test hangs when nothing does; a clock alone would blame a busy machine.
//!
//! `rest/threads.rs` is what the threads do, and `rest/progress.rs` what the test has come to.

mod progress;
mod threads;

use std::{
    collections::BTreeMap,
    env, mem, process,
    sync::{
        OnceLock,
        atomic::{AtomicU32, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

pub(crate) use progress::{SAYS, polled, says, woken};
pub(crate) use threads::{Looking, threads_at_work};

use threads::{Thread, threads};

use crate::{allocations, panics};

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

/// Begins a line that says where a thread panicked, and with what, in a process whose test didn't end by itself.
pub(crate) const PANICKED: &str = "contract, a panic: ";

/// In the environment: so many seconds at most, instead of `AT_MOST`.
pub(crate) const SECONDS: &str = "CONTRACT_SECONDS";

/// When this process began to test a clause, and how long that may take.
static START: OnceLock<(Instant, Duration)> = OnceLock::new();
/// At how many looks in a row there was rest.
static RESTED: AtomicU32 = AtomicU32::new(0);
/// The CPU time of threads while they only look, in nanoseconds.
static LOOKED: AtomicU64 = AtomicU64::new(0);

/// Ends this process when its test will not end by itself.
pub(crate) fn watch() {
    let seconds = env::var(SECONDS).ok().and_then(|text| text.parse().ok());
    let at_most = seconds.map_or(AT_MOST, Duration::from_secs);
    let share = share();
    let (start, at_most) = *START.get_or_init(|| (Instant::now(), at_most));
    thread::spawn(move || {
        allocations::are_not_counted_here();
        let (mut looking, mut seen) = (Looking::here(), Seen::new());
        loop {
            thread::sleep(LOOK / share);
            let others = others(&mut seen);
            match others {
                Others::Rest => _ = RESTED.fetch_add(1, SeqCst),
                _ => RESTED.store(0, SeqCst),
            }
            looking.note();
            let calm = progress::looked(others == Others::Run);
            if RESTED.load(SeqCst) > AT_REST || calm > CALM {
                end(RESTS);
            } else if cpu_time() > CPU_TIME / share {
                end(CIRCLES);
            } else if start.elapsed() > at_most {
                end(SLOW);
            }
        }
    });
}

/// The CPU time that this process has used so far, but for what it takes to look.
pub(crate) fn cpu_time() -> Duration {
    probe::cpu_time().saturating_sub(Duration::from_nanos(LOOKED.load(SeqCst)))
}

/// Whether the test will soon be ended because of the CPU time that it uses. One whose own threads use most of that says first what it
/// has seen.
pub(crate) fn is_nearly_over() -> bool {
    cpu_time() > CPU_TIME * 9 / 10 / share()
}

/// Where less time is given, a failure is expected, and a third of the time shows it as well.
fn share() -> u32 {
    if env::var_os(SECONDS).is_some() { 3 } else { 1 }
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

/// How often each thread had gone to sleep at the latest look.
type Seen = BTreeMap<u32, u64>;

/// What the others do now.
fn others(seen: &mut Seen) -> Others {
    threads().map_or(Others::Run, |threads| compared(threads.into_iter(), seen))
}

/// One that only looks sleeps between two looks. If it wants to run and has not slept since the latest look, it has not had a
/// processor for so long, or it does something, and what it waits for may have come.
fn compared(threads: impl Iterator<Item = Thread>, seen: &mut Seen) -> Others {
    let before = mem::take(seen);
    let (mut is_busy, mut is_same) = (false, true);
    for thread in threads {
        let has_not_slept = before.get(&thread.id) == Some(&thread.sleeps);
        is_busy |= thread.wants_to_run && (!thread.is_looking || has_not_slept);
        is_same &= thread.is_looking || has_not_slept;
        seen.insert(thread.id, thread.sleeps);
    }
    if is_busy {
        Others::Run
    } else if is_same && before.keys().all(|id| seen.contains_key(id)) {
        Others::Rest
    } else {
        Others::Have
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

/// Ends a process whose test will not end.
fn end(status: i32) -> ! {
    progress::says_the_last();
    if let Some(stray) = panics::first_stray() {
        let message = stray.message.replace('\n', " ");
        eprintln!("{PANICKED}{}: {message:?}", stray.place);
    }
    process::exit(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that looks, and one that works.
    const LOOKS: u32 = 1;
    const WORKS: u32 = 2;

    /// Compares threads: the number of each, whether it wants to run, and how often it has slept.
    fn look(seen: &mut Seen, threads: &[(u32, bool, u64)]) -> Others {
        let threads = threads.iter().map(|&(id, wants_to_run, sleeps)| Thread {
            id,
            is_looking: id == LOOKS,
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
        sees(&[(LOOKS, false, 1), (WORKS, false, 1)], Others::Have);
        sees(&[(LOOKS, true, 9), (WORKS, false, 1)], Others::Rest);
        sees(&[(LOOKS, true, 9), (WORKS, false, 1)], Others::Run);
        sees(&[(LOOKS, false, 9), (WORKS, false, 1)], Others::Rest);
        sees(&[(LOOKS, false, 9), (WORKS, true, 1)], Others::Run);
        sees(&[(LOOKS, false, 9), (WORKS, false, 2)], Others::Have);
        sees(&[(LOOKS, false, 9)], Others::Have); // one has ended
        sees(&[(LOOKS, false, 9)], Others::Rest);
    }
}
