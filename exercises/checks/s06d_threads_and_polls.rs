use super::*;
use probe::{Counted, watch, within};
use std::{sync::Mutex, time::Instant};
use step05_parker_block_on::block_on;

const LIMIT: Duration = Duration::from_secs(2);

/// The stage counts the threads of the whole process, so the runs take turns.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn one_at_a_time() -> impl Drop {
    ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn check(name: &str, predicted: Option<usize>, seen: usize, how_to_find_out: &str) {
    let predicted = predicted.unwrap_or_else(|| {
        panic!("{name}: write down your prediction first, as `Some(…)` in place of `None`.")
    });
    assert!(
        predicted == seen,
        "{name}: it is not {predicted}. {how_to_find_out}"
    );
}

fn threads(new: fn() -> Arc<Reactor>) -> usize {
    let _turn = one_at_a_time();
    let before = Reactor::threads_started();
    within(LIMIT, || {
        block_on(watch("a hundred timers", a_hundred(new())))
    });
    at_rest() - before
}

/// A thread is counted a moment after it was started, so wait until the count no longer changes.
fn at_rest() -> usize {
    let before = Reactor::threads_started();
    std::thread::sleep(Duration::from_millis(20));
    match Reactor::threads_started() {
        same if same == before => same,
        _ => at_rest(),
    }
}

/// If the machine stalls for so long that both timers finish, the run is repeated.
fn polls(
    name: &str,
    run: impl Fn(Arc<Reactor>) -> std::pin::Pin<Box<dyn Future<Output = ()>>>,
) -> usize {
    let _turn = one_at_a_time();
    within(LIMIT, || {
        loop {
            let start = Instant::now();
            let mut late = false;
            let counted = Counted::new(run(Reactor::new()));
            let counts = counted.counts();
            let mut counted = pin!(watch(name, counted));
            block_on(std::future::poll_fn(|cx| {
                let second = counts.polls() == 1;
                late |= second && start.elapsed() > Duration::from_millis(50);
                counted.as_mut().poll(cx)
            }));
            if !late {
                return counts.polls();
            }
        }
    })
}

#[test]
fn run_1() {
    check(
        "THREADS_OF_VERSION_1",
        THREADS_OF_VERSION_1,
        threads(Reactor::with_thread_per_timer),
        "Read step06-reactor/src/driver/v1_thread_per_timer.rs. Which thread runs `drive` itself?",
    );
}

#[test]
fn run_2() {
    check(
        "THREADS_OF_VERSION_2",
        THREADS_OF_VERSION_2,
        threads(Reactor::new),
        "Read step06-reactor/src/driver/v2_one_thread.rs, and `driven_by` in step06-reactor/src/reactor.rs. Which lines start a thread?",
    );
}

#[test]
fn run_3() {
    check(
        "POLLS_IN_A_ROW",
        POLLS_IN_A_ROW,
        polls("in a row", |reactor| Box::pin(in_a_row(reactor))),
        "Write down who wakes the task, and what the poll after that wake goes on to do.",
    );
}

#[test]
fn run_4() {
    check(
        "POLLS_JOINED",
        POLLS_JOINED,
        polls("joined", |reactor| Box::pin(joined(reactor))),
        "Both timers leave their wakers in the first poll. Do they finish at the same moment?",
    );
}

#[test]
fn run_5() {
    let _turn = one_at_a_time();
    let reactor = Reactor::new();
    dropped(&reactor);
    check(
        "WAITING_AFTER_THE_DROP",
        WAITING_AFTER_THE_DROP,
        reactor.waiting(),
        "Read the end of step06-reactor/src/timer.rs.",
    );
}
