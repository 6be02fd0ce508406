//! What each version of the scheduler adds, in counts and in the order of the polls.
#![cfg(not(miri))]

use std::{
    future::{Future, poll_fn, ready},
    net::UdpSocket,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::{
    AsyncReadExt, AsyncWriteExt, FutureExt,
    channel::oneshot,
    executor::block_on,
    future::{BoxFuture, join_all},
};
use probe::within;
use step10_work_stealing::{
    Direction, Parker, Registered, Runtime,
    Version::{self, LifoSlot, LocalQueues, SharedQueue, Stealing},
    net::{TcpListener, TcpStream},
    spawn, yield_now,
};

const LIMIT: Duration = Duration::from_secs(20);
const VERSIONS: [Version; 4] = [SharedQueue, LocalQueues, Stealing, LifoSlot];

/// What was done, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, what: impl ToString) {
        self.0.lock().unwrap().push(what.to_string());
    }

    fn says(&self, name: &'static str) -> impl Future<Output = ()> + Send + use<> {
        let log = self.clone();
        async move { log.add(name) }
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().join(" ")
    }
}

/// Runs a task on the only worker, and then all that it has spawned there. Returns what they have logged.
fn on_one_worker<F: Future<Output = ()> + Send + 'static>(
    version: Version,
    first: impl FnOnce(Log) -> F,
) -> String {
    within(LIMIT, || {
        let runtime = Runtime::with_park(1, version, Parker::default());
        let log = Log::default();
        block_on(runtime.spawn(first(log.clone()))).unwrap();
        // A task that yields to those before it is the last in the queue.
        while Arc::strong_count(&log.0) > 1 {
            thread::yield_now();
        }
        log.text()
    })
}

/// What a task spawns runs in the order in which it was spawned, but with a slot, the last one first.
#[test]
fn what_was_spawned_last_runs_next_if_there_is_a_slot() {
    for version in VERSIONS {
        let order = on_one_worker(version, |log| async move {
            for name in ["a", "b", "c"] {
                spawn(log.says(name));
            }
        });
        let expected = match version >= LifoSlot {
            true => "c a b",
            false => "a b c",
        };
        assert_eq!(order, expected, "{version:?}");
    }
}

#[test]
fn what_was_woken_last_runs_next_if_there_is_a_slot() {
    for version in VERSIONS {
        let order = on_one_worker(version, |log| async move {
            let (wake, woken) = oneshot::channel();
            let says = log.says("woken");
            spawn(woken.then(|_| says));
            yield_now().await;
            spawn(log.says("spawned"));
            wake.send(()).unwrap();
        });
        let expected = match version >= LifoSlot {
            true => "woken spawned",
            false => "spawned woken",
        };
        assert_eq!(order, expected, "{version:?}");
    }
}

#[test]
fn a_task_that_yields_goes_to_the_back_of_the_queue_and_not_to_the_slot() {
    async fn twice(log: Log, name: &str) {
        log.add(name);
        yield_now().await;
        log.add(name);
    }
    for version in VERSIONS {
        let order = on_one_worker(version, |log| async move {
            spawn(twice(log.clone(), "a"));
            spawn(twice(log, "b"));
        });
        let expected = match version >= LifoSlot {
            true => "b a b a",
            false => "a b a b",
        };
        assert_eq!(order, expected, "{version:?}");
    }
}

/// A link of a chain: it spawns the next one.
fn chain(log: Log, link: usize, end: usize) -> BoxFuture<'static, ()> {
    async move {
        log.add(link);
        if link < end {
            spawn(chain(log, link + 1, end));
        }
    }
    .boxed()
}

#[test]
fn tasks_that_spawn_the_next_one_hold_up_others_for_three_polls() {
    let order = on_one_worker(LifoSlot, |log| async move {
        let neighbour = log.clone();
        spawn(async move {
            for _ in 0..3 {
                neighbour.add("n");
                yield_now().await;
            }
        });
        spawn(chain(log, 1, 14));
    });
    assert_eq!(order, "1 2 3 n 4 5 6 7 n 8 9 10 11 n 12 13 14");
}

