//! What each version of the scheduler and the budget promise: which worker runs what, in which order, and after how many polls.
#![cfg(not(miri))]

use std::{
    future::{Future, poll_fn, ready},
    net::UdpSocket,
    pin::pin,
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, AsyncWriteExt, FutureExt, executor::block_on, future::join_all};
use probe::within;
use step10_work_stealing::{
    Direction, Handle, JoinHandle, Registered, Runtime,
    Version::{self, LifoSlot, LocalQueues, SharedQueue, Stealing},
    net::{TcpListener, TcpStream},
    spawn, yield_now,
};

const LIMIT: Duration = Duration::from_secs(20);
pub const VERSIONS: [Version; 4] = [SharedQueue, LocalQueues, Stealing, LifoSlot];

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
            let idle = || runtime.handle().idle_workers();
            probe::wait_until(|| (idle().searching, idle().sleeping) == (0, 3));
            let steals = runtime.metrics().iter().any(|worker| worker.stolen > 0);
            assert!(version >= Stealing || !steals, "{version:?}");
        }
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
fn a_blocked_worker_holds_up_no_task_from_outside() {
    within(LIMIT, || {
        for version in VERSIONS {
            let runtime = Runtime::with_version(2, version);
            let [first, second] = [(); 2].map(|()| block(&runtime));
            let (hold, held) = mpsc::channel::<()>();
            let (tell, told) = mpsc::channel();
            let blocks = runtime.spawn(async move {
                tell.send(()).unwrap();
                let _ = held.recv();
            });
            let others: Vec<_> = (0..9).map(|_| runtime.spawn(ready(()))).collect();
            drop(first);
            told.recv().unwrap();
            drop(second);
            assert!(block_on(join_all(others)).iter().all(Result::is_ok));
            drop(hold);
            block_on(blocks).unwrap();
        }
    });
}

/// Each thief that finds something wakes the next.
#[test]
fn four_tasks_that_wait_for_each_other_get_four_workers() {
    within(LIMIT, || {
        for version in [SharedQueue, Stealing, LifoSlot] {
            let runtime = Runtime::with_version(4, version);
            for _ in 0..20 {
                let all = Arc::new(Barrier::new(4));
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

/// Blocks its worker until a task has run that is in the worker's own slot. Returns whether another worker has run it.
fn wait_for_the_slot(handle: &Handle) -> bool {
    let (tell, told) = mpsc::channel();
    drop(handle.spawn(async move { tell.send(thread::current().id()).unwrap() }));
    told.recv().unwrap() != thread::current().id()
}

/// A task that always wants to be polled, until it is told to stop.
fn always_busy(runtime: &Runtime) -> (Arc<AtomicBool>, JoinHandle<()>) {
    let stop = Arc::new(AtomicBool::new(false));
    let its = Arc::clone(&stop);
    let (begin, begun) = mpsc::channel();
    let busy = runtime.spawn(async move {
        while !its.load(SeqCst) {
            let _ = begin.send(());
            yield_now().await;
        }
    });
    begun.recv().unwrap();
    (stop, busy)
}

/// As soon as the other worker is free, it sleeps, and checks.
#[test]
fn a_worker_that_becomes_free_checks_on_the_blocked_one() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let (handle, other) = (runtime.handle(), block(&runtime));
        let (begin, begun) = mpsc::channel();
        let waits = runtime.spawn(async move {
            begin.send(()).unwrap();
            wait_for_the_slot(&handle)
        });
        begun.recv().unwrap();
        drop(other);
        assert!(block_on(waits).unwrap());
    });
}

/// All workers sleep, so none checks. One is woken, by a timer, and blocks at once.
#[test]
fn a_worker_woken_while_none_checks_wakes_one_that_does() {
    within(LIMIT, || {
        let runtime = Runtime::new(3);
        let handle = runtime.handle();
        let waits = runtime.spawn(async move {
            for _ in 0..3 {
                handle.sleep(Duration::from_millis(20)).await;
                assert!(wait_for_the_slot(&handle));
            }
        });
        block_on(waits).unwrap();
    });
}

/// The only other worker never sleeps, so it has to check now and then all the same. The second time, the stuck worker has
/// begun no poll since the last check.
#[test]
fn a_worker_that_is_always_busy_helps_one_that_is_stuck() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let (stop, busy) = always_busy(&runtime);
        let handle = runtime.handle();
        let twice = async move { wait_for_the_slot(&handle) && wait_for_the_slot(&handle) };
        assert!(block_on(runtime.spawn(twice)).unwrap());
        stop.store(true, SeqCst);
        block_on(busy).unwrap();
    });
}

