use super::*;
use probe::{Counted, watch, within};
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;
use step04_channel_executor::TimerFuture;

mod order;
mod wait;

const LIMIT: Duration = Duration::from_secs(2);

#[test]
fn tasks_that_share_an_rc_run_to_completion() {
    within(LIMIT, || {
        let executor = Executor::new();
        let total = Rc::new(Cell::new(0));
        let counts = [20, 10].map(|ms| {
            let total = Rc::clone(&total);
            let adds = Counted::new(watch(format!("timer of {ms} ms"), async move {
                TimerFuture::new(Duration::from_millis(ms)).await;
                total.set(total.get() + ms);
            }));
            let counts = adds.counts();
            executor.spawn(adds);
            counts
        });
        executor.run();
        let polls = counts.each_ref().map(|counts| counts.polls());
        assert!(
            total.get() == 30,
            "`run` returned, and not all tasks are finished. Their polls: {polls:?}.\n\
             Wanted: two polls each, one for being spawned and one for the wake of its timer.\n\
             Look at: what happens to a future that is pending, and when does `run` end?"
        );
        assert!(
            polls == [2, 2],
            "The tasks are finished, and their polls were {polls:?}. Wanted: two each.\n\
             Look at: what sends the number of a task besides `spawn` and `wake`?"
        );
    });
}

#[test]
fn a_task_may_spawn_another() {
    within(LIMIT, || {
        let executor = Rc::new(Executor::new());
        let done = Rc::new(Cell::new(false));
        let (inside, finished) = (Rc::clone(&executor), Rc::clone(&done));
        executor.spawn(watch("spawns", async move {
            inside.spawn(watch("is spawned", async move { finished.set(true) }));
        }));
        executor.run();
        assert!(
            done.get(),
            "A task spawned another, and `run` returned before that one was finished.\n\
             Look at: when is there nothing left to do?"
        );
    });
}

#[test]
fn a_wake_that_comes_after_the_end_of_its_task_is_ignored() {
    within(LIMIT, || {
        let executor = Executor::new();
        // Wakes itself twice, so that its number is in the queue once more when it is finished.
        let (mut polled, kept) = (false, Rc::new(Cell::new(None)));
        let late = Rc::clone(&kept);
        let woken_twice = poll_fn(move |cx| {
            if polled {
                return Poll::Ready(());
            }
            polled = true;
            cx.waker().wake_by_ref();
            cx.waker().wake_by_ref();
            late.set(Some(cx.waker().clone()));
            Poll::Pending
        });
        executor.spawn(watch("wakes itself twice", woken_twice));
        let timer = TimerFuture::new(Duration::from_millis(10));
        let timer = Counted::new(watch("timer of 10 ms", timer));
        let counts = timer.counts();
        executor.spawn(timer);
        executor.run();
        assert!(
            counts.completions() == 1,
            "A task was woken twice and finished at the first of the two polls. At its second number `run` returned, and \
             another task was not finished.\n\
             Look at: what does `run` do with the number of a task that is not in the map any more?"
        );
        drop(executor);
        let late = kept.take().unwrap();
        let late = std::panic::catch_unwind(|| late.wake());
        assert!(
            late.is_ok(),
            "A waker was called when the executor was gone, and it panicked. Wanted: there is nothing to do then."
        );
    });
}

#[test]
fn it_sleeps_until_a_task_is_woken() {
    let (tell, told) = mpsc::channel();
    let running = thread::spawn(move || {
        let executor = Executor::new();
        // Without a task, there is nothing to do.
        executor.run();
        let mut tell = Some(tell);
        executor.spawn(watch(
            "woken later",
            poll_fn(move |cx| {
                let Some(tell) = tell.take() else {
                    return Poll::Ready(());
                };
                let _ = tell.send((wait::Sleeper::here(), cx.waker().clone()));
                Poll::Pending
            }),
        ));
        executor.run();
    });
    let told = wait::returned(
        "`run` of an executor without a task does not return, or its first task is not polled.\n\
         Look at: is the map asked before the queue?",
        move || told.recv(),
    );
    let (sleeper, waker) = told.unwrap();
    wait::until(
        "The only task waits to be woken, and `run` does not sleep until then: it looks again and again, or for a limited \
         time, or it has returned.\n\
         Wanted: one sleep, until the task is woken. No limit is long enough.",
        || sleeper.waits(),
    );
    wait::returned(
        "The waker was called, and the call does not return.",
        || waker.wake(),
    );
    wait::until("A task was woken, and `run` is not over.", || {
        running.is_finished()
    });
}

/// What a finished future owns is dropped with it.
struct SpawnsWhenDropped(Rc<Executor>, Rc<Cell<bool>>);

impl Drop for SpawnsWhenDropped {
    fn drop(&mut self) {
        let done = Rc::clone(&self.1);
        self.0.spawn(async move { done.set(true) });
    }
}

#[test]
fn a_future_may_spawn_while_it_is_dropped() {
    within(LIMIT, || {
        let (executor, done) = (Rc::new(Executor::new()), Rc::new(Cell::new(false)));
        let spawns = SpawnsWhenDropped(Rc::clone(&executor), Rc::clone(&done));
        // Ready at once, and what it owns lives until the future is dropped.
        let finished = poll_fn(move |_| {
            let _ = &spawns;
            Poll::Ready(())
        });
        executor.spawn(watch("spawns when it is dropped", finished));
        executor.run();
        assert!(
            done.get(),
            "A finished future was dropped, and its drop spawned a task, which is not finished.\n\
             Look at: when does `run` drop a finished future, and what does it check after that?"
        );
    });
}

#[test]
fn tasks_are_polled_in_the_order_in_which_their_numbers_were_sent() {
    within(LIMIT, || {
        let (executor, log) = (Executor::new(), order::Log::default());
        (1..=order::MANY).for_each(|number| executor.spawn(log.task(number)));
        executor.run();
        log.assert_in_order();
        let (sender, queue) = channel();
        let waker = Waker::from(Arc::new(Address { task: 7, sender }));
        order::assert_sent_by_the_wake(|| waker.wake_by_ref(), || queue.try_recv() == Ok(7));
    });
}
