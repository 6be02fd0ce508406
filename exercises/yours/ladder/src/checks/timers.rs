//! Rungs 3 and 4.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use futures::{channel::oneshot, future::join_all};
use probe::watch;
use steps::hold_the_clock;
use yours::{Sleep, sleep, spawn};

use super::{Check, MOMENT, moments, run, yield_now};

pub(super) const A_THREAD_EACH: &[Check] = &[
    Check::new("sleeps_side_by_side", sleeps_side_by_side),
    Check::new("short_sleeps_are_long_enough", short_sleeps_are_long_enough),
    Check::new("two_at_the_same_instant", two_at_the_same_instant),
    Check::new("polled_in_its_wake", polled_in_its_wake),
];
pub(super) const NO_THREAD: &[Check] = &[
    Check::new("a_thousand_sleeps", a_thousand_sleeps),
    Check::new("sleeps_beside_busy_tasks", sleeps_beside_busy_tasks).look(
        "who looks at the timers while the queue is never empty? A task that wakes itself in each poll is back in it at once.",
    ),
    Check::new(
        "sleep_polled_at_any_moment",
        moments::sleep_polled_at_any_moment,
    ),
];

fn sleeps_side_by_side() {
    const SLEEPS: u32 = 40;
    let start = Instant::now();
    // Made inside, where a sleep knows its runtime.
    run(async { join_all((0..SLEEPS).map(|_| watch("a sleep", sleep(2 * MOMENT)))).await });
    let took = start.elapsed();
    // One after the other, they take longer than the slowest machine takes for all of them at once.
    assert!(
        took >= 2 * MOMENT && took < SLEEPS * 2 * MOMENT,
        "{SLEEPS} sleeps of {:?} side by side took {took:?}",
        2 * MOMENT
    );
}

/// One after the other, of a time that is no whole number of milliseconds.
fn short_sleeps_are_long_enough() {
    let time = Duration::from_micros(1900);
    let early = run(async {
        let mut early = 0;
        for _ in 0..100 {
            let start = Instant::now();
            watch("a sleep of 1.9 ms", sleep(time)).await;
            early += usize::from(start.elapsed() < time);
        }
        early
    });
    assert_eq!(
        early, 0,
        "of a hundred sleeps of {time:?}, how many were ready too early"
    );
}

/// Polls the sleep whose waker it is.
struct PollsIt {
    sleeps: Mutex<Pin<Box<Sleep>>>,
    end: Mutex<Option<oneshot::Sender<()>>>,
}

impl Wake for PollsIt {
    fn wake(self: Arc<Self>) {
        self.poll_with(Waker::noop());
        drop(self.end.lock().expect("nobody panics with it").take());
    }
}

impl PollsIt {
    fn poll_with(&self, waker: &Waker) {
        let mut sleeps = self.sleeps.lock().expect("nobody panics with it");
        let _ = sleeps.as_mut().poll(&mut Context::from_waker(waker));
    }
}

/// A waker runs code of whoever waits, and that may poll the sleep.
fn polled_in_its_wake() {
    run(async {
        let (end, ended) = oneshot::channel();
        let polls_it = Arc::new(PollsIt {
            sleeps: Mutex::new(Box::pin(sleep(Duration::from_millis(5)))),
            end: Mutex::new(Some(end)),
        });
        polls_it.poll_with(&Waker::from(polls_it.clone()));
        let _ = watch("the waker of a sleep, which polls that sleep", ended).await;
    });
}

/// The clock stands still while two tasks begin to sleep, so both are due at the very same instant.
fn two_at_the_same_instant() {
    run(async {
        let woken: [Arc<AtomicBool>; 2] = Default::default();
        let begun = Arc::new(AtomicUsize::new(0));
        let clock = hold_the_clock();
        for woken in woken.clone() {
            let begun = begun.clone();
            spawn(watch(
                "one of two sleeps until the same instant",
                async move {
                    let mut sleeps = Box::pin(sleep(Duration::from_millis(5)));
                    let mut is_first = true;
                    poll_fn(|cx| {
                        let polled = sleeps.as_mut().poll(cx);
                        begun.fetch_add(usize::from(std::mem::take(&mut is_first)), SeqCst);
                        polled
                    })
                    .await;
                    woken.store(true, SeqCst);
                },
            ));
        }
        while begun.load(SeqCst) < 2 {
            yield_now().await;
        }
        let was_looked_at = clock.was_looked_at();
        drop(clock);
        assert!(
            was_looked_at,
            "`sleep` took the time from somewhere else than `crate::sync::now`, so this check can't make two timers due at the same \
             instant."
        );
        watch("a longer sleep", sleep(2 * MOMENT)).await;
        let woken = woken.map(|woken| woken.load(SeqCst));
        assert_eq!(
            woken, [true; 2],
            "Two tasks sleep until the very same instant. Which of them have been woken?"
        );
    });
}

fn a_thousand_sleeps() {
    run(async {
        let before = probe::threads().unwrap_or(0);
        let (polls, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        for number in 0..1000 {
            let (polls, over) = (polls.clone(), over.clone());
            let after = 4 * MOMENT + Duration::from_micros(number);
            spawn(async move {
                let mut sleeps = Box::pin(sleep(after));
                poll_fn(|cx| {
                    polls.fetch_add(1, SeqCst);
                    sleeps.as_mut().poll(cx)
                })
                .await;
                over.fetch_add(1, SeqCst);
            });
        }
        watch("a short sleep", sleep(MOMENT / 2)).await;
        let started = probe::threads().unwrap_or(0).saturating_sub(before);
        assert_eq!(
            started, 0,
            "threads that were started while a thousand tasks sleep"
        );
        while over.load(SeqCst) < 1000 {
            watch("a short sleep", sleep(MOMENT / 2)).await;
        }
        let polls = polls.load(SeqCst);
        assert_eq!(
            polls, 2000,
            "polls of a thousand tasks, each of which sleeps once"
        );
    });
}

/// A task that is always in the queue must not keep the runtime from its timers.
fn sleeps_beside_busy_tasks() {
    run(async {
        let over = Arc::new(AtomicBool::new(false));
        let ends = over.clone();
        spawn(poll_fn(move |cx| {
            cx.waker().wake_by_ref();
            if ends.load(SeqCst) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        }));
        watch(
            "a sleep beside a task that wakes itself in each poll",
            sleep(MOMENT / 6),
        )
        .await;
        over.store(true, SeqCst);
    });
}
