//! The mistakes, each as short as it can be.

use std::{
    future::{poll_fn, ready},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::mpsc,
    task::{Poll, Waker},
    thread,
};

use why_pending::{CountingWaker, watch};

use crate::executor::{block_on, poll, sleep_for_ever};

/// Each is called what its function is called.
macro_rules! all {
    ($($mistake:ident)*) => { &[$((stringify!($mistake), $mistake)),*] };
}

pub(crate) const ALL: &[(&str, fn())] = all! {
    kept_no_waker waker_dropped waker_dropped_later not_woken old_woken old_kept
    polled_after_ready busy_executor busy_future at_work blocked
    lock_twice lock_held lock_outside_poll panicked run_does_not_end
    watched_elsewhere stderr_held
};

fn kept_no_waker() {
    block_on(watch("timer", poll_fn(|_| Poll::<()>::Pending)));
}

fn waker_dropped() {
    let (sender, receiver) = mpsc::channel();
    drop(receiver);
    block_on(watch(
        "timer",
        poll_fn(|cx| {
            // The error brings the waker back, and drops it.
            let _ = sender.send(cx.waker().clone());
            Poll::<()>::Pending
        }),
    ));
}

fn waker_dropped_later() {
    let (sender, receiver) = mpsc::channel();
    let future = poll_fn(move |cx| {
        let _ = sender.send(cx.waker().clone());
        Poll::<()>::Pending
    });
    let mut future = pin!(watch("timer", future));
    assert!(poll(future.as_mut(), Waker::noop()).is_pending());
    drop(receiver);
    sleep_for_ever();
}

fn not_woken() {
    let mut kept: Option<Waker> = None;
    let future = poll_fn(move |cx| {
        drop(kept.replace(cx.waker().clone()));
        Poll::<()>::Pending
    });
    block_on(watch("timer", future));
}

/// Keeps the waker of its first poll, and shows it to `at_poll` at each.
fn keeps_its_first_waker(mut at_poll: impl FnMut(&Waker)) -> impl Future<Output = ()> {
    let mut kept: Option<Waker> = None;
    poll_fn(move |cx| {
        at_poll(kept.get_or_insert_with(|| cx.waker().clone()));
        Poll::Pending
    })
}

fn old_woken() {
    let (sender, receiver) = mpsc::channel::<Waker>();
    thread::Builder::new()
        .name("timer thread".into())
        .spawn(move || receiver.iter().nth(1).map(Waker::wake))
        .expect("a process this small may have two threads");
    let future = keeps_its_first_waker(move |waker| {
        sender
            .send(waker.clone())
            .expect("the thread takes two wakers");
    });
    moves_to_another_executor(future);
}

fn old_kept() {
    moves_to_another_executor(keeps_its_first_waker(|_| {}));
}

fn moves_to_another_executor(future: impl Future<Output = ()>) {
    let mut future = pin!(watch("delay", future));
    assert!(poll(future.as_mut(), &CountingWaker::new().waker()).is_pending());
    block_on(future);
}

fn polled_after_ready() {
    let mut future = pin!(watch("first", ready(())));
    while poll(future.as_mut(), Waker::noop()).is_ready() {}
    sleep_for_ever();
}

fn busy_executor() {
    let mut future = pin!(watch("timer", keeps_its_first_waker(|_| {})));
    while poll(future.as_mut(), Waker::noop()).is_pending() {}
}

fn busy_future() {
    block_on(watch(
        "delay",
        poll_fn(|cx| {
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        }),
    ));
}

fn at_work() {
    let (sender, receiver) = mpsc::channel::<Waker>();
    thread::Builder::new()
        .name("echo".into())
        .spawn(move || receiver.into_iter().for_each(Waker::wake))
        .expect("a process this small may have two threads");
    block_on(watch(
        "ping-pong",
        poll_fn(|cx| {
            sender
                .send(cx.waker().clone())
                .expect("the thread takes every waker");
            Poll::<()>::Pending
        }),
    ));
}

fn blocked() {
    let (_sender, receiver) = mpsc::channel::<()>();
    block_on(watch("reader", async { receiver.recv() }))
        .expect("the sender is there, and sends nothing");
}

fn lock_twice() {
    let state = why_pending::Mutex::new(0);
    block_on(watch("timer", async {
        let first = state.lock();
        let second = state.lock();
        drop((first, second));
    }));
}

fn lock_held() {
    let state = &why_pending::Mutex::new(0);
    let (locked, is_locked) = mpsc::channel();
    thread::scope(|scope| {
        let hold = move || {
            let _guard = state.lock();
            locked.send(()).expect("the main thread waits for it");
            sleep_for_ever();
        };
        thread::Builder::new()
            .name("timer thread".into())
            .spawn_scoped(scope, hold)
            .expect("a process this small may have two threads");
        is_locked.recv().expect("the thread sends before it sleeps");
        block_on(watch("timer", async { drop(state.lock()) }));
    });
}

fn lock_outside_poll() {
    let queue = why_pending::Mutex::new(vec![watch("first", ready(()))]);
    // The guard lives until the end of the loop's body.
    while let Some(future) = queue.lock().expect("no thread has panicked").pop() {
        block_on(future);
        queue.lock().expect("no thread has panicked").clear();
    }
}

fn panicked() {
    let mut future = pin!(watch(
        "first",
        poll_fn(|_| -> Poll<()> { std::panic::resume_unwind(Box::new("on purpose")) })
    ));
    assert!(catch_unwind(AssertUnwindSafe(|| poll(future.as_mut(), Waker::noop()))).is_err());
    sleep_for_ever();
}

fn run_does_not_end() {
    let kept = block_on(watch(
        "first",
        poll_fn(|cx| Poll::Ready(cx.waker().clone())),
    ));
    sleep_for_ever();
    drop(kept);
}

fn watched_elsewhere() {
    let forget = || std::mem::forget(watch("made by a worker", ready(())));
    thread::spawn(forget).join().expect("it does not panic");
    sleep_for_ever();
}

fn stderr_held() {
    let _held = std::io::stderr().lock();
    not_woken();
}
