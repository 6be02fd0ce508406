//! Stage 01: a thread that checks a socket every 50 ms, and one that is woken by it.

use std::{io::Write, sync::mpsc, thread, time::Duration};

use probe::{Recording, What};
use step01_simple_future::{RunLoop, Socket, SocketRead};

use super::{ALL_EVENTS, MAIN};
use crate::{
    run::{Lane, Run, Wording},
    simple_future::{Noted, asleep, note_of, record},
    times::Times,
};

pub const TIMES: Times = Times {
    name: "run-01-times",
    title: "Checking every 50 ms and being woken, on one time axis",
    caption: "In both runs, the data is sent at the same time. The thread that checks the socket finds it at its next \
              check; the run loop is woken by the data itself.",
    runs: [(&LOOKING, "Checking"), (&TOLD, "Being woken")],
    step: 50,
};

pub const LOOKING: Run = Run {
    name: "run-01-looking",
    title: "A thread checks a socket every 50 ms",
    caption: "The thread checks, sleeps and checks again. Three of its four checks find nothing, and when the data is \
              there, the thread is asleep, so it doesn't notice until its next check.",
    threads: &[MAIN, PEER],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread that checks"),
        Lane::Task("socket", "the socket"),
        Lane::Thread(PEER, "peer: sends the data"),
    ],
    wording: Wording::Looks,
    most: ALL_EVENTS,
    record: looking,
};

pub const TOLD: Run = Run {
    name: "run-01-told",
    title: "A future whose socket wakes the run loop",
    caption: "Two polls, and nothing in between: the run loop's thread sleeps until the watcher calls `wake`. The \
              first poll registers `wake` with the socket, and the second takes the data.",
    threads: &[MAIN, PEER, "watcher"],
    lanes: &[
        Lane::Thread(MAIN, "main: the thread of the run loop"),
        Lane::Task("read", "`read`: the future, a `SocketRead`"),
        Lane::Thread("watcher", "watcher: the socket's thread"),
        Lane::Thread(PEER, "peer: sends the data"),
    ],
    wording: Wording::PlainWakes,
    most: ALL_EVENTS,
    record: told,
};

/// The thread that sends the data. Its number among the futures is 1: what is "made" then is the data.
const PEER: &str = "peer";
/// From one check to the next.
const PAUSE: Duration = Duration::from_millis(50);
/// How many checks find nothing.
const FOR_NOTHING: u32 = 3;
/// When the data is sent: in the middle of a pause.
const DATA: Duration = Duration::from_millis(125);

/// The loop of `looking.rs`, with each check noted. It takes a socket and no future, so there is nothing to watch.
/// The data is sent half a pause after the third check, so that the number of checks does not depend on a clock.
fn looking() -> Recording {
    record(&["socket", PEER], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let (third, is_third) = mpsc::channel();
        let sender = thread::spawn(move || {
            if is_third.recv().is_ok() {
                thread::sleep(PAUSE / 2);
                note_of(1, What::Spawn);
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
            if look == FOR_NOTHING {
                third.send(()).expect("the sender waits");
            }
            asleep(|| thread::sleep(PAUSE));
        }
        sender.join().expect("the sender does not panic");
    })
}

fn told() -> Recording {
    record(&["read", PEER], || {
        let (socket, mut peer) = Socket::pair().expect("a loopback connection");
        let sender = thread::spawn(move || {
            thread::sleep(DATA);
            note_of(1, What::Spawn);
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
        sender.join().expect("the sender does not panic");
    })
}
