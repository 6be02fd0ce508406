//! Rung 8.

use std::{
    future::{pending, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, AsyncWriteExt};
use probe::watch;
use yours::{Runtime, sleep, spawn};

use super::{Check, MOMENT, handles::Drops, moments, sockets::connection, threads_left_by};
use crate::referee;

pub(super) const CHECKS: &[Check] = &[
    Check::new("as_many_threads_as_workers", as_many_threads_as_workers),
    Check::new("two_spawned_while_all_sleep", two_spawned_while_all_sleep),
    Check::new(
        "sockets_beside_a_blocked_worker",
        sockets_beside_a_blocked_worker,
    ),
    Check::new("somebody_waits_in_the_kernel", somebody_waits_in_the_kernel),
    Check::new("spawned_at_any_moment", moments::spawned_at_any_moment),
    Check::new(
        "two_spawned_at_any_moment",
        moments::two_spawned_at_any_moment,
    ),
    Check::new("dropped_at_any_moment", moments::dropped_at_any_moment),
    Check::new("dropped_during_polls", dropped_during_polls)
        .look("does `Drop for Runtime` join all of its threads before it drops the tasks?"),
    Check::new("dropped_by_its_own_task", dropped_by_its_own_task).look(
        "what does `drop` do on one of the runtime's own threads? A thread can't join itself. It has to leave itself out, and to end after this poll.",
    ),
];

fn as_many_threads_as_workers() {
    let left = threads_left_by(|| {
        let before = probe::threads().unwrap_or(0);
        let runtime = Runtime::new(4);
        runtime.block_on(async { watch("a sleep", sleep(MOMENT / 3)).await });
        let started = probe::threads().map_or(4, |now| now.saturating_sub(before));
        assert_eq!(started, 4, "threads of a runtime with four workers");
        drop(runtime);
    });
    assert_eq!(left, 0, "threads that outlive their runtime");
}

/// Two tasks from outside, one right after the other. The first blocks its thread until the second runs.
fn two_spawned_while_all_sleep() {
    let runtime = Runtime::new(3);
    for round in 1..=100 {
        thread::sleep(Duration::from_micros(300));
        let ((tell, told), (end, ended)) = (mpsc::channel(), mpsc::channel());
        runtime
            .handle()
            .spawn(async move { end.send(told.recv().is_ok()) });
        runtime.handle().spawn(async move { tell.send(()) });
        if !referee::until(|| ended.try_recv() == Ok(true)) {
            referee::stop(&format!(
                "Two tasks were spawned while three workers slept. The first blocked its worker until the second had run, and no other \
                 worker took that. That was in round {round}.\n\
                 look  who wakes the next worker, if the second push finds that one was woken already?"
            ));
        }
    }
}

fn sockets_beside_a_blocked_worker() {
    let runtime = Runtime::new(2);
    runtime.block_on(async {
        let (release, released) = mpsc::channel::<()>();
        spawn(async move { released.recv() });
        let (mut client, mut server) = connection().await;
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        thread::spawn(move || {
            if !referee::until(|| is_over.load(SeqCst)) {
                referee::stop(
                    "While one of two workers was blocked, a read and a sleep didn't come to their ends.\n\
                     look  who waits in the kernel while the worker that has waited there polls a task?",
                );
            }
        });
        let reader = spawn(watch("a reader beside a blocked worker", async move {
            server.read_exact(&mut [0]).await.expect("read");
            sleep(MOMENT / 3).await;
        }));
        sleep(MOMENT / 3).await;
        client.write_all(&[1]).await.expect("written");
        assert!(reader.await.is_ok(), "the reader gets its byte");
        ends.store(true, SeqCst);
        drop(release);
    });
}

/// Both workers are in the middle of a poll when the runtime is dropped. `drop` returns when these two tasks are dropped as well.
fn dropped_during_polls() {
    let runtime = Runtime::new(2);
    let drops = Arc::new(AtomicUsize::new(0));
    let (begin, begun) = mpsc::channel();
    let releases = [(); 2].map(|()| {
        let (release, released) = mpsc::channel::<()>();
        let (begin, owned) = (begin.clone(), Drops(drops.clone()));
        drop(runtime.handle().spawn(async move {
            let _owned = owned;
            let _ = begin.send(());
            let _ = released.recv();
            pending::<()>().await;
        }));
        release
    });
    for _ in 0..2 {
        begun.recv().expect("both tasks are polled");
    }
    let dropped = drops.clone();
    let dropper = thread::spawn(move || {
        drop(runtime);
        dropped.load(SeqCst)
    });
    for (number, release) in releases.into_iter().enumerate() {
        let is_over = referee::until(|| dropper.is_finished());
        assert!(
            !is_over,
            "Each of two workers was polling a task when the runtime was dropped. `drop` returned when {number} of the two polls were over, \
             so the other task and its thread outlived their runtime."
        );
        drop(release);
    }
    let dropped = dropper.join().expect("`drop` doesn't panic");
    assert_eq!(
        dropped, 2,
        "how many of two tasks, which were being polled when their runtime was dropped, were dropped when `drop` returned"
    );
}

/// A task owns its runtime and the last handle of it, and drops them. So a worker does that.
fn dropped_by_its_own_task() {
    let before = probe::threads().unwrap_or(0);
    let drops = Arc::new(AtomicUsize::new(0));
    let [waits, drops_it] = [(); 2].map(|()| Drops(drops.clone()));
    let (runtime, returned) = (Runtime::new(2), Arc::new(AtomicBool::new(false)));
    let (handle, spawner) = (runtime.handle(), runtime.handle());
    drop(spawner.spawn(async move {
        let _owned = waits;
        pending::<()>().await;
    }));
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let returns = returned.clone();
    drop(spawner.spawn(async move {
        let _ = may_go_on.recv();
        // With its own waker, as a task has one that owns a timer.
        let own_waker = poll_fn(|cx| Poll::Ready(cx.waker().clone())).await;
        let _owned = (drops_it, own_waker);
        drop(runtime);
        drop(handle);
        returns.store(true, SeqCst);
        pending::<()>().await;
    }));
    drop(spawner);
    drop(go_on);
    assert!(
        referee::until(|| returned.load(SeqCst)),
        "A task owned its runtime and dropped it, so one of the workers did that. It has panicked, or it waits for something that doesn't \
         happen."
    );
    assert!(
        referee::until(|| drops.load(SeqCst) == 2),
        "A runtime with two tasks was dropped by one of them. So many were dropped after that: {}.",
        drops.load(SeqCst)
    );
    assert!(
        referee::until(|| probe::threads().unwrap_or(0) <= before),
        "A task dropped its own runtime, and threads of that runtime stay."
    );
}

/// The worker that sleeps in the kernel gets a task by its own event, and the task blocks it. Then the other one has to go there.
fn somebody_waits_in_the_kernel() {
    let runtime = Runtime::new(2);
    for _ in 0..5 {
        runtime.block_on(async {
            let (release, released) = mpsc::channel::<()>();
            let is_released = Arc::new(AtomicBool::new(false));
            let tells = is_released.clone();
            spawn(watch("a task that blocks its worker", async move {
                sleep(Duration::from_millis(10)).await;
                tells.store(released.recv().is_ok(), SeqCst);
            }));
            spawn(watch("a sleep that ends a little later", async move {
                sleep(Duration::from_millis(20)).await;
                let _ = release.send(());
            }));
            if !referee::until(|| is_released.load(SeqCst)) {
                referee::stop(
                    "The worker that waits in the kernel was woken there by a timer, and the timer's task blocked it. A second timer was \
                     due 10 ms later, and the other worker slept on.\n\
                     look  who waits in the kernel while the worker that has waited there polls a task?",
                );
            }
        });
    }
}
