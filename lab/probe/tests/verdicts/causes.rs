//! What is the cause comes first, before what follows from it and what is meant so.

use std::{
    future::{pending, poll_fn},
    mem::forget,
    process,
    sync::Arc,
    task::Poll,
    thread,
};

use futures::{StreamExt, poll, stream::FuturesUnordered};
use tokio::{
    runtime::Builder,
    task::{LocalSet, spawn_local, yield_now},
    time::{interval, sleep},
};
use why_pending::{
    tokio::{
        spawn,
        sync::{Mutex, Notify, Semaphore, mpsc, oneshot},
        task::JoinSet,
    },
    watch, within_async,
};

use crate::props::{an_hour, block_on, ms, programs, run};

/// The future hangs, and the panic that ends it is the message.
fn run_async<F: Future<Output = ()> + Send + 'static>(future: F) {
    // Outside of what watches the thread that calls this.
    let hangs = move || block_on(within_async(ms(300), future));
    let panic = thread::spawn(hangs).join().expect_err("it hangs");
    let said = panic
        .downcast_ref::<String>()
        .expect("it panics with a text");
    std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes()).expect("it can be said");
    process::exit(1);
}

async fn two_in_a_cycle() {
    async fn both(one: Arc<Mutex<()>>, other: Arc<Mutex<()>>) {
        let _one = one.lock().await;
        yield_now().await;
        drop(other.lock().await);
    }
    let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
    spawn(watch("ab", both(a.clone(), b.clone())));
    spawn(watch("ba", both(b, a)));
}

