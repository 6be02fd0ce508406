//! Permits that are nobody's, ends that were moved, and closures on threads of their own.

use std::{sync::Arc, thread};

use tokio::{
    runtime::Handle,
    task::yield_now,
    time::{sleep, timeout},
};
use why_pending::{
    tokio::{
        spawn,
        sync::{Mutex, OnceCell, Semaphore, mpsc, oneshot, watch as last},
        task::spawn_blocking,
    },
    watch,
};

use crate::props::{an_hour, ms, programs, run};

programs! { "moved.rs";
    forgotten_permit_comes_later("task", "'main' returned Pending", "; 0 of 1 free; 1 forgotten at lab/probe/tests/verdicts/moved.rs:", "its time has not come") {
        run(async {
            let pool = Arc::new(Semaphore::new(1));
            let later = pool.clone();
            spawn(async move {
                sleep(an_hour()).await;
                later.add_permits(1);
            });
            pool.acquire().await.unwrap().forget();
            drop(pool.acquire().await.unwrap()); // <- here
        });
    }

    both_inboxes_are_full("task 2 'client' returned Pending", "waits for the end of task 3", "'server' used it last at", "'server' returned Pending", "'main' made it at") {
        run(async {
            let ((to_server, mut requests), (to_client, mut answers)) = (mpsc::channel(1), mpsc::channel(1));
            let client = spawn(watch("client", async move {
                for n in 0..4 {
                    to_server.send(n).await.unwrap(); // <- here
                }
                while answers.recv().await.is_some() {}
            }));
            spawn(watch("server", async move {
                while let Some(n) = requests.recv().await {
                    to_client.send(n).await.unwrap();
                    to_client.send(n).await.unwrap(); // <- here
                }
            }));
            client.await.unwrap(); // <- here
        });
    }

    each_keeps_what_ends_the_other("task 1 'main' returned Pending", "waits for the sender of", "'server' used it last at", "no other is known", "'server' returned Pending", "'main' made it") {
        run(async {
            let (state, mut seen) = last::channel("starting");
            let (_stop, stopped) = oneshot::channel::<()>();
            spawn(watch("server", async move {
                state.send_replace("ready");
                drop(stopped.await); // <- here
                drop(state);
            }));
            seen.changed().await.unwrap();
            seen.changed().await.unwrap(); // <- here
        });
    }

    // The same, but for a timer.
    stops_after_an_hour("task 1 'main' returned Pending", "'server' used it last at", "'server' returned Pending", "'main' made it") {
        run(async {
            let (state, mut seen) = last::channel("starting");
            let (_stop, stopped) = oneshot::channel::<()>();
            spawn(watch("server", async move {
                state.send_replace("ready");
                drop(timeout(an_hour(), stopped).await); // <- here
                drop(state);
            }));
            seen.changed().await.unwrap();
            seen.wait_for(|it| *it == "stopped").await.unwrap(); // <- here
        });
    }

    // One that is healthy has the end, which looks the same but for that.
    end_is_with_one_that_sleeps("task", "'main' returned Pending", "'waits' returned Pending", "'main' made it at", "its time has not come") {
        run(async {
            let (sender, receiver) = oneshot::channel::<()>();
            spawn(async move {
                sleep(an_hour()).await;
                drop(sender);
            });
            spawn(watch("waits", receiver)).await.unwrap().unwrap(); // <- here
        });
    }

    changed_fails_at_once("task 1 'main' is still at work.", "asked", "although the sender of lab/probe/tests/verdicts/moved.rs:") {
        run(async {
            let (_, mut ready) = last::channel(false);
            while !*ready.borrow() {
                let _ = ready.changed().await; // <- here
            }
        });
    }

    closure_waits_for_its_caller("a cycle of waits, unless another task can free one of these: 'main' waits for the end of 'closure of lab/", "'closure of lab/probe/tests/verdicts/moved.rs:", "waits for the lock of", "'main' took it at") {
        run(async {
            let lock = Arc::new(Mutex::new(0));
            let (same, mut guard) = (lock.clone(), lock.lock().await);
            spawn_blocking(move || *same.blocking_lock() += 1).await.unwrap(); // <- here
            *guard += 1;
        });
    }

    closure_receives_from_its_caller("task 1 'main' returned Pending", "waits for the end of 'closure of lab/", "It waits for the sender of", "'main' made it") {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            spawn_blocking(move || receiver.blocking_recv()).await.unwrap(); // <- here
            sender.send(1).await.unwrap();
        });
    }

    closure_works_with_the_lock("task 1 'main' returned Pending", "waits for the lock of", "'closure of lab/probe/tests/verdicts/moved.rs:", "took it at", "; its thread 'tokio-rt-worker' sleeps for a time") {
        run(async {
            let (lock, runtime) = (Arc::new(Mutex::new(0)), Handle::current());
            let same = lock.clone();
            let _works = spawn_blocking(move || {
                let _guard = runtime.block_on(same.lock());
                thread::sleep(an_hour());
            });
            sleep(ms(50)).await;
            *lock.lock().await += 1; // <- here
        });
    }

    closure_and_task_crosswise("a cycle of waits, unless another task can free one of these: 'main' waits for the lock of", "'closure of lab/probe/tests/verdicts/moved.rs:", "took it at", "waits for the lock of", "'main' took it at") {
        run(async {
            let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
            let both = (a.clone(), b.clone());
            let guard = a.lock().await;
            spawn_blocking(move || {
                let _b = both.1.blocking_lock();
                *both.0.blocking_lock() += 1;
            });
            while b.try_lock().is_ok() {
                yield_now().await;
            }
            *b.lock().await += *guard; // <- here
        });
    }

    guard_is_in_the_handle("task 1 'main' returned Pending", "'closure of lab/probe/tests/verdicts/moved.rs:", "took it at lab/", ", and has ended: it returned it, gave it away or forgot it") {
        run(async {
            let lock = Arc::new(Mutex::new(0));
            let same = lock.clone();
            let _output = spawn_blocking(|| same.blocking_lock_owned());
            sleep(ms(50)).await;
            *lock.lock().await += 1; // <- here
        });
    }

    cell_in_its_own_initialiser("task 1 'main' returned Pending", "tokio::sync::once_cell", "If it uses the same cell, it waits for itself.") {
        run(async {
            let cell = OnceCell::new();
            let twice = || async { *cell.get_or_init(|| async { 1 }).await + 1 }; // <- here
            assert_eq!(*cell.get_or_init(twice).await, 2); // <- here
        });
    }
}