/// With nobody in the queue, nobody is held up.
#[test]
fn a_chain_without_a_neighbour_stays_in_the_slot() {
    within(LIMIT, || {
        let runtime = Runtime::with_park(1, LifoSlot, Parker::default());
        let (end, ended) = oneshot::channel();
        fn link(left: usize, end: oneshot::Sender<()>) -> BoxFuture<'static, ()> {
            async move {
                match left {
                    0 => end.send(()).unwrap(),
                    _ => drop(spawn(link(left - 1, end))),
                }
            }
            .boxed()
        }
        runtime.spawn(link(20, end));
        block_on(ended).unwrap();
        let [worker] = runtime.metrics()[..] else {
            panic!("one worker");
        };
        assert_eq!((worker.polls, worker.slot_polls), (21, 20));
        assert_eq!((worker.steals, worker.stolen), (0, 0));
    });
}

#[test]
fn a_version_without_stealing_or_without_slots_counts_none() {
    within(LIMIT, || {
        for version in [SharedQueue, LocalQueues, Stealing] {
            let runtime = Runtime::with_version(2, version);
            block_on(runtime.spawn(async {
                join_all((0..50).map(|_| spawn(yield_now()))).await;
            }))
            .unwrap();
            let workers = runtime.metrics();
            assert_eq!(workers.len(), 2);
            assert!(workers.iter().map(|it| it.polls).sum::<u64>() >= 101);
            for worker in workers {
                assert_eq!(worker.slot_polls, 0, "{version:?}");
                if version < Stealing {
                    assert_eq!((worker.steals, worker.stolen), (0, 0), "{version:?}");
                }
            }
        }
    });
}

/// A worker that went on counting as one that searches would keep the others from being woken.
#[test]
fn after_the_work_all_sleep_and_nobody_searches() {
    within(LIMIT, || {
        for version in VERSIONS {
            let runtime = Runtime::with_version(3, version);
            for _ in 0..10 {
                block_on(runtime.spawn(async {
                    join_all((0..50).map(|_| spawn(yield_now()))).await;
                }))
                .unwrap();
            }
            while !format!("{runtime:?}").contains("0 searching, 3 sleeping") {
                thread::yield_now();
            }
        }
    });
}

/// A worker that has nothing else to do, and looks up while another one is busy.
#[test]
fn without_stealing_the_queue_of_a_busy_worker_stays_as_it_is() {
    within(LIMIT, || {
        let runtime = Runtime::with_version(2, LocalQueues);
        let (tell, told) = mpsc::channel();
        let (hold, held) = mpsc::channel::<()>();
        let busy = runtime.spawn(async move {
            let tasks: Vec<_> = (0..50).map(|_| spawn(ready(()))).collect();
            tell.send(()).unwrap();
            let _ = held.recv();
            join_all(tasks).await
        });
        told.recv().unwrap();
        // The other worker is awake for this, and then has nothing.
        block_on(runtime.spawn(ready(()))).unwrap();
        let sleeps = || runtime.metrics().iter().map(|it| it.sleeps).sum::<u64>();
        let before = sleeps();
        while sleeps() == before {
            thread::yield_now();
        }
        assert_eq!(runtime.metrics().iter().map(|it| it.stolen).sum::<u64>(), 0);
        drop(hold);
        assert_eq!(block_on(busy).unwrap().len(), 50);
    });
}

#[test]
fn without_stealing_tasks_stay_where_they_were_spawned() {
    within(LIMIT, || {
        let runtime = Runtime::with_version(4, LocalQueues);
        let here = || thread::current().id();
        let same = runtime.spawn(async move {
            let first = here();
            let others = (0..50).map(|_| {
                spawn(async move {
                    yield_now().await;
                    here()
                })
            });
            let others = join_all(others.collect::<Vec<_>>()).await;
            others.into_iter().all(|it| it.unwrap() == first)
        });
        assert!(block_on(same).unwrap());
        let busy = runtime.metrics().iter().filter(|it| it.polls > 0).count();
        assert_eq!(busy, 1);
    });
}