#[test]
fn tasks_from_outside_come_in_after_61_polls_at_most() {
    for version in VERSIONS {
        within(LIMIT, || {
            let runtime = Runtime::with_version(1, version);
            let handle = runtime.handle();
            let polls_between = block_on(runtime.spawn(async move {
                let (mut polls, ran) = (0, Arc::new(AtomicUsize::new(0)));
                let its = Arc::clone(&ran);
                let outside = thread::spawn(move || {
                    for _ in 0..10 {
                        let its = Arc::clone(&its);
                        drop(handle.spawn(async move { its.fetch_add(1, SeqCst) }));
                    }
                });
                outside.join().unwrap();
                while ran.load(SeqCst) < 10 {
                    polls += 1;
                    yield_now().await;
                }
                polls
            }));
            // A share is first one task, and then those behind what is in the queue.
            let most = [1, 10 * 61, 61 + 1, 61 + 1][version as usize];
            assert!(polls_between.unwrap() <= most, "{version:?}");
        });
    }
}

#[test]
fn timers_and_sockets_are_served_beside_a_busy_task() {
    for version in VERSIONS {
        within(LIMIT, || {
            let runtime = Runtime::with_version(1, version);
            let (stop, busy) = always_busy(&runtime);
            block_on(runtime.handle().sleep(Duration::from_millis(1)));
            let reads = runtime.spawn(async {
                let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
                let address = listener.local_addr().unwrap();
                let mut client = TcpStream::connect(address).await.unwrap();
                let (mut server, _) = listener.accept().await.unwrap();
                let reads = spawn(async move { server.read(&mut [0]).await });
                yield_now().await;
                client.write_all(b"x").await.unwrap();
                reads.await.unwrap().unwrap()
            });
            assert_eq!(block_on(reads).unwrap(), 1);
            stop.store(true, SeqCst);
            block_on(busy).unwrap();
        });
    }
}

/// A task gets what it asks for 300 times. Its neighbour notes how often it had asked, whenever it is polled itself.
async fn seen_by_the_neighbour(mut ask: impl FnMut(&mut Context<'_>) -> Poll<()>) -> Vec<usize> {
    let (asked, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(vec![])));
    let (its_asked, its_seen) = (Arc::clone(&asked), Arc::clone(&seen));
    let neighbour = spawn(async move {
        while its_asked.load(SeqCst) < 300 {
            its_seen.lock().unwrap().push(its_asked.load(SeqCst));
            yield_now().await;
        }
    });
    // A turn of its own, with a whole budget, while the neighbour waits.
    yield_now().await;
    for _ in 0..300 {
        poll_fn(&mut ask).await;
        asked.fetch_add(1, SeqCst);
    }
    neighbour.await.unwrap();
    seen.lock().unwrap().clone()
}

/// The handles of 300 finished tasks: each time, one more of them is polled.
async fn finished() -> impl FnMut(&mut Context<'_>) -> Poll<()> {
    let mut handles: Vec<_> = (0..300).map(|_| spawn(ready(()))).collect();
    while !handles.iter().all(JoinHandle::is_finished) {
        yield_now().await;
    }
    move |cx| {
        let polled = handles.last_mut().unwrap().poll_unpin(cx);
        polled.map(|output| {
            handles.pop();
            output.unwrap();
        })
    }
}

/// A socket that always has data.
fn always_ready() -> impl FnMut(&mut Context<'_>) -> Poll<()> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    let socket = Registered::new(socket).unwrap();
    move |cx| {
        let operation = socket.poll_io(Direction::Read, cx, |_| Ok(()));
        operation.map(Result::unwrap)
    }
}

