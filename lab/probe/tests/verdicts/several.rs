//! On tokio, where several tasks have what is waited for: permits, places, sets of tasks, barriers and closures.

use std::{rc::Rc, sync::Arc, thread};

use futures::{FutureExt, StreamExt, stream::FuturesUnordered};
use tokio::{
    runtime::Builder,
    task::yield_now,
    time::{sleep, timeout},
};
use why_pending::{
    tokio::{
        spawn,
        sync::{Barrier, Mutex, Semaphore, mpsc, oneshot},
        task::{JoinSet, LocalSet, spawn_blocking},
    },
    watch,
};

use crate::props::{an_hour, block_on, ms, programs, run};

type Pool = Arc<Semaphore>;

fn pool(permits: usize) -> Pool {
    Arc::new(Semaphore::new(permits))
}

async fn takes_two(one: Pool, other: Pool) {
    let _one = one.acquire().await.unwrap();
    yield_now().await;
    let _other = other.acquire().await.unwrap(); // the second permit
}

/// Two tasks, of which each takes a permit of both.
async fn crosswise(a: Pool, b: Pool) {
    let ab = spawn(watch("ab", takes_two(a.clone(), b.clone())));
    spawn(watch("ba", takes_two(b, a))).await.unwrap();
    ab.await.unwrap();
}

async fn keeps<T>(it: T) {
    sleep(an_hour()).await;
    drop(it);
}

async fn has_one(pool: Pool) {
    keeps(pool.acquire().await.unwrap()).await;
}

