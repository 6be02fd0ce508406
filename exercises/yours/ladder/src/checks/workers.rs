//! Rung 8.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use futures::{AsyncReadExt, AsyncWriteExt};
use probe::watch;
use yours::{Runtime, sleep, spawn};

use super::{Check, MOMENT, moments, sockets::connection, threads_left_by};
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
];

/// Longer than any right runtime needs here.
const LONG: Duration = Duration::from_secs(1);

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
            .spawn(async move { end.send(told.recv_timeout(LONG).is_ok()) });
        runtime.handle().spawn(async move { tell.send(()) });
        assert_eq!(
            ended.recv(),
            Ok(true),
            "Two tasks were spawned while three workers slept. The first blocked its worker until the second had run, and no other \
             worker took that. That was in round {round}.\n\
             look  who wakes the next worker, if the second push finds that one was woken already?"
        );
    }
}

fn sockets_beside_a_blocked_worker() {
    let runtime = Runtime::new(2);
    runtime.block_on(async {
        let (release, released) = mpsc::channel::<()>();
        spawn(async move { released.recv_timeout(LONG) });
        let (mut client, mut server) = connection().await;
        let start = Instant::now();
        let reader = spawn(watch("a reader beside a blocked worker", async move {
            server.read_exact(&mut [0]).await.expect("read");
            sleep(MOMENT / 3).await;
        }));
        sleep(MOMENT / 3).await;
        client.write_all(&[1]).await.expect("written");
        assert!(reader.await.is_ok(), "the reader gets its byte");
        drop(release);
        let took = start.elapsed();
        assert!(
            took < LONG,
            "While one of two workers was blocked, a read and a sleep took {took:?}: until that worker went on."
        );
    });
}

/// The worker that sleeps in the kernel gets a task by its own event, and the task blocks it. Then the other one has to go there.
fn somebody_waits_in_the_kernel() {
    let runtime = Runtime::new(2);
    for _ in 0..5 {
        runtime.block_on(async {
            let (release, released) = mpsc::channel::<()>();
            let blocks = spawn(watch("a task that blocks its worker", async move {
                sleep(Duration::from_millis(10)).await;
                released.recv_timeout(LONG).is_ok()
            }));
            spawn(watch("a sleep that ends a little later", async move {
                sleep(Duration::from_millis(20)).await;
                let _ = release.send(());
            }));
            referee::until_rest();
            let is_released = blocks.await;
            assert!(
                matches!(is_released, Ok(true)),
                "The worker that waits in the kernel was woken there by a timer, and the timer's task blocked it. A second timer was due \
                 10 ms later, and the other worker slept on.\n\
                 look  who waits in the kernel while the worker that has waited there polls a task?"
            );
        });
    }
}
