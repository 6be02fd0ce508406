//! On tokio.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::Arc,
    task::{Poll, Waker},
    thread,
};

use futures::{
    StreamExt,
    future::{join_all, select_all},
    stream::FuturesUnordered,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    runtime::{Builder, Runtime},
    select, spawn,
    sync::{Mutex, Notify, RwLock, broadcast, mpsc},
    task::{LocalSet, spawn_local, yield_now},
    time::{interval, sleep},
};
use why_pending::{watch, within_async};

use crate::props::{an_hour, block_on, ms, programs, run};

type Lock = Arc<Mutex<()>>;

programs! { "on_tokio.rs";
    blocked_by_what_is_not_watched("task 1 'waits' was woken, and not polled since.", "busy with what is not watched") {
        block_on(async {
            let event = Arc::new(Notify::new());
            let waits = spawn(watch("waits", event.clone().notified_owned())); // <- here
            yield_now().await;
            spawn(async { thread::sleep(an_hour()) });
            event.notify_waiters();
            waits.await.unwrap();
        });
    }

    nobody_drives_its_runtime("task 1 'waits' was woken, and not polled since.", "or nobody runs it any more") {
        let (event, runtime) = (Arc::new(Notify::new()), Builder::new_current_thread().build().unwrap());
        let waits = runtime.spawn(watch("waits", event.clone().notified_owned())); // <- here
        runtime.block_on(yield_now());
        event.notify_waiters();
        futures::executor::block_on(waits).unwrap();
    }

    // The lock is given to `first`, which the select has left behind.
    passed_by("task 2 'first' was woken, but 'main', which polls it, does not poll it any more.", "task 1 'main' waits for 'second'") { // tokio#6450
        run(async {
            let lock = Lock::default();
            let guard = lock.lock().await;
            let mut first = pin!(watch("first", lock.lock())); // <- here
            select! {
                biased;
                _ = &mut first => {}
                () = async {} => {
                    drop(guard);
                    drop(watch("second", lock.lock()).await); // <- here
                }
            }
        });
    }

    child_is_ready_and_join_is_not("task 1 'main' returned Pending, but no clone of its waker was kept.") { // wasm-bindgen#1881
        run(async {
            let mut child = Some(Box::pin(watch("child", async { 1 })));
            poll_fn(move |cx| {
                if child.as_mut().is_some_and(|it| it.as_mut().poll(cx).is_ready()) {
                    child = None;
                }
                Poll::<()>::Pending
            })
            .await;
        });
    }

    cancelled_read("'main' makes 'read' (lab/probe/tests/verdicts/on_tokio.rs:", "again and again, and drops it before it is ready.", "cancel safe") { // tokio#5285
        run(async {
            let (mut there, mut here) = tokio::io::duplex(64);
            let _peer = spawn(async move {
                for byte in 1..5 {
                    there.write_all(&[byte]).await.unwrap();
                    sleep(ms(15)).await;
                }
                sleep(an_hour()).await;
            });
            let (mut tick, mut four) = (interval(ms(20)), [0; 4]);
            loop {
                select! {
                    _ = watch("read", here.read_exact(&mut four)) => break, // <- here
                    _ = tick.tick() => {}
                }
            }
        });
    }

    none_kept_after_a_sleep("task 1 'main' returned Pending, but its poll has dropped each clone of its waker", "pending()") { // rusoto#1790
        run(async {
            sleep(ms(1)).await;
            pending::<()>().await;
        });
    }

    executor_in_a_poll("task 1 'outer' is inside poll, where another executor polls 'inner'.", "spawn_blocking", "also not finished: task 2 'inner' waits in the poll of 'outer'") { // rust-playground#1121
        let runtime = Runtime::new().unwrap();
        let outer = watch("outer", async {
            let lock = RwLock::new(());
            let inner = watch("inner", async {
                for _ in 0..200 {
                    drop(lock.read().await); // <- here
                }
            });
            futures::executor::block_on(inner);
        });
        runtime.block_on(async { spawn(outer).await.unwrap() });
    }

    haystack("task 21 'ab' returned Pending", "task 22 'ba'", "likewise 19 others of the same line, 'idle 1' to 'idle 19'.") { // spacewalk#517
        async fn takes_two(one: Lock, other: Lock) {
            let _one = one.lock().await;
            yield_now().await;
            let _other = other.lock().await; // <- here
        }
        block_on(async {
            let idle = |n: u32| {
                let (sender, mut receiver) = mpsc::channel::<()>(1);
                spawn(watch(format!("idle {n}"), async move { receiver.recv().await }));
                sender
            };
            let senders: Vec<_> = (0..20).map(idle).collect();
            let (a, b) = (Lock::default(), Lock::default());
            let ab = spawn(watch("ab", takes_two(a.clone(), b.clone())));
            spawn(watch("ba", takes_two(b, a)));
            ab.await.unwrap();
            drop(senders);
        });
    }

    locked_twice("task 1 'main' returned Pending", "the lock is taken", "It may be this very task") {
        run(async {
            let lock = Lock::default();
            let _first = lock.lock().await;
            let _second = lock.lock().await; // <- here
        });
    }

    sender_is_kept("task 1 'main' returned Pending", "the channel is empty, and a sender is still there", "also the one that the others were cloned from.") { // tokio#1761
        run(async {
            let (sender, mut receiver) = mpsc::channel(4);
            for n in 0..3 {
                let sender = sender.clone();
                spawn(async move { sender.send(n).await });
            }
            while let Some(n) = receiver.recv().await { // <- here
                assert!(n < 3);
            }
            drop(sender);
        });
    }

    peer_says_nothing("task 1 'main' returned Pending", "the other side has sent nothing more, and has not closed.", "who closes?") {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let to = listener.local_addr().unwrap();
            let client = tokio::net::TcpStream::connect(to).await.unwrap();
            let (mut server, _) = listener.accept().await.unwrap();
            let mut all = Vec::new();
            server.read_to_end(&mut all).await.unwrap(); // <- here
            drop(client);
        });
    }

    shutdown_cycle("task 1 'main' returned Pending", "a sender is still there", "task 2 'connection' returned Pending", "no message is there for this receiver") { // mini-redis#39
        run(async {
            let (done, mut all_done) = mpsc::channel::<()>(1);
            let (_stop, mut stopped) = broadcast::channel::<()>(1);
            spawn(watch("connection", async move {
                let _done = done;
                let _ = stopped.recv().await;
            }));
            let _ = all_done.recv().await; // <- here
        });
    }

    yields_in_a_loop("task 1 'main' is still at work.", "each poll gives way, and is made again at once", "tokio::task::yield_now") {
        run(async {
            let done = std::cell::Cell::new(false);
            while !done.get() {
                yield_now().await; // <- here
            }
        });
    }

    // Unlike the stream of this name, it polls all of them.
    first_of_three("task 1 'main' returned Pending, and waits for an event that has not come.", "notify_one") {
        run(async {
            let events: Vec<_> = (0..3).map(|_| Notify::new()).collect();
            let waits = events.iter().map(|event| Box::pin(event.notified()));
            select_all(waits).await; // <- here
        });
    }

    blocks_the_only_thread("task 1 'main' is inside poll, and poll does not return.", "task 2 'sends' was never polled.") {
        run(async {
            let (sender, receiver) = std::sync::mpsc::channel();
            spawn(watch("sends", async move { sender.send(1).unwrap() }));
            receiver.recv().unwrap();
        });
    }

    blocks_within_a_task("task 1 'lab/probe/tests/verdicts/on_tokio.rs:", "is inside poll, and poll does not return.", "Stopped after", "50ms") {
        block_on(within_async(ms(50), async { // <- here
            thread::sleep(an_hour());
        }));
    }

    unordered_inside_select("task 2 'part 0' was woken, but 'main', which polls it, does not poll it any more.", "likewise 2 others of the same line, 'part 1' to 'part 2'.", "task 1 'main' returned Pending, and keeps no clone of its waker") {
        run(async {
            let events: Vec<_> = (0..3).map(|_| Notify::new()).collect();
            let part = |n: usize| watch(format!("part {n}"), events[n].notified()); // <- here
            let mut all: FuturesUnordered<_> = (0..3).map(part).collect();
            select! {
                biased;
                _ = all.next() => {}
                () = async {} => {}
            }
            events.iter().for_each(Notify::notify_waiters);
            pending::<()>().await;
        });
    }

    joined_with_one_that_waits("task 2 'part 0' returned Pending", "no notification is left for this one.", "likewise 'part 1', of the same line.") {
        run(async {
            let notify = Notify::new();
            let parts = (0..2).map(|n| {
                let notify = &notify;
                watch(format!("part {n}"), async move {
                    sleep(ms(n)).await;
                    notify.notified().await; // <- here
                })
            });
            join_all(parts).await;
        });
    }

    on_a_local_set("task 1 'main' returned Pending", "the task that it joins is not finished.", "task 2 'inside' returned Pending", "the lock is taken") {
        let local = LocalSet::new();
        block_on(local.run_until(watch("main", async {
            let lock = std::rc::Rc::new(Mutex::new(()));
            let other = lock.clone();
            let _guard = lock.lock().await;
            let task = spawn_local(watch("inside", async move { drop(other.lock().await) }));
            task.await.unwrap(); // <- here
        })));
    }

    owner_is_gone("task 2 'left' was woken, and never polled again: 'had it', which had polled it, is over.") {
        run(async {
            let event = Notify::new();
            let mut future = Box::pin(watch("left", event.notified())); // <- here
            let polls_once = async {
                poll_fn(|cx| {
                    assert!(future.as_mut().poll(cx).is_pending());
                    Poll::Ready(())
                })
                .await;
            };
            watch("had it", polls_once).await;
            event.notify_waiters();
            sleep(an_hour()).await;
        });
    }

    one_place_for_two("task 2 'one' returned Pending, and its waker was dropped without a wake in the poll of 'two'.") { // rust#66709
        run(async {
            let place: std::sync::Mutex<Option<Waker>> = std::sync::Mutex::default();
            let waits = || poll_fn(|cx| {
                *place.lock().unwrap() = Some(cx.waker().clone()); // <- here
                Poll::<()>::Pending
            });
            tokio::join!(watch("one", waits()), watch("two", waits()));
        });
    }
}