fn budgeted<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> T {
    within(LIMIT, || block_on(Runtime::new(1).spawn(task)).unwrap())
}

#[test]
fn after_128_operations_a_task_lets_its_neighbour_go_first() {
    let turns = [0, 128, 256];
    let reads = budgeted(async { seen_by_the_neighbour(always_ready()).await });
    assert_eq!(reads, turns);
    let joins = budgeted(async { seen_by_the_neighbour(finished().await).await });
    assert_eq!(joins, turns);
}

/// A thread that is no worker polls one future, so no other future has to be polled first.
#[test]
fn beside_the_workers_there_is_no_budget() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let handles: Vec<_> = (0..300).map(|_| runtime.spawn(ready(()))).collect();
        probe::wait_until(|| handles.iter().all(JoinHandle::is_finished));
        runtime.block_on(async {
            let mut context = Context::from_waker(Waker::noop());
            for handle in handles {
                assert!(pin!(handle).poll(&mut context).is_ready());
            }
        });
    });
}

/// A task that polls by itself, as a nested `block_on` does, gets no new budget. It is refused for a while.
#[test]
fn a_task_that_polls_by_itself_goes_on_at_last() {
    let refused = budgeted(async {
        let mut ask = finished().await;
        yield_now().await;
        let mut context = Context::from_waker(Waker::noop());
        let mut refusals = || {
            let until_ready = std::iter::repeat_with(|| ask(&mut context));
            until_ready.take_while(Poll::is_pending).count()
        };
        (0..300).map(|_| refusals()).sum::<usize>()
    });
    assert_eq!(refused, 2 * 129);
}

/// After so many polls the tasks of the exercise on paper end.
const POLLS: usize = 12;

/// What its tasks share.
#[derive(Clone, Default)]
struct Known {
    order: Arc<Mutex<String>>,
    p: Arc<Mutex<Option<Waker>>>,
    q: Arc<Mutex<Option<Waker>>>,
}

impl Known {
    /// Notes a poll, unless enough have been noted.
    fn note(&self, task: char) -> Poll<()> {
        let mut order = self.order.lock().unwrap();
        if order.len() == POLLS {
            return Poll::Ready(());
        }
        order.push(task);
        Poll::Pending
    }

    /// Leaves a waker in the first place, and wakes what is in the second.
    fn meet(
        &self,
        task: char,
        cx: &Context<'_>,
        [mine, other]: [&Mutex<Option<Waker>>; 2],
    ) -> Poll<()> {
        *mine.lock().unwrap() = Some(cx.waker().clone());
        let other = other.lock().unwrap().clone();
        other.inspect(Waker::wake_by_ref);
        self.note(task)
    }
}

/// The order of the first polls, and how many of them were of a task from the slot.
fn run(version: Version) -> (String, u64) {
    let runtime = Runtime::with_version(1, version);
    let known = Known::default();
    let (at_y, at_p, at_q) = (known.clone(), known.clone(), known.clone());
    let first = runtime.spawn(async move {
        let y = spawn(poll_fn(move |cx| {
            cx.waker().wake_by_ref();
            at_y.note('Y')
        }));
        let p = spawn(poll_fn(move |cx| at_p.meet('P', cx, [&at_p.p, &at_p.q])));
        let q = spawn(poll_fn(move |cx| at_q.meet('Q', cx, [&at_q.q, &at_q.p])));
        [y, p, q]
    });
    runtime.block_on(async {
        for task in first.await.unwrap() {
            task.await.unwrap();
        }
    });
    let order = known.order.lock().unwrap().clone();
    (order, runtime.metrics()[0].slot_polls)
}

#[test]
fn the_order_of_the_polls_with_a_slot() {
    let (order, slot_polls) = within(LIMIT, || run(LifoSlot));
    assert_eq!(order, "QYPQPQYPQPQY");
    assert!(slot_polls >= 7, "{slot_polls}");
}

#[test]
fn the_order_of_the_polls_without_a_slot() {
    for version in [SharedQueue, LocalQueues, Stealing] {
        let expected = ("YPQYPYQYPYQY".to_owned(), 0);
        assert_eq!(within(LIMIT, || run(version)), expected, "{version:?}");
    }
}
