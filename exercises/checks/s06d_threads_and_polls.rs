use super::*;
use probe::{Counted, watch, within};
use std::{
    sync::{Condvar, Mutex},
    task::Wake,
};
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
    // Each thread counts itself before it does anything else, and all of them have done something.
    Reactor::threads_started() - before
}

/// Wakes of a task. Each wake on another thread returns only after the poll that it leads to, so the reactor cannot finish the
/// second timer before the task has been polled for the first.
#[derive(Default)]
struct OneByOne {
    counts: Mutex<Wakes>,
    changed: Condvar,
}

#[derive(Default)]
struct Wakes {
    wakes: usize,
    /// How many of them were there when the latest finished poll began.
    answered: usize,
}

impl Wake for OneByOne {
    fn wake(self: Arc<Self>) {
        let mut counts = self.counts.lock().unwrap();
        counts.wakes += 1;
        let number = counts.wakes;
        self.changed.notify_all();
        drop(self.changed.wait_while(counts, |it| it.answered < number));
    }
}

fn polls(
    name: &str,
    run: impl Fn(Arc<Reactor>) -> std::pin::Pin<Box<dyn Future<Output = ()>>>,
) -> usize {
    let _turn = one_at_a_time();
    within(LIMIT, || {
        let counted = Counted::new(run(Reactor::new()));
        let counts = counted.counts();
        let mut counted = pin!(watch(name, counted));
        let one_by_one = Arc::<OneByOne>::default();
        let waker = Waker::from(Arc::clone(&one_by_one));
        loop {
            let seen = one_by_one.counts.lock().unwrap().wakes;
            let answer = counted.as_mut().poll(&mut Context::from_waker(&waker));
            let mut now = one_by_one.counts.lock().unwrap();
            now.answered = seen;
            one_by_one.changed.notify_all();
            if answer.is_ready() {
                return counts.polls();
            }
            drop(one_by_one.changed.wait_while(now, |it| it.wakes == seen));
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
    // When this is over, the reactor's thread has counted itself, and so it does not do that during another run.
    let timer = Timer::new(&reactor, Duration::from_millis(1));
    within(LIMIT, || block_on(watch("a timer", timer))).unwrap();
    dropped(&reactor);
    check(
        "WAITING_AFTER_THE_DROP",
        WAITING_AFTER_THE_DROP,
        reactor.waiting(),
        "Read the end of step06-reactor/src/timer.rs.",
    );
}
