//! On tokio, with the locks, channels and tasks of `why_pending::tokio`: who has what is waited for.

use std::{pin::pin, sync::Arc};

use futures::{StreamExt, poll, stream::FuturesUnordered};
use tokio::time::{sleep, timeout};
use why_pending::{
    Resource,
    tokio::{
        spawn,
        sync::{Mutex, MutexGuard, Notify, Semaphore, broadcast, mpsc, oneshot},
        task::JoinSet,
    },
    watch,
};

use crate::props::{an_hour, ms, programs, run};

type Lock = Arc<Mutex<()>>;

programs! { "with_names.rs";
    known_sender("task 1 'main' returned Pending", "waits for the sender of", "'main' made it at") { // tokio#1761
        run(async {
            let (sender, mut receiver) = mpsc::channel(4); // <- here
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

    sender_in_a_task_that_lives_on("task 1 'main' returned Pending", "'main' made it at", "nothing was sent or received by it yet; it may have been moved into a task that 'main' has made since: 'refreshes'", "task 3 'refreshes' returned Pending") { // tod#1640
        run(async {
            let (errors, mut reported) = mpsc::channel::<u8>(4); // <- here
            let checks = errors.clone();
            spawn(async move { checks.send(1).await });
            spawn(watch("refreshes", async move {
                sleep(an_hour()).await; // <- here
                errors.send(2).await.unwrap();
            }));
            while reported.recv().await.is_some() {} // <- here
        });
    }

    known_receiver("task 1 'main' returned Pending", "waits for the receiver of", "'main' made it at", "task 2 'receives later' returned Pending", "waits for the sender of") {
        run(async {
            let (sender, receiver) = mpsc::channel(1);
            let (stop, stopped) = oneshot::channel::<()>();
            spawn(watch("receives later", async move {
                stopped.await.unwrap(); // <- here
                drop(receiver);
            }));
            for n in 0..3 {
                sender.send(n).await.unwrap(); // <- here
            }
            stop.send(()).unwrap();
        });
    }

    // A guard of a part holds the whole, and a lock without an allocation has a name as well.
    mapped_guard("a cycle of waits, unless another task can free one of these: 'main' waits for the lock of", "'main' took it at") {
        static PAIR: Mutex<(u8, u8)> = Mutex::const_new((1, 2));
        run(async {
            let first = MutexGuard::map(PAIR.lock().await, |pair| &mut pair.0); // <- here
            PAIR.lock().await.1 = *first; // <- here
        });
    }

    split_permits("a cycle of waits", "0 of 3 free; 'main' took 2 of it at", "'main' took it at") {
        run(async {
            let permits = Semaphore::new(3);
            let mut three = permits.acquire_many(3).await.unwrap(); // <- here
            let _one = three.split(1).unwrap();
            let _another = permits.acquire().await.unwrap(); // <- here
        });
    }

    // Each asks the other, by a message that has the reply with it. Nobody has used that yet, but who has the inbox is known.
    replies_in_a_cycle("a cycle of waits, unless one of these waits for more than this, or has given away what it used last:", "perhaps it went with the message that 'first' sent into the channel of", "'second' used its receiver last at") { // xtra#13
        type Ask = oneshot::Sender<u8>;
        async fn ask(inbox: mpsc::Sender<Ask>) -> u8 {
            let (reply, answer) = oneshot::channel();
            inbox.send(reply).await.unwrap();
            answer.await.unwrap() // <- here
        }
        run(async {
            let [first, second] = [(); 2].map(|()| mpsc::channel::<Ask>(4));
            let to_first = first.0.clone();
            for (name, mut inbox, other) in [("first", first.1, second.0), ("second", second.1, first.0)] {
                spawn(watch(name, async move {
                    while let Some(reply) = inbox.recv().await {
                        reply.send(ask(other.clone()).await).unwrap();
                    }
                }));
            }
            ask(to_first).await;
        });
    }

    // The one that has the inbox waits for its next message. It has taken that one, and there is no cycle.
    reply_is_kept("task 1 'main' returned Pending", "perhaps it went with the message that 'main' sent into the channel of", "'keeps it' used its receiver last at", "task 2 'keeps it' returned Pending") {
        run(async {
            let (sender, mut inbox) = mpsc::channel::<oneshot::Sender<u8>>(4);
            spawn(watch("keeps it", async move {
                let mut kept = Vec::new();
                while let Some(reply) = inbox.recv().await { // <- here
                    kept.push(reply);
                }
            }));
            let (reply, answer) = oneshot::channel();
            sender.send(reply).await.unwrap();
            answer.await.unwrap(); // <- here
            drop(sender);
        });
    }

    // As the one before, but sent into a place that was kept.
    reply_by_permit("task 1 'main' returned Pending", "perhaps it went with the message that 'main' sent into the channel of", "'keeps it' used its receiver last at") {
        run(async {
            let (sender, mut inbox) = mpsc::channel::<oneshot::Sender<u8>>(4);
            spawn(watch("keeps it", async move {
                let mut kept = Vec::new();
                while let Some(reply) = inbox.recv().await { // <- here
                    kept.push(reply);
                }
            }));
            let (reply, answer) = oneshot::channel();
            sender.reserve().await.unwrap().send(reply);
            answer.await.unwrap(); // <- here
            drop(sender);
        });
    }

    // It can't be in a number. And of the tasks that are over, the one is named that would have sent.
    forwarder_has_ended("task 1 'main' returned Pending", "'forwarder' used one last at", ", and has ended; that one is gone") {
        run(async {
            let (raw, mut lines) = mpsc::channel(4);
            let (out, mut page) = mpsc::unbounded_channel::<u8>();
            let _out = out.clone();
            spawn(watch("forwarder", async move {
                while let Some(line) = lines.recv().await {
                    let Some(number) = line else { return };
                    out.send(number).unwrap();
                }
            }));
            for line in [Some(1), None] {
                raw.send(line).await.unwrap();
            }
            for _ in 0..2 {
                page.recv().await.unwrap(); // <- here
            }
        });
    }

    known_of_ones_own("a cycle of waits, unless another task can free one of these: 'main' waits for the printer of", "'main' took it at") {
        run(async {
            let printer = Resource::new("printer");
            let _hold = printer.hold();
            printer.wait(watch("prints", sleep(ms(1_000_000)))).await; // <- here
        });
    }

    // The lock is given to `first`, which the branch has left behind.
    lock_given_to_one_left_behind("a cycle of waits, unless another task can free one of these: 'main' waits for 'second', which it polls. 'second' waits for a lock at", "kept for one who came before; 'first' waits for it at", "'first' was woken, but 'main', which polls it, does not poll it any more. task") { // omicron#9259
        run(async {
            let lock = Lock::default();
            let guard = lock.lock().await;
            let mut first = pin!(watch("first", lock.lock()));
            tokio::select! {
                biased;
                _ = &mut first => {}
                () = async {} => {
                    drop(guard);
                    drop(watch("second", lock.lock()).await); // <- here
                }
            }
        });
    }

    set_has_the_lock("a cycle of waits, unless another task can free one of these: 'main' waits for a lock at", "'writes' took it at", "'writes' was woken, but 'main', which polls it, does not poll it any more. task") { // wg-async#131
        run(async {
            let log = Lock::default();
            let writes = watch("writes", async {
                let _guard = log.lock().await;
                sleep(ms(5)).await;
            });
            let mut all: FuturesUnordered<_> = [writes].into_iter().collect();
            assert!(poll!(all.next()).is_pending());
            sleep(ms(20)).await;
            drop(log.lock().await); // <- here
        });
    }

    joins_with_the_lock("a cycle of waits, unless another task can free one of these: 'main' waits for the end of task 2 'lab/", "waits for a lock at", "'main' took it at") { // 10101#2218
        run(async {
            let lock = Lock::default();
            let (guard, same) = (lock.lock().await, lock.clone());
            spawn(async move { drop(same.lock().await) }).await.unwrap(); // <- here
            drop(guard);
        });
    }

    // The time limit has left the handle behind, and the sleep alone is waited for.
    limited_join_is_over("task 1 'main' returned Pending", "in tokio::time::sleep::Sleep seen", "its time has not come", "'main' took it at") {
        run(async {
            let lock = Lock::default();
            let guard = lock.clone().lock_owned().await;
            let mut other = spawn(async move { drop(lock.lock().await) });
            timeout(ms(5), &mut other).await.unwrap_err();
            sleep(an_hour()).await; // <- here
            drop(guard);
        });
    }

    wait_is_moved("task 1 'main' returned Pending", "in tokio::time::sleep::Sleep seen", "in tokio::sync::mutex who waits for a lock at", "'main' took it at") {
        run(async {
            let lock = Lock::default();
            let guard = lock.clone().lock_owned().await;
            let mut waits = Box::pin(lock.lock_owned());
            assert!(poll!(&mut waits).is_pending());
            spawn(async move { drop(waits.await) }); // <- here
            sleep(an_hour()).await; // <- here
            drop(guard);
        });
    }

    sender_waits_for_the_end("task 1 'main' returned Pending", "in tokio::sync::mpsc::bounded who waits for the receiver of", "in tokio::sync::broadcast who waits for the receiver of", "'main' made it at", "means a receiver of the channel is still there", "'has it' used it last at") {
        run(async {
            let (sender, _receiver) = mpsc::channel::<()>(1);
            let (second, _other) = broadcast::channel::<()>(1);
            let (mut third, last) = oneshot::channel::<()>();
            spawn(watch("second", async move { second.closed().await })); // <- here
            spawn(watch("has it", async move { tokio::join!(last, third.closed()) })); // <- here
            sender.closed().await; // <- here
        });
    }

    tasks_of_a_set("task", "'main' returned Pending", "waits for the end of task 2 'lab/probe/tests/verdicts/with_names.rs:", "the task that it joins is not finished.", "task 2 'lab/probe/tests/verdicts/with_names.rs:", "waits for the notification of", "nobody has notified it so far") {
        run(async {
            let mut all = JoinSet::new();
            all.spawn(async {
                let event = Notify::default();
                let mut notified = pin!(event.notified());
                assert!(!notified.as_mut().enable());
                notified.await;
            });
            all.join_all().await; // <- here
        });
    }
}