/// Blocks a worker in a poll until the result is dropped.
fn block(runtime: &Runtime) -> mpsc::Sender<()> {
    let (hold, held) = mpsc::channel::<()>();
    let (tell, told) = mpsc::channel();
    runtime.spawn(async move {
        tell.send(()).unwrap();
        let _ = held.recv();
    });
    told.recv().unwrap();
    hold
}

/// Two workers, both blocked, and ten tasks from outside. One worker goes on, and is blocked by the first of these. The
/// other one gets all that are left, whether it takes them from the common queue or steals them.
#[test]
fn what_comes_from_outside_is_not_stuck_behind_a_worker_that_is_blocked() {
    within(LIMIT, || {
        for version in VERSIONS {
            let runtime = Runtime::with_version(2, version);
            let [first, second] = [(); 2].map(|()| block(&runtime));
            let ran = Arc::new(AtomicUsize::new(0));
            let (hold, held) = mpsc::channel::<()>();
            let (tell, told) = mpsc::channel();
            let mut tasks = vec![runtime.spawn(async move {
                tell.send(()).unwrap();
                let _ = held.recv();
            })];
            tasks.extend((0..9).map(|_| {
                let ran = Arc::clone(&ran);
                runtime.spawn(async move {
                    ran.fetch_add(1, SeqCst);
                })
            }));
            drop(first);
            told.recv().unwrap();
            drop(second);
            // Behind the first one, which is still blocked.
            block_on(join_all(tasks.drain(1..)));
            drop(hold);
            block_on(join_all(tasks));
            assert_eq!(ran.load(SeqCst), 9, "{version:?}");
        }
    });
}

/// A worker with 64 tasks in its queue is blocked in a poll. The other one takes half of them, and half of the rest, until
/// it has had them all.
#[test]
fn a_thief_takes_half_at_a_time_until_nothing_is_left() {
    within(LIMIT, || {
        for version in [Stealing, LifoSlot] {
            let runtime = Runtime::with_version(2, version);
            let thief = block(&runtime);
            let (tell, told) = mpsc::channel();
            let (hold, held) = mpsc::channel::<()>();
            let (name, victim) = mpsc::channel();
            runtime.spawn(async move {
                let me = thread::current().id();
                for _ in 0..64 {
                    let tell = tell.clone();
                    spawn(async move { tell.send(thread::current().id() != me).unwrap() });
                }
                name.send(()).unwrap();
                let _ = held.recv();
            });
            victim.recv().unwrap();
            drop(thief);
            for _ in 0..64 {
                assert_eq!(
                    told.recv(),
                    Ok(true),
                    "{version:?}: it ran beside the block"
                );
            }
            drop(hold);
            let workers = runtime.metrics();
            let (steals, stolen) = workers.iter().fold((0, 0), |(steals, stolen), it| {
                (steals + it.steals, stolen + it.stolen)
            });
            // 32, 16, 8, 4, 2, 1 and 1. With a slot, the 64th task is there, and is fetched in another way.
            let expected = if version == Stealing {
                (7, 64)
            } else {
                (6, 63)
            };
            assert_eq!((steals, stolen), expected, "{version:?}");
        }
    });
}

/// A worker that has been stolen from is not the only one to be woken: each thief that finds something wakes the next.
#[test]
fn four_tasks_that_wait_for_each_other_get_four_workers() {
    within(LIMIT, || {
        for version in [SharedQueue, Stealing, LifoSlot] {
            let runtime = Runtime::with_version(4, version);
            for _ in 0..20 {
                let all = Arc::new(std::sync::Barrier::new(4));
                let (tell, told) = mpsc::channel();
                runtime.spawn(async move {
                    for _ in 0..4 {
                        let (all, tell) = (Arc::clone(&all), tell.clone());
                        spawn(async move {
                            all.wait();
                            tell.send(()).unwrap();
                        });
                    }
                });
                assert_eq!(told.iter().count(), 4, "{version:?}");
            }
        }
    });
}

