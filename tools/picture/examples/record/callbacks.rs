//! The runs of stages 01 and 02.
//!
//! A wake of theirs is a plain `fn()`, which carries no data, so no probe sees whose it is. Each future gets a function of its own, and
//! what that function needs to know is in statics: there is one recording at a time.

use std::{
    io::Write,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use probe::{Recorder, Recording, What};
use step01_simple_future as step01;
use step02_join as step02;

use crate::{LONG, SHORT};

#[path = "../../../../step02-join/src/demo/after_a.rs"]
mod after_a;

use after_a::AfterA;

/// The thread that sends the data. It is in the recording as a future, of which what is "made" then is the data.
const PEER: &str = "peer";
/// From one check to the next.
const PAUSE: Duration = Duration::from_millis(50);

/// `check_every`, with each check noted. It takes no future, so there is nothing to watch. The data is sent half a pause after the
/// third check, and the fourth one waits for it.
pub fn looking() -> Recording {
    record(&["socket", PEER], || {
        let (socket, mut peer) = step01::Socket::pair().expect("a loopback connection");
        let (third, is_third) = mpsc::channel();
        let (sent, is_sent) = mpsc::channel();
        let sender = thread::spawn(move || {
            is_third.recv().expect("main checks");
            thread::sleep(PAUSE / 2);
            note(2, What::Spawn);
            peer.write_all(b"howdy!").expect("the socket is there");
            sent.send(()).expect("main waits");
        });
        let mut checks = 0;
        let checked = step01::check_every(PAUSE, || {
            if checks == 3 {
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
            if checks == 3 {
                third.send(()).expect("the sender waits");
            }
            found
        });
        checked.expect("the connection is not broken");
        sender.join().expect("the sender does not panic");
    })
}

/// The data comes at the same time.
pub fn told() -> Recording {
    record(&["read", PEER], || {
        let (socket, mut peer) = step01::Socket::pair().expect("a loopback connection");
        let sender = thread::spawn(move || {
            thread::sleep(PAUSE * 5 / 2);
            note(2, What::Spawn);
            peer.write_all(b"howdy!").expect("the socket is there");
            peer
        });
        let read = Noted::<_, 1, true>::new(step01::SocketRead::new(&socket));
        step01::RunLoop::new([read]).run();
        sender.join().expect("the sender does not panic");
    })
}

pub fn join() -> Recording {
    pair(|a, b| Noted::<_, 3, false>::new(step02::Join::new(a, b)))
}

pub fn and_then() -> Recording {
    pair(|a, b| Noted::<_, 3, false>::new(step02::AndThen::new(a, b)))
}

type A = Noted<step02::Traced<'static, step02::Timer>, 1, true>;
/// It calls `wake` when it has been polled after `a` was ready, as in the demo.
type B = Noted<AfterA<'static>, 2, true>;

fn pair<F: step02::SimpleFuture>(pair: fn(A, B) -> F) -> Recording {
    let trace = Box::leak(Box::new(step02::Trace::start()));
    record(&["a", "b", "pair"], || {
        let a = step02::Traced::new("a", step02::Timer::new(SHORT), trace);
        let b = AfterA::new(step02::Timer::new(LONG), trace);
        step02::RunLoop::new([pair(Noted::new(a), Noted::new(b))]).run();
    })
}

static RECORDER: Mutex<Option<Arc<Recorder>>> = Mutex::new(None);
/// The real `wake` of each future.
static WAKES: [Mutex<fn()>; 4] = [const { Mutex::new(|| ()) }; 4];

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

/// A future whose polls and wakes are noted, under the number `N`. A leaf waits for something itself. Others hand their `wake` down as
/// it came, so it never passes them.
struct Noted<F, const N: u32, const LEAF: bool>(F);

impl<F, const N: u32, const LEAF: bool> Noted<F, N, LEAF> {
    fn new(future: F) -> Self {
        note(N, What::Spawn);
        Noted(future)
    }
}

/// Held while the pair is polled, so that no wake comes in the middle of that.
static POLLED: Mutex<()> = Mutex::new(());

fn noted_wake<const N: u32>() {
    drop(lock(&POLLED));
    let (waker, by_value, during) = (1, false, None);
    note(
        N,
        What::Wake {
            waker,
            by_value,
            during,
        },
    );
    let wake = *lock(&WAKES[N as usize]);
    wake();
}

/// The trait is carried, so each stage has its own.
macro_rules! simple_future {
    ($stage:ident) => {
        impl<F, const N: u32, const LEAF: bool> $stage::SimpleFuture for Noted<F, N, LEAF>
        where
            F: $stage::SimpleFuture,
        {
            type Output = F::Output;

            fn poll(&mut self, wake: fn()) -> $stage::Poll<F::Output> {
                let _polled = (!LEAF).then(|| lock(&POLLED));
                *lock(&WAKES[N as usize]) = wake;
                note(N, What::Poll { waker: 1 });
                let answer = self.0.poll(if LEAF { noted_wake::<N> } else { wake });
                let is_pending = matches!(answer, $stage::Poll::Pending);
                note(
                    N,
                    if is_pending {
                        What::Pending
                    } else {
                        What::Ready
                    },
                );
                answer
            }
        }
    };
}

simple_future!(step01);
simple_future!(step02);

impl<F, const N: u32, const LEAF: bool> Drop for Noted<F, N, LEAF> {
    fn drop(&mut self) {
        note(N, What::Drop);
    }
}
