use super::*;
use probe::{Counted, watch, within};
use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;
use step04_channel_executor::TimerFuture;

mod order;
mod wait;

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
        let mut first = true;
        let wakes_itself = poll_fn(move |cx| {
            if std::mem::take(&mut first) {
                cx.waker().wake_by_ref();
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        });
        let counted = Counted::new(watch("wakes itself in its poll", wakes_itself));
        counts.push(counted.counts());
        spawn(&sender, counted);
        drop(sender);
        run(queue);
        let finished = counts
            .iter()
            .filter(|counts| counts.completions() == 1)
            .count();
        let polls: Vec<_> = counts.iter().map(|counts| counts.polls()).collect();
        assert!(
            finished == 4,
            "`run` returned, and {finished} of 4 tasks are finished. Their polls: {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for its wake.\n\
             Look at: does `run` wait when the queue is empty? Does `wake` send the task?"
        );
        assert!(
            polls == [2; 4],
            "All tasks are finished, and their polls were {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for its wake.\n\
             Look at: what sends a task to the queue besides `spawn` and `wake`?"
        );
    });
    within(Duration::from_secs(10), || {
        it_polls_on_its_own_thread_and_sleeps_until_the_wake();
        a_late_wake_is_ignored();
        a_wake_sends_the_task();
        tasks_are_polled_in_the_order_in_which_they_were_sent();
    });
}

/// The wake comes once the executor's thread sleeps.
fn it_polls_on_its_own_thread_and_sleeps_until_the_wake() {
    let (sender, queue) = mpsc::channel();
    let (tell, polled) = mpsc::channel();
    let mut polls = 0;
    let waits = poll_fn(move |cx| {
        let _ = tell.send((thread::current().id(), cx.waker().clone()));
        polls += 1;
        if polls > 1 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    });
    spawn(&sender, watch("woken later", waits));
    drop(sender);
    let (begin, began) = mpsc::channel();
    let running = thread::spawn(move || {
        begin.send(wait::Sleeper::here()).unwrap();
        run(queue);
    });
    let (sleeper, (polled_on, waker)) = (began.recv().unwrap(), polled.recv().unwrap());
    assert!(
        polled_on == running.thread().id(),
        "A task was polled on another thread than that of `run`.\n\
         Wanted: `wake` only sends the task, and `run` polls it. A waker may be called by a timer or a socket, whose \
         thread has other work."
    );
    wait::until(
        "The only task waits to be woken, and `run` does not sleep until then: it looks again and again, or for a limited \
         time, or it has returned.\n\
         Wanted: one sleep, until the task is woken. No limit is long enough.\n\
         Look at: which method of the queue waits by itself?",
        || sleeper.waits(),
    );
    waker.wake();
    let (polled_on, _) = polled.recv().unwrap();
    assert!(
        polled_on == running.thread().id(),
        "A task was woken, and was polled on the thread that called the waker.\n\
         Wanted: `wake` only sends the task, and `run` polls it."
    );
    wait::until(
        "Every task is finished, every sender is gone, and `run` does not return.",
        || running.is_finished(),
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

fn a_wake_sends_the_task() {
    let (sender, queue) = mpsc::channel();
    let future = Mutex::new(None);
    let waker = Waker::from(Arc::new(Task { future, sender }));
    order::assert_sent_by_the_wake(|| waker.wake_by_ref(), || queue.try_recv().is_ok());
}

fn tasks_are_polled_in_the_order_in_which_they_were_sent() {
    let ((sender, queue), log) = (mpsc::channel(), order::Log::default());
    (1..=order::MANY).for_each(|number| spawn(&sender, log.task(number)));
    drop(sender);
    run(queue);
    log.assert_in_order();
}