/// A task spawns another and blocks its worker until that one has run. It is in the slot, where no thief looks.
#[test]
fn the_slot_of_a_worker_that_is_blocked_is_emptied_by_another() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let task = runtime.spawn(async {
            let (tell, told) = mpsc::channel();
            let child = probe::Counted::new(async move {
                tell.send(thread::current().id()).unwrap();
            });
            let counts = child.counts();
            let child = spawn(child);
            let elsewhere = told.recv().unwrap() != thread::current().id();
            child.await.unwrap();
            (elsewhere, counts.polls(), counts.drops())
        });
        assert_eq!(block_on(task).unwrap(), (true, 1, 1));
    });
}

/// Both workers are blocked, one of them by a task that waits for what is in its slot. As soon as the other one is free,
/// it sleeps, and looks.
#[test]
fn a_worker_that_becomes_free_looks_after_the_one_that_is_blocked() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let other = block(&runtime);
        let (spawned, has_spawned) = mpsc::channel();
        let waits = runtime.spawn(async move {
            let (tell, told) = mpsc::channel();
            spawn(async move { tell.send(()).unwrap() });
            spawned.send(()).unwrap();
            told.recv().unwrap();
        });
        has_spawned.recv().unwrap();
        drop(other);
        block_on(waits).unwrap();
    });
}

/// All workers sleep, so nobody looks. One is woken, by a timer, and is blocked at once by a task that waits for its slot.
#[test]
fn whoever_begins_to_work_while_nobody_looks_wakes_one_that_does() {
    within(LIMIT, || {
        let runtime = Runtime::new(3);
        let handle = runtime.handle();
        let waits = runtime.spawn(async move {
            for _ in 0..3 {
                handle.sleep(Duration::from_millis(20)).await;
                let (tell, told) = mpsc::channel();
                spawn(async move { tell.send(()).unwrap() });
                told.recv().unwrap();
            }
        });
        block_on(waits).unwrap();
    });
}

/// The only other worker always has something to poll, so it has to look now and then all the same.
#[test]
fn a_worker_that_is_always_busy_helps_one_that_is_stuck() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let stop = Arc::new(AtomicBool::new(false));
        let (begin, begun) = mpsc::channel();
        let stopped = Arc::clone(&stop);
        let busy = runtime.spawn(async move {
            begin.send(()).unwrap();
            while !stopped.load(SeqCst) {
                yield_now().await;
            }
        });
        begun.recv().unwrap();
        let stuck = runtime.spawn(async {
            let (tell, told) = mpsc::channel();
            spawn(async move { tell.send(()).unwrap() });
            told.recv().unwrap();
        });
        block_on(stuck).unwrap();
        stop.store(true, SeqCst);
        block_on(busy).unwrap();
    });
}

/// All workers have had something to do, and now one of them is always busy. Two of the others look up, every 20 ms.
#[test]
fn beside_a_busy_worker_two_of_the_others_look_up_and_the_rest_sleep() {
    const WORKERS: usize = 16;
    within(LIMIT, || {
        let runtime = Runtime::new(WORKERS);
        let all = Arc::new(std::sync::Barrier::new(WORKERS));
        let meet = (0..WORKERS).map(|_| {
            let all = Arc::clone(&all);
            runtime.spawn(async move {
                all.wait();
            })
        });
        block_on(join_all(meet.collect::<Vec<_>>()));
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let busy = runtime.spawn(async move {
            while !stopped.load(SeqCst) {
                yield_now().await;
            }
        });
        let sleeps = || runtime.metrics().iter().map(|it| it.sleeps).sum::<u64>();
        while !format!("{runtime:?}").contains("0 searching, 15 sleeping") {
            thread::yield_now();
        }
        let (before, start) = (sleeps(), Instant::now());
        thread::sleep(Duration::from_millis(50));
        let (sleeps, passed) = (sleeps() - before, start.elapsed());
        stop.store(true, SeqCst);
        block_on(busy).unwrap();
        let looks = 2 * (1 + passed.as_millis() as u64 / 20);
        // If all of them looked up, there would be fifteen in each 20 ms. A busy machine adds one here and there.
        assert!(sleeps <= 2 * looks, "{sleeps} in {passed:?}");
    });
}