programs! { "several.rs";
    permits_in_a_cycle("a cycle of waits, unless another task can free one of these: 'ab' waits for the permits of", "'ba' took it at", "'ba' waits for the permits of", "'ab' took it at") {
        block_on(crosswise(pool(1), pool(1))); // <- the second permit
    }

    many_permits_in_a_cycle("a cycle of waits, unless another task can free one of these: 'left' waits for 3 of the permits of", "'left' took 2 of it at", "'right' took 3 of it at", "'right' waits for 3 of the permits of") {
        async fn twice(pool: &Semaphore, first: u32) {
            let _some = pool.acquire_many(first).await.unwrap();
            yield_now().await;
            let _more = pool.acquire_many(3).await.unwrap(); // <- here
        }
        let pool = pool(6);
        block_on(async { tokio::join!(watch("left", twice(&pool, 2)), watch("right", twice(&pool, 3))) });
    }

    place_and_permit_in_a_cycle("a cycle of waits, unless one of these waits for more than this, or has given away what it used last:", "'sends' waits for the receiver of", "'receives' used it last at", "'receives' waits for the permits of", "'sends' took it at") {
        let (pool, (sender, mut receiver)) = (pool(1), mpsc::channel(1));
        let sends = async {
            let _permit = pool.acquire().await.unwrap();
            for n in 0..4 {
                sender.send(n).await.unwrap(); // <- here
            }
        };
        let receives = async {
            while receiver.recv().await.is_some() {
                drop(pool.acquire().await.unwrap()); // <- here
            }
        };
        block_on(async { tokio::join!(watch("sends", sends), watch("receives", receives)) });
    }

    // From here on, most look like a cycle and are none.
    one_who_runs_has_a_permit("task", "'ab' returned Pending", "'ba' took it at", "'third' took it at", "its time has not come") {
        block_on(async {
            let (a, b) = (pool(2), pool(1));
            spawn(watch("third", has_one(a.clone())));
            crosswise(a, b).await; // <- the second permit
        });
    }

    permits_are_added("task", "'ab' returned Pending", "'ba' took it at", "'ab' took it at") {
        block_on(async {
            let (a, b) = (pool(0), pool(1));
            a.add_permits(1);
            crosswise(a, b).await; // <- the second permit
        });
    }

    permits_under_a_time_limit("task", "'limited' returned Pending", "'ba' took it at", "'limited' took it at") {
        block_on(async {
            let (a, b) = (pool(1), pool(1));
            spawn(watch("limited", timeout(an_hour(), takes_two(a.clone(), b.clone())))); // <- the second permit
            spawn(watch("ba", takes_two(b, a))).await.unwrap();
        });
    }

    permit_of_a_static_is_given_away("a cycle of waits, unless another task can free one of these: 'main' waits for the permits of", "'main' took it at") {
        run(async {
            let pool: &'static Semaphore = Box::leak(Box::new(Semaphore::new(1)));
            spawn(keeps(pool.acquire().await.unwrap()));
            drop(pool.acquire().await.unwrap()); // <- here
        });
    }

    wait_that_is_left_behind("task 1 'main' returned Pending", "kept for its own wait at", "which is not polled any more") {
        run(async {
            let lock = Mutex::new(());
            let guard = lock.lock().await;
            let mut first = Box::pin(lock.lock());
            tokio::select! { _ = &mut first => {}, () = sleep(ms(10)) => {} }
            drop(guard);
            drop(lock.lock().await); // <- here
        });
    }

    small_ones_behind_a_big_one("task 1 'main' returned Pending", "waits for 3 of the permits of", "2 of 3 free; task 2", "0 of 3 free, 2 kept for one who came before; task 2", "likewise 2 others of the same line, task 4 'lab/probe/tests/verdicts/several.rs:128', task 6") {
        run(async {
            let pool = pool(3);
            let asks = |many| { let pool = pool.clone(); spawn(async move { keeps(pool.acquire_many(many).await.unwrap()).await }) }; // <- here
            asks(1);
            yield_now().await;
            [1, 1, 1, 1].map(asks)[2].abort();
            drop(pool.acquire_many(3).await); // <- here
        });
    }

    place_is_reserved("task 1 'main' returned Pending", "no place is free in the channel", "one is reserved", "'receives' used it last at", "'main' reserved a place at") {
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            spawn(watch("receives", async move { while receiver.recv().await.is_some() {} }));
            let _place = sender.reserve().await.unwrap();
            sender.send(1).await.unwrap(); // <- here
        });
    }

    permit_goes_with_a_task("task 1 'main' returned Pending", "'main' took it at", "its time has not come") {
        run(async {
            let pool = pool(1);
            loop {
                spawn(keeps(pool.clone().acquire_owned().await.unwrap())); // <- here
            }
        });
    }

    // One has the lock and sleeps, and the other waits for it, in the same task.
    turns_in_a_set("task 1 'main' returned Pending", "waits for the lock of", "'main' took it at") {
        run(async {
            let lock = Mutex::new(());
            let turn = |_| async { keeps(lock.lock().await).await };
            let mut all: FuturesUnordered<_> = (0..2).map(turn).collect();
            while all.next().await.is_some() {} // <- here
        });
    }

    places_of_one_line("task 1 'main' returned Pending", "waits for the sender of", "'main' made it at lab/probe/tests/verdicts/several.rs:", "and nothing was sent or received by it yet, 3 times") {
        run(async {
            let (sender, mut receiver) = mpsc::channel::<u8>(1);
            let _clones = [(); 3].map(|()| sender.clone());
            drop(sender);
            receiver.recv().await; // <- here
        });
    }

    turns_of_two_tasks("task 2 'lab/probe/tests/verdicts/several.rs:176' returned Pending", "at tests/verdicts/several.rs:176, in tokio::time::sleep::Sleep seen polled", "at tests/verdicts/several.rs:176, in tokio::sync::mutex who waits for the lock of", "; task 2 'lab/probe/tests/verdicts/several.rs:176' took it at") {
        run(async {
            let lock = Arc::new(Mutex::new(()));
            let turns = |_| { let lock = lock.clone(); spawn(async move { for time in [ms(20), ms(20), an_hour()] { let _turn = lock.lock().await; sleep(time).await } }) }; // <- here
            for it in [0, 1].map(turns) { it.await.unwrap() } // <- here
        });
    }

    // The task itself is not watched.
    task_of_a_runtime_that_nothing_drives("task 1 'main' returned Pending", "the task that it joins is not finished.", "one of a runtime on a single thread only in its Runtime::block_on.") {
        let other = Builder::new_current_thread().build().unwrap();
        run(async { other.spawn(async {}).await.unwrap() }); // <- here
    }

    // An owned guard may have been given away, so nothing is said of a cycle.
    philosophers_with_owned_guards("task 2 'lab/probe/tests/verdicts/several.rs:194' returned Pending", "likewise 2 others", "task 3 'lab/probe/tests/verdicts/several.rs:194' waits for the lock of", "; task 4 'lab/probe/tests/verdicts/several.rs:194' took it at", "task 4 'lab/probe/tests/verdicts/several.rs:194' waits for the lock of", "; task 2 'lab/probe/tests/verdicts/several.rs:194' took it at") {
        run(async {
            let forks = [(); 3].map(|()| Arc::new(Mutex::new(())));
            let mut all = JoinSet::new();
            for seat in 0..3 {
                let [left, right] = [seat, (seat + 1) % 3].map(|fork| forks[fork].clone());
                all.spawn(async move {
                    let _left = left.lock_owned().await;
                    yield_now().await;
                    let _right = right.lock_owned().await; // <- here
                });
            }
            while all.join_next().await.is_some() {} // <- here
        });
    }

    first_of_two_handles("task 2 'lab/probe/tests/verdicts/several.rs:", "task 1 'main' returned Pending", "waits for the end of task 2", "waits for the end of task 3", "'main' took it at", "its time has not come") {
        run(async {
            let pool = pool(1);
            let _permit = pool.acquire().await.unwrap();
            let both = [spawn(has_one(pool.clone())), spawn(sleep(an_hour()))];
            let mut all: FuturesUnordered<_> = both.into_iter().collect();
            all.next().await; // <- here
        });
    }

    set_waits_for_the_permit("a cycle of waits, unless another task can free one of these: 'main' waits for the end of task 2 'lab/probe/tests/verdicts/several.rs:", "or task 3 'lab/probe/tests/verdicts/several.rs:", "waits for the permits of", "'main' took it at") {
        run(async {
            let (pool, mut all) = (pool(1), JoinSet::new());
            let _permit = pool.acquire().await.unwrap();
            all.spawn(has_one(pool.clone())); // <- here
            all.spawn(has_one(pool.clone())); // <- here
            while all.join_next().await.is_some() {} // <- here
        });
    }

    one_of_the_set_runs("task 2 'lab/probe/tests/verdicts/several.rs:", "task 1 'main' returned Pending", "waits for the end of task 2 'lab/probe/tests/verdicts/several.rs:", "or task 3 'lab/probe/tests/verdicts/several.rs:", "'main' took it at") {
        run(async {
            let (pool, mut all) = (pool(1), JoinSet::new());
            let _permit = pool.acquire().await.unwrap();
            all.spawn(has_one(pool.clone())); // <- here
            all.spawn(sleep(an_hour())); // <- here
            while all.join_next().await.is_some() {} // <- here
        });
    }

    one_does_not_come_to_the_barrier("task 1 'main' returned Pending", "waits for the barrier of", "3 of 4 have come, counting 1 whose wait was dropped; 'comes' waits for it at lab/probe/tests/verdicts/several.rs:", "its time has not come") {
        let barrier = Barrier::new(4);
        block_on(async {
            let _ = timeout(ms(5), barrier.wait()).await;
            let (main, comes) = (watch("main", barrier.wait()), watch("comes", barrier.wait())); // <- here
            tokio::join!(watch("is late", sleep(an_hour())), main, comes);
        });
    }

    closure_that_does_not_return("task 1 'main' returned Pending", "waits for the end of 'closure of lab/probe/tests/verdicts/several.rs:", "; its thread 'tokio-rt-worker' sleeps in a lock") {
        run(async {
            let (_stop, stopped) = std::sync::mpsc::channel::<()>();
            spawn_blocking(move || stopped.recv()).await.unwrap().unwrap(); // <- here
        });
    }

    drop_waits_for_a_closure("not finished: task 1 'closure of lab/probe/tests/verdicts/several.rs:", "apart from that, every watched future is ready or dropped, but the run does not end", "shutdown_timeout") {
        block_on(async {
            drop(spawn_blocking(|| thread::sleep(an_hour()))); // <- here
        });
    }

    closure_of_a_set("task 1 'main' returned Pending", "waits for the end of 'closure of lab/probe/tests/verdicts/several.rs:", "; its thread 'tokio-rt-worker' sleeps in a lock") {
        run(async {
            let ((_stop, stopped), mut all) = (std::sync::mpsc::channel::<()>(), JoinSet::new());
            all.spawn_blocking(move || stopped.recv());
            all.join_next().await; // <- here
        });
    }

    closure_without_a_thread("task 1 'main' returned Pending", "waits for the end of 'closure of lab/probe/tests/verdicts/several.rs:", "; it has not begun") {
        let runtime = Builder::new_multi_thread().max_blocking_threads(1).enable_all().build().unwrap();
        runtime.block_on(watch("main", async {
            let _sleeps = spawn_blocking(|| thread::sleep(an_hour()));
            spawn_blocking(|| ()).await.unwrap(); // <- here
        }));
    }

    locks_of_a_local_set("a cycle of waits, unless another task can free one of these: task 2 'lab/probe/tests/verdicts/several.rs:", "waits for a lock at", "; task 3 'lab/probe/tests/verdicts/several.rs:", "; task 2 'lab/probe/tests/verdicts/several.rs:") {
        let local = LocalSet::new();
        let both = |first: &Rc<Mutex<()>>, second: &Rc<Mutex<()>>| {
            let (first, second) = (first.clone(), second.clone());
            local.spawn_local(async move {
                let _first = first.lock().await;
                yield_now().await;
                drop(second.lock().await); // <- here
            })
        };
        block_on(local.run_until(watch("main", async {
            let (a, b) = (Rc::default(), Rc::default());
            let (ab, ba) = (both(&a, &b), both(&b, &a));
            ab.await.unwrap();
            ba.await.unwrap();
        })));
    }

    task_of_a_local_set_that_nobody_polls("task 2 'lab/probe/tests/verdicts/several.rs:", "was never polled.", "The tasks of a LocalSet are polled only while the LocalSet is", "waits for the end of task 2") {
        let local = LocalSet::new();
        run(async { local.spawn_local(async { 7 }).await.unwrap() }); // <- here
    }

    blocks_beside_one_that_waits_in_a_local_set("task 2 'lab/probe/tests/verdicts/several.rs:", "is inside poll, and poll does not return.", "'main' waits for task 2 'lab/probe/tests/verdicts/several.rs:") {
        let (local, (_sender, answer)) = (LocalSet::new(), oneshot::channel::<()>());
        local.spawn_local(async move { answer.await.unwrap() });
        local.spawn_local(async { thread::sleep(an_hour()) }); // <- here
        run(local);
    }

    blocks_where_a_set_has_given_one("task 1 'main' is inside poll, and poll does not return.", "'waits' waits in the poll of 'main', which does not return.") {
        run(async {
            let (_sender, answer) = oneshot::channel::<()>();
            let waits = watch("waits", async move { answer.await.unwrap() }).boxed();
            let mut all: FuturesUnordered<_> = [waits, async {}.boxed()].into_iter().collect();
            while all.next().await.is_some() {
                thread::sleep(an_hour()); // <- here
            }
        });
    }
}
