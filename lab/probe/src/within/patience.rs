//! How long is long: on a busy machine, slow does not mean stuck.

use std::{
    fs,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

use crate::see::place;

/// Between the two looks at each task. What was polled in between is not stuck.
pub(super) const SECOND_LOOK: Duration = Duration::from_millis(250);
/// So often it is put off on a machine that is too busy for the program's threads.
const MOST_LOOKS: usize = 40;

pub(super) fn is_open(over: &Receiver<()>, time: Duration) -> bool {
    over.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}

/// Whether it is not over after that time, in which the program's threads could run: since so much processor time was `used`.
pub(super) fn passes(over: &Receiver<()>, used: Duration, time: Duration) -> bool {
    for _ in 0..MOST_LOOKS {
        let is_open = is_open(over, time);
        if !is_open || !place::is_starved(used) {
            return is_open;
        }
    }
    true
}

/// How many times as long a limit is while the machine is as busy as it is now.
pub(super) fn crowd() -> u32 {
    if cfg!(miri) {
        return 1;
    }
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    stretch(&read("/proc/loadavg"), processors(&read("/proc/stat")))
}

/// Those of the machine, since its load is of them all. A container may have only some.
pub(crate) fn processors(stat: &str) -> usize {
    let is_one = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    stat.lines().filter(is_one).count().max(1)
}

pub(crate) fn stretch(load: &str, processors: usize) -> u32 {
    let whole = load.split('.').next().unwrap_or_default();
    let running: usize = whole.parse().unwrap_or(0);
    (running / (4 * processors)).clamp(1, 10) as u32
}