/// One worker, which always has a task that yields. It counts its polls, and starts something in its tenth.
fn beside_one_that_yields<T: Send + 'static>(
    version: Version,
    start: impl Fn(&Runtime) -> T,
    use_it: impl FnOnce(T),
) -> usize {
    let runtime = Runtime::with_version(1, version);
    let (polls, stop) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let (ask, asked) = mpsc::channel();
    let (answer, answered) = mpsc::channel();
    let yields = runtime.spawn({
        let (polls, stop) = (Arc::clone(&polls), Arc::clone(&stop));
        async move {
            while !stop.load(SeqCst) {
                if polls.fetch_add(1, SeqCst) == 9 {
                    ask.send(()).unwrap();
                    let () = answered.recv().unwrap();
                }
                yield_now().await;
            }
        }
    });
    asked.recv().unwrap();
    let started = start(&runtime);
    answer.send(()).unwrap();
    use_it(started);
    stop.store(true, SeqCst);
    block_on(yields).unwrap();
    polls.load(SeqCst)
}

#[test]
fn a_task_from_outside_comes_in_after_61_polls_at_most() {
    for version in VERSIONS {
        within(LIMIT, || {
            let runtime = Runtime::with_version(1, version);
            let polls = Arc::new(AtomicUsize::new(0));
            let seen = Arc::new(Mutex::new(None));
            let handle = runtime.handle();
            let yields = runtime.spawn({
                let (polls, seen) = (Arc::clone(&polls), Arc::clone(&seen));
                async move {
                    while seen.lock().unwrap().is_none() {
                        if polls.fetch_add(1, SeqCst) == 9 {
                            let (handle, polls, seen) =
                                (handle.clone(), Arc::clone(&polls), Arc::clone(&seen));
                            let outside = thread::spawn(move || {
                                handle.spawn(async move {
                                    *seen.lock().unwrap() = Some(polls.load(SeqCst));
                                })
                            });
                            drop(outside.join().unwrap());
                        }
                        yield_now().await;
                    }
                }
            });
            block_on(yields).unwrap();
            let seen = seen.lock().unwrap().unwrap();
            let most = if version == SharedQueue { 10 } else { 10 + 61 };
            assert!(seen <= most, "{version:?}: {seen}");
        });
    }
}

#[test]
fn a_timer_and_a_socket_are_served_although_there_is_always_a_task_to_poll() {
    for version in VERSIONS {
        within(LIMIT, || {
            let timer = |runtime: &Runtime| {
                let handle = runtime.handle();
                runtime.spawn(async move { handle.sleep(Duration::from_millis(1)).await })
            };
            let polls = beside_one_that_yields(version, timer, |it| block_on(it).unwrap());
            assert!(polls > 10);
            let socket = |runtime: &Runtime| {
                runtime.spawn(async {
                    let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
                    let mut client = TcpStream::connect(listener.local_addr().unwrap())
                        .await
                        .unwrap();
                    let (mut server, _) = listener.accept().await.unwrap();
                    let reads = spawn(async move { server.read(&mut [0]).await });
                    yield_now().await;
                    client.write_all(b"x").await.unwrap();
                    reads.await.unwrap().unwrap()
                })
            };
            beside_one_that_yields(version, socket, |it| assert_eq!(block_on(it).unwrap(), 1));
        });
    }
}

