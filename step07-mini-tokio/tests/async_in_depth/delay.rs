//! The four delays, the future by hand, and a delay that moves from one task to another.

use std::{
    future::{Future, poll_fn},
    iter,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use futures::{executor::block_on, future::join_all};
use probe::{Counted, CountingWaker, within};
use step07_mini_tokio::{
    MiniTokio, Signal,
    async_in_depth::{
        Delay, MainFuture,
        delay::{v1_busy, v2_thread_per_poll, v4_notify},
    },
    hand_over,
};

const LIMIT: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(10);

type Boxed = Pin<Box<dyn Future<Output = &'static str> + Send>>;

fn on_each(test: impl Fn(fn(Instant) -> Boxed)) {
    let versions: [fn(Instant) -> Boxed; 4] = [
        |when| Box::pin(v1_busy::Delay::until(when)),
        |when| Box::pin(v2_thread_per_poll::Delay::until(when)),
        |when| Box::pin(Delay::until(when)),
        |when| Box::pin(v4_notify::delay(when)),
    ];
    for version in versions {
        within(LIMIT, || test(version));
    }
}

#[test]
fn it_is_never_early() {
    on_each(|delay| {
        let when = Instant::now() + SHORT;
        assert_eq!(block_on(delay(when)), "done");
        assert!(Instant::now() >= when);
    });
}

#[test]
fn a_time_that_has_passed_is_waited_for_too() {
    const DELAYS: usize = if cfg!(miri) { 8 } else { 100 };
    on_each(|delay| {
        for _ in 0..DELAYS {
            assert_eq!(block_on(delay(Instant::now())), "done");
        }
    });
}

#[test]
fn pending_it_has_a_waker_and_dropped_it_has_none() {
    on_each(|delay| {
        let waker = CountingWaker::new();
        let handed_out = waker.waker();
        let mut cx = Context::from_waker(&handed_out);
        let mut delay = delay(Instant::now() + Duration::from_secs(3_600));
        assert_eq!(delay.as_mut().poll(&mut cx), Poll::Pending);
        assert!(waker.live() == 2 || waker.wakes() == 1);
        drop(delay);
        // In version 2 the thread owns the waker, and drops it a moment later.
        while waker.live() != 1 {
            thread::yield_now();
        }
    });
}

#[test]
fn moved_to_another_task_it_wakes_that_one() {
    on_each(|delay| {
        let mut delay = delay(Instant::now() + Duration::from_millis(40));
        let first = delay.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if first.is_pending() {
            assert_eq!(block_on(delay), "done");
        }
    });
}

#[test]
fn with_the_latest_waker_only_the_task_that_has_it_now_is_woken() {
    within(LIMIT, || {
        let (first, second) = (CountingWaker::new(), CountingWaker::new());
        let mut delay = Delay::until(Instant::now() + Duration::from_millis(50));
        let [one, two] = [&first, &second]
            .map(|waker| Pin::new(&mut delay).poll(&mut Context::from_waker(&waker.waker())));
        if [one, two] != [Poll::Pending; 2] {
            return; // The machine stood still, and there was no waker to replace.
        }
        while second.wakes() == 0 {
            thread::yield_now();
        }
        assert_eq!((first.wakes(), first.live()), (0, 0));
        assert_eq!(block_on(delay), "done");
    });
}

#[test]
fn handed_over_it_wakes_its_new_task() {
    // On a busy machine, the time may pass before the first poll. Then there is nothing to hand over.
    let completions = within(LIMIT, || {
        iter::repeat_with(completions_elsewhere).flatten().next()
    });
    assert_eq!(completions, Some(1));
}

/// How often a task is finished that awaits a delay which another task has polled, unless the delay was ready at that poll.
fn completions_elsewhere() -> Option<usize> {
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    let (send_counts, second_counts) = mpsc::channel();
    mini_tokio.spawn(async move {
        let when = Instant::now() + Duration::from_millis(40);
        let delay = hand_over(Delay::until(when)).await;
        let second = Counted::new(async { assert_eq!(delay.await, "done") });
        send_counts.send(second.counts()).unwrap();
        handle.spawn(second);
    });
    mini_tokio.run();
    second_counts.recv().ok().map(|counts| counts.completions())
}

#[test]
fn handed_over_it_is_polled_once_and_then_twice() {
    within(LIMIT, || {
        let mini_tokio = MiniTokio::new();
        let handle = mini_tokio.handle();
        let signal = Arc::new(Signal::default());
        let fired = Arc::clone(&signal);
        let (send_counts, second_counts) = mpsc::channel();
        let first = Counted::new(async move {
            let waits = hand_over(poll_fn(move |cx| fired.poll_fired(cx))).await;
            let second = Counted::new(waits);
            send_counts.send(second.counts()).unwrap();
            handle.spawn(second);
            // Spawned last, so it is polled after the second task.
            handle.spawn(async move { signal.fire() });
        });
        let first_counts = first.counts();
        mini_tokio.spawn(first);
        mini_tokio.run();
        let second_counts = second_counts.recv().unwrap();
        assert_eq!((first_counts.polls(), second_counts.polls()), (1, 2));
    });
}

/// A waker that sends the id of the thread on which the last of its clones is dropped.
struct SaysWhere(mpsc::Sender<ThreadId>);

impl Wake for SaysWhere {
    fn wake(self: Arc<Self>) {}
}

impl Drop for SaysWhere {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().id());
    }
}

