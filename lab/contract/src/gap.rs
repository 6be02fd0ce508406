//! In a stress run, a thread that stands still between two critical sections of what is tested.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use crate::{
    allocations,
    fixtures::A_MOMENT,
    jitter::seed,
    rest::{self, Looking},
};

/// Of the first gaps between two critical sections, a run decides one for all threads. The next 32 seeds try each of them.
const GAPS: u64 = 32;
/// So often at most, because a test may start a thread for each of many wakes.
const STOPS: u64 = 64;

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
                allocations::are_not_counted_in(stand_still);
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
