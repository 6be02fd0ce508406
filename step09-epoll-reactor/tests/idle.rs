//! With a thousand open sockets and a timer that is far away, the thread of the runtime sleeps and does not wake up.

#![cfg(target_os = "linux")]
#![cfg(not(miri))]

use std::{
    fs,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, channel::oneshot};
use probe::within;
use rustix::thread::gettid;
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
    thread: i32,
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
                send.send(gettid().as_raw_nonzero().get()).unwrap();
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

    /// A line of what the kernel says about the thread.
    fn line(&self, name: &str) -> String {
        let status = fs::read_to_string(format!("/proc/self/task/{}/status", self.thread));
        let status = status.unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().to_owned()
    }

    /// How often the thread has gone to sleep, and how often it has begun to wait.
    fn counts(&self) -> (String, usize) {
        let switches = self.line("voluntary_ctxt_switches:");
        (switches, self.calls.so_far().waits)
    }

    /// Waits until the thread sleeps in what may be its last wait.
    fn settle(&self) {
        let mut before = None;
        loop {
            let now = self.counts();
            let asleep = self.line("State:").starts_with('S');
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
