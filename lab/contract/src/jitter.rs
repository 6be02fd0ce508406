//! In a stress run, chance in the places where two threads may meet.

use std::{
    cell::Cell,
    env, hint,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    fixtures::A_MOMENT,
    rest::{self, Looking},
};

/// In the environment of a process that tests a clause: the seed of its delays.
pub(crate) const SEED: &str = "CONTRACT_SEED";

/// Of the first gaps between two critical sections, a run decides one for all threads. The next 32 seeds try each of them.
const GAPS: u64 = 32;
/// So often at most, because a test may start a thread for each of many wakes.
const STOPS: u64 = 64;

/// The seed, in a stress run.
fn seed() -> Option<u64> {
    static ASKED: OnceLock<Option<u64>> = OnceLock::new();
    *ASKED.get_or_init(|| env::var(SEED).ok()?.parse().ok())
}

/// In a stress run, each thread stands still once, in a gap between two critical sections of the subject, if that takes its locks from
/// probe.
pub(crate) fn decide_a_gap() {
    static STOPPED: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static PASSED: Cell<u64> = const { Cell::new(0) };
    }
    if let Some(seed) = seed() {
        probe::in_each_gap(move || {
            let gap = PASSED.replace(PASSED.get() + 1);
            if gap == seed % GAPS && STOPPED.fetch_add(1, SeqCst) < STOPS {
                stand_still();
            }
        });
    }
}

/// Waits until each other thread has done what it can do without this one. Those that only wait a moment have to be up again by then, and
/// one that has no processor still wants to run.
fn stand_still() {
    const ENOUGH: Duration = Duration::from_millis(100);
    let (_looking, start, used) = (Looking::here(), Instant::now(), rest::cpu_time());
    let mut at_rest = 0;
    while at_rest < 3 && rest::cpu_time() < used + ENOUGH {
        thread::sleep(Duration::from_millis(1));
        let threads = rest::threads_at_work().unwrap_or_default();
        let rests = threads.iter().all(|thread| !thread.wants_to_run);
        let up = start.elapsed() > 3 * A_MOMENT;
        at_rest = if up && rests { at_rest + 1 } else { 0 };
    }
}

/// In a stress run, now and then lets other threads go first. Clauses call this where they poll, wake, clone or drop.
pub(crate) fn jitter() {
    static THREADS: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static STATE: Cell<u64> = const { Cell::new(0) };
    }
    let Some(seed) = seed() else {
        return;
    };
    let state = match STATE.get() {
        0 => seed ^ THREADS.fetch_add(1, SeqCst) << 32,
        state => mixed(state),
    };
    STATE.set(state);
    match state % 8 {
        0 | 1 => thread::yield_now(),
        2 => (0..state >> 8 & 0xfff).for_each(|_| hint::spin_loop()),
        3 => thread::sleep(Duration::from_micros(state >> 8 & 0xff)),
        _ => {}
    }
}

/// The next number of chance, by splitmix64.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
