//! The runs that the book shows: a thread that checks a socket every 50 ms, and one that is woken by it.
//!
//! A wake of this stage is a plain `fn()`, which carries no data. So what it needs to know is in statics, and there is one
//! recording at a time.

use std::{
    io::Write,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use probe::{Lane, Recorder, Recording, Run, What, Wording};
use step01_simple_future::{Poll, RunLoop, SimpleFuture, Socket, SocketRead, check_every};

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recordings_in_the_book_are_as_it_runs_now() {
    LOOKING.check();
    TOLD.check();
}

const LOOKING: Run = Run {
    name: "run-01-looking",
    title: "A thread checks a socket every 50 ms",
    caption: "The thread checks, sleeps and checks again. Three of its four checks find nothing, and when the data is \
              there, the thread is asleep, so it doesn't notice until its next check.",
    threads: &["main", PEER],
    lanes: &[
        Lane::Thread("main: the thread that checks"),
        Lane::Thread("peer: sends the data"),
        Lane::Task("`socket`"),
    ],
    wording: Wording::Checks,
    record: looking,
};

const TOLD: Run = Run {
    name: "run-01-told",
    title: "A future whose socket wakes the run loop",
    caption: "Two polls, and nothing in between: the run loop's thread sleeps until the watcher calls `wake`. The \
              first poll registers `wake` with the socket, and the second takes the data.",
    threads: &["main", PEER, "watcher"],
    lanes: &[
        Lane::Thread("main: the thread of the run loop"),
        Lane::Thread("watcher: the socket's thread"),
        Lane::Thread("peer: sends the data"),
        Lane::Task("`read`: the future, a `SocketRead`"),
    ],
    wording: Wording::PlainWakes,
    record: told,
};

/// The thread that sends the data. It is in the recording as a future, of which what is "made" then is the data.
const PEER: &str = "peer";
/// From one check to the next.
const PAUSE: Duration = Duration::from_millis(50);
/// How many checks find nothing.
const FOR_NOTHING: u32 = 3;
/// When the data is sent: in the middle of a pause.
const DATA: Duration = Duration::from_millis(125);

/// [`check_every`], with each check noted. It takes no future, so there is nothing to watch. The data is sent half a
/// pause after the third check, and the fourth one waits for it.
fn looking() -> Recording {
    record(&["socket", PEER], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let (third, is_third) = mpsc::channel();
        let (sent, is_sent) = mpsc::channel();
        let sender = thread::spawn(move || {
            if is_third.recv().is_ok() {
                thread::sleep(PAUSE / 2);
                note(2, What::Spawn);
                peer.write_all(b"howdy!").expect("the socket is there");
                sent.send(()).expect("the thread that checks waits");
            }
        });
        let mut checks = 0;
        let checked = check_every(PAUSE, || {
            if checks == FOR_NOTHING {
                is_sent.recv().expect("the sender sends it");
                while !socket.has_data_to_read() {
                    thread::yield_now();
                }
            }
            note(1, What::Poll { waker: 1 });
            let found = socket.read_buf();
            note(
                1,
                if found.is_ok() {
                    What::Ready
                } else {
                    What::Pending
                },
            );
            checks += 1;
            if checks == FOR_NOTHING {
                third.send(()).expect("the sender waits");
            }
            found
        });
        checked.expect("the connection is not broken");
        sender.join().expect("the sender does not panic");
    })
}

fn told() -> Recording {
    record(&["read", PEER], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let sender = thread::spawn(move || {
            thread::sleep(DATA);
            note(2, What::Spawn);
            peer.write_all(b"howdy!").expect("the socket is there");
            peer
        });
        let mut run_loop = RunLoop::new([Noted::new(SocketRead::new(&socket))]);
        run_loop.run();
        sender.join().expect("the sender does not panic");
    })
}

static RECORDER: Mutex<Option<Arc<Recorder>>> = Mutex::new(None);

/// Records what is [noted](note) while `f` runs. The futures have numbers from 1, in the order of their names.
fn record(names: &[&str], f: impl FnOnce()) -> Recording {
    let recorder = Recorder::start();
    for name in names {
        recorder.add(name);
    }
    *lock(&RECORDER) = Some(Arc::clone(&recorder));
    f();
    *lock(&RECORDER) = None;
    recorder.finish()
}

fn note(future: u32, what: What) {
    let recorder = lock(&RECORDER).clone();
    // A wake may come when the recording is over.
    if let Some(recorder) = recorder {
        recorder.note(future, what);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The real `wake` of the future that is noted.
static WAKE: Mutex<fn()> = Mutex::new(|| ());

/// A future whose polls and wakes are noted, under the number 1.
struct Noted<F>(F);

impl<F> Noted<F> {
    fn new(future: F) -> Self {
        note(1, What::Spawn);
        Noted(future)
    }
}

fn noted_wake() {
    let (waker, by_value, during) = (1, false, None);
    note(
        1,
        What::Wake {
            waker,
            by_value,
            during,
        },
    );
    let wake = *lock(&WAKE);
    wake();
}

impl<F: SimpleFuture> SimpleFuture for Noted<F> {
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        *lock(&WAKE) = wake;
        note(1, What::Poll { waker: 1 });
        let answer = self.0.poll(noted_wake);
        let is_pending = matches!(answer, Poll::Pending);
        note(
            1,
            if is_pending {
                What::Pending
            } else {
                What::Ready
            },
        );
        answer
    }
}

impl<F> Drop for Noted<F> {
    fn drop(&mut self) {
        note(1, What::Drop);
    }
}
