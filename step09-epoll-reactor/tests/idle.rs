//! With a thousand open sockets and a timer that is far away, the thread of the runtime sleeps and does not wake up once.
//!
//! Alone in its file, because it may need more descriptors than a process has at first. It takes two seconds, which is how
//! long it looks. Both versions sleep at the same time.

#![cfg(target_os = "linux")]
#![cfg(not(miri))]

use std::{
    fs, io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, channel::oneshot};
use probe::within;
use rustix::{
    process::{Resource, getrlimit, setrlimit},
    thread::gettid,
};
use step09_epoll_reactor::{
    BorrowedIo, Event, Key, Reactor, Runtime, Selector, Trigger,
    net::{TcpListener, TcpStream},
    sleep, spawn,
    v2_epoll::Epoll,
    v3_polling::Polling,
};

/// How many sockets each version has open.
const SOCKETS: usize = 1_000;

/// Counts the waits of a selector.
struct CountsWaits<S>(S, Arc<AtomicUsize>);

impl<S: Selector> Selector for CountsWaits<S> {
    fn trigger(&self) -> Trigger {
        self.0.trigger()
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        // SAFETY: `delete` is passed on, too.
        unsafe { self.0.add(io, key, trigger) }
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        self.0.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.0.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.1.fetch_add(1, SeqCst);
        self.0.wait(timeout, events)
    }

    fn notify(&self) -> io::Result<()> {
        self.0.notify()
    }
}

/// How many sockets this process may have open for each of the two versions.
fn sockets() -> usize {
    const OTHERS: u64 = 100;
    let wanted = 2 * SOCKETS as u64 + OTHERS;
    let mut limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.map_or(wanted, |most| most.min(wanted));
    limit.current = limit.current.map(|current| current.max(most));
    setrlimit(Resource::Nofile, limit).unwrap();
    let sockets = (most.saturating_sub(OTHERS) / 2) as usize;
    if sockets < SOCKETS {
        println!("{sockets} sockets, because this process may have only {most} descriptors");
    }
    sockets
}

/// A line of what the kernel says about a thread.
fn line(thread: i32, name: &str) -> String {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap().trim().to_owned()
}

/// A runtime on a thread of its own. Its tasks wait for data on all sockets, and for a timer.
struct Idle {
    thread: i32,
    waits: Arc<AtomicUsize>,
    end: oneshot::Sender<()>,
    join: thread::JoinHandle<()>,
}

impl Idle {
    fn start(selector: impl Selector + 'static, sockets: usize) -> Idle {
        let waits = Arc::new(AtomicUsize::new(0));
        let selector = CountsWaits(selector, Arc::clone(&waits));
        let (end, ended) = oneshot::channel();
        let (send, started) = mpsc::channel();
        let join = thread::spawn(move || {
            let mut runtime = Runtime::with_reactor(Reactor::new(selector));
            runtime.block_on(async {
                let mut listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
                let address = listener.local_addr().unwrap();
                for _ in 0..sockets / 2 {
                    let client = TcpStream::connect(address).await.unwrap();
                    let (server, _) = listener.accept().await.unwrap();
                    for mut stream in [client, server] {
                        spawn(async move { stream.read(&mut [0]).await });
                    }
                }
                spawn(sleep(Duration::from_secs(3_600)));
                // All of them have been polled when this has slept.
                sleep(Duration::from_millis(10)).await;
                send.send(gettid().as_raw_nonzero().get()).unwrap();
                ended.await.unwrap();
            });
        });
        let thread = started.recv().unwrap();
        Idle {
            thread,
            waits,
            end,
            join,
        }
    }

    /// How often the thread has gone to sleep, and how often it has begun to wait.
    fn counts(&self) -> (String, usize) {
        let switches = line(self.thread, "voluntary_ctxt_switches:");
        (switches, self.waits.load(SeqCst))
    }

    /// Waits until the thread sleeps, and has done so for a while.
    fn settle(&self) {
        let mut before = None;
        loop {
            let now = self.counts();
            let asleep = line(self.thread, "State:").starts_with('S');
            if asleep && before.as_ref() == Some(&now) {
                return;
            }
            before = Some(now);
            thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn in_two_seconds_nothing_wakes_it() {
    within(Duration::from_secs(60), || {
        let sockets = sockets();
        let idle = [
            Idle::start(Epoll::new().unwrap(), sockets),
            Idle::start(Polling::new().unwrap(), sockets),
        ];
        idle.iter().for_each(Idle::settle);
        let before = idle.each_ref().map(Idle::counts);
        thread::sleep(Duration::from_secs(2));
        assert_eq!(idle.each_ref().map(Idle::counts), before);
        for idle in idle {
            idle.end.send(()).unwrap();
            idle.join.join().unwrap();
        }
    });
}