/// A task that gets what it wants as often as it asks, `most` times, and a neighbour that counts how often it had asked
/// whenever it is polled.
fn greedy(runtime: Runtime, most: usize, mut ask: impl AskMany) -> Vec<usize> {
    within(LIMIT, || {
        let asked = Arc::new(AtomicUsize::new(0));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let greedy = {
            let (asked, seen) = (Arc::clone(&asked), Arc::clone(&seen));
            runtime.spawn(async move {
                ask.prepare().await;
                let neighbour = {
                    let asked = Arc::clone(&asked);
                    spawn(async move {
                        loop {
                            seen.lock().unwrap().push(asked.load(SeqCst));
                            if asked.load(SeqCst) == most {
                                break;
                            }
                            yield_now().await;
                        }
                    })
                };
                // A turn of its own, with a whole budget, while the neighbour waits.
                yield_now().await;
                for _ in 0..most {
                    poll_fn(|cx| ask.poll(cx)).await;
                    asked.fetch_add(1, SeqCst);
                }
                neighbour.await.unwrap();
            })
        };
        block_on(greedy).unwrap();
        let seen = seen.lock().unwrap();
        seen.clone()
    })
}

/// What is always ready.
trait AskMany: Send + 'static {
    fn prepare(&mut self) -> impl Future<Output = ()> + Send;
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

/// A socket that always has data.
#[derive(Default)]
struct Socket(Option<Registered<UdpSocket>>);

impl AskMany for Socket {
    async fn prepare(&mut self) {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        self.0 = Some(Registered::new(socket).unwrap());
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let socket = self.0.as_ref().unwrap();
        socket
            .poll_io(Direction::Read, cx, |_| Ok(()))
            .map(Result::unwrap)
    }
}

/// The handles of tasks that are finished.
#[derive(Default)]
struct Handles(Vec<step10_work_stealing::JoinHandle<()>>);

impl AskMany for Handles {
    async fn prepare(&mut self) {
        self.0 = (0..300).map(|_| spawn(ready(()))).collect();
        while !self
            .0
            .iter()
            .all(step10_work_stealing::JoinHandle::is_finished)
        {
            yield_now().await;
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut last = self.0.pop().unwrap();
        let polled = pin!(&mut last).poll(cx);
        if polled.is_pending() {
            self.0.push(last);
        }
        polled.map(Result::unwrap)
    }
}

#[test]
fn after_128_operations_a_task_lets_its_neighbour_go_first() {
    for version in VERSIONS {
        let runtime = || Runtime::with_version(1, version);
        let turns = [0, 128, 256, 300];
        assert_eq!(greedy(runtime(), 300, Socket::default()), turns);
        assert_eq!(greedy(runtime(), 300, Handles::default()), turns);
    }
}

/// Without a budget, the neighbour waits for as long as there is data.
#[test]
fn without_a_budget_its_neighbour_waits_for_all_of_them() {
    let runtime = || Runtime::without_budget(1);
    assert_eq!(greedy(runtime(), 300, Socket::default()), [0, 300]);
    assert_eq!(greedy(runtime(), 300, Handles::default()), [0, 300]);
}

/// A thread that is no worker polls one future, so no other future has to be polled first.
#[test]
fn beside_the_workers_there_is_no_budget() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handles: Vec<_> = (0..300).map(|_| runtime.spawn(ready(()))).collect();
        while !handles.iter().all(|it| it.is_finished()) {
            thread::yield_now();
        }
        runtime.block_on(async {
            let mut context = Context::from_waker(Waker::noop());
            for handle in handles {
                assert!(pin!(handle).poll(&mut context).is_ready());
            }
        });
    });
}

/// A task that polls by itself, as a nested `block_on` does, has nobody who polls it anew. It is refused for a while.
#[test]
fn a_task_that_asks_again_and_again_in_one_poll_goes_on_at_last() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let mut ask = Handles::default();
        let refused = block_on(runtime.spawn(async move {
            ask.prepare().await;
            yield_now().await;
            let mut refused = 0;
            let mut context = Context::from_waker(Waker::noop());
            for _ in 0..300 {
                while ask.poll(&mut context).is_pending() {
                    refused += 1;
                }
            }
            refused
        }));
        assert_eq!(refused.unwrap(), 2 * 129);
    });
}
