//! After public reports of hangs: `tokio#4625` is that issue or pull request of tokio.

use std::{
    collections::HashMap,
    future::poll_fn,
    io::Read,
    os::unix::net::UnixStream,
    pin::pin,
    sync::{Arc, Mutex as StdMutex},
    task::Poll,
    thread,
    time::Duration,
};

use futures::{
    StreamExt,
    future::{Either, select},
    poll,
    stream::{self, FuturesUnordered},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::{Builder, Handle, Runtime},
    spawn,
    sync::Barrier,
    task::{JoinHandle, JoinSet, LocalSet, block_in_place, spawn_blocking, yield_now},
    time::{interval, sleep, timeout},
};
use why_pending::{
    tokio::sync::{Mutex, Notify, RwLock, Semaphore, broadcast, mpsc, oneshot, watch as last},
    tokio::task::spawn_blocking as watched_blocking,
    watch,
};

use crate::props::{an_hour, block_on, ms, programs, run};

type Lock = Arc<Mutex<()>>;

/// Of 120 tasks, each of which keeps the lock for so long.
async fn turns(time: Duration) {
    let (lock, mut all) = (Lock::default(), JoinSet::new());
    for n in 0..120 {
        let lock = lock.clone();
        all.spawn(watch(format!("turn {n}"), async move {
            let _guard = lock.lock().await; // the turn
            sleep(time).await;
        }));
    }
    while all.join_next().await.is_some() {}
}

