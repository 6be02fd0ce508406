use super::*;
use probe::{Counted, watch, within};
use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;
use step04_channel_executor::TimerFuture;

#[test]
fn it_polls_each_task_when_it_is_spawned_and_when_it_is_woken() {
    within(Duration::from_secs(2), || {
        let (sender, queue) = mpsc::channel();
        let mut counts = Vec::new();
        for ms in [30, 10, 20] {
            let timer = TimerFuture::new(Duration::from_millis(ms));
            let counted = Counted::new(watch(format!("timer of {ms} ms"), timer));
            counts.push(counted.counts());
            spawn(&sender, counted);
        }
        drop(sender);
        run(queue);
        let finished = counts
            .iter()
            .filter(|counts| counts.completions() == 1)
            .count();
        let polls: Vec<_> = counts.iter().map(|counts| counts.polls()).collect();
        assert!(
            finished == 3,
            "`run` returned, and {finished} of 3 tasks are finished. Their polls: {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for the wake of its timer.\n\
             Look at: does `run` wait when the queue is empty? Does `wake` send the task?"
        );
        assert!(
            polls == [2, 2, 2],
            "All tasks are finished, and their polls were {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for the wake of its timer.\n\
             Look at: what sends a task to the queue besides `spawn` and `wake`?"
        );
        it_polls_on_its_own_thread_and_sleeps_between();
        a_late_wake_is_ignored();
    });
}

/// Another thread computes for 40 ms, and then wakes the task.
fn it_polls_on_its_own_thread_and_sleeps_between() {
    const WORK: Duration = Duration::from_millis(40);
    let (sender, queue) = mpsc::channel();
    let (tell, polled_on) = mpsc::channel();
    let mut polls = 0;
    spawn(
        &sender,
        watch(
            "woken after 40 ms",
            poll_fn(move |cx| {
                tell.send(thread::current().id()).unwrap();
                polls += 1;
                if polls > 1 {
                    return Poll::Ready(());
                }
                let waker = cx.waker().clone();
                thread::spawn(move || {
                    let start = probe::thread_cpu_time();
                    while probe::thread_cpu_time() - start < WORK {}
                    waker.wake();
                });
                Poll::Pending
            }),
        ),
    );
    drop(sender);
    let (used, switches) = (probe::thread_cpu_time(), probe::thread_switches());
    run(queue);
    let used = probe::thread_cpu_time() - used;
    let switches = probe::thread_switches().unwrap_or(0) - switches.unwrap_or(0);
    let here = thread::current().id();
    assert!(
        polled_on.iter().all(|thread| thread == here),
        "A task was polled on another thread than that of `run`.\n\
         Wanted: `wake` only sends the task, and `run` polls it. A waker may be called by a timer or a socket, whose \
         thread has other work."
    );
    assert!(
        used < WORK / 4 && switches < 10,
        "`run` used {used:?} of CPU time and left its processor {switches} times, while its only task waited.\n\
         Wanted: one sleep, until the task is woken.\n\
         Look at: which method of the queue waits by itself?"
    );
}

/// A waker may outlive the executor.
fn a_late_wake_is_ignored() {
    let (sender, queue) = mpsc::channel();
    let (tell, told) = mpsc::channel();
    let task = Arc::new(Task {
        future: Mutex::new(Some(Box::pin(poll_fn(move |cx| {
            tell.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        })))),
        sender,
    });
    task.poll();
    drop(queue);
    let late = std::panic::catch_unwind(|| told.recv().unwrap().wake());
    assert!(
        late.is_ok(),
        "A waker was called when the executor was gone, and it panicked.\n\
         Wanted: there is nothing to do then.\n\
         Look at: what does `send` return if there is no receiver?"
    );
}
