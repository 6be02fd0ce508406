//! What version 3 adds and version 4 keeps: no poll without a wake, and no wake lost. Version 4 also ends.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker, ready},
    thread,
    time::Duration,
};

use probe::{Counted, OnDrop, within};
use step04_channel_executor::{Signal, TimerFuture, executor, v3_polls_when_woken};

const LIMIT: Duration = Duration::from_secs(20);

/// Miri takes a thousand times as long for everything, and needs fewer of them to see what is wrong.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 1_000 } else { count }
}

macro_rules! on_both_versions {
    (|$executor:ident, $spawner:ident| $test:block) => {
        within(LIMIT, || {
            let ($executor, $spawner) = v3_polls_when_woken::executor();
            $test
        });
        within(LIMIT, || {
            let ($executor, $spawner) = executor();
            $test
        });
    };
}

/// Pending once, and does something with the waker then.
fn once(mut act: impl FnMut(&Waker)) -> impl FnMut(&mut Context<'_>) -> Poll<()> {
    let mut polled = false;
    move |cx| {
        if polled {
            return Poll::Ready(());
        }
        polled = true;
        act(cx.waker());
        Poll::Pending
    }
}

#[test]
fn a_million_wakes_before_the_next_poll_make_one() {
    on_both_versions!(|executor, spawner| {
        let signal = Arc::new(Signal::default());
        let fired = Arc::clone(&signal);
        let mut storm =
            once(|waker| (0..few_under_miri(1_000_000)).for_each(|_| waker.wake_by_ref()));
        let stormy = Counted::new(poll_fn(move |cx| {
            ready!(storm(cx));
            fired.poll_fired(cx)
        }));
        let counts = stormy.counts();
        spawner.spawn(stormy);
        // In each turn of this task, an extra queue entry of the other would cost an extra poll.
        spawner.spawn(async move {
            for _ in 0..if cfg!(miri) { 10 } else { 100 } {
                poll_fn(once(Waker::wake_by_ref)).await;
            }
            signal.fire();
        });
        drop(spawner);
        executor.run();
        // For being spawned, for the million, for the signal.
        assert_eq!(counts.polls(), 3);
    });
}

#[test]
fn a_wake_sends_the_task_and_the_poll_comes_later() {
    on_both_versions!(|executor, spawner| {
        let events = Arc::new(Mutex::new(Vec::new()));
        let log = {
            let events = Arc::clone(&events);
            move |event| events.lock().unwrap().push(event)
        };
        let signal = Arc::new(Signal::default());
        let (fires, logs) = (Arc::clone(&signal), log.clone());
        let mut yields = once(move |waker| {
            logs("A is polled for the first time, and wakes itself");
            waker.wake_by_ref();
        });
        let (logs, dropped) = (log.clone(), log.clone());
        let dropped = OnDrop(move || dropped("A's future is dropped"));
        spawner.spawn(async move {
            let _dropped = dropped;
            poll_fn(&mut yields).await;
            logs("A fires the signal");
            fires.fire();
            logs("A ends");
        });
        let logs = log.clone();
        spawner.spawn(async move {
            poll_fn(|cx| {
                let answer = signal.poll_fired(cx);
                if answer.is_pending() {
                    logs("B is polled for the first time");
                }
                answer
            })
            .await;
            logs("B ends");
        });
        drop(spawner);
        executor.run();
        log("`run` returns");
        assert_eq!(
            *events.lock().unwrap(),
            [
                "A is polled for the first time, and wakes itself",
                "B is polled for the first time",
                "A fires the signal",
                "A ends",
                "A's future is dropped",
                "B ends",
                "`run` returns",
            ]
        );
    });
}

#[test]
fn run_returns_while_a_waker_is_left_and_that_waker_is_harmless() {
    within(LIMIT, || {
        let (executor, spawner) = executor();
        let kept = Arc::new(Mutex::new(None));
        let task = Counted::new(poll_fn({
            let kept = Arc::clone(&kept);
            move |cx| {
                *kept.lock().unwrap() = Some(cx.waker().clone());
                Poll::Ready(())
            }
        }));
        let counts = task.counts();
        spawner.spawn(task);
        drop(spawner);
        executor.run();
        let waker = kept.lock().unwrap().take().unwrap();
        waker.wake_by_ref();
        let clone = waker.clone();
        thread::spawn(move || clone.wake()).join().unwrap();
        drop(waker);
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
    });
}

#[test]
fn a_pending_task_without_wakers_is_dropped() {
    on_both_versions!(|executor, spawner| {
        let task = Counted::new(std::future::pending());
        let counts = task.counts();
        spawner.spawn(task);
        drop(spawner);
        executor.run();
        assert_eq!((counts.polls(), counts.drops()), (1, 1));
    });
}

#[test]
fn ten_thousand_tasks_that_wait_are_polled_twice_each() {
    on_both_versions!(|executor, spawner| {
        let signal: Vec<_> = (0..few_under_miri(10_000))
            .map(|_| Arc::new(Signal::default()))
            .collect();
        let counts: Vec<_> = signal
            .iter()
            .cloned()
            .map(|signal| {
                let task = Counted::new(async move { poll_fn(|cx| signal.poll_fired(cx)).await });
                let counts = task.counts();
                spawner.spawn(task);
                counts
            })
            .collect();
        // By the time this one runs, all others have been polled once, because it was spawned after them.
        spawner.spawn(async move {
            thread::spawn(move || signal.iter().for_each(|signal| signal.fire()));
        });
        drop(spawner);
        executor.run();
        for counts in counts {
            assert_eq!((counts.polls(), counts.drops()), (2, 1));
        }
    });
}

#[cfg_attr(miri, ignore = "Miri keeps no CPU time")]
#[test]
fn while_nothing_is_ready_it_polls_nothing_and_uses_no_cpu() {
    on_both_versions!(|executor, spawner| {
        let timer = Counted::new(TimerFuture::new(Duration::from_millis(50)));
        let counts = timer.counts();
        spawner.spawn(timer);
        drop(spawner);
        let before = probe::thread_cpu_time();
        executor.run();
        let used = probe::thread_cpu_time() - before;
        assert_eq!(counts.polls(), 2);
        assert!(
            used < Duration::from_millis(25),
            "{used:?} of CPU in 50 ms of waiting"
        );
    });
}
