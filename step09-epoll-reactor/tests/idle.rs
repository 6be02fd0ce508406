//! With a thousand open sockets and a timer that is far away, the thread of the runtime sleeps and does not wake up.

#![cfg(target_os = "linux")]
#![cfg(not(miri))]

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, channel::oneshot};
use probe::{ThreadStatus, thread_status, thread_statuses, within};
use step09_epoll_reactor::{
    Selector,
    net::{TcpListener, TcpStream},
    sleep, spawn,
    v2_epoll::Epoll,
    v3_polling::Polling,
};

use crate::{
    counted::{Calls, Counted},
    limit,
};

/// How many connections each version has open.
const CONNECTIONS: usize = 500;
/// How long it must sleep. A limit that is too short is seen in `executor/park.rs`, by what is asked for.
const A_WHILE: Duration = Duration::from_millis(50);

/// A runtime on a thread of its own. Its tasks wait for data on all sockets, and for a timer.
struct Idle {
    /// Its number.
    thread: u32,
    calls: Arc<Calls>,
    end: oneshot::Sender<()>,
    join: thread::JoinHandle<()>,
}

impl Idle {
    fn start(selector: impl Selector + 'static, connections: usize) -> Idle {
        let (mut runtime, calls) = Counted::runtime(selector);
        let (send, started) = mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let join = thread::spawn(move || {
            runtime.block_on(async {
                let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
                let address = listener.local_addr().unwrap();
                for _ in 0..connections {
                    let client = TcpStream::connect(address).await.unwrap();
                    for mut stream in [client, listener.accept().await.unwrap().0] {
                        spawn(async move { stream.read(&mut [0]).await });
                    }
                }
                spawn(async { sleep(Duration::from_secs(3_600)).await });
                sleep(Duration::from_millis(10)).await;
                send.send(thread_status().unwrap().id).unwrap();
                ended.await.unwrap();
            });
        });
        let thread = started.recv().unwrap();
        Idle {
            thread,
            calls,
            end,
            join,
        }
    }

    /// What the kernel says about the thread.
    fn status(&self) -> ThreadStatus {
        let mut all = thread_statuses().unwrap().into_iter();
        let its = all.find(|status| status.id == self.thread);
        its.expect("the thread has not ended")
    }

    /// How often the thread has gone to sleep, and how often it has begun to wait.
    fn counts(&self) -> (u64, usize) {
        (self.status().sleeps, self.calls.so_far().waits)
    }

    /// Waits until the thread sleeps in what may be its last wait.
    fn settle(&self) {
        let mut before = None;
        loop {
            let now = self.counts();
            let asleep = self.status().state == 'S';
            if asleep && before.as_ref() == Some(&now) {
                return;
            }
            before = Some(now);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn nothing_wakes_an_idle_thread() {
    within(Duration::from_secs(60), || {
        let connections = limit::connections(2 * CONNECTIONS) / 2;
        let idle = [
            Idle::start(Epoll::new().unwrap(), connections),
            Idle::start(Polling::new().unwrap(), connections),
        ];
        idle.iter().for_each(Idle::settle);
        let before = idle.each_ref().map(Idle::counts);
        thread::sleep(A_WHILE);
        assert_eq!(idle.each_ref().map(Idle::counts), before);
        for idle in idle {
            idle.end.send(()).unwrap();
            idle.join.join().unwrap();
        }
    });
}
