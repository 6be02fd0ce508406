//! Stage 01: a thread that looks at a socket, and one that is told by it.

use std::{io::Write, sync::mpsc, thread};

use probe::{Recording, What};
use step01_simple_future::{RunLoop, Socket, SocketRead};

use super::{ALL_EVENTS, LONG, MAIN, SHORT};
use crate::{
    run::{Lane, Run, Wording},
    simple_future::{Noted, asleep, note_of, record},
};

pub const LOOKING: Run = Run {
    name: "run-01-looking",
    title: "A thread looks at a socket until there is data",
    caption: "The thread asks, sleeps and asks again. Three of its four looks find nothing, and when the data comes, \
              nobody notices before the next look.",
    threads: &[MAIN],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread that looks"),
        Lane::Task("socket", "the socket"),
    ],
    wording: Wording::Looks,
    most: ALL_EVENTS,
    record: looking,
};

pub const TOLD: Run = Run {
    name: "run-01-told",
    title: "A future is told by its socket",
    caption: "Two polls, and nothing in between: the thread sleeps until the socket's watcher calls `wake`. The \
              first poll leaves the `wake` there; the second takes the data.",
    threads: &[MAIN, "watcher"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread of the run loop"),
        Lane::Task("read", "`read`: the future, a `SocketRead`"),
        Lane::Thread("watcher", "watcher: the socket's thread"),
    ],
    wording: Wording::PlainWakes,
    most: ALL_EVENTS,
    record: told,
};

/// How often the thread looks in vain.
const IN_VAIN: usize = 3;

/// The loop of `looking.rs`, with each look noted: it takes a socket and no future, so nobody can stand in between.
/// The data is sent after the third look, so that the number of looks does not depend on a clock.
fn looking() -> Recording {
    record(&["socket"], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let (third, is_third) = mpsc::channel();
        let sender = thread::spawn(move || {
            if is_third.recv().is_ok() {
                peer.write_all(b"howdy!").expect("the socket is there");
            }
        });
        for look in 1.. {
            note_of(0, What::Poll { waker: 1 });
            if socket.has_data_to_read() {
                note_of(0, What::Ready);
                break;
            }
            note_of(0, What::Pending);
            if look == IN_VAIN {
                third.send(()).expect("the sender waits");
            }
            asleep(|| thread::sleep(LONG));
        }
        sender.join().expect("nobody panics");
    })
}

fn told() -> Recording {
    record(&["read"], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let sender = thread::spawn(move || {
            thread::sleep(SHORT);
            peer.write_all(b"howdy!").expect("the socket is there");
            peer
        });
        let mut run_loop = RunLoop::new([Noted::<_, 0>::leaf(SocketRead::new(&socket))]);
        // As `RunLoop::run` does, with each sleep noted.
        run_loop.poll_all();
        while run_loop.running() > 0 {
            asleep(|| run_loop.sleep());
            run_loop.poll_all();
        }
        sender.join().expect("nobody panics");
    })
}