#[test]
fn dropped_early_it_drops_its_waker_itself() {
    within(LIMIT, || {
        let when = Instant::now() + Duration::from_secs(3_600);
        let mut delay = Delay::until(when);
        let (says_where, dropped_on) = mpsc::channel();
        let waker = Waker::from(Arc::new(SaysWhere(says_where)));
        let answer = Pin::new(&mut delay).poll(&mut Context::from_waker(&waker));
        assert_eq!(answer, Poll::Pending);
        drop(waker);
        drop(delay);
        assert_eq!(dropped_on.recv(), Ok(thread::current().id()));
    });
}

#[test]
fn the_busy_one_wakes_at_every_poll() {
    let waker = CountingWaker::new();
    let handed_out = waker.waker();
    let mut delay = v1_busy::Delay::until(Instant::now() + Duration::from_secs(3_600));
    for wakes in 1..=100 {
        let answer = Pin::new(&mut delay).poll(&mut Context::from_waker(&handed_out));
        assert_eq!((answer, waker.wakes()), (Poll::Pending, wakes));
    }
}

#[test]
fn six_children_that_are_joined_are_polled_too_early_21_times() {
    within(LIMIT, || {
        let signals = [(); 6].map(|()| Arc::new(Signal::default()));
        let too_early = AtomicUsize::new(0);
        let children = signals.each_ref().map(|signal| {
            let too_early = &too_early;
            poll_fn(move |cx| {
                let answer = signal.poll_fired(cx);
                too_early.fetch_add(usize::from(answer.is_pending()), SeqCst);
                answer
            })
        });
        let (waker, mut joined) = (CountingWaker::new(), pin!(join_all(children)));
        let mut poll = || {
            joined
                .as_mut()
                .poll(&mut Context::from_waker(&waker.waker()))
        };
        assert!(poll().is_pending());
        for (signal, ready) in signals.iter().zip(1..) {
            signal.fire();
            assert_eq!((waker.wakes(), poll().is_ready()), (ready, ready == 6));
        }
        // 6 at the first poll, 5 at the second, and so on.
        assert_eq!(too_early.load(SeqCst), 21);
    });
}

#[test]
fn what_is_handed_over_has_been_polled_once() {
    let polls = Counted::new(std::future::pending::<()>());
    let counts = polls.counts();
    let _still_pending = block_on(hand_over(Box::pin(polls)));
    assert_eq!(counts.polls(), 1);
}

#[test]
#[should_panic(expected = "there is nothing left to hand over")]
fn what_is_ready_cannot_be_handed_over() {
    drop(block_on(hand_over(std::future::ready(()))));
}

#[test]
fn by_hand_and_by_the_compiler_it_takes_two_polls() {
    within(LIMIT, || {
        let by_compiler = Counted::new(async {
            let when = Instant::now() + SHORT;
            Delay::until(when).await
        });
        let by_hand = Counted::new(MainFuture::State0);
        let counts = [by_compiler.counts(), by_hand.counts()];
        assert_eq!(block_on(by_compiler), "done");
        let start = Instant::now();
        assert_eq!(block_on(by_hand), "done");
        assert!(start.elapsed() >= SHORT, "it is early");
        assert_eq!(counts.map(|counts| counts.polls()), [2, 2]);
    });
}

#[test]
#[should_panic(expected = "polled after it was ready")]
fn by_hand_it_is_not_to_be_polled_after_it_was_ready() {
    let mut main_future = MainFuture::State0;
    assert_eq!(block_on(&mut main_future), "done");
    let _ = Pin::new(&mut main_future).poll(&mut Context::from_waker(Waker::noop()));
}
