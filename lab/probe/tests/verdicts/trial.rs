//! After a blind trial: where its verdicts were vague.

use std::{
    future::{pending, poll_fn},
    pin::Pin,
    sync::{Arc, mpsc as std_mpsc},
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf, duplex},
    runtime::Builder,
    spawn,
    task::LocalSet,
    time::{sleep, timeout},
};
use why_pending::{
    Mutex as StdMutex,
    tokio::{
        sync::{Barrier, Mutex, MutexGuard, Notify, broadcast, mpsc, oneshot},
        task::spawn_blocking as watched_blocking,
    },
    watch,
};

use crate::props::{an_hour, block_on, ms, programs, run};

/// Each of the channels is made in this line.
fn inbox(room: usize) -> (mpsc::Sender<u8>, mpsc::Receiver<u8>) {
    mpsc::channel(room)
}

async fn enter(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().await
}

programs! { "trial.rs";
    // As hyper reads and writes.
    empty_pipe_in_memory("task 1 'main' returned Pending", "the other side has sent nothing more") {
        run(async {
            let (mut here, _there) = duplex(8);
            let mut space = [0];
            let read = |cx: &mut Context<'_>| Pin::new(&mut here).poll_read(cx, &mut ReadBuf::new(&mut space));
            poll_fn(read).await.unwrap(); // <- here
        });
    }

    full_pipe_in_memory("task 1 'main' returned Pending", "the other side does not read") {
        run(async {
            let (mut here, _there) = duplex(8);
            loop {
                poll_fn(|cx| Pin::new(&mut here).poll_write(cx, b"12345")).await.unwrap(); // <- here
            }
        });
    }

    // The poll of the watchdog itself ends the closure.
    closure_returns_late("task 1 'main' returned Pending", "had not returned when the time was up, and has returned by now.") {
        run(async {
            let (ends, is_over) = std_mpsc::channel();
            let closure = watched_blocking(move || is_over.recv().unwrap());
            let mut polls = 0;
            poll_fn(move |cx: &mut Context<'_>| {
                std::mem::forget(cx.waker().clone());
                polls += 1;
                if polls == 2 {
                    ends.send(()).unwrap();
                    while !closure.is_finished() {
                        std::thread::yield_now();
                    }
                }
                Poll::<()>::Pending
            })
            .await;
        });
    }

    never_has_to_wait("task 1 'main' is still at work.", "what it awaited was ready each time") {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            loop {
                sender.send(1).await.unwrap(); // <- here
                receiver.recv().await.unwrap();
            }
        });
    }

    channels_of_a_helper("a cycle of waits", "'asks' waits for the receiver", "'answers' waits for the sender") {
        block_on(async {
            let ((requests, mut inbox_of_one), (answers, mut inbox_of_other)) = (inbox(1), inbox(1));
            let asks = spawn(watch("asks", async move {
                answers.send(0).await.unwrap();
                for request in 0..3 {
                    requests.send(request).await.unwrap(); // <- here
                }
                answers.send(1).await.unwrap();
            }));
            spawn(watch("answers", async move {
                inbox_of_one.recv().await.unwrap();
                inbox_of_other.recv().await.unwrap();
                inbox_of_other.recv().await.unwrap(); // <- here
                inbox_of_one.recv().await.unwrap();
            }));
            asks.await.unwrap();
        });
    }

    locks_of_a_helper("a cycle of waits, unless another task can free one of these", "'one' waits for the lock of", "'two' waits for the lock of") {
        async fn both(first: &Mutex<()>, second: &Mutex<()>) {
            let _first = enter(first).await;
            sleep(ms(5)).await;
            enter(second).await; // <- here
        }
        run(async {
            let (a, b) = (Mutex::default(), Mutex::default());
            tokio::join!(watch("one", both(&a, &b)), watch("two", both(&b, &a)));
        });
    }

    pending_on_purpose_beside_a_wait("task 1 'main' returned Pending, and waits for an event", "'main' made it", "keeps no clone of its waker, so nothing can wake it.") {
        run(async {
            spawn(watch("keeps the service alive", async { pending::<()>().await }));
            let (_sender, answer) = oneshot::channel::<()>();
            sleep(ms(5)).await;
            answer.await.unwrap(); // <- here
        });
    }

    broken_promise_that_is_joined("task 2 'broken' returned Pending, but no clone of its waker was kept.") {
        run(async {
            spawn(watch("broken", async { poll_fn(|_| Poll::<()>::Pending).await })).await.unwrap(); // <- here
        });
    }

    local_task_of_a_set_that_is_left("task 2 'local' was woken, but 'main', which polls it, does not poll it any more.", "a join of its own, a LocalSet,") {
        let local = LocalSet::new();
        run(async {
            let (sender, answer) = oneshot::channel();
            let (first, mut begun) = mpsc::channel(1);
            let task = local.spawn_local(watch("local", async move {
                first.send(()).await.unwrap();
                answer.await.unwrap();
            }));
            local.run_until(async { begun.recv().await.unwrap() }).await;
            sender.send(()).unwrap();
            task.await.unwrap(); // <- here
        });
    }

    // The runtime's own thread waits for the one that needs it.
    handle_polls_no_task("task", "'client' returned Pending", "'server' was never polled.", "Handle::block_on") {
        let runtime = Builder::new_current_thread().build().unwrap();
        let handle = runtime.handle().clone();
        let client = std::thread::spawn(move || {
            let (reply, answer) = oneshot::channel();
            handle.spawn(watch("server", async move { reply.send(()).unwrap() }));
            handle.block_on(watch("client", answer)).unwrap(); // <- here
        });
        client.join().unwrap();
    }

    // The listener takes an error for the end. No notification came too early: there was none.
    nobody_is_left_to_notify("task 1 'main' returned Pending", "nobody has notified it so far", "neither notify_one nor notify_waiters was called on it", "Watched: 2 futures, 1 ready (task 2 'listens').") {
        run(async {
            let (events, mut inbox) = broadcast::channel(4);
            let progress = Arc::new(Notify::new());
            let notifies = progress.clone();
            spawn(watch("listens", async move {
                while let Ok(_event) = inbox.recv().await {
                    notifies.notify_one();
                }
            }));
            for event in 0..10 {
                events.send(event).unwrap();
            }
            progress.notified().await; // <- here
        });
    }

    // By a reference to tokio's own, so that nobody sees it.
    notified_by_another_name("task 1 'main' returned Pending", "who notifies is not known", "no notification is left for this one.") {
        fn notify(event: &tokio::sync::Notify) {
            event.notify_waiters();
        }
        run(async {
            let event = Notify::new();
            notify(&event);
            event.notified().await; // <- here
        });
    }

    // The wait that was cancelled has counted, and so the other one has gone on.
    comes_twice_to_the_barrier("task", "task 2 'first' returned Pending", "1 of 2 have come: this very task", "Watched: 3 futures, 1 ready (task 3 'second').") {
        run(async {
            let both = Arc::new(Barrier::new(2));
            let second = both.clone();
            let first = spawn(watch("first", async move {
                let _ = timeout(ms(5), both.wait()).await;
                sleep(ms(20)).await;
                both.wait().await; // <- here
            }));
            spawn(watch("second", async move {
                sleep(ms(10)).await;
                second.wait().await;
            }));
            first.await.unwrap();
        });
    }

    // Each worker of a runtime has the same name.
    lock_of_a_worker_that_blocks("task", "'steps' is inside poll, and poll does not return.", "'submits' waits inside poll for a lock that another thread holds.", "by thread 'tokio-rt-worker' in the poll of 'steps', wanted at") {
        let mut workers = Builder::new_multi_thread();
        let runtime = workers.worker_threads(2).build().unwrap();
        let engine = Arc::new(StdMutex::new(0));
        let (same, (takes, is_taken)) = (engine.clone(), std_mpsc::channel());
        runtime.spawn(watch("steps", async move {
            let _engine = engine.lock().unwrap(); // <- here
            takes.send(()).unwrap();
            std::thread::sleep(an_hour());
        }));
        is_taken.recv().unwrap();
        runtime.block_on(runtime.spawn(watch("submits", async move {
            *same.lock().unwrap() += 1; // <- here
        }))).unwrap();
    }
}
