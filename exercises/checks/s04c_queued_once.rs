use super::*;
use probe::{Counted, watch, within};
use std::future::poll_fn;
use std::sync::mpsc;
use std::task::Poll;
use std::time::Duration;

/// Pending twice, and each time it is woken `wakes` times before its next poll.
fn woken(wakes: usize) -> impl Future<Output = ()> + Send + 'static {
    let mut polls = 0;
    poll_fn(move |cx| {
        polls += 1;
        if polls == 3 {
            return Poll::Ready(());
        }
        (0..wakes).for_each(|_| cx.waker().wake_by_ref());
        Poll::Pending
    })
}

#[test]
fn many_wakes_are_one_poll_and_no_wake_is_lost() {
    within(Duration::from_secs(2), || {
        let (sender, queue) = mpsc::channel();
        spawn(&sender, watch("woken 1000 times in its poll", woken(1000)));
        // Polled here rather than by `run`, to count the extra entries.
        let task = queue.try_recv();
        let task = task.expect("`spawn` schedules the task, and `schedule` has sent nothing");
        drop(sender);
        task.queued.clear();
        task.poll();
        let entries = queue.try_iter().count();
        assert!(
            entries <= 1,
            "The task was woken 1000 times before its next poll, and is in the queue {entries} times.\n\
             Wanted: once.\n\
             Look at: what does `queued.set()` return, and when should the wake send the task?"
        );
        drop(task);
        let finished = run_one();
        assert!(
            finished,
            "A task was woken while it was polled, and was never polled again, so that wake was lost.\n\
             Wanted: a wake during the poll sends the task once more.\n\
             Look at: does `run` clear the flag before the poll, after it, or never?"
        );
        woken_while_it_is_queued();
    });
}

/// Whether a task that is woken in its own polls is finished when `run` returns.
fn run_one() -> bool {
    let (sender, queue) = mpsc::channel();
    let future = Counted::new(watch("woken in its own poll", woken(1)));
    let counts = future.counts();
    spawn(&sender, future);
    drop(sender);
    run(queue);
    counts.completions() == 1
}

/// One task wakes itself, and another task wakes it too, before its turn.
fn woken_while_it_is_queued() {
    let (sender, queue) = mpsc::channel();
    let kept = Arc::new(Mutex::new((None::<Waker>, false)));
    let shared = Arc::clone(&kept);
    let mut first = true;
    let woken = Counted::new(poll_fn(move |cx| {
        let mut shared = shared.lock().unwrap();
        shared.0 = Some(cx.waker().clone());
        if std::mem::take(&mut first) {
            cx.waker().wake_by_ref();
        }
        if shared.1 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }));
    let counts = woken.counts();
    spawn(&sender, watch("wakes itself", woken));
    let mut polls = 0;
    spawn(
        &sender,
        watch(
            "wakes the other one",
            poll_fn(move |cx| {
                polls += 1;
                let mut shared = kept.lock().unwrap();
                shared.1 = polls == 3;
                let waker = shared.0.clone();
                drop(shared);
                if polls != 2 {
                    waker.into_iter().for_each(Waker::wake);
                }
                if polls == 3 {
                    return Poll::Ready(());
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            }),
        ),
    );
    drop(sender);
    run(queue);
    let polls = counts.polls();
    assert!(
        polls <= 3,
        "A task woke itself in its poll, and another task woke it before its turn came: it was in the queue twice, and had \
         {polls} polls instead of 3.\n\
         Look at: how often does `run` clear the flag for one poll?"
    );
}
