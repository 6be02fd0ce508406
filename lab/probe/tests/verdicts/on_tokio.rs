//! On tokio.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::Arc,
    task::{Poll, Waker},
    thread,
};

use futures::{StreamExt, future::join_all, stream, stream::FuturesUnordered};
use probe::{watch, within_async};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    runtime::Runtime,
    select, spawn,
    sync::{Barrier, Mutex, Notify, RwLock, Semaphore, broadcast, mpsc, oneshot, watch as last},
    task::{LocalSet, spawn_blocking, spawn_local, yield_now},
    time::{interval, sleep, timeout},
};

use crate::props::{Lock, an_hour, block_on, ms, run, takes_two};

macro_rules! programs {
    ($($name:ident $body:block)*) => {
        pub(crate) const ALL: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
        $(fn $name() $body)*
    };
}

programs! {
    // The lock is given to `first`, which the select has left behind.
    passed_by {
        run(async {
            let lock = Lock::default();
            let guard = lock.lock().await;
            let mut first = pin!(watch("first", lock.lock()));
            select! {
                biased;
                _ = &mut first => {}
                () = async {} => {
                    drop(guard);
                    drop(watch("second", lock.lock()).await);
                }
            }
        });
    }

    // The body of the loop awaits a permit that a buffered future has got.
    buffered_and_not_polled {
        run(async {
            let permits = Arc::new(Semaphore::new(1));
            let work = stream::iter(0..2).map(|_| {
                let permits = permits.clone();
                watch("work", async move {
                    let _permit = permits.acquire_owned().await.unwrap();
                    yield_now().await;
                })
            });
            let mut work = work.buffer_unordered(2);
            while let Some(()) = work.next().await {
                drop(watch("body", permits.acquire()).await); // waits
            }
        });
    }

    // A join of one's own that polls each child once.
    join_forgets_a_child {
        run(async {
            let event = Notify::new();
            let mut left = Some(Box::pin(watch("left", event.notified())));
            let mut right = Box::pin(watch("right", sleep(an_hour())));
            poll_fn(|cx| {
                if let Some(mut it) = left.take() {
                    if it.as_mut().poll(cx).is_pending() {
                        std::mem::forget(it);
                        event.notify_waiters();
                    }
                }
                right.as_mut().poll(cx)
            })
            .await;
        });
    }

    child_is_ready_and_join_is_not {
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

    cancelled_read {
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
                    _ = watch("read", here.read_exact(&mut four)) => break,
                    _ = tick.tick() => {}
                }
            }
        });
    }

    cancelled_by_timeout {
        run(async {
            loop {
                if timeout(ms(5), watch("connect", sleep(an_hour()))).await.is_ok() {
                    break;
                }
            }
        });
    }

    none_kept_after_a_sleep {
        run(async {
            sleep(ms(1)).await;
            pending::<()>().await;
        });
    }

    none_kept_after_a_select {
        run(async {
            select! {
                biased;
                () = sleep(an_hour()) => {}
                () = async {} => {}
            }
            pending::<()>().await;
        });
    }

    drop_waits_for_a_thread {
        let runtime = Runtime::new().unwrap();
        runtime.block_on(watch("main", async {
            drop(spawn_blocking(|| thread::sleep(an_hour())));
        }));
    }

    circle_of_locks {
        block_on(async {
            let (a, b) = (Lock::default(), Lock::default());
            let ab = spawn(watch("ab", takes_two(a.clone(), b.clone())));
            spawn(watch("ba", takes_two(b, a)));
            ab.await.unwrap();
        });
    }

    executor_in_a_poll {
        let runtime = Runtime::new().unwrap();
        let outer = watch("outer", async {
            let lock = RwLock::new(());
            let inner = watch("inner", async {
                for _ in 0..200 {
                    drop(lock.read().await);
                }
            });
            futures::executor::block_on(inner);
        });
        runtime.block_on(async { spawn(outer).await.unwrap() });
    }

    haystack {
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

    locked_twice {
        run(async {
            let lock = Lock::default();
            let _first = lock.lock().await;
            let _second = lock.lock().await; // waits
        });
    }

    sender_is_kept {
        run(async {
            let (sender, mut receiver) = mpsc::channel(4);
            for n in 0..3 {
                let sender = sender.clone();
                spawn(async move { sender.send(n).await });
            }
            while let Some(n) = receiver.recv().await { // waits
                assert!(n < 3);
            }
            drop(sender);
        });
    }

    full_channel {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            for n in 0..3 {
                sender.send(n).await.unwrap(); // waits
            }
            drop(sender);
            while receiver.recv().await.is_some() {}
        });
    }

    reply_never_sent {
        run(async {
            let (reply, answer) = oneshot::channel::<u32>();
            let kept = Arc::new(std::sync::Mutex::new(Some(reply)));
            answer.await.unwrap(); // waits
            drop(kept);
        });
    }

    notified_too_early {
        run(async {
            let notify = Notify::new();
            notify.notify_waiters();
            notify.notified().await; // waits
        });
    }

    permit_forgotten {
        run(async {
            let permits = Semaphore::new(1);
            permits.acquire().await.unwrap().forget();
            drop(permits.acquire().await.unwrap()); // waits
        });
    }

    read_and_then_write {
        run(async {
            let lock = RwLock::new(());
            let _read = lock.read().await;
            drop(lock.write().await); // waits
        });
    }

    barrier_of_three {
        run(async {
            let barrier = Arc::new(Barrier::new(3));
            let other = barrier.clone();
            spawn(async move { other.wait().await });
            barrier.wait().await; // waits
        });
    }

    watch_never_changed {
        run(async {
            let (_sender, mut receiver) = last::channel(1);
            receiver.changed().await.unwrap(); // waits
        });
    }

    broadcast_is_silent {
        run(async {
            let (_sender, mut receiver) = broadcast::channel::<u32>(1);
            receiver.recv().await.unwrap(); // waits
        });
    }

    accepts {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            loop {
                let (_socket, _) = listener.accept().await.unwrap(); // waits
            }
        });
    }

    peer_says_nothing {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let to = listener.local_addr().unwrap();
            let client = tokio::net::TcpStream::connect(to).await.unwrap();
            let (mut server, _) = listener.accept().await.unwrap();
            let mut all = Vec::new();
            server.read_to_end(&mut all).await.unwrap(); // waits
            drop(client);
        });
    }

    joins_a_task_that_waits {
        run(async {
            let (_sender, mut receiver) = mpsc::channel::<u32>(1);
            let worker = spawn(watch("worker", async move { receiver.recv().await }));
            worker.await.unwrap(); // waits
        });
    }

    shutdown_circle {
        run(async {
            let (done, mut all_done) = mpsc::channel::<()>(1);
            let (_stop, mut stopped) = broadcast::channel::<()>(1);
            spawn(watch("connection", async move {
                let _done = done;
                let _ = stopped.recv().await;
            }));
            let _ = all_done.recv().await; // waits
        });
    }

    local_task_never_polled {
        let local = LocalSet::new();
        let task = local.spawn_local(watch("local", async {}));
        block_on(watch("main", task)).unwrap();
    }

    yields_in_a_loop {
        run(async {
            let done = std::cell::Cell::new(false);
            while !done.get() {
                yield_now().await; // waits
            }
        });
    }

    blocks_the_only_thread {
        run(async {
            let (sender, receiver) = std::sync::mpsc::channel();
            spawn(watch("sends", async move { sender.send(1).unwrap() }));
            receiver.recv().unwrap();
        });
    }

    std_lock_across_an_await {
        let lock = std::sync::Mutex::new(());
        run(async {
            #[expect(clippy::await_holding_lock, reason = "that is the fault")]
            let one = async {
                let _guard = lock.lock().unwrap();
                sleep(ms(1)).await;
            };
            let two = async { drop(lock.lock().unwrap()) };
            tokio::join!(watch("one", one), watch("two", two));
        });
    }

    send_behind_its_own {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            sender.send(0).await.unwrap();
            let mut first = pin!(watch("first", sender.send(1)));
            select! {
                biased;
                _ = &mut first => {}
                () = sleep(ms(1)) => {}
            }
            receiver.recv().await.unwrap();
            watch("second", sender.send(2)).await.unwrap();
        });
    }

    blocks_within_a_task {
        block_on(within_async(ms(50), async {
            thread::sleep(an_hour());
        }));
    }

    unordered_inside_select {
        run(async {
            let events: Vec<_> = (0..3).map(|_| Notify::new()).collect();
            let part = |n: usize| watch(format!("part {n}"), events[n].notified());
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

    joined_with_one_that_waits {
        run(async {
            let notify = Notify::new();
            let parts = (0..2).map(|n| {
                let notify = &notify;
                watch(format!("part {n}"), async move {
                    sleep(ms(n)).await;
                    notify.notified().await;
                })
            });
            join_all(parts).await;
        });
    }

    on_a_local_set {
        let local = LocalSet::new();
        block_on(local.run_until(watch("main", async {
            let lock = std::rc::Rc::new(Mutex::new(()));
            let other = lock.clone();
            let _guard = lock.lock().await;
            let task = spawn_local(watch("inside", async move { drop(other.lock().await) }));
            task.await.unwrap(); // waits
        })));
    }

    owner_is_gone {
        run(async {
            let event = Notify::new();
            let mut future = Box::pin(watch("left", event.notified()));
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

    one_place_for_two {
        run(async {
            let place: std::sync::Mutex<Option<Waker>> = std::sync::Mutex::default();
            let waits = || poll_fn(|cx| {
                *place.lock().unwrap() = Some(cx.waker().clone());
                Poll::<()>::Pending
            });
            tokio::join!(watch("one", waits()), watch("two", waits()));
        });
    }
}
