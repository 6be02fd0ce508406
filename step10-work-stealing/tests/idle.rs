//! With open sockets and a timer that is far away, no worker wakes up, not even the one that waits in the kernel, and nobody
//! looks after the others.
//!
//! In a process of its own, because it looks at all threads there.

#![cfg(target_os = "linux")]
#![cfg(not(miri))]

use std::{collections::BTreeMap, thread, time::Duration};

use futures::{AsyncReadExt, AsyncWriteExt};
use probe::{alone, thread_statuses, within};
use step10_work_stealing::{
    Runtime, Version, WorkerMetrics,
    net::{TcpListener, TcpStream},
    spawn,
    time::sleep,
};

/// How many sockets each runtime has open.
const SOCKETS: usize = 100;
const WORKERS: usize = 4;

/// What the kernel says about each worker of this process, by its number: whether it sleeps, and how often it has gone to sleep.
fn workers() -> BTreeMap<u32, (bool, u64)> {
    let mut workers = BTreeMap::new();
    for thread in thread_statuses().unwrap() {
        if thread.name == "worker" {
            workers.insert(thread.id, (thread.state == 'S', thread.sleeps));
        }
    }
    workers
}

/// A runtime whose tasks wait for data on all sockets, and for a timer. Returns the clients, too.
fn idle(version: Version) -> (Runtime, Vec<TcpStream>) {
    let runtime = Runtime::with_version(WORKERS, version);
    let clients = runtime.block_on(async {
        let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let mut clients = Vec::new();
        for _ in 0..SOCKETS / 2 {
            clients.push(TcpStream::connect(address).await.unwrap());
            let (mut server, _) = listener.accept().await.unwrap();
            spawn(async move {
                let mut byte = [0];
                while server.read(&mut byte).await.unwrap() > 0 {
                    server.write_all(&byte).await.unwrap();
                }
            });
        }
        spawn(sleep(Duration::from_secs(3_600)));
        sleep(Duration::from_millis(10)).await;
        clients
    });
    (runtime, clients)
}

type Seen = (BTreeMap<u32, (bool, u64)>, Vec<Vec<WorkerMetrics>>);

/// Waits until all workers sleep, and have done so for a while.
fn settled(see: impl Fn() -> Seen) -> Seen {
    let mut before = see();
    loop {
        thread::sleep(Duration::from_millis(50));
        let now = see();
        if now == before && now.0.values().all(|(asleep, _)| *asleep) {
            return now;
        }
        before = now;
    }
}

#[test]
fn for_a_while_no_worker_wakes_up_and_then_all_is_served() {
    alone(|| {
        within(Duration::from_secs(60), || {
            let idle = [
                Version::SharedQueue,
                Version::LocalQueues,
                Version::LifoSlot,
            ]
            .map(idle);
            let see = || {
                (
                    workers(),
                    idle.iter().map(|(runtime, _)| runtime.metrics()).collect(),
                )
            };
            let before = settled(see);
            assert_eq!(before.0.len(), 3 * WORKERS);
            thread::sleep(Duration::from_millis(200)); // ten times as long as a sleeper that looks up sleeps
            assert_eq!(see(), before);
            for (runtime, mut clients) in idle {
                runtime.block_on(async {
                    let mut byte = [0];
                    let client = clients.last_mut().unwrap();
                    client.write_all(b"x").await.unwrap();
                    client.read_exact(&mut byte).await.unwrap();
                    assert_eq!(&byte, b"x");
                });
                assert_ne!(runtime.metrics(), [WorkerMetrics::default(); WORKERS]);
            }
        })
    });
}