programs! { "reported.rs";
    // The permits are with futures of a stream that nobody polls while the body of its loop awaits one.
    buffer_owns_the_permits("a cycle of waits, unless another task can free one of these: 'main' waits for 'body', which it polls.", "kept for one who came before; 'select 2' took it at", "'select 3' waits for it at", "task 3 'select 2' was woken, but 'main', which polls it, does not poll it any more.", "likewise 'select 3'", "'select 2' took it at", "waits for the permits of") { // futures-rs#2387
        run(async {
            let pool = Arc::new(Semaphore::new(2));
            let selects = stream::iter(1..=4).map(|n| {
                let pool = pool.clone();
                watch(format!("select {n}"), async move {
                    let _permit = pool.acquire_owned().await.unwrap();
                    sleep(ms(10 * n)).await;
                })
            });
            let mut selects = selects.buffer_unordered(3);
            while selects.next().await.is_some() {
                let _permit = watch("body", pool.acquire()).await.unwrap(); // <- here
            }
        });
    }

    // The free place is promised to the first send, which the branch has left behind.
    send_behind_its_own("a cycle of waits, unless one of these waits for more than this, or has given away what it used last: 'main' waits for 'tick', which it polls. 'tick' waits for the receiver of", "task 2 'progress' was woken, but 'main', which polls it, does not poll it any more.", "promised to a sender before this", "'main' used it last at") { // omicron#9272
        run(async {
            let (sender, mut receiver) = mpsc::channel(1);
            sender.send(0).await.unwrap();
            let mut first = pin!(watch("progress", sender.send(1)));
            tokio::select! {
                biased;
                sent = &mut first => sent.unwrap(),
                () = async {} => {
                    receiver.recv().await.unwrap();
                    watch("tick", sender.send(2)).await.unwrap(); // <- here
                }
            }
        });
    }

    // The lock was given to the first future, and the poll that has that one blocks for the second.
    blocks_behind_its_own_place("a cycle of waits, unless another task can free one of these: 'session' is inside poll, where another executor polls 'second'.", "'first' was woken, and waits for 'session', which polls it.") { // tokio#7892
        Runtime::new().unwrap().block_on(async {
            let lock = Lock::default();
            let guard = lock.clone().lock_owned().await;
            let (queues, queued) = oneshot::channel();
            let mut queues = Some(queues);
            let session = watch("session", async move {
                let mut first = Box::pin(watch("first", lock.clone().lock_owned()));
                poll_fn(move |cx| {
                    if let Some(queues) = queues.take() {
                        let polled = first.as_mut().poll(cx).map(drop);
                        queues.send(()).unwrap();
                        return polled;
                    }
                    let second = watch("second", lock.clone().lock_owned());
                    drop(block_in_place(|| Handle::current().block_on(second))); // <- here
                    Poll::Ready(())
                })
                .await;
            });
            let session = spawn(session);
            queued.await.unwrap();
            drop(guard);
            session.await.unwrap();
        });
    }

    guard_of_std_over_an_await("task 3 'two' is inside poll, and poll does not return.", "task 2 'one'") { // openrr#885
        run(async {
            let lock = StdMutex::new(0);
            #[expect(clippy::await_holding_lock, reason = "that is the fault")]
            let uses = || async {
                let mut guard = lock.lock().unwrap();
                sleep(ms(1)).await;
                *guard += 1;
            };
            tokio::join!(watch("one", uses()), watch("two", uses()));
        });
    }

    ring_of_three_locks("a cycle of waits, unless another task can free one of these: 'rename' waits", "'configure' took it at", "'join' took it at", "'rename' took it at") { // gitbutler#12992, with tasks alone
        async fn takes_two(one: Lock, other: Lock, all: Arc<Barrier>) {
            let _one = one.lock().await;
            all.wait().await;
            let _other = other.lock().await; // <- here
        }
        block_on(async {
            let [a, b, c] = [(); 3].map(|()| Lock::default());
            let all = Arc::new(Barrier::new(3));
            let first = spawn(watch("rename", takes_two(a.clone(), b.clone(), all.clone())));
            spawn(watch("configure", takes_two(b, c.clone(), all.clone())));
            spawn(watch("join", takes_two(c, a, all)));
            first.await.unwrap();
        });
    }

    second_read_behind_a_writer("a cycle of waits, unless another task can free one of these:", "'main' took it at", "'writer' waits for it at", "task 2 'writer' returned Pending", "a writer is before this one in the queue") { // tokio#2849
        run(async {
            let lock = Arc::new(RwLock::new(0));
            let shared = lock.clone();
            let outer = lock.read().await;
            let writer = spawn(watch("writer", async move { *shared.write().await += 1 }));
            sleep(ms(5)).await;
            let inner = lock.read().await; // <- here
            drop((outer, inner));
            writer.await.unwrap();
        });
    }

    // The writer would give up in time, and then nothing is wrong. That is after any limit: one is ten times as long on a busy machine.
    second_read_behind_a_patient_writer("a cycle of waits, unless one of these waits for more than this, or has given away what it used last:", "'main' took it at", "'writer' waits for it at") {
        run(async {
            let lock = Arc::new(RwLock::new(0));
            let shared = lock.clone();
            let _outer = lock.read().await;
            spawn(watch("writer", async move { timeout(an_hour(), shared.write()).await.is_ok() }));
            sleep(ms(5)).await;
            let _inner = lock.read().await; // <- here
            sleep(an_hour()).await;
        });
    }

    permit_lost_on_the_error_path("task", "no permit is free", "; 0 of 3 free; 3 forgotten at lab/probe/tests/verdicts/reported.rs:") { // agave#10478
        async fn send(limit: Arc<Semaphore>, result: Result<u8, ()>) -> Result<u8, ()> {
            limit.acquire().await.unwrap().forget(); // <- here
            let sent = result?;
            limit.add_permits(1);
            Ok(sent)
        }
        run(async {
            let limit = Arc::new(Semaphore::new(2));
            for result in [Err(()), Ok(1), Err(()), Ok(2)] {
                let _ = watch("send", send(limit.clone(), result)).await;
            }
        });
    }

    // Aborted, the leader never takes its sender out of the map.
    leader_was_aborted("task 2 'follower' returned Pending", "waits for the sender of", "'leader' made it", "a sender is still there", "1 dropped before ready: 'leader' of lab/probe/tests/verdicts/reported.rs:") { // blobnet#29
        type Pending = Arc<StdMutex<HashMap<u8, broadcast::Sender<u8>>>>;
        async fn get(pending: Pending) -> u8 {
            let running = pending.lock().unwrap().get(&0).map(|it| it.subscribe());
            if let Some(mut answer) = running {
                return answer.recv().await.unwrap(); // <- here
            }
            let sender = broadcast::channel(1).0;
            pending.lock().unwrap().insert(0, sender.clone());
            sleep(an_hour()).await;
            pending.lock().unwrap().remove(&0);
            sender.send(7).map_or(7, |_| 7)
        }
        block_on(async {
            let pending = Pending::default();
            let leader = spawn(watch("leader", get(pending.clone())));
            sleep(ms(5)).await;
            let follower = spawn(watch("follower", get(pending)));
            sleep(ms(5)).await;
            leader.abort();
            follower.await.unwrap();
        });
    }

    // No inbox has been used yet, so nobody can know that it is a cycle.
    two_full_inboxes("task", "'w1' returned Pending", "'w2' returned Pending", "waits for the receiver of", "nothing was sent or received by it yet; it may have been moved into a task that thread", "has made since: 'w1' or 'w2'", "no place is free") { // ockam#1947
        async fn worker(mut inbox: mpsc::Receiver<u8>, peer: mpsc::Sender<u8>) {
            for part in 0..3 {
                peer.send(part).await.unwrap(); // <- here
            }
            while inbox.recv().await != Some(2) {}
        }
        block_on(async {
            let ((to_one, one), (to_two, two)) = (mpsc::channel(2), mpsc::channel(2));
            let first = spawn(watch("w1", worker(one, to_two)));
            spawn(watch("w2", worker(two, to_one)));
            first.await.unwrap();
        });
    }

    // The peer answers with the number cut to 8 bits, of which the map knows nothing.
    reply_stays_in_the_map("task", "'main' returned Pending", "waits for the sender of", "'main' made it", "perhaps it went with the message that 'main' sent into the channel of", "'connection' used its receiver last at", "task 2 'connection'") { // macro#5000
        run(async {
            let (requests, mut inbox) = mpsc::channel::<(u64, oneshot::Sender<u64>)>(4);
            spawn(watch("connection", async move {
                let mut pending = HashMap::new();
                while let Some((number, reply)) = inbox.recv().await {
                    pending.insert(number, reply);
                    if let Some(reply) = pending.remove(&(number % 256)) {
                        reply.send(number).unwrap();
                    }
                }
            }));
            for number in [255, 256] {
                let (reply, answer) = oneshot::channel();
                requests.send((number, reply)).await.unwrap();
                answer.await.unwrap(); // <- here
            }
        });
    }

    // With the message went the receiver of the second channel. Its sender stayed with the first request, which nobody polls.
    request_made_and_never_sent("task 1 'main' returned Pending", "waits for the sender of", "'main' made it", "nothing was sent or received by it yet", "perhaps it went with the message that 'main' sent", "task 2 'throttle' returned Pending") { // teloxide#516
        type Request = (oneshot::Sender<()>, oneshot::Receiver<()>);
        fn request(throttle: &mpsc::UnboundedSender<Request>) -> impl Future<Output = ()> + use<> {
            let ((grant, granted), (done, is_done)) = (oneshot::channel(), oneshot::channel());
            assert!(throttle.send((grant, is_done)).is_ok());
            async move {
                granted.await.unwrap(); // <- here
                done.send(()).unwrap();
            }
        }
        run(async {
            let (throttle, mut requests) = mpsc::unbounded_channel::<Request>();
            spawn(watch("throttle", async move {
                while let Some((grant, is_done)) = requests.recv().await {
                    let _ = grant.send(());
                    let _ = is_done.await; // <- here
                }
            }));
            let unsent = request(&throttle);
            request(&throttle).await;
            drop(unsent);
        });
    }

    // In the turn of the loop that the timer wins, the queued send is left behind.
    send_behind_one_that_is_not_polled("task", "'report' returned Pending", "waits for the receiver of", "the next is for its own wait at lab/probe/tests/verdicts/reported.rs:", "which is not polled any more", "'main' used it last at", "task 1 'main' returned Pending", "the channel is empty") { // omicron#9272
        run(async {
            let (reports, mut receiver) = mpsc::channel(1);
            spawn(watch("report", async move {
                reports.send("started").await.unwrap();
                let mut finished = pin!(reports.send("finished"));
                assert!(poll!(&mut finished).is_pending());
                loop {
                    tokio::select! {
                        biased;
                        () = sleep(ms(1)) => reports.send("still at work").await.unwrap(), // <- here
                        sent = &mut finished => return sent.unwrap(),
                    }
                }
            }));
            sleep(ms(10)).await;
            while receiver.recv().await.is_some() {} // <- here
        });
    }

    notified_too_early("task 1 'main' returned Pending", "'send' notified all at lab/probe/tests/verdicts/reported.rs:", "notify_waiters reaches those alone that wait already") { // octos#927
        run(async {
            let finished = Arc::new(Notify::new());
            let other = finished.clone();
            spawn(watch("send", async move { other.notify_waiters() }));
            sleep(ms(5)).await;
            finished.notified().await; // <- here
        });
    }

    borrowed_over_an_await("task 2 'update' is inside poll, and poll does not return.", "also not finished: task 1 'main'") { // zebra#3378, with one borrow
        run(async {
            let (tip, seen) = last::channel(0);
            let update = spawn(watch("update", async move { tip.send(1).unwrap() })); // <- here
            let current = seen.borrow();
            sleep(ms(5)).await;
            drop(current);
            update.await.unwrap();
        });
    }

    changed_on_a_fresh_clone("task 1 'main' is still at work.", "sync::watch") { // tokio#3493
        run(async {
            let (sender, receiver) = last::channel(1);
            sender.send(0).unwrap();
            while *receiver.borrow() == 0 {
                receiver.clone().changed().await.unwrap(); // <- here
            }
        });
    }

    // An empty set is ready, with `None`, at each poll.
    empty_set_is_always_ready("task 1 'main' is inside poll, and poll does not return.", "a loop", "task 2 'client' was never polled.") { // futures-rs#2557
        run(async {
            let (sender, mut work) = futures::channel::mpsc::unbounded();
            spawn(watch("client", async move { sender.unbounded_send(5).unwrap() }));
            let mut running = FuturesUnordered::new();
            loop {
                match select(work.next(), running.next()).await {
                    Either::Left((Some(n), _)) => running.push(sleep(ms(n))),
                    Either::Left((None, _)) => break,
                    Either::Right(_) => {}
                }
            }
        });
    }

    // It runs the future, but neither timers nor sockets.
    handle_drives_no_timer("task 1 'connect' returned Pending", "its time has not come, or nothing drives the timer.", "Handle::block_on") { // tokio#5264
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.handle().block_on(watch("connect", async {
            sleep(ms(10)).await; // <- here
        }));
    }

    second_executor_on_the_only_thread("task 1 'main' is inside poll, where another executor polls 'load'.", "'job' was never polled.") { // async-std#644
        run(async {
            let load = || {
                let job = spawn(watch("job", async { 7 }));
                futures::executor::block_on(watch("load", job)).unwrap() // <- here
            };
            assert_eq!(load(), 7);
        });
    }

    local_set_that_nobody_runs("task 2 'local' was never polled.", "the task that it joins is not finished") { // tokio#7022
        let local = LocalSet::new();
        run(async {
            let task = local.spawn_local(watch("local", async { 7 }));
            task.await.unwrap(); // <- here
        });
    }

    handles_in_a_cycle("task", "'a' returned Pending", "'b'", "the task that it joins is not finished.") { // tokio#6505
        run(async {
            let (gives, handle) = oneshot::channel::<JoinHandle<()>>();
            let a = spawn(watch("a", async move {
                handle.await.unwrap().await.unwrap(); // <- here
            }));
            let b = spawn(watch("b", async move {
                a.await.unwrap(); // <- here
            }));
            gives.send(b).unwrap();
            sleep(an_hour()).await;
        });
    }

    shutdown_waits_for_an_idle_client("task", "the other side has sent nothing more, and has not closed.", "'server'", "'main'") { // hyper#1885
        async fn serve(listener: TcpListener, stop: Arc<Notify>) {
            let mut open = JoinSet::new();
            loop {
                tokio::select! {
                    Ok((mut socket, _)) = listener.accept() => drop(open.spawn(watch("connection", async move {
                        while socket.read_u8().await.is_ok() {} // <- here
                    }))),
                    () = stop.notified() => break,
                }
            }
            while open.join_next().await.is_some() {} // <- here
        }
        run(async {
            let (listener, stop) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), Arc::new(Notify::new()));
            let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let server = spawn(watch("server", serve(listener, stop.clone())));
            sleep(ms(10)).await;
            stop.notify_one();
            server.await.unwrap(); // <- here
            drop(client);
        });
    }

    buffered_zero("task 1 'main' returned Pending", "none is in there: with a limit of 0") { // futures-rs#2876
        run(async {
            let spare_hosts = 0;
            let jobs = stream::iter(0..3).map(|n| watch("job", async move { n }));
            let names: Vec<_> = jobs.buffered(spare_hosts).collect().await; // <- here
            assert_eq!(names.len(), 3);
        });
    }

    // Those from here to the end are healthy.
    server_without_clients("task", "no connection has come. A server that is idle waits here.", "the task that it joins is not finished.") {
        run(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let server = watch("server", async move {
                loop {
                    let (mut socket, _) = listener.accept().await.unwrap(); // <- here
                    spawn(watch("greet", async move { socket.write_all(b"hello").await }));
                }
            });
            spawn(server).await.unwrap() // <- here
        });
    }

    slow_blocking_work("task 2 'query' returned Pending", "the task that it joins is not finished.", "spawn_blocking") {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(watch("main", async {
            let query = spawn_blocking(|| thread::sleep(ms(30_000)));
            watch("query", query).await.unwrap(); // <- here
        }));
    }

    // One has a message many times between two looks, and so is at work whenever they are. The others never have any.
    idle_consumers("task", "'consumer 1'", "likewise 2 others of the same line, 'consumer 2' to 'consumer 3'", "the channel is empty", "'main' made it at", "'main' is still at work.", "'consumer 0' is still at work.") {
        run(async {
            let inboxes: Vec<_> = (0..4).map(|n| {
                let (sender, mut receiver) = mpsc::unbounded_channel::<u32>();
                spawn(watch(format!("consumer {n}"), async move {
                    while receiver.recv().await.is_some() {} // <- here
                }));
                sender
            }).collect();
            let mut tick = interval(ms(10));
            for n in 0..100_000 {
                tick.tick().await; // <- here
                inboxes[0].send(n).unwrap();
            }
        });
    }

    // The thread's own stack has the line.
    only_thread_is_blocked("task 3 'config' is inside poll, and poll does not return.", "in std::sync::mpsc::Receiver::recv", "'consumer' was woken, and not polled since.") { // flume#122
        let (_config, from_file) = std::sync::mpsc::channel::<u8>();
        run(async {
            let (sender, mut receiver) = mpsc::unbounded_channel();
            let consumer = spawn(watch("consumer", async move { while receiver.recv().await.is_some() {} }));
            yield_now().await;
            spawn(watch("config", async move {
                from_file.recv().unwrap(); // <- here
            }));
            sender.send(1).unwrap();
            drop(sender);
            consumer.await.unwrap();
        });
    }

    // The lock is known, although its thread sleeps.
    blocking_lock_of_its_own("a cycle of waits, unless another task can free one of these:", "'turn' waits for a lock at", "'turn' took it at", "'turn' is inside poll, and poll does not return.") { // librefang#5126
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(watch("main", async {
            let lock = Lock::default();
            let turn = spawn(watch("turn", async move {
                let _turn = lock.lock().await;
                block_in_place(|| drop(lock.blocking_lock())); // <- here
            }));
            turn.await.unwrap();
        }));
    }

    // One has the lock and reads, and the others wait for the lock: the same line, and not the same.
    one_lock_for_the_pool("task", "has not returned: its thread 'tokio-rt-worker' waits for input.", "has not returned: its thread 'tokio-rt-worker' sleeps in a lock, a condition variable, a park, a recv or a join.", "Likewise task") { // async-bb8-diesel#94
        let (_database, connection) = UnixStream::pair().unwrap();
        let pool = Arc::new(StdMutex::new(connection));
        let all: [_; 3] = std::array::from_fn(|_| pool.clone());
        run(async move {
            let closures = all.map(|pool| watched_blocking(move || {
                let mut connection = pool.lock().unwrap(); // <- here
                connection.read_exact(&mut [0]).unwrap(); // <- here
            }));
            for closure in closures {
                closure.await.unwrap();
            }
        });
    }

    turns_at_a_lock("task", "waits for a lock", "took it at") {
        run(turns(ms(400))); // <- the turn
    }

    first_keeps_the_lock("task", "'turn 0' returned Pending", "its time has not come", "'turn 1' returned Pending", "likewise 118 others of the same line, 'turn 2' to 'turn 119'; 20 of these were not asked where.") {
        run(turns(an_hour())); // <- the turn
    }

    // Only a hundred of them are asked. The others stand with those that wait for the same lock.
    three_locks_for_one_line("task", "likewise 109 others of the same line, 'turn 1' to 'turn 109'; 10 of these were not asked where.", "likewise 9 others of the same line, 'turn 111' to 'turn 119'.", "ikewise 9 others of the same line, 'turn 121' to 'turn 129'.") {
        run(async {
            let a = Arc::new(Mutex::new(()));
            let b = Arc::new(Mutex::new(()));
            let c = Arc::new(Mutex::new(()));
            let _guards = (a.lock().await, b.lock().await, c.lock().await);
            for n in 0..130 {
                let lock = [&a, &b, &c][usize::from(n >= 110) + usize::from(n >= 120)].clone();
                spawn(watch(format!("turn {n}"), async move { drop(lock.lock().await) })); // <- here
            }
            sleep(an_hour()).await;
        });
    }

    // What is dropped each time is cancel safe.
    heartbeat("'main' makes 'command' (lab/probe/tests/verdicts/reported.rs:", "again and again, and drops it before it is ready.", "cancel safe", "'main' is still at work.") {
        run(async {
            let (sender, mut commands) = mpsc::channel::<u8>(1);
            let mut beat = interval(ms(50));
            for _ in 0..600 {
                tokio::select! {
                    Some(_) = watch("command", commands.recv()) => break, // <- here
                    _ = beat.tick() => {}
                }
            }
            drop(sender);
        });
    }
}