programs! { "causes.rs";
    pending_beside_a_panic("task 2 'worker' panicked.", "'main' returned Pending, and keeps no clone of its waker, so nothing can wake it.", "that is meant so in std::future::pending()") {
        run(async {
            spawn(watch("worker", async { panic!("no such account") }));
            pending::<()>().await;
        });
    }

    pending_beside_a_panic_within_a_task("task 2 'worker' panicked.", "'lab/probe/tests/verdicts/causes.rs:", "and keeps no clone of its waker, so nothing can wake it.") {
        run_async(async {
            spawn(watch("worker", async { panic!("no such account") }));
            pending::<()>().await;
        });
    }

    pending_beside_a_cycle("a cycle of waits, unless another task can free one of these: 'ab'", "task 1 'main' returned Pending, and keeps no clone of its waker, so nothing can wake it.") {
        run(async {
            two_in_a_cycle().await;
            pending::<()>().await;
        });
    }

    pending_beside_a_cycle_within_a_task("a cycle of waits, unless another task can free one of these: 'ab'", "keeps no clone of its waker, so nothing can wake it.") {
        run_async(async {
            two_in_a_cycle().await;
            pending::<()>().await;
        });
    }

    pending_beside_one_that_waits_within_a_task("task 2 'worker' returned Pending", "nobody has notified it so far", "keeps no clone of its waker, so nothing can wake it.") {
        run_async(async {
            spawn(watch("worker", async { Notify::new().notified().await })); // <- here
            sleep(ms(1)).await;
            pending::<()>().await;
        });
    }

    // Its end is not all that `main` waits for.
    pending_that_is_joined_beside_a_wait("task 1 'main' returned Pending", "keeps no clone of its waker, so nothing can wake it.") {
        run(async {
            let (_sender, answer) = oneshot::channel::<()>();
            let service = spawn(async { pending::<()>().await });
            tokio::select! { // <- here
                _ = service => {}
                _ = answer => {}
            }
        });
    }

    broken_promise_that_is_joined_within_a_task("task 2 'lab/probe/tests/verdicts/causes.rs:", "returned Pending, but no clone of its waker was kept.", "waits for the end of task 2") {
        run_async(async {
            spawn(async { poll_fn(|_| Poll::<()>::Pending).await }).await.unwrap(); // <- here
        });
    }

    // The set is left behind with the answer, as the body of a loop over a stream leaves its buffer.
    answer_is_left_in_a_set("task 1 'main' returned Pending", "its time has not come", "waits for the sender of", "1 message is in the channel, and all who had it are gone; nothing has polled this wait since; 'main' used one last at lab/probe/tests/verdicts/causes.rs:", "nothing has polled this wait since") {
        run(async {
            let (sender, answer) = oneshot::channel();
            let mut all: FuturesUnordered<_> = [async { answer.await.unwrap() }].into_iter().collect();
            assert!(poll!(all.next()).is_pending());
            sender.send(1).unwrap(); // <- here
            sleep(an_hour()).await; // <- here
        });
    }

    messages_are_left_in_a_channel("task 1 'main' returned Pending", "its time has not come", "2 messages are in the channel", "nothing has polled this wait since") {
        run(async {
            let (sender, mut inbox) = mpsc::channel(4);
            let mut all: FuturesUnordered<_> = [async { inbox.recv().await }].into_iter().collect(); // <- here
            assert!(poll!(all.next()).is_pending());
            sender.send(1).await.unwrap();
            sender.try_send(2).unwrap();
            sleep(an_hour()).await; // <- here
        });
    }

    // As the one before, but sent into places that were kept.
    messages_are_left_by_permits("task 1 'main' returned Pending", "its time has not come", "2 messages are in the channel", "nothing has polled this wait since") {
        run(async {
            let (sender, mut inbox) = mpsc::channel(4);
            let mut all: FuturesUnordered<_> = [async { inbox.recv().await }].into_iter().collect(); // <- here
            assert!(poll!(all.next()).is_pending());
            sender.reserve().await.unwrap().send(1);
            sender.try_reserve().unwrap().send(2);
            sleep(an_hour()).await; // <- here
        });
    }

    senders_are_gone_from_a_set("task 1 'main' returned Pending", "its time has not come", "all who had it are gone", "nothing has polled this wait since") {
        run(async {
            let (sender, mut inbox) = mpsc::channel::<u8>(4);
            let mut all: FuturesUnordered<_> = [async { inbox.recv().await }].into_iter().collect(); // <- here
            assert!(poll!(all.next()).is_pending());
            drop(sender);
            sleep(an_hour()).await; // <- here
        });
    }

    answer_is_left_to_a_branch("task 2 'answer' was woken, but 'main', which polls it, does not poll it any more.", "waited for the sender of lab/probe/tests/verdicts/causes.rs:", "when it was woken") {
        run(async {
            let (sender, answer) = oneshot::channel();
            let mut answer = Box::pin(watch("answer", async { answer.await.unwrap() })); // <- here
            assert!(poll!(&mut answer).is_pending());
            sender.send(1).unwrap();
            sleep(an_hour()).await;
        });
    }

    sender_is_tokios_own("task 1 'main' returned Pending", "waits for the sender of", "'main' made tokio's own of it at lab/probe/tests/verdicts/causes.rs:") {
        run(async {
            let (sender, mut inbox) = mpsc::channel::<u8>(1);
            let _sink = tokio_util::sync::PollSender::new(sender.into()); // <- here
            inbox.recv().await; // <- here
        });
    }

    permit_is_tokios_own("task 1 'main' returned Pending", "'main' made tokio's own of it at lab/probe/tests/verdicts/causes.rs:") {
        run(async {
            let places = Arc::new(Semaphore::new(1));
            let place = places.clone().acquire_owned().await.unwrap();
            let _place: tokio::sync::OwnedSemaphorePermit = place.into(); // <- here
            let _second = places.acquire().await; // <- here
        });
    }

    one_permit_for_two("task 4 'second' returned Pending", "waits for the notification of", "'main' notified one at lab/probe/tests/verdicts/causes.rs:", "'first' was notified last, at lab/probe/tests/verdicts/causes.rs:") {
        run(async {
            let ready = Arc::new(Notify::new());
            let waits = |name: &str| {
                let ready = ready.clone();
                spawn(watch(name, async move { ready.notified().await })) // <- here
            };
            let both = [waits("first"), waits("second")];
            yield_now().await;
            ready.notify_one(); // <- here
            for waiter in both {
                waiter.await.unwrap(); // <- here
            }
        });
    }

    shut_down_with_a_closure("task 1 'main' returned Pending", "waits for the end of 'closure of lab/probe/tests/verdicts/causes.rs:", "; its thread 'tokio-rt-worker' sleeps in a lock") {
        run(async {
            let (_stop, stopped) = std::sync::mpsc::channel::<()>();
            let (mut all, (begins, begun)) = (JoinSet::new(), oneshot::channel());
            all.spawn_blocking(move || { // <- here
                begins.send(()).unwrap();
                let _ = stopped.recv();
            });
            begun.await.unwrap();
            all.shutdown().await; // <- here
        });
    }

    guard_across_an_await("task 1 'main' waits inside poll for a lock that 'holds it' holds across an await.", "in the poll of 'holds it'", "task 2 'holds it' returned Pending") {
        let local = LocalSet::new();
        block_on(local.run_until(watch("main", async {
            let lock = std::rc::Rc::new(why_pending::Mutex::new(1));
            let same = lock.clone();
            spawn_local(watch("holds it", async move {
                let _guard = same.lock().unwrap(); // <- here
                sleep(an_hour()).await;
            }));
            sleep(ms(5)).await;
            *lock.lock().unwrap() += 1; // <- here
        })));
    }

    spins_by_waking_itself("task 1 'main' wakes itself in each poll.", "tokio::task::yield_now") {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(watch("main", async {
            let done = std::cell::Cell::new(false);
            while !done.get() {
                yield_now().await; // <- here
            }
        }));
    }

    one_behind_many("a cycle of waits, unless another task can free one of these: 'main' waits for the permits of", "'writer' waits for 3 of the permits of", "'main' took it at", "kept for one who came before; 'main' took it at", "'writer' waits for it at") {
        run(async {
            let pool = Arc::new(Semaphore::new(3));
            let _first = pool.acquire().await.unwrap(); // <- here
            let same = pool.clone();
            spawn(watch("writer", async move { drop(same.acquire_many(3).await) })); // <- here
            yield_now().await;
            drop(pool.acquire().await); // <- here
        });
    }

    one_behind_many_that_come("task", "'main' returned Pending", "kept for one who came before", "'writer' returned Pending", "its time has not come") {
        run(async {
            let pool = Arc::new(Semaphore::new(3));
            let (first, other) = (pool.clone().acquire_owned().await.unwrap(), pool.clone());
            spawn(watch("sleeps", async move { sleep(an_hour()).await; drop(first) }));
            spawn(watch("sleeps too", async move { let _one = other.acquire().await; sleep(an_hour()).await }));
            let same = pool.clone();
            yield_now().await;
            spawn(watch("writer", async move { drop(same.acquire_many(3).await) })); // <- here
            yield_now().await;
            drop(pool.acquire().await); // <- here
        });
    }

    at_work_and_waits("task 2 'has it' returned Pending", "task 1 'main' is still at work.", "waits for the sender of", "'has it' used it last at lab/probe/tests/verdicts/causes.rs:") {
        run(async {
            let (sender, mut inbox) = mpsc::channel(1);
            spawn(watch("has it", async move {
                sender.send(1).await.unwrap(); // <- here
                sleep(an_hour()).await;
                drop(sender);
            }));
            let mut beat = interval(ms(5));
            loop {
                tokio::select! {
                    got = inbox.recv() => if got.is_none() { break }, // <- here
                    _ = beat.tick() => {}
                }
            }
        });
    }

    // The lock may be free in a moment.
    holds_it_and_is_at_work("task 2 'has it' is still at work.", "'main' returned Pending", "'has it' took it at lab/probe/tests/verdicts/causes.rs:") {
        run(async {
            let lock = Arc::new(Mutex::new(1));
            let same = lock.clone();
            spawn(watch("has it", async move {
                let _guard = same.lock().await;
                loop {
                    sleep(ms(5)).await;
                }
            }));
            yield_now().await;
            *lock.lock().await += 1; // <- here
        });
    }

    permit_is_not_returned("task 1 'main' returned Pending", "and has ended: it gave it away or forgot it") {
        run(async {
            let lock = Arc::new(Mutex::new(1));
            let same = lock.clone();
            spawn(async move { forget(same.lock_owned().await) }).await.unwrap(); // <- here
            *lock.lock().await += 1; // <- here
        });
    }

    inner_is_the_cause("task 2 'inner' returned Pending", "waits for the notification of", "nobody has notified it so far", "task 1 'main' returned Pending") {
        run(async {
            let event = Notify::new();
            tokio::join!(sleep(an_hour()), watch("inner", event.notified())); // <- here
        });
    }

    end_of_the_cause("task 2 'worker' returned Pending", "nobody has notified it so far", "task 1 'main' returned Pending", "waits for the end of task 3 'lab/probe/tests/verdicts/causes.rs:", "waits for 'worker', which it polls") {
        run(async {
            let hangs = watch("worker", async { Notify::new().notified().await }); // <- here
            let mut all = JoinSet::new();
            all.spawn(hangs);
            all.join_next().await; // <- here
        });
    }
}
