//! In a stress run, chance in the places where two threads may meet.

use std::{
    cell::Cell,
    env, hint,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// In the environment of a process that tests a clause: the seed of its delays.
pub(crate) const SEED: &str = "CONTRACT_SEED";

/// The seed, in a stress run.
pub(crate) fn seed() -> Option<u64> {
    static ASKED: OnceLock<Option<u64>> = OnceLock::new();
    *ASKED.get_or_init(|| env::var(SEED).ok()?.parse().ok())
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
